/// A JSON value that keeps the text it was read from, so that what a program does not understand
/// is written back byte for byte: the digits of a number, the order of keys, the spaces between.
public struct JSONValue: Sendable, Hashable {
  /// What the value is once read.
  public indirect enum Content: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, to the nearest double.
    case number(Double)
    /// A text, its escapes read.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Keys with values, in order, no key twice.
    case object([Member])
  }

  /// One key of an object with its value.
  public struct Member: Sendable, Hashable {
    /// The key, without quotes and escapes.
    public let key: String
    /// The value.
    public let value: JSONValue

    /// A key with its value.
    public init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The value as it was read, or as it will be written.
  public let text: String
  /// What the value is.
  public let content: Content

  init(text: String, content: Content) {
    self.text = text
    self.content = content
  }

  /// Two values are equal when their texts are.
  public static func == (left: JSONValue, right: JSONValue) -> Bool { left.text == right.text }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// A number, written in the fewest digits that read back as the same double.
  public static func number(_ value: Double) -> JSONValue {
    let isWhole = value == value.rounded() && abs(value) < 1e15
    return JSONValue(text: isWhole ? "\(Int(value))" : "\(value)", content: .number(value))
  }

  /// `null`.
  public static let null = JSONValue(text: "null", content: .null)

  /// `true` or `false`.
  public static func bool(_ value: Bool) -> JSONValue {
    JSONValue(text: value ? "true" : "false", content: .bool(value))
  }

  /// A text, escaped where JSON asks for it.
  public static func string(_ value: String) -> JSONValue {
    JSONValue(text: quoted(value), content: .string(value))
  }

  /// Values in brackets.
  public static func array(_ values: [JSONValue]) -> JSONValue {
    let text = "[" + values.map(\.text).joined(separator: ",") + "]"
    return JSONValue(text: text, content: .array(values))
  }

  /// Members in braces, in the order given.
  public static func object(_ members: [Member]) -> JSONValue {
    let texts = members.map { quoted($0.key) + ":" + $0.value.text }
    return JSONValue(
      text: "{" + texts.joined(separator: ",") + "}", content: .object(members))
  }

  /// The same value on one line, without spaces; numbers keep their digits.
  public var compact: JSONValue {
    switch content {
    case .array(let elements): .array(elements.map(\.compact))
    case .object(let members):
      .object(members.map { Member($0.key, $0.value.compact) })
    case .null, .bool, .number, .string: self
    }
  }

  /// The members of an object; `nil` for other values.
  public var members: [Member]? {
    if case .object(let members) = content { members } else { nil }
  }

  /// The values of an array; `nil` for other values.
  public var elements: [JSONValue]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  /// The text of a string; `nil` for other values.
  public var string: String? {
    if case .string(let string) = content { string } else { nil }
  }

  /// The number; `nil` for other values.
  public var number: Double? {
    if case .number(let number) = content { number } else { nil }
  }

  /// The number when it is whole and fits; `nil` for other values.
  public var integer: Int? { number.flatMap(Int.init(exactly:)) }

  /// The value under a key of an object; `nil` when it is absent or this is no object.
  public subscript(key: String) -> JSONValue? {
    members?.first { $0.key == key }?.value
  }

  private static func quoted(_ string: String) -> String {
    // Most texts need no escapes, and going through them one by one takes ten times as long.
    if string.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }) {
      return "\"" + string + "\""
    }
    var result = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case "\u{0}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
