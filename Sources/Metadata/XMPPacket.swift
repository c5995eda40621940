import FoundationEssentials
import SafelightFormats

/// An XMP packet: UTF-8 text. It is edited in place; the rest of the text stays as it is.
///
/// Source: ISO 16684-1 (XMP part 1), XMP specification part 3 (storage in files).
package struct XMPPacket: Sendable {
  /// Namespaces by the prefix that is customary for them.
  enum Namespace {
    static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    static let xmp = "http://ns.adobe.com/xap/1.0/"
    static let xmpMM = "http://ns.adobe.com/xap/1.0/mm/"
    static let stRef = "http://ns.adobe.com/xap/1.0/sType/ResourceRef#"
    static let tiff = "http://ns.adobe.com/tiff/1.0/"
    static let exif = "http://ns.adobe.com/exif/1.0/"
    static let exifEX = "http://cipa.jp/exif/1.0/"
    static let aux = "http://ns.adobe.com/exif/1.0/aux/"
    static let dc = "http://purl.org/dc/elements/1.1/"
    static let core = "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"
    static let rights = "http://ns.adobe.com/xap/1.0/rights/"
    static let photoshop = "http://ns.adobe.com/photoshop/1.0/"
    static let hdrgm = "http://ns.adobe.com/hdr-gain-map/1.0/"
    static let appleGainMap = "http://ns.apple.com/HDRGainMap/1.0/"
    static let container = "http://ns.google.com/photos/1.0/container/"
    static let containerItem = "http://ns.google.com/photos/1.0/container/item/"
    static let camera = "http://ns.google.com/photos/1.0/camera/"
    /// The photo before the camera's program blurred it by its depth map.
    static let unblurred = "http://ns.google.com/photos/1.0/image/"
    static let depthMap = "http://ns.google.com/photos/1.0/depthmap/"
    static let focus = "http://ns.google.com/photos/1.0/focus/"
  }

  /// The packet as it stands in a file, wrapper included.
  package let bytes: [UInt8]
  let tree: XMLTree
  /// The `rdf:Description` elements that hold the picture's properties.
  let descriptions: [XMLTree.Element]
  /// The `rdf:RDF` element.
  let rdf: XMLTree.Element

  /// Reads a packet; nil when it is not well-formed UTF-8 XML with an `rdf:RDF` element.
  package init?(_ packet: some Collection<UInt8>) {
    var bytes = [UInt8](packet)
    // Some writers end the text with a NUL as C does; XML parsers refuse it.
    while bytes.last == 0 { bytes.removeLast() }
    guard let tree = XMLTree(bytes),
      let rdf = tree.elements.first(where: { $0.namespace == Namespace.rdf && $0.name == "RDF" })
    else { return nil }
    self.bytes = bytes
    self.tree = tree
    self.rdf = rdf
    descriptions = rdf.children.map { tree.elements[$0] }.filter {
      $0.namespace == Namespace.rdf && $0.name == "Description"
    }
  }

  /// The original that the packet names; nil when it names none.
  package var derivedFrom: OriginalReference? {
    guard let element = properties(Namespace.xmpMM, "DerivedFrom").first else { return nil }
    let parts = [element] + tree.children(of: element)
    func field(_ name: String) -> String? {
      for part in parts {
        if let found = part.attributes.first(where: {
          $0.namespace == Namespace.stRef && $0.name == name
        }) {
          return tree.text(of: found)
        }
        let fields = tree.children(of: part) + [part]
        if let found = fields.first(where: { $0.namespace == Namespace.stRef && $0.name == name }),
          found.content != nil
        {
          return tree.text(of: found)
        }
      }
      return nil
    }
    guard let document = field("documentID") else { return nil }
    let made = field("renditionParams").map { $0.split(separator: " ").map(String.init) } ?? []
    var edit: String?
    var export: ExportMark?
    if made.count == 2, made[0] == "edit", made[1].hasPrefix(Self.digestPrefix) {
      edit = String(made[1].dropFirst(Self.digestPrefix.count))
    } else if (2...3).contains(made.count), made[0] == "export",
      made[1].hasPrefix(Self.digestPrefix)
    {
      export = ExportMark(
        made: String(made[1].dropFirst(Self.digestPrefix.count)),
        place: made.count > 2 ? made[2] : nil)
    }
    return OriginalReference(
      fileName: field("filePath") ?? "", documentID: document, manager: field("manager"),
      edit: edit, export: export)
  }

  /// What stands before a digest in `stRef:renditionParams`.
  private static let digestPrefix = "sha256:"

  /// Whether Safelight rendered the picture.
  package var isSafelightRender: Bool { derivedFrom?.manager == OriginalReference.safelight }

  /// The original that a JPEG names, read from its header alone.
  ///
  /// - Parameter jpeg: The file, memory mapped if it is large.
  /// - Returns: nil when the file is not a JPEG or names none.
  package static func derivedFrom(inJPEG jpeg: Data) -> OriginalReference? {
    let file = PhotoBytes(jpeg)
    return JPEGSegments(file)?.segments.lazy.filter { $0.marker == 0xE1 }
      .compactMap { file.bytes(in: $0.payload) }
      .filter { $0.has("http://ns.adobe.com/xap/1.0/\0") }
      .compactMap { XMPPacket($0.dropFirst(CarriedMetadata.xmpHeader.count))?.derivedFrom }.first
  }

  /// Property elements of the picture with a name, in document order.
  func properties(_ namespace: String, _ name: String) -> [XMLTree.Element] {
    descriptions.flatMap { tree.children(of: $0) }
      .filter { $0.namespace == namespace && $0.name == name }
  }

  /// The text of a property, or of the item that counts in a list of languages: the item marked
  /// `x-default`, or else the first. Nil when the property is absent or empty.
  func text(_ namespace: String, _ name: String) -> String? {
    for attribute in descriptions.lazy.flatMap(\.attributes)
    where attribute.namespace == namespace && attribute.name == name {
      return nonempty(tree.text(of: attribute))
    }
    for property in properties(namespace, name) {
      let items = items(of: property)
      let main = items.first { item in
        item.attributes.contains { $0.name == "lang" && tree.text(of: $0) == "x-default" }
      }
      if let text = nonempty(tree.text(of: main ?? items.first ?? property)) { return text }
    }
    return nil
  }

  /// The texts of a property that is a list, empty ones left out.
  func texts(_ namespace: String, _ name: String) -> [String] {
    properties(namespace, name).flatMap { items(of: $0) }
      .compactMap { nonempty(tree.text(of: $0)) }
  }

  /// A number, written with a point or as a fraction; nil when it is neither.
  func number(_ namespace: String, _ name: String) -> Double? {
    guard let text = text(namespace, name) else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) }
    switch (parts.count, parts[0]) {
    case (1, let number?): return number.isFinite ? number : nil
    case (2, let above?): return parts[1].flatMap { $0 == 0 ? nil : above / $0 }
    default: return nil
    }
  }

  /// The `rdf:li` elements of a property that is a list.
  private func items(of property: XMLTree.Element) -> [XMLTree.Element] {
    tree.children(of: property).filter { $0.namespace == Namespace.rdf }
      .flatMap { tree.children(of: $0) }
      .filter { $0.namespace == Namespace.rdf && $0.name == "li" }
  }

  private func nonempty(_ text: String) -> String? {
    let trimmed = text.withoutOuterSpaces
    return trimmed.isEmpty ? nil : trimmed
  }
}

