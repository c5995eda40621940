/// A value that follows its name: `--quality 95`, `--quality=95`, `-q 95` or `-q95`.
///
/// Given more than once, the last value counts, unless the property is an array.
@propertyWrapper
public struct Option<Value>: Decodable, DeclaredProperty {
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
extension Option: Sendable where Value: Sendable {}

extension Option where Value: ExpressibleByArgument {
  /// Declares a required option.
  public init(
    name: NameSpecification = .long, help: ArgumentHelp? = nil,
    completion: CompletionKind? = nil
  ) {
    self.init(names: name, help: help, completion: completion, initial: nil)
  }

  /// Declares an option with a default.
  public init(
    wrappedValue: Value, name: NameSpecification = .long, help: ArgumentHelp? = nil,
    completion: CompletionKind? = nil
  ) {
    self.init(names: name, help: help, completion: completion, initial: wrappedValue)
  }

  private init(
    names: NameSpecification, help: ArgumentHelp?, completion: CompletionKind?,
    initial: Value?
  ) {
    content = .declared(
      Declaration(
        .option, of: Value.self, names: names, help: help, completion: completion, initial: initial,
        defaults: initial.map { [$0] } ?? [], convert: { $0[$0.count - 1] }))
  }
}

extension Option {
  /// Declares an option that may be left out.
  public init<Element: ExpressibleByArgument>(
    name: NameSpecification = .long, help: ArgumentHelp? = nil,
    completion: CompletionKind? = nil
  ) where Value == Element? {
    content = .declared(
      Declaration(
        .option, of: Element.self, names: name, help: help, completion: completion,
        initial: .some(nil)
      ) {
        $0.last
      })
  }

  /// Declares an option that may be left out, with the `nil` written out.
  public init<Element: ExpressibleByArgument>(
    wrappedValue: _OptionalNilComparisonType, name: NameSpecification = .long,
    help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) where Value == Element? {
    self.init(name: name, help: help, completion: completion)
  }

  /// Declares an option that must be given at least once and may be repeated.
  public init<Element: ExpressibleByArgument>(
    name: NameSpecification = .long, help: ArgumentHelp? = nil,
    completion: CompletionKind? = nil
  ) where Value == [Element] {
    self.init(names: name, help: help, completion: completion, initial: nil)
  }

  /// Declares an option that may be repeated, with the value for none.
  public init<Element: ExpressibleByArgument>(
    wrappedValue: [Element], name: NameSpecification = .long, help: ArgumentHelp? = nil,
    completion: CompletionKind? = nil
  ) where Value == [Element] {
    self.init(names: name, help: help, completion: completion, initial: wrappedValue)
  }

  private init<Element: ExpressibleByArgument>(
    names: NameSpecification, help: ArgumentHelp?, completion: CompletionKind?,
    initial: [Element]?
  ) where Value == [Element] {
    content = .declared(
      Declaration(
        .option, of: Element.self, names: names, help: help, completion: completion,
        initial: initial,
        defaults: initial ?? [],
        isRepeating: true, convert: { $0 }))
  }
}
