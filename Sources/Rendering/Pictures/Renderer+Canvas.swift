import FoundationEssentials
import SafelightMetadata
import SafelightVips

extension Renderer {
  /// Throws when a picture of a size has no room in a format, or too many pixels to be put together.
  func checkRoom(
    for width: Int, _ height: Int, in format: RenderOutput.Format
  ) throws(RenderError) {
    let limit = format.largestSide
    guard max(width, height) <= limit else {
      throw .cannotEncode(
        detail: "\(format.rawValue) has room for \(limit) pixels along a side")
    }
    guard width <= PhotoSource.defaultPixelLimit / height else {
      throw .cannotEncode(detail: "\(width) × \(height) pixels are too many")
    }
  }

  /// Encodes a canvas. It carries none of the photo's metadata but its profile, and names the photo
  /// as what it derives from.
  func encode(
    _ canvas: Canvas, profile: [UInt8]?, as output: RenderOutput,
    derivedFrom original: OriginalReference, warnings: [RenderWarning],
    cancellation: RenderCancellation?, to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Report {
    try checkRoom(for: canvas.width, canvas.height, in: output.format)
    do {
      let encoder = RenderEncoder(
        output: output, metadata: CarriedMetadata(original: Data()), orientation: 1,
        profile: profile, original: original, isResized: true, cancellation: cancellation)
      _ = try encoder.encode(RenderedPicture(canvas.image()), to: sink)
    } catch let error as VipsError {
      if cancellation?.isCancelled == true { throw CancellationError() }
      throw RenderError.cannotEncode(detail: error.description)
    }
    return Report(
      pixelWidth: canvas.width, pixelHeight: canvas.height,
      warnings: warnings + Library.takeWarnings().map(RenderWarning.decoder))
  }
}
