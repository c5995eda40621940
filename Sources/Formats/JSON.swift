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
    if string.utf8.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != 0x22 && $0 != 0x5C }) {
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
      // Controls, ends of lines and changes of direction, so that a terminal only shows the text.
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{61C}", "\u{200E}", "\u{200F}",
        "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

/// Why a text is not the JSON that was expected; `line` counts from 1.
public struct JSONError: Error, Hashable, CustomStringConvertible {
  /// The line on which reading stopped.
  public let line: Int
  /// What was wrong there, as the end of a sentence.
  public let reason: String

  /// Where and what, in one phrase.
  public var description: String { "line \(line): \(reason)" }
}

extension JSONValue {
  /// Reads one JSON value that fills the whole text (RFC 8259), UTF-8, nested at most 64 deep.
  ///
  /// Foundation's reader gives back neither the digits nor the order of keys, and an edit must
  /// not change because a program passed it on.
  public init(parsing bytes: some Collection<UInt8>) throws(JSONError) {
    var parser = JSONParser(bytes: Array(bytes))
    self = try parser.document()
  }
}

private struct JSONParser {
  let bytes: [UInt8]
  var position = 0
  var depth = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func document() throws(JSONError) -> JSONValue {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    skipSpace()
    let value = try value()
    skipSpace()
    guard position == bytes.count else { throw error("something follows the end of the value") }
    return value
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 64 else { throw error("values are nested too deeply") }
    let start = position
    let content = try content()
    guard let text = String(validating: bytes[start..<position], as: UTF8.self) else {
      throw error("the text is not UTF-8")
    }
    return JSONValue(text: text, content: content)
  }

  private mutating func content() throws(JSONError) -> JSONValue.Content {
    guard let first = peek else { throw error("the text ends too early") }
    switch first {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default: throw error("a value was expected")
    }
  }

  private mutating func object() throws(JSONError) -> JSONValue.Content {
    position += 1
    var members: [JSONValue.Member] = []
    var keys: Set<String> = []
    skipSpace()
    if take("}") { return .object(members) }
    while true {
      skipSpace()
      guard peek == UInt8(ascii: "\"") else { throw error("a key in quotes was expected") }
      let key = try string()
      guard keys.insert(key).inserted else { throw error("the key \"\(key)\" stands twice") }
      skipSpace()
      guard take(":") else { throw error("a colon was expected after \"\(key)\"") }
      skipSpace()
      members.append(JSONValue.Member(key, try value()))
      skipSpace()
      if take("}") { return .object(members) }
      guard take(",") else { throw error("a comma or } was expected") }
    }
  }

  private mutating func array() throws(JSONError) -> JSONValue.Content {
    position += 1
    var elements: [JSONValue] = []
    skipSpace()
    if take("]") { return .array(elements) }
    while true {
      skipSpace()
      elements.append(try value())
      skipSpace()
      if take("]") { return .array(elements) }
      guard take(",") else { throw error("a comma or ] was expected") }
    }
  }

  private mutating func string() throws(JSONError) -> String {
    position += 1
    var units: [UInt8] = []
    while let byte = peek {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: units, as: UTF8.self) else {
          throw error("the text is not UTF-8")
        }
        return string
      case UInt8(ascii: "\\"): units += Array(String(try escape()).utf8)
      case 0..<0x20: throw error("a control character stands in a text")
      default: units.append(byte)
      }
    }
    throw error("a text has no closing quote")
  }

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    guard let byte = peek else { throw error("the text ends too early") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try hexadecimal()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      // A pair of surrogates stands for one scalar beyond U+FFFF.
      guard unit < 0xDC00, take("\\"), take("u") else { throw error("half a surrogate pair") }
      let low = try hexadecimal()
      guard (0xDC00...0xDFFF).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
      else { throw error("half a surrogate pair") }
      return scalar
    default: throw error("an unknown escape in a text")
    }
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    guard position + 4 <= bytes.count else { throw error("the text ends too early") }
    let digits = bytes[position..<(position + 4)]
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw error("\\u needs four hexadecimal digits") }
    position += 4
    return value
  }

  private mutating func number() throws(JSONError) -> Double {
    let start = position
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let value = Double(text), value.isFinite else {
      throw error("\(text) is not a number in range")
    }
    return value
  }

  private mutating func digits() throws(JSONError) {
    let start = position
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw error("a digit was expected") }
  }

  private mutating func word(_ word: String, _ content: JSONValue.Content) throws(JSONError)
    -> JSONValue.Content
  {
    guard bytes[position...].starts(with: word.utf8) else { throw error("a value was expected") }
    position += word.utf8.count
    return content
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private func error(_ reason: String) -> JSONError {
    JSONError(line: 1 + bytes[..<position].count { $0 == 0x0A }, reason: reason)
  }
}

extension JSONValue {
  /// The text of the value, short enough for a message.
  package var shortened: String {
    let text = compact.text
    return text.count <= 80 ? text : text.prefix(79) + "…"
  }
}

extension JSONValue: Codable {
  /// Reads the value, whatever it is. Numbers are doubles.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: JSONKey.self) {
      self = .object(
        try container.allKeys.map { key in
          Member(key.stringValue, try container.decode(JSONValue.self, forKey: key))
        })
      return
    }
    if var container = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
      self = .array(elements)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let truth = try? container.decode(Bool.self) {
      self = .bool(truth)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  /// Writes the value; whole numbers without a fraction.
  public func encode(to encoder: any Encoder) throws {
    switch content {
    case .object(let members):
      var container = encoder.container(keyedBy: JSONKey.self)
      for member in members { try container.encode(member.value, forKey: JSONKey(member.key)) }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let truth):
      var container = encoder.singleValueContainer()
      try container.encode(truth)
    case .number(let number):
      var container = encoder.singleValueContainer()
      if let integer = Int64(exactly: number) {
        try container.encode(integer)
      } else {
        try container.encode(number)
      }
    case .string(let text):
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }
}

/// A key of an object that may have any keys.
private struct JSONKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ text: String) { stringValue = text }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
