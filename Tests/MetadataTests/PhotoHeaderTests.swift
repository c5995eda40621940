import Foundation
import SafelightFiles
import SafelightFormats
import SafelightTestSupport
import Testing

@testable import SafelightMetadata

/// Facts of a photo, by the rules of the Metadata Working Group.
@Suite struct PhotoHeaderTests {
  static func header(_ file: URL) throws -> PhotoHeader? {
    let opened = try FileSystem.real.openForReading(FilePath(file.path))
    return PhotoHeader(PhotoBytes(opened, size: Int(try FileSystem.real.status(of: opened).size)))
  }

  /// A JPEG of some segments, read as a header and as carried metadata.
  private func headers(_ segments: [(UInt8, [UInt8])]) throws -> [PhotoHeader] {
    let folder = TemporaryFolder()
    let file = folder["a.jpg"].fileURL
    let jpeg = JPEGStructureTests.jpeg(segments)
    try Data(jpeg).write(to: file)
    let carried = CarriedMetadata(original: Data(jpeg))
    let header = try #require(try Self.header(file))
    return [
      header,
      PhotoHeader(
        carried, width: header.width, height: header.height, orientation: header.orientation),
    ]
  }

  private func xmp(_ attributes: String, _ content: String = "") -> (UInt8, [UInt8]) {
    let names = """
      xmlns:tiff="http://ns.adobe.com/tiff/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/" \
      xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
      xmlns:aux="http://ns.adobe.com/exif/1.0/aux/" \
      xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
      """
    return (
      0xE1,
      CarriedMetadata.xmpHeader
        + XMPPacketTests.packet(
          "<rdf:Description rdf:about='' \(names) \(attributes)>\(content)</rdf:Description>")
    )
  }

  private func exif(_ fields: [ExifFixture.Entry], main: [ExifFixture.Entry] = []) -> (
    UInt8, [UInt8]
  ) {
    var block = ExifFixture(little: true, size: 900)
    block.directory(at: 8, main + [.init(0x8769, 4, 1, block.long(200))])
    block.directory(at: 200, fields)
    return (0xE1, CarriedMetadata.exifHeader + block.bytes)
  }

  private func iptc(_ records: [(Int, String)], digest: [UInt8]? = nil) -> (UInt8, [UInt8]) {
    let bytes: [UInt8] = records.flatMap { number, text -> [UInt8] in
      let head: [UInt8] = [
        0x1C, UInt8(number >> 8), UInt8(number & 255), 0, UInt8(text.utf8.count),
      ]
      return head + Array(text.utf8)
    }
    var resources = PhotoshopResources(iptc: bytes).bytes
    if let digest {
      let stored = digest.isEmpty ? MD5.digest(bytes) : digest
      resources += Array("8BIM".utf8) + [0x04, 0x25, 0, 0, 0, 0, 0, 16] + stored
    }
    return (0xED, PhotoshopResources.header + resources)
  }

