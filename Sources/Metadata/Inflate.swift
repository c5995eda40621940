import SafelightCZlib

/// Unpacks zlib streams (RFC 1950), in which PNG files keep Exif and XMP.
enum Inflate {
  /// The unpacked bytes; nil when the stream is damaged, ends early or unpacks to more than `limit`.
  static func zlib(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    var stream = z_stream()
    guard safelight_inflate_init(&stream) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var input = bytes
    return input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
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
}
