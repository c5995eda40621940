/// Why a text is not a property list that can be read.
///
/// The reader accepts the part of XML that property lists use: UTF-8, no attributes but the
/// version, no processing instructions, and no definitions of entities.
public struct PropertyListError: Error, Hashable, CustomStringConvertible {
  /// What was wrong.
  public enum Problem: Sendable, Hashable {
    /// The text ends in the middle.
    case unexpectedEnd
    /// The bytes are not UTF-8.
    case notUTF8
    /// A character that XML does not allow.
    case forbiddenCharacter
    /// Something else should stand here.
    case expected(String)
    /// An element that property lists do not have, or not here.
    case unknownElement(String)
    /// An entity other than the five that XML names, or a number that is no character.
    case unknownEntity(String)
    /// A document type with definitions of its own.
    case documentTypeWithDefinitions
    /// Elements nested more than 64 deep.
    case tooDeep
    /// A key that stands twice in one dictionary.
    case duplicateKey(String)
  }

  /// How deep dictionaries and arrays may be nested.
  package static let maximumDepth = 64

  /// A problem on a line.
  package init(line: Int, problem: Problem) {
    self.line = line
    self.problem = problem
  }

  /// The line of the problem, the first being 1.
  public let line: Int
  /// What was wrong.
  public let problem: Problem

  /// What happened, in one sentence.
  public var description: String {
    let what =
      switch problem {
      case .unexpectedEnd: "the text ends too early"
      case .notUTF8: "the text is not UTF-8"
      case .forbiddenCharacter: "there is a character that XML does not allow"
      case .expected(let what): "\(what) is missing"
      case .unknownElement(let name): "<\(name)> does not belong here"
      case .unknownEntity(let name): "&\(name); is not a known character"
      case .documentTypeWithDefinitions: "the document type defines entities of its own"
      case .tooDeep: "elements are nested more than \(Self.maximumDepth) deep"
      case .duplicateKey(let key): "the key \(key) stands twice in one dictionary"
      }
    return "Line \(line): \(what)."
  }
}

extension PropertyList {
  /// Reads an XML property list.
  package init(parsing bytes: [UInt8]) throws(PropertyListError) {
    var reader = PropertyListReader(bytes)
    self = try reader.document()
  }
}

/// Reads XML property lists, strictly: the declaration, the document type, and the elements that
/// Apple's DTD names. Time and memory grow with the length of the text only.
private struct PropertyListReader {
  private var xml: XMLReader
  /// The piece that was read last; `nil` at the end of the text.
  private var piece: XMLReader.Piece?

  private struct Tag {
    let name: String
    let start: Int
    /// Whether the element closes itself, as `<true/>` does.
    let isEmpty: Bool
  }

  init(_ bytes: [UInt8]) { xml = XMLReader(bytes) }

  mutating func document() throws(PropertyListError) -> PropertyList {
    try checkCharacters()
    try prologue()
    let plist = try tag(mayHaveVersion: true)
    guard plist.name == "plist" else { throw error(.unknownElement(plist.name)) }
    guard !plist.isEmpty else { throw error(.expected("the content of <plist>")) }
    try advance()
    let root = try element(try tag(), depth: 1)
    try advance()
    guard case .end(let name)? = piece else { throw error(.expected("</")) }
    guard name.elementsEqual("plist".utf8) else { throw error(.expected("</plist>")) }
    try advance(to: "the end of the text")
    guard case nil = piece else { throw error(.expected("the end of the text")) }
    return root
  }

  /// Goes on to the next tag: comments are passed over, and so is white space.
  private mutating func advance(to what: String = "<") throws(PropertyListError) {
    while true {
      try next()
      switch piece {
      case .comment: continue
      case .text(let range):
        let text = xml.bytes[range]
        guard let offset = text.firstIndex(where: { !XMLReader.isSpace($0) }) else { continue }
        throw error(.expected(what), at: offset)
      default: return
      }
    }
  }

  private mutating func next() throws(PropertyListError) {
    do {
      piece = try xml.next()
    } catch {
      throw self.error(error)
    }
  }

  /// The XML declaration and the document type; either may be missing.
  private mutating func prologue() throws(PropertyListError) {
    try advance()
    if case .instruction(let range)? = piece, xml.bytes.has("xml", at: range.lowerBound) {
      let declaration = String(decoding: xml.bytes[range], as: UTF8.self).lowercased()
      if declaration.contains("encoding") {
        guard declaration.contains("utf-8") || declaration.contains("us-ascii") else {
          throw error(.notUTF8)
        }
      }
      try advance()
    }
    if case .documentType(let range)? = piece {
      let documentType = xml.bytes[range]
      guard !documentType.contains(UInt8(ascii: "[")) else {
        throw error(.documentTypeWithDefinitions)
      }
      let words = documentType.split(whereSeparator: XMLReader.isSpace)
      guard let first = words.first, first.elementsEqual("plist".utf8) else {
        throw error(.expected("the document type plist"))
      }
      try advance()
    }
  }

  /// The start tag that was read last.
  private func tag(mayHaveVersion: Bool = false) throws(PropertyListError) -> Tag {
    switch piece {
    case .start(let name, let attributes, let isEmpty)?:
      // A short name keeps messages short.
      let name = String(decoding: name.prefix(32), as: UTF8.self)
      for attribute in attributes
      where !mayHaveVersion || !attribute.name.elementsEqual("version".utf8) {
        throw error(.expected(">"), at: attribute.range.lowerBound)
      }
      return Tag(name: name, start: xml.start, isEmpty: isEmpty)
    case nil: throw error(.unexpectedEnd)
    case .end?, .instruction?, .documentType?: throw error(.expected("the name of an element"))
    case .text?, .characterData?, .comment?: throw error(.expected("<"))
    }
  }

