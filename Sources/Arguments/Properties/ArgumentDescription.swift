/// One argument of a command and the key under which its words are kept.
struct Definition {
  /// The property's name, after those of the groups it stands in: `common.quiet`.
  let key: String
  var description: ArgumentDescription
  /// Where the argument is declared, and what its values are.
  var origin = Origin()

  /// What an argument belongs to, by types.
  struct Origin: Sendable {
    /// The option groups that the argument is in, the outermost first.
    var groups: [any ParsableArguments.Type] = []
    /// The type that reads a value; `nil` for a flag.
    var valueType: (any ExpressibleByArgument.Type)?
  }
}

extension Definition {
  // A property's name has no dash, so these keys are never taken.
  static let helpKey = "--help"
  static let versionKey = "--version"

  /// The arguments of the last command of a path, and the options that every command has.
  static func all(for path: [any ParsableCommand.Type]) -> [Definition] {
    let own = path.last?.definitions() ?? []
    return own + builtIn(for: path, besides: own)
  }

  /// The options that every command has, without names that the command uses itself.
  private static func builtIn(
    for path: [any ParsableCommand.Type], besides own: [Definition]
  ) -> [Definition] {
    var builtIn = [
      Definition(key: helpKey, names: ["-h", "--help"], abstract: "Show help information.")
    ]
    if !version(of: path).isEmpty {
      builtIn.insert(
        Definition(key: versionKey, names: ["--version"], abstract: "Show the version."), at: 0)
    }
    let taken = Set(own.flatMap(\.description.names))
    return builtIn.compactMap { definition in
      var definition = definition
      definition.description.names.removeAll(where: taken.contains)
      return definition.description.names.isEmpty ? nil : definition
    }
  }

  /// The version of the innermost command that has one.
  static func version(of path: [any ParsableCommand.Type]) -> String {
    path.last { !$0.configuration.version.isEmpty }?.configuration.version ?? ""
  }

  private init(key: String, names: [String], abstract: String) {
    self.init(
      key: key,
      description: ArgumentDescription(
        kind: .flag, names: names, valueName: String(key.dropFirst(2)), abstract: abstract,
        discussion: "", defaultValue: nil, allowedValues: [], isOptional: true,
        isRepeating: false, isHidden: false, completion: .default, isBuiltIn: true))
  }
}

/// A property wrapper that a command line can fill.
protocol ArgumentProperty {
  /// The arguments that the property stands for; an option group has several.
  func definitions(key: String) -> [Definition]
  /// A copy that holds the value of the words scanned for it.
  func filled(from words: ScannedWords, key: String) throws -> Self
}

/// A wrapper whose value comes from a command line and from nowhere else.
package protocol CommandLineOnly: Decodable {}

extension CommandLineOnly {
  package init(from decoder: any Decoder) throws { throw PropertyDecoder.refusal(decoder) }
}

/// What a wrapper holds: first what it declares, then the value.
enum Parsed<Value> {
  case declared(Declaration<Value>)
  case value(Value)

  /// The value, or the default before parsing.
  var value: Value {
    switch self {
    case .value(let value): return value
    case .declared(let declaration):
      guard let initial = declaration.initial else {
        preconditionFailure("An argument without a default was read before it was parsed.")
      }
      return initial
    }
  }
}
extension Parsed: Sendable where Value: Sendable {}

/// A wrapper that stands for a single argument.
protocol DeclaredProperty<Value>: ArgumentProperty {
  associatedtype Value
  var content: Parsed<Value> { get }
  init(content: Parsed<Value>)
}

extension DeclaredProperty {
  func definitions(key: String) -> [Definition] {
    guard case .declared(let declaration) = content else { return [] }
    return [
      Definition(
        key: key, description: declaration.description(key: key),
        origin: Definition.Origin(valueType: declaration.valueType))
    ]
  }

  func filled(from words: ScannedWords, key: String) throws -> Self {
    guard case .declared(let declaration) = content else { return self }
    let description = declaration.description(key: key)
    return Self(content: .value(try declaration.value(of: words[key] ?? [], description)))
  }
}

/// What a property wrapper declares, and how it makes a value of words.
struct Declaration<Value> {
  let kind: ArgumentDescription.Kind
  let names: NameSpecification
  let help: ArgumentHelp
  /// What shells offer for a value.
  let completion: CompletionKind
  /// The value when no word is given; `nil` makes the argument required.
  let initial: Value?
  let isRepeating: Bool
  let allowedValues: [String]
  let defaultValue: String?
  /// The type that reads a word; `nil` for a flag.
  let valueType: (any ExpressibleByArgument.Type)?
  /// Makes the value of one word or more.
  let read: @Sendable ([ScannedWord], ArgumentDescription) throws(UsageError) -> Value

