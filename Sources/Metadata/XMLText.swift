/// Escaping of text for XML attributes and elements.
enum XMLText {
  /// The text with everything escaped that an attribute value needs.
  ///
  /// Line ends become references, since parsers turn bare ones into spaces; characters that XML
  /// cannot hold become U+FFFD.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n", "\r": result += "&#x\(String(scalar.value, radix: 16, uppercase: true));"
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The text with the five predefined entities and character references resolved.
  static func unescaped(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let ampersand = rest.firstIndex(of: "&") {
      result += rest[..<ampersand]
      rest = rest[ampersand...]
      guard let end = rest.prefix(12).firstIndex(of: ";"),
        let scalar = scalar(named: rest[rest.index(after: rest.startIndex)..<end])
      else {
        result += "&"
        rest = rest.dropFirst()
        continue
      }
      result.unicodeScalars.append(scalar)
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  private static func scalar(named name: Substring) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.first == "#" else { return nil }
      let digits = name.dropFirst()
      let value =
        digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
      return value.flatMap(Unicode.Scalar.init)
    }
  }
}
