import FoundationEssentials
import SafelightFormats
import SafelightMetadata
import SafelightVips

/// Encodes a PNG in strips on several threads and joins them into one file.
///
/// Each strip is packed separately, and ends with a whole byte, so that the strips one after the
/// other are one zlib stream. The first row of a strip knows nothing above it. The filter of a row is
/// that of Sub, Up and Paeth whose bytes are nearest to 0, as the PNG specification recommends
/// (third edition, 12.7); None and Average rarely win on photos. zlib packs at level 2: on photos the
/// higher levels take twice the time for files a tenth smaller, and its usual level six times. Strips
/// of even areas, of drawings and screenshots, are packed at the usual level, which is fast there.
///
/// Photos of 16 bits become 16 bits, gray stays gray, and alpha is kept.
struct PNGStripEncoder: Sendable {
  private static let rows = 64
  private static let level = 2
  /// The level for strips of which more than three quarters are 0 after filtering.
  private static let evenLevel = 6

  private let width: Int
  private let height: Int
  private let bands: Int
  /// Bytes of a sample.
  private let depth: Int
  private let metadata: [UInt8]

  /// - Parameters:
  ///   - image: 1 to 4 bands of 8 or 16 bits: gray or RGB, with or without alpha.
  ///   - metadata: Chunks to write before the pixels.
  init(_ image: Image, metadata: [UInt8]) {
    (width, height, bands) = (image.width, image.height, image.bands)
    depth = image.sampleFormat == .uint16 ? 2 : 1
    self.metadata = metadata
  }

  private var bytesPerRow: Int { width * bands * depth }

  /// Encodes a picture.
  ///
  /// - Parameter sink: Receives the bytes of the file in order. Its errors are thrown as they are.
  func encode(
    _ picture: RenderedPicture, unless cancellation: RenderCancellation?,
    to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try header.withUnsafeBytes(sink)
    // Where rows are very long, a strip has fewer of them.
    let rows = max(1, min(Self.rows, (1 << 28) / bytesPerRow))
    var checksum: UInt32 = 1
    try picture.forEachStrip(rows: rows, unless: cancellation) {
      let packer = try Packer(rows: rows, bytesPerRow: bytesPerRow)
      return { rows in encoded(rows, by: packer) }
    } deliver: { strip in
      try strip.chunk.withUnsafeBytes(sink)
      checksum = ZlibPartPacker.checksum(checksum, then: strip.checksum, count: strip.count)
    }
    var end: [UInt8] = []
    end.append(uint32: Int(checksum))
    try (PNGChunk.bytes("IDAT", end) + PNGChunk.bytes("IEND", [])).withUnsafeBytes(sink)
  }

  /// Everything before the pixels.
  private var header: [UInt8] {
    var header: [UInt8] = []
    header.append(uint32: width)
    header.append(uint32: height)
    // Bits, color type, and the only methods of packing, filtering and interlacing.
    header += [UInt8(8 * depth), [0, 4, 2, 6][bands - 1], 0, 0, 0]
    return PNGChunk.signature + PNGChunk.bytes("IHDR", header) + metadata
  }

  /// A strip, packed.
  private struct Strip: Sendable {
    let chunk: [UInt8]
    /// The checksum and the number of the bytes before packing.
    let checksum: UInt32
    let count: Int
  }

  /// What one thread packs strips with.
  private final class Packer {
    private let zlib: ZlibPartPacker
    /// For even areas; made when there are some.
    private var evenZlib: ZlibPartPacker?
    /// The filtered rows of a strip, each with the number of its filter.
    let filtered: UnsafeMutableBufferPointer<UInt8>
    /// A row by three filters.
    let room: UnsafeMutablePointer<UInt8>
    /// Two rows in the file's order of bytes, for 16 bits.
    let swapped: UnsafeMutablePointer<UInt8>

    init(rows: Int, bytesPerRow: Int) throws(RenderError) {
      guard let zlib = ZlibPartPacker(level: PNGStripEncoder.level) else {
        throw .cannotEncode(detail: "the PNG encoder did not start")
      }
      self.zlib = zlib
      filtered = .allocate(capacity: rows * (bytesPerRow + 1))
      room = .allocate(capacity: 3 * bytesPerRow)
      swapped = .allocate(capacity: 2 * bytesPerRow)
    }

    /// What packs filtered rows best in little time.
    func zlib(for filtered: UnsafeMutableBufferPointer<UInt8>) -> ZlibPartPacker {
      guard filtered.count(where: { $0 == 0 }) > filtered.count / 4 * 3 else { return zlib }
      if evenZlib == nil { evenZlib = ZlibPartPacker(level: PNGStripEncoder.evenLevel) }
      return evenZlib ?? zlib
    }

    deinit {
      filtered.deallocate()
      room.deallocate()
      swapped.deallocate()
    }
  }

  private func encoded(_ rows: PixelRows, by packer: Packer) -> Strip {
    var above: UnsafePointer<UInt8>?
    for index in 0..<rows.count {
      let row = bytes(of: rows, index, by: packer)
      let filter = kernels.filter(
        row, above, Int32(bands * depth), packer.room, Int32(bytesPerRow))
      let line = packer.filtered.baseAddress! + index * (bytesPerRow + 1)
      line[0] = UInt8(filter)
      let place = filter == 4 ? 2 : Int(filter) - 1
      (line + 1).update(from: packer.room + place * bytesPerRow, count: bytesPerRow)
      above = row
    }
    let filtered = UnsafeMutableBufferPointer(
      rebasing: packer.filtered[..<(rows.count * (bytesPerRow + 1))])
    let isLast = rows.top + rows.count == height
    let zlib = packer.zlib(for: filtered)
    let content =
      (rows.top == 0 ? ZlibPartPacker.header : []) + zlib.packed(filtered, isLast: isLast)
    return Strip(
      chunk: PNGChunk.bytes("IDAT", content), checksum: ZlibPartPacker.checksum(filtered),
      count: filtered.count)
  }

  /// A row in the file's order of bytes. It stays where it is until the row after the next.
  private func bytes(
    of rows: PixelRows, _ index: Int, by packer: Packer
  ) -> UnsafePointer<UInt8> {
    let row = rows.start + index * rows.stride
    guard depth == 2 else { return row.assumingMemoryBound(to: UInt8.self) }
    let result = packer.swapped + index % 2 * bytesPerRow
    let samples = row.assumingMemoryBound(to: UInt16.self)
    UnsafeMutableRawPointer(result).withMemoryRebound(to: UInt16.self, capacity: width * bands) {
      for sample in 0..<(width * bands) { $0[sample] = samples[sample].bigEndian }
    }
    return UnsafePointer(result)
  }
}
