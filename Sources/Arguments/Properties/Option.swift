/// A value that follows its name: `--quality 95`, `--quality=95`, `-q 95` or `-q95`.
///
/// Given more than once, the last value counts, unless the property is an array.
@propertyWrapper
package struct Option<Value>: DeclaredProperty, CommandLineOnly {
  let content: Parsed<Value>

  init(content: Parsed<Value>) { self.content = content }

  // As in Argument.
  @available(
    *, unavailable,
    message: "Value must be ExpressibleByArgument, or an optional or array of such."
  )
  package init() { preconditionFailure("Unavailable.") }

  /// The value; the default before parsing, if there is one.
  package var wrappedValue: Value {
    get { content.value }
    set { self = Self(content: .value(newValue)) }
  }
}
extension Option: Sendable where Value: Sendable {}

extension Option where Value: ExpressibleByArgument {
  /// Declares a required option.
  package init(
    name: NameSpecification = .long, help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) {
    content = .one(Wording(help, completion, names: name), initial: nil)
  }

  /// Declares an option with a default.
  package init(
    wrappedValue: Value, name: NameSpecification = .long, help: ArgumentHelp? = nil,
    completion: CompletionKind? = nil
  ) {
    content = .one(Wording(help, completion, names: name), initial: wrappedValue)
  }
}

extension Option {
  /// Declares an option that may be left out.
  package init<Element: ExpressibleByArgument>(
    name: NameSpecification = .long, help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) where Value == Element? {
    content = .optional(Wording(help, completion, names: name))
  }

  /// Declares an option that may be left out, with the `nil` written out.
  package init<Element: ExpressibleByArgument>(
    wrappedValue: _OptionalNilComparisonType, name: NameSpecification = .long,
    help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) where Value == Element? {
    content = .optional(Wording(help, completion, names: name))
  }

  /// Declares an option that must be given at least once and may be repeated.
  package init<Element: ExpressibleByArgument>(
    name: NameSpecification = .long, help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) where Value == [Element] {
    content = .list(Wording(help, completion, names: name), initial: nil)
  }

  /// Declares an option that may be repeated, with the value for none.
  package init<Element: ExpressibleByArgument>(
    wrappedValue: [Element], name: NameSpecification = .long, help: ArgumentHelp? = nil,
    completion: CompletionKind? = nil
  ) where Value == [Element] {
    content = .list(Wording(help, completion, names: name), initial: wrappedValue)
  }
}
