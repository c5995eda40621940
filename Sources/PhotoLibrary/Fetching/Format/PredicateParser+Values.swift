import FoundationEssentials
import Glibc
import SafelightCatalog
import SafelightFormats

extension PredicateParser {
  /// Reads a key, a key's bits, or a value.
  mutating func side() throws(PredicateFormatError) -> Side {
    if token.isCalled("(") {
      advance()
      let side = try side(inParentheses: true)
      try require(")")
      return side
    }
    return try side(inParentheses: false)
  }

  private mutating func side(inParentheses: Bool) throws(PredicateFormatError) -> Side {
    let start = token
    if token.isCalled("ANY") || token.isCalled("SOME"),
      case .word(let name) = token(after: 1).content,
      let key = FetchKey(name: name), key.kind == .keywords
    {
      advance()
      advance()
      return .any(key)
    }
    guard let key = try key() else { return .value(try value(), start) }
    guard take("&") else { return .term(Condition.Term(key: key)) }
    guard key.kind == .integer else {
      throw PredicateFormatError(
        column: start.column,
        .wrongKind(key: key.name, kind: key.kind.rawValue, found: "bits"))
    }
    let bits = token
    guard case .integer(let mask) = try value() else {
      throw PredicateFormatError(column: bits.column, .expected("a whole number", found: bits.name))
    }
    return .term(Condition.Term(key: key, mask: mask))
  }

  private mutating func key() throws(PredicateFormatError) -> FetchKey? {
    let (start, name): (PredicateToken, String)
    switch token.content {
    case .word(let word) where Self.constants[word.uppercased()] == nil:
      (start, name) = (token, word)
      if let what = Self.refused[word.uppercased()] {
        throw PredicateFormatError(column: token.column, .unsupported(what))
      }
      advance()
    case .placeholder("K"):
      start = token
      guard case .text(let text) = try argument() else {
        throw PredicateFormatError(column: start.column, .argument("%K takes the name of a key"))
      }
      name = text
    default: return nil
    }
    guard let key = FetchKey(name: name) else {
      if token.isCalled("(") {
        throw PredicateFormatError(column: start.column, .unsupported("a function"))
      }
      throw PredicateFormatError(
        column: start.column, .unknownKey(name, nearest: FetchKey.nearest(to: name)))
    }
    return key
  }

  private static let constants: [String: FetchValue] = [
    "YES": .truth(true), "TRUE": .truth(true), "NO": .truth(false), "FALSE": .truth(false),
    "NIL": .null, "NULL": .null,
  ]

  private static let refused = [
    "ANY": "ANY", "ALL": "ALL", "SOME": "SOME", "NONE": "NONE", "SUBQUERY": "SUBQUERY",
    "FUNCTION": "FUNCTION", "CAST": "CAST",
  ]

  /// Reads a value: a constant, a number, a quotation or an argument.
  mutating func value() throws(PredicateFormatError) -> FetchValue {
    switch token.content {
    case .text(let text):
      advance()
      return .text(text)
    case .integer(let number):
      advance()
      return .integer(number)
    case .real(let number):
      advance()
      return .real(number)
    case .sign("-"):
      advance()
      switch token.content {
      case .integer(let number):
        advance()
        return .integer(-number)
      case .real(let number):
        advance()
        return .real(-number)
      default: throw expected("a number")
      }
    case .word(let word):
      guard let constant = Self.constants[word.uppercased()] else { throw expected("a value") }
      advance()
      return constant
    case .placeholder(let letter) where letter != "K": return try argument()
    case .placeholder, .sign, .end: throw expected("a key or a value")
    }
  }

  private mutating func argument() throws(PredicateFormatError) -> FetchValue {
    let placeholder = token
    advance()
    guard let value = arguments.popFirst() else {
      throw PredicateFormatError(
        column: placeholder.column, .argument("\(placeholder.name) has no argument"))
    }
    switch (placeholder.content, value) {
    case (.placeholder("d"), .integer), (.placeholder("d"), .truth): return value
    case (.placeholder("d"), _):
      throw PredicateFormatError(
        column: placeholder.column, .argument("%d takes a whole number, not \(value.name)"))
    case (.placeholder("f"), .real), (.placeholder("f"), .integer): return value
    case (.placeholder("f"), _):
      throw PredicateFormatError(
        column: placeholder.column, .argument("%f takes a number, not \(value.name)"))
    default: return value
    }
  }

  /// Reads a list in braces, or an argument that is a list; returns each value with its token.
  mutating func list() throws(PredicateFormatError) -> [(FetchValue, PredicateToken)] {
    let start = token
    if token.content == .placeholder("@") {
      guard case .list(let values) = try argument() else {
        throw PredicateFormatError(column: start.column, .argument("a list must be given here"))
      }
      return values.map { ($0, start) }
    }
    try require("{")
    var values: [(FetchValue, PredicateToken)] = []
    guard !take("}") else { return values }
    repeat {
      let place = token
      values.append((try value(), place))
    } while take(",")
    try require("}")
    return values
  }

  /// Converts a value to the kind of a key; texts become dates.
  ///
  /// - Returns: The value and the key to compare it with. A creation date without an offset is compared with
  ///   the camera's clock, one with an offset with the instant.
  func comparable(
    _ value: FetchValue, with key: FetchKey, at token: PredicateToken
  ) throws(PredicateFormatError) -> (FetchKey, DatabaseValue) {
    if key.kind == .date, case .text(let text) = value {
      guard let time = ClockTime(iso: text) else {
        throw PredicateFormatError(column: token.column, .invalidDate(text))
      }
      guard key == .creationDate || key == .localDate else {
        let instant = time.secondsFromUTC == nil ? time.reading.fromLocalClock : time.date
        return (key, instant.databaseValue)
      }
      return time.secondsFromUTC == nil
        ? (.localDate, time.reading.databaseValue) : (.creationDate, time.date.databaseValue)
    }
    guard let converted = value.converted(to: key.kind) else {
      throw PredicateFormatError(
        column: token.column,
        .wrongKind(key: key.name, kind: key.kind.rawValue, found: value.name))
    }
    return (key, converted)
  }
}

extension FetchValue {
  /// The value's name in messages.
  fileprivate var name: String {
    switch self {
    case .null: "nil"
    case .truth(let truth): truth ? "YES" : "NO"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "the text “\(text)”"
    case .date: "a date"
    case .list: "a list"
    }
  }
}

extension Date {
  /// What the clock of this computer shows at this instant, as if it showed UTC.
  var onLocalClock: Date { ClockTime(onThisComputer: self).reading }

  /// The instant at which the clock of this computer shows what a clock in UTC shows at this date.
  fileprivate var fromLocalClock: Date {
    let whole = timeIntervalSince1970.rounded(.down)
    var seconds = time_t(whole)
    var parts = tm()
    guard gmtime_r(&seconds, &parts) != nil else { return self }
    parts.tm_isdst = -1
    return Date(
      timeIntervalSince1970: Double(mktime(&parts)) + timeIntervalSince1970 - whole)
  }
}
