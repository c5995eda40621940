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
}
