import SafelightAdjustments

/// A width and a height in pixels, as people type it: `1920x1080`.
public struct PixelBox: Sendable, Hashable, ParameterValue {
  /// Pixels from left to right.
  public let width: Int
  /// Pixels from top to bottom.
  public let height: Int

  /// A box.
  public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  public static var kind: String { "a width and a height, such as 1920x1080" }
  public static var typeName: String { "size" }
  public static var hasRange: Bool { false }

  public init?(json: JSONValue) {
    guard let text = json.string else { return nil }
    self.init(argument: text, unit: .pixels)
  }

  public var json: JSONValue { .string(argument) }

  public func problem(in range: ClosedRange<Double>) -> ParameterProblem? {
    [width, height].allSatisfy { range.contains(Double($0)) }
      ? nil : .invalid("takes sides from 1 to \(JSONValue.number(range.upperBound).text) pixels")
  }

  /// Reads `1920x1080`, also with a multiplication sign.
  public init?(argument: String, unit: ParameterUnit) {
    let sides = argument.split(
      omittingEmptySubsequences: false, whereSeparator: { "xX×".contains($0) })
    guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]) else {
      return nil
    }
    self.init(width: width, height: height)
  }

  public var argument: String { "\(width)x\(height)" }
}

/// A number of bytes, as people type it: `500000`, `500kB` or `2MB`, with a thousand bytes in a kilobyte.
public struct ByteCount: Sendable, Hashable, ParameterValue, ExpressibleByIntegerLiteral {
  /// How many bytes.
  public let bytes: Int

  /// So many bytes.
  public init(_ bytes: Int) { self.bytes = bytes }

  /// So many bytes.
  public init(integerLiteral bytes: Int) { self.bytes = bytes }

  public static var kind: String { "a number of bytes, such as 500000 or 500kB" }
  public static var typeName: String { "bytes" }
  public static var schema: JSONValue {
    .object([.init("type", .array(["integer", "string"].map { .string($0) }))])
  }

  public init?(json: JSONValue) {
    if let number = json.integer {
      self.init(number)
    } else if let text = json.string {
      self.init(argument: text, unit: .none)
    } else {
      return nil
    }
  }

  public var json: JSONValue { .number(Double(bytes)) }

  public func problem(in range: ClosedRange<Double>) -> ParameterProblem? {
    Double(bytes).problem(in: range)
  }

  public init?(argument: String, unit: ParameterUnit) {
    let text = argument.lowercased().filter { $0 != " " }
    let factors = [("kb", 1e3), ("mb", 1e6), ("k", 1e3), ("m", 1e6), ("b", 1.0)]
    let (number, factor) =
      factors.first { text.hasSuffix($0.0) }.map { (text.dropLast($0.0.count), $0.1) }
      ?? (text[...], 1)
    guard let number = Double(number), number.isFinite, number * factor < 1e15 else { return nil }
    self.init(Int((number * factor).rounded()))
  }

  public var argument: String { String(bytes) }
}

/// What an output asks of the size of its picture.
enum OutputSize: Sendable {
  case longestSide(Int)
  case shortestSide(Int)
  case fit(PixelBox)
  case fill(PixelBox)
  case pixels(Double)
  case share(Double)

  /// Whether the picture may have a size.
  ///
  /// - Parameter whole: The size that it has at full size.
  func allows(_ size: PixelSize, of whole: PixelSize) -> Bool {
    switch self {
    case .longestSide(let side): size.longestSide <= side
    case .shortestSide(let side): min(size.width, size.height) <= side
    case .fit(let box), .fill(let box): size.width <= box.width && size.height <= box.height
    case .pixels(let count): Double(size.width) * Double(size.height) <= count
    case .share(let share):
      size.width <= whole.scaled(by: share).width && size.height <= whole.scaled(by: share).height
    }
  }

  /// The size of a picture that is enlarged; smaller ones are found by ``allows(_:of:)``.
  func enlarged(_ whole: PixelSize) -> PixelSize {
    let (width, height) = (Double(whole.width), Double(whole.height))
    switch self {
    case .longestSide(let side): return whole.scaled(by: Double(side) / max(width, height))
    case .shortestSide(let side): return whole.scaled(by: Double(side) / min(width, height))
    case .fit(let box):
      return whole.scaled(by: min(Double(box.width) / width, Double(box.height) / height))
    case .fill(let box): return PixelSize(width: box.width, height: box.height)
    case .pixels(let count): return whole.scaled(by: (count / (width * height)).squareRoot())
    case .share(let share): return whole.scaled(by: share)
    }
  }
}

