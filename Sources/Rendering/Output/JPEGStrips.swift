import SafelightCTurboJPEG
import SafelightColorKernels
import SafelightVips

/// Encodes a JPEG in strips on several threads and joins them into one baseline file.
///
/// Each strip is encoded separately, and the file has a restart marker between two strips. At a
/// restart marker the format begins its predictions anew, so the joined scan is the one that a
/// single encoder would write with this restart interval (ITU-T T.81, E.1.4 and F.1.1.5). All
/// strips have the same quantization and Huffman tables: those of libjpeg for the quality. Huffman
/// tables made for the picture would need a second walk over all of it: photos are 1 to 2 % smaller
/// with them, and encoding takes twice as long.
struct JPEGStripEncoder: Sendable {
  /// The number of rows of a strip: whole blocks with and without color subsampling, and so few
  /// that a strip of the widest JPEG has less than 65,535 blocks, the limit of a restart interval.
  private static let rows = 64

  private let quality: Int32
  private let chroma: ChromaSampling
  private let subsampling: TJSAMP
  private let pixelFormat: TJPF
  private let height: Int
  /// The number of blocks in a whole strip; with color subsampling, of groups of blocks.
  private let restartInterval: Int

  /// - Parameters:
  ///   - image: 8-bit pixels of three bands, or of one, which make a JPEG of one component.
  ///   - chroma: The resolution of color. With `none` the channels of each pixel must be equal.
  init(_ image: Image, quality: Int, chroma: ChromaSampling) {
    self.quality = Int32(quality)
    let isSingle = image.bands == 1
    self.chroma = isSingle ? .full : chroma
    subsampling = isSingle ? TJSAMP_GRAY : chroma.subsampling
    pixelFormat = isSingle ? TJPF_GRAY : TJPF_RGB
    height = image.height
    let unit = self.chroma.unit
    restartInterval = (image.width + unit.width - 1) / unit.width * (Self.rows / unit.height)
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
      let compressor = try Compressor(
        capacity: capacity,
        grayWidth: chroma == .none ? (picture.image.width + 1) / 2 * 2 : 0, rows: Self.rows)
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
    /// The light of a strip of gray, then half a plane without color.
    let planes: UnsafeMutableBufferPointer<UInt8>

    /// - Parameter grayWidth: An even number of pixels along a row of gray; 0 for strips of color.
    init(capacity: Int, grayWidth: Int, rows: Int) throws(RenderError) {
      guard let handle = tjInitCompress() else {
        throw .cannotEncode(detail: "the JPEG encoder did not start")
      }
      self.handle = handle
      room = .allocate(capacity: capacity)
      planes = .allocate(capacity: grayWidth * rows * 3 / 2)
      planes.initialize(repeating: 128)
    }

    deinit {
      tjDestroy(handle)
      room.deallocate()
      planes.deallocate()
    }
  }

  private func encoded(_ rows: PixelRows, by compressor: Compressor) throws -> Strip {
    var memory = compressor.room.baseAddress
    var size = UInt(compressor.room.count)
    let flags = TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT
    let result =
      if chroma == .none {
        withGrayPlanes(of: rows, in: compressor.planes) { planes, widths in
          tjCompressFromYUVPlanes(
            compressor.handle, planes, Int32(rows.width), widths, Int32(rows.count),
            Int32(subsampling.rawValue), &memory, &size, quality, flags)
        }
      } else {
        tjCompress2(
          compressor.handle, rows.start.assumingMemoryBound(to: UInt8.self), Int32(rows.width),
          Int32(rows.stride), Int32(rows.count), pixelFormat.rawValue, &memory, &size,
          Int32(subsampling.rawValue), quality, flags)
      }
    guard result == 0 else {
      let detail = tjGetErrorStr2(compressor.handle).map { String(cString: $0) }
      throw RenderError.cannotEncode(detail: detail ?? "the JPEG encoder gave no reason")
    }
    return try strip(Array(compressor.room[..<Int(size)]))
  }

  /// Calls `body` with planes of light and of no color, and the lengths of their rows. Equal channels
  /// are the light of a pixel to the last bit (Rec. ITU-T T.871, clause 7).
  private func withGrayPlanes(
    of rows: PixelRows, in memory: UnsafeMutableBufferPointer<UInt8>,
    _ body: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, UnsafePointer<Int32>) -> Int32
  ) -> Int32 {
    let light = memory.baseAddress!
    let width = (rows.width + 1) / 2 * 2
    let height = (rows.count + 1) / 2 * 2
    for y in 0..<height {
      let row = rows.start + min(y, rows.count - 1) * rows.stride
      let line = light + y * width
      kernels.take_first(row.assumingMemoryBound(to: UInt8.self), line, Int32(rows.width))
      line[width - 1] = row.load(fromByteOffset: 3 * (rows.width - 1), as: UInt8.self)
    }
    let color = UnsafePointer(light + width * Self.rows)
    let half = Int32(width / 2)
    return withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>?.self, capacity: 3) { planes in
      _ = planes.initialize(from: [UnsafePointer(light), color, color])
      return body(planes.baseAddress!, [Int32(width), half, half])
    }
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
