/// The elements of an XML document with the place of each part, for editing its text.
///
/// Knows what XMP needs: elements, attributes, namespaces, comments, CDATA and processing
/// instructions. A document type declaration is refused, and with it every entity attack.
/// Source: XML 1.0 (fifth edition); Namespaces in XML 1.0.
struct XMLTree {
  struct Attribute {
    var namespace: String?
    var name: String
    /// Name, equals sign and quoted value.
    var range: Range<Int>
    /// The value between its quotes.
    var value: Range<Int>
  }

  struct Element {
    var namespace: String?
    var name: String
    /// From the first `<` to the last `>`.
    var range: Range<Int>
    /// Between the tags; nil when the element closes itself.
    var content: Range<Int>?
    /// End of the start tag, behind its `>`.
    var startTagEnd: Int
    var attributes: [Attribute]
    var children: [Int]
  }

  /// All elements in document order; the first is the root.
  private(set) var elements: [Element] = []
  /// Start of the last processing instruction behind the root; nil when there is none.
  private(set) var endInstruction: Int?

  private let bytes: [UInt8]
  private var offset = 0
  /// Open elements, each with its name as written and the namespaces known inside.
  private var open: [(index: Int, name: ArraySlice<UInt8>, scope: [String: String])] = []

  /// Reads a document; nil when it is not well formed.
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    while offset < bytes.count {
      guard bytes[offset] == UInt8(ascii: "<") else {
        // Outside the root only white space may stand.
        guard Self.isSpace(bytes[offset]) || !open.isEmpty && bytes[offset] != 0 else {
          return nil
        }
        offset += 1
        continue
      }
      guard readMarkup() else { return nil }
    }
    guard open.isEmpty, !elements.isEmpty else { return nil }
  }

  private mutating func readMarkup() -> Bool {
    if bytes.has("<!--", at: offset) { return skip(past: "-->", from: offset + 4) }
    if bytes.has("<![CDATA[", at: offset), !open.isEmpty {
      return skip(past: "]]>", from: offset + 9)
    }
    if bytes.has("<?", at: offset) {
      if open.isEmpty, !elements.isEmpty { endInstruction = offset }
      return skip(past: "?>", from: offset + 2)
    }
    if bytes.has("</", at: offset) { return readEndTag() }
    if bytes.has("<!", at: offset) { return false }
    return readStartTag()
  }

  private mutating func skip(past mark: StaticString, from start: Int) -> Bool {
    guard let found = bytes.offset(of: mark, in: start..<bytes.count) else { return false }
    offset = found + mark.utf8CodeUnitCount
    return true
  }

  private mutating func readEndTag() -> Bool {
    let start = offset
    offset += 2
    let name = readName()
    skipSpace()
    guard bytes.byte(at: offset) == UInt8(ascii: ">"), let last = open.popLast(), last.name == name
    else { return false }
    offset += 1
    elements[last.index].content = elements[last.index].startTagEnd..<start
    elements[last.index].range = elements[last.index].range.lowerBound..<offset
    return true
  }

  private mutating func readStartTag() -> Bool {
    let start = offset
    // Depth and number are bounded, so that no packet of a few megabytes fills the memory.
    guard open.count < 200, elements.count < 200_000, !open.isEmpty || elements.isEmpty
    else { return false }
    offset += 1
    let tag = readName()
    guard !tag.isEmpty else { return false }
    var raw: [(name: ArraySlice<UInt8>, range: Range<Int>, value: Range<Int>)] = []
    var scope = open.last?.scope ?? ["xml": "http://www.w3.org/XML/1998/namespace"]
    while true {
      let before = offset
      skipSpace()
      guard let byte = bytes.byte(at: offset) else { return false }
      if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") { break }
      let first = offset
      let name = readName()
      guard !name.isEmpty, first > before, let value = readValue() else { return false }
      raw.append((name, first..<offset, value))
      let text = String(decoding: bytes[value], as: UTF8.self)
      if name == Array("xmlns".utf8)[...] { scope[""] = text }
      if name.starts(with: "xmlns:".utf8) {
        scope[String(decoding: name.dropFirst(6), as: UTF8.self)] = text
      }
    }
    let isEmpty = bytes[offset] == UInt8(ascii: "/")
    offset += isEmpty ? 2 : 1
    guard bytes.byte(at: offset - 1) == UInt8(ascii: ">") else { return false }
    let (namespace, name) = Self.resolve(tag, scope, default: scope[""])
    let attributes = raw.map { item in
      let (namespace, name) = Self.resolve(item.name, scope, default: nil)
      return Attribute(namespace: namespace, name: name, range: item.range, value: item.value)
    }
    let index = elements.count
    if let parent = open.last?.index { elements[parent].children.append(index) }
    elements.append(
      Element(
        namespace: namespace, name: name, range: start..<offset, content: nil,
        startTagEnd: offset, attributes: attributes, children: []))
    if !isEmpty { open.append((index, tag, scope)) }
    return true
  }

  private mutating func readValue() -> Range<Int>? {
    skipSpace()
    guard bytes.byte(at: offset) == UInt8(ascii: "=") else { return nil }
    offset += 1
    skipSpace()
    guard let quote = bytes.byte(at: offset),
      quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    else { return nil }
    let start = offset + 1
    guard let end = bytes[start...].firstIndex(of: quote),
      !bytes[start..<end].contains(where: { $0 == UInt8(ascii: "<") || $0 == 0 })
    else { return nil }
    offset = end + 1
    return start..<end
  }

  private mutating func readName() -> ArraySlice<UInt8> {
    let start = offset
    while let byte = bytes.byte(at: offset), Self.isName(byte) { offset += 1 }
    return bytes[start..<offset]
  }

  private mutating func skipSpace() {
    while let byte = bytes.byte(at: offset), Self.isSpace(byte) { offset += 1 }
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

  private static func resolve(
    _ name: ArraySlice<UInt8>, _ scope: [String: String], default namespace: String?
  ) -> (String?, String) {
    guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else {
      return (namespace, String(decoding: name, as: UTF8.self))
    }
    let prefix = String(decoding: name[..<colon], as: UTF8.self)
    return (scope[prefix], String(decoding: name[(colon + 1)...], as: UTF8.self))
  }
}