  /// Reads the element whose start tag was read last.
  private mutating func element(_ tag: Tag, depth: Int) throws(PropertyListError) -> PropertyList {
    guard depth <= PropertyListError.maximumDepth else { throw error(.tooDeep) }
    let value: PropertyList.Value
    switch tag.name {
    case "dict": value = .dictionary(tag.isEmpty ? [] : try entries(depth: depth))
    case "array": value = .array(tag.isEmpty ? [] : try elements(depth: depth))
    case "string": value = .string(try text(of: tag))
    case "data": value = .data(try text(of: tag))
    case "integer": value = .integer(try text(of: tag))
    case "real": value = .real(try text(of: tag))
    case "date": value = .date(try text(of: tag))
    case "true", "false":
      guard try text(of: tag).utf8.allSatisfy(XMLReader.isSpace) else {
        throw error(.expected("</\(tag.name)>"), at: tag.start)
      }
      value = .boolean(tag.name == "true")
    default: throw error(.unknownElement(tag.name), at: tag.start)
    }
    return PropertyList(value, source: xml.bytes[tag.start..<xml.offset])
  }

  private mutating func elements(depth: Int) throws(PropertyListError) -> [PropertyList] {
    var elements: [PropertyList] = []
    while true {
      try advance()
      if try isEnd(of: "array") { return elements }
      elements.append(try element(try tag(), depth: depth + 1))
    }
  }

  private mutating func entries(depth: Int) throws(PropertyListError) -> [PropertyList.Entry] {
    var entries: [PropertyList.Entry] = []
    // Compared as bytes: Swift's strings take composed and decomposed accents for the same key,
    // other programs do not.
    var keys: Set<[UInt8]> = []
    while true {
      // A comment before a key belongs to the entry, white space does not.
      var start = xml.offset
      while start < xml.bytes.count, XMLReader.isSpace(xml.bytes[start]) { start += 1 }
      try advance()
      if try isEnd(of: "dict") { return entries }
      let keyTag = try tag()
      guard keyTag.name == "key" else { throw error(.expected("<key>"), at: keyTag.start) }
      let key = try text(of: keyTag)
      guard keys.insert(Array(key.utf8)).inserted else {
        throw error(.duplicateKey(key), at: keyTag.start)
      }
      try advance()
      if case .end? = piece { throw error(.expected("a value for \(key)")) }
      let value = try element(try tag(), depth: depth + 1)
      entries.append(PropertyList.Entry(key, value, source: xml.bytes[start..<xml.offset]))
    }
  }

  /// Whether the piece that was read last is the end tag of an element.
  private func isEnd(of name: String) throws(PropertyListError) -> Bool {
    guard case .end(let found)? = piece else { return false }
    guard found.elementsEqual(name.utf8) else { throw error(.expected("</\(name)>")) }
    return true
  }

  /// The characters of an element without children, up to and including its end tag.
  private mutating func text(of tag: Tag) throws(PropertyListError) -> String {
    if tag.isEmpty { return "" }
    var text: [UInt8] = []
    while true {
      try next()
      switch piece {
      case .text(let range): text += try characters(range)
      // Line ends are the same in character data, and entities are not decoded there.
      case .characterData(let range): text += XMLReader.withLineFeeds(xml.bytes[range])
      case .comment: break
      case nil: throw error(.unexpectedEnd)
      default:
        guard try isEnd(of: tag.name) else { throw error(.expected("</\(tag.name)>")) }
        return String(decoding: text, as: UTF8.self)
      }
    }
  }

  private func characters(_ range: Range<Int>) throws(PropertyListError) -> [UInt8] {
    do {
      return try xml.characters(range)
    } catch {
      throw self.error(error)
    }
  }

  /// Checks the characters of the whole text once, so that nothing after has to.
  private func checkCharacters() throws(PropertyListError) {
    let bytes = xml.bytes
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      throw error(.notUTF8, at: 0)
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      var decoder = UTF8.ForwardParser()
      var iterator = bytes.makeIterator()
      var offset = 0
      while case .valid(let encoded) = decoder.parseScalar(from: &iterator) {
        offset += encoded.count
      }
      throw error(.notUTF8, at: offset)
    }
    if let offset = bytes.firstIndex(where: { $0 < 0x20 && !XMLReader.isSpace($0) }) {
      throw error(.forbiddenCharacter, at: offset)
    }
  }

  private func error(_ error: XMLError) -> PropertyListError {
    switch error.problem {
    case .unexpectedEnd: self.error(.unexpectedEnd, at: error.offset)
    case .expected(let what): self.error(.expected(what), at: error.offset)
    case .unknownEntity(let name): self.error(.unknownEntity(name), at: error.offset)
    }
  }

  /// - Parameter offset: Where the problem is; `nil` for the start of the last piece.
  private func error(
    _ problem: PropertyListError.Problem, at offset: Int? = nil
  ) -> PropertyListError {
    let end = min(offset ?? xml.start, xml.bytes.count)
    let line = 1 + xml.bytes[..<end].count { $0 == UInt8(ascii: "\n") }
    return PropertyListError(line: line, problem: problem)
  }
}
