import FoundationEssentials
import SafelightCTurboJPEG
import SafelightMetadata
import SafelightVips

/// How a render is encoded.
///
/// ```swift
/// let thumbnails = RenderOutput(format: .webp, quality: 80, longestSide: 640)
/// ```
public struct RenderOutput: Sendable, Hashable, Codable {
  /// The file formats that renders come in.
  public enum Format: String, Sendable, Hashable, CaseIterable, Codable {
    /// JPEG, 8 bits a channel.
    case jpeg
    /// PNG, 8 or 16 bits a channel, without loss. Packed fast: zlib's usual level makes files of photos a tenth
    /// smaller and takes six times as long.
    case png
    /// TIFF with Deflate, 8 or 16 bits a channel, without loss.
    case tiff
    /// WebP, 8 bits a channel.
    case webp

    /// The most pixels along a side that the file format can hold.
    public var largestSide: Int {
      switch self {
      case .jpeg: 65_535
      case .webp: 16_383
      case .png, .tiff: Int(Int32.max)
      }
    }

    /// The usual ending of a file name, without the dot.
    public var fileExtension: String {
      switch self {
      case .jpeg: "jpg"
      case .png: "png"
      case .tiff: "tif"
      case .webp: "webp"
      }
    }
  }

  /// The file format. PNG and TIFF keep 16 bits when the photo has them; the others have 8.
  public var format: Format
  /// 1 to 100, for JPEG and WebP; 100 makes WebP lossless. Numbers outside become the nearest end.
  public var quality: Int {
    didSet { quality = Self.allowed(quality) }
  }
  /// Whether JPEG keeps color at half the resolution (4:2:0); otherwise at full resolution (4:4:4).
  public var subsamplesChroma: Bool
  /// The most pixels along the longer side; `nil` keeps the size. Smaller photos are not enlarged.
  public var longestSide: Int?

  /// The JPEG that is stored beside an original: quality 95, color at full resolution, full size.
  public static let standard = RenderOutput(format: .jpeg)

  private static func allowed(_ quality: Int) -> Int { min(max(quality, 1), 100) }

  /// Describes an output.
  public init(
    format: Format, quality: Int = 95, subsamplesChroma: Bool = false, longestSide: Int? = nil
  ) {
    self.format = format
    self.quality = Self.allowed(quality)
    self.subsamplesChroma = subsamplesChroma
    self.longestSide = longestSide
  }
}