extension RenderOutput {
  /// What is asked of the size; `nil` keeps it.
  var size: OutputSize? {
    longestSide.map { .longestSide($0) } ?? shortestSide.map { .shortestSide($0) }
      ?? fit.map { .fit($0) } ?? fill.map { .fill($0) } ?? megapixels.map { .pixels($0 * 1e6) }
      ?? percent.map { .share($0 / 100) }
  }

  /// Whether a picture can have a size that came of it; `nil` when nothing is asked of the size.
  package func allows(_ size: PixelSize) -> Bool? {
    guard let asked = self.size else { return nil }
    // Of which size it is a share is not known here.
    if case .share = asked { return true }
    // Sides are rounded to whole pixels.
    let smaller = PixelSize(width: max(size.width - 16, 1), height: max(size.height - 16, 1))
    return asked.allows(smaller, of: size)
  }

  /// The most pixels of a picture that is enlarged.
  package static let mostEnlarged = 500_000_000
}

extension RenderPlan {
  /// The plan for an output's size, with the factor for the photo before it.
  ///
  /// - Parameter upright: The size of the upright photo.
  /// - Throws: ``RenderError/cannotEncode(detail:)`` for a picture that would become too large.
  func sized(
    for output: RenderOutput, of upright: PixelSize
  ) throws(RenderError) -> (plan: RenderPlan, scale: Double) {
    func sharpened(_ plan: RenderPlan, _ enlargement: Double = 1) -> RenderPlan {
      guard output.sharpening != .none else { return plan }
      return plan.adding(
        .neighborhood(OutputSharpening(kind: output.sharpening, enlargement: enlargement)))
    }
    guard let asked = output.size else { return (sharpened(self), 1) }
    var plan = self
    if case .fill(let box) = asked { plan = plan.adding(.geometry(MiddleCrop(box: box))) }
    let whole = plan.size(of: upright)
    let scale = plan.scale(of: upright) { asked.allows($0, of: whole) }
    let larger = asked.enlarged(whole)
    guard scale == 1, output.enlarges, larger.width > whole.width || larger.height > whole.height
    else { return (sharpened(plan), scale) }
    guard Double(larger.width) * Double(larger.height) <= Double(RenderOutput.mostEnlarged) else {
      throw .cannotEncode(
        detail: "\(larger.width) × \(larger.height) pixels are more than 500 megapixels")
    }
    return (
      sharpened(
        plan.adding(.geometry(Enlarging(size: larger))),
        Double(larger.width) / Double(whole.width)), 1
    )
  }
}

/// Cuts a picture around its middle to the shape of a box, and to the box itself when it is larger by a pixel or two,
/// as rounding leaves it.
private struct MiddleCrop: GeometryRenderable {
  let box: PixelBox

  var movesPixels: Bool { false }

  func warp(in context: StepContext) -> (any Warp)? {
    let size = context.size
    let (wide, high) = (Double(box.width), Double(box.height))
    let isWider = Double(size.width) * high >= Double(size.height) * wide
    var width = isWider ? Int((Double(size.height) * wide / high).rounded()) : size.width
    var height = isWider ? size.height : Int((Double(size.width) * high / wide).rounded())
    if (box.width...(box.width + 2)).contains(width),
      (box.height...(box.height + 2)).contains(height)
    {
      (width, height) = (box.width, box.height)
    }
    (width, height) = (min(max(width, 1), size.width), min(max(height, 1), size.height))
    guard width < size.width || height < size.height else { return nil }
    return PictureTransform(
      left: (size.width - width) / 2, top: (size.height - height) / 2, width: width, height: height)
  }
}

/// Makes a picture larger.
private struct Enlarging: GeometryRenderable {
  let size: PixelSize

  var movesPixels: Bool { true }

  func warp(in context: StepContext) -> (any Warp)? {
    guard size != context.size else { return nil }
    return PictureTransform.scaling(
      Double(context.size.width) / Double(size.width),
      Double(context.size.height) / Double(size.height), to: size)
  }
}