extension XMPPacket {
  /// The most bytes of a packet in a JPEG's APP1, after the XMP header of 29 bytes.
  static let largestPacket = JPEGSegments.largestPayload - 29

  /// A packet that says nothing.
  static let empty = minimal(saying: "")

  /// A packet with the name of the original and nothing else.
  static func minimal(derivedFrom original: OriginalReference) -> [UInt8] {
    minimal(saying: derivedFromElement(original))
  }

  private static func minimal(saying element: String) -> [UInt8] {
    [UInt8](
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="\(Namespace.rdf)">
        <rdf:Description rdf:about="">
         \(element)
        </rdf:Description>
       </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="w"?>
      """.utf8)
  }

  /// The packet's text with the size and orientation of a render.
  ///
  /// - Parameters:
  ///   - size: Width and height of the render in pixels; properties that are absent stay absent.
  ///   - resolution: Pixels per inch to write where the packet has a resolution; nil keeps it.
  ///   - colors: What the colors are; nil keeps what the packet says.
  ///   - original: What the render was made from; nil leaves `xmpMM:DerivedFrom` as it is.
  ///   - places: Where places of the original are in the render; nil when nothing moves.
  /// - Returns: The new packet. As much as the text grew, padding at its end is removed.
  func patched(
    size: (width: Int, height: Int), resolution: Double? = nil, colors: ExifColors? = nil,
    derivedFrom original: OriginalReference?, moving places: MetadataPlaces? = nil
  ) -> [UInt8] {
    var edits = TextEdits()
    removeStale(into: &edits)
    if let places { edit(places, into: &edits) }
    var values = [
      Namespace.tiff + "Orientation": "1",
      Namespace.tiff + "ImageWidth": "\(size.width)",
      Namespace.tiff + "ImageLength": "\(size.height)",
      Namespace.exif + "PixelXDimension": "\(size.width)",
      Namespace.exif + "PixelYDimension": "\(size.height)",
    ]
    if let colors {
      values[Namespace.exif + "ColorSpace"] = colors == .sRGB ? "1" : "65535"
    }
    if let resolution {
      values[Namespace.tiff + "XResolution"] = "\(Int((resolution * 1000).rounded()))/1000"
      values[Namespace.tiff + "YResolution"] = values[Namespace.tiff + "XResolution"]
      values[Namespace.tiff + "ResolutionUnit"] = "2"
    }
    for description in descriptions {
      for attribute in description.attributes {
        if let value = values[(attribute.namespace ?? "") + attribute.name] {
          edits.replace(attribute.value, with: value)
        }
      }
      for child in tree.children(of: description) {
        if let value = values[(child.namespace ?? "") + child.name], child.children.isEmpty,
          let content = child.content
        {
          edits.replace(content, with: value)
        }
      }
    }
    if let original { edit(derivedFrom: original, into: &edits) }
    return refit(edits.applied(to: bytes))
  }

  /// Takes out the properties of the picture that have a name.
  func remove(
    _ isRemoved: (_ namespace: String?, _ name: String) -> Bool, into edits: inout TextEdits
  ) {
    for description in descriptions {
      for attribute in description.attributes where isRemoved(attribute.namespace, attribute.name) {
        edits.remove(attribute.range, withSpaceIn: bytes)
      }
      for child in tree.children(of: description) where isRemoved(child.namespace, child.name) {
        edits.remove(child.range, withSpaceIn: bytes)
      }
    }
  }

  /// Whether the picture has a property of a namespace.
  func has(_ namespace: String) -> Bool {
    descriptions.contains { description in
      description.attributes.contains { $0.namespace == namespace }
        || tree.children(of: description).contains { $0.namespace == namespace }
    }
  }

  /// Takes out what no render has.
  func removeStale(into edits: inout TextEdits) { remove(Self.isStale, into: &edits) }

  /// Whether a property describes something that a render does not have: a gain map, a
  /// motion photo's video, a list of further images, thumbnails of the unedited picture, that picture itself.
  private static func isStale(_ namespace: String?, _ name: String) -> Bool {
    switch namespace {
    case Namespace.hdrgm, Namespace.appleGainMap, Namespace.unblurred: true
    case Namespace.container: name == "Directory"
    case Namespace.xmp: name == "Thumbnails"
    // Google's names, which other makers use in namespaces of their own.
    case .some: name.hasPrefix("MotionPhoto") || name.hasPrefix("MicroVideo")
    case nil: false
    }
  }

  private func edit(derivedFrom original: OriginalReference, into edits: inout TextEdits) {
    let element = Self.derivedFromElement(original)
    let existing = properties(Namespace.xmpMM, "DerivedFrom")
    if let first = existing.first {
      edits.replace(first.range, with: element)
      for extra in existing.dropFirst() { edits.remove(extra.range, withSpaceIn: bytes) }
      return
    }
    let home =
      descriptions.first { description in
        description.attributes.contains { $0.namespace == Namespace.xmpMM }
          || description.children.contains { tree.elements[$0].namespace == Namespace.xmpMM }
      } ?? descriptions.first
    guard let home else {
      let prefix = prefix(of: rdf)
      insert(
        "<\(prefix)Description \(prefix)about=\"\">\(element)</\(prefix)Description>", into: rdf,
        edits: &edits)
      return
    }
    insert(element, into: home, edits: &edits)
  }

  private func insert(_ text: String, into parent: XMLTree.Element, edits: inout TextEdits) {
    if parent.content != nil {
      edits.replace(parent.startTagEnd..<parent.startTagEnd, with: "\n   " + text)
    } else {
      // A tag that closes itself gets a closing tag of its own.
      let name = prefix(of: parent) + parent.name
      edits.replace(
        parent.startTagEnd - 2..<parent.startTagEnd, with: ">\n   \(text)\n  </\(name)>")
    }
  }

  /// The prefix of an element as written, colon included.
  func prefix(of element: XMLTree.Element) -> String {
    let name = bytes[(element.range.lowerBound + 1)...]
    let written = name.prefix {
      !XMLTree.isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
    }
    return String(decoding: written.dropLast(element.name.utf8.count), as: UTF8.self)
  }

  private static func derivedFromElement(_ original: OriginalReference) -> String {
    let made =
      original.edit.map { "edit \(digestPrefix)\($0)" }
      ?? original.export.map {
        "export \(digestPrefix)\($0.made)\($0.place.map { " " + $0 } ?? "")"
      }
    let edit = made.map { " stRef:renditionParams=\"\(XMLText.escaped($0))\"" }
    let name =
      original.fileName.isEmpty
      ? "" : " stRef:filePath=\"\(XMLText.escaped(original.fileName))\""
    return """
      <xmpMM:DerivedFrom xmlns:xmpMM="\(Namespace.xmpMM)" xmlns:stRef="\(Namespace.stRef)"\(name) \
      stRef:documentID="\(XMLText.escaped(original.documentID))" \
      stRef:manager="\(XMLText.escaped(original.manager ?? ""))"\(edit ?? "")/>
      """
  }

  /// Removes padding, as much as the packet grew or is too large for a segment.
  private func refit(_ edited: [UInt8]) -> [UInt8] {
    let excess = edited.count - min(bytes.count, Self.largestPacket)
    guard excess > 0, let end = XMLTree(edited)?.endInstruction else { return edited }
    let padding = edited[..<end].reversed().prefix(while: XMLTree.isSpace).count
    let cut = min(excess, padding - 1)
    guard cut > 0 else { return edited }
    return Array(edited[..<(end - cut)] + edited[end...])
  }
}
