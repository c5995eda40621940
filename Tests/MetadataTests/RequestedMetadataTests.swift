import Foundation
import FoundationXML
import SafelightFormats
import Testing

@testable import SafelightMetadata

/// What pictures keep of a photo's metadata when something is asked of them.
@Suite struct RequestedMetadataTests {
  private static func request(_ change: (inout MetadataRequest) -> Void) -> MetadataRequest {
    var request = MetadataRequest()
    change(&request)
    return request
  }

  private static let titled = request { $0.title = "T" }
  private static let withoutPlace = request { $0.leavesOutPlace = true }
  private static let copyright = request { $0.kept = .copyright }

  // MARK: - IPTC

  private static func set(_ number: UInt8, _ text: String, extended width: Int = 0) -> [UInt8] {
    let count = text.utf8.count
    let length: [UInt8] =
      width == 0
      ? [UInt8(count >> 8), UInt8(count & 255)]
      : [0x80, UInt8(width)]
        + (0..<width).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    return [0x1C, 2, number] + length + Array(text.utf8)
  }

  private static let caption = String(repeating: "wort ", count: 8000)
  private static func records(_ middle: [UInt8]) -> [UInt8] {
    set(25, "first") + middle + set(25, "second") + set(116, "old owner")
  }

  private func fulfilled(_ records: [UInt8], _ request: MetadataRequest) -> CarriedMetadata {
    var metadata = CarriedMetadata()
    metadata.photoshop = PhotoshopResources(iptc: records)
    return metadata.fulfilling(request, in: .jpeg)
  }

