import FoundationEssentials

extension CarriedMetadata {
  /// Gathers the `EXIF` and `XMP ` chunks. Source: WebP container specification (RFC 9649).
  mutating func read(webP bytes: UnsafeRawBufferPointer) {
    var offset = 12
    while let size = bytes.uint32(at: offset + 4, .little), offset + 8 + size <= bytes.count {
      let payload = bytes[(offset + 8)..<(offset + 8 + size)]
      if bytes.has("EXIF", at: offset), size > 0 { add(exif: [UInt8](payload)) }
      if bytes.has("XMP ", at: offset), size > 0 { xmpPackets.append([UInt8](payload)) }
      offset += 8 + (size + 1) / 2 * 2
    }
  }
}
