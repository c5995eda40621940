import Foundation
import SafelightFormats
import Testing

@testable import SafelightMetadata

/// Where captions, keywords, credits and dates go in renders of each format.
@Suite struct PlacedMetadataTests {
  typealias Entry = ExifFixture.Entry
  private static let original = OriginalReference(fileName: "a.jpg", sha256: "12")

  private func iptc(_ sets: [(Int, String)]) -> [UInt8] {
    [0x1C, 1, 90, 0, 3, 0x1B, 0x25, 0x47]
      + sets.flatMap { set, text in
        let bytes = Array(text.utf8)
        return [0x1C, 2, UInt8(set), UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes
      }
  }

  private func blocks(_ metadata: CarriedMetadata, _ format: PhotoFormat, baked: Int = 1)
    -> CarriedMetadata.Blocks
  {
    metadata.blocks(for: format, size: (8, 4), baked: baked, derivedFrom: Self.original)
  }

  private func xmp(_ blocks: CarriedMetadata.Blocks) throws -> XMPPacket {
    try #require(blocks.xmp.flatMap { XMPPacket($0) })
  }

  private var described: CarriedMetadata {
    var metadata = CarriedMetadata()
    metadata.photoshop = PhotoshopResources(
      iptc: iptc([
        (120, "Überschrift & mehr"), (25, "eins"), (25, "zwei"), (80, "Zoë"), (116, "© Zoë"),
        (110, "Agentur"), (90, "Bern"), (55, "20220304"), (60, "101112+0100"), (118, "call me"),
      ]))
    metadata.others = [.init(marker: 0xFE, payload: Array("ein Kommentar".utf8))]
    return metadata
  }

  @Test(arguments: [PhotoFormat.png, .webp]) func iptcBecomesXMP(format: PhotoFormat) throws {
    let blocks = blocks(described, format)
    let packet = try xmp(blocks)
    typealias Name = XMPPacket.Namespace
    #expect(packet.text(Name.dc, "description") == "Überschrift & mehr")
    #expect(packet.texts(Name.dc, "subject") == ["eins", "zwei"])
    #expect(packet.texts(Name.dc, "creator") == ["Zoë"])
    #expect(packet.text(Name.dc, "rights") == "© Zoë")
    #expect(packet.text(Name.photoshop, "Credit") == "Agentur")
    #expect(packet.text(Name.photoshop, "City") == "Bern")
    #expect(packet.text(Name.photoshop, "DateCreated") == "2022-03-04T10:11:12+01:00")
    #expect(packet.derivedFrom?.fileName == "a.jpg")
    #expect(blocks.warnings == [.iptcNotCarried([118])])
    #expect(blocks.iptc == nil)
    let comment = packet.text(Name.exif, "UserComment")
    #expect(comment == (format == .png ? nil : "ein Kommentar"))
    let chunk = Array("iTXtComment\0\0\0\0\0ein Kommentar".utf8)
    #expect(blocks.chunks.firstRange(of: chunk) != nil || format == .webp)
  }

  @Test func theXMPOfTheFileCountsUnlessTheRecordsAreNewer() throws {
    typealias Name = XMPPacket.Namespace
    var metadata = described
    metadata.xmpPackets = [
      XMPPacketTests.packet(
        "<rdf:Description rdf:about='' xmlns:dc='\(Name.dc)'><dc:description><rdf:Alt>"
          + "<rdf:li xml:lang='x-default'>old</rdf:li></rdf:Alt></dc:description></rdf:Description>"
      )
    ]
    #expect(try xmp(blocks(metadata, .png)).text(Name.dc, "description") == "old")
    #expect(try xmp(blocks(metadata, .png)).texts(Name.dc, "subject") == ["eins", "zwei"])
    #expect(blocks(metadata, .png).warnings.contains(.xmpSaysOther(["dc:description"])))
    // Resource 1061 has the digest of other records.
    let digest: [UInt8] =
      Array("8BIM".utf8) + [0x04, 0x25, 0, 0, 0, 0, 0, 16] + [UInt8](repeating: 7, count: 16)
    metadata.photoshop = PhotoshopResources((metadata.photoshop?.bytes ?? []) + digest)
    let packet = try xmp(blocks(metadata, .webp))
    #expect(packet.text(Name.dc, "description") == "Überschrift & mehr")
    #expect(packet.properties(Name.dc, "description").count == 1)
  }

  /// ExifTool compares the digest with the records as they stand in the file, in a TIFF with zeros behind.
  @Test func theDigestIsThatOfTheRecordsInTheFile() throws {
    var metadata = described
    let records = try #require(metadata.photoshop?.iptc)
    #expect(!records.count.isMultiple(of: 4))
    let digest: [UInt8] =
      Array("8BIM".utf8) + [0x04, 0x25, 0, 0, 0, 0, 0, 16] + MD5.digest(records)
    metadata.photoshop = PhotoshopResources((metadata.photoshop?.bytes ?? []) + digest)
    let blocks = blocks(metadata, .tiff)
    let padded = records + [UInt8](repeating: 0, count: 4 - records.count % 4)
    #expect(blocks.photoshop == digest.dropLast(16) + MD5.digest(padded))
    // Read back, the records have no zeros, and their digest is theirs again.
    let resources = PhotoshopResources(
      PhotoshopResources(iptc: padded).bytes + (blocks.photoshop ?? []))
    var read = resources
    #expect(read.hasNewerIPTC)
    read.digestPlain()
    #expect(!read.hasNewerIPTC)
    // The digest of other records stays.
    metadata.photoshop = PhotoshopResources(
      (described.photoshop?.bytes ?? []) + digest.dropLast(16) + [UInt8](repeating: 7, count: 16))
    #expect(
      self.blocks(metadata, .tiff).photoshop?.suffix(16).elementsEqual(
        [UInt8](repeating: 7, count: 16)) == true)
  }

