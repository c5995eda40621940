/// A name that is either given or not: `--quiet`; a whole number counts how often it was given.
@propertyWrapper
public struct Flag<Value>: Decodable, DeclaredProperty {
  let content: Parsed<Value>

  init(content: Parsed<Value>) { self.content = content }

  // Without this the compiler overlooks the initializers in extensions when the attribute stands
  // without parentheses.
  /// Cannot be used: it only lets the attribute stand without parentheses.
  @available(
    *, unavailable,
    message: "Value must be Bool with a default, or Int."
  )
  public init() { preconditionFailure("Unavailable.") }

  /// Refuses: values come from a command line only.
  public init(from decoder: any Decoder) throws { throw PropertyDecoder.refusal(decoder) }

  /// The value; the default before parsing.
  public var wrappedValue: Value {
    get { content.value }
    set { self = Self(content: .value(newValue)) }
  }
}
extension Flag: Sendable where Value: Sendable {}

extension Flag where Value == Bool {
  /// Declares a flag that turns its property to `true`.
  public init(wrappedValue: Bool, name: NameSpecification = .long, help: ArgumentHelp? = nil) {
    content = .declared(
      Declaration(flag: name, help, initial: wrappedValue, isRepeating: false) { _ in true })
  }
}

extension Flag where Value == Int {
  /// Declares a flag that counts from 0.
  public init(name: NameSpecification = .long, help: ArgumentHelp? = nil) {
    self.init(wrappedValue: 0, name: name, help: help)
  }

  /// Declares a flag that counts up from a start.
  public init(wrappedValue: Int, name: NameSpecification = .long, help: ArgumentHelp? = nil) {
    content = .declared(
      Declaration(flag: name, help, initial: wrappedValue, isRepeating: true) { count in
        wrappedValue + count
      })
  }
}
