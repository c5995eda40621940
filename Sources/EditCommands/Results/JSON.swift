import FoundationEssentials
import PhotoEditing
import SafelightFormats

typealias JSONValue = SafelightFormats.JSONValue

/// A value that commands print as JSON.
protocol JSONConvertible {
  var json: JSONValue { get }
}

extension JSONValue: JSONConvertible { var json: JSONValue { self } }
extension String: JSONConvertible { var json: JSONValue { .string(self) } }
extension Bool: JSONConvertible { var json: JSONValue { .bool(self) } }
extension Int: JSONConvertible { var json: JSONValue { .number(Double(self)) } }
extension Int64: JSONConvertible { var json: JSONValue { .number(Double(self)) } }
extension Double: JSONConvertible { var json: JSONValue { .number(self) } }
extension FilePath: JSONConvertible { var json: JSONValue { .string(string) } }
extension Date: JSONConvertible { var json: JSONValue { .string(formatted(.iso8601)) } }
extension Array: JSONConvertible where Element: JSONConvertible {
  var json: JSONValue { .array(map(\.json)) }
}

extension JSONValue {
  /// Members of an object, in the order given. A `nil` leaves its member out.
  ///
  /// A path whose bytes are not UTF-8 has a second member: `photo` is for people, and `photoBytes` has
  /// the bytes in Base64.
  static func members(_ values: KeyValuePairs<String, (any JSONConvertible)?>) -> [Member] {
    values.flatMap { key, value -> [Member] in
      guard let value else { return [] }
      let member = Member(key, value.json)
      guard let path = value as? FilePath, FilePath(path.string) != path else { return [member] }
      let bytes = Data(path.bytes).base64EncodedString()
      return [member, Member(key + "Bytes", .string(bytes))]
    }
  }

  /// An object with members in the order given. A `nil` leaves its member out.
  static func object(_ values: KeyValuePairs<String, (any JSONConvertible)?>) -> JSONValue {
    .object(members(values))
  }
}

/// What a camera's clock showed.
struct ClockText: CustomStringConvertible, JSONConvertible {
  private let reading: Date
  private let offset: Int?

  /// - Parameters:
  ///   - date: The instant; that of a clock without an offset is as if it had shown UTC.
  ///   - offset: The seconds that the clock was ahead of UTC.
  init(_ date: Date, offset: Int?) {
    (reading, self.offset) = (date.addingTimeInterval(Double(offset ?? 0)), offset)
  }

  /// `2024-05-01 18:30:00`, and `+02:00` behind it for a clock with an offset.
  var description: String {
    let clock = String(reading.text.prefix(19))
    guard let offset else { return clock }
    let minutes = Int(offset.magnitude / 60)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(clock) \(offset < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
  }

  /// Without a time zone: `2024-05-01T18:30:00`.
  var json: JSONValue { .string(String(reading.formatted(.iso8601).dropLast())) }
}

extension Date {
  /// The date for people, in UTC: `2024-05-01 18:30:00 UTC`.
  var text: String {
    formatted(
      .iso8601.year().month().day().dateTimeSeparator(.space)
        .time(includingFractionalSeconds: false)) + " UTC"
  }
}
