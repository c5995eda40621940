import Adjustments
import Vips

/// What has to be done to a decoded, upright photo, compiled from its edit stack.
///
/// Neighbouring colour steps are fused into one ``ColourPass`` each; a stage that needs
/// neighbours or moves pixels ends a run. An empty plan gives back the photo's own pixels.
struct RenderPlan: Sendable {
  /// One pass over the picture.
  enum Stage: Sendable {
    /// Steps that look at one pixel at a time, applied together.
    case colour([any ColourStep])
  }

  let stages: [Stage]

  /// Compiles a stack in pipeline order.
  ///
  /// - Throws: ``RenderError/unknownAdjustment(id:version:)`` for an adjustment of a newer
  ///   program: leaving it out would show a picture that the edit does not describe;
  ///   ``RenderError/damagedLookupTable(title:detail:)``.
  init(_ stack: EditStack) throws(RenderError) {
    if let unknown = stack.unknownEntries.first {
      throw .unknownAdjustment(id: unknown.id, version: unknown.version)
    }
    var stages: [Stage] = []
    for entry in stack.inPipelineOrder {
      guard let renderable = entry.adjustment as? any ColourRenderable else {
        throw .unknownAdjustment(id: entry.id, version: entry.version)
      }
      guard let step = try renderable.colourStep() else { continue }
      if case .colour(let steps) = stages.last {
        stages[stages.count - 1] = .colour(steps + [step])
      } else {
        stages.append(.colour([step]))
      }
    }
    self.stages = stages
  }

  /// Whether the plan leaves every pixel as it is.
  var isNeutral: Bool { stages.isEmpty }

  /// The photo with every stage laid over it.
  ///
  /// - Parameter wide: Whether the result has 16 bits a channel; otherwise 8.
  func applied(to photo: DecodedPhoto, wide: Bool) throws(VipsError) -> Image {
    var image = photo.image
    var coding = photo.coding
    for stage in stages {
      switch stage {
      case .colour(let steps):
        image = try ColourPass(steps, from: coding, to: photo.outputCoding)
          .applied(to: image, wide: wide)
        coding = photo.outputCoding
      }
    }
    guard photo.isWide, !wide, isNeutral else { return image }
    return try image.roundedToEightBits()
  }
}
