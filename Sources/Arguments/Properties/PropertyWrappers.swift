/// A value that is recognized by its place on the command line.
///
/// An array takes all words that are left, so it must be the last argument; without a default it
/// needs at least one.
@propertyWrapper
package struct Argument<Value: ArgumentValue>: DeclaredProperty {
  var declaration: Declaration<Value>

  /// Declares an argument, which must be given unless it is optional.
  package init(help: ArgumentHelp = "", completion: CompletionKind = .default) {
    declaration = Declaration(.positional, help, completion)
  }

  /// Declares an argument with a default.
  package init(
    wrappedValue: Value, help: ArgumentHelp = "", completion: CompletionKind = .default
  ) {
    declaration = Declaration(.positional, help, completion, initial: wrappedValue)
  }

  /// The value; the default before parsing, if there is one.
  package var wrappedValue: Value {
    get { declaration.value }
    set { declaration.value = newValue }
  }
}
extension Argument: Sendable where Value: Sendable {}

/// A value that follows its name: `--quality 95`, `--quality=95`, `-q 95` or `-q95`.
///
/// Given more than once, the last value counts, unless the property is an array.
@propertyWrapper
package struct Option<Value: ArgumentValue>: DeclaredProperty {
  var declaration: Declaration<Value>

  /// Declares an option, which must be given unless it is optional.
  ///
  /// - Parameter range: What a number must be within; `nil` for any.
  package init(
    name: NameSpecification = .long, help: ArgumentHelp = "", completion: CompletionKind = .default,
    in range: ClosedRange<Double>? = nil
  ) {
    declaration = Declaration(.option, names: name, help, completion, in: range)
  }

  /// Declares an option with a default.
  ///
  /// - Parameter range: What a number must be within; `nil` for any.
  package init(
    wrappedValue: Value, name: NameSpecification = .long, help: ArgumentHelp = "",
    completion: CompletionKind = .default, in range: ClosedRange<Double>? = nil
  ) {
    declaration = Declaration(
      .option, names: name, help, completion, initial: wrappedValue, in: range)
  }

  /// The value; the default before parsing, if there is one.
  package var wrappedValue: Value {
    get { declaration.value }
    set { declaration.value = newValue }
  }
}
extension Option: Sendable where Value: Sendable {}

/// A name that is either given or not: `--quiet`.
@propertyWrapper
package struct Flag: DeclaredProperty, Sendable {
  var declaration: Declaration<Bool>

  /// Declares a flag that turns its property to `true`.
  package init(wrappedValue: Bool, name: NameSpecification = .long, help: ArgumentHelp = "") {
    declaration = Declaration(
      ArgumentDescription(kind: .flag, help), names: name, help.valueName, initial: wrappedValue
    ) { _, _ in true }
  }

  /// Whether it was given; the default before parsing.
  package var wrappedValue: Bool {
    get { declaration.value }
    set { declaration.value = newValue }
  }
}

/// Arguments that several commands share, declared once in a type of their own.
@propertyWrapper
package struct OptionGroup<Value: ParsableArguments>: ArgumentProperty {
  private var box = Box(Value())
  /// The heading in help; empty lists the options with the command's own.
  private let title: String

  /// Declares a group.
  package init(title: String = "") { self.title = title }

  /// The group's values; its defaults before parsing.
  package var wrappedValue: Value {
    get { box.value }
    set { box = Box(newValue) }
  }

  func arguments(key: String) -> [ArgumentDescription] {
    box.value.arguments(prefix: key + ".").map { argument in
      var argument = argument
      if argument.section.isEmpty { argument.section = title }
      return argument
    }
  }

  func fill(from words: ScannedWords, key: String) throws {
    box.value = try Value(words: words, prefix: key + ".")
  }
}
extension OptionGroup: Sendable where Value: Sendable {}

/// The words of the command line that are for no argument of the group that the property stands in:
/// options in their order, then arguments in theirs. The property is no argument itself.
@propertyWrapper
package struct OtherWords: ArgumentProperty, Sendable {
  private var box = Box<[String]>([])

  package init() {}

  /// The words, an option and its value as one; none before parsing.
  package var wrappedValue: [String] { box.value }

  func arguments(key: String) -> [ArgumentDescription] { [] }

  func fill(from words: ScannedWords, key: String) {
    let group = key.lastIndex(of: ".").map { key[...$0] } ?? ""
    let others = words.filter { !$0.key.hasPrefix(group) }.flatMap(\.value)
      .sorted { $0.place < $1.place }
    box.value = (others.filter { $0.name != nil } + others.filter { $0.name == nil })
      .map(\.asOneWord)
  }
}
