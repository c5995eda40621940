import FoundationEssentials
import SafelightFormats

/// XMP too large for one segment: a short packet names a long one by its digest.
///
/// Source: XMP specification part 3, section 1.1.3.1.
enum ExtendedXMP {
  /// A packet as one segment of standard XMP and as many of extended XMP as it takes.
  ///
  /// - Parameters:
  ///   - packet: Text of a readable packet.
  ///   - original: Named in the standard packet, where readers without extended XMP find it.
  static func segments(_ packet: [UInt8], derivedFrom original: OriginalReference?) -> [UInt8] {
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
    let short = original.map(XMPPacket.minimal) ?? XMPPacket.empty
    let standard = String(decoding: short, as: UTF8.self)
      .replacing("rdf:about=\"\"", with: "rdf:about=\"\" \(note)")
    var result: [UInt8] = []
    result.append(segment: 0xE1, header: CarriedMetadata.xmpHeader, payload: Array(standard.utf8))
    for payload in payloads(of: text, named: digest) {
      result.append(segment: 0xE1, payload: payload)
    }
    return result
  }

  /// The payloads of the segments that hold a text.
  private static func payloads(of text: [UInt8], named digest: String) -> [[UInt8]] {
    var payloads: [[UInt8]] = []
    var offset = 0
    while offset < text.count {
      var payload = CarriedMetadata.extendedXMPHeader + Array(digest.utf8)
      payload.append(uint32: text.count)
      payload.append(uint32: offset)
      let piece = text[offset...].prefix(JPEGSegments.largestPayload - payload.count)
      payloads.append(payload + piece)
      offset += piece.count
    }
    return payloads
  }

  /// Extended XMP of a render, with its new name.
  struct Changed {
    /// Payloads of its segments, headers included.
    let payloads: [[UInt8]]
    fileprivate let names: (old: [UInt8], new: [UInt8])

    /// The standard packet, naming the changed one.
    func renamed(in packet: [UInt8]) -> [UInt8] {
      guard let place = packet.firstRange(of: names.old) else { return packet }
      return packet.replacing(names.old, with: names.new, subrange: place, maxReplacements: 1)
    }
  }

  /// The text of extended XMP; `nil` when it is not whole.
  ///
  /// - Parameter segments: The payloads of its segments, headers included.
  static func text(_ segments: [[UInt8]]) -> [UInt8]? {
    let start = CarriedMetadata.extendedXMPHeader.count
    guard let name = segments.first.map({ $0.dropFirst(start).prefix(32) }), name.count == 32 else {
      return nil
    }
    let parts = segments.filter { $0.dropFirst(start).starts(with: name) }
      .compactMap { part in part.uint32(at: start + 36).map { ($0, part.dropFirst(start + 40)) } }
      .sorted { $0.0 < $1.0 }
    guard parts.count == segments.count else { return nil }
    var text: [UInt8] = []
    for (offset, piece) in parts {
      guard offset == text.count else { return nil }
      text += piece
    }
    return text
  }

  /// What a render has of extended XMP: its places moved, without what no render has.
  ///
  /// - Parameters:
  ///   - segments: The payloads of its segments, headers included.
  ///   - places: Where places of the original are in the render; `nil` when nothing moves.
  /// - Returns: `nil` when nothing changes, or it is not whole.
  static func changed(_ segments: [[UInt8]], moving places: MetadataPlaces?) -> Changed? {
    let start = CarriedMetadata.extendedXMPHeader.count
    guard let name = segments.first.map({ $0.dropFirst(start).prefix(32) }),
      let text = text(segments), let xmp = XMPPacket(text)
    else { return nil }
    var edits = TextEdits()
    xmp.removeStale(into: &edits)
    if let places { xmp.edit(places, into: &edits) }
    let changed = edits.applied(to: text)
    guard changed != text else { return nil }
    let digest = MD5.hexDigest(changed)
    return Changed(
      payloads: payloads(of: changed, named: digest), names: (Array(name), Array(digest.utf8)))
  }
}
