/// A word of the command line and the name it was given under.
struct ScannedWord {
  let text: String
  /// The name as it was written, with its dashes; `nil` for a positional argument.
  var name: String?
  /// Whether it is a flag, which has no value.
  var isFlag = false
  /// How many words of its kind, with or without a name, stand before it.
  var place = 0

  /// Name and value as one word, which no other option can be taken for.
  var asOneWord: String {
    guard let name else { return text }
    return isFlag ? name : name + (name.hasPrefix("--") ? "=" : "") + text
  }
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

  let arguments: [ArgumentDescription]
  /// The words not yet sorted.
  private(set) var rest: ArraySlice<String>
  /// The words behind a name.
  private(set) var found: ScannedWords = [:]
  /// The words without one.
  private(set) var positionals: [String] = []
  private(set) var isPastOptions = false
  private var namedCount = 0
  /// The option that the line ends with, before its value.
  private(set) var pending: ArgumentDescription?
  private let byName: [String: ArgumentDescription]

  init(_ arguments: [ArgumentDescription], words: ArraySlice<String>) {
    self.arguments = arguments
    rest = words
    let named = arguments.flatMap { argument in argument.names.map { ($0, argument) } }
    byName = Dictionary(named) { first, second in
      assertionFailure("\(first.key) and \(second.key) have a name in common.")
      return first
    }
  }

  /// Sorts words until they end or something needs the caller. A wrong word is still there.
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
        takeArgument()
      }
    }
    return .end
  }

  /// Every word by its argument's key, with the positional ones dealt out in order.
  func finished() throws(UsageError) -> ScannedWords {
    var words = found
    var left = positionals[...]
    for argument in arguments where argument.kind == .positional {
      let taken = left.prefix(argument.isRepeating ? left.count : 1)
      // The options of a table share a key with its argument.
      words[argument.key, default: []] += taken.indices.map {
        ScannedWord(text: left[$0], place: $0)
      }
      left = left.dropFirst(taken.count)
    }
    guard left.isEmpty else { throw .unexpectedArguments(Array(left)) }
    return words
  }

  /// Takes the next word for an argument, whatever it looks like.
  mutating func takeArgument() { positionals.append(rest.removeFirst()) }

  /// Passes over a wrong word.
  mutating func skip() { rest = rest.dropFirst() }

  func argument(named name: String) -> ArgumentDescription? { byName[name] }

  /// Whether an argument has words already.
  func has(_ argument: ArgumentDescription) -> Bool {
    (found[argument.key] ?? []).contains { $0.name.map(argument.names.contains) ?? false }
  }

  private func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), word.count > 1 else { return false }
    // A negative number is an argument unless the command has flags of that spelling.
    return !isNegativeNumber(word) || word.dropFirst().allSatisfy { byName["-\($0)"] != nil }
  }

  private mutating func takeOption(_ word: String) throws(UsageError) -> Stop? {
    guard word.hasPrefix("--") else { return try takeShortOptions(word) }
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let argument = byName[name] else { throw .unknownOption(name, nearest: nearest(name)) }
    return try take(argument, name, value: parts.count > 1 ? String(parts[1]) : nil)
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
      guard let argument = byName[name] else {
        let near = word.count > 2 ? nearest("-" + word) : nil
        throw .unknownOption(near != nil || isFirst(letters) ? word : name, nearest: near)
      }
      letters = letters.dropFirst()
      let isFlag = argument.kind == .flag && letters.first != "="
      let value = letters.first == "=" ? letters.dropFirst() : letters
      let isLast = !isFlag || letters.isEmpty
      if isLast { return try take(argument, name, value: letters.isEmpty ? nil : String(value)) }
      if let stop = record(argument, as: name) { return stop }
    }
    return nil
  }

  /// Takes one option with the value written in the same word, if any; else the next word's.
  private mutating func take(
    _ argument: ArgumentDescription, _ name: String, value: String?
  ) throws(UsageError) -> Stop? {
    if argument.kind == .flag {
      if let value { throw .unexpectedValue(value, flag: name) }
      rest = rest.dropFirst()
      return record(argument, as: name)
    }
    if let value {
      rest = rest.dropFirst()
      return record(argument, as: name, value: value)
    }
    guard let next = rest.dropFirst().first, !looksLikeOption(next) else {
      if rest.count == 1 { pending = argument }
      throw .missingValue(option: argument.label(spelled: name))
    }
    rest = rest.dropFirst(2)
    return record(argument, as: name, value: next)
  }

  private mutating func record(
    _ argument: ArgumentDescription, as name: String, value text: String = ""
  ) -> Stop? {
    found[argument.key, default: []].append(
      ScannedWord(text: text, name: name, isFlag: argument.kind == .flag, place: namedCount))
    namedCount += 1
    switch argument.key {
    case ArgumentDescription.helpKey: return .help
    case ArgumentDescription.versionKey: return .version
    default: return nil
    }
  }

  private func nearest(_ name: String) -> String? {
    let visible = arguments.filter { !$0.isHidden }.flatMap(\.names)
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
