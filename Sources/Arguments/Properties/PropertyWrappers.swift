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

/// Arguments that several commands share, declared once in a type of their own.
@propertyWrapper
package struct OptionGroup<Value: ParsableArguments>: ArgumentProperty, CommandLineOnly {
  private var value: Value?
  /// The heading in help; empty lists the options with the command's own.
  package let title: String
  private let visibility: ArgumentVisibility

  /// Declares a group; a hidden one hides all of its arguments.
  package init(title: String = "", visibility: ArgumentVisibility = .default) {
    self.title = title
    self.visibility = visibility
  }

  /// The group's values; its defaults before parsing.
  package var wrappedValue: Value {
    get { value ?? Value() }
    set { value = newValue }
  }

  func definitions(key: String) -> [Definition] {
    Value.definitions(prefix: key + ".").map { definition in
      var definition = definition
      if definition.description.section.isEmpty { definition.description.section = title }
      definition.origin.groups.insert(Value.self, at: 0)
      if visibility == .hidden { definition.description.isHidden = true }
      return definition
    }
  }

  func filled(from words: ScannedWords, key: String) throws -> Self {
    var copy = self
    copy.value = try Value(words: words, prefix: key + ".")
    return copy
  }
}
extension OptionGroup: Sendable where Value: Sendable {}

/// One option, flag or argument as it stood on the command line.
package struct GivenWord: Sendable {
  /// The option groups that the argument is in, the outermost first.
  package let groups: [any ParsableArguments.Type]
  /// The type that reads the value; `nil` for a flag.
  package let valueType: (any ExpressibleByArgument.Type)?
  /// The name as it was written, with its dashes; `nil` for a positional argument.
  package let name: String?
  /// The value; `nil` for a flag.
  package var value: String?

  package init(
    name: String?, value: String?, groups: [any ParsableArguments.Type] = [],
    valueType: (any ExpressibleByArgument.Type)? = nil
  ) {
    self.name = name
    self.value = value
    self.groups = groups
    self.valueType = valueType
  }
}

extension GivenWord: Hashable {
  package static func == (first: GivenWord, second: GivenWord) -> Bool {
    first.name == second.name && first.value == second.value
      && first.groups.map { ObjectIdentifier($0) } == second.groups.map { ObjectIdentifier($0) }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(value)
    hasher.combine(groups.map { ObjectIdentifier($0) })
  }
}

extension [GivenWord] {
  /// The words of a command line that says the same: options first, then `--` and the positional
  /// arguments, so that none of these can be taken for an option.
  package var commandLine: [String] {
    let named = flatMap { word -> [String] in
      guard let name = word.name else { return [] }
      guard let value = word.value else { return [name] }
      // A value that starts with a dash must not look like another option.
      return name.hasPrefix("--") ? ["\(name)=\(value)"] : [name + value]
    }
    let positional = filter { $0.name == nil }.compactMap(\.value)
    return named + (positional.isEmpty ? [] : ["--"] + positional)
  }
}

/// All words that the command was given, for a command that hands its work to other processes. The
/// property is no argument itself.
@propertyWrapper
package struct GivenWords: ArgumentProperty, CommandLineOnly, Sendable {
  /// The words; none before parsing.
  package var wrappedValue: [GivenWord]

  package init() { wrappedValue = [] }

  func definitions(key: String) -> [Definition] { [] }

  func filled(from words: ScannedWords, key: String) throws -> Self {
    var copy = self
    // The scanner has sorted the words by what they are for.
    let all = words.flatMap { key, words in words.map { (key, $0) } }
      .sorted { ($0.1.place, $0.0) < ($1.1.place, $1.0) }
    copy.wrappedValue = all.map { _, word in
      GivenWord(
        name: word.name, value: word.isFlag ? nil : word.text, groups: word.origin.groups,
        valueType: word.origin.valueType)
    }
    return copy
  }
}
