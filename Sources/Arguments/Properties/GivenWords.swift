/// One option, flag or argument as it stood on the command line.
public struct GivenWord: Sendable, Hashable {
  /// The property that it was given for, after those of the groups it stands in: `selection.photos`.
  public let key: String
  /// The name as it was written, with its dashes; `nil` for a positional argument.
  public let name: String?
  /// The value; `nil` for a flag.
  public let value: String?

  /// A word of a command line.
  public init(key: String, name: String?, value: String?) {
    self.key = key
    self.name = name
    self.value = value
  }
}

extension [GivenWord] {
  /// The words of a command line that says the same: options first, then `--` and the positional
  /// arguments, so that none of these can be taken for an option.
  public var commandLine: [String] {
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

/// All that was given to the command, for one that hands its work on to other processes. It stands
/// for no argument of its own.
@propertyWrapper
public struct GivenWords: Decodable, ArgumentProperty, Sendable {
  /// The words; none before parsing.
  public var wrappedValue: [GivenWord]

  /// Asks for the words.
  public init() { wrappedValue = [] }

  /// Refuses: values come from a command line only.
  public init(from decoder: any Decoder) throws { throw PropertyDecoder.refusal(decoder) }

  func definitions(key: String) -> [Definition] { [] }

  func filled(from words: ScannedWords, key: String) throws -> Self {
    var copy = self
    // The scanner has sorted the words by what they are for.
    let all = words.flatMap { key, words in words.map { (key, $0) } }
      .sorted { ($0.1.place, $0.0) < ($1.1.place, $1.0) }
    copy.wrappedValue = all.map { key, word in
      GivenWord(key: key, name: word.name, value: word.isFlag ? nil : word.text)
    }
    return copy
  }
}
