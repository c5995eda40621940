import Foundation
import SafelightFormats
import Testing

@testable import SafelightMetadata

@Suite struct OtherFormatsTests {
  typealias Entry = ExifFixture.Entry
  static let exif = ExifFixture.camera(little: false).bytes
  static let xmp = XMPPacketTests.packet("<rdf:Description rdf:about=''/>")

  static func png(_ chunks: [(String, [UInt8])]) -> Data {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]
    for (name, data) in chunks {
      bytes.append(uint32: data.count)
      bytes += Array(name.utf8) + data + [0, 0, 0, 0]
    }
    return Data(bytes)
  }

  /// ImageMagick's form of a block of metadata.
  static func rawProfile(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let digits = data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return Array("\n\(name)\n    \(data.count)\n\(digits)\n".utf8)
  }

  @Test func pngChunksAreCarried() {
    let metadata = CarriedMetadata(
      original: Self.png([
        ("pHYs", [0, 0, 0x2E, 0x23, 0, 0, 0x2E, 0x23, 1]), ("eXIf", Self.exif),
        ("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + Self.xmp),
        ("tEXt", Array("Author\0me".utf8)), ("IEND", []),
      ]))
    #expect(metadata.exifBlocks == [Self.exif])
    #expect(metadata.xmpPackets == [Self.xmp])
    #expect(metadata.warnings.isEmpty && metadata.texts.map(\.keyword) == ["Author"])
    #expect(metadata.jfif?[7...] == [1, 1, 44, 1, 44, 0, 0])
  }

  @Test func imageMagicksRawProfilesAreCarried() {
    let records: [UInt8] = [0x1C, 2, 5, 0, 1, 65]
    let metadata = CarriedMetadata(
      original: Self.png([
        (
          "tEXt",
          Array("Raw profile type exif\0".utf8)
            + Self.rawProfile("exif", CarriedMetadata.exifHeader + Self.exif)
        ),
        ("tEXt", Array("Raw profile type xmp\0".utf8) + Self.rawProfile("xmp", Self.xmp)),
        ("tEXt", Array("Raw profile type iptc\0".utf8) + Self.rawProfile("iptc", records)),
      ]))
    #expect(metadata.exifBlocks == [Self.exif])
    #expect(metadata.xmpPackets == [Self.xmp])
    #expect(metadata.photoshop?.bytes == PhotoshopResources(iptc: records).bytes)
    #expect(metadata.warnings == [])
  }

  @Test func damagedCompressionIsReported() {
    let metadata = CarriedMetadata(
      original: Self.png([("zTXt", Array("Raw profile type exif\0\0garbage".utf8))]))
    #expect(
      metadata.warnings == [.compressedMetadataNotCarried(keyword: "Raw profile type exif")])
  }

  @Test func webPChunksAreCarried() {
    var bytes = Array("RIFF\0\0\0\0WEBPVP8X".utf8)
    for (name, data) in [
      ("", [1]), ("EXIF", CarriedMetadata.exifHeader + Self.exif), ("XMP ", Self.xmp),
    ] {
      bytes += Array(name.utf8)
      bytes.append(uint32: data.count, .little)
      bytes += data + (data.count % 2 == 1 ? [0] : [])
    }
    let metadata = CarriedMetadata(original: Data(bytes))
    #expect(metadata.exifBlocks == [Self.exif])
    #expect(metadata.xmpPackets == [Self.xmp])
  }

  @Test func aBlockThatIsTooLargeIsNamed() {
    let size = 257 << 20
    var webP = Array("RIFF\0\0\0\0WEBPXMP ".utf8)
    webP.append(uint32: size, .little)
    let metadata = CarriedMetadata(original: Data(webP) + Data(count: size))
    #expect(metadata.xmpPackets.isEmpty)
    #expect(metadata.warnings == [.blockTooLarge(bytes: size)])
    // The file ends before.
    #expect(CarriedMetadata(original: Data(webP) + Data(count: size - 1)).warnings.isEmpty)
  }

  /// A TIFF with maker notes at an offset.
  static func tiff(little: Bool, makerNote: Int, size: Int) -> ExifFixture {
    var tiff = ExifFixture(little: little, size: size, firstDirectory: 64)
    tiff.directory(
      at: 64,
      [
        Entry(0x100, 3, 1, tiff.short(6)), Entry(0x10F, 2, 6, Array("Maker\0".utf8), at: 8),
        Entry(0x111, 4, 1, tiff.long(16)), Entry(0x112, 3, 1, tiff.short(8)),
        Entry(700, 1, xmp.count, xmp, at: 1000),
        Entry(33_723, 4, 2, [0x1C, 2, 5, 0, 1, 65, 0, 0], at: 20),
        Entry(0x8769, 4, 1, tiff.long(300)),
      ])
    tiff.directory(
      at: 300,
      [
        Entry(0x927C, 7, 10, Array("makernotes".utf8), at: makerNote),
        Entry(0x9003, 2, 20, Array("2024:02:29 12:30:15\0".utf8), at: 340),
      ])
    return tiff
  }

  @Test(arguments: [true, false], [30, 200, 900, 60_000])
  func makerNotesOfATIFFKeepTheirOffset(little: Bool, offset: Int) throws {
    let tiff = Self.tiff(little: little, makerNote: offset, size: 61_000)
    let metadata = CarriedMetadata(original: Data(tiff.bytes))
    let block = try #require(metadata.exif)
    #expect(block.exif?[0x927C]?.value == offset..<offset + 10)
    #expect(block.bytes[offset..<offset + 10] == Array("makernotes".utf8)[...])
    #expect(block.captureTime == ClockTime(exif: "2024:02:29 12:30:15"))
    #expect(block.make == "Maker")
    #expect(block.orientation == 8)
    #expect(block.main.entries.map(\.tag) == [0x10F, 0x112, 0x8769])
    #expect(metadata.xmpPackets == [Self.xmp])
    #expect(metadata.photoshop?.bytes == PhotoshopResources(iptc: [0x1C, 2, 5, 0, 1, 65]).bytes)
    #expect(metadata.warnings == [])
  }

  @Test func makerNotesTooFarOutMoveWithAWarning() throws {
    let tiff = Self.tiff(little: true, makerNote: 80_000, size: 90_000)
    let metadata = CarriedMetadata(original: Data(tiff.bytes))
    let value = try #require(metadata.exif?.exif?[0x927C]?.value)
    #expect(metadata.exif?.bytes[value] == Array("makernotes".utf8)[...])
    #expect(metadata.warnings == [.makerNoteMoved])
  }

  @Test func valuesTooLargeForAJPEGAreNamed() throws {
    var tiff = ExifFixture(little: true, size: 200_000)
    tiff.directory(
      at: 8,
      [
        Entry(0x10E, 2, 40_000, [], at: 100), Entry(0x9C9B, 1, 40_001, [], at: 100),
        Entry(0xA480, 2, 70_000, [], at: 100),
      ])
    let metadata = CarriedMetadata(original: Data(tiff.bytes))
    #expect(metadata.exif?.main.entries.map(\.tag) == [0x10E])
    #expect(metadata.warnings == [.exifTagsNotCarried([0x9C9B, 0xA480])])
  }

  @Test func largePacketsBecomeExtendedXMP() throws {
    let text = String(repeating: "long ", count: 30_000)
    let packet = XMPPacketTests.description("xmp:Label=\"\(text)\"")
    let header = CarriedMetadata(xmp: Data(packet)).header(
      size: (1, 1), baked: 1, profile: nil, derivedFrom: XMPPacketTests.original)
    let payloads = JPEGStructureTests.payloads(header, 0xE1)
    #expect(payloads.count == 4)
    let standard = try #require(XMPPacket(payloads[0].dropFirst(CarriedMetadata.xmpHeader.count)))
    #expect(standard.isSafelightRender)
    let joined = payloads.dropFirst().flatMap { $0.dropFirst(75) }
    #expect(try #require(XMPPacket(joined)).derivedFrom == nil)
    #expect(payloads[1].uint32(at: 67) == joined.count)
    #expect(payloads[0].offset(of: "HasExtendedXMP", in: 0..<payloads[0].count) != nil)
    #expect(header.warnings == [])
  }

  @Test func bigTIFFIsNamedAsUnreadable() {
    let metadata = CarriedMetadata(original: Data(Array("II+\0".utf8) + [8, 0, 0, 0]))
    #expect(metadata.warnings == [.tiffUnreadable])
  }

  @Test(arguments: [(16, HDRTransfer.pq), (18, .hlg), (13, nil)] as [(Int, HDRTransfer?)])
  func hdrTransfersAreRecognized(code: Int, transfer: HDRTransfer?) throws {
    func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
      var bytes: [UInt8] = []
      bytes.append(uint32: content.count + 8)
      return bytes + Array(name.utf8) + content
    }
    let color = box("colr", Array("nclx".utf8) + [0, 9, 0, UInt8(code), 0, 9, 0x80])
    let other = box("colr", Array("nclx".utf8) + [0, 1, 0, 1, 0, 1, 0x80])
    // A display of 4,000 nits; the picture says that it does not know its brightest light.
    let light =
      box("clli", [0, 0, 0, 0])
      + box("mdcv", [UInt8](repeating: 0, count: 16) + [0x02, 0x62, 0x5A, 0] + [0, 0, 0, 0])
    // Item 2 is the picture and has all properties but the first; item 1 has the first.
    let links = box("ipma", [0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 1, 1, 0, 2, 3, 2, 3, 4])
    let file =
      box("ftyp", Array("avif".utf8)) + box("free", [1, 2])
      + box(
        "meta",
        [0, 0, 0, 0] + box("pitm", [0, 0, 0, 0, 0, 2])
          + box("iprp", box("ipco", other + color + light) + links))
    let found = try #require(CarriedMetadata(original: Data(file)).codedColor)
    #expect(found.primaries == 9)
    #expect(found.peak == 4000)
    #expect(found.hdrTransfer == transfer)
    let metadata = CarriedMetadata(original: Data(file))
    #expect(metadata.warnings == (transfer.map { [.highDynamicRange($0)] } ?? []))
  }
}
