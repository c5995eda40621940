import FoundationEssentials
import Glibc

/// A date and time as a clock shows it, and how far that clock is ahead of UTC when this is known.
///
/// The one calendar of Safelight: every date in a file or on the command line is read here. Days
/// and hours that do not exist are refused.
///
/// ```swift
/// let time = ClockTime(iso: "2024-05-01T18:30:15+02:00")
/// time?.reading  // 18:30:15 on 1 May 2024, as if the clock showed UTC
/// time?.date     // 16:30:15 UTC
/// ```
package struct ClockTime: Sendable, Hashable {
  /// What the clock shows, as a moment in UTC.
  package let reading: Date
  /// Seconds that the clock is ahead of UTC; `nil` when that is unknown.
  package let secondsFromUTC: Int?

  /// A reading of a clock.
  package init(reading: Date, secondsFromUTC: Int? = nil) {
    self.reading = reading
    self.secondsFromUTC = secondsFromUTC
  }

  /// A moment as the clock of this computer shows it.
  package init(onThisComputer moment: Date) {
    // A damaged catalog may have any number for a date.
    var seconds = time_t(exactly: moment.timeIntervalSince1970.rounded(.down)) ?? 0
    var parts = tm()
    let offset = localtime_r(&seconds, &parts) == nil ? 0 : parts.tm_gmtoff
    self.init(reading: moment.addingTimeInterval(Double(offset)), secondsFromUTC: offset)
  }

  /// The moment. A clock whose distance from UTC is unknown counts as one that shows UTC.
  package var date: Date { reading.addingTimeInterval(-Double(secondsFromUTC ?? 0)) }
}

// MARK: - Reading

extension ClockTime {
  /// Reads an ISO 8601 date or time of any precision: `2024`, `2024-05`, `2024-05-01`,
  /// `2024-05-01 18:30` or `2024-05-01T18:30:15.250`. After a time, `Z` or an offset such as
  /// `+02:00` may follow. XMP spells its dates so.
  ///
  /// - Returns: `nil` for any other form, and for days that do not exist.
  package init?(iso text: String) {
    var rest = Substring(text)
    guard let year = Self.number(&rest, digits: 4) else { return nil }
    var fields = [year]
    let marks: [[Character]] = [["-"], ["-"], [" ", "T"], [":"], [":"]]
    while fields.count < 6, let mark = rest.first, marks[fields.count - 1].contains(mark) {
      rest.removeFirst()
      guard let field = Self.number(&rest, digits: 2) else { return nil }
      fields.append(field)
    }
    // An hour alone is more often a mistake than a time.
    guard fields.count != 4, fields.count < 6 || fields[5] < 60 else { return nil }
    var fraction = 0.0
    if fields.count == 6, rest.first == "." {
      let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
      guard let value = Double("0.\(digits)"), (1...9).contains(digits.count) else { return nil }
      fraction = value
      rest.removeFirst(1 + digits.count)
    }
    let seconds = rest.isEmpty ? nil : Self.offset(rest)
    guard rest.isEmpty || fields.count >= 5 && seconds != nil else { return nil }
    self.init(fields: fields, fraction: fraction, secondsFromUTC: seconds)
  }

