/// Tags, comments and what may stand before the first tag.
extension PropertyListParser {
  struct Tag {
    let name: String
    let start: Int
    /// Whether it closes itself, as `<true/>` does.
    let isEmpty: Bool
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// Whether a tag that closes something is next.
  var isAtClosingTag: Bool { isNext("</") }

  func isNext(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - position >= count else { return false }
    return bytes[position..<(position + count)].elementsEqual(
      UnsafeBufferPointer(start: text.utf8Start, count: count))
  }

  /// Takes `text` when it is next.
  mutating func take(_ text: StaticString) -> Bool {
    guard isNext(text) else { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  mutating func require(_ text: StaticString) throws(PropertyListError) {
    if take(text) { return }
    throw error(position >= bytes.count ? .unexpectedEnd : .expected("\(text)"))
  }

  mutating func skipSpace() {
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
  }

  mutating func skipSpaceAndComments() throws(PropertyListError) {
    while true {
      skipSpace()
      guard take("<!--") else { return }
      _ = try upTo("-->")
    }
  }

  /// Takes everything up to and including `end`; returns what stood before it.
  mutating func upTo(_ end: StaticString) throws(PropertyListError) -> ArraySlice<UInt8> {
    let start = position
    while position < bytes.count {
      if bytes[position] == end.utf8Start.pointee, take(end) {
        return bytes[start..<(position - end.utf8CodeUnitCount)]
      }
      position += 1
    }
    throw error(.unexpectedEnd)
  }

  /// The XML declaration and the document type, either of which may be missing.
  mutating func prologue() throws(PropertyListError) {
    if take("<?xml") {
      let start = position
      let declaration = String(decoding: try upTo("?>"), as: UTF8.self).lowercased()
      if declaration.contains("encoding") {
        guard declaration.contains("utf-8") || declaration.contains("us-ascii") else {
          throw error(.notUTF8, at: start)
        }
      }
    }
    try skipSpaceAndComments()
    guard take("<!DOCTYPE") else { return }
    let start = position
    let documentType = try upTo(">")
    guard !documentType.contains(UInt8(ascii: "[")) else {
      throw error(.documentTypeWithDefinitions, at: start)
    }
    let words = documentType.split(whereSeparator: Self.isSpace)
    guard let first = words.first, first.elementsEqual("plist".utf8) else {
      throw error(.expected("the document type plist"), at: start)
    }
    try skipSpaceAndComments()
  }

  mutating func openingTag(mayHaveVersion: Bool = false) throws(PropertyListError) -> Tag {
    let start = position
    try require("<")
    let name = tagName()
    guard !name.isEmpty else { throw error(.expected("the name of an element"), at: start) }
    skipSpace()
    if mayHaveVersion, take("version") {
      skipSpace()
      try require("=")
      skipSpace()
      if take("\"") {
        _ = try upTo("\"")
      } else {
        try require("'")
        _ = try upTo("'")
      }
      skipSpace()
    }
    if take("/>") { return Tag(name: name, start: start, isEmpty: true) }
    try require(">")
    return Tag(name: name, start: start, isEmpty: false)
  }

  mutating func closingTag(_ name: String) throws(PropertyListError) {
    let start = position
    try require("</")
    guard tagName() == name else { throw error(.expected("</\(name)>"), at: start) }
    skipSpace()
    try require(">")
  }

  /// Letters and digits, few enough that no message becomes a page.
  private mutating func tagName() -> String {
    let start = position
    while position < bytes.count, position - start < 32, Self.isNameByte(bytes[position]) {
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
