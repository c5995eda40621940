import SafelightVips

/// A finished picture in memory, to be laid on a canvas: 8-bit red, green and blue.
struct Proof: Sendable {
  let width: Int
  let height: Int
  /// `width × height × 3` codes.
  let pixels: [UInt8]
}

/// A photo decoded once, reduced, from which proofs of several edits are made.
struct ProofMaker {
  private let opened: OpenedPhoto
  private let photo: DecodedPhoto

  /// Decodes a photo upright, at the size in which the picture of a plan is wanted.
  init(_ opened: OpenedPhoto, for plan: RenderPlan, longestSide: Int) throws(RenderError) {
    self.opened = opened
    let upright = opened.uprightSize
    do {
      photo = try DecodedPhoto(
        opened,
        for: DecodedPhoto.Purpose(
          orientation: opened.orientation,
          scale: plan.scale(toFit: longestSide, width: upright.width, height: upright.height),
          inAnyOrder: true))
    } catch {
      throw RenderError(error, decoding: opened.format)
    }
  }

  /// The size of the picture of a plan.
  func size(of plan: RenderPlan) -> PixelDimensions {
    let size = plan.size(ofWidth: photo.image.width, height: photo.image.height, scale: photo.scale)
    return PixelDimensions(width: size.width, height: size.height)
  }

  /// Whether the photo's codes are those of sRGB, so that proofs need no conversion.
  var isInSRGB: Bool { if case .sRGB = photo.coding { true } else { false } }

  /// The profile of the proofs; `nil` when the photo has none.
  var profile: [UInt8]? { photo.outputProfile }

  /// What could not be kept of the photo.
  var warnings: [RenderWarning] { opened.warnings + photo.warnings }

  /// The picture of a plan.
  ///
  /// - Parameters:
  ///   - plan: What is done to the photo.
  ///   - isConverted: Whether the proof is in sRGB, whatever the photo's profile is.
  ///   - cancellation: Ends the work early.
  func proof(
    of plan: RenderPlan, inSRGB isConverted: Bool = false,
    unless cancellation: RenderCancellation?
  ) throws -> Proof {
    do {
      let photo = try photo.turned(plan.turn)
      // A canvas has red, green and blue; a photo that has them too keeps its own codes.
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