/// Encodes finished pixels, with the metadata of the original adapted to the render.
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
  /// - Returns: Warnings about metadata of the original that the file does not carry.
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
    case .png: try encodePNG(picture, to: sink)
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
    _ picture: RenderedPicture, to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let blocks = blocks(for: picture.image)
    let encoder = PNGStripEncoder(
      picture.image,
      metadata: PNGChunk.metadata(profile: profile, exif: blocks.exif, xmp: blocks.xmp))
    try encoder.encode(picture, unless: cancellation, to: sink)
  }

  private func blocks(for image: Image) -> CarriedMetadata.Blocks {
    metadata.blocks(
      size: (image.width, image.height), baked: orientation, derivedFrom: original)
  }

  /// The image with the metadata that libvips writes.
  private func tagged(_ image: Image, with blocks: CarriedMetadata.Blocks) throws(VipsError)
    -> Image
  {
    try image.replacingAttachments([
      .profile: profile, .xmp: blocks.xmp, .iptc: blocks.iptc,
      .exif: output.format == .webp ? blocks.exif.map { Array("Exif\0\0".utf8) + $0 } : nil,
    ])
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

extension RenderOutput.Format {
  /// Whether the format keeps 16 bits a channel.
  var holdsSixteenBits: Bool { self == .png || self == .tiff }

  /// Whether the format's encoder works on strips, and keeps the rows around a strip. The others are
  /// libvips's, which read their pixels themselves, from top to bottom.
  var isEncodedInStrips: Bool { self == .jpeg || self == .png }
}

/// Encodes a JPEG in strips on several threads and joins them into one baseline file.
///
/// Each strip is encoded separately, and the file has a restart marker between two strips. At a
/// restart marker the format begins its predictions anew, so the joined scan is the one that a
/// single encoder would write with this restart interval (ITU-T T.81, E.1.4 and F.1.1.5). All
/// strips have the same quantization and Huffman tables: those of libjpeg for the quality.
struct JPEGStripEncoder: Sendable {
  /// The number of rows of a strip: whole blocks with and without color subsampling, and so few
  /// that a strip of the widest JPEG has less than 65,535 blocks, the limit of a restart interval.
  private static let rows = 64

  private let quality: Int32
  private let subsampling: TJSAMP
  private let pixelFormat: TJPF
  private let height: Int
  /// The number of blocks in a whole strip; with color subsampling, of groups of blocks.
  private let restartInterval: Int

  init(_ image: Image, quality: Int, subsamplesChroma: Bool) {
    self.quality = Int32(quality)
    let isGray = image.bands == 1
    subsampling = isGray ? TJSAMP_GRAY : subsamplesChroma ? TJSAMP_420 : TJSAMP_444
    pixelFormat = isGray ? TJPF_GRAY : TJPF_RGB
    height = image.height
    let block = !isGray && subsamplesChroma ? 16 : 8
    restartInterval = (image.width + block - 1) / block * (Self.rows / block)
  }

  /// Encodes a picture.
  ///
  /// - Parameter sink: Receives the bytes of the file in order. Its errors are thrown as they are.
  func encode(
    _ picture: RenderedPicture, unless cancellation: RenderCancellation?,
    to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let capacity = Int(
      tjBufSize(Int32(picture.image.width), Int32(Self.rows), Int32(subsampling.rawValue)))
    var strips = 0
    try picture.forEachStrip(rows: Self.rows, unless: cancellation) {
      let compressor = try Compressor(capacity: capacity)
      return { rows in try encoded(rows, by: compressor) }
    } deliver: { strip in
      if strips == 0 {
        try header(of: strip).withUnsafeBytes(sink)
      } else {
        try Self.marker(0xD0 + UInt8((strips - 1) % 8)).withUnsafeBytes(sink)
      }
      try strip.bytes[strip.scan].withUnsafeBytes(sink)
      strips += 1
    }
    try Self.marker(0xD9).withUnsafeBytes(sink)
  }

  private static func marker(_ code: UInt8) -> [UInt8] { [0xFF, code] }

  /// A strip as a JPEG of its own.
  private struct Strip: Sendable {
    let bytes: [UInt8]
    /// Where its frame header begins.
    let frame: Int
    /// Where its scan's header begins.
    let scanHeader: Int
    /// The entropy-coded bytes.
    let scan: Range<Int>
  }

  /// The state of libjpeg-turbo for one thread, and memory for the bytes of a strip.
  private final class Compressor {
    let handle: tjhandle
    let room: UnsafeMutableBufferPointer<UInt8>

    init(capacity: Int) throws(RenderError) {
      guard let handle = tjInitCompress() else {
        throw .cannotEncode(detail: "the JPEG encoder did not start")
      }
      self.handle = handle
      room = .allocate(capacity: capacity)
    }

    deinit {
      tjDestroy(handle)
      room.deallocate()
    }
  }

  private func encoded(_ rows: PixelRows, by compressor: Compressor) throws -> Strip {
    var memory = compressor.room.baseAddress
    var size = UInt(compressor.room.count)
    let result = tjCompress2(
      compressor.handle, rows.start.assumingMemoryBound(to: UInt8.self), Int32(rows.width),
      Int32(rows.stride), Int32(rows.count), pixelFormat.rawValue, &memory, &size,
      Int32(subsampling.rawValue), quality, TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT)
    guard result == 0 else {
      let detail = tjGetErrorStr2(compressor.handle).map { String(cString: $0) }
      throw RenderError.cannotEncode(detail: detail ?? "the JPEG encoder gave no reason")
    }
    return try strip(Array(compressor.room[..<Int(size)]))
  }

  /// Finds the parts of a strip's JPEG.
  private func strip(_ bytes: [UInt8]) throws -> Strip {
    var frame = 0
    var offset = 2
    while offset + 4 <= bytes.count, bytes[offset] == 0xFF {
      let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
      switch bytes[offset + 1] {
      case 0xC0: frame = offset
      case 0xDA:
        return Strip(
          bytes: bytes, frame: frame, scanHeader: offset,
          scan: (offset + 2 + length)..<(bytes.count - 2))
      default: break
      }
      offset += 2 + length
    }
    throw RenderError.cannotEncode(detail: "the JPEG encoder wrote no scan")
  }

  /// The header of the first strip, changed to the header of the whole picture.
  private func header(of strip: Strip) -> [UInt8] {
    var header = Array(strip.bytes[..<strip.scanHeader])
    header[strip.frame + 5] = UInt8(height >> 8)
    header[strip.frame + 6] = UInt8(height & 0xFF)
    let interval = [UInt8(restartInterval >> 8), UInt8(restartInterval & 0xFF)]
    return header + [0xFF, 0xDD, 0, 4] + interval
      + strip.bytes[strip.scanHeader..<strip.scan.lowerBound]
  }
}
