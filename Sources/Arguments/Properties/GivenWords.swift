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
