import Adjustments
import Vips

/// What has to be done to a decoded, upright photo, compiled from its edit stack.
///
/// Neighbouring colour adjustments are fused into one ``ColourPass``; an adjustment that needs
/// neighbours or moves pixels ends a run. An empty plan gives back the photo's own pixels.
struct RenderPlan: Sendable {
  private let adjustments: [any ColourRenderable]

  /// Compiles a stack in pipeline order.
  ///
  /// - Throws: ``RenderError/unknownAdjustment(id:version:)`` for an adjustment of a newer
  ///   program: leaving it out would show a picture that the edit does not describe.
  init(_ stack: EditStack) throws(RenderError) {
    if let unknown = stack.unknownEntries.first {
      throw .unknownAdjustment(id: unknown.id, version: unknown.version)
    }
    var adjustments: [any ColourRenderable] = []
    for entry in stack.inPipelineOrder {
      guard let renderable = entry.adjustment as? any ColourRenderable else {
        throw .unknownAdjustment(id: entry.id, version: entry.version)
      }
      adjustments.append(renderable)
    }
    let context = StepContext(width: 1, height: 1, scale: 1)
    self.adjustments = adjustments.filter { !$0.colourSteps(in: context).isEmpty }
  }

  /// Whether the plan leaves every pixel as it is.
  var isNeutral: Bool { adjustments.isEmpty }

  /// The photo with every stage laid over it, to be written in a format.
  func applied(to photo: DecodedPhoto, as format: RenderOutput.Format) throws(VipsError)
    -> RenderedPicture
  {
    // Encoders other than JPEG's take their pixels by themselves, from top to bottom.
    let rows = photo.isInMemory || format != .jpeg ? nil : RowStore(photo.image)
    let image = try rows?.image() ?? photo.image
    return RenderedPicture(
      try finished(image, of: photo, wide: photo.isWide && format.holdsSixteenBits), rows: rows,
      reach: 0, top: 0)
  }

  private func finished(_ image: Image, of photo: DecodedPhoto, wide: Bool) throws(VipsError)
    -> Image
  {
    guard !isNeutral else { return photo.isWide && !wide ? try image.roundedToEightBits() : image }
    let context = StepContext(
      width: photo.image.width, height: photo.image.height, scale: photo.scale)
    let steps = adjustments.flatMap { $0.colourSteps(in: context) }
    return try ColourPass(
      steps, from: .codes(photo.coding, isWide: photo.isWide),
      to: .codes(photo.outputCoding, isWide: wide)
    ).applied(to: image)
  }
}
