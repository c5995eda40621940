import Glibc
import SafelightAdjustments
import SafelightMetadata
import SafelightVips

/// How the two pictures of a comparison are arranged.
public enum ComparisonArrangement: Sendable, Hashable, Codable {
  /// Side by side, or one above the other where the whole would be too wide.
  case automatic
  /// The first on the left, the second on the right.
  case sideBySide
  /// The first above the second.
  case stacked
  /// One picture: the first up to a share of its width from 0 to 1, the second from there on.
  case split(at: Double)
}

/// A photo with an edit, and its label in a comparison.
package struct LabeledEdit: Sendable {
  /// The photo, or the pixels that the edit starts from.
  package let source: PhotoSource
  /// The edit; an empty edit shows the upright photo without changes.
  package let edit: EditStack
  /// The text below the picture.
  package let label: String

  /// A photo with an edit and a label.
  package init(_ source: PhotoSource, edit: EditStack, label: String) {
    self.source = source
    self.edit = edit
    self.label = label
  }
}

extension Renderer {
  /// Renders two states of a photo as one labeled picture. The picture is in the color profile of
  /// both, or in sRGB when their profiles differ.
  ///
  /// - Parameters:
  ///   - before: The first state. In a split picture it is cropped and turned like the second.
  ///   - after: The second state.
  ///   - arrangement: How the two are arranged. Pictures that differ in shape cannot be split; they
  ///     lie side by side, with the warning ``RenderWarning/shapesDiffer``.
  ///   - output: Format, quality and the longer side of the whole; `nil` shows both at full size.
  ///   - original: The photo that the metadata names as the original.
  ///   - cancellation: Ends the work early when it is cancelled from another thread.
  ///   - sink: Called with each run of bytes.
  /// - Throws: ``RenderError``, `CancellationError`, or what `sink` threw.
  package func comparison(
    of before: LabeledEdit, and after: LabeledEdit, _ arrangement: ComparisonArrangement,
    as output: RenderOutput, derivedFrom original: OriginalReference,
    cancellation: RenderCancellation? = nil,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Report {
    _ = Library.takeWarnings()
    var drawing = try ComparisonDrawing(before, after, longestSide: output.longestSide)
    if case .split(let share) = arrangement, drawing.canSplit {
      try drawing.drawSplit(at: share, unless: cancellation)
    } else {
      try drawing.draw(arrangement, unless: cancellation)
    }
    return try encode(
      drawing.canvas, profile: drawing.profile, as: output, derivedFrom: original,
      warnings: drawing.warnings, cancellation: cancellation, to: sink)
  }
}

/// Draws a comparison.
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

  /// - Parameter longestSide: The most pixels along the longer side; `nil` means the largest
  ///   canvas.
  init(_ before: LabeledEdit, _ after: LabeledEdit, longestSide: Int?) throws {
    self.before = before
    self.after = after
    photos = (try OpenedPhoto(before.source), try OpenedPhoto(after.source))
    plans = (try RenderPlan(before.edit), try RenderPlan(after.edit))
    self.longestSide = min(longestSide ?? Self.largestSide, Self.largestSide)
    if !isLabeled { warnings.append(.noFont) }
  }

  /// The most pixels along a side of the canvas, which is a whole picture in memory.
  static let largestSide = 16_383

  /// The size of a picture at full size.
  private func size(of plan: RenderPlan, _ photo: OpenedPhoto) -> PixelSize {
    plan.size(of: photo.uprightSize)
  }

  /// Whether the first picture has the size of the second when it is cropped and turned like it.
  var canSplit: Bool {
    size(of: splitPlan, photos.before) == size(of: plans.after, photos.after)
  }

  /// The plan of the first picture in a split: the geometry of the second plan.
  private var splitPlan: RenderPlan { plans.after.geometryAlone }

  /// Draws both pictures, each in full.
  mutating func draw(
    _ arrangement: ComparisonArrangement, unless cancellation: RenderCancellation?
  ) throws {
    if case .split = arrangement { warnings.append(.shapesDiffer) }
    let layout = ComparisonLayout(
      arrangement, before: size(of: plans.before, photos.before),
      after: size(of: plans.after, photos.after), longestSide: longestSide, isLabeled: isLabeled)
    let proofs = try proofs(plans.before, plans.after, in: layout, unless: cancellation)
    canvas = Canvas(width: layout.width, height: layout.height)
    canvas.draw(proofs.before, in: layout.before.picture)
    canvas.draw(proofs.after, in: layout.after.picture)
    guard isLabeled else { return }
    try canvas.write(before.label, in: layout.before.label, size: layout.textSize)
    try canvas.write(after.label, in: layout.after.label, size: layout.textSize)
  }