  @Test func exifSaysHowThePhotoWasTaken() throws {
    let block = ExifFixture(little: true)
    let headers = try headers([
      exif(
        [
          .init(0x829A, 5, 1, block.rational([(1, 250)]), at: 400),
          .init(0x829D, 5, 1, block.rational([(28, 10)]), at: 410),
          .init(0x8827, 3, 1, block.short(400)),
          .init(0x9003, 2, 20, Array("2024:02:29 12:30:15\0".utf8), at: 420),
          .init(0x9011, 2, 7, Array("-03:30\0".utf8), at: 440),
          .init(0x920A, 5, 1, block.rational([(50, 1)]), at: 450),
          .init(0xA434, 2, 10, Array("EF 50 1.8\0".utf8), at: 460),
        ],
        main: [
          .init(0x10E, 2, 6, Array("words\0".utf8), at: 600),
          .init(0x10F, 2, 6, Array("Canon\0".utf8), at: 610),
          .init(0x110, 2, 10, Array("Canon EOS\0".utf8), at: 620),
          .init(0x4746, 3, 1, block.short(3)),
          .init(0x9C9B, 1, 6, [0x54, 0, 0xE9, 0, 0, 0], at: 640),
          .init(0x9C9E, 1, 8, [0x61, 0, 0x3B, 0, 0x62, 0, 0, 0], at: 650),
        ])
    ])
    for header in headers {
      #expect(header.exposureTime == 1.0 / 250)
      #expect(header.aperture == 2.8)
      #expect(header.sensitivity == 400)
      #expect(header.focalLength == 50)
      #expect(header.lens == "EF 50 1.8")
      #expect(header.camera == "Canon EOS")
      #expect(
        header.captureTime == ClockTime(exif: "2024:02:29 12:30:15", offsets: ["-03:30"]))
      #expect(header.captureTime?.secondsFromUTC == -12_600)
      #expect(header.caption == "words")
      #expect(header.title == "T\u{E9}")
      #expect(header.keywords == ["a", "b"])
      #expect(header.rating == 3)
    }
  }

  /// Scans have the second of these times, and pictures from some programs the third.
  @Test func aPhotoWithoutTheTimeOfItsTakingHasAnotherTime() throws {
    func exif(_ fields: ExifFixture.Entry...) -> (UInt8, [UInt8]) { self.exif(fields) }
    let original = ExifFixture.Entry(0x9003, 2, 20, Array("2024:01:01 00:00:00\0".utf8), at: 420)
    let digitized = ExifFixture.Entry(0x9004, 2, 20, Array("2024:01:02 00:00:00\0".utf8), at: 440)
    let empty = ExifFixture.Entry(0x9003, 2, 20, Array("    :  :     :  :  \0".utf8), at: 420)
    func day(_ segments: [(UInt8, [UInt8])]) throws -> [Double] {
      try headers(segments).map {
        try #require($0.captureDate).timeIntervalSince1970 / 86_400 - 19_722
      }
    }
    let described = xmp(
      #"photoshop:DateCreated="2024-01-03" xmp:CreateDate="2024-01-04T00:00:00""#)
    #expect(try day([exif(original, digitized), described]) == [1, 1])
    // When a picture was taken counts before when it was scanned.
    #expect(try day([exif(empty, digitized), described]) == [3, 3])
    #expect(try day([exif(digitized)]) == [2, 2])
    #expect(try day([xmp(#"xmp:CreateDate="2024-01-04T00:00:00""#)]) == [4, 4])
    #expect(try day([iptc([(0x023E, "20240105")])]) == [5, 5])
    #expect(try day([xmp(#"exif:GPSTimeStamp="2024-01-06T00:00:00Z""#)]) == [6, 6])
  }

  /// A camera that writes the offset of one of its times has one clock.
  @Test(arguments: [0x9010, 0x9011, 0x9012])
  func eachOffsetIsThatOfTheClock(tag: Int) throws {
    let fields = [
      ExifFixture.Entry(0x9003, 2, 20, Array("2024:02:29 12:30:15\0".utf8), at: 420),
      ExifFixture.Entry(tag, 2, 7, Array("-03:30\0".utf8), at: 440),
    ]
    for header in try headers([exif(fields)]) {
      #expect(header.captureTime?.secondsFromUTC == -12_600)
    }
  }

  @Test func unknownValuesAreNone() throws {
    let block = ExifFixture(little: true)
    for header in try headers([
      exif([
        .init(0x829A, 5, 1, block.rational([(0, 1)]), at: 400),
        .init(0x829D, 5, 1, block.rational([(0, 0)]), at: 410),
        .init(0x8827, 3, 1, block.short(0)),
        .init(0x9003, 2, 20, Array("0000:00:00 00:00:00\0".utf8), at: 420),
        .init(0x920A, 5, 1, block.rational([(0, 1)]), at: 450),
        .init(0xA434, 2, 5, Array("----\0".utf8), at: 460),
      ])
    ]) {
      #expect(header.exposureTime == nil)
      #expect(header.aperture == nil)
      #expect(header.sensitivity == nil)
      #expect(header.captureTime == nil)
      #expect(header.focalLength == nil)
      #expect(header.lens == nil)
      #expect(header.rating == nil)
      #expect(header.keywords == [])
    }
  }

  @Test func xmpSaysWhatExifDoesNot() throws {
    for header in try headers([
      xmp(
        """
        tiff:Make="Nikon" tiff:Model="D3" exif:ExposureTime="1/60" exif:FNumber="4.5" \
        exif:FocalLength="85/1" aux:Lens="85 &amp; more" xmp:Rating="-1" \
        exif:DateTimeOriginal="2020-05-06T07:08:09.5+01:00"
        """,
        """
        <exif:ISOSpeedRatings><rdf:Seq><rdf:li>1600</rdf:li></rdf:Seq></exif:ISOSpeedRatings>
        <dc:title><rdf:Alt><rdf:li xml:lang="de">Strand</rdf:li>
        <rdf:li xml:lang="x-default">Beach</rdf:li></rdf:Alt></dc:title>
        <dc:description><rdf:Alt><rdf:li xml:lang="de"><![CDATA[A <b>]]>&#33;</rdf:li></rdf:Alt>
        </dc:description>
        <dc:subject><rdf:Bag><rdf:li>sea</rdf:li><rdf:li/><rdf:li> sand </rdf:li></rdf:Bag>
        </dc:subject>
        """)
    ]) {
      #expect(header.camera == "Nikon D3")
      #expect(header.exposureTime == 1.0 / 60)
      #expect(header.aperture == 4.5)
      #expect(header.sensitivity == 1600)
      #expect(header.focalLength == 85)
      #expect(header.lens == "85 & more")
      #expect(header.rating == -1)
      #expect(header.title == "Beach")
      #expect(header.caption == "A <b>!")
      #expect(header.keywords == ["sea", "sand"])
      #expect(header.captureTime == ClockTime(iso: "2020-05-06T07:08:09.5+01:00"))
    }
  }

  @Test(
    arguments: [(nil, "xmp"), ([], "xmp"), ([UInt8](repeating: 1, count: 16), "iptc")]
      as [([UInt8]?, String)])
  func theDigestDecidesBetweenXMPAndIPTC(digest: [UInt8]?, winner: String) throws {
    let list = "<rdf:Bag><rdf:li>xmp</rdf:li></rdf:Bag>"
    for header in try headers([
      xmp("", "<dc:subject>\(list)</dc:subject><dc:title>\(list)</dc:title>"),
      iptc(
        [
          (0x015A, "\u{1B}%G"), (0x0205, "iptc"), (0x0219, "iptc"), (0x0237, "20200506"),
          (0x023C, "070809+0100"), (0x0278, "Stra\u{DF}e"),
        ], digest: digest),
    ]) {
      #expect(header.title == winner)
      #expect(header.keywords == [winner])
      // A value that the first block lacks comes from the other.
      #expect(header.caption == "Stra\u{DF}e")
      #expect(header.captureTime == ClockTime(iso: "2020-05-06T07:08:09+01:00"))
    }
  }

  @Test(
    .enabled(if: ExifTool.isThere, SharedData.absence),
    arguments: SharedData.sample(
      in: ["photos", "metadata", "formats"],
      extensions: ["jpg", "jpeg", "png", "webp", "heic", "hif", "avif"]))
  func agreesWithExifTool(file: String) throws {
    guard let header = try Self.header(try SharedData.url(file)) else { return }
    let differences = HeaderOracle.differences(header, try HeaderOracle.facts(SharedData.url(file)))
    #expect(differences.isEmpty, "\(differences)")
  }
}

