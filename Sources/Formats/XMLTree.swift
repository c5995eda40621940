/// The elements of an XML document with the place of each part, for editing its text.
///
/// A document type declaration is refused. Depth and number of elements have limits, so that no
/// packet of a few megabytes fills the memory. Source: Namespaces in XML 1.0.
package struct XMLTree: Sendable {
  package struct Attribute: Sendable {
    package let namespace: String?
    package let name: String
    /// Name, equals sign and quoted value.
    package let range: Range<Int>
    /// The value between its quotes.
    package let value: Range<Int>
  }

  package struct Element: Sendable {
    package let namespace: String?
    package let name: String
    /// From the first `<` to the last `>`.
    package fileprivate(set) var range: Range<Int>
    /// Between the tags; `nil` when the element closes itself.
    package fileprivate(set) var content: Range<Int>?
    /// End of the start tag, after its `>`.
    package let startTagEnd: Int
    package let attributes: [Attribute]
    /// Places of the children in ``XMLTree/elements``.
    package fileprivate(set) var children: [Int] = []
  }

  private static let largestDepth = 200
  private static let mostElements = 200_000

  /// All elements in document order; the first is the root.
  package private(set) var elements: [Element] = []
  /// Start of the last processing instruction after the root; `nil` when there is none.
  package private(set) var endInstruction: Int?
  private let bytes: [UInt8]

  /// An element that is not closed yet, and the namespaces that are known inside of it.
  private struct Open {
    let index: Int
    let name: ArraySlice<UInt8>
    let namespaces: [String: String]
  }

  /// Reads a document; `nil` when it is not well formed.
  package init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    var reader = XMLReader(bytes)
    var open: [Open] = []
    do {
      while let piece = try reader.next() {
        switch piece {
        case .start(let name, let attributes, let isEmpty):
          guard open.count < Self.largestDepth, elements.count < Self.mostElements,
            !open.isEmpty || elements.isEmpty
          else { return nil }
          let element = add(
            name, attributes, at: reader.start..<reader.offset, in: open.last)
          if !isEmpty { open.append(element) }
        case .end(let name):
          guard let last = open.popLast(), last.name == name else { return nil }
          let element = elements[last.index]
          elements[last.index].content = element.startTagEnd..<reader.start
          elements[last.index].range = element.range.lowerBound..<reader.offset
        case .text(let range):
          // Outside of the root only white space may stand.
          let isAllowed = open.isEmpty ? Self.isSpace : { $0 != 0 }
          guard bytes[range].allSatisfy(isAllowed) else { return nil }
        case .characterData:
          guard !open.isEmpty else { return nil }
        case .instruction:
          if open.isEmpty, !elements.isEmpty { endInstruction = reader.start }
        case .comment: break
        case .documentType: return nil
        }
      }
    } catch {
      return nil
    }
    guard open.isEmpty, !elements.isEmpty else { return nil }
  }

  private mutating func add(
    _ tag: ArraySlice<UInt8>, _ attributes: [XMLReader.Attribute], at range: Range<Int>,
    in parent: Open?
  ) -> Open {
    var namespaces = parent?.namespaces ?? ["xml": "http://www.w3.org/XML/1998/namespace"]
    for attribute in attributes where attribute.name.starts(with: "xmlns".utf8) {
      let prefix = String(decoding: attribute.name.dropFirst(5), as: UTF8.self)
      let value = String(decoding: bytes[attribute.value], as: UTF8.self)
      if prefix.isEmpty { namespaces[""] = value }
      if prefix.hasPrefix(":") { namespaces[String(prefix.dropFirst())] = value }
    }
    func resolve(_ name: ArraySlice<UInt8>, default namespace: String?) -> (String?, String) {
      guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else {
        return (namespace, String(decoding: name, as: UTF8.self))
      }
      let prefix = String(decoding: name[..<colon], as: UTF8.self)
      return (namespaces[prefix], String(decoding: name[(colon + 1)...], as: UTF8.self))
    }
    let (namespace, name) = resolve(tag, default: namespaces[""])
    let index = elements.count
    if let parent { elements[parent.index].children.append(index) }
    elements.append(
      Element(
        namespace: namespace, name: name, range: range, startTagEnd: range.upperBound,
        attributes: attributes.map { attribute in
          let (namespace, name) = resolve(attribute.name, default: nil)
          return Attribute(
            namespace: namespace, name: name, range: attribute.range, value: attribute.value)
        }))
    return Open(index: index, name: tag, namespaces: namespaces)
  }

  /// The children of an element.
  package func children(of element: Element) -> [Element] {
    element.children.map { elements[$0] }
  }

  /// The decoded value of an attribute.
  package func text(of attribute: Attribute) -> String {
    Self.string { try XMLReader(bytes).characters(attribute.value, keepsUnknown: true) }
  }

  /// The decoded characters of an element, without those of its children.
  package func text(of element: Element) -> String {
    guard let content = element.content else { return "" }
    return Self.string {
      var reader = XMLReader(bytes, in: content)
      var (text, depth) = ([UInt8](), 0)
      while let piece = try reader.next() {
        switch piece {
        case .start(_, _, let isEmpty): depth += isEmpty ? 0 : 1
        case .end: depth -= 1
        case .text(let range) where depth == 0:
          text += try reader.characters(range, keepsUnknown: true)
        case .characterData(let range) where depth == 0: text += bytes[range]
        default: break
        }
      }
      return text
    }
  }

  private static func string(_ characters: () throws -> [UInt8]) -> String {
    // The document was read by `init`, so it has no mistakes.
    (try? characters()).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Whether a byte is white space in XML.
  package static func isSpace(_ byte: UInt8) -> Bool { XMLReader.isSpace(byte) }
}

/// Replacements in a text: collected first, then applied together.
package struct TextEdits {
  private var edits: [(range: Range<Int>, text: [UInt8])] = []

  package init() {}

  package mutating func replace(_ range: Range<Int>, with text: String) {
    edits.append((range, Array(text.utf8)))
  }

  /// Removes a part and the white space before it.
  package mutating func remove(_ range: Range<Int>, withSpaceIn bytes: [UInt8]) {
    let space = bytes[..<range.lowerBound].reversed().prefix(while: XMLTree.isSpace).count
    edits.append((range.lowerBound - space..<range.upperBound, []))
  }

  /// The text with all replacements made. A replacement that overlaps an earlier one is left out.
  package func applied(to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var offset = 0
    // An insertion comes before a removal that begins at the same place.
    let ordered = edits.sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    for edit in ordered where edit.range.lowerBound >= offset {
      result += bytes[offset..<edit.range.lowerBound]
      result += edit.text
      offset = edit.range.upperBound
    }
    return result + bytes[offset...]
  }
}
