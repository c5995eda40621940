import SafelightFormats

extension XMPPacket {
  /// A property to add to a packet.
  struct Property: Sendable, Hashable {
    /// How the values stand in the packet.
    enum Form: Sendable {
      /// The first value alone.
      case text
      /// The first value, as the one of every language.
      case language
      /// A list without an order.
      case bag
      /// A list in its order.
      case sequence
    }

    let namespace: String
    /// The prefix that is customary for the namespace.
    let prefix: String
    let name: String
    let form: Form
    let values: [String]

    /// The name with its prefix.
    var qualifiedName: String { prefix + ":" + name }
  }

  /// Whether the packet has a property that is not empty.
  func has(_ property: Property) -> Bool {
    text(property.namespace, property.name) != nil
      || !texts(property.namespace, property.name).isEmpty
  }

  /// Whether the packet has other values of a property.
  func contradicts(_ property: Property) -> Bool {
    guard has(property) else { return false }
    let items = texts(property.namespace, property.name)
    let isOne = items.isEmpty || property.form == .text || property.form == .language
    let own = isOne ? [text(property.namespace, property.name)].compactMap(\.self) : items
    return own != property.values
  }

  /// The packet with further properties.
  ///
  /// - Parameters:
  ///   - properties: What to add. A property that the packet has already stays as it is.
  ///   - replacing: Whether the new properties take the place of those that the packet has.
  func adding(_ properties: [Property], replacing: Bool = false) -> [UInt8] {
    let added = properties.filter { !$0.values.isEmpty && (replacing || !has($0)) }
    guard !added.isEmpty else { return bytes }
    var edits = TextEdits()
    for property in added { remove(property.namespace, property.name, edits: &edits) }
    let rdf = prefix(of: self.rdf)
    var spaces = ""
    for (namespace, prefix) in Dictionary(
      added.map { ($0.namespace, $0.prefix) }, uniquingKeysWith: { first, _ in first }
    ).sorted(by: { $0.value < $1.value }) {
      spaces += " xmlns:\(prefix)=\"\(namespace)\""
    }
    let elements = added.map { "\n    " + Self.element($0, rdf: rdf) }.joined()
    append(
      "<\(rdf)Description \(rdf)about=\"\(about)\"\(spaces)>\(elements)\n  </\(rdf)Description>",
      edits: &edits)
    return edits.applied(to: bytes)
  }

  /// The packet with what extended XMP says, which has no place of its own but in a JPEG.
  ///
  /// - Parameter extended: A packet that says what this one does not.
  func merging(_ extended: XMPPacket) -> [UInt8] {
    var edits = TextEdits()
    remove(Self.note, "HasExtendedXMP", edits: &edits)
    let declarations = extended.declarations
    for description in extended.descriptions {
      var own: [UInt8] = Array(extended.bytes[description.range])
      let start = own[..<(description.startTagEnd - description.range.lowerBound)]
      let name = start.firstIndex {
        XMLTree.isSpace($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ">")
      }
      guard let name else { continue }
      let head = String(decoding: start, as: UTF8.self)
      let missing = declarations.filter { key, _ in
        !head.contains(" " + key + "=") && !head.contains("\n" + key + "=")
      }
      let text = missing.sorted { $0.key < $1.key }.flatMap { [UInt8(ascii: " ")] + $0.value }
      own.insert(contentsOf: text, at: name)
      append(String(decoding: own, as: UTF8.self), edits: &edits)
    }
    return edits.applied(to: bytes)
  }

  private static let note = "http://ns.adobe.com/xmp/note/"

  /// The packet with an element as the last one of `rdf:RDF`.
  func appending(_ element: String) -> [UInt8] {
    var edits = TextEdits()
    append(element, edits: &edits)
    return edits.applied(to: bytes)
  }

  /// What the packet is about, as it is written.
  var about: String {
    descriptions.first?.attributes.first { $0.namespace == Namespace.rdf && $0.name == "about" }
      .map { String(decoding: bytes[$0.value], as: UTF8.self) } ?? ""
  }

  /// Removes a property wherever it stands.
  private func remove(_ namespace: String, _ name: String, edits: inout TextEdits) {
    for description in descriptions {
      for attribute in description.attributes
      where attribute.namespace == namespace && attribute.name == name {
        edits.remove(attribute.range, withSpaceIn: bytes)
      }
    }
    for element in properties(namespace, name) { edits.remove(element.range, withSpaceIn: bytes) }
  }

  /// Writes an element as the last one of `rdf:RDF`.
  private func append(_ text: String, edits: inout TextEdits) {
    if let content = rdf.content {
      edits.replace(content.upperBound..<content.upperBound, with: "\n  " + text + "\n ")
    } else {
      let name = prefix(of: rdf) + rdf.name
      edits.replace(rdf.startTagEnd - 2..<rdf.startTagEnd, with: ">\n  \(text)\n </\(name)>")
    }
  }

  private static func element(_ property: Property, rdf: String) -> String {
    let name = "\(property.prefix):\(property.name)"
    let values = property.values.map(XMLText.escaped)
    func list(_ kind: String, _ attribute: String = "") -> String {
      let items = values.map { "<\(rdf)li\(attribute)>\($0)</\(rdf)li>" }.joined()
      return "<\(rdf)\(kind)>\(items)</\(rdf)\(kind)>"
    }
    let content =
      switch property.form {
      case .text: values.first ?? ""
      case .language: list("Alt", " xml:lang=\"x-default\"")
      case .bag: list("Bag")
      case .sequence: list("Seq")
      }
    return "<\(name)>\(content)</\(name)>"
  }
}
