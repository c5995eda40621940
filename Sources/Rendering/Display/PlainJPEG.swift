import SafelightCTurboJPEG

/// JPEGs of pixels in memory: without metadata, with color at full resolution (4:4:4), and without
/// a profile, which means sRGB.
///
/// libvips is not used here, because its start takes longer than reading a hundred thumbnails.
package enum PlainJPEG {
  /// Encodes 8-bit red, green and blue.
  ///
  /// - Parameter quality: 1 to 100.
  /// - Throws: ``RenderError/cannotEncode(detail:)`` beyond 65,535 pixels along a side.
  package static func encoded(
    _ picture: DisplayPixels, quality: Int
  ) throws(RenderError) -> [UInt8] {
    guard let handle = tjInitCompress() else {
      throw .cannotEncode(detail: "the JPEG encoder did not start")
    }
    defer { tjDestroy(handle) }
    var memory: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    let result = picture.bytes.withUnsafeBufferPointer { pixels in
      tjCompress2(
        handle, pixels.baseAddress, Int32(clamping: picture.width), 0,
        Int32(clamping: picture.height), Int32(TJPF_RGB.rawValue), &memory, &size,
        Int32(TJSAMP_444.rawValue), Int32(min(max(quality, 1), 100)), TJFLAG_ACCURATEDCT)
    }
    defer { tjFree(memory) }
    guard result == 0, let memory else {
      let detail = tjGetErrorStr2(handle).map { String(cString: $0) }
      throw .cannotEncode(detail: detail ?? "the JPEG encoder gave no reason")
    }
    return Array(UnsafeBufferPointer(start: memory, count: Int(size)))
  }

  /// Decodes a JPEG of red, green and blue that ``encoded(_:quality:)`` made; `nil` when it is
  /// damaged or has more pixels than the limit.
  package static func decoded(
    _ bytes: UnsafeRawBufferPointer, pixelLimit: Int = 1 << 26
  ) -> DisplayPixels? {
    guard let handle = tjInitDecompress(), let start = bytes.baseAddress else { return nil }
    defer { tjDestroy(handle) }
    let jpeg = start.assumingMemoryBound(to: UInt8.self)
    var (width, height, subsampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
    guard
      tjDecompressHeader3(
        handle, jpeg, UInt(bytes.count), &width, &height, &subsampling, &space) == 0,
      width > 0, height > 0, Int(width) <= pixelLimit / Int(height)
    else { return nil }
    let count = Int(width) * Int(height) * 3
    var isWhole = false
    let pixels = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      isWhole =
        tjDecompress2(
          handle, jpeg, UInt(bytes.count), buffer.baseAddress, width, 0, height,
          Int32(TJPF_RGB.rawValue), TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING) == 0
      filled = isWhole ? count : 0
    }
    guard isWhole else { return nil }
    return DisplayPixels(width: Int(width), height: Int(height), bytes: pixels)
  }
}
