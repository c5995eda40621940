import FoundationEssentials
import Glibc

/// Dates as people write them in predicates: ISO 8601, as far down as it is known.
enum DateText {
  /// Reads `2024`, `2024-05`, `2024-05-01`, `2024-05-01 18:30` or `2024-05-01T18:30:15.250`, in local
  /// time unless `Z` or an offset such as `+02:00` stands behind it.
  ///
  /// - Returns: `nil` for anything else, and for days that no calendar has.
  static func date(_ text: String) -> Date? {
    var rest = Substring(text)
    guard let year = number(&rest, digits: 4) else { return nil }
    var fields = [year, 1, 1, 0, 0, 0]
    let marks: [[Character]] = [["-"], ["-"], [" ", "T"], [":"], [":"]]
    var known = 1
    while known < 6, let mark = rest.first, marks[known - 1].contains(mark) {
      rest.removeFirst()
      guard let field = number(&rest, digits: 2) else { return nil }
      fields[known] = field
      known += 1
    }
    // An hour alone is more often a mistake than a time.
    guard known != 4 else { return nil }
    var fraction = 0.0
    if known == 6, rest.first == "." {
      rest.removeFirst()
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard let value = Double("0.\(digits)"), (1...9).contains(digits.count) else { return nil }
      fraction = value
      rest.removeFirst(digits.count)
    }
    guard let offset = offset(&rest, hasTime: known >= 5), rest.isEmpty else { return nil }
    return date(fields, offset).map { $0.addingTimeInterval(fraction) }
  }

  private static func number(_ rest: inout Substring, digits: Int) -> Int? {
    let text = rest.prefix(digits)
    guard text.count == digits, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    rest.removeFirst(digits)
    return Int(text)
  }

  /// Seconds east of Greenwich; the inner `nil` is local time, the outer one a mistake.
  private static func offset(_ rest: inout Substring, hasTime: Bool) -> Int?? {
    guard let sign = rest.first else { return .some(nil) }
    guard hasTime else { return nil }
    rest.removeFirst()
    if sign == "Z" { return 0 }
    guard sign == "+" || sign == "-", let hours = number(&rest, digits: 2), hours < 15 else {
      return nil
    }
    if rest.first == ":" { rest.removeFirst() }
    guard let minutes = number(&rest, digits: 2), minutes < 60 else { return nil }
    return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  private static func date(_ fields: [Int], _ offset: Int?) -> Date? {
    guard fields[1] <= 12, fields[2] >= 1, fields[3] < 24, fields[4] < 60, fields[5] < 60 else {
      return nil
    }
    var parts = tm()
    parts.tm_year = Int32(fields[0] - 1900)
    parts.tm_mon = Int32(fields[1] - 1)
    parts.tm_mday = Int32(fields[2])
    parts.tm_hour = Int32(fields[3])
    parts.tm_min = Int32(fields[4])
    parts.tm_sec = Int32(fields[5])
    parts.tm_isdst = -1
    let seconds = offset == nil ? mktime(&parts) : timegm(&parts)
    // The day is put right where a month has fewer; such a date is a mistake.
    guard parts.tm_mon == Int32(fields[1] - 1), parts.tm_mday == Int32(fields[2]) else {
      return nil
    }
    return Date(timeIntervalSince1970: Double(seconds) - Double(offset ?? 0))
  }
}
