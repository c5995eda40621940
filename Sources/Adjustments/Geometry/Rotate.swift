/// Turns the picture by quarters.
///
/// The turn joins the photo's own orientation: pixels change their places and not their colors, and
/// all later adjustments, such as a crop, see the turned picture.
public struct Rotate: Adjustment {
  public static let id = "rotate"
  public static let version = 1
  public static let group = AdjustmentGroup.geometry
  public static let summary = "Turns the picture by quarters."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: 0...270, unit: .degrees,
      summary: "How far the picture is turned clockwise.")
  ]

  /// How far the picture is turned clockwise.
  public var amount = QuarterTurns.none

  /// Changes nothing.
  public init() {}
}

/// Quarter turns clockwise.
///
/// As JSON: the degrees, 0, 90, 180 or 270.
public enum QuarterTurns: Int, CaseIterable, ParameterValue {
  /// Not turned.
  case none = 0
  /// A quarter turn clockwise: the left side becomes the top.
  case right = 90
  /// Upside down.
  case half = 180
  /// A quarter turn counterclockwise: the right side becomes the top.
  case left = 270

  public static var kind: String { "0, 90, 180 or 270" }
  public static var typeName: String { "degrees" }
  public static var argumentKind: String { "0, 90, 180, 270, left or right" }
  public static var choices: [String] { allCases.map { String($0.rawValue) } }
  public static var hasRange: Bool { false }
  public static var schema: JSONValue {
    .object([
      .init(
        "enum", .array(allCases.map { .number(Double($0.rawValue)) } + choices.map { .string($0) }))
    ])
  }

  /// Degrees clockwise; negative degrees and more than 360 are allowed. `nil` when they are no
  /// quarter turns.
  public init?(degrees: Int) {
    self.init(rawValue: ((degrees % 360) + 360) % 360)
  }

  public init?(json: JSONValue) {
    guard let degrees = json.integer else { return nil }
    self.init(rawValue: degrees)
  }

  public var json: JSONValue { .number(Double(rawValue)) }

  public func problem(in range: ClosedRange<Double>) -> ParameterProblem? { nil }

  /// Reads degrees, or `left` or `right`, in any case.
  public init?(argument: String, unit: ParameterUnit) {
    switch argument.lowercased() {
    case "left": self = .left
    case "right": self = .right
    default:
      guard let degrees = Int(argument: argument, unit: unit) else { return nil }
      self.init(degrees: degrees)
    }
  }

  public var argument: String { String(rawValue) }
}

extension EditStack {
  /// Turns or mirrors the whole edited picture. The crop keeps the same part of the photo, and the
  /// same lines stay straight and parallel.
  ///
  /// The values of ``Crop``, ``Straighten`` and ``Perspective`` are for the turned picture, so they
  /// are converted for the new turn.
  ///
  /// - Parameter change: Sets the turn and the mirroring.
  /// - Throws: ``AdjustmentError/newerVersion(id:version:)`` when a newer version stored one of
  ///   these.
  public mutating func turn(
    _ change: (inout Rotate, inout Flip) -> Void
  ) throws(AdjustmentError) {
    let before = PictureTurn(rotate: try adjustment(), flip: try adjustment())
    var after = before
    change(&after.rotate, &after.flip)
    guard after != before else { return }
    var turned = self
    try turned.adjust(Rotate.self) { $0 = after.rotate }
    try turned.adjust(Flip.self) { $0 = after.flip }
    try turned.follow(after.move(from: before))
    self = turned
  }

  /// Where the places of a picture that another edit turns are in a picture that this edit turns; `nil` when both turn it
  /// alike.
  func move(from other: EditStack) throws(AdjustmentError) -> PictureMove? {
    let before = PictureTurn(rotate: try other.adjustment(), flip: try other.adjustment())
    let after = PictureTurn(rotate: try adjustment(), flip: try adjustment())
    return before == after ? nil : after.move(from: before)
  }
}

