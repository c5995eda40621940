import FoundationEssentials
import SafelightMetadata
import SafelightVips

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
  let cancellation: RenderCancellation?

  /// Encodes a picture.
  ///
  /// - Returns: What the file does not carry of the original's metadata.
  func encode(
    _ picture: RenderedPicture, to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> [RenderWarning] {
    let image = picture.image
    let header = metadata.header(
      size: (image.width, image.height), baked: orientation, profile: profile.map { Data($0) },
      resolution: isResized ? 72 : nil, derivedFrom: original)
    var warnings = header.warnings.map { RenderWarning.metadata($0.description) }
    switch output.format {
    case .jpeg: try encodeJPEG(picture, behind: header, to: sink)
    case .png: try encodePNG(image, to: sink)
    case .tiff:
      if metadata.exif != nil { warnings.append(.metadata("A TIFF does not carry the Exif.")) }
      let tagged = try tagged(image, with: blocks(for: image))
      try withTarget(sink) { target throws(VipsError) in try tagged.writeTIFF(to: target) }
    case .webp:
      let tagged = try tagged(image, with: blocks(for: image))
      try withTarget(sink) { target throws(VipsError) in
        try tagged.writeWebP(to: target, quality: output.quality)
      }
    }
    return warnings
  }

  private func encodeJPEG(
    _ picture: RenderedPicture, behind header: CarriedHeader,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var splicer = JPEGSplicer(header: header.bytes, trailer: header.trailer, sink: sink)
    let encoder = JPEGStripEncoder(
      picture.image, quality: output.quality, subsamplesChroma: output.subsamplesChroma)
    try encoder.encode(picture, unless: cancellation) { bytes in try splicer.write(bytes) }
    try splicer.finish()
  }

  private func encodePNG(
    _ image: Image, to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let blocks = blocks(for: image)
    let tagged = try tagged(image, with: blocks)
    var splicer = PNGSplicer(exif: blocks.exif, sink: sink)
    try withTarget { bytes in
      try splicer.write(bytes)
    } encode: { target throws(VipsError) in
      try tagged.writePNG(to: target)
    }
  }

  private func blocks(for image: Image) -> CarriedMetadata.Blocks {
    metadata.blocks(
      size: (image.width, image.height), baked: orientation, derivedFrom: original)
  }

  /// The image with what its encoder writes itself; a PNG's Exif is put in beside it.
  private func tagged(_ image: Image, with blocks: CarriedMetadata.Blocks) throws(VipsError)
    -> Image
  {
    try image.replacingAttachments([
      .profile: profile, .xmp: blocks.xmp, .iptc: blocks.iptc,
      .exif: output.format == .webp ? blocks.exif.map { Array("Exif\0\0".utf8) + $0 } : nil,
    ])
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
