/// Keeps a rectangle of the picture.
///
/// The rectangle is in shares of the turned and straightened picture, so that it means the same in
/// a preview. On a picture of W × H pixels it goes from column round(x W) up to round((x + width)
/// W) and from row round(y H) up to round((y + height) H), cut off at the edges of the picture and
/// at least one pixel wide and high. The pixels inside are not changed.
public struct Crop: Adjustment {
  public static let id = "crop"
  public static let version = 1
  public static let group = AdjustmentGroup.geometry
  public static let summary = "Keeps a rectangle of the picture."
  public static let parameters: [Parameter<Self>] = [
    Parameter(\.x, "x", unit: .share, summary: "Where the rectangle begins, from the left edge."),
    Parameter(\.y, "y", unit: .share, summary: "Where the rectangle begins, from the top edge."),
    Parameter(\.width, "width", unit: .share, summary: "How much of the picture's width is kept."),
    Parameter(
      \.height, "height", unit: .share, summary: "How much of the picture's height is kept."),
  ]

  /// Where the rectangle begins, from the left edge, as a share of the width.
  public var x = 0.0
  /// Where the rectangle begins, from the top edge, as a share of the height.
  public var y = 0.0
  /// How much of the width is kept, as a share.
  public var width = 1.0
  /// How much of the height is kept, as a share.
  public var height = 1.0

  /// The whole picture.
  public init() {}
}

extension Crop: TurnsWithPhoto {
  package mutating func follow(_ move: PictureMove) {
    let corners = [move.moved((x, y)), move.moved((x + width, y + height))]
    let (xs, ys) = (corners.map(\.x).sorted(), corners.map(\.y).sorted())
    // Rounding must not move a side beyond the edge of the picture.
    (x, y) = (max(xs[0], 0), max(ys[0], 0))
    (width, height) = (min(xs[1] - xs[0], 1), min(ys[1] - ys[0], 1))
  }
}

/// The part of a picture to keep, as people describe it.
///
/// ```swift
/// let crop = try Adjustments.Crop(
///   keeping: .aspect(width: 3, height: 2, .center), ofWidth: 4000, height: 3000)
/// ```
public enum CropArea: Sendable, Hashable {
  /// A rectangle in shares of the picture, from its top left corner.
  case shares(x: Double, y: Double, width: Double, height: Double)
  /// A rectangle in pixels of the full-size picture, from its top left corner.
  case pixels(x: Int, y: Int, width: Int, height: Int)
  /// The largest rectangle of an aspect, such as 3 and 2.
  case aspect(width: Double, height: Double, CropGravity)
  /// A rectangle of a size in pixels of the full-size picture.
  case size(width: Int, height: Int, CropGravity)
}

/// Where in a picture a rectangle lies.
public enum CropGravity: String, Sendable, Hashable, CaseIterable {
  /// In the middle.
  case center
  /// In the middle of the top edge.
  case top
  /// In the middle of the bottom edge.
  case bottom
  /// In the middle of the left edge.
  case left
  /// In the middle of the right edge.
  case right
  /// In the corner of the top and left edges.
  case topLeft = "top-left"
  /// In the corner of the top and right edges.
  case topRight = "top-right"
  /// In the corner of the bottom and left edges.
  case bottomLeft = "bottom-left"
  /// In the corner of the bottom and right edges.
  case bottomRight = "bottom-right"

  /// The share of the free space on the left of the rectangle.
  var across: Double {
    switch self {
    case .left, .topLeft, .bottomLeft: 0
    case .center, .top, .bottom: 0.5
    case .right, .topRight, .bottomRight: 1
    }
  }

  /// The share of the free space above the rectangle.
  var down: Double {
    switch self {
    case .top, .topLeft, .topRight: 0
    case .center, .left, .right: 0.5
    case .bottom, .bottomLeft, .bottomRight: 1
    }
  }
}

extension Crop {
  /// The crop that keeps an area of a picture.
  ///
  /// - Parameters:
  ///   - area: What to keep.
  ///   - pictureWidth: Pixels from left to right of the full-size picture that is cropped.
  ///   - pictureHeight: Pixels from top to bottom.
  /// - Throws: ``AdjustmentError/parameter(id:name:range:problem:)`` when the area is empty or does
  ///   not lie inside the picture.
  public init(
    keeping area: CropArea, ofWidth pictureWidth: Int, height pictureHeight: Int
  ) throws(AdjustmentError) {
    self.init()
    switch area {
    case .shares(let x, let y, let width, let height):
      try Self.check([("x", x, 0...1), ("y", y, 0...1)])
      // The sum of shares that were rounded to a few digits may be slightly too large.
      let slack = 1e-6
      try Self.check([
        ("width", width, slack...(1 - x + slack)), ("height", height, slack...(1 - y + slack)),
      ])
      (self.x, self.y) = (x, y)
      (self.width, self.height) = (min(width, 1), min(height, 1))
    case .pixels(let x, let y, let width, let height):
      let (right, bottom) = (Double(pictureWidth), Double(pictureHeight))
      try Self.check([("x", Double(x), 0...(right - 1)), ("y", Double(y), 0...(bottom - 1))])
      try Self.check([
        ("width", Double(width), 1...(right - Double(x))),
        ("height", Double(height), 1...(bottom - Double(y))),
      ])
      (self.x, self.y) = (Double(x) / right, Double(y) / bottom)
      (self.width, self.height) = (Double(width) / right, Double(height) / bottom)
    case .size(let width, let height, let gravity):
      let left = (Double(pictureWidth - width) * gravity.across).rounded(.down)
      let top = (Double(pictureHeight - height) * gravity.down).rounded(.down)
      try self.init(
        keeping: .pixels(x: max(Int(left), 0), y: max(Int(top), 0), width: width, height: height),
        ofWidth: pictureWidth, height: pictureHeight)
    case .aspect(let width, let height, let gravity):
      let limits = Double.leastNormalMagnitude...Double.greatestFiniteMagnitude
      try Self.check([("width", width, limits), ("height", height, limits)])
      let (wide, high) = (Double(pictureWidth), Double(pictureHeight))
      let scale = min(wide / width, high / height)
      try self.init(
        keeping: .size(
          width: Int(min(max((width * scale).rounded(), 1), wide)),
          height: Int(min(max((height * scale).rounded(), 1), high)), gravity),
        ofWidth: pictureWidth, height: pictureHeight)
    }
  }

  private static func check(
    _ numbers: [(name: String, value: Double, range: ClosedRange<Double>)]
  ) throws(AdjustmentError) {
    for (name, value, range) in numbers where !range.contains(value) {
      throw .parameter(id: id, name: name, range: range, problem: .outOfRange(value))
    }
  }
}
