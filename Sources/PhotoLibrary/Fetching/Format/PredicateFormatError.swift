import SafelightCatalog

/// Why a text is no predicate.
public struct PredicateFormatError: Error, Equatable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Equatable, Sendable {
    /// The text is longer than 16,384 bytes, or has more than 500 comparisons.
    case tooLong
    /// Parentheses and `NOT` are more than 64 levels deep.
    case tooDeep
    /// There is no such key; `nearest` is the one that is most like it.
    case unknownKey(String, nearest: String?)
    /// Something else has to stand there.
    case expected(String, found: String)
    /// A quotation mark has no second one.
    case unclosedQuotation
    /// The key's values are of another kind.
    case wrongKind(key: String, kind: String, found: String)
    /// A text is no date.
    case invalidDate(String)
    /// A placeholder has no argument, or the wrong one, or there are arguments left.
    case argument(String)
    /// It is a part of `NSPredicate` that is not supported.
    case unsupported(String)
  }

  /// Where in the text the mistake is, in characters; the first is 1.
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