/// A photo's header by exiftool.
enum HeaderOracle {
  static func facts(_ file: URL) throws -> [String: Any] {
    let json = try ExifTool.run(
      [
        "-use", "MWG", "-n", "-json", "-G1", "-charset", "filename=utf8", "-charset", "iptc=Latin",
        "-MWG:Description", "-MWG:Keywords", "-XMP-dc:Title", "-IPTC:ObjectName",
        "-IFD0:XPTitle", "-IFD0:XPKeywords", "-XMP-xmp:Rating", "-IFD0:Rating",
        "-ExifIFD:LensModel", "-XMP-exifEX:LensModel", "-XMP-aux:Lens", "-ExifIFD:ISO",
        "-XMP-exif:ISO", "-ExifIFD:ExposureTime", "-XMP-exif:ExposureTime", "-ExifIFD:FNumber",
        "-XMP-exif:FNumber", "-ExifIFD:FocalLength", "-XMP-exif:FocalLength",
        "-ExifIFD:DateTimeOriginal", "-ExifIFD:OffsetTimeOriginal", "-XMP-exif:DateTimeOriginal",
        "-XMP-photoshop:DateCreated", "-IPTC:DateCreated", "-ExifIFD:CreateDate",
        "-XMP-xmp:CreateDate", "-XMP-exif:DateTimeDigitized", "-IPTC:DigitalCreationDate",
        "-GPS:GPSDateStamp",
        file.path,
      ])
    return (try JSONSerialization.jsonObject(with: json) as? [[String: Any]])?.first ?? [:]
  }