  @Test func extendedXMPIsJoined() throws {
    typealias Name = XMPPacket.Namespace
    let long = String(repeating: "wort ", count: 14_000)
    let packet = XMPPacketTests.packet(
      "<rdf:Description rdf:about='' xmlns:dc='\(Name.dc)' dc:format='x' dc:source='\(long)'/>")
    let segments = ExtendedXMP.segments(packet, derivedFrom: Self.original)
    let file = PhotoBytes(Data([0xFF, 0xD8] + segments + [0xFF, 0xD9]))
    let metadata = CarriedMetadata(original: file)
    #expect(metadata.extendedXMP.count == 2)
    for format in [PhotoFormat.png, .tiff, .webp] {
      let blocks = blocks(metadata, format)
      let text = try xmp(blocks).text(Name.dc, "source")
      #expect(text == long.withoutOuterSpaces)
      #expect(blocks.warnings.isEmpty)
      #expect(blocks.xmp?.firstRange(of: Array("HasExtendedXMP".utf8)) == nil)
    }
  }

  @Test func textsOfAPNGAreCarried() throws {
    typealias Name = XMPPacket.Namespace
    let png = OtherFormatsTests.png([
      ("tEXt", Array("Title\0T".utf8)), ("tEXt", Array("Author\0Zo".utf8) + [0xEB]),
      ("iTXt", Array("Description\0\0\0\0\0Wörter".utf8)), ("tEXt", Array("Comment\0c".utf8)),
      ("tEXt", Array("Creation Time\0Sat, 01 May 2021 12:00:00 GMT".utf8)),
      ("tEXt", Array("parameters\0steps".utf8)), ("IEND", []),
    ])
    let metadata = CarriedMetadata(original: PhotoBytes(png))
    let packet = try xmp(blocks(metadata, .webp))
    #expect(packet.text(Name.dc, "title") == "T")
    #expect(packet.texts(Name.dc, "creator") == ["Zoë"])
    #expect(packet.text(Name.dc, "description") == "Wörter")
    #expect(packet.text(Name.photoshop, "DateCreated") == "2021-05-01T12:00:00Z")
    #expect(packet.text(Name.exif, "UserComment") == "c")
    #expect(blocks(metadata, .tiff).warnings == [.textNotCarried(keywords: ["parameters"])])
    let own = blocks(metadata, .png)
    #expect(own.warnings.isEmpty)
    #expect(own.chunks.firstRange(of: Array("tEXtparameters\0steps".utf8)) != nil)

    let header = metadata.header(size: (8, 4), baked: 1, profile: nil, derivedFrom: Self.original)
    #expect(header.warnings == [.textNotCarried(keywords: ["parameters"])])
    #expect(Array(header.bytes.suffix(5)) == [0xFF, 0xFE, 0, 3, UInt8(ascii: "c")])
  }

  @Test func theResolutionTurnsWithThePicture() throws {
    var metadata = CarriedMetadata()
    metadata.jfif = Array("JFIF\0".utf8) + [1, 1, 1, 1, 44, 0, 150, 0, 0]
    #expect(blocks(metadata, .tiff).density == PixelDensity(across: 300, down: 150, unit: .inch))
    let turned = blocks(metadata, .webp, baked: 6)
    #expect(turned.density == PixelDensity(across: 150, down: 300, unit: .inch))
    #expect(try xmp(turned).number(XMPPacket.Namespace.tiff, "XResolution") == 150)
    // 5,906 pixels in a meter, then 11,811.
    let chunk: [UInt8] = Array("pHYs".utf8) + [0, 0, 0x17, 0x12, 0, 0, 0x2E, 0x23, 1]
    #expect(blocks(metadata, .png, baked: 6).chunks.firstRange(of: chunk) != nil)
  }

