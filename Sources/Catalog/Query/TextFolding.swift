/// Removes case and accents from texts, for searches that ignore them.
package enum TextFolding {
  /// A text without its case, its accents, or both.
  package static func folded(_ text: String, ignoringCase: Bool, ignoringAccents: Bool) -> String {
    guard ignoringCase || ignoringAccents else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      var scalar = scalar
      if ignoringAccents, scalar.value >= 0xC0 {
        if scalar.properties.canonicalCombiningClass != .notReordered { continue }
        scalar = bases[scalar] ?? scalar
      }
      if !ignoringCase {
        result.append(scalar)
      } else if scalar.isASCII {
        result.append(
          (65...90).contains(scalar.value) ? Unicode.Scalar(UInt8(scalar.value + 32)) : scalar)
      } else {
        result.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
      }
    }
    return String(result)
  }

  /// A text as the index of names has it. Texts that any kind of search treats as equal become the same.
  package static func searchable(_ text: String) -> String {
    folded(
      folded(text, ignoringCase: true, ignoringAccents: false), ignoringCase: true,
      ignoringAccents: true)
  }

  /// The Latin, Greek and Cyrillic letters with accents, and the same letters without.
  ///
  /// The Unicode Character Database calls them “LETTER WITH ACCENT”, so this file needs no table.
  private static let bases: [Unicode.Scalar: Unicode.Scalar] = {
    let blocks =
      [0x41...0x2AF, 0x370...0x52F, 0x1D00...0x1FFF, 0x2C60...0x2C7F] as [ClosedRange<UInt32>]
    let letters = blocks.flatMap { block in block.compactMap(Unicode.Scalar.init) }
    let named = letters.compactMap { letter in
      letter.properties.name.map { (letter: letter, name: $0) }
    }
    let plain = Dictionary(named.map { ($0.name, $0.letter) }) { first, _ in first }
    // The names of these letters have no “WITH”.
    var bases: [Unicode.Scalar: Unicode.Scalar] = [
      "й": "и", "Й": "И", "ё": "е", "Ё": "Е", "ї": "і", "Ї": "І", "ɵ": "o",
    ]
    for (letter, name) in named {
      guard let end = name.utf8.indices.first(where: { name[$0...].hasPrefix(" WITH ") }),
        // These are two letters in one character, of which only the first is a capital.
        !name[end...].hasPrefix(" WITH SMALL LETTER")
      else { continue }
      if let base = plain[String(name[..<end])] { bases[letter] = base }
    }
    // The base letter may have another accent.
    return bases.mapValues { bases[$0] ?? $0 }
  }()
}
