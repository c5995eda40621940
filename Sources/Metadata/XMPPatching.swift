import FoundationEssentials
import SafelightFormats

extension XMPPacket {
  /// The most bytes of a packet in a JPEG's APP1, after the XMP header of 29 bytes.
  static let largestPacket = JPEGSegments.largestPayload - 29

  /// A packet with the name of the original and nothing else.
  static func minimal(derivedFrom original: OriginalReference) -> [UInt8] {
    [UInt8](
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="\(Namespace.rdf)">
        <rdf:Description rdf:about="">
         \(derivedFromElement(original))
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
  ///   - original: What the render was made from; nil leaves `xmpMM:DerivedFrom` as it is.
  /// - Returns: The new packet; white space at its end makes up for the growth as far as it goes.
  func patched(
    size: (width: Int, height: Int), resolution: Double? = nil,
    derivedFrom original: OriginalReference?
  ) -> [UInt8] {
    var edits = TextEdits()
    var values = [
      Namespace.tiff + "Orientation": "1",
      Namespace.tiff + "ImageWidth": "\(size.width)",
      Namespace.tiff + "ImageLength": "\(size.height)",
      Namespace.exif + "PixelXDimension": "\(size.width)",
      Namespace.exif + "PixelYDimension": "\(size.height)",
    ]
    if let resolution {
      values[Namespace.tiff + "XResolution"] = "\(Int((resolution * 1000).rounded()))/1000"
      values[Namespace.tiff + "YResolution"] = values[Namespace.tiff + "XResolution"]
      values[Namespace.tiff + "ResolutionUnit"] = "2"
    }
    for description in descriptions {
      for attribute in description.attributes {
        if Self.isStale(attribute.namespace, attribute.name) {
          edits.remove(attribute.range, withSpaceIn: bytes)
        } else if let value = values[(attribute.namespace ?? "") + attribute.name] {
          edits.replace(attribute.value, with: value)
        }
      }
      for child in tree.children(of: description) {
        if Self.isStale(child.namespace, child.name) {
          edits.remove(child.range, withSpaceIn: bytes)
        } else if let value = values[(child.namespace ?? "") + child.name], child.children.isEmpty,
          let content = child.content
        {
          edits.replace(content, with: value)
        }
      }
    }
    if let original { edit(derivedFrom: original, into: &edits) }
    return refit(edits.applied(to: bytes))
  }

  /// Whether a property describes something that a render does not have: a gain map, a
  /// motion photo's video, a list of further images, thumbnails of the unedited picture.
  private static func isStale(_ namespace: String?, _ name: String) -> Bool {
    switch namespace {
    case Namespace.hdrgm, Namespace.appleGainMap: true
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
  private func prefix(of element: XMLTree.Element) -> String {
    let name = bytes[(element.range.lowerBound + 1)...]
    let written = name.prefix {
      !XMLTree.isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
    }
    return String(decoding: written.dropLast(element.name.utf8.count), as: UTF8.self)
  }

  private static func derivedFromElement(_ original: OriginalReference) -> String {
    """
    <xmpMM:DerivedFrom xmlns:xmpMM="\(Namespace.xmpMM)" xmlns:stRef="\(Namespace.stRef)" \
    stRef:filePath="\(XMLText.escaped(original.fileName))" \
    stRef:documentID="\(XMLText.escaped(original.documentID))" \
    stRef:manager="\(XMLText.escaped(original.manager ?? ""))"/>
    """
  }

  /// Takes padding away, as much as the packet grew or is too large for a segment.
  private func refit(_ edited: [UInt8]) -> [UInt8] {
    let excess = edited.count - min(bytes.count, Self.largestPacket)
    guard excess > 0, let end = XMLTree(edited)?.endInstruction else { return edited }
    let padding = edited[..<end].reversed().prefix(while: XMLTree.isSpace).count
    let cut = min(excess, padding - 1)
    guard cut > 0 else { return edited }
    return Array(edited[..<(end - cut)] + edited[end...])
  }
}

/// Replacements in a text: collected first, then applied together.
struct TextEdits {
  private var edits: [(range: Range<Int>, text: [UInt8])] = []

  mutating func replace(_ range: Range<Int>, with text: String) {
    edits.append((range, Array(text.utf8)))
  }

  /// Removes a part and the white space before it.
  mutating func remove(_ range: Range<Int>, withSpaceIn bytes: [UInt8]) {
    let space = bytes[..<range.lowerBound].reversed().prefix(while: XMLTree.isSpace).count
    edits.append((range.lowerBound - space..<range.upperBound, []))
  }

  /// The text with all replacements made. A replacement that overlaps an earlier one is left out.
  func applied(to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var offset = 0
    // An insertion comes before a removal that begins at the same place.
    let ordered = edits.sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    for edit in ordered
    where edit.range.lowerBound >= offset {
      result += bytes[offset..<edit.range.lowerBound]
      result += edit.text
      offset = edit.range.upperBound
    }
    return result + bytes[offset...]
  }
}

/// XMP too large for one segment: a short packet names a long one by its digest.
///
/// Source: XMP specification part 3, section 1.1.3.1.
enum ExtendedXMP {
  /// A packet as one segment of standard XMP and as many of extended XMP as it takes.
  ///
  /// - Parameters:
  ///   - packet: Text of a readable packet.
  ///   - original: Named in the standard packet, where readers without extended XMP find it.
  static func segments(_ packet: [UInt8], derivedFrom original: OriginalReference) -> [UInt8] {
    guard let xmp = XMPPacket(packet), let root = xmp.tree.elements.first else { return [] }
    // Extended XMP has no wrapper, no padding, and nothing that the standard packet says.
    var edits = TextEdits()
    edits.replace(0..<root.range.lowerBound, with: "")
    for element in xmp.properties(XMPPacket.Namespace.xmpMM, "DerivedFrom") {
      edits.remove(element.range, withSpaceIn: packet)
    }
    edits.replace(root.range.upperBound..<packet.count, with: "")
    let text = edits.applied(to: packet)
    let digest = MD5.hexDigest(text)
    let note =
      "xmlns:xmpNote=\"http://ns.adobe.com/xmp/note/\" xmpNote:HasExtendedXMP=\"\(digest)\""
    let standard = String(decoding: XMPPacket.minimal(derivedFrom: original), as: UTF8.self)
      .replacing("rdf:about=\"\"", with: "rdf:about=\"\" \(note)")
    var result: [UInt8] = []
    result.append(segment: 0xE1, header: CarriedMetadata.xmpHeader, payload: Array(standard.utf8))
    var offset = 0
    while offset < text.count {
      var header = CarriedMetadata.extendedXMPHeader + Array(digest.utf8)
      header.append(uint32: text.count)
      header.append(uint32: offset)
      let piece = text[offset...].prefix(JPEGSegments.largestPayload - header.count)
      result.append(segment: 0xE1, header: header, payload: piece)
      offset += piece.count
    }
    return result
  }
}
