import FoundationEssentials
import Metadata
import Vips

extension Renderer {
  /// Encodes a canvas. It carries none of the photo's metadata but its profile, and names the photo
  /// as what it derives from.
  func encode(
    _ canvas: Canvas, profile: [UInt8]?, as output: RenderOutput,
    derivedFrom original: OriginalReference, warnings: [RenderWarning],
    cancellation: RenderCancellation?, to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Report {
    let limit = output.format.largestSide
    guard max(canvas.width, canvas.height) <= limit else {
      throw RenderError.cannotEncode(
        detail: "\(output.format.rawValue) has room for \(limit) pixels along a side")
    }
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
