import Foundation
import Testing

@testable import SafelightFormats

@Suite struct ClockTimeTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (1_754_051_696.9, "2025-08-01T12:34:56Z"),
    (-1, "1969-12-31T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
    (-12_219_292_801, "1582-10-14T23:59:59Z"), (-14_831_769_600, "1500-01-01T00:00:00Z"),
    (-62_135_596_800, "0001-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
  ])
  func momentsAreSpelledInUTC(seconds: Double, text: String) {
    #expect(ClockTime.text(utc: Date(timeIntervalSince1970: seconds)) == text)
    #expect(ClockTime.date(utc: text)?.timeIntervalSince1970 == seconds.rounded(.down))
  }

  @Test(arguments: [
    "", "2025-08-01", "2025-02-30T00:00:00Z", "2025-08-01T24:00:00Z", "2025-08-01 12:34:56Z",
    "2025-08-01T12:34:56+", "aaaa-bb-ccTdd:ee:ffZ", "2025-8-001T12:34:56Z",
  ])
  func otherFormsOfMomentsAreNotRead(text: String) {
    #expect(ClockTime.date(utc: text) == nil)
  }

  @Test(
    arguments: [
      ("2024", 1_704_067_200, nil), ("2024-05", 1_714_521_600, nil),
      ("2024-05-01", 1_714_521_600, nil), ("2024-05-01 18:30", 1_714_588_200, nil),
      ("2024-05-01T18:30:15.25", 1_714_588_215.25, nil),
      ("2024-05-01T18:30:15Z", 1_714_588_215, 0),
      ("2024-05-01T18:30:15-0330", 1_714_588_215, -12_600),
      ("2024-05-01T18:30+02:00", 1_714_588_200, 7200),
      ("0004-02-29", -62_035_891_200, nil),
    ] as [(String, Double, Int?)])
  func isoDatesAreReadAsFarAsTheyGo(text: String, seconds: Double, offset: Int?) throws {
    let time = try #require(ClockTime(iso: text))
    #expect(time.reading.timeIntervalSince1970 == seconds)
    #expect(time.secondsFromUTC == offset)
    #expect(time.date.timeIntervalSince1970 == seconds - Double(offset ?? 0))
  }

  @Test(arguments: [
    "", "24", "2024-13", "2023-02-29", "1900-02-29", "2024-05-01 18", "2024-05-01T24:00",
    "2024-05-01T18:60", "2024-05-01T18:30:60", "2024-05-01Z", "2024-05-01T18:30+15:00",
    "2024-05-01T18:30:15.", "2024-05-01T18:30:15.1234567890", "2024-05-01T18:30 ", "0000-01-01",
    "２０２４-05-01",
  ])
  func otherDatesAreNone(text: String) {
    #expect(ClockTime(iso: text) == nil)
  }

  @Test(
    arguments: [
      ("20240501", nil, 1_714_521_600, nil), ("20240501", "183015+0200", 1_714_588_215, 7200),
      ("20240501", "183015", 1_714_588_215, nil), ("20240501", "x", 1_714_521_600, nil),
    ] as [(String, String?, Double, Int?)])
  func datesOfIPTCAreRead(date: String, time: String?, seconds: Double, offset: Int?) throws {
    let read = try #require(ClockTime(iptc: date, time: time))
    #expect(read.reading.timeIntervalSince1970 == seconds)
    #expect(read.secondsFromUTC == offset)
    #expect(ClockTime(iptc: "00000000", time: time) == nil)
  }
}