  @Test(arguments: [false, true]) func aTIFFGetsAllDirectories(isLittle: Bool) throws {
    // What an encoder writes: the size, and a place of the pixels.
    var encoded = ExifFixture(little: true, size: 64, firstDirectory: 16)
    encoded.directory(
      at: 16,
      [
        Entry(256, 3, 1, encoded.short(8)), Entry(257, 3, 1, encoded.short(4)),
        Entry(273, 4, 1, encoded.long(8)),
      ])
    var metadata = described
    metadata.exifBlocks = [ExifFixture.camera(little: isLittle).bytes]
    let source = try #require(metadata.exif)
    let placed = blocks(metadata, .tiff)
    let splicer = try #require(TIFFSplicer(encoded.bytes, placed))
    let file = splicer.beginning + encoded.bytes[8...] + splicer.end
    let read = CarriedMetadata(original: PhotoBytes(Data(file)))
    #expect(read.warnings.isEmpty)
    let exif = try #require(read.exif)
    #expect(exif.order == .little)
    #expect(exif.make == source.make && exif.model == source.model)
    #expect(exif.captureTime == source.captureTime)
    #expect(exif.latitude == source.latitude && exif.longitude == source.longitude)
    #expect(exif.exposureTime == source.exposureTime && exif.orientation == 1)
    #expect(read.xmp?.text(XMPPacket.Namespace.exif, "UserComment") == "ein Kommentar")
    let records = IPTCRecords(try #require(read.photoshop?.iptc))
    #expect(records.texts(120) == ["Überschrift & mehr"] && records.texts(25) == ["eins", "zwei"])
    let structure = try #require(TIFFStructure(file))
    #expect(structure.main[256]?.value != nil && structure.main[273]?.value != nil)
    #expect(structure.main[33_723]?.type == 4)
    #expect(placed.warnings.isEmpty)
  }

  @Test func aWebPGetsItsLastChunks() throws {
    func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
      var bytes = Array(type.utf8)
      bytes.append(uint32: content.count, .little)
      return bytes + content + [UInt8](repeating: 0, count: content.count % 2)
    }
    let picture = chunk("VP8X", [0x2C, 0, 0, 0, 7, 0, 0, 3, 0, 0]) + chunk("VP8 ", [1, 2, 3])
    var encoded = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP".utf8) + picture
    let kept = encoded.count
    encoded += chunk("EXIF", [9, 9, 9]) + chunk("XMP ", [8])
    var metadata = CarriedMetadata()
    metadata.exifBlocks = [ExifFixture.camera(little: false).bytes]
    let placed = blocks(metadata, .webp)
    let splicer = try #require(WebPSplicer(encoded, placed))
    #expect(splicer.kept == kept && splicer.beginning[20] == 0x2C)
    let file = splicer.beginning + encoded[splicer.beginning.count..<kept] + splicer.end
    #expect(file.uint32(at: 4, .little) == file.count - 8)
    let read = CarriedMetadata(original: PhotoBytes(Data(file)))
    #expect(read.exifBlocks.first == placed.exif && read.xmpPackets.first == placed.xmp)
    let plain = try #require(WebPSplicer(encoded, blocks(described, .webp)))
    #expect(plain.beginning[20] == 0x24)
    #expect(WebPSplicer(Array(encoded[..<40]), placed) == nil)
    #expect(WebPSplicer([], placed) == nil)
  }

  @Test func damagedFilesAreLeftAlone() {
    let placed = blocks(described, .tiff)
    #expect(TIFFSplicer(Array("MM\0*".utf8), placed) == nil)
    #expect(TIFFSplicer([], placed) == nil)
  }

  // MARK: - Damaged Exif

  @Test func entriesOfUnknownTypesAreLeftOutAndSaid() throws {
    var fixture = ExifFixture(little: false)
    fixture.directory(
      at: 8,
      [
        Entry(0x10F, 2, 5, Array("Acme\0".utf8), at: 200), Entry(0x111, 99, 1, [1]),
        Entry(0x112, 77, 1, fixture.short(6)), Entry(0x117, 98, 1, [1]), Entry(0x118, 97, 9, [1]),
      ])
    let metadata = CarriedMetadata(exif: Data(fixture.bytes))
    #expect(metadata.exif?.make == "Acme" && metadata.exif?.orientation == 1)
    #expect(metadata.warnings == [.exifTagsDamaged([0x111, 0x112, 0x117, 0x118])])
    #expect(metadata.exif?.structure.main.isWhole == true)
  }

  @Test func aTextWithAWrongCountEndsWhereItEnds() {
    var fixture = ExifFixture(little: true)
    fixture.directory(
      at: 8,
      [
        Entry(0x10F, 2, 70_000, Array("Acme\0".utf8), at: 200),
        Entry(0x112, 3, 1, fixture.short(6)),
      ])
    let metadata = CarriedMetadata(exif: Data(fixture.bytes))
    #expect(metadata.exif?.make == "Acme" && metadata.exif?.orientation == 6)
    #expect(metadata.exif?.structure.main[0x10F]?.count == 5)
    #expect(metadata.warnings.isEmpty)
  }

  @Test func animationsSayHowManyPicturesTheyHold() {
    let control: [UInt8] = [0, 0, 0, 3, 0, 0, 0, 0]
    func count(_ chunks: [(String, [UInt8])]) -> Int {
      CarriedMetadata(original: PhotoBytes(OtherFormatsTests.png(chunks))).frameCount
    }
    #expect(count([("acTL", control), ("fcTL", []), ("IDAT", []), ("IEND", [])]) == 3)
    #expect(count([("acTL", control), ("IDAT", []), ("fcTL", []), ("IEND", [])]) == 4)
    #expect(count([("IDAT", []), ("IEND", [])]) == 1)
  }
}
