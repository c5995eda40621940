/// Why a text is not the XML that was expected.
struct XMLError: Error {
  enum Problem {
    /// The text ends in the middle.
    case unexpectedEnd
    /// Something else should stand here.
    case expected(String)
    /// An entity other than the five that XML names, or a number that is no character.
    case unknownEntity(String)
  }

  /// Offset of the byte where reading stopped.
  let offset: Int
  let problem: Problem
}

/// Takes an XML text apart, piece by piece. Property lists and XMP are both read through it.
///
/// Only the five entities that XML names and characters by number are decoded, each once. A
/// document type declaration is handed out unread, so nothing can define further entities. Time
/// grows with the length of the text. Source: XML 1.0 (fifth edition).
struct XMLReader {
  struct Attribute {
    let name: ArraySlice<UInt8>
    /// Name, equals sign and quoted value.
    let range: Range<Int>
    /// The value between its quotes.
    let value: Range<Int>
  }

  enum Piece {
    case start(name: ArraySlice<UInt8>, attributes: [Attribute], isEmpty: Bool)
    case end(name: ArraySlice<UInt8>)
    /// Characters between two tags, not decoded.
    case text(Range<Int>)
    /// The characters inside of a CDATA section, which stand for themselves.
    case characterData(Range<Int>)
    case comment
    /// What stands between `<?` and `?>`.
    case instruction(Range<Int>)
    /// What stands between `<!DOCTYPE` and `>`; it has definitions when it has a bracket.
    case documentType(Range<Int>)
  }

  let bytes: [UInt8]
  /// Offset of the next piece.
  private(set) var offset: Int
  /// Offset of the piece that was read last.
  private(set) var start = 0
  private let end: Int

  /// Reads a text, or a part of one.
  init(_ bytes: [UInt8], in range: Range<Int>? = nil) {
    self.bytes = bytes
    offset = range?.lowerBound ?? (bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    end = range?.upperBound ?? bytes.count
  }

  /// The next piece; `nil` at the end of the text.
  mutating func next() throws(XMLError) -> Piece? {
    start = offset
    guard offset < end else { return nil }
    guard bytes[offset] == UInt8(ascii: "<") else {
      offset = bytes[offset..<end].firstIndex(of: UInt8(ascii: "<")) ?? end
      return .text(start..<offset)
    }
    if take("<!--") {
      _ = try upTo("-->")
      return .comment
    }
    if take("<![CDATA[") { return .characterData(try upTo("]]>")) }
    if take("<!DOCTYPE") { return .documentType(try upTo(">")) }
    if take("<?") { return .instruction(try upTo("?>")) }
    if take("</") {
      let name = readName()
      skipSpace()
      try require(">")
      return .end(name: name)
    }
    offset += 1
    return try startTag()
  }

  private mutating func startTag() throws(XMLError) -> Piece {
    let name = readName()
    guard !name.isEmpty else {
      throw XMLError(offset: start, problem: .expected("the name of an element"))
    }
    var attributes: [Attribute] = []
    while true {
      let before = offset
      skipSpace()
      if take("/>") { return .start(name: name, attributes: attributes, isEmpty: true) }
      if take(">") { return .start(name: name, attributes: attributes, isEmpty: false) }
      let first = offset
      let key = readName()
      // White space is needed before an attribute.
      guard !key.isEmpty, first > before else { throw missing(">") }
      skipSpace()
      try require("=")
      skipSpace()
      guard offset < end else { throw missing("\"") }
      let quote = bytes[offset]
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw missing("\"") }
      let from = offset + 1
      guard let to = bytes[from..<end].firstIndex(of: quote) else {
        throw XMLError(offset: end, problem: .unexpectedEnd)
      }
      guard !bytes[from..<to].contains(where: { $0 == UInt8(ascii: "<") || $0 == 0 }) else {
        throw XMLError(offset: from, problem: .expected("a value without <"))
      }
      offset = to + 1
      attributes.append(Attribute(name: key, range: first..<offset, value: from..<to))
    }
  }

  private mutating func readName() -> ArraySlice<UInt8> {
    let first = offset
    while offset < end, Self.isName(bytes[offset]) { offset += 1 }
    return bytes[first..<offset]
  }

  private mutating func skipSpace() {
    while offset < end, Self.isSpace(bytes[offset]) { offset += 1 }
  }

