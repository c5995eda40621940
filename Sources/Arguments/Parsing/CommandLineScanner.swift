/// A word of the command line and the name it was given under.
struct ScannedWord {
  let text: String
  /// The name as it was written, with its dashes; `nil` for a positional argument.
  let name: String?
  /// Whether it is a flag, which has no value.
  var isFlag = false
  /// For a positional argument, how many words stand before it.
  var place = 0
  /// What the argument belongs to.
  var origin = Definition.Origin()
}

/// The words given for each argument, by the argument's key, in their order.
typealias ScannedWords = [String: [ScannedWord]]

/// Sorts the words of one command into its options and arguments.
///
/// Works as POSIX and GNU agree: options anywhere, `--` ends them, short flags combine.
struct CommandLineScanner {
  /// Why scanning stopped.
  enum Stop {
    case end
    /// The next word of `rest` is an argument, and the caller asked to stop there.
    case argument(String)
    case help
    case version
  }

  let definitions: [Definition]
  /// The words not yet sorted.
  private(set) var rest: ArraySlice<String>
  private var found: ScannedWords = [:]
  private var positionals: [String] = []
  private var isPastOptions = false
  private let byName: [String: Definition]

  init(_ definitions: [Definition], words: ArraySlice<String>) {
    self.definitions = definitions
    rest = words
    let named = definitions.flatMap { definition in
      definition.description.names.map { ($0, definition) }
    }
    byName = Dictionary(named) { first, second in
      assertionFailure("\(first.key) and \(second.key) have a name in common.")
      return first
    }
  }

  /// Sorts words until they end or something needs the caller.
  mutating func scan(stopAtArgument: Bool) throws(UsageError) -> Stop {
    while let word = rest.first {
      if !isPastOptions, word == "--" {
        isPastOptions = true
        rest = rest.dropFirst()
      } else if !isPastOptions, isOption(word) {
        if let stop = try takeOption(word) { return stop }
      } else if stopAtArgument, !isPastOptions {
        return .argument(word)
      } else {
        positionals.append(word)
        rest = rest.dropFirst()
      }
    }
    return .end
  }

  /// Every word by its argument's key, with the positional ones dealt out in order.
  func finished() throws(UsageError) -> ScannedWords {
    var words = found
    var left = positionals[...]
    for definition in definitions where definition.description.kind == .positional {
      let count = definition.description.isRepeating ? left.count : 1
      let places = left.prefix(count).indices
      words[definition.key] = places.map {
        ScannedWord(text: left[$0], name: nil, place: $0, origin: definition.origin)
      }
      left = left.dropFirst(count)
    }
    guard left.isEmpty else { throw .unexpectedArguments(Array(left)) }
    return words
  }

  private func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), word.count > 1 else { return false }
    // A negative number is an argument unless the command has flags of that spelling.
    return !isNegativeNumber(word) || word.dropFirst().allSatisfy { byName["-\($0)"] != nil }
  }

  private mutating func takeOption(_ word: String) throws(UsageError) -> Stop? {
    guard word.hasPrefix("--") else { return try takeShortOptions(word) }
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let written = String(parts[0])
    // British spelling is understood where the option's own is American.
    let name = byName[written] == nil ? written.replacing("colour", with: "color") : written
    guard let definition = byName[name] else { throw .unknownOption(name, nearest: nearest(name)) }
    return try take(definition, name, value: parts.count > 1 ? String(parts[1]) : nil)
  }

  /// Takes flags written together, of which the last may be an option with its value: `-qn5`.
  private mutating func takeShortOptions(_ word: String) throws(UsageError) -> Stop? {
    // `-tag` could be `-t ag`, but people mean `--tag`.
    let long = "-" + word.prefix { $0 != "=" }
    if long.count > 3, byName[long] != nil { throw .unknownOption(word, nearest: long) }
    var letters = word.dropFirst()
    let isFirst = { (letters: Substring) in letters.count == word.count - 1 }
    while let letter = letters.first {
      let name = "-" + String(letter)
      guard let definition = byName[name] else {
        let near = word.count > 2 ? nearest("-" + word) : nil
        throw .unknownOption(near != nil || isFirst(letters) ? word : name, nearest: near)
      }
      letters = letters.dropFirst()
      let isFlag = definition.description.kind == .flag && letters.first != "="
      let value = letters.first == "=" ? letters.dropFirst() : letters
      let isLast = !isFlag || letters.isEmpty
      if isLast {
        return try take(definition, name, value: letters.isEmpty ? nil : String(value))
      }
      if let stop = record(definition, as: name) { return stop }
    }
    return nil
  }

  /// Takes one option with the value written in the same word, if any; else the next word's.
  private mutating func take(
    _ definition: Definition, _ name: String, value: String?
  ) throws(UsageError) -> Stop? {
    let description = definition.description
    if description.kind == .flag {
      if let value { throw .unexpectedValue(value, flag: name) }
      rest = rest.dropFirst()
      return record(definition, as: name)
    }
    if let value {
      rest = rest.dropFirst()
      return record(definition, as: name, value: value)
    }
    guard let next = rest.dropFirst().first, !looksLikeOption(next) else {
      throw .missingValue(option: description.label(spelled: name))
    }
    rest = rest.dropFirst(2)
    return record(definition, as: name, value: next)
  }

  private mutating func record(
    _ definition: Definition, as name: String, value text: String = ""
  ) -> Stop? {
    switch definition.key {
    case Definition.helpKey: return .help
    case Definition.versionKey: return .version
    default:
      let isFlag = definition.description.kind == .flag
      found[definition.key, default: []].append(
        ScannedWord(text: text, name: name, isFlag: isFlag, origin: definition.origin))
      return nil
    }
  }

  private func nearest(_ name: String) -> String? {
    let visible = definitions.filter { !$0.description.isHidden }.flatMap(\.description.names)
    let body = String(name.drop { $0 == "-" })
    let bodies = visible.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
    return SafelightArguments.nearest(to: body, among: bodies).map { "--" + $0 }
  }
}

/// Whether a word after an option is another option rather than its value.
private func looksLikeOption(_ word: String) -> Bool {
  word.hasPrefix("-") && word.count > 1 && !isNegativeNumber(word)
}

/// Whether a word starts as a negative number does: with a dash and a digit, or a dash, dot, digit.
private func isNegativeNumber(_ word: String) -> Bool {
  guard word.hasPrefix("-") else { return false }
  let number = word.dropFirst()
  let digit = number.hasPrefix(".") ? number.dropFirst().first : number.first
  return digit.map { ("0"..."9").contains($0) } ?? false
}
