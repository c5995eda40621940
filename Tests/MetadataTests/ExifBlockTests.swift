import Foundation
import SafelightFormats
import Testing

@testable import SafelightMetadata

@Suite struct ExifBlockTests {
  typealias Entry = ExifFixture.Entry

  @Test(arguments: [true, false])
  func readsWhatACameraWrites(little: Bool) throws {
    let block = try #require(ExifBlock(ExifFixture.camera(little: little).bytes))
    #expect(block.make == "Kamera")
    #expect(block.model == nil)
    #expect(block.orientation == 6)
    #expect(block.pixelSize?.width == 4000)
    #expect(block.pixelSize?.height == 3000)
    #expect(block.latitude == -52.5)
    #expect(block.longitude == nil)
    #expect(block.altitude == -12.5)
    #expect(block.captureTime?.reading == Date(timeIntervalSince1970: 1_709_209_815.25))
    #expect(block.captureTime?.date == Date(timeIntervalSince1970: 1_709_202_615.25))
  }

  @Test(arguments: [0, 9, 255, 65_535])
  func impossibleOrientationsCountAsUpright(value: Int) throws {
    let block = ExifFixture.camera(little: true, orientation: value)
    #expect(try #require(ExifBlock(block.bytes)).orientation == 1)
  }

  /// A preview in a maker's note shows the photo as it was taken. Minolta's begin with another byte.
  @Test(arguments: [0xFF, 0x02] as [UInt8]) func previewsAreBlankedInTheirPlaces(first: UInt8)
    throws
  {
    let table: [UInt8] = [0xFF, 0xDB, 0, 5, 0, 1, 2]
    let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
    let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x5A, 0xFF, 0, 0xFF, 0xD0, 0x33]
    let jpeg = [first, 0xD8] + table + frame + scan + [0xFF, 0xD9]
    let camera = ExifFixture.camera(little: true).bytes
    let rest: [UInt8] = [9, 8, 7, 6]
    var plain = try #require(ExifBlock(camera + rest + rest))
    var block = try #require(ExifBlock(camera + rest + jpeg + rest))
    // One that is cut off, and bytes that only begin like one, stay.
    let others = [Array(jpeg.dropLast(2)), [0xFF, 0xD8] + scan, [0xFF, 0xD8, 0xFF, 0xE1, 0, 1]]
    for other in others {
      var kept = try #require(ExifBlock(camera + other))
      kept.patch(size: (8, 8), baked: 1)
      #expect(kept.bytes.suffix(other.count).elementsEqual(other))
    }
    // As many beginnings as there is room for, which must not take hours.
    let many = Array(repeatElement([0xFF, 0xD8] + frame + scan, count: 20_000).joined())
    var kept = try #require(ExifBlock(camera + many))
    kept.patch(size: (8, 8), baked: 1)
    #expect(kept.bytes.suffix(many.count).elementsEqual(many))
    plain.patch(size: (8, 8), baked: 1)
    block.patch(size: (8, 8), baked: 1)
    #expect(
      block.bytes
        == plain.bytes.dropLast(4) + [UInt8](repeating: 0, count: jpeg.count) + rest)
  }

  @Test(
    arguments: [
      ("0000:00:00 00:00:00", nil), ("2024:13:01 00:00:00", nil), ("yesterday", nil),
      ("2024-03-01 00:00:00", 1_709_251_200), ("2016:12:31 23:59:60", 1_483_228_800),
      ("1969:12:31 23:59:59", -1),
    ] as [(String, Double?)])
  func onlyRealDatesAreMoments(text: String, seconds: Double?) {
    #expect(ClockTime(exif: text)?.date.timeIntervalSince1970 == seconds)
  }

  @Test(arguments: [true, false])
  func latitudesBeyondThePolesAreNone(little: Bool) throws {
    var block = ExifFixture.camera(little: little)
    block.put(block.rational([(999, 1)]), at: 276)
    #expect(try #require(ExifBlock(block.bytes)).latitude == nil)
  }

  @Test(arguments: [true, false])
  func aPatchChangesOnlyWhatTheRenderMakesFalse(little: Bool) throws {
    let fixture = ExifFixture.camera(little: little)
    var block = try #require(ExifBlock(fixture.bytes))
    block.patch(size: (1200, 900), baked: 6)
    var expected = fixture
    expected.put(fixture.short(1), at: 8 + 2 + 12 + 8)
    expected.put(fixture.long(0), at: 8 + 2 + 48)
    expected.put(fixture.long(1200), at: 100 + 2 + 48 + 8)
    expected.put(fixture.short(900), at: 100 + 2 + 60 + 8)
    expected.put([UInt8](repeating: 0, count: 42), at: 300)
    expected.put([UInt8](repeating: 0, count: 8), at: 360)
    // The thumbnail stood at the end and is cut off; bytes 382 to 400 have no owner and stay.
    #expect(block.bytes == Array(expected.bytes[..<400]))
  }

  @Test(arguments: [1, 4, 2, 5])
  func anOrientationOfAnyTypeBecomesUpright(type: Int) throws {
    var fixture = ExifFixture(little: false)
    fixture.directory(
      at: 8, [Entry(0x112, type, 1, type == 1 ? [6] : type == 2 ? [0x36] : fixture.long(6))])
    var block = try #require(ExifBlock(fixture.bytes))
    block.patch(size: (1, 1), baked: 6)
    #expect(try #require(ExifBlock(block.bytes)).orientation == 1)
    #expect(block.integer(ExifBlock(block.bytes)?.main[0x112]) == 1)
  }

  @Test func bytesThatOthersShareWithTheThumbnailStay() throws {
    var fixture = ExifFixture.camera(little: true)
    // The thumbnail claims everything from the Exif directory on.
    fixture.put(fixture.long(100), at: 300 + 2 + 8)
    fixture.put(fixture.long(400), at: 300 + 2 + 12 + 8)
    var block = try #require(ExifBlock(fixture.bytes))
    block.patch(size: (4000, 3000), baked: 1)
    #expect(block.captureTime == ExifFixture.captureTime)
    #expect(block.latitude == -52.5)
    #expect(!block.bytes.contains(0xEE))
  }

  @Test(arguments: [8, 100, 7, 499, 0xFFFF_FFFF])
  func strangeLinksToAThumbnailHarmNothing(link: Int) throws {
    var fixture = ExifFixture.camera(little: true)
    fixture.put(fixture.long(link), at: 8 + 2 + 48)
    var block = try #require(ExifBlock(fixture.bytes))
    block.patch(size: (4000, 3000), baked: 1)
    #expect(block.captureTime != nil)
    #expect(block.make == "Kamera")
    #expect(ExifBlock(block.bytes)?.main.next == 0)
  }

  @Test func anUnderstatedThumbnailIsWipedToItsRealEnd() throws {
    var fixture = ExifFixture.camera(little: true)
    fixture.put(
      [0xFF, 0xD8, 0xFF, 0xDA, 0, 2] + Array(repeating: 7, count: 92) + [0xFF, 0xD9], at: 400)
    fixture.put(fixture.long(10), at: 300 + 2 + 12 + 8)
    var block = try #require(ExifBlock(fixture.bytes))
    block.patch(size: (4000, 3000), baked: 1)
    #expect(block.bytes.count == 400)
  }

  @Test func aQuarterTurnSwapsUnequalResolutions() throws {
    var fixture = ExifFixture(little: true)
    fixture.directory(
      at: 8,
      [
        Entry(0x11A, 5, 1, fixture.rational([(300, 1)]), at: 100),
        Entry(0x11B, 5, 1, fixture.rational([(150, 1)]), at: 108),
      ])
    var block = try #require(ExifBlock(fixture.bytes))
    block.patch(size: (1, 1), baked: 8)
    #expect(block.rational(block.main[0x11A]) == 150)
    #expect(block.rational(block.main[0x11B]) == 300)
    block.patch(size: (1, 1), baked: 1, resolution: 72.5)
    #expect(block.rational(block.main[0x11A]) == 72.5)
  }

  @Test(arguments: [[], [1, 2, 3], Array("II*\0".utf8), Array("MM\0*\u{0}\u{0}\u{7F}\u{7F}".utf8)])
  func whatIsNoTIFFIsNoBlock(bytes: [UInt8]) {
    #expect(ExifBlock(bytes) == nil)
  }

  @Test(arguments: [Array("Exif\0\0".utf8), [0, 0, 0, 6] + Array("Exif\0\0".utf8), [0, 0, 0, 0]])
  func headersOfOtherFormatsAreTakenOff(header: [UInt8]) throws {
    let bytes = ExifFixture.camera(little: false).bytes
    #expect(try #require(ExifBlock(header + bytes)).bytes == bytes)
  }
}
