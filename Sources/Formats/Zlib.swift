import SafelightCZlib

/// Packs and unpacks zlib streams (RFC 1950), and computes CRC-32.
package enum Zlib {
  /// No stream unpacks to more than this many times its size: the format's longest match.
  package static let largestRatio = 1032

  /// The packed bytes.
  ///
  /// At zlib's usual level: the highest level makes lookup tables 3 to 9 percent smaller and takes
  /// ten times as long, 4.6 seconds for a cube of 129.
  package static func packed(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(compressBound(UInt(bytes.count)))) { buffer, filled in
      var size = UInt(buffer.count)
      let status = compress2(
        buffer.baseAddress, &size, bytes, UInt(bytes.count), Z_DEFAULT_COMPRESSION)
      precondition(status == Z_OK, "zlib had room for the worst case and still failed")
      filled = Int(size)
    }
  }

  /// Unpacks a stream of known length; `nil` when the stream is damaged, when bytes follow it, or
  /// when it does not hold exactly `count` bytes.
  package static func unpacked(_ bytes: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
    // The count comes from a file: no memory is taken that the stream cannot fill.
    guard count >= 0, count <= bytes.count * largestRatio else { return nil }
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

  /// Unpacks a stream of unknown length; `nil` when the stream is damaged, ends early, or unpacks
  /// to more than `limit` bytes.
  ///
  /// - Parameter raw: Whether the stream is deflate data without zlib's header and checksum (RFC 1951).
  package static func unpacked(_ bytes: [UInt8], limit: Int, raw: Bool = false) -> [UInt8]? {
    var stream = z_stream()
    let status =
      raw ? safelight_inflate_raw_init(&stream) : safelight_inflate_init(&stream)
    guard status == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var input = bytes
    return input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(clamping: input.count)
      return unpack(&stream, limit: limit)
    }
  }

  private static func unpack(_ stream: inout z_stream, limit: Int) -> [UInt8]? {
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let (status, filled) = chunk.withUnsafeMutableBufferPointer { chunk in
        stream.next_out = chunk.baseAddress
        stream.avail_out = UInt32(chunk.count)
        let status = inflate(&stream, Z_NO_FLUSH)
        return (status, chunk.count - Int(stream.avail_out))
      }
      output += chunk[..<filled]
      guard output.count <= limit else { return nil }
      if status == Z_STREAM_END { return output }
      // No progress without an error means that the stream ends early.
      guard status == Z_OK, filled > 0 || stream.avail_in > 0 else { return nil }
    }
  }

  /// The CRC-32 of some bytes, as zlib and PNG compute it.
  package static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.withUnsafeBufferPointer { UInt32(crc32(0, $0.baseAddress, UInt32($0.count))) }
  }
}

/// Packs parts of a zlib stream (RFC 1950) independently of each other. The stream is ``header``, the
/// parts, and the checksum of all of them together.
package final class ZlibPartPacker {
  /// The two bytes before the first part: deflate with a window of 32 KB, packed fast.
  package static let header: [UInt8] = [0x78, 0x5E]

  // zlib keeps this address, so the stream must not move.
  private let stream: UnsafeMutablePointer<z_stream>

  /// - Parameter level: 1 is the fastest, 9 packs most. `nil` for lack of memory.
  package init?(level: Int) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard safelight_deflate_init(stream, Int32(level)) == Z_OK else {
      stream.deallocate()
      return nil
    }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// A part, packed; it ends with a whole byte.
  ///
  /// - Parameters:
  ///   - bytes: Less than 4 GB.
  ///   - isLast: Whether the stream ends with this part.
  package func packed(_ bytes: UnsafeMutableBufferPointer<UInt8>, isLast: Bool) -> [UInt8] {
    // An end of a part that is not the last takes a few bytes more.
    let room = Int(deflateBound(stream, UInt(bytes.count))) + 16
    return [UInt8](unsafeUninitializedCapacity: room) { output, filled in
      stream.pointee.next_in = bytes.baseAddress
      stream.pointee.avail_in = UInt32(bytes.count)
      stream.pointee.next_out = output.baseAddress
      stream.pointee.avail_out = UInt32(output.count)
      let status = deflate(stream, isLast ? Z_FINISH : Z_FULL_FLUSH)
      precondition(
        status == (isLast ? Z_STREAM_END : Z_OK) && stream.pointee.avail_in == 0,
        "zlib had room for the worst case and still failed")
      filled = output.count - Int(stream.pointee.avail_out)
      deflateReset(stream)
    }
  }

  /// The checksum of a part, Adler-32.
  package static func checksum(_ bytes: UnsafeMutableBufferPointer<UInt8>) -> UInt32 {
    UInt32(adler32(1, bytes.baseAddress, UInt32(bytes.count)))
  }

  /// The checksum of a part and of another of so many bytes that follows it.
  package static func checksum(_ first: UInt32, then second: UInt32, count: Int) -> UInt32 {
    UInt32(adler32_combine(UInt(first), UInt(second), count))
  }
}
