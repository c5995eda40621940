import SafelightVips

/// A finished picture in memory, for a canvas or the screen: 8-bit red, green and blue.
struct Proof: Sendable {
  let width: Int
  let height: Int
  /// `width × height × 3` codes.
  let pixels: [UInt8]
}

/// A photo that was decoded once at a reduced size, for proofs of several edits.
struct ProofMaker {
  private let opened: OpenedPhoto
  private let photo: DecodedPhoto

  /// Decodes a photo upright, so large that the picture of `plan` has the wanted longer side.
  init(_ opened: OpenedPhoto, for plan: RenderPlan, longestSide: Int) throws(RenderError) {
    self.opened = opened
    do {
      photo = try DecodedPhoto(
        opened,
        for: DecodedPhoto.Purpose(
          orientation: opened.orientation,
          scale: plan.scale(of: opened.uprightSize, toFit: longestSide),
          inAnyOrder: true))
    } catch {
      throw RenderError(error, decoding: opened.format)
    }
  }

  /// The size of the picture of a plan.
  func size(of plan: RenderPlan) -> PixelSize {
    plan.size(of: photo.image.size, scale: photo.scale)
  }

  /// Whether the photo has the codes of sRGB, so that proofs need no conversion.
  var isInSRGB: Bool { if case .sRGB = photo.coding { true } else { false } }

  /// The profile of the proofs; `nil` when the photo has none.
  var profile: [UInt8]? { photo.outputProfile }

  /// What of the photo could not be kept.
  var warnings: [RenderWarning] { opened.warnings + photo.warnings }

  /// The picture of a plan.
  ///
  /// - Parameters:
  ///   - plan: The edit.
  ///   - isConverted: Whether the proof is in sRGB instead of the photo's profile.
  ///   - cancellation: Ends the work early.
  func proof(
    of plan: RenderPlan, inSRGB isConverted: Bool = false,
    unless cancellation: RenderCancellation?
  ) throws -> Proof {
    do {
      let photo = try photo.turned(plan.turn)
      // A canvas is in red, green and blue. An RGB photo keeps its own codes.
      let coding: PixelCoding? = isConverted || photo.image.bands == 1 ? .sRGB : nil
      let image = try plan.picture(of: photo, opened, as: .jpeg, in: coding).image
      try cancellation?.watch(image)
      defer { cancellation?.watchNothing() }
      return Proof(width: image.width, height: image.height, pixels: try image.pixelBytes())
    } catch let error as VipsError {
      if cancellation?.isCancelled == true { throw CancellationError() }
      throw RenderError(error, decoding: opened.format)
    }
  }
}
