import SafelightCTurboJPEG
import SafelightVips

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
