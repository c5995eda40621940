import FoundationEssentials

/// An XMP packet: UTF-8 text that is edited in place, never written anew.
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
    static let hdrgm = "http://ns.adobe.com/hdr-gain-map/1.0/"
    static let appleGainMap = "http://ns.apple.com/HDRGainMap/1.0/"
    static let container = "http://ns.google.com/photos/1.0/container/"
    static let camera = "http://ns.google.com/photos/1.0/camera/"
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
    // Some writers end the text as C does, which XML parsers refuse.
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

  /// What the packet says the picture was made from; nil when it does not say.
  package var derivedFrom: OriginalReference? {
    guard let element = properties(Namespace.xmpMM, "DerivedFrom").first else { return nil }
    let parts = [element] + element.children.map { tree.elements[$0] }
    func field(_ name: String) -> String? {
      for part in parts {
        if let found = part.attributes.first(where: {
          $0.namespace == Namespace.stRef && $0.name == name
        }) {
          return text(found.value)
        }
        let children = part.children.map { tree.elements[$0] } + [part]
        if let found = children.first(where: { $0.namespace == Namespace.stRef && $0.name == name }
        ),
          let content = found.content
        {
          return text(content)
        }
      }
      return nil
    }
    guard let document = field("documentID"), let path = field("filePath") else { return nil }
    return OriginalReference(fileName: path, documentID: document, manager: field("manager"))
  }

  /// Whether Safelight rendered the picture.
  package var isSafelightRender: Bool { derivedFrom?.manager == OriginalReference.safelight }

  /// What a JPEG says it was made from, read without looking beyond its header.
  ///
  /// - Parameter jpeg: The file, memory mapped if it is large.
  /// - Returns: nil when the file is no JPEG or does not say.
  package static func derivedFrom(inJPEG jpeg: Data) -> OriginalReference? {
    jpeg.withUnsafeBytes { bytes in
      guard let walk = JPEGSegments(bytes) else { return nil }
      return walk.segments.lazy.filter { segment in
        segment.marker == 0xE1
          && bytes.has("http://ns.adobe.com/xap/1.0/\0", at: segment.payload.lowerBound)
      }.compactMap { segment in
        XMPPacket(bytes[segment.payload.dropFirst(CarriedMetadata.xmpHeader.count)])?.derivedFrom
      }.first
    }
  }

  /// Property elements of the picture with a name, in document order.
  func properties(_ namespace: String, _ name: String) -> [XMLTree.Element] {
    descriptions.flatMap(\.children).map { tree.elements[$0] }
      .filter { $0.namespace == namespace && $0.name == name }
  }

  private func text(_ range: Range<Int>) -> String {
    XMLText.unescaped(String(decoding: bytes[range], as: UTF8.self))
  }
}
