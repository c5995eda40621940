import Adjustments
import Foundation
import Vips

/// Turns an original and an edit stack into an encoded picture.
///
/// Calls block until the picture is done and use every core through libvips. libvips reports
/// errors and warnings for the whole process, so details are exact only while one call runs.
public struct Renderer: Sendable {
  /// The revision of the pixels that this renderer makes, stored with each render. An edit whose
  /// render was made by another revision counts as stale.
  public static let version = "safelight-1"

  /// Makes a renderer; libvips starts with the first photo.
  public init() {}

  /// What rendering did besides writing bytes.
  public struct Report: Sendable, Hashable {
    /// Size of the render in pixels.
    public let pixelWidth, pixelHeight: Int
    /// What could not be kept.
    public let warnings: [RenderWarning]
  }

  /// Renders a photo with its edit and hands out the encoded bytes in order.
  ///
  /// - Parameters:
  ///   - source: The original, or the pixels that the edit starts from.
  ///   - stack: The edit; an empty one gives the photo's own pixels, upright.
  ///   - output: Format, quality and size.
  ///   - sink: Called with each run of bytes; what it throws ends the render and comes out here.
  /// - Throws: ``RenderError``, or what `sink` threw.
  public func render(
    _ source: PhotoSource, edit stack: EditStack, as output: RenderOutput = .standard,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Report {
    let plan = try RenderPlan(stack)
    _ = Library.takeWarnings()
    let opened = try OpenedPhoto(source)
    do {
      let photo = try DecodedPhoto(
        opened.image, orientation: opened.image.number("orientation") ?? 1, neutral: plan.isNeutral)
      let wide = photo.isWide && (output.format == .png || output.format == .tiff)
      var image = try plan.applied(to: photo, wide: wide)
      if let limit = output.longestSide, limit < max(image.width, image.height) {
        image = try image.resized(by: Double(limit) / Double(max(image.width, image.height)))
      }
      let target = try Target(sink)
      do {
        try image.writeJPEG(
          to: target, quality: output.quality, subsamplingChroma: output.subsamplesChroma)
      } catch {
        throw target.failure ?? error
      }
      return Report(
        pixelWidth: image.width, pixelHeight: image.height,
        warnings: photo.warnings + Library.takeWarnings().map(RenderWarning.decoder))
    } catch let error as VipsError {
      throw RenderError(error, decoding: opened.format)
    }
  }
}
