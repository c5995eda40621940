import SafelightFormats

extension XMPPacket {
  /// The packet without properties and fields, wherever they stand.
  ///
  /// - Parameter isRemoved: Whether one with this namespace and name is left out. The namespace is empty for a prefix
  ///   that is not declared.
  func removing(_ isRemoved: (_ namespace: String, _ name: String) -> Bool) -> [UInt8] {
    var edits = TextEdits()
    for element in tree.elements where rdf.range.contains(element.range.lowerBound) {
      if element.namespace != Namespace.rdf, isRemoved(element.namespace ?? "", element.name) {
        edits.remove(element.range, withSpaceIn: bytes)
        continue
      }
      for attribute in element.attributes
      where attribute.namespace != Namespace.rdf && !isDeclaration(attribute)
        && isRemoved(attribute.namespace ?? "", attribute.name)
      {
        edits.remove(attribute.range, withSpaceIn: bytes)
      }
    }
    return edits.applied(to: bytes)
  }

  /// A new packet with nothing but some properties of the picture: comments, instructions, loose text and what stands
  /// outside of the descriptions are not in it.
  ///
  /// - Parameter isKept: Whether a property with this namespace and name stays; fields in it are not asked about.
  func keeping(_ isKept: (_ namespace: String, _ name: String) -> Bool) -> [UInt8] {
    let (rdf, above) = (prefix(of: rdf), declarations)
    let outer = Self.declaration(ofPrefix: rdf)
    var elements: [UInt8] = []
    for description in descriptions {
      let attributes = description.attributes.filter { attribute in
        guard let namespace = attribute.namespace, namespace != Namespace.rdf else { return false }
        return isKept(namespace, attribute.name)
      }
      let properties = tree.children(of: description).filter { property in
        property.namespace.map { isKept($0, property.name) } ?? false
      }
      guard !attributes.isEmpty || !properties.isEmpty else { continue }
      let prefix = prefix(of: description)
      var used: Set<String> = [Self.declaration(ofPrefix: prefix)]
      for attribute in attributes { used.insert(declaration(of: attribute.range)) }
      for property in properties { addDeclarations(usedIn: property, to: &used) }
      let own = Dictionary(declarations(in: description), uniquingKeysWith: { first, _ in first })
      elements += "\n  <\(prefix)Description \(prefix)about=\"\"".utf8
      for name in used.sorted() {
        guard let text = own[name] ?? (name == outer ? nil : above[name]) else { continue }
        elements += [UInt8(ascii: " ")] + text
      }
      for attribute in attributes { elements += [UInt8(ascii: " ")] + bytes[attribute.range] }
      elements.append(UInt8(ascii: ">"))
      for property in properties {
        elements += "\n   ".utf8
        elements += Self.withoutComments(bytes[property.range])
      }
      elements += "\n  </\(prefix)Description>".utf8
    }
    let head = """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <\(rdf)RDF \(outer)="\(Namespace.rdf)">
      """
    return Array(head.utf8) + elements
      + Array("\n </\(rdf)RDF>\n</x:xmpmeta>\n<?xpacket end=\"w\"?>".utf8)
  }

  // MARK: - Namespaces

  /// The declarations of namespaces that count for what is in `rdf:RDF`, as they are written, by their names: `xmlns:dc`.
  var declarations: [String: [UInt8]] {
    var declarations: [String: [UInt8]] = [:]
    // The outer elements stand before the inner ones, whose declarations count.
    for element in tree.elements
    where element.range.lowerBound <= rdf.range.lowerBound
      && element.range.upperBound >= rdf.range.upperBound
    {
      for (name, text) in self.declarations(in: element) { declarations[name] = text }
    }
    return declarations
  }

  private func declarations(in element: XMLTree.Element) -> [(String, [UInt8])] {
    element.attributes.filter(isDeclaration).map { attribute in
      let text = Array(bytes[attribute.range])
      let name = text.prefix { $0 != UInt8(ascii: "=") }
      return (String(decoding: name, as: UTF8.self).withoutOuterSpaces, text)
    }
  }

  private func isDeclaration(_ attribute: XMLTree.Attribute) -> Bool {
    bytes.has("xmlns", at: attribute.range.lowerBound)
  }

  /// The declaration that a name needs that begins a range.
  private func declaration(of range: Range<Int>) -> String {
    let name = bytes[range].prefix { byte in
      !XMLTree.isSpace(byte) && byte != UInt8(ascii: "=") && byte != UInt8(ascii: ">")
        && byte != UInt8(ascii: "/")
    }
    guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else { return "xmlns" }
    return "xmlns:" + String(decoding: name[..<colon], as: UTF8.self)
  }

  private static func declaration(ofPrefix prefix: String) -> String {
    prefix.isEmpty ? "xmlns" : "xmlns:" + prefix.dropLast()
  }

  /// The declarations that an element and all in it need.
  private func addDeclarations(usedIn element: XMLTree.Element, to used: inout Set<String>) {
    used.insert(declaration(of: element.range.lowerBound + 1..<element.range.upperBound))
    for attribute in element.attributes where !isDeclaration(attribute) {
      used.insert(declaration(of: attribute.range))
    }
    for child in tree.children(of: element) { addDeclarations(usedIn: child, to: &used) }
  }

  // MARK: - Comments

  /// The text of an element without comments and instructions.
  private static func withoutComments(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let marks: [(start: StaticString, end: StaticString, isKept: Bool)] = [
      ("<!--", "-->", false), ("<?", "?>", false), ("<![CDATA[", "]]>", true),
    ]
    let bytes = Array(text)
    var result: [UInt8] = []
    var offset = 0
    while let next = bytes[offset...].firstIndex(of: UInt8(ascii: "<")) {
      result += bytes[offset..<next]
      offset = next
      // In attributes a `<` never stands as it is.
      guard let mark = marks.first(where: { bytes.has($0.start, at: next) }) else {
        result.append(bytes[next])
        offset += 1
        continue
      }
      let inside = next + mark.start.utf8CodeUnitCount
      let end = bytes.offset(of: mark.end, in: inside..<bytes.count)
      offset = end.map { $0 + mark.end.utf8CodeUnitCount } ?? bytes.count
      if mark.isKept { result += bytes[next..<offset] }
    }
    return result + bytes[offset...]
  }
}
