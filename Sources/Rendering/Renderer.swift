import FoundationEssentials
import SafelightAdjustments
import SafelightMetadata
import SafelightVips

/// Turns an original and an edit stack into an encoded picture.
///
/// Calls block until the picture is done and use every core through libvips. libvips reports
/// errors and warnings for the whole process, so details are exact only while one call runs.
public struct Renderer: Sendable {
  /// The revision of the pixels that this renderer makes, stored with each render. An edit whose
  /// render was made by another revision counts as stale.
  public static let version = "safelight-2"

  /// The version of libvips, such as `8.14.1`.
  public static var libraryVersion: String { Library.version }

  /// Makes a renderer; libvips starts with the first photo.
  public init() {}

  /// What rendering did besides writing bytes.
  public struct Report: Sendable, Hashable {
    /// Pixels from left to right of the render.
    public let pixelWidth: Int
    /// Pixels from top to bottom of the render.
    public let pixelHeight: Int
    /// What could not be kept.
    public let warnings: [RenderWarning]
  }

  /// Renders a photo with its edit and hands out the encoded bytes in order.
  ///
  /// - Parameters:
  ///   - source: The original, or the pixels that the edit starts from.
  ///   - stack: The edit; an empty one gives the photo's own pixels, upright.
  ///   - output: Format, quality and size.
  ///   - original: What the render's metadata names as the picture it derives from.
  ///   - cancellation: Ends the render early when it is cancelled from another thread.
  ///   - sink: Called with each run of bytes; what it throws ends the render and comes out here.
  /// - Throws: ``RenderError``, `CancellationError`, or what `sink` threw.
  public func render(
    _ source: PhotoSource, edit stack: EditStack, as output: RenderOutput = .standard,
    derivedFrom original: OriginalReference, cancellation: RenderCancellation? = nil,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Report {
    let plan = try RenderPlan(stack)
    _ = Library.takeWarnings()
    let report = try draw(
      source, plan, as: output, derivedFrom: original, cancellation: cancellation, to: sink)
    // A decoder says what it thinks of a file when its image goes, which is by now.
    return Report(
      pixelWidth: report.pixelWidth, pixelHeight: report.pixelHeight,
      warnings: stack.renderWarnings + report.warnings
        + Library.takeWarnings().map(RenderWarning.decoder))
  }

  private func draw(
    _ source: PhotoSource, _ plan: RenderPlan, as output: RenderOutput,
    derivedFrom original: OriginalReference, cancellation: RenderCancellation?,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Report {
    let opened = try OpenedPhoto(source)
    do {
      let orientation = opened.orientation.followed(by: plan.turn)
      let upright = opened.uprightSize
      let scale = output.longestSide.map {
        plan.scale(toFit: $0, width: upright.width, height: upright.height)
      }
      let photo = try DecodedPhoto(
        opened,
        for: DecodedPhoto.Purpose(
          isNeutral: plan.isNeutral, orientation: orientation, scale: scale ?? 1,
          inAnyOrder: plan.needsAnyOrder(as: output.format)))
      let picture = try plan.picture(of: photo, opened, as: output.format)
      let image = picture.image
      let limit = output.format.largestSide
      guard max(image.width, image.height) <= limit else {
        throw RenderError.cannotEncode(
          detail: "\(output.format.rawValue) has room for \(limit) pixels along a side")
      }
      try cancellation?.watch(image)
      defer { cancellation?.watchNothing() }
      let encoder = RenderEncoder(
        output: output, metadata: opened.metadata, orientation: orientation.exif,
        profile: plan.isNeutral ? photo.ownProfile : photo.outputProfile, original: original,
        isResized: photo.isReduced, cancellation: cancellation)
      let warnings = try encoder.encode(picture, to: sink)
      return Report(
        pixelWidth: image.width, pixelHeight: image.height,
        warnings: opened.warnings + photo.warnings + warnings)
    } catch let error as VipsError {
      if cancellation?.isCancelled == true { throw CancellationError() }
      throw RenderError(error, decoding: opened.format)
    }
  }

  /// Width and height of the render of an edit at full size, from the photo's header alone.
  ///
  /// - Throws: ``RenderError`` when the file is no photo that Safelight edits, or the edit has an
  ///   adjustment that this version does not know.
  public func size(of source: PhotoSource, edit stack: EditStack) throws(RenderError) -> (
    width: Int, height: Int
  ) {
    let plan = try RenderPlan(stack)
    let upright = try OpenedPhoto(source).uprightSize
    return plan.size(ofWidth: upright.width, height: upright.height)
  }

  /// Decodes every pixel of a JPEG that another program rendered, and gives its size.
  ///
  /// - Throws: ``RenderError`` when it is no JPEG, does not decode to the end, or its orientation
  ///   tag is not 1.
  public func checkRender(_ source: PhotoSource) throws(RenderError) -> (width: Int, height: Int) {
    let opened = try OpenedPhoto(source)
    guard opened.format == .jpeg else {
      throw .unsupportedFormat(opened.format.title, reason: "and a render must be a JPEG")
    }
    let tag = opened.metadata.exif?.orientation ?? 1
    guard tag == 1 else { throw .notUpright(orientation: tag) }
    do {
      _ = try opened.image.average()
    } catch {
      throw RenderError(error, decoding: .jpeg)
    }
    return (opened.image.width, opened.image.height)
  }
}

extension EditStack {
  /// Warnings for fields that are kept but cannot be used.
  fileprivate var renderWarnings: [RenderWarning] {
    entries.withSteps.filter { !$0.unknownFields.isEmpty }.map {
      .unknownFields(id: $0.id, names: $0.unknownFields)
    }
  }
}