extension EditStack {
  /// The edit for a photo whose orientation tag another program changed. Its render is the earlier
  /// render, turned and mirrored as the photo is now.
  ///
  /// The edges of a crop are rounded to whole pixels after the turn, so a side can become one pixel
  /// longer or shorter.
  ///
  /// - Parameters:
  ///   - former: The value of the Exif orientation tag when the edit was made, 1 to 8.
  ///   - orientation: The orientation tag now.
  ///   - startsFromOriginal: Whether the edit starts from the original's pixels, which turn with the
  ///     tag. Some edits start from another program's render, which does not turn.
  /// - Returns: `nil` when the edit cannot follow: it has an adjustment of a newer version, the same
  ///   kind of geometry twice, or geometry inside a layer, or the sides are exchanged below a
  ///   ``Perspective`` in both directions, which tilts the camera to the side first.
  package func turned(
    from former: Int, to orientation: Int, startsFromOriginal: Bool
  ) throws(AdjustmentError) -> EditStack? {
    let difference = PictureTurn(orientation: orientation)
      .following(inverseOf: PictureTurn(orientation: former))
    guard unknownEntries.isEmpty else { return nil }
    let geometry = entries.filter(\.isGeometry)
    let isInLayers = layers.contains { $0.steps.entries.withSteps.contains(where: \.isGeometry) }
    guard !isInLayers, Set(geometry.map(\.id)).count == geometry.count,
      geometry.allSatisfy(\.unknownFields.isEmpty)
    else { return nil }
    if difference.exchangesSides, !followsExchangedSides { return nil }
    var turned = self
    let turn = PictureTurn(rotate: try adjustment(), flip: try adjustment())
    let new = startsFromOriginal ? turn.conjugated(by: difference) : turn.followed(by: difference)
    try turned.adjust(Rotate.self) { $0 = new.rotate }
    try turned.adjust(Flip.self) { $0 = new.flip }
    try turned.follow(PictureMove(isMirroring: difference.isMirrored) { difference.turned($0) })
    return turned
  }
}

/// Moves places of a picture, as shares of its sides, when the picture is turned and then mirrored.
private struct PictureTurn: Equatable {
  var rotate: Rotate
  var flip: Flip

  /// Whether the picture is mirrored; two mirrors are a half turn.
  var isMirrored: Bool { flip.horizontal != flip.vertical }

  func turned(_ place: (x: Double, y: Double)) -> (x: Double, y: Double) {
    mirrored(Self.quarters(rotate.amount.rawValue / 90, place))
  }

  /// The place before the turn.
  func unturned(_ place: (x: Double, y: Double)) -> (x: Double, y: Double) {
    Self.quarters(4 - rotate.amount.rawValue / 90, mirrored(place))
  }

  private func mirrored(_ place: (x: Double, y: Double)) -> (x: Double, y: Double) {
    (flip.horizontal ? 1 - place.x : place.x, flip.vertical ? 1 - place.y : place.y)
  }

  init(rotate: Rotate, flip: Flip) {
    self.rotate = rotate
    self.flip = flip
  }

  /// Quarter turns clockwise, then perhaps left and right exchanged.
  private init(quarters: Int, isMirrored: Bool) {
    self.init(rotate: Rotate(), flip: Flip())
    rotate.amount = QuarterTurns(degrees: 90 * quarters) ?? .none
    flip.horizontal = isMirrored
  }

  /// What turns the stored pixels of an orientation tag upright. Source: Exif 2.32, tag 274.
  init(orientation: Int) {
    let quarters = [0, 0, 2, 2, 1, 1, 3, 3][(1...8).contains(orientation) ? orientation - 1 : 0]
    self.init(quarters: quarters, isMirrored: [2, 4, 5, 7].contains(orientation))
  }

  /// Quarter turns clockwise, before left and right are exchanged.
  private var quarters: Int { rotate.amount.rawValue / 90 + (flip.vertical ? 2 : 0) }

  var exchangesSides: Bool { quarters % 2 != 0 }

  /// How places move from the picture of another turn to that of this one.
  func move(from before: PictureTurn) -> PictureMove {
    PictureMove(isMirroring: before.isMirrored != isMirrored) { turned(before.unturned($0)) }
  }

  /// This turn, then another.
  func followed(by next: PictureTurn) -> PictureTurn {
    // A mirror and then a turn give the same as the opposite turn and then the mirror.
    PictureTurn(
      quarters: isMirrored ? quarters - next.quarters : quarters + next.quarters,
      isMirrored: isMirrored != next.isMirrored)
  }

  /// The turn that leads from the picture of another turn to that of this one.
  func following(inverseOf other: PictureTurn) -> PictureTurn {
    let inverse = PictureTurn(
      quarters: other.isMirrored ? other.quarters : -other.quarters, isMirrored: other.isMirrored)
    return inverse.followed(by: self)
  }

  /// What this turn is to a picture that another turn was applied to: the other turn taken back, this
  /// turn, and the other turn again.
  func conjugated(by other: PictureTurn) -> PictureTurn {
    var turn = self
    if other.isMirrored {
      turn.rotate.amount = QuarterTurns(degrees: -rotate.amount.rawValue) ?? .none
    }
    if other.exchangesSides {
      (turn.flip.horizontal, turn.flip.vertical) = (flip.vertical, flip.horizontal)
    }
    return turn
  }

  private static func quarters(
    _ count: Int, _ place: (x: Double, y: Double)
  ) -> (x: Double, y: Double) {
    (0..<(count % 4)).reduce(place) { place, _ in (1 - place.y, place.x) }
  }
}

extension Double {
  /// The number without the last digits, which are rounding errors.
  func rounded(toPlaces places: Int) -> Double {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }
}
