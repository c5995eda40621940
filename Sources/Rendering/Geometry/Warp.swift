import SafelightMetadata

/// Where the pixels of a changed picture come from, channel by channel.
///
/// Places count in pixels; the middle of the first pixel is (0.5, 0.5). All warps of an edit become one, so that each
/// pixel is made of the source's pixels once; see ``followed(by:)``.
protocol Warp: Sendable {
  /// The size of the result.
  var size: PixelSize { get }
  /// Whether ``projection`` says it all: all channels have one projective map.
  var isProjective: Bool { get }
  /// The warp itself, or the projective map that is nearest to it. Places that metadata name move by it.
  var projection: PictureTransform { get }
  /// Whether the channels come from places of their own.
  var separatesChannels: Bool { get }

  /// The place of the source for a place of the result.
  ///
  /// - Parameter channel: 0 for red, 1 for green, 2 for blue.
  func source(_ x: Double, _ y: Double, channel: Int) -> (x: Double, y: Double)

  /// A frame that holds the places of the source for all places in a frame of the result, in all channels.
  func source(of frame: WarpFrame) -> WarpFrame

  /// The same warp between pictures of other sizes.
  ///
  /// - Parameters:
  ///   - size: The size of the result.
  ///   - across: Pixels of the other source for one of the source, along a row.
  ///   - down: The same along a column.
  func scaled(to size: PixelSize, across: Double, down: Double) -> any Warp
}

/// A part of a picture between two columns and two rows, which may lie inside of pixels.
struct WarpFrame: Sendable, Equatable {
  let left, top, right, bottom: Double

  /// The smallest frame around places; each coordinate is at most `limit` from 0.
  init(around places: [(x: Double, y: Double)], limit: Double = 1e6) {
    let xs = places.map { min(max($0.x, -limit), limit) }
    let ys = places.map { min(max($0.y, -limit), limit) }
    (left, top, right, bottom) = (xs.min()!, ys.min()!, xs.max()!, ys.max()!)
  }

  /// The corners, row after row.
  var corners: [(x: Double, y: Double)] {
    [(left, top), (right, top), (left, bottom), (right, bottom)]
  }
}

extension Warp {
  /// The whole pixels by which the result is moved; `nil` when the warp does anything else.
  var shift: (left: Int, top: Int)? { isProjective ? projection.wholeShift : nil }

  /// This warp, then another of its result, as one warp.
  func followed(by next: any Warp) -> any Warp {
    guard isProjective, next.isProjective else { return WarpChain(first: self, next: next) }
    let joined: PictureTransform = projection.followed(by: next.projection)
    return joined
  }

  func scaled(to size: PixelSize, across: Double, down: Double) -> any Warp {
    let (wide, high) = (
      Double(self.size.width) / Double(size.width), Double(self.size.height) / Double(size.height)
    )
    return PictureTransform.scaling(across, down, to: self.size).followed(by: self)
      .followed(by: PictureTransform.scaling(wide, high, to: size))
  }
}

/// Two warps, one after the other.
private struct WarpChain: Warp {
  let first, next: any Warp

  var size: PixelSize { next.size }
  var isProjective: Bool { false }
  var projection: PictureTransform { first.projection.followed(by: next.projection) }
  var separatesChannels: Bool { first.separatesChannels || next.separatesChannels }

  func source(_ x: Double, _ y: Double, channel: Int) -> (x: Double, y: Double) {
    let place = next.source(x, y, channel: channel)
    return first.source(place.x, place.y, channel: channel)
  }

  func source(of frame: WarpFrame) -> WarpFrame { first.source(of: next.source(of: frame)) }
}

/// A warp by a projective map: a picture that is turned, straightened, tilted or cropped.
struct PictureTransform: Warp, Equatable {
  let size: PixelSize
  /// The 3 × 3 matrix, row after row, from places of the result to places of the source: the place
  /// (x, y) becomes (x', y', w'), which is the place (x'/w', y'/w').
  let matrix: [Double]

  /// A transform with a matrix.
  init(width: Int, height: Int, matrix: [Double]) {
    size = PixelSize(width: width, height: height)
    self.matrix = matrix
  }

  /// A part of a picture, without other changes.
  init(left: Int, top: Int, width: Int, height: Int) {
    self.init(
      width: width, height: height, matrix: [1, 0, Double(left), 0, 1, Double(top), 0, 0, 1])
  }

  /// A picture with so many pixels of the source for one of its own, along a row and along a column.
  static func scaling(_ across: Double, _ down: Double, to size: PixelSize) -> PictureTransform {
    PictureTransform(
      width: size.width, height: size.height, matrix: [across, 0, 0, 0, down, 0, 0, 0, 1])
  }

  var isProjective: Bool { true }
  var projection: PictureTransform { self }
  var separatesChannels: Bool { false }

  fileprivate var wholeShift: (left: Int, top: Int)? {
    let (left, top) = (matrix[2], matrix[5])
    guard matrix == [1, 0, left.rounded(), 0, 1, top.rounded(), 0, 0, 1] else { return nil }
    return (Int(left), Int(top))
  }

  func source(_ x: Double, _ y: Double, channel: Int = 0) -> (x: Double, y: Double) {
    let w = matrix[6] * x + matrix[7] * y + matrix[8]
    return (
      (matrix[0] * x + matrix[1] * y + matrix[2]) / w,
      (matrix[3] * x + matrix[4] * y + matrix[5]) / w
    )
  }

  /// A projective map takes the inside of a rectangle to the inside of the hull of its corners.
  func source(of frame: WarpFrame) -> WarpFrame {
    WarpFrame(around: frame.corners.map { source($0.x, $0.y) })
  }

  /// This transform, then another of its result.
  func followed(by next: PictureTransform) -> PictureTransform {
    let product = PlaceMapping.product(matrix, next.matrix)
    return PictureTransform(
      width: next.size.width, height: next.size.height, matrix: product.map { $0 / product[8] })
  }

  func scaled(to size: PixelSize, across: Double, down: Double) -> any Warp {
    let wide = Double(self.size.width) / Double(size.width)
    let high = Double(self.size.height) / Double(size.height)
    let inner = (0..<9).map { index in matrix[index] * [wide, high, 1][index % 3] }
    return PictureTransform(
      width: size.width, height: size.height,
      matrix: (0..<9).map { index in inner[index] * [across, down, 1][index / 3] / inner[8] })
  }
}
