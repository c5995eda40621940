import FoundationEssentials

/// XMP beyond one segment: a short packet that names a long one by its digest.
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
    // Wrapper and padding have no place in extended XMP, nor has what the standard packet says.
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
