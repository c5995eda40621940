/// A value that is recognized by its place on the command line.
///
/// An array takes all words that are left, so it must be the last argument; without a default it
/// needs at least one.
@propertyWrapper
public struct Argument<Value>: Decodable, DeclaredProperty {
  let content: Parsed<Value>

  init(content: Parsed<Value>) { self.content = content }

  // Without this the compiler overlooks the initializers in extensions when the attribute stands
  // without parentheses.
  /// Cannot be used: it only lets the attribute stand without parentheses.
  @available(
    *, unavailable,
    message: "Value must be ExpressibleByArgument, or an optional or array of such."
  )
  public init() { preconditionFailure("Unavailable.") }

  /// Refuses: values come from a command line only.
  public init(from decoder: any Decoder) throws { throw PropertyDecoder.refusal(decoder) }

  /// The value; the default before parsing, if there is one.
  public var wrappedValue: Value {
    get { content.value }
    set { self = Self(content: .value(newValue)) }
  }
}
extension Argument: Sendable where Value: Sendable {}

extension Argument where Value: ExpressibleByArgument {
  /// Declares a required argument.
  public init(help: ArgumentHelp? = nil, completion: CompletionKind? = nil) {
    self.init(help, completion, initial: nil)
  }

  /// Declares an argument with a default.
  public init(wrappedValue: Value, help: ArgumentHelp? = nil, completion: CompletionKind? = nil) {
    self.init(help, completion, initial: wrappedValue)
  }

  private init(_ help: ArgumentHelp?, _ completion: CompletionKind?, initial: Value?) {
    content = .declared(
      Declaration(
        .positional, of: Value.self, names: [], help: help, completion: completion,
        initial: initial,
        defaults: initial.map { [$0] } ?? [], convert: { $0[$0.count - 1] }))
  }
}

extension Argument {
  /// Declares an argument that may be left out.
  public init<Element: ExpressibleByArgument>(
    help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) where Value == Element? {
    content = .declared(
      Declaration(
        .positional, of: Element.self, names: [], help: help, completion: completion,
        initial: .some(nil),
        convert: { $0.last }))
  }

  /// Declares an argument that may be left out, with the `nil` written out.
  public init<Element: ExpressibleByArgument>(
    wrappedValue: _OptionalNilComparisonType, help: ArgumentHelp? = nil,
    completion: CompletionKind? = nil
  ) where Value == Element? {
    self.init(help: help, completion: completion)
  }

  /// Declares an argument of one or more words.
  public init<Element: ExpressibleByArgument>(
    help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) where Value == [Element] {
    self.init(help, completion, initial: nil)
  }

  /// Declares an argument of any number of words, with the value for none.
  public init<Element: ExpressibleByArgument>(
    wrappedValue: [Element], help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) where Value == [Element] {
    self.init(help, completion, initial: wrappedValue)
  }

  private init<Element: ExpressibleByArgument>(
    _ help: ArgumentHelp?, _ completion: CompletionKind?, initial: [Element]?
  ) where Value == [Element] {
    content = .declared(
      Declaration(
        .positional, of: Element.self, names: [], help: help, completion: completion,
        initial: initial,
        defaults: initial ?? [],
        isRepeating: true, convert: { $0 }))
  }
}
