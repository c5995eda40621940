import SafelightCZlib

/// Packs and unpacks zlib streams (RFC 1950).
enum Deflate {
  /// No stream unpacks to more than this many times its size; from the format's longest match.
  static let largestRatio = 1032

  /// The packed bytes.
  ///
  /// At zlib's usual level: its highest makes tables 3 to 9 percent smaller and takes ten times as
  /// long, 4.6 seconds for a cube of 129.
  static func packed(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(compressBound(UInt(bytes.count)))) { buffer, filled in
      var size = UInt(buffer.count)
      let status = compress2(
        buffer.baseAddress, &size, bytes, UInt(bytes.count), Z_DEFAULT_COMPRESSION)
      precondition(status == Z_OK, "zlib had room for the worst case and still failed")
      filled = Int(size)
    }
  }

  /// The unpacked bytes; `nil` when the stream is damaged or does not hold exactly `count`.
  static func unpacked(_ bytes: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
    guard count <= bytes.count * largestRatio else { return nil }
    var isWhole = false
    let result = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var (size, used) = (UInt(count), UInt(bytes.count))
      let status = bytes.withUnsafeBufferPointer {
        uncompress2(buffer.baseAddress, &size, $0.baseAddress, &used)
      }
      isWhole = status == Z_OK && size == UInt(count) && used == UInt(bytes.count)
      filled = Int(min(size, UInt(count)))
    }
    return isWhole ? result : nil
  }

  /// The CRC-32 of some bytes.
  static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.withUnsafeBufferPointer { UInt32(crc32(0, $0.baseAddress, UInt32($0.count))) }
  }
}
