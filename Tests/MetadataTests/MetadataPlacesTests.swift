import Foundation
import FoundationXML
import Testing

@testable import SafelightMetadata

/// Faces, people, regions and subjects follow the picture.
@Suite struct MetadataPlacesTests {
  /// An upright photo of 800 × 600 that is only turned, cropped and the like.
  private static func places(
    _ matrix: [Double], orientation: Int = 1, render: (width: Int, height: Int)
  ) -> MetadataPlaces {
    MetadataPlaces(
      PlaceMapping(matrix: matrix, pixelWidth: render.width, pixelHeight: render.height),
      orientation: orientation, stored: (800, 600), render: render)
  }

  private static let nothing: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
  /// The left half of the photo.
  private static let leftHalf = places([2, 0, 0, 0, 1, 0, 0, 0, 1], render: (400, 600))
  private static let turnedRight = places(
    PlaceMapping.matrix(ofOrientation: 6), render: (600, 800))

  private static func moved(_ content: String, by places: MetadataPlaces) throws -> String {
    let names = """
      xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/" \
      xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#" \
      xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#" \
      xmlns:MP="http://ns.microsoft.com/photo/1.2/" \
      xmlns:MPRI="http://ns.microsoft.com/photo/1.2/t/RegionInfo#" \
      xmlns:MPReg="http://ns.microsoft.com/photo/1.2/t/Region#" \
      xmlns:iptc="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" \
      xmlns:exif="http://ns.adobe.com/exif/1.0/" \
      xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" \
      xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/" \
      xmlns:GImage="http://ns.google.com/photos/1.0/image/"
      """
    let packet = XMPPacketTests.packet(
      "<rdf:Description rdf:about=\"\" \(names)>\(content)</rdf:Description>")
    let result = try #require(XMPPacket(packet)).patched(
      size: (places.stored.pixelWidth, places.stored.pixelHeight), derivedFrom: nil, moving: places)
    let parser = XMLParser(data: Data(result))
    parser.shouldProcessNamespaces = true
    #expect(parser.parse(), "\(parser.parserError.debugDescription)")
    return String(decoding: result, as: UTF8.self)
  }

  private static func regions(_ areas: String...) -> String {
    let items = areas.map {
      "<rdf:li><rdf:Description mwg-rs:Type=\"Face\"><mwg-rs:Area \($0)/></rdf:Description></rdf:li>"
    }
    return """
      <mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:AppliedToDimensions stDim:w="800" \
      stDim:h="600" stDim:unit="pixel"/><mwg-rs:RegionList><rdf:Bag>\(items.joined())</rdf:Bag>\
      </mwg-rs:RegionList></mwg-rs:Regions>
      """
  }

  @Test func aFaceFollowsATurn() throws {
    let result = try Self.moved(
      Self.regions(
        #"stArea:x="0.25" stArea:y="0.25" stArea:w="0.1" stArea:h="0.2" stArea:unit="normalized""#),
      by: Self.turnedRight)
    #expect(
      result.contains(
        #"stArea:x="0.75" stArea:y="0.25" stArea:w="0.2" stArea:h="0.1" stArea:unit="normalized""#))
    #expect(result.contains(#"stDim:w="600" stDim:h="800""#))
  }

  @Test func facesAreCutAtTheEdgeAndThoseOutsideGo() throws {
    let result = try Self.moved(
      Self.regions(
        #"stArea:x="0.25" stArea:y="0.5" stArea:w="0.1" stArea:h="0.2""#,
        #"stArea:x="0.5" stArea:y="0.5" stArea:w="0.1" stArea:h="0.2""#,
        #"stArea:x="0.8" stArea:y="0.5" stArea:w="0.1" stArea:h="0.2""#),
      by: Self.leftHalf)
    #expect(result.contains(#"stArea:x="0.5" stArea:y="0.5" stArea:w="0.2" stArea:h="0.2""#))
    #expect(result.contains(#"stArea:x="0.95" stArea:y="0.5" stArea:w="0.1" stArea:h="0.2""#))
    #expect(result.components(separatedBy: "<mwg-rs:Area").count == 3)
  }

  @Test func aPropertyWhoseRegionsAllLieOutsideGoes() throws {
    let result = try Self.moved(
      Self.regions(#"stArea:x="0.8" stArea:y="0.5" stArea:w="0.1" stArea:h="0.2""#),
      by: Self.leftHalf)
    #expect(!result.contains("<mwg-rs:"))
  }

  @Test func valuesMayBeElementsCirclesAndPoints() throws {
    let area = """
      <mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:RegionList><rdf:Seq>\
      <rdf:li rdf:parseType="Resource"><mwg-rs:Area rdf:parseType="Resource"><stArea:x>0.2</stArea:x>\
      <stArea:y>0.5</stArea:y><stArea:d>0.1</stArea:d></mwg-rs:Area></rdf:li>\
      <rdf:li rdf:parseType="Resource"><mwg-rs:Area stArea:x="0.1" stArea:y="0.5"/></rdf:li>\
      </rdf:Seq></mwg-rs:RegionList></mwg-rs:Regions>
      """
    let result = try Self.moved(area, by: Self.leftHalf)
    #expect(result.contains("<stArea:x>0.4</stArea:x>"))
    // 60 pixels of the shorter side of 600, and then of 400.
    #expect(result.contains("<stArea:d>0.15</stArea:d>"))
    #expect(result.contains(#"stArea:x="0.2" stArea:y="0.5""#))
  }

  @Test func programsThatCountUprightAreTakenAtTheirWord() throws {
    let places = Self.places(Self.nothing, orientation: 6, render: (600, 800))
    let stored = Self.regions(#"stArea:x="0.25" stArea:y="0.25" stArea:w="0.1" stArea:h="0.2""#)
    #expect(try Self.moved(stored, by: places).contains(#"stArea:x="0.75" stArea:y="0.25""#))
    let upright = stored.replacingOccurrences(
      of: #"stDim:w="800" stDim:h="600""#, with: #"stDim:w="600" stDim:h="800""#)
    #expect(try Self.moved(upright, by: places).contains(#"stArea:x="0.25" stArea:y="0.25""#))
  }

  @Test func peopleOfMicrosoftFollow() throws {
    let people = """
      <MP:RegionInfo rdf:parseType="Resource"><MPRI:Regions><rdf:Bag>\
      <rdf:li MPReg:Rectangle="0.1, 0.2, 0.3, 0.4" MPReg:PersonDisplayName="Ann"/>\
      <rdf:li rdf:parseType="Resource"><MPReg:Rectangle>0.6,0.2,0.3,0.4</MPReg:Rectangle></rdf:li>\
      </rdf:Bag></MPRI:Regions></MP:RegionInfo>
      """
    let result = try Self.moved(people, by: Self.leftHalf)
    #expect(result.contains(#"MPReg:Rectangle="0.2, 0.2, 0.6, 0.4" MPReg:PersonDisplayName="Ann""#))
    #expect(!result.contains("<MPReg:Rectangle>"))
  }

  /// People who are somewhere in the picture are in every part of it.
  @Test func peopleWithoutAPlaceStayWhenAllOthersGo() throws {
    func people(_ items: String) -> String {
      "<MP:RegionInfo rdf:parseType=\"Resource\"><MPRI:Regions><rdf:Bag>\(items)</rdf:Bag></MPRI:Regions>"
        + "</MP:RegionInfo>"
    }
    let ann = #"<rdf:li MPReg:Rectangle="0.6, 0.2, 0.3, 0.4" MPReg:PersonDisplayName="Ann"/>"#
    let ben = #"<rdf:li MPReg:PersonDisplayName="Ben"/>"#
    let some = try Self.moved(people(ann + ben), by: Self.leftHalf)
    #expect(!some.contains("Ann") && some.contains(ben))
    #expect(!(try Self.moved(people(ann), by: Self.leftHalf)).contains("<MP:RegionInfo"))

    let boundary =
      "<iptc:RegionBoundary iptc:rbShape=\"rectangle\" iptc:rbUnit=\"relative\" "
      + "iptc:rbX=\"0.7\" iptc:rbY=\"0.1\" iptc:rbW=\"0.1\" iptc:rbH=\"0.1\"/>"
    let regions =
      "<iptc:ImageRegion><rdf:Bag>"
      + "<rdf:li rdf:parseType=\"Resource\"><iptc:rId>one</iptc:rId>\(boundary)</rdf:li>"
      + "<rdf:li rdf:parseType=\"Resource\"><iptc:rId>two</iptc:rId></rdf:li>"
      + "</rdf:Bag></iptc:ImageRegion>"
    let named = try Self.moved(regions, by: Self.leftHalf)
    #expect(!named.contains("one") && named.contains("<iptc:rId>two</iptc:rId>"))

    let face = #"stArea:x="0.8" stArea:y="0.5" stArea:w="0.1" stArea:h="0.2""#
    let faces = Self.regions(face, face).replacingOccurrences(
      of: "</rdf:Bag>",
      with: #"<rdf:li><rdf:Description mwg-rs:Name="Cid" mwg-rs:Type="Face"/></rdf:li></rdf:Bag>"#)
    let left = try Self.moved(faces, by: Self.leftHalf)
    #expect(!left.contains("stArea:x") && left.contains(#"mwg-rs:Name="Cid""#))
  }

  @Test func regionsOfIPTCFollow() throws {
    func region(_ fields: String) -> String {
      "<rdf:li rdf:parseType=\"Resource\"><iptc:RegionBoundary rdf:parseType=\"Resource\">\(fields)"
        + "</iptc:RegionBoundary></rdf:li>"
    }
    func vertex(_ x: String, _ y: String) -> String {
      "<rdf:li rdf:parseType=\"Resource\"><iptc:rbX>\(x)</iptc:rbX><iptc:rbY>\(y)</iptc:rbY></rdf:li>"
    }
    let regions =
      "<iptc:ImageRegion><rdf:Bag>"
      + region(
        "<iptc:rbShape>rectangle</iptc:rbShape><iptc:rbUnit>pixel</iptc:rbUnit><iptc:rbX>80</iptc:rbX>"
          + "<iptc:rbY>60</iptc:rbY><iptc:rbW>160</iptc:rbW><iptc:rbH>120</iptc:rbH>")
      + region(
        "<iptc:rbShape>circle</iptc:rbShape><iptc:rbUnit>relative</iptc:rbUnit><iptc:rbX>0.25</iptc:rbX>"
          + "<iptc:rbY>0.5</iptc:rbY><iptc:rbRx>0.1</iptc:rbRx>")
      + region(
        "<iptc:rbShape>polygon</iptc:rbShape><iptc:rbUnit>relative</iptc:rbUnit><iptc:rbVertices><rdf:Seq>"
          + vertex("0.25", "0.25") + vertex("0.75", "0.5") + vertex("0.25", "0.75")
          + "</rdf:Seq></iptc:rbVertices>")
      + "</rdf:Bag></iptc:ImageRegion>"
    let result = try Self.moved(regions, by: Self.leftHalf)
    #expect(
      result.contains(
        "<iptc:rbX>80</iptc:rbX><iptc:rbY>60</iptc:rbY><iptc:rbW>160</iptc:rbW><iptc:rbH>120</iptc:rbH>"
      )
    )
    #expect(
      result.contains("<iptc:rbX>0.5</iptc:rbX><iptc:rbY>0.5</iptc:rbY><iptc:rbRx>0.2</iptc:rbRx>"))
    // The triangle's tip is cut off.
    let corners = [("0.5", "0.25"), ("1", "0.375"), ("1", "0.625"), ("0.5", "0.75")]
    #expect(result.contains(corners.map { vertex($0.0, $0.1) }.joined()))
  }

  @Test func theSubjectOfXMPFollows() throws {
    let subject =
      "<exif:SubjectArea><rdf:Seq><rdf:li>200</rdf:li><rdf:li>150</rdf:li></rdf:Seq></exif:SubjectArea>"
    #expect(
      try Self.moved(subject, by: Self.turnedRight)
        .contains("<rdf:li>450</rdf:li><rdf:li>200</rdf:li>"))
    let outside = subject.replacingOccurrences(of: "200", with: "700")
    #expect(!(try Self.moved(outside, by: Self.leftHalf)).contains("<exif:SubjectArea>"))
  }

  @Test func placesThatNobodyCanReadGo() throws {
    for value in ["", "nan", "inf", "-1e300", "1e999", "left"] {
      let result = try Self.moved(
        Self.regions(
          "stArea:x=\"\(value)\" stArea:y=\"0.5\" stArea:w=\"\(value)\" stArea:h=\"0.2\""),
        by: Self.turnedRight)
      #expect(!result.contains("<mwg-rs:Area"), "\(value)")
    }
  }

  // MARK: - Exif

  private static func block(_ subject: [Int], little: Bool) -> [UInt8] {
    var block = ExifFixture(little: little, size: 300)
    block.directory(at: 8, [ExifFixture.Entry(0x8769, 4, 1, block.long(50))])
    block.directory(
      at: 50,
      [
        ExifFixture.Entry(
          0x9214, 3, subject.count, subject.flatMap { block.short($0) },
          at: subject.count > 2 ? 200 : 0),
        ExifFixture.Entry(0xA002, 4, 1, block.long(800)),
        ExifFixture.Entry(0xA003, 4, 1, block.long(600)),
      ])
    return block.bytes
  }

  @Test(arguments: [true, false])
  func theSubjectOfExifFollows(little: Bool) throws {
    for (subject, expected) in [
      ([200, 150], [450, 200]), ([200, 150, 50], [450, 200, 50]),
      ([200, 150, 80, 40], [450, 200, 40, 80]),
    ] {
      var exif = try #require(ExifBlock(Self.block(subject, little: little)))
      exif.patch(size: (600, 800), baked: 6, moving: Self.turnedRight)
      let entry = try #require(exif.exif?[0x9214])
      let start = try #require(entry.value?.lowerBound)
      #expect(
        (0..<entry.count).map { exif.bytes.uint16(at: start + 2 * $0, exif.order) } == expected)
      #expect(try #require(exif.pixelSize) == (600, 800))
    }
  }

  @Test(arguments: [true, false])
  func aSubjectOutsideGoesAndTheOtherEntriesStay(little: Bool) throws {
    var exif = try #require(ExifBlock(Self.block([700, 300, 20, 20], little: little)))
    exif.patch(size: (400, 600), baked: 1, moving: Self.leftHalf)
    let again = try #require(ExifBlock(exif.bytes))
    #expect(again.exif?.entries.map(\.tag) == [0xA002, 0xA003])
    #expect(try #require(again.pixelSize) == (400, 600))
  }

  // MARK: - Whole files

  private static let original = OriginalReference(
    fileName: "a.jpg", sha256: String(repeating: "0", count: 64))

  @Test func nothingChangesWhereNothingMoves() throws {
    var metadata = CarriedMetadata()
    metadata.exifBlocks = [Self.block([201, 151, 33, 21], little: true)]
    let still = Self.places(Self.nothing, render: (800, 600))
    let moved = metadata.header(
      size: (800, 600), baked: 1, profile: nil, derivedFrom: Self.original, moving: still)
    let plain = metadata.header(
      size: (800, 600), baked: 1, profile: nil, derivedFrom: Self.original)
    #expect(moved.bytes == plain.bytes)
  }

  /// Packets beyond 64 kB continue in segments whose name is their digest.
  @Test func facesInExtendedXMPFollowToo() throws {
    let face = Self.regions(#"stArea:x="0.25" stArea:y="0.25" stArea:w="0.1" stArea:h="0.2""#)
    let large = XMPPacketTests.packet(
      """
      <rdf:Description rdf:about="" xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/" \
      xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#" \
      xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#" xmlns:a="a">\(face)\
      <a:a>\(String(repeating: "x", count: 70_000))</a:a></rdf:Description>
      """)
    let file =
      [0xFF, 0xD8] + ExtendedXMP.segments(large, derivedFrom: Self.original) + [0xFF, 0xD9]
    let metadata = CarriedMetadata(original: Data(file))
    #expect(metadata.extendedXMP.count == 2)
    let header = metadata.header(
      size: (600, 800), baked: 1, profile: nil, derivedFrom: Self.original,
      moving: Self.turnedRight)
    let again = CarriedMetadata(original: header.bytes + Data([0xFF, 0xD9]))
    let name = try #require(again.extendedXMP.first?.dropFirst(35).prefix(32))
    let standard = try #require(again.xmpPackets.first)
    #expect(standard.firstRange(of: name) != nil)
    let text = again.extendedXMP.flatMap { $0.dropFirst(75) }
    #expect(MD5.hexDigest(Array(text)) == String(decoding: name, as: UTF8.self))
    #expect(String(decoding: text, as: UTF8.self).contains(#"stArea:x="0.75" stArea:y="0.25""#))
  }

  /// A panorama of 800 × 600 pixels, a quarter of a sphere of 1600 × 800 seen from 100 pixels off its corner.
  private static let sphere = [
    "ProjectionType": "equirectangular", "CroppedAreaImageWidthPixels": "800",
    "CroppedAreaImageHeightPixels": "600", "CroppedAreaLeftPixels": "100",
    "CroppedAreaTopPixels": "100", "FullPanoWidthPixels": "1600", "FullPanoHeightPixels": "800",
  ].map { "<GPano:\($0)>\($1)</GPano:\($0)>" }.sorted().joined()

  @Test func aPanoramaFollowsACropAndASize() throws {
    // The right half, at half the size.
    let places = Self.places([2, 0, -1, 0, 1, 0, 0, 0, 1], render: (200, 300))
    let result = try Self.moved(Self.sphere, by: places)
    for (name, number) in [
      "CroppedAreaImageWidthPixels": 200, "CroppedAreaImageHeightPixels": 300,
      "CroppedAreaLeftPixels": 250, "CroppedAreaTopPixels": 50, "FullPanoWidthPixels": 800,
      "FullPanoHeightPixels": 400,
    ] {
      #expect(result.contains("<GPano:\(name)>\(number)<"), "\(name)")
    }
  }

  @Test(arguments: [
    turnedRight, places([-1, 0, 1, 0, 1, 0, 0, 0, 1], render: (800, 600)),
    places([0.99, 0.05, 0, -0.05, 0.99, 0.05, 0, 0, 1], render: (800, 600)),
  ])
  func noNumbersDescribeATurnedPanorama(places: MetadataPlaces) throws {
    let result = try Self.moved(Self.sphere, by: places)
    #expect(!result.contains("GPano:Pro") && !result.contains("GPano:Cropped"))
    let packet = try #require(
      XMPPacket(
        XMPPacketTests.packet(
          """
          <rdf:Description rdf:about="" xmlns:GPano="http://ns.google.com/photos/1.0/panorama/">\(Self.sphere)\
          </rdf:Description>
          """)))
    #expect(!packet.hasSphere(after: places))
  }

  @Test func aDepthMapGoesWhereThePictureIsCropped() throws {
    let depth = "<GDepth:Data>AAAA</GDepth:Data><GDepth:Near>1</GDepth:Near>"
    #expect(try !Self.moved(depth, by: Self.leftHalf).contains("<GDepth"))
    let extended = XMPPacketTests.packet(
      """
      <rdf:Description rdf:about="" xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/" \
      xmlns:GImage="http://ns.google.com/photos/1.0/image/">\(depth)<GImage:Data>BBBB</GImage:Data></rdf:Description>
      """)
    let packet = try #require(XMPPacket(extended))
    // What the camera's program blurred is the photo before the edit; no render has it.
    let kept = String(decoding: packet.patched(size: (800, 600), derivedFrom: nil), as: UTF8.self)
    #expect(kept.contains("<GDepth:Data>") && !kept.contains("<GImage:"))
  }
}
