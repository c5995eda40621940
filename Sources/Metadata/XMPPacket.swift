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
    static let photoshop = "http://ns.adobe.com/photoshop/1.0/"
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
    guard let document = field("documentID"), let path = field("filePath") else { return nil }
    return OriginalReference(fileName: path, documentID: document, manager: field("manager"))
  }

  /// Whether Safelight rendered the picture.
  package var isSafelightRender: Bool { derivedFrom?.manager == OriginalReference.safelight }

  /// The original that a JPEG names, read from its header alone.
  ///
  /// - Parameter jpeg: The file, memory mapped if it is large.
  /// - Returns: nil when the file is not a JPEG or names none.
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

/// The original of a render, as the render's XMP names it.
public struct OriginalReference: Sendable, Hashable {
  /// What Safelight writes as `stRef:manager`.
  public static let safelight = "Safelight"

  /// Name of the original's file, without folders.
  public let fileName: String
  /// Identifies the original's contents: `sha256:` and 64 hexadecimal digits in Safelight's own.
  public let documentID: String
  /// The program that made the render; nil when unknown.
  public let manager: String?

  /// Names an original of Safelight's.
  ///
  /// - Parameters:
  ///   - fileName: Name of the original's file.
  ///   - sha256: SHA-256 of the original in hexadecimal digits.
  public init(fileName: String, sha256: String) {
    self.init(fileName: fileName, documentID: "sha256:" + sha256, manager: Self.safelight)
  }

  init(fileName: String, documentID: String, manager: String?) {
    self.fileName = fileName
    self.documentID = documentID
    self.manager = manager
  }

  /// SHA-256 of the original in hexadecimal digits; nil when another program named it otherwise.
  public var sha256: String? {
    documentID.hasPrefix("sha256:") ? String(documentID.dropFirst(7)) : nil
  }
}
