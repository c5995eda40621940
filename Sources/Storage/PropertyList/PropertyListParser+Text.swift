/// Characters: what XML allows, and how it spells those that would be markup.
extension PropertyListParser {
  /// Looks through the whole text once, so that everything after may trust its characters.
  func checkCharacters() throws(PropertyListError) {
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      throw error(.notUTF8)
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw error(.notUTF8, at: firstInvalidOffset)
    }
    if let offset = bytes.firstIndex(where: { $0 < 0x20 && !Self.isSpace($0) }) {
      throw error(.forbiddenCharacter, at: offset)
    }
  }

  private var firstInvalidOffset: Int {
    var decoder = UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while case .valid(let encoded) = decoder.parseScalar(from: &iterator) {
      offset += encoded.count
    }
    return offset
  }

  /// Whether XML can carry every character of `text`, as itself or by number.
  static func canCarry(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { canCarry($0) }
  }

  static func canCarry(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: true
    case 0..<0x20, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  /// The characters of an element without children, up to and including its closing tag.
  mutating func text(of tag: Tag) throws(PropertyListError) -> String {
    if tag.isEmpty { return "" }
    var text: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "<") {
        if isAtClosingTag {
          try closingTag(tag.name)
          return String(decoding: text, as: UTF8.self)
        }
        if take("<!--") {
          _ = try upTo("-->")
        } else if take("<![CDATA[") {
          Self.appendNormalized(try upTo("]]>"), to: &text)
        } else {
          throw error(.expected("</\(tag.name)>"))
        }
      } else if byte == UInt8(ascii: "&") {
        text.append(contentsOf: UTF8.encode(try entity())!)
      } else {
        let start = position
        while position < bytes.count, !Self.isMarkup(bytes[position]) { position += 1 }
        Self.appendNormalized(bytes[start..<position], to: &text)
      }
    }
    throw error(.unexpectedEnd)
  }

  private static func isMarkup(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&")
  }

  /// Appends with every line end as one line feed (XML 1.0, section 2.11).
  private static func appendNormalized(_ part: ArraySlice<UInt8>, to text: inout [UInt8]) {
    guard part.contains(0x0D) else {
      text.append(contentsOf: part)
      return
    }
    var afterReturn = false
    for byte in part {
      if byte == 0x0D {
        text.append(0x0A)
      } else if byte != 0x0A || !afterReturn {
        text.append(byte)
      }
      afterReturn = byte == 0x0D
    }
  }

  /// One of the five named entities, or a character by its number.
  private mutating func entity() throws(PropertyListError) -> Unicode.Scalar {
    let start = position
    position += 1
    // The longest that makes sense is a number with some leading zeros.
    let limit = min(bytes.count, position + 16)
    guard let end = bytes[position..<limit].firstIndex(of: UInt8(ascii: ";")) else {
      throw error(.expected("; after &"), at: start)
    }
    let name = String(decoding: bytes[position..<end], as: UTF8.self)
    position = end + 1
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard let scalar = Self.numbered(name), Self.canCarry(scalar) else {
        throw error(.unknownEntity(name), at: start)
      }
      return scalar
    }
  }

  private static func numbered(_ name: String) -> Unicode.Scalar? {
    guard name.hasPrefix("#") else { return nil }
    let isHexadecimal = name.hasPrefix("#x")
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }) else { return nil }
    return UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
  }
}
