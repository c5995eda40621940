import SafelightAdjustments

/// Puts a comparison together.
struct ComparisonDrawing {
  private let before, after: LabeledEdit
  private let photos: (before: OpenedPhoto, after: OpenedPhoto)
  private let plans: (before: RenderPlan, after: RenderPlan)
  private let longestSide: Int
  private let isLabeled = Lettering.hasFont

  private(set) var canvas = Canvas(width: 1, height: 1)
  /// The profile of the canvas.
  private(set) var profile: [UInt8]?
  private(set) var warnings: [RenderWarning] = []

  /// - Parameter longestSide: Most pixels along the longer side; `nil` is what fits a canvas.
  init(_ before: LabeledEdit, _ after: LabeledEdit, longestSide: Int?) throws {
    self.before = before
    self.after = after
    photos = (try OpenedPhoto(before.source), try OpenedPhoto(after.source))
    plans = (try RenderPlan(before.edit), try RenderPlan(after.edit))
    self.longestSide = min(longestSide ?? Self.largestSide, Self.largestSide)
    if !isLabeled { warnings.append(.noFont) }
  }

  /// A canvas is a whole picture in memory.
  static let largestSide = 16_383

  /// The size of a picture at full size.
  private func size(of plan: RenderPlan, _ photo: OpenedPhoto) -> PixelDimensions {
    let upright = photo.uprightSize
    let size = plan.size(ofWidth: upright.width, height: upright.height)
    return PixelDimensions(width: size.width, height: size.height)
  }

  /// Whether the halves of the first, cropped and turned as the second, and of the second meet.
  var canSplit: Bool {
    size(of: splitPlan, photos.before) == size(of: plans.after, photos.after)
  }

  /// The first picture's plan with the place of the second's.
  private var splitPlan: RenderPlan { plans.after.geometryAlone }

  /// Both pictures, each in full.
  mutating func draw(
    _ arrangement: ComparisonArrangement, unless cancellation: RenderCancellation?
  ) throws {
    if case .split = arrangement { warnings.append(.shapesDiffer) }
    let layout = ComparisonLayout(
      arrangement, before: size(of: plans.before, photos.before),
      after: size(of: plans.after, photos.after), longestSide: longestSide, isLabeled: isLabeled)
    let proofs = try proofs(
      plans.before, plans.after, in: layout, unless: cancellation)
    canvas = Canvas(width: layout.width, height: layout.height)
    canvas.draw(proofs.before, in: layout.before.picture)
    canvas.draw(proofs.after, in: layout.after.picture)
    guard isLabeled else { return }
    try canvas.write(before.label, in: layout.before.label, size: layout.textSize)
    try canvas.write(after.label, in: layout.after.label, size: layout.textSize)
  }

  /// One picture of two parts, with a line between them.
  mutating func drawSplit(at share: Double, unless cancellation: RenderCancellation?) throws {
    let layout = ComparisonLayout(
      splitting: size(of: plans.after, photos.after), longestSide: longestSide,
      isLabeled: isLabeled)
    let frame = layout.after.picture
    let proofs = try proofs(splitPlan, plans.after, in: layout, unless: cancellation)
    canvas = Canvas(width: layout.width, height: layout.height)
    let place = frame.middle(width: proofs.after.width, height: proofs.after.height)
    let column = Int((Double(place.width) * min(max(share, 0), 1)).rounded())
    canvas.draw(proofs.before, left: place.left, top: place.top, columns: 0..<column)
    canvas.draw(proofs.after, left: place.left, top: place.top, columns: column..<place.width)
    if column > 0, column < place.width { drawLine(at: place.left + column, place) }
    guard isLabeled else { return }
    try canvas.write(before.label, in: layout.before.label, size: layout.textSize, .left)
    try canvas.write(after.label, in: layout.after.label, size: layout.textSize, .right)
  }

  /// A white line with dark edges, to be seen on every picture.
  private mutating func drawLine(at column: Int, _ place: PictureFrame) {
    let white = max(place.width / 600, 1)
    var line = PictureFrame(
      left: column - white / 2 - 1, top: place.top, width: white + 2, height: place.height)
    guard line.left >= place.left, line.right <= place.right else { return }
    canvas.fill(line, with: [0, 0, 0])
    (line.left, line.width) = (line.left + 1, white)
    canvas.fill(line, with: [255, 255, 255])
  }

  private mutating func proofs(
    _ first: RenderPlan, _ second: RenderPlan, in layout: ComparisonLayout,
    unless cancellation: RenderCancellation?
  ) throws -> (before: Proof, after: Proof) {
    let makers = (
      try ProofMaker(
        photos.before, for: first, longestSide: layout.before.size.longestSide),
      try ProofMaker(photos.after, for: second, longestSide: layout.after.size.longestSide)
    )
    let isConverted = makers.0.profile != makers.1.profile
    profile = isConverted ? StandardProfile.sRGB.bytes : makers.1.profile
    for warning in makers.1.warnings + makers.0.warnings where !warnings.contains(warning) {
      warnings.append(warning)
    }
    return (
      try makers.0.proof(of: first, inSRGB: isConverted, unless: cancellation),
      try makers.1.proof(of: second, inSRGB: isConverted, unless: cancellation)
    )
  }
}