  /// Draws one picture of two parts, with a line between them.
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
    if column > 0, column < place.width { drawLine(at: place.left + column, in: place) }
    guard isLabeled else { return }
    try canvas.write(before.label, in: layout.before.label, size: layout.textSize, alignment: .left)
    try canvas.write(after.label, in: layout.after.label, size: layout.textSize, alignment: .right)
  }

  /// Draws a white line with dark edges, which is visible on every picture.
  private mutating func drawLine(at column: Int, in place: PictureFrame) {
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

/// The places of the two pictures of a comparison and of their labels.
struct ComparisonLayout: Sendable, Hashable {
  /// The size of the whole.
  let width, height: Int
  /// The size of the labels' font in pixels.
  let textSize: Int
  /// The two pictures with their labels.
  let before, after: Panel

  /// A picture with its label below.
  struct Panel: Sendable, Hashable {
    /// The size of the picture.
    var size: PixelSize
    /// The frame around the picture; a smaller picture lies in the middle of the frame.
    var picture: PictureFrame
    /// The frame of the label; it has no height when there are no labels.
    var label: PictureFrame
  }

  /// The width divided by the height that a comparison should come near to, as screens have it.
  private static let wantedAspect = 1.6

  /// - Parameters:
  ///   - arrangement: How the pictures are arranged; `.split` counts as `.automatic`.
  ///   - before: The size of the first picture at full size.
  ///   - after: The size of the second picture at full size.
  ///   - longestSide: The most pixels along the longer side of the whole.
  ///   - isLabeled: Whether there is room for labels.
  init(
    _ arrangement: ComparisonArrangement, before: PixelSize, after: PixelSize,
    longestSide: Int, isLabeled: Bool
  ) {
    let isStacked =
      switch arrangement {
      case .sideBySide: false
      case .stacked: true
      case .automatic, .split: Self.looksBetterStacked(before.aspect, after.aspect)
      }
    let natural =
      isStacked
      ? max(max(before.width, after.width), before.height + after.height)
      : max(before.width + after.width, max(before.height, after.height))
    textSize = Self.textSize(forSide: min(longestSide, natural))
    let gap = textSize / 2
    let labelHeight = isLabeled ? Lettering(size: textSize).lineHeight + gap : 0
    let room = Double(longestSide)
    let (first, second): (PixelSize, PixelSize)
    if isStacked {
      let free = room - Double(3 * gap + 2 * labelHeight)
      let width = max(
        min(room - Double(2 * gap), free / (1 / before.aspect + 1 / after.aspect)), 1)
      first = before.fitting(width: width, height: free)
      second = after.fitting(width: width, height: free)
    } else {
      let free = room - Double(3 * gap)
      let height = max(
        min(room - Double(2 * gap + labelHeight), free / (before.aspect + after.aspect)), 1)
      first = before.fitting(width: free, height: height)
      second = after.fitting(width: free, height: height)
    }
    // A frame narrower than this would cut the label.
    let least = min(12 * textSize, (longestSide - 3 * gap) / 2)
    if isStacked {
      let cell = max(first.width, second.width, least)
      width = cell + 2 * gap
      let top = gap + first.height + labelHeight + gap
      height = top + second.height + labelHeight + gap
      self.before = Panel(
        first, left: gap, top: gap, width: cell, height: first.height, labelHeight: labelHeight)
      self.after = Panel(
        second, left: gap, top: top, width: cell, height: second.height, labelHeight: labelHeight)
    } else {
      let cells = (max(first.width, least), max(second.width, least))
      let row = max(first.height, second.height)
      width = cells.0 + cells.1 + 3 * gap
      height = row + labelHeight + 2 * gap
      self.before = Panel(
        first, left: gap, top: gap, width: cells.0, height: row, labelHeight: labelHeight)
      self.after = Panel(
        second, left: 2 * gap + cells.0, top: gap, width: cells.1, height: row,
        labelHeight: labelHeight)
    }
  }

  /// The layout of one picture with both labels below it: the first label on the left, the second
  /// on the right.
  ///
  /// - Parameters:
  ///   - size: The size of the picture at full size.
  ///   - longestSide: The most pixels along the longer side of the whole.
  ///   - isLabeled: Whether there is room for labels.
  init(splitting size: PixelSize, longestSide: Int, isLabeled: Bool) {
    textSize = Self.textSize(forSide: min(longestSide, size.longestSide))
    let gap = textSize / 2
    let labelHeight = isLabeled ? Lettering(size: textSize).lineHeight + gap : 0
    let room = Double(longestSide)
    let picture = size.fitting(width: room, height: max(room - Double(labelHeight), 1))
    width = max(picture.width, isLabeled ? min(24 * textSize, longestSide) : 1)
    height = picture.height + labelHeight
    let frame = PictureFrame(left: 0, top: 0, width: width, height: picture.height)
    let label = PictureFrame(
      left: gap, top: picture.height, width: (width - 3 * gap) / 2, height: labelHeight)
    before = Panel(size: picture, picture: frame, label: label)
    after = Panel(
      size: picture, picture: frame,
      label: PictureFrame(
        left: width - gap - label.width, top: label.top, width: label.width, height: labelHeight))
  }

  /// Whether two pictures of these aspects, one above the other, come nearer to the wanted aspect
  /// than side by side.
  private static func looksBetterStacked(_ before: Double, _ after: Double) -> Bool {
    func distance(_ aspect: Double) -> Double { abs(log(aspect / wantedAspect)) }
    return distance(1 / (1 / before + 1 / after)) < distance(before + after)
  }

  /// The size of letters on a picture whose longer side has `side` pixels.
  private static func textSize(forSide side: Int) -> Int { min(max(side / 60, 12), 96) }
}

extension ComparisonLayout.Panel {
  fileprivate init(
    _ size: PixelSize, left: Int, top: Int, width: Int, height: Int, labelHeight: Int
  ) {
    self.size = size
    picture = PictureFrame(left: left, top: top, width: width, height: height)
    label = PictureFrame(left: left, top: top + height, width: width, height: labelHeight)
  }
}
