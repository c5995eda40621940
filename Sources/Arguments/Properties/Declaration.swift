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

extension Declaration {
  /// Declares an argument or option whose words each stand for an `Element`.
  ///
  /// - Parameter convert: Makes the value of at least one element, given in the order of the words.
  init<Element: ExpressibleByArgument>(
    _ kind: ArgumentDescription.Kind, of type: Element.Type, _ names: NameSpecification,
    _ help: ArgumentHelp?, _ completion: CompletionKind?, initial: Value?,
    defaults: [Element] = [], isRepeating: Bool = false,
    convert: @escaping @Sendable ([Element]) -> Value
  ) {
    let shown = defaults.map(\.defaultValueDescription).joined(separator: ", ")
    self.init(
      kind: kind, names: names, help: help ?? ArgumentHelp(),
      completion: completion ?? .default, initial: initial,
      isRepeating: isRepeating, allowedValues: Element.allValueStrings,
      defaultValue: shown.isEmpty ? nil : shown
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
      initial: initial,
      isRepeating: isRepeating, allowedValues: [], defaultValue: nil
    ) { words, _ in convert(words.count) }
  }
}