  static func differences(_ header: PhotoHeader, _ facts: [String: Any]) -> [String] {
    func text(_ names: String...) -> String? {
      names.lazy.compactMap { facts[$0] }.map { "\($0)".trimmingCharacters(in: .whitespaces) }
        .first { !$0.isEmpty && $0.contains { $0 != "-" } }
    }
    func number(_ names: String...) -> Double? {
      names.lazy.compactMap { facts[$0] as? Double }.first { $0 > 0 }
    }
    var list: [String] = []
    func compare<Value: Equatable>(_ name: String, _ mine: Value?, _ other: Value?) {
      if mine != other {
        list.append(
          "\(name): \(mine.map { "\($0)" } ?? "none"), \(other.map { "\($0)" } ?? "none")")
      }
    }
    compare("caption", header.caption, text("MWG:Description"))
    let words = facts["MWG:Keywords"].map { $0 as? [Any] ?? [$0] }?.map { "\($0)" }
    compare(
      "keywords", header.keywords,
      words ?? text("IFD0:XPKeywords")?.split(separator: ";").map(String.init) ?? [])
    compare("title", header.title, text("XMP-dc:Title", "IPTC:ObjectName", "IFD0:XPTitle"))
    compare(
      "rating", header.rating, (facts["XMP-xmp:Rating"] ?? facts["IFD0:Rating"]) as? Int)
    compare(
      "lens", header.lens, text("ExifIFD:LensModel", "XMP-exifEX:LensModel", "XMP-aux:Lens"))
    compare(
      "sensitivity", header.sensitivity.map(Double.init), number("ExifIFD:ISO", "XMP-exif:ISO"))
    for (name, mine, other) in [
      ("exposure", header.exposureTime, number("ExifIFD:ExposureTime", "XMP-exif:ExposureTime")),
      ("aperture", header.aperture, number("ExifIFD:FNumber", "XMP-exif:FNumber")),
      ("focal length", header.focalLength, number("ExifIFD:FocalLength", "XMP-exif:FocalLength")),
    ] where abs((mine ?? 0) - (other ?? 0)) > 1e-6 * max(1, other ?? 0) {
      compare(name, mine, other)
    }
    let taken = text(
      "ExifIFD:DateTimeOriginal", "XMP-exif:DateTimeOriginal", "XMP-photoshop:DateCreated",
      "IPTC:DateCreated", "ExifIFD:CreateDate", "XMP-exif:DateTimeDigitized",
      "XMP-xmp:CreateDate", "IPTC:DigitalCreationDate", "GPS:GPSDateStamp")
    let date = header.captureTime.map { ClockTime.text(utc: $0.reading) }
    let digits = date.map { String($0.filter(\.isNumber)) } ?? ""
    let known = taken.map { String($0.prefix(19).filter(\.isNumber)) } ?? ""
    if !digits.hasPrefix(known) || digits.isEmpty != known.isEmpty {
      compare("taken", digits, known)
    }
    return list
  }
}
