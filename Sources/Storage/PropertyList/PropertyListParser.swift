/// Reads XML property lists, strictly: the declaration, the document type, and the elements that
/// Apple's DTD names. Time and memory grow with the length of the text only.
struct PropertyListParser {
  let bytes: [UInt8]
  var position = 0

  static func parse(_ bytes: [UInt8]) throws(PropertyListError) -> PropertyList {
    var parser = PropertyListParser(bytes: bytes)
    return try parser.document()
  }

  private mutating func document() throws(PropertyListError) -> PropertyList {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    try checkCharacters()
    try prologue()
    var tag = try openingTag(mayHaveVersion: true)
    guard tag.name == "plist" else { throw error(.unknownElement(tag.name)) }
    guard !tag.isEmpty else { throw error(.expected("the content of <plist>")) }
    try skipSpaceAndComments()
    tag = try openingTag()
    let root = try element(tag, depth: 1)
    try skipSpaceAndComments()
    try closingTag("plist")
    try skipSpaceAndComments()
    guard position == bytes.count else { throw error(.expected("the end of the text")) }
    return root
  }

  /// Reads the element whose opening tag was just read.
  private mutating func element(
    _ tag: Tag, depth: Int
  ) throws(PropertyListError) -> PropertyList {
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
      if !tag.isEmpty { try closingTag(tag.name) }
      value = .boolean(tag.name == "true")
    default: throw error(.unknownElement(tag.name), at: tag.start)
    }
    return PropertyList(value, source: bytes[tag.start..<position])
  }

  private mutating func elements(depth: Int) throws(PropertyListError) -> [PropertyList] {
    var elements: [PropertyList] = []
    while true {
      try skipSpaceAndComments()
      if isAtClosingTag { break }
      let tag = try openingTag()
      elements.append(try element(tag, depth: depth + 1))
    }
    try closingTag("array")
    return elements
  }

  private mutating func entries(depth: Int) throws(PropertyListError) -> [PropertyList.Entry] {
    var entries: [PropertyList.Entry] = []
    // Compared as bytes: Swift's strings take composed and decomposed accents for the same key,
    // other programs do not.
    var keys: Set<[UInt8]> = []
    while true {
      skipSpace()
      let start = position
      try skipSpaceAndComments()
      if isAtClosingTag { break }
      let keyTag = try openingTag()
      guard keyTag.name == "key" else { throw error(.expected("<key>"), at: keyTag.start) }
      let key = try text(of: keyTag)
      guard keys.insert(Array(key.utf8)).inserted else {
        throw error(.duplicateKey(key), at: keyTag.start)
      }
      try skipSpaceAndComments()
      guard !isAtClosingTag else { throw error(.expected("a value for \(key)")) }
      let tag = try openingTag()
      let value = try element(tag, depth: depth + 1)
      entries.append(PropertyList.Entry(key, value, source: bytes[start..<position]))
    }
    try closingTag("dict")
    return entries
  }

  func error(
    _ problem: PropertyListError.Problem, at offset: Int? = nil
  ) -> PropertyListError {
    let end = min(offset ?? position, bytes.count)
    let line = 1 + bytes[..<end].count { $0 == UInt8(ascii: "\n") }
    return PropertyListError(line: line, problem: problem)
  }
}
