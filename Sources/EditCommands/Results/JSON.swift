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
  static func members(_ values: KeyValuePairs<String, (any JSONConvertible)?>) -> [Member] {
    values.compactMap { key, value in value.map { Member(key, $0.json) } }
  }

  /// An object with members in the order given. A `nil` leaves its member out.
  static func object(_ values: KeyValuePairs<String, (any JSONConvertible)?>) -> JSONValue {
    .object(members(values))
  }
}

extension Date {
  /// The date for people, in UTC: `2024-05-01 18:30:00 UTC`.
  var text: String {
    formatted(
      .iso8601.year().month().day().dateTimeSeparator(.space)
        .time(includingFractionalSeconds: false)) + " UTC"
  }
}
