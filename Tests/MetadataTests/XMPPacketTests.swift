import Foundation
import FoundationXML
import Testing

@testable import SafelightMetadata

@Suite struct XMPPacketTests {
  static let original = OriginalReference(
    fileName: "a<b>&\"c\"\n.jpg", sha256: String(repeating: "0f", count: 32))

  static func packet(_ inside: String, padding: Int = 0) -> [UInt8] {
    Array(
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      \(inside)
       </rdf:RDF>
      </x:xmpmeta>\(String(repeating: " ", count: padding))
      <?xpacket end="w"?>
      """.utf8)
  }

  static func description(_ attributes: String, _ content: String? = nil) -> [UInt8] {
    let names = """
      xmlns:tiff="http://ns.adobe.com/tiff/1.0/" xmlns:exif='http://ns.adobe.com/exif/1.0/' \
      xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" \
      xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" \
      xmlns:Container="http://ns.google.com/photos/1.0/container/" \
      xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" \
      xmlns:st="http://ns.adobe.com/xap/1.0/sType/ResourceRef#"
      """
    let end = content.map { ">\($0)</rdf:Description>" } ?? "/>"
    return packet("<rdf:Description rdf:about=\"\" \(names) \(attributes)\(end)")
  }

  static func patched(_ packet: [UInt8]) throws -> String {
    let xmp = try #require(XMPPacket(packet))
    let result = xmp.patched(size: (640, 480), derivedFrom: original)
    // Another parser must accept every result.
    let parser = XMLParser(data: Data(result))
    parser.shouldProcessNamespaces = true
    #expect(parser.parse(), "\(parser.parserError.debugDescription)")
    return String(decoding: result, as: UTF8.self)
  }

  @Test func aNewPacketNamesTheOriginal() throws {
    let xmp = try #require(XMPPacket(XMPPacket.minimal(derivedFrom: Self.original)))
    #expect(xmp.derivedFrom == Self.original)
    #expect(xmp.isSafelightRender)
    #expect(xmp.derivedFrom?.sha256 == String(repeating: "0f", count: 32))
  }

  @Test(arguments: ["\"", "'"])
  func attributesAreUpdatedWithEitherQuote(quote: String) throws {
    let result = try Self.patched(
      Self.description(
        "tiff:Orientation=\(quote)6\(quote) exif:PixelXDimension = \(quote)1\(quote)"))
    #expect(result.contains("tiff:Orientation=\(quote)1\(quote)"))
    #expect(result.contains("exif:PixelXDimension = \(quote)640\(quote)"))
    #expect(!result.contains("PixelYDimension"))
  }

  @Test func elementsAreUpdated() throws {
    let result = try Self.patched(
      Self.description(
        "", "<tiff:Orientation>8</tiff:Orientation>\n<tiff:ImageLength>9</tiff:ImageLength>"))
    #expect(result.contains("<tiff:Orientation>1</tiff:Orientation>"))
    #expect(result.contains("<tiff:ImageLength>480</tiff:ImageLength>"))
  }

  @Test func otherPrefixesAreUnderstood() throws {
    let result = try Self.patched(
      Self.packet(
        "<rdf:Description xmlns:a='http://ns.adobe.com/tiff/1.0/' a:Orientation='3' rdf:about=''/>")
    )
    #expect(result.contains("a:Orientation='1'"))
  }

  @Test(
    arguments: [
      ("hdrgm:Version=\"1.0\"", nil), ("", "<hdrgm:GainMapMax>3</hdrgm:GainMapMax>"),
      ("GCamera:MotionPhoto=\"1\" GCamera:MicroVideoOffset=\"7\"", nil),
      ("", "<Container:Directory><rdf:Seq><rdf:li/></rdf:Seq></Container:Directory>"),
      ("", "<xmp:Thumbnails><rdf:Alt><rdf:li>x</rdf:li></rdf:Alt></xmp:Thumbnails>"),
    ] as [(String, String?)])
  func whatTheRenderMakesFalseGoes(attributes: String, content: String?) throws {
    let result = try Self.patched(Self.description(attributes + " xmp:Rating=\"4\"", content))
    for name in ["Version=\"1.0\"", "GainMapMax", "MotionPhoto", "MicroVideo", "Seq", "Thumbnails"]
    {
      #expect(!result.contains(name))
    }
    #expect(result.contains("xmp:Rating=\"4\""))
    #expect(try #require(XMPPacket(Array(result.utf8))).isSafelightRender)
  }

  @Test(arguments: [
    "<xmpMM:DerivedFrom st:filePath=\"old\" st:documentID=\"x\"/>",
    "<xmpMM:DerivedFrom rdf:parseType='Resource'><st:documentID>old</st:documentID></xmpMM:DerivedFrom>",
    "<xmpMM:DerivedFrom><rdf:Description st:documentID='old'/></xmpMM:DerivedFrom>",
  ])
  func anEarlierOriginalIsReplaced(element: String) throws {
    let result = try Self.patched(
      Self.description(
        "xmpMM:DocumentID=\"keep\"", element + "<xmpMM:InstanceID>too</xmpMM:InstanceID>"))
    let xmp = try #require(XMPPacket(Array(result.utf8)))
    #expect(xmp.derivedFrom == Self.original)
    #expect(!result.contains("old"))
    #expect(result.contains("xmpMM:DocumentID=\"keep\""))
    #expect(result.contains("<xmpMM:InstanceID>too</xmpMM:InstanceID>"))
  }

  @Test func resourceFormIsRead() throws {
    let xmp = try #require(
      XMPPacket(
        Self.description(
          "",
          "<xmpMM:DerivedFrom rdf:parseType='Resource'><st:documentID>d</st:documentID>"
            + "<st:filePath>a&amp;b&#x41;</st:filePath></xmpMM:DerivedFrom>")))
    #expect(xmp.derivedFrom?.fileName == "a&bA")
    #expect(xmp.derivedFrom?.documentID == "d")
    #expect(!xmp.isSafelightRender)
  }

  @Test(arguments: [
    "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>",
    "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'></r:RDF>",
    "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><r:Description/></r:RDF>",
  ])
  func emptyPacketsTakeTheOriginalsName(packet: String) throws {
    let result = try Self.patched(Array(packet.utf8))
    #expect(try #require(XMPPacket(Array(result.utf8))).derivedFrom == Self.original)
  }

  @Test func aPacketThatEndsAsInCIsReadWithoutTheEnd() throws {
    let packet = Self.packet("<rdf:Description rdf:about=''/>")
    #expect(try #require(XMPPacket(packet + [0, 0])).bytes == packet)
  }

  @Test func growthComesOutOfThePadding() throws {
    let packet = Self.packet("<rdf:Description rdf:about=''/>", padding: 2000)
    #expect(try Self.patched(packet).utf8.count == packet.count)
  }

  @Test func whatIsNotEditedStaysByteForByte() throws {
    let inside =
      "<rdf:Description  rdf:about = ''\n\t><!-- <x> --><a:b xmlns:a='u'>é &lt; </a:b ></rdf:Description>"
    let packet = Self.packet(inside)
    let xmp = try #require(XMPPacket(packet))
    #expect(xmp.patched(size: (1, 1), derivedFrom: nil) == packet)
  }

  @Test(arguments: [
    "", "no xml", "<a>", "<a></b>", "<a x=1/>", "<a x='<'/>", "<a/><b/>", "<a><!-- </a>",
    "<!DOCTYPE a [<!ENTITY b \"c\">]><a/>", "<rdf:RDF/>",
  ])
  func whatCannotBeReadIsNoPacket(text: String) {
    #expect(XMPPacket(Array(text.utf8)) == nil)
    let wide = Array(text.utf16).flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    #expect(XMPPacket(wide) == nil)
  }

  @Test(arguments: ["", "a", "message digest"])
  func digestsAgreeWithTheStandard(text: String) {
    // RFC 1321, appendix A.5.
    let expected = [
      "": "D41D8CD98F00B204E9800998ECF8427E", "a": "0CC175B9C0F1B6A831C399E269772661",
      "message digest": "F96B697D7CB7938D525A2F31AAF161D0",
    ]
    #expect(MD5.hexDigest(Array(text.utf8)) == expected[text])
  }
}
