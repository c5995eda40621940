import SafelightAdjustments
import SafelightVips

extension Renderer {
  /// Makes a picture of a photo with an edit for the screen: upright, in sRGB, on white where it is
  /// transparent.
  ///
  /// Blocks until it is done. A JPEG's decoder makes halves, quarters and eighths by itself, so that
  /// small pictures cost little more than reading the file. May be called by several threads; what
  /// libvips says of a damaged file may then be of another's.
  /// - Parameters:
  ///   - source: The original, or the pixels that the edit starts from.
  ///   - stack: The edit.
  ///   - cancellation: Ends the work early when it is cancelled from another thread.
  ///   - layout: What to show of a picture of this width and height.
  /// - Throws: ``RenderError``, `CancellationError`.
  package func displayPixels(
    of source: PhotoSource, edit stack: EditStack, cancellation: RenderCancellation? = nil,
    layout: (_ width: Int, _ height: Int) -> DisplayLayout
  ) throws -> DisplayPixels {
    let plan = try RenderPlan(stack)
    let opened = try OpenedPhoto(source)
    let upright = opened.uprightSize
    let whole = plan.size(ofWidth: upright.width, height: upright.height)
    let layout = layout(whole.width, whole.height)
    if let size = layout.size {
      guard size.width <= source.pixelLimit / max(size.height, 1) else {
        throw RenderError.tooManyPixels(
          width: size.width, height: size.height, limit: source.pixelLimit)
      }
    }
    if cancellation?.isCancelled == true { throw CancellationError() }
    let maker = try ProofMaker(
      opened, for: plan, longestSide: layout.longestSide ?? max(whole.width, whole.height))
    let proof = try maker.proof(of: plan, inSRGB: !maker.isInSRGB, unless: cancellation)
    do {
      return try proof.arranged(by: layout)
    } catch {
      throw RenderError(error, decoding: opened.format)
    }
  }
}

extension Proof {
  fileprivate func arranged(by layout: DisplayLayout) throws(VipsError) -> DisplayPixels {
    let frame = layout.frame(width: width, height: height)
    let size = layout.size ?? (width: frame.width, height: frame.height)
    if (frame.width, frame.height) == (width, height), size == (width, height) {
      return DisplayPixels(width: width, height: height, bytes: pixels)
    }
    var image = try Image.fromMemory(pixels, width: width, height: height, bands: 3, format: .uint8)
    image = try image.part(
      left: frame.left, top: frame.top, width: frame.width, height: frame.height)
    if size != (frame.width, frame.height) {
      image = try image.resized(width: size.width, height: size.height)
    }
    return DisplayPixels(width: image.width, height: image.height, bytes: try image.pixelBytes())
  }
}
