import FoundationEssentials

/// A transfer function that encodes more than standard dynamic range.
///
/// Source: ITU-T H.273, table 3.
package enum HDRTransfer: String, Sendable, Hashable {
  /// Perceptual quantizer, code 16 (SMPTE ST 2084).
  case pq = "PQ"
  /// Hybrid log-gamma, code 18 (ARIB STD-B67).
  case hlg = "HLG"
}

/// The color coding that a HEIF or AVIF file declares.
///
/// Only the first 64 kB are looked at: the boxes that describe the pictures stand there.
/// Source: ISO/IEC 14496-12 (`colr`), ITU-T H.273 (codes).
package struct ISOMediaColor: Sendable, Equatable {
  /// Color primaries: 1 BT.709, 9 BT.2020, 12 Display P3.
  package let primaries: Int
  /// Transfer characteristics: 13 sRGB, 16 PQ, 18 HLG.
  package let transfer: Int

  /// The HDR transfer that the codes name; nil for standard dynamic range.
  package var hdrTransfer: HDRTransfer? {
    switch transfer {
    case 16: .pq
    case 18: .hlg
    default: nil
    }
  }

  /// Finds the coded color of the primary picture; nil when it has none.
  ///
  /// - Parameter file: The file, or its first 64 kB.
  package init?(_ file: Data) {
    let found = file.withUnsafeBytes { bytes -> (Int, Int)? in
      guard bytes.has("ftyp", at: 4) else { return nil }
      return Self.search(UnsafeRawBufferPointer(rebasing: bytes.prefix(65_536)))
    }
    guard let (primaries, transfer) = found else { return nil }
    self.primaries = primaries
    self.transfer = transfer
  }

  private static func search(_ bytes: UnsafeRawBufferPointer) -> (Int, Int)? {
    // `meta` is a full box: version and flags stand before its children.
    guard
      let meta = ISOMediaBox.list(bytes, 0..<bytes.count).first(where: {
        $0.type == ISOMediaBox.type("meta")
      }),
      meta.content.count > 4
    else { return nil }
    let children = ISOMediaBox.list(bytes, meta.content.dropFirst(4))
    guard let iprp = children.first(where: { $0.type == ISOMediaBox.type("iprp") }) else {
      return nil
    }
    let parts = ISOMediaBox.list(bytes, iprp.content)
    guard let ipco = parts.first(where: { $0.type == ISOMediaBox.type("ipco") }) else { return nil }
    let properties = ISOMediaBox.list(bytes, ipco.content)
    let pitm = children.first { $0.type == ISOMediaBox.type("pitm") }
    let ipma = parts.first { $0.type == ISOMediaBox.type("ipma") }
    if let pitm, let ipma, let used = indexes(bytes, pitm, ipma) {
      return used.lazy.filter(properties.indices.contains).compactMap {
        codes(bytes, properties[$0])
      }.first
    }
    return properties.lazy.compactMap { codes(bytes, $0) }.first
  }

  private static func codes(_ bytes: UnsafeRawBufferPointer, _ box: ISOMediaBox) -> (Int, Int)? {
    let start = box.content.lowerBound
    guard box.type == ISOMediaBox.type("colr"), box.content.count >= 10,
      bytes.has("nclx", at: start),
      let primaries = bytes.uint16(at: start + 4), let transfer = bytes.uint16(at: start + 6)
    else { return nil }
    return (primaries, transfer)
  }

  /// Which properties the primary picture has, counted from 0; nil when the boxes do not say.
  private static func indexes(
    _ bytes: UnsafeRawBufferPointer, _ pitm: ISOMediaBox, _ ipma: ISOMediaBox
  ) -> [Int]? {
    func identifier(_ isLong: Bool, at offset: Int) -> Int? {
      isLong ? bytes.uint32(at: offset) : bytes.uint16(at: offset)
    }
    let start = ipma.content.lowerBound
    guard let pitmVersion = bytes.byte(at: pitm.content.lowerBound),
      let primary = identifier(pitmVersion > 0, at: pitm.content.lowerBound + 4),
      let head = bytes.uint32(at: start), let count = bytes.uint32(at: start + 4)
    else { return nil }
    let hasLongItems = head >> 24 > 0
    let width = head & 1 == 1 ? 2 : 1
    var offset = start + 8
    for _ in 0..<count {
      guard let item = identifier(hasLongItems, at: offset),
        let uses = bytes.byte(at: offset + (hasLongItems ? 4 : 2))
      else { return nil }
      offset += hasLongItems ? 5 : 3
      if item == primary {
        // The highest bit says whether a reader must understand the property.
        return (0..<Int(uses)).compactMap { use in
          width == 2
            ? bytes.uint16(at: offset + 2 * use).map { $0 & 0x7FFF }
            : bytes.byte(at: offset + use).map { Int($0 & 0x7F) }
        }.map { $0 - 1 }
      }
      offset += Int(uses) * width
    }
    return nil
  }
}
