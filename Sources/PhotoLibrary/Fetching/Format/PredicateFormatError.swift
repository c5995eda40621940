import SafelightCatalog

/// Why a text is not a predicate.
public struct PredicateFormatError: Error, Equatable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Equatable, Sendable {
    /// The text is longer than 16,384 bytes, or has more than 500 comparisons.
    case tooLong
    /// Parentheses and `NOT` are more than 64 levels deep.
    case tooDeep
    /// There is no such key; `nearest` is the most similar key.
    case unknownKey(String, nearest: String?)
    /// The text has something else than expected.
    case expected(String, found: String)
    /// A quotation has no end.
    case unclosedQuotation
    /// The key cannot be compared with such a value.
    case wrongKind(key: String, kind: String, found: String)
    /// A text is no date.
    case invalidDate(String)
    /// A placeholder has no argument, or one of a wrong kind, or there are too many arguments.
    case argument(String)
    /// A part of `NSPredicate` that is not supported.
    case unsupported(String)
  }

  /// The place of the mistake in the text, in characters; the first character is 1.
  public let column: Int
  /// What is wrong.
  public let reason: Reason

  init(column: Int, _ reason: Reason) {
    self.column = column
    self.reason = reason
  }

  public var description: String { "Column \(column): \(text)." }

  private var text: String {
    switch reason {
    case .tooLong: "the predicate is too long"
    case .tooDeep: "parentheses are nested too deeply"
    case .unknownKey(let name, _): "there is no key “\(name)”"
    case .expected(let expected, let found): "\(expected) must stand here, not \(found)"
    case .unclosedQuotation: "the quotation is not closed"
    case .wrongKind(let key, let kind, let found):
      "\(key) is \(kind) and cannot be compared with \(found)"
    case .invalidDate(let text): "“\(text)” is no date"
    case .argument(let detail): detail
    case .unsupported(let what): "\(what) is not supported"
    }
  }
}
