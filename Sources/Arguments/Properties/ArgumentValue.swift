/// What a property can hold: a value that one word stands for, such a value or none, or a list of them.
package protocol ArgumentValue: SendableMetatype {
  /// What one word stands for.
  associatedtype ArgumentElement: ExpressibleByArgument
  /// Whether every word counts, and not only the last.
  static var isList: Bool { get }
  /// The value when no word is given; `nil` when one must be.
  static var whenLeftOut: Self? { get }
  /// The value of at least one word.
  init(argumentElements: [ArgumentElement])
  /// The elements of a default, for help.
  var argumentElements: [ArgumentElement] { get }
}

extension Optional: ArgumentValue where Wrapped: ExpressibleByArgument {
  package static var isList: Bool { false }
  package static var whenLeftOut: Wrapped?? { .some(nil) }
  package init(argumentElements: [Wrapped]) { self = argumentElements.last }
  package var argumentElements: [Wrapped] { map { [$0] } ?? [] }
}

extension Array: ArgumentValue where Element: ExpressibleByArgument {
  package static var isList: Bool { true }
  package static var whenLeftOut: [Element]? { nil }
  package init(argumentElements: [Element]) { self = argumentElements }
  package var argumentElements: [Element] { self }
}

/// A type whose values can be written as one word of a command line.
package protocol ExpressibleByArgument: ArgumentValue where ArgumentElement == Self {
  /// The value that a word stands for; `nil` when it stands for none.
  init?(argument: String)

  /// How help shows the value as a default.
  var defaultValueDescription: String { get }

  /// Every word that is allowed; empty when they cannot be listed.
  static var allValueStrings: [String] { get }

  /// What a word must look like, for the hint of an error: `a number, such as 0.5`; `nil` when there
  /// is no such description. Not part of swift-argument-parser.
  static var expectation: String? { get }
}

extension ExpressibleByArgument {
  package static var isList: Bool { false }
  package static var whenLeftOut: Self? { nil }
  package init(argumentElements: [Self]) { self = argumentElements[argumentElements.count - 1] }
  package var argumentElements: [Self] { [self] }

  package var defaultValueDescription: String { String(describing: self) }
  package static var allValueStrings: [String] { [] }
  /// The allowed words.
  package static var expectation: String? {
    let quoted = allValueStrings.map { "'\($0)'" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }
}

extension ExpressibleByArgument where Self: CaseIterable {
  /// Every case, as help shows it.
  package static var allValueStrings: [String] { allCases.map(\.defaultValueDescription) }
}

extension ExpressibleByArgument where Self: RawRepresentable, RawValue: ExpressibleByArgument {
  package init?(argument: String) {
    guard let rawValue = RawValue(argument: argument) else { return nil }
    self.init(rawValue: rawValue)
  }

  package var defaultValueDescription: String { rawValue.defaultValueDescription }
}

extension ExpressibleByArgument where Self: LosslessStringConvertible {
  package init?(argument: String) { self.init(argument) }
}

extension String: ExpressibleByArgument {
  package init?(argument: String) { self = argument }
}

extension Int: ExpressibleByArgument {
  package static var expectation: String? { "a whole number" }
}

extension Double: ExpressibleByArgument {
  package static var expectation: String? { "a number, such as 0.5" }
  /// The number, without a fraction where it has none.
  package var defaultValueDescription: String {
    Int(exactly: self).map { "\($0)" } ?? "\(self)"
  }
}
