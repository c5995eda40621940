import FoundationEssentials
import SafelightMetadata
import SafelightVips

/// Encodes finished pixels, with the metadata of the original adapted to the render.
struct RenderEncoder {
  var output: RenderOutput
  let metadata: CarriedMetadata
  /// The orientation that was applied to the pixels.
  let orientation: Int
  /// Where places of the original are in the render; nil when its metadata name none.
  var places: MetadataPlaces?
  /// The profile of the pixels.
  let profile: [UInt8]?
  let original: OriginalReference
  let isResized: Bool
  /// How the original was encoded; `nil` when it is no JPEG.
  let coding: JPEGCoding?
  let cancellation: RenderCancellation?
  /// The gain map of a JPEG.
  var gainMap: AttachedGainMap?
  /// Makes the gain map once the picture is encoded, where it needs pixels that pass then; `nil` when it is there before.
  var gainMapAfterwards: (() throws -> AttachedGainMap?)?

  /// Encodes a picture.
  ///
  /// - Returns: Warnings about metadata of the original that the file does not carry.
  func encode(
    _ picture: RenderedPicture, to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> [RenderWarning] {
    let image = picture.image
    guard output.format != .jpeg else {
      if let gainMapAfterwards {
        return try encodeJPEG(picture, before: gainMapAfterwards, to: sink)
      }
      let header = jpegHeader(of: image.size)
      try encodeJPEG(picture, behind: header, to: sink)
      return header.warnings.map(RenderWarning.init)
    }
    let blocks = blocks(for: image)
    var warnings = blocks.warnings
    switch output.format {
    case .jpeg: break
    case .png: try encodePNG(picture, with: blocks, to: sink)
    case .tiff:
      let tagged = try image.replacingAttachments([
        .profile: profile, .xmp: nil, .iptc: nil, .exif: nil,
      ])
      try withTarget(sink) { target throws(VipsError) in
        try tagged.writeTIFF(to: target) { file in
          let splicer = TIFFSplicer(file, blocks)
          if let splicer {
            if splicer.movesMakerNote { warnings.append(.makerNoteMoved) }
            if !splicer.dropped.isEmpty { warnings.append(.exifTagsNotCarried(splicer.dropped)) }
          } else {
            warnings.append(.tiffFull)
          }
          return splicer.map {
            Image.Completion(replacing: $0.beginning, kept: file.count, end: $0.end)
          }
        }
      }
    case .webp:
      // The packet has the encoder write a first chunk in which the metadata can be said.
      let tagged = try image.replacingAttachments([
        .profile: profile, .xmp: blocks.xmp, .iptc: nil, .exif: nil,
      ])
      try withTarget(sink) { target throws(VipsError) in
        try tagged.writeWebP(to: target, quality: output.quality) { file in
          WebPSplicer(file, blocks).map {
            Image.Completion(replacing: $0.beginning, kept: $0.kept, end: $0.end)
          }
        }
      }
    case .avif: try encodeAVIF(image, with: blocks, &warnings, to: sink)
    case .jxl: try encodeJPEGXL(image, with: blocks, &warnings, to: sink)
    }
    return warnings.map(RenderWarning.init)
  }

  /// The segments before the tables of a JPEG.
  private func jpegHeader(of size: PixelSize) -> CarriedHeader {
    metadata.header(
      size: (size.width, size.height), baked: orientation, profile: profile.map { Data($0) },
      colors: colors, resolution: resolution, derivedFrom: original, moving: places,
      with: gainMap)
  }

  /// Gives a JPEG that is encoded already its metadata.
  ///
  /// - Returns: Warnings about metadata of the original that the file does not carry; `nil` when the file would have more
  ///   bytes than the output allows, and nothing was written.
  func write(
    _ jpeg: UnsafeRawBufferPointer, ofSize size: PixelSize,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> [RenderWarning]? {
    let header = jpegHeader(of: size)
    let count =
      header.bytes.count + jpeg.count + header.further.reduce(0) { $0 + $1.count }
      + header.trailer.count
    guard count <= output.mostBytes?.bytes ?? .max else { return nil }
    var splicer = JPEGSplicer(
      header: header.bytes, further: header.further, trailer: header.trailer, sink: sink)
    try splicer.write(jpeg)
    try splicer.finish()
    return header.warnings.map(RenderWarning.init)
  }

  private func encodeAVIF(
    _ image: Image, with blocks: CarriedMetadata.Blocks, _ warnings: inout [MetadataWarning],
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    // The packet has the encoder make an item, which the metadata take.
    let tagged = try image.replacingAttachments([
      .profile: profile, .xmp: Array("<x/>".utf8), .iptc: nil, .exif: nil,
    ])
    var isSpliced = true
    try withTarget(sink) { target throws(VipsError) in
      try tagged.writeAVIF(
        to: target, quality: output.quality, depth: image.sampleFormat == .uint16 ? 12 : 8,
        halvesColor: output.chroma == .quarter, effort: output.effort
      ) { file in
        let splicer = AVIFSplicer(file, blocks)
        isSpliced = splicer != nil
        return splicer.map {
          Image.Completion(replacing: $0.beginning, kept: file.count, end: $0.end)
        }
      }
    }
    if !isSpliced { warnings.append(.noneCarried) }
  }

  private func encodeJPEGXL(
    _ image: Image, with blocks: CarriedMetadata.Blocks, _ warnings: inout [MetadataWarning],
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let tagged = try image.replacingAttachments([
      .profile: profile, .xmp: nil, .iptc: nil, .exif: nil,
    ])
    var isSpliced = true
    try withTarget(sink) { target throws(VipsError) in
      try tagged.writeJPEGXL(to: target, quality: output.quality, effort: output.effort) { file in
        let splicer = JPEGXLSplicer(file, blocks)
        isSpliced = splicer != nil
        return splicer.map {
          Image.Completion(beginning: $0.beginning, middle: $0.kept, end: [])
        }
      }
    }
    if !isSpliced { warnings.append(.noneCarried) }
  }

  /// The pixels per inch that are asked for, or of a picture that was made smaller; `nil` keeps what the original says.
  private var resolution: Double? {
    output.resolution ?? (isResized && output.metadata.keepsOthers ? 72 : nil)
  }

  /// What the metadata must say of the colors.
  private var colors: ExifColors? { ExifColors(profile) }

  /// Encodes a picture with the best quality, at most the output's, whose file has at most so many bytes.
  ///
  /// - Parameter picture: A picture that can be computed several times.
  /// - Throws: ``RenderError/tooManyBytes(limit:)`` when no quality is low enough.
  func encode(
    _ picture: RenderedPicture, within limit: Int,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> [RenderWarning] {
    struct TooLarge: Error {}
    var found: (bytes: Data, warnings: [RenderWarning])?
    var (low, high) = (1, output.quality)
    // The quality that was asked for may do.
    var quality = high
    while low <= high {
      var encoder = self
      encoder.output.quality = quality
      let bytes = BoundedBytes(limit: limit)
      do {
        let warnings = try encoder.encode(picture) { run in
          guard bytes.append(run) else { throw TooLarge() }
        }
        found = (bytes.data, warnings)
        low = quality + 1
      } catch is TooLarge {
        high = quality - 1
      }
      quality = (low + high + 1) / 2
    }
    guard let found else {
      throw RenderError.tooManyBytes(limit: limit)
    }
    try found.bytes.withUnsafeBytes(sink)
    return found.warnings
  }

  private func encodeJPEG(
    _ picture: RenderedPicture, behind header: CarriedHeader,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var splicer = try splicer(of: picture, behind: header, to: sink)
    try encodeStrips(of: picture) { bytes in try splicer.write(bytes) }
    try splicer.finish()
  }

  /// Encodes a picture in memory, since its header tells of the gain map that is made afterwards.
  private func encodeJPEG(
    _ picture: RenderedPicture, before makeGainMap: () throws -> AttachedGainMap?,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> [RenderWarning] {
    var coded: [UInt8] = []
    coded.reserveCapacity(picture.image.width * picture.image.height / 2)
    try encodeStrips(of: picture) { bytes in coded += bytes }
    var encoder = self
    (encoder.gainMap, encoder.gainMapAfterwards) = (try makeGainMap(), nil)
    let header = encoder.jpegHeader(of: picture.image.size)
    var splicer = try encoder.splicer(of: picture, behind: header, to: sink)
    try coded.withUnsafeBytes { try splicer.write($0) }
    try splicer.finish()
    return header.warnings.map(RenderWarning.init)
  }

  private func splicer(
    of picture: RenderedPicture, behind header: CarriedHeader,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> JPEGSplicer {
    JPEGSplicer(
      header: header.bytes, further: header.further + (try further(picture.picture)),
      trailer: header.trailer, sink: sink)
  }

  private func encodeStrips(
    of picture: RenderedPicture, to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let (quality, chroma) = settings(for: picture)
    let encoder = JPEGStripEncoder(picture.image, quality: quality, chroma: chroma)
    try encoder.encode(picture, unless: cancellation, to: sink)
  }

  /// The planes beside the color as JPEGs of their own, which stand behind that of the color.
  private func further(_ picture: Picture) throws -> [Data] {
    try picture.others.sorted { $0.key.name < $1.key.name }.map { other in
      var bytes = Data()
      try JPEGStripEncoder(other.value, quality: output.quality, chroma: .full).encode(
        RenderedPicture(other.value), unless: cancellation
      ) { bytes.append(contentsOf: $0) }
      return bytes
    }
  }

  /// The quality of a JPEG and its resolution for color.
  private func settings(for picture: RenderedPicture) -> (quality: Int, chroma: ChromaSampling) {
    var quality = output.quality
    var chroma = output.chroma.sampling
    if let coding, output.following != .nothing {
      if output.following == .qualityAndChroma {
        let bounds = JPEGCoding.qualities
        quality = min(max(coding.quality, bounds.lowerBound), bounds.upperBound)
      }
      // A picture that was made smaller has color for each of its pixels.
      if !isResized {
        let turned = Orientation(exif: orientation).swapsSides
        chroma = picture.makesColorEdges ? .full : turned ? coding.chroma.turned : coding.chroma
      }
    }
    return (quality, picture.isGray && output.following != .nothing ? .none : chroma)
  }

  private func encodePNG(
    _ picture: RenderedPicture, with blocks: CarriedMetadata.Blocks,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let encoder = PNGStripEncoder(
      picture.image,
      metadata: PNGChunk.metadata(
        profile: profile, exif: blocks.exif, xmp: blocks.xmp, further: blocks.chunks))
    try encoder.encode(picture, unless: cancellation, to: sink)
  }

  private func blocks(for image: Image) -> CarriedMetadata.Blocks {
    metadata.blocks(
      for: output.format.file.photo, size: (image.width, image.height), baked: orientation,
      colors: colors, resolution: resolution, derivedFrom: original,
      moving: places)
  }

  /// Runs an encoder. When the sink throws, that error is thrown instead of the error of libvips.
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
    // Some encoders do not report that the end of the file could not be written.
    if let failure = target.failure { throw failure }
  }
}

/// Bytes in memory, up to a limit.
private final class BoundedBytes {
  private(set) var data = Data()
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Adds bytes; false when they are too many.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard data.count + bytes.count <= limit else { return false }
    data.append(contentsOf: bytes)
    return true
  }
}

extension ExifColors {
  /// The colors of a profile; `nil` without one.
  init?(_ profile: [UInt8]?) {
    guard let profile else { return nil }
    self =
      ColorProfile.isSRGB(profile) ? .sRGB : ColorProfile.isAdobeRGB(profile) ? .adobeRGB : .other
  }
}