  private mutating func take(_ text: StaticString) -> Bool {
    guard end - offset >= text.utf8CodeUnitCount, bytes.has(text, at: offset) else { return false }
    offset += text.utf8CodeUnitCount
    return true
  }

  private mutating func require(_ text: StaticString) throws(XMLError) {
    guard take(text) else { throw missing("\(text)") }
  }

  private func missing(_ text: String) -> XMLError {
    XMLError(offset: offset, problem: offset < end ? .expected(text) : .unexpectedEnd)
  }

  /// Takes everything up to and including a mark; returns the range before the mark.
  private mutating func upTo(_ mark: StaticString) throws(XMLError) -> Range<Int> {
    let first = offset
    guard let found = bytes.offset(of: mark, in: first..<end) else {
      throw XMLError(offset: end, problem: .unexpectedEnd)
    }
    offset = found + mark.utf8CodeUnitCount
    return first..<found
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."), 0x80...:
      true
    default: false
    }
  }
}

// MARK: - Characters

extension XMLReader {
  /// Decodes the characters of a text piece or of an attribute, line ends as one line feed each.
  ///
  /// - Parameter keepsUnknown: Whether an entity that cannot be decoded stays as it is written.
  ///   Otherwise it throws.
  func characters(_ range: Range<Int>, keepsUnknown: Bool = false) throws(XMLError) -> [UInt8] {
    guard bytes[range].contains(where: { $0 == UInt8(ascii: "&") || $0 == 0x0D }) else {
      return Array(bytes[range])
    }
    var text: [UInt8] = []
    text.reserveCapacity(range.count)
    var at = range.lowerBound
    while at < range.upperBound {
      switch bytes[at] {
      case UInt8(ascii: "&"):
        do {
          let (scalar, next) = try entity(at: at, in: range)
          text.append(contentsOf: String(scalar).utf8)
          at = next
        } catch {
          guard keepsUnknown else { throw error }
          text.append(bytes[at])
          at += 1
        }
      // XML 1.0, section 2.11.
      case 0x0D:
        text.append(0x0A)
        at += at + 1 < range.upperBound && bytes[at + 1] == 0x0A ? 2 : 1
      default:
        text.append(bytes[at])
        at += 1
      }
    }
    return text
  }

  /// Characters with every line end as one line feed, and nothing else decoded.
  static func withLineFeeds(_ characters: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(characters.count)
    var isAfterReturn = false
    for byte in characters {
      if byte != 0x0A || !isAfterReturn { text.append(byte == 0x0D ? 0x0A : byte) }
      isAfterReturn = byte == 0x0D
    }
    return text
  }

  /// The character that an ampersand begins, and the offset behind its semicolon.
  private func entity(
    at offset: Int, in range: Range<Int>
  ) throws(XMLError) -> (Unicode.Scalar, next: Int) {
    // The longest name that makes sense is a number with some leading zeros.
    let limit = min(range.upperBound, offset + 17)
    guard let end = bytes[(offset + 1)..<limit].firstIndex(of: UInt8(ascii: ";")) else {
      throw XMLError(offset: offset, problem: .expected("; after &"))
    }
    let name = String(decoding: bytes[(offset + 1)..<end], as: UTF8.self)
    guard let scalar = Self.scalar(named: name) else {
      throw XMLError(offset: offset, problem: .unknownEntity(name))
    }
    return (scalar, end + 1)
  }

  private static func scalar(named name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#"), !name.contains("+") else { return nil }
      let isHexadecimal = name.hasPrefix("#x")
      return UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
        .flatMap(Unicode.Scalar.init).flatMap { XMLText.canCarry($0) ? $0 : nil }
    }
  }
}

/// What XML can hold, and how it is written.
package enum XMLText {
  /// Whether XML can hold every character of a text, as itself or by number.
  package static func canCarry(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { canCarry($0) }
  }

  /// Whether XML can hold a character.
  package static func canCarry(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: true
    case 0..<0x20, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  /// The text with everything escaped that an attribute value needs.
  ///
  /// Line ends are written by number, because parsers turn bare ones into spaces. A character that
  /// XML cannot hold becomes U+FFFD.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n", "\r": result += "&#x\(String(scalar.value, radix: 16, uppercase: true));"
      case let scalar where !canCarry(scalar): result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
