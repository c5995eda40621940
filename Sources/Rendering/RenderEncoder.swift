import Foundation
import Metadata
import Vips

/// Encodes finished pixels with the metadata that the original's become.
struct RenderEncoder {
  let output: RenderOutput
  let metadata: CarriedMetadata
  /// The orientation that was applied to the pixels.
  let orientation: Int
  /// The profile of the pixels.
  let profile: [UInt8]?
  let original: OriginalReference
  let isResized: Bool

  /// Encodes an image.
  ///
  /// - Returns: What the file does not carry of the original's metadata.
  func encode(_ image: Image, to sink: @escaping (UnsafeRawBufferPointer) throws -> Void) throws
    -> [RenderWarning]
  {
    let header = metadata.header(
      size: (image.width, image.height), baked: orientation, profile: profile.map { Data($0) },
      resolution: isResized ? 72 : nil, derivedFrom: original)
    if output.format == .jpeg {
      try encodeJPEG(image, behind: header, to: sink)
    } else {
      try encodeOther(image, to: sink)
    }
    return header.warnings.map { .metadata($0.description) }
  }

  private func encodeJPEG(
    _ image: Image, behind header: CarriedHeader,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var splicer = JPEGSplicer(header: header.bytes, trailer: header.trailer, sink: sink)
    try withTarget { bytes in
      try splicer.write(bytes)
    } encode: { target throws(VipsError) in
      try image.writeJPEG(
        to: target, quality: output.quality, subsamplingChroma: output.subsamplesChroma)
    }
    try splicer.finish()
  }

  private func encodeOther(
    _ image: Image, to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let blocks = metadata.blocks(
      size: (image.width, image.height), baked: orientation, derivedFrom: original)
    let tagged = try image.replacingAttachments([
      .profile: profile, .exif: blocks.exif, .xmp: blocks.xmp, .iptc: blocks.iptc,
    ])
    try withTarget(sink) { target throws(VipsError) in
      switch output.format {
      case .png: try tagged.writePNG(to: target)
      case .tiff: try tagged.writeTIFF(to: target)
      case .webp, .jpeg: try tagged.writeWebP(to: target, quality: output.quality)
      }
    }
  }

  /// Runs an encoder; an error of the sink comes out as itself and not as libvips's.
  private func withTarget(
    _ sink: @escaping (UnsafeRawBufferPointer) throws -> Void,
    encode: (Target) throws(VipsError) -> Void
  ) throws {
    let target = try Target(sink)
    do {
      try encode(target)
    } catch {
      throw target.failure ?? error
    }
    // Not every encoder passes on that the end of its file could not be written.
    if let failure = target.failure { throw failure }
  }
}

extension RenderOutput.Format {
  /// Whether the format keeps 16 bits a channel.
  var holdsSixteenBits: Bool { self == .png || self == .tiff }
}
