/// A value that is recognized by its place on the command line.
///
/// An array takes all words that are left, so it must be the last argument; without a default it
/// needs at least one.
@propertyWrapper
package struct Argument<Value>: DeclaredProperty, CommandLineOnly {
  let content: Parsed<Value>

  init(content: Parsed<Value>) { self.content = content }

  // Without this the compiler overlooks the initializers in extensions when the attribute stands
  // without parentheses.
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
extension Argument: Sendable where Value: Sendable {}

extension Argument where Value: ExpressibleByArgument {
  /// Declares a required argument.
  package init(help: ArgumentHelp? = nil, completion: CompletionKind? = nil) {
    content = .one(Wording(help, completion), initial: nil)
  }

  /// Declares an argument with a default.
  package init(
    wrappedValue: Value, help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) {
    content = .one(Wording(help, completion), initial: wrappedValue)
  }
}

extension Argument {
  /// Declares an argument that may be left out.
  package init<Element: ExpressibleByArgument>(
    help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) where Value == Element? {
    content = .optional(Wording(help, completion))
  }

  /// Declares an argument that may be left out, with the `nil` written out.
  package init<Element: ExpressibleByArgument>(
    wrappedValue: _OptionalNilComparisonType, help: ArgumentHelp? = nil,
    completion: CompletionKind? = nil
  ) where Value == Element? {
    content = .optional(Wording(help, completion))
  }

  /// Declares an argument of one or more words.
  package init<Element: ExpressibleByArgument>(
    help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) where Value == [Element] {
    content = .list(Wording(help, completion), initial: nil)
  }

  /// Declares an argument of any number of words, with the value for none.
  package init<Element: ExpressibleByArgument>(
    wrappedValue: [Element], help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) where Value == [Element] {
    content = .list(Wording(help, completion), initial: wrappedValue)
  }
}
