import FoundationEssentials
import Glibc

/// Moments as property lists spell them: `2025-08-01T12:34:56Z`, UTC, whole seconds.
enum Timestamp {
  /// Seconds from 1970 to the first and last moment that four digits of year can spell.
  private static let spellable = -62_135_596_800.0...253_402_300_799.0

  /// The text of a moment, fractions of a second dropped; moments out of range come at its ends.
  static func text(_ date: Date) -> String {
    let seconds = date.timeIntervalSince1970
    let whole = seconds.isNaN ? 0 : seconds.rounded(.down)
    var time = time_t(min(max(whole, spellable.lowerBound), spellable.upperBound))
    var parts = tm()
    gmtime_r(&time, &parts)
    return padded(Int(parts.tm_year) + 1900, 4) + "-" + padded(Int(parts.tm_mon) + 1, 2) + "-"
      + padded(Int(parts.tm_mday), 2) + "T" + padded(Int(parts.tm_hour), 2) + ":"
      + padded(Int(parts.tm_min), 2) + ":" + padded(Int(parts.tm_sec), 2) + "Z"
  }

  /// The moment in a text of exactly this form; `nil` for any other, and for 30 February.
  static func date(_ text: String) -> Date? {
    let bytes = Array(text.utf8)
    guard bytes.count == 20 else { return nil }
    func number(_ range: Range<Int>) -> Int32 {
      bytes[range].reduce(0) { $0 &* 10 &+ Int32($1) &- 48 }
    }
    var parts = tm()
    parts.tm_year = number(0..<4) - 1900
    parts.tm_mon = number(5..<7) - 1
    parts.tm_mday = number(8..<10)
    parts.tm_hour = number(11..<13)
    parts.tm_min = number(14..<16)
    parts.tm_sec = number(17..<19)
    let date = Date(timeIntervalSince1970: TimeInterval(timegm(&parts)))
    // Spelling it again finds every wrong separator, digit and day of the month.
    return self.text(date) == text ? date : nil
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
