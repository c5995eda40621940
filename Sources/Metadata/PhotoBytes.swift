import FoundationEssentials
import SafelightFiles
import SafelightFormats
import Synchronization

/// The bytes of a photo's file, which are read when they are asked for.
///
/// They are never mapped into memory: a file that another program cuts short, or a disk that fails, would end the process.
/// Bytes that cannot be read are zeros, and blocks with such bytes are `nil`.
package struct PhotoBytes: RandomAccessCollection, Sendable {
  /// The number of bytes that are read at once, first of all; most headers are not longer.
  package static let beginningCount = 65_536
  /// How much of the file a search reads at once.
  private static let pieceCount = 128 << 10

  /// The file's first bytes.
  package let beginning: [UInt8]
  /// The file's length in bytes.
  package let endIndex: Int
  /// The directories of a file that begins like a TIFF; `nil` for others.
  package private(set) var tiff: TIFFPictures?
  private let read: @Sendable (_ offset: Int, _ count: Int) -> [UInt8]
  private let window = Window()

  package var startIndex: Int { 0 }

  /// Reads the first bytes of an open file.
  ///
  /// - Parameters:
  ///   - file: Open for reading.
  ///   - size: The file's length in bytes.
  package init(_ file: OpenFile, size: Int) {
    let count = Swift.min(size, Self.beginningCount)
    self.init(size: size, beginning: Self.read(file, 0, count), of: file)
  }

  /// The bytes of a file in memory.
  package init(_ file: Data) {
    endIndex = file.count
    beginning = Array(file.prefix(4096))
    read = { offset, count in
      Array(file.dropFirst(offset).prefix(count))
    }
    tiff = TIFFPictures(bytes(at:count:))
  }

  /// Reads enough of a file that is no link to recognize its format.
  ///
  /// - Throws: ``FileSystemError`` when the file cannot be read.
  package init(recognizing path: FilePath, _ fileSystem: FileSystem) throws(FileSystemError) {
    let file = try fileSystem.openReadOnly(path)
    let size = Int(try fileSystem.status(of: file).size)
    try self.init(recognizing: file, size: size, fileSystem)
  }

  /// Reads enough of an open file to recognize its format.
  init(
    recognizing file: OpenFile, size: Int, _ fileSystem: FileSystem
  ) throws(FileSystemError) {
    self.init(size: size, beginning: try fileSystem.bytes(of: file, count: 4096), of: file)
  }

  private init(size: Int, beginning: [UInt8], of file: OpenFile) {
    (endIndex, self.beginning) = (size, beginning)
    read = { Self.read(file, $0, $1) }
    tiff = TIFFPictures(bytes(at:count:))
  }

  private static func read(_ file: OpenFile, _ offset: Int, _ count: Int) -> [UInt8] {
    (try? FileSystem.real.bytes(of: file, from: Int64(offset), count: count)) ?? []
  }
}

extension PhotoBytes {
  /// One byte; zero when it cannot be read.
  package subscript(offset: Int) -> UInt8 {
    offset < beginning.count ? beginning[offset] : window.byte(at: offset, read)
  }

  /// The most bytes of a block of metadata, far more than programs write.
  static let largestBlock = 256 << 20

  /// Bytes from an offset on; `nil` when the file ends before, or for more than 16 MB.
  package func bytes(at offset: Int, count length: Int) -> [UInt8]? {
    bytes(at: offset, count: length, limit: 16 << 20)
  }

  private func bytes(at offset: Int, count length: Int, limit: Int) -> [UInt8]? {
    guard offset >= 0, length >= 0, length <= limit, offset <= endIndex - length else { return nil }
    if let bytes = beginning.bytes(at: offset, count: length) { return bytes }
    let bytes = read(offset, length)
    return bytes.count == length ? bytes : nil
  }

  /// The bytes of a block of metadata; `nil` when the file ends before, or when it is too large.
  func bytes(in range: Range<Int>) -> [UInt8]? {
    bytes(at: range.lowerBound, count: range.count, limit: Self.largestBlock)
  }

  /// Reads a range piece by piece, each of at least 8 bytes but for the last.
  ///
  /// - Parameter body: Takes a piece and where it begins. It gives the place to go on from, which must be behind this
  ///   one; `nil` to stop.
  func readPieces(
    in range: Range<Int>, _ body: (UnsafeRawBufferPointer, Int) throws -> Int?
  ) rethrows {
    var offset = range.lowerBound
    while offset < range.upperBound,
      let piece = bytes(at: offset, count: Swift.min(Self.pieceCount, range.upperBound - offset)),
      let next = try piece.withUnsafeBytes({ try body($0, offset) }), next > offset
    {
      offset = next
    }
  }

  /// Hands out the bytes of a range in order.
  ///
  /// - Returns: Whether they were all there.
  package func copy(
    _ range: Range<Int>, to sink: (UnsafeRawBufferPointer) throws -> Void
  ) rethrows -> Bool {
    var end = range.lowerBound
    try readPieces(in: range) { piece, start in
      try sink(piece)
      end = start + piece.count
      return end
    }
    return end == range.upperBound
  }

  /// A walk through the segments of a JPEG. Real headers have about 20 segments, and 40 with a
  /// profile or a long XMP packet.
  var segments: JPEGReader { JPEGReader(size: endIndex, limit: 4096) }

  /// The part of a file that was read last, for readers that go from byte to byte.
  private final class Window: Sendable {
    private static let count = 4096
    private let state = Mutex<(start: Int, bytes: [UInt8])>((0, []))

    func byte(at offset: Int, _ read: (Int, Int) -> [UInt8]) -> UInt8 {
      state.withLock { state in
        if let byte = state.bytes.byte(at: offset - state.start) { return byte }
        let start = offset - offset % Self.count
        state = (start, read(start, Self.count))
        return state.bytes.byte(at: offset - start) ?? 0
      }
    }
  }
}