  private func read(_ metadata: CarriedMetadata) throws -> IPTCRecords {
    IPTCRecords(try #require(metadata.photoshop?.iptc))
  }

  @Test(arguments: [1, 2, 4, 8]) func aLengthMayHaveALengthOfItsOwn(width: Int) throws {
    let text =
      width == 1 ? "short" : width == 2 ? String(Self.caption.prefix(40_000)) : Self.caption
    let bytes = Self.records(Self.set(120, text, extended: width))
    for request in [Self.titled, Self.withoutPlace] {
      let metadata = fulfilled(bytes, request)
      let records = try read(metadata)
      #expect(records.texts(25) == ["first", "second"] && records.texts(116) == ["old owner"])
      #expect(records.texts(120) == [text.withoutOuterSpaces])
      #expect(metadata.warnings.isEmpty)
    }
    let owned = fulfilled(bytes, Self.copyright)
    #expect(try read(owned).texts(116) == ["old owner"])
    #expect(try read(owned).dataSets == [116])
  }

  @Test(
    arguments: [
      [0x80, 0], [0x80, 9, 1, 2, 3], [0x80, 4, 0xFF, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 1],
      [0x80, 8, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x80], [0x7F, 0xFF],
    ] as [[UInt8]])
  func aLengthBeyondTheRecordsIsNotRead(length: [UInt8]) {
    let sets = IPTCDataSets(Self.set(25, "first") + [0x1C, 2, 120] + length)
    #expect(!sets.isWhole && sets.unread.count == 3 + length.count)
    #expect(sets.values.keys.sorted() == [25])
  }

  @Test func theEndThatCannotBeReadStaysWhenNothingIsLeftOut() throws {
    let bytes = Self.records([7])
    let metadata = fulfilled(bytes, Self.titled)
    let written = try #require(metadata.photoshop?.iptc)
    #expect(Array(written.suffix(bytes.count - 10)) == Array(bytes.dropFirst(10)))
    #expect(IPTCRecords(written).texts(5) == ["T"] && IPTCRecords(written).texts(25) == ["first"])
    let header = metadata.header(
      size: (8, 4), baked: 1, profile: nil, derivedFrom: .init(fileName: "a", sha256: "0"))
    #expect(header.warnings == [.iptcUnreadable(isCarried: true)])
  }

  @Test(arguments: [withoutPlace, copyright])
  func theEndThatCannotBeReadIsNotLeftOutWithoutAWord(request: MetadataRequest) {
    let bytes = Self.records([7])
    let metadata = fulfilled(bytes, request)
    #expect(metadata.warnings == [.iptcEndNotCarried(bytes: bytes.count - 10)])
    #expect(metadata.photoshop?.bytes.firstRange(of: Array("owner".utf8)) == nil)
    // Zeros that fill a TIFF's field are no end.
    #expect(fulfilled(Self.records([]) + [0, 0, 0], request).warnings.isEmpty)
  }

  // MARK: - XMP

  private static let names = """
    xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:unused="http://secret/" \
    xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \
    xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/"
    """

  private static let packet = Array(
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?><!-- secret before -->
    <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="secret Tool 1" xmlns:y="http://secret/y/">
     <y:z>secret beside</y:z><?secret instruction?>
     <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" \(names)>secret text
      <!-- secret Munich -->
      <y:z>secret node</y:z>
      <r:Description r:about="secret about" photoshop:Credit="Agency" city="secret" gps:City="secret">
       secret text
       <dc:rights><!-- secret > comment --><r:Alt><r:li xml:lang="x-default"\
        ><![CDATA[<!-- Ann --> & ]]>Bob</r:li></r:Alt></dc:rights>
       <photoshop:City>secret City</photoshop:City><city>secret</city>
      </r:Description>
      <r:Description r:about="" xmlns:own="http://own/"><own:note own:more="1">kept</own:note></r:Description>
     </r:RDF>
    </x:xmpmeta>
    <!-- secret after --><?xpacket end="w"?>
    """.utf8)

  @Test(arguments: [withoutPlace, copyright])
  func whatStandsBesideThePropertiesIsLeftOut(request: MetadataRequest) throws {
    let isCopyright = request.kept == .copyright
    var metadata = CarriedMetadata()
    metadata.xmpPackets = [Self.packet]
    let result = metadata.fulfilling(request, in: .jpeg)
    #expect(result.warnings.isEmpty)
    let bytes = try #require(result.xmpPackets.first)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(!text.contains("secret"), "\(text)")
    // Another parser must accept it, as it is and in a render.
    let packet = try #require(XMPPacket(bytes))
    let original = OriginalReference(fileName: "a.jpg", sha256: "12")
    for bytes in [bytes, packet.patched(size: (8, 4), derivedFrom: original)] {
      let parser = XMLParser(data: Data(bytes))
      parser.shouldProcessNamespaces = true
      #expect(parser.parse(), "\(parser.parserError.debugDescription)")
    }
    typealias Name = XMPPacket.Namespace
    #expect(packet.text(Name.dc, "rights") == "<!-- Ann --> & Bob")
    #expect(packet.text(Name.photoshop, "Credit") == "Agency")
    #expect(packet.text("http://own/", "note") == (isCopyright ? nil : "kept"))
    #expect(packet.descriptions.count == (isCopyright ? 1 : 2))
  }

  @Test func aPacketInWhichNothingIsKeptNamesTheOriginal() throws {
    let bytes = XMPPacketTests.packet("<rdf:Description rdf:about=''/>")
    let packet = try #require(XMPPacket(bytes))
    let empty = try #require(XMPPacket(packet.keeping { _, _ in false }))
    #expect(empty.descriptions.isEmpty)
    let original = OriginalReference(fileName: "a.jpg", sha256: "12")
    let patched = XMPPacket(empty.patched(size: (8, 4), derivedFrom: original))
    #expect(patched?.derivedFrom?.fileName == "a.jpg")
  }

  @Test func aPacketMayHaveRDFWithoutAPrefix() throws {
    let packet = try #require(
      XMPPacket(
        Array(
          """
          <RDF xmlns="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="\(XMPPacket.Namespace.dc)">\
          <Description><dc:creator><Seq><li>Ann</li></Seq></dc:creator></Description></RDF>
          """.utf8)))
    let kept = try #require(XMPPacket(packet.keeping { _, name in name == "creator" }))
    #expect(kept.texts(XMPPacket.Namespace.dc, "creator") == ["Ann"])
  }

  // MARK: - Texts

  @Test(arguments: [";", " ; ;"]) func creatorsWithoutANameChangeNothing(creator: String) throws {
    var metadata = CarriedMetadata()
    metadata.photoshop = PhotoshopResources(iptc: Self.set(80, "Zoë"))
    let result = metadata.fulfilling(Self.request { $0.creator = creator }, in: .jpeg)
    #expect(result.exifBlocks.isEmpty && result.xmpPackets.isEmpty)
    #expect(try read(result).texts(80) == ["Zoë"])
    #expect(MetadataRequest.names(ofCreator: " Ann ;; Bob;") == ["Ann", "Bob"])
  }
}
