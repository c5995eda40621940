extension PhotoHeader {
  /// Walks a JPEG's segments up to its frame. Source: ITU-T T.81, annex B.
  mutating func read(jpeg file: HeaderBytes) {
    var offset = 2
    var exif: [UInt8] = []
    // Real headers have some twenty segments; a profile or a long XMP adds as many again.
    for _ in 0..<4096 {
      guard let head = file.bytes(at: offset, count: 4), head[0] == 0xFF else { break }
      let marker = head[1]
      if marker == 0xFF {
        offset += 1
        continue
      }
      guard marker != 0xD9, marker != 0xDA, let length = head.uint16(at: 2), length >= 2 else {
        break
      }
      switch marker {
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        guard width == 0, let frame = file.bytes(at: offset + 5, count: 4) else { break }
        (height, width) = (frame.uint16(at: 0) ?? 0, frame.uint16(at: 2) ?? 0)
      case 0xE1:
        guard let payload = file.bytes(at: offset + 4, count: length - 2) else { break }
        if payload.has("Exif\0") {
          let block = Array(payload.dropFirst(6))
          // A block beyond one segment goes on in the next, which has no header of its own.
          if TIFFHeader(block) != nil, exif.isEmpty { exif = block } else { exif += block }
        } else if !payload.has("http://ns.adobe.com/xmp/extension/\0") {
          read(xmp: payload)
        }
      case 0xE2:
        if file.bytes(at: offset + 4, count: min(27, length - 2))?
          .has("urn:iso:std:iso:ts:21496:-1") == true
        {
          signs.insert(.hdr)
        }
      default: break
      }
      offset += 2 + length
    }
    if !exif.isEmpty { read(exif: exif) }
  }

  /// Walks a PNG's chunks, those behind the pixels too. Source: PNG specification, third edition.
  ///
  /// - Returns: Whether all metadata could be read; those that are packed are left to a decoder.
  mutating func read(png file: HeaderBytes) -> Bool {
    var offset = 8
    // Pixels come in chunks of some kilobytes; metadata behind very many of them is not looked for.
    for _ in 0..<1024 {
      guard let head = file.bytes(at: offset, count: 8), let size = head.uint32(at: 0) else {
        break
      }
      if head.has("IEND", at: 4) { return true }
      if head.has("IDAT", at: 4) {
        offset += 12 + size
        continue
      }
      guard let data = file.bytes(at: offset + 8, count: size) else { break }
      if head.has("IHDR", at: 4) {
        (width, height) = (data.uint32(at: 0) ?? 0, data.uint32(at: 4) ?? 0)
      } else if head.has("eXIf", at: 4) {
        read(exif: data)
      } else if head.has("cICP", at: 4), let transfer = data.byte(at: 1) {
        if Self.isHDR(transfer: Int(transfer)) { signs.insert(.hdr) }
      } else if head.has("zTXt", at: 4) || data.has("Raw profile type ")
        || data.has("XML:com.adobe.xmp\0\u{01}")
      {
        return false
      } else if head.has("iTXt", at: 4), data.has("XML:com.adobe.xmp\0\0") {
        read(xmp: data)
      } else if head.has("tEXt", at: 4), data.has("Software\0"),
        data.offset(of: "creenshot", in: 0..<data.count) != nil
      {
        signs.insert(.screenshot)
      }
      offset += 12 + size
    }
    return true
  }

  /// Walks the chunks of a WebP. Source: RFC 9649 (container), RFC 6386 (VP8).
  mutating func read(webP file: HeaderBytes) {
    var offset = 12
    for _ in 0..<256 {
      guard let head = file.bytes(at: offset, count: 8), let size = head.uint32(at: 4, .little)
      else { break }
      if let start = file.bytes(at: offset + 8, count: min(size, 10)), width == 0 {
        readSize(webPChunk: head, start)
      }
      if head.has("EXIF"), let block = file.bytes(at: offset + 8, count: size) {
        read(exif: block)
      } else if head.has("XMP "), let packet = file.bytes(at: offset + 8, count: size) {
        read(xmp: packet)
      }
      offset += 8 + (size + 1) / 2 * 2
    }
  }

  private mutating func readSize(webPChunk head: [UInt8], _ start: [UInt8]) {
    func three(at offset: Int) -> Int {
      (start.uint16(at: offset, .little) ?? 0) | Int(start.byte(at: offset + 2) ?? 0) << 16
    }
    if head.has("VP8X"), start.count == 10 {
      (width, height) = (three(at: 4) + 1, three(at: 7) + 1)
    } else if head.has("VP8L"), let bits = start.uint32(at: 1, .little) {
      (width, height) = ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    } else if head.has("VP8 "), let across = start.uint16(at: 6, .little),
      let down = start.uint16(at: 8, .little)
    {
      (width, height) = (across & 0x3FFF, down & 0x3FFF)
    }
  }

  /// PQ and HLG by their code in ITU-T H.273.
  static func isHDR(transfer: Int) -> Bool { transfer == 16 || transfer == 18 }
}
