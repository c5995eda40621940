import SafelightFormats

/// What Exif can say of the colors of a picture.
package enum ExifColors: Sendable, Hashable {
  case sRGB
  /// Adobe RGB (1998).
  case adobeRGB
  /// Colors that Exif has no number for.
  case other
}

extension ExifBlock {
  /// Whether the pixels are in Adobe RGB: by 2, which cameras wrote before the mark was decided, or by the mark R03 of the
  /// interoperability directory beside colors that Exif has no number for (CIPA DC-009, DCF 2.0).
  package var isInAdobeRGB: Bool {
    switch integer(exif?[Tag.colorSpace]) {
    case 2: true
    case nil, 0xFFFF: text(structure.interoperability?[1]) == "R03"
    default: false
    }
  }

  /// Says what the colors of the pixels are, where the block says it: 1 is sRGB, 0xFFFF another space, and Adobe RGB
  /// has the mark R03 beside that (CIPA DC-009, DCF 2.0).
  mutating func set(_ colors: ExifColors) {
    let earlier = integer(exif?[Tag.colorSpace])
    set(
      exif?[Tag.colorSpace],
      to: colors == .sRGB ? 1 : colors == .adobeRGB && earlier == 2 ? 2 : 0xFFFF)
    guard let mark = structure.interoperability?[1], let text = text(mark), let place = mark.value,
      place.count >= 4, text == "R98" || text == "R03"
    else { return }
    switch colors {
    case .sRGB: bytes.replaceSubrange(place.prefix(3), with: Array("R98".utf8))
    case .adobeRGB: bytes.replaceSubrange(place.prefix(3), with: Array("R03".utf8))
    // Both marks say of which space a picture is.
    case .other: removeInteroperability()
    }
  }

  /// Removes the link to the interoperability directory; the entries behind it move up.
  private mutating func removeInteroperability() {
    guard let exif, let link = exif[TIFFStructure.links[2]] else { return }
    let end = exif.offset + 2 + 12 * (bytes.uint16(at: exif.offset, order) ?? 0)
    guard end <= bytes.count, link.position + 12 <= end else { return }
    bytes.replaceSubrange(
      link.position..<(end - 12), with: Array(bytes[(link.position + 12)..<end]))
    // The link to the next directory now stands where the last entry was.
    bytes.replaceSubrange((end - 12)..<end, with: [UInt8](repeating: 0, count: 12))
    bytes.set(uint16: (end - exif.offset - 2) / 12 - 1, at: exif.offset, order)
    if let read = TIFFStructure(bytes) { structure = read }
  }
}
