import Foundation
import SafelightFormats
import Testing

@testable import SafelightMetadata

@Suite struct JPEGStructureTests {
  /// One frame header, one scan with a stuffed byte and a restart marker.
  static let pixels: [UInt8] =
    [0xFF, 0xC0, 0, 11, 8, 0, 4, 0, 6, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 2, 1, 0xFF, 0, 0xFF, 0xD0, 5]
    + [0xFF, 0xD9]

  static func jpeg(_ segments: [(UInt8, [UInt8])], trailer: [UInt8] = []) -> Data {
    var bytes: [UInt8] = [0xFF, 0xD8]
    for (marker, payload) in segments { bytes.append(segment: marker, payload: payload) }
    return Data(bytes + pixels + trailer)
  }

  static func header(of original: Data) -> CarriedHeader {
    let metadata = CarriedMetadata(original: original)
    return metadata.header(
      size: (6, 4), baked: 1, profile: metadata.profile,
      derivedFrom: OriginalReference(fileName: "a.jpg", sha256: "00"))
  }

  static func payloads(_ header: CarriedHeader, _ marker: UInt8) -> [[UInt8]] {
    let render = header.bytes + Data(pixels)
    return (JPEGSegments(PhotoBytes(render))?.segments ?? []).filter { $0.marker == marker }
      .map { [UInt8](render[$0.payload]) }
  }