  func description(key: String) -> ArgumentDescription {
    let property = key.split(separator: ".").last.map(String.init) ?? key
    let spelled = kind == .positional ? [] : names.spelled(for: property)
    let preferred = spelled.first { $0.hasPrefix("--") } ?? spelled.first ?? kebabCased(property)
    return ArgumentDescription(
      kind: kind, names: spelled,
      valueName: help.valueName ?? String(preferred.drop { $0 == "-" }),
      abstract: help.abstract, discussion: help.discussion, defaultValue: defaultValue,
      allowedValues: allowedValues, isOptional: initial != nil, isRepeating: isRepeating,
      isHidden: help.visibility == .hidden, completion: completion)
  }

  func value(
    of words: [ScannedWord], _ description: ArgumentDescription
  ) throws(UsageError) -> Value {
    if !words.isEmpty { return try read(words, description) }
    if let initial { return initial }
    throw description.kind == .positional
      ? .missingArgument(description.label()) : .missingOption(description.label())
  }
}
extension Declaration: Sendable where Value: Sendable {}

/// How an argument is named, explained and completed.
struct Wording {
  /// The option's names; `nil` for a positional argument.
  let names: NameSpecification?
  let help: ArgumentHelp
  let completion: CompletionKind

  init(_ help: ArgumentHelp?, _ completion: CompletionKind?, names: NameSpecification? = nil) {
    self.names = names
    self.help = help ?? ArgumentHelp()
    self.completion = completion ?? .default
  }
}

extension Parsed where Value: ExpressibleByArgument {
  /// One value, of which the last that was given counts.
  static func one(_ wording: Wording, initial: Value?) -> Self {
    .declared(
      Declaration(
        wording, of: Value.self, initial: initial, defaults: initial.map { [$0] } ?? []
      ) {
        $0[$0.count - 1]
      })
  }
}

extension Parsed {
  /// One value that may be left out.
  static func optional<Element: ExpressibleByArgument>(
    _ wording: Wording
  ) -> Self where Value == Element? {
    .declared(Declaration(wording, of: Element.self, initial: .some(nil)) { $0.last })
  }

  /// Any number of values; at least one when there is no initial list.
  static func list<Element: ExpressibleByArgument>(
    _ wording: Wording, initial: [Element]?
  ) -> Self where Value == [Element] {
    .declared(
      Declaration(
        wording, of: Element.self, initial: initial, defaults: initial ?? [], isRepeating: true
      ) { $0 })
  }
}

extension Declaration {
  /// Declares an argument or option whose words each stand for an `Element`.
  ///
  /// - Parameter convert: Makes the value of at least one element, given in the order of the words.
  fileprivate init<Element: ExpressibleByArgument>(
    _ wording: Wording, of type: Element.Type, initial: Value?, defaults: [Element] = [],
    isRepeating: Bool = false, convert: @escaping @Sendable ([Element]) -> Value
  ) {
    let shown = defaults.map(\.defaultValueDescription).joined(separator: ", ")
    self.init(
      kind: wording.names == nil ? .positional : .option, names: wording.names ?? [],
      help: wording.help, completion: wording.completion, initial: initial,
      isRepeating: isRepeating, allowedValues: Element.allValueStrings,
      defaultValue: shown.isEmpty ? nil : shown, valueType: Element.self
    ) { words, description throws(UsageError) in
      var elements: [Element] = []
      for word in words {
        guard let element = Element(argument: word.text) else {
          throw .invalidValue(
            word.text, argument: description.label(spelled: word.name),
            expected: Element.expectation)
        }
        elements.append(element)
      }
      return convert(elements)
    }
  }

  /// Declares a flag that makes a value of how often it was given.
  init(
    flag names: NameSpecification, _ help: ArgumentHelp?, initial: Value, isRepeating: Bool,
    convert: @escaping @Sendable (Int) -> Value
  ) {
    self.init(
      kind: .flag, names: names, help: help ?? ArgumentHelp(), completion: .default,
      initial: initial, isRepeating: isRepeating, allowedValues: [], defaultValue: nil,
      valueType: nil
    ) { words, _ in convert(words.count) }
  }
}

/// Hands the filled properties to the initializer that the compiler writes for `Decodable`.
///
/// It is the one way to set the wrappers of a type that is known only by its protocol.
struct PropertyDecoder: Decoder {
  let properties: [String: Any]
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Container<Key>(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Self.refusal(self) }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw Self.refusal(self)
  }

  static func refusal(_ decoder: any Decoder) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath,
        debugDescription: "Arguments are read from a command line only."))
  }
}

private struct Container<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: PropertyDecoder
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { decoder.properties.keys.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { decoder.properties[key.stringValue] != nil }

  func decodeNil(forKey key: Key) -> Bool {
    guard let value = decoder.properties[key.stringValue] else { return true }
    // An optional inside an `Any` cannot be compared with nil.
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional && mirror.children.isEmpty
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    guard let value = decoder.properties[key.stringValue] as? Value else {
      throw PropertyDecoder.refusal(decoder)
    }
    return value
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw PropertyDecoder.refusal(decoder)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw PropertyDecoder.refusal(decoder)
  }

  func superDecoder() throws -> any Decoder { throw PropertyDecoder.refusal(decoder) }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    throw PropertyDecoder.refusal(decoder)
  }
}
