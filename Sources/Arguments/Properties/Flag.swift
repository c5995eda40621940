/// A name that is either given or not: `--quiet`; a whole number counts how often it was given.
@propertyWrapper
package struct Flag<Value>: DeclaredProperty, CommandLineOnly {
  let content: Parsed<Value>

  init(content: Parsed<Value>) { self.content = content }

  // As in Argument.
  @available(*, unavailable, message: "Value must be Bool with a default, or Int.")
  package init() { preconditionFailure("Unavailable.") }

  /// The value; the default before parsing.
  package var wrappedValue: Value {
    get { content.value }
    set { self = Self(content: .value(newValue)) }
  }
}
extension Flag: Sendable where Value: Sendable {}

extension Flag where Value == Bool {
  /// Declares a flag that turns its property to `true`.
  package init(wrappedValue: Bool, name: NameSpecification = .long, help: ArgumentHelp? = nil) {
    content = .declared(
      Declaration(flag: name, help, initial: wrappedValue, isRepeating: false) { _ in true })
  }
}

extension Flag where Value == Int {
  /// Declares a flag that counts from 0.
  package init(name: NameSpecification = .long, help: ArgumentHelp? = nil) {
    self.init(wrappedValue: 0, name: name, help: help)
  }

  /// Declares a flag that counts up from a start.
  package init(wrappedValue: Int, name: NameSpecification = .long, help: ArgumentHelp? = nil) {
    content = .declared(
      Declaration(flag: name, help, initial: wrappedValue, isRepeating: true) { count in
        wrappedValue + count
      })
  }
}