  @Test func theWalkSkipsFillBytesAndJunk() throws {
    let bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xFF, 0xFF, 0xE1, 0, 3, 9, 1, 2, 3] + Self.pixels
    let file = PhotoBytes(Data(bytes))
    let walk = try #require(JPEGSegments(file))
    #expect(walk.segments.map(\.marker) == [0xE1, 0xC0])
    #expect(walk.segments[0].payload == 8..<9)
    #expect(walk.endOfImage(in: file) == bytes.count)
    #expect(walk.frameSize(in: file)?.width == 6)
    #expect(walk.frameSize(in: file)?.height == 4)
  }

  @Test func theEndIsNotMistakenInsideTablesBetweenScans() {
    var bytes = [UInt8](Self.jpeg([]).dropLast(2))
    bytes.append(segment: 0xC4, payload: [0xFF, 0xD9, 0xFF, 0xD9])
    bytes += Self.pixels[13...]
    let file = PhotoBytes(Data(bytes))
    #expect(JPEGSegments(file)?.endOfImage(in: file) == bytes.count)
  }

  @Test func aTruncatedPictureHasNoEnd() throws {
    let file = PhotoBytes(Self.jpeg([]).dropLast(2))
    let walk = try #require(JPEGSegments(file))
    #expect(walk.endOfImage(in: file) == nil)
  }

  /// Files are read in pieces. Scans and segments between them end anywhere in a piece.
  @Test func theEndIsFoundWhereverPiecesOfAFileBegin() throws {
    let start = [UInt8](Self.jpeg([]).dropLast(2))
    for length in (131_060...131_084).map({ $0 - start.count }) {
      let table: [UInt8] = [0xFF, 0xC4, 0, 6, 0xFF, 0xD9, 0xFF, 0xD9]
      let bytes =
        start + [UInt8](repeating: 7, count: length) + table + [0xFF, 0, 9, 0xFF, 0xD9, 1]
      let file = PhotoBytes(Data(bytes))
      #expect(JPEGSegments(file)?.endOfImage(in: file) == bytes.count - 1)
    }
  }

  @Test func aVideoIsFoundWhereverPiecesOfAFileBegin() {
    let video: [UInt8] = [0, 0, 0, 24] + Array("ftypmp42isom".utf8)
    for length in 131_060...131_084 {
      let trailer = [UInt8](repeating: 0x66, count: length) + video
      let header = Self.header(of: Self.jpeg([], trailer: trailer))
      #expect(header.warnings.contains(.motionPhotoNotCarried(bytes: video.count)))
    }
  }

  @Test(
    arguments: [
      ([0, 0, 0, 24] + Array("ftypmp42isom".utf8), .motionPhotoNotCarried(bytes: 16)),
      ([1, 2, 3], .trailerNotCarried(bytes: 3)),
    ] as [([UInt8], MetadataWarning)])
  func whatStandsBehindTheEndIsNamed(trailer: [UInt8], warning: MetadataWarning) {
    let header = Self.header(of: Self.jpeg([], trailer: trailer))
    #expect(header.warnings == [warning])
    #expect(header.trailer.isEmpty)
  }

  /// A Samsung trailer with one block, as the phones write it.
  static func samsung(_ data: [UInt8]) -> [UInt8] {
    var block: [UInt8] = [0, 0, 1, 0x0A, 4, 0, 0, 0] + Array("Time".utf8) + data
    let size = block.count
    block += Array("SEFH".utf8) + [106, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0x0A]
    block.append(uint32: size, .little)
    block.append(uint32: size, .little)
    block.append(uint32: 24, .little)
    return block + Array("SEFT".utf8)
  }

  @Test func aSmallSamsungTrailerIsCarried() {
    let trailer = Self.samsung(Array("1500000000000".utf8))
    let header = Self.header(of: Self.jpeg([], trailer: trailer))
    #expect(header.warnings == [])
    #expect([UInt8](header.trailer) == trailer)
  }

  @Test(
    arguments: [
      ([0, 0, 0, 24] + Array("ftypmp42isom".utf8), true), ([0xFF, 0xD8, 0xFF, 0xE0], false),
    ] as [([UInt8], Bool)])
  func aSamsungTrailerWithPicturesStaysBehind(data: [UInt8], isVideo: Bool) {
    let trailer = Self.samsung(data)
    let header = Self.header(of: Self.jpeg([], trailer: trailer))
    #expect(header.trailer.isEmpty)
    let bytes = isVideo ? trailer.count - 12 : trailer.count
    #expect(
      header.warnings == [
        isVideo ? .motionPhotoNotCarried(bytes: bytes) : .samsungTrailerNotCarried(bytes: bytes)
      ])
  }

  @Test func segmentsStandInTheCustomaryOrder() {
    let exif = CarriedMetadata.exifHeader + ExifFixture.camera(little: true).bytes
    let xmp = CarriedMetadata.xmpHeader + XMPPacketTests.packet("<rdf:Description rdf:about=''/>")
    let extended = CarriedMetadata.extendedXMPHeader + [UInt8](repeating: 48, count: 40)
    let resources =
      PhotoshopResources.header + PhotoshopResources(iptc: [0x1C, 2, 5, 0, 1, 65]).bytes
    let header = Self.header(
      of: Self.jpeg([
        (0xFE, Array("comment".utf8)), (0xED, resources), (0xE4, [4, 4]),
        (0xEE, Array("Adobe\0d\0\0\0\0\0\u{1}".utf8)),
        (0xE2, ICCSegments.header + [1, 1, 77]), (0xE1, extended), (0xE1, xmp), (0xE1, exif),
        (0xE0, Array("JFIF\0".utf8) + [1, 2, 1, 0, 72, 0, 72, 1, 1, 9, 9, 9]),
        (0xE0, Array("JFXX\0".utf8) + [0x10, 9, 9]), (0xEB, Array("JP\0\u{1}jumbf".utf8)),
        (0xE2, Array("FPXR\0".utf8)), (0xE1, Array("FLIR\0".utf8)),
      ]))
    let markers = JPEGSegments(PhotoBytes(header.bytes + Data(Self.pixels)))?.segments.map(\.marker)
    #expect(
      markers == [0xE0, 0xE1, 0xE1, 0xE1, 0xE2, 0xED, 0xFE, 0xE4, 0xE1, 0xC0])
    #expect(
      Self.payloads(header, 0xE0)
        == [Array("JFIF\0".utf8) + [1, 2, 1, 0, 72, 0, 72, 0, 0]])
    let inOrder = Self.payloads(header, 0xE1)
    #expect(inOrder[0].has("Exif\0\0"))
    #expect(inOrder[1].has("http://ns.adobe.com/xap/1.0/\0"))
    #expect(inOrder[2] == extended)
    #expect(Self.payloads(header, 0xED) == [resources])
    #expect(header.warnings == [.contentCredentialsNotCarried])
  }

  @Test func furtherImagesAndGainMapsAreNamed() {
    var index = ExifFixture(little: false, size: 120)
    let entries = index.long(0) + index.long(9) + index.long(0) + index.long(0)
    index.directory(
      at: 8,
      [
        .init(0xB001, 4, 1, index.long(3)),
        .init(0xB002, 7, 48, entries + entries + entries, at: 50),
      ])
    let header = Self.header(
      of: Self.jpeg([
        (0xE2, Array("MPF\0".utf8) + index.bytes),
        (0xE2, Array("urn:iso:std:iso:ts:21496:-1\0".utf8)),
      ]))
    #expect(
      Set(header.warnings) == [.furtherImagesNotCarried(count: 2), .gainMapNotCarried(.iso)])
    #expect(Self.payloads(header, 0xE2) == [])
  }

  @Test(arguments: [0, 1, 65_519, 65_520, 200_000])
  func profilesComeBackAsTheyWere(size: Int) {
    let profile = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let original = Data([0xFF, 0xD8] + ICCSegments.segments(profile) + Self.pixels)
    #expect(CarriedMetadata(original: original).profile == (size == 0 ? nil : profile))
  }

  @Test func aProfileWithAMissingPartIsNone() {
    let metadata = CarriedMetadata(
      original: Self.jpeg([(0xE2, ICCSegments.header + [2, 2, 77])]))
    #expect(metadata.profile == nil)
    #expect(metadata.warnings == [.profileIncomplete])
  }

  @Test func onlyThumbnailsLeaveThePhotoshopResources() {
    func resource(_ id: UInt8, name: [UInt8], _ data: [UInt8]) -> [UInt8] {
      var bytes = Array("8BIM".utf8) + [4, id] + name
      bytes.append(uint32: data.count)
      return bytes + data + (data.count % 2 == 1 ? [0] : [])
    }
    let kept = resource(4, name: [0, 0], [1, 2, 3]) + resource(25, name: [2, 65, 66, 0], [9])
    let thumbnail = resource(0x0C, name: [0, 0], [5, 5, 5]) + resource(0x09, name: [0, 0], [5])
    let all = kept + thumbnail
    // Two segments, torn in the middle of a resource.
    let header = Self.header(
      of: Self.jpeg([
        (0xED, PhotoshopResources.header + all[..<20]),
        (0xED, PhotoshopResources.header + all[20...] + [7, 7]),
      ]))
    #expect(Self.payloads(header, 0xED) == [PhotoshopResources.header + kept + [7, 7]])
  }
}