  /// Reads a time as Exif stores it: `YYYY:MM:DD HH:MM:SS`, with any marks between the numbers.
  ///
  /// - Parameters:
  ///   - subSeconds: Digits after the decimal point of the seconds; `nil` when absent.
  ///   - offsets: Offsets from UTC, such as `+02:00`; the first that is one counts.
  /// - Returns: `nil` when the text is not a date, as in `0000:00:00 00:00:00`.
  package init?(exif text: String, subSeconds: String? = nil, offsets: [String] = []) {
    let fields = text.split { !$0.isASCII || !$0.isNumber }.map { Int($0) ?? -1 }
    guard fields.count >= 6 else { return nil }
    var fraction = 0.0
    if let subSeconds, subSeconds.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      fraction = Double("0." + subSeconds) ?? 0
    }
    self.init(
      fields: Array(fields.prefix(6)), fraction: fraction,
      secondsFromUTC: offsets.lazy.compactMap { Self.offset($0[...]) }.first)
  }

  /// Reads a date and a time as IPTC-IIM stores them: `20240501`, and `183015+0200` or `nil`.
  package init?(iptc date: String, time: String?) {
    var (rest, fields) = (Substring(date), [Int]())
    for digits in [4, 2, 2] {
      guard let field = Self.number(&rest, digits: digits) else { return nil }
      fields.append(field)
    }
    guard rest.isEmpty else { return nil }
    rest = Substring(time ?? "")
    while fields.count < 6, let field = Self.number(&rest, digits: 2) { fields.append(field) }
    self.init(
      fields: fields.count == 6 ? fields : Array(fields.prefix(3)),
      secondsFromUTC: fields.count == 6 ? Self.offset(rest) : nil)
  }

  /// - Parameter fields: Year, month, day, hour, minute and second, as many as are known.
  private init?(fields: [Int], fraction: Double = 0, secondsFromUTC: Int?) {
    var fields = fields + [0, 1, 1, 0, 0, 0][fields.count...]
    guard (1...9999).contains(fields[0]), fields.dropFirst().allSatisfy({ (0...99).contains($0) })
    else { return nil }
    // A leap second is the last second of its minute, counted once more.
    let leap = fields[5] == 60 ? 1.0 : 0
    if leap > 0 { fields[5] = 59 }
    // The calendar behind the style is the Julian one before 1583, and the Gregorian calendar
    // repeats itself after 400 years.
    let cycles = fields[0] < 1600 ? 4 : 0
    fields[0] += 400 * cycles
    let text = Self.spelled(fields)
    // Spelling the moment again finds every day and hour that does not exist.
    guard let moment = try? Self.style.parse(text), moment.formatted(Self.style) == text else {
      return nil
    }
    self.init(
      reading: moment.addingTimeInterval(fraction + leap - Double(cycles) * Self.secondsOfCycle),
      secondsFromUTC: secondsFromUTC)
  }

  /// Takes a number of exactly so many digits.
  private static func number(_ rest: inout Substring, digits: Int) -> Int? {
    let text = rest.prefix(digits)
    guard text.count == digits, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    rest.removeFirst(digits)
    return Int(text)
  }

  /// Seconds ahead of UTC: `Z`, `+02:00` or `+0200`; `nil` for anything else.
  private static func offset(_ text: Substring) -> Int? {
    if text == "Z" { return 0 }
    var rest = text.dropFirst()
    guard let sign = text.first, sign == "+" || sign == "-",
      let hours = number(&rest, digits: 2), hours < 15
    else { return nil }
    if rest.first == ":" { rest.removeFirst() }
    guard let minutes = number(&rest, digits: 2), minutes < 60, rest.isEmpty else { return nil }
    return (hours * 60 + minutes) * (sign == "-" ? -60 : 60)
  }
}

// MARK: - Spelling

extension ClockTime {
  /// Seconds from 1970 to the first and the last moment that four digits of year can spell.
  private static let spellable = -62_135_596_800.0...253_402_300_799.0
  private static let secondsOfCycle = 146_097.0 * 86_400
  private static let style = Date.ISO8601FormatStyle(timeZone: .gmt)

  /// A moment as property lists spell it: `2025-08-01T12:34:56Z`, UTC, whole seconds.
  ///
  /// Fractions of a second are dropped. A moment that four digits of year cannot spell becomes the
  /// nearest one that they can.
  package static func text(utc date: Date) -> String {
    let seconds = date.timeIntervalSince1970
    let whole = seconds.isNaN ? 0 : seconds.rounded(.down)
    let inside = min(max(whole, spellable.lowerBound), spellable.upperBound)
    // As in reading: the style is right from 1583 on.
    let cycles = inside < -12_000_000_000 ? 4.0 : 0
    let text = Date(timeIntervalSince1970: inside + cycles * secondsOfCycle).formatted(style)
    guard cycles > 0, let year = Int(text.prefix(4)) else { return text }
    return padded(year - 1600, 4) + text.dropFirst(4)
  }

  /// Reads a moment in exactly the form that ``text(utc:)`` writes; `nil` for any other form.
  package static func date(utc text: String) -> Date? {
    guard text.utf8.count == 20, text.hasSuffix("Z"), let time = ClockTime(iso: text) else {
      return nil
    }
    return self.text(utc: time.date) == text ? time.date : nil
  }

  private static func spelled(_ fields: [Int]) -> String {
    padded(fields[0], 4) + "-" + padded(fields[1], 2) + "-" + padded(fields[2], 2) + "T"
      + padded(fields[3], 2) + ":" + padded(fields[4], 2) + ":" + padded(fields[5], 2) + "Z"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
