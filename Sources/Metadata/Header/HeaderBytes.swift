import Glibc

/// The bytes of a file that hold its header: the first of them, and others when they are asked for.
package struct HeaderBytes {
  /// How many bytes are read at first: most headers are no longer.
  package static let firstCount = 65_536

  /// The file's first bytes.
  package let first: [UInt8]
  /// The file's length in bytes.
  package let size: Int
  private let descriptor: Int32

  /// Reads the first bytes of an open file.
  ///
  /// - Parameters:
  ///   - descriptor: Open for reading for as long as this value is used.
  ///   - size: The file's length in bytes.
  package init(descriptor: Int32, size: Int) {
    self.descriptor = descriptor
    self.size = size
    first = Self.read(descriptor, at: 0, count: min(size, Self.firstCount))
  }

  /// Bytes from an offset on; nil when the file has not that many, or they are more than 16 MB.
  package func bytes(at offset: Int, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0, count <= 16 << 20, offset <= size - count else { return nil }
    if offset + count <= first.count { return Array(first[offset..<(offset + count)]) }
    let bytes = Self.read(descriptor, at: offset, count: count)
    return bytes.count == count ? bytes : nil
  }

  func uint16(at offset: Int) -> Int? { bytes(at: offset, count: 2)?.uint16(at: 0) }

  private static func read(_ descriptor: Int32, at offset: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let result = pread(
          descriptor, buffer.baseAddress! + filled, count - filled, off_t(offset + filled))
        if result < 0, errno == EINTR { continue }
        guard result > 0 else { break }
        filled += result
      }
    }
  }
}
