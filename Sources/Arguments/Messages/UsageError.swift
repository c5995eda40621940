/// What is wrong with a command line.
///
/// Names carry their dashes as they were written; `argument` also shows the value's name, as in
/// `--quality <quality>` or `<photo>`.
package enum UsageError: Error, Equatable, CustomStringConvertible {
  /// The command has no such option; `nearest` is the one that may be meant.
  case unknownOption(String, nearest: String?)
  /// The command has no such subcommand; `nearest` is the one that may be meant.
  case unknownSubcommand(String, nearest: String?)
  /// A value is missing: the words end, or another option follows. A value that looks like an option
  /// is written as `--name=-value`.
  case missingValue(option: String)
  /// A flag was given a value; leave the value out.
  case unexpectedValue(String, flag: String)
  /// The value does not mean anything here; `expected` tells what would.
  case invalidValue(String, argument: String, expected: String?)
  /// An argument that must be given is missing.
  case missingArgument(String)
  /// An option that must be given is missing.
  case missingOption(String)
  /// There are more arguments than the command takes; leave them out.
  case unexpectedArguments([String])

  /// One sentence on what happened.
  package var description: String {
    switch self {
    case .unknownOption(let name, _): "Unknown option '\(name)'."
    case .unknownSubcommand(let name, _): "Unknown subcommand '\(name)'."
    case .missingValue(let option): "Missing value for '\(option)'."
    case .unexpectedValue(let value, let flag):
      "The flag '\(flag)' takes no value, but was given '\(value)'."
    case .invalidValue(let value, let argument, _):
      "The value '\(value)' is invalid for '\(argument)'."
    case .missingArgument(let name): "Missing required argument '\(name)'."
    case .missingOption(let name): "Missing required option '\(name)'."
    case .unexpectedArguments(let words):
      (words.count == 1 ? "Unexpected argument " : "\(words.count) unexpected arguments: ")
        + words.map { "'\($0)'" }.joined(separator: ", ") + "."
    }
  }

  /// One sentence on what to do; `nil` when the description says it all.
  package var hint: String? {
    switch self {
    case .unknownOption(_, let nearest?), .unknownSubcommand(_, let nearest?):
      "Did you mean '\(nearest)'?"
    case .unknownOption(let word, nil) where word.contains("."):
      "Put '--' before names that begin with a dash."
    case .invalidValue(_, _, let expected?): "Expected \(expected)."
    case .missingValue(let option) where option.hasPrefix("--"):
      "Write it behind the name, as in '\(option.replacing(" ", with: "="))'."
    case .unexpectedValue(_, let flag): "Write '\(flag)' alone."
    case .unexpectedArguments: "Names with spaces in them need quotes."
    case .unknownOption, .unknownSubcommand, .invalidValue, .missingValue, .missingArgument,
      .missingOption:
      nil
    }
  }
}

/// The candidate that somebody who wrote `word` most likely meant, whatever its case.
///
/// The candidate with the fewest slips wins: a letter too many, missing, wrong, or swapped with the
/// next. At most one slip for three letters is allowed. Of equal candidates the first wins. Without
/// such a candidate, the only one that begins with the word is taken.
/// Source: optimal string alignment, the restricted Damerau–Levenshtein distance.
package func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
  let letters = Array(word.lowercased())
  var best: (candidate: String, distance: Int)?
  var completions: [String] = []
  for candidate in candidates {
    let other = Array(candidate.lowercased())
    let distance = slips(letters, other)
    let limit = max(1, max(letters.count, other.count) / 3)
    if distance <= limit, distance < min(letters.count, other.count),
      distance < best?.distance ?? .max
    {
      best = (candidate, distance)
    }
    if letters.count > 1, other.starts(with: letters) { completions.append(candidate) }
  }
  return best?.candidate ?? (completions.count == 1 ? completions[0] : nil)
}

/// How many slips turn one word into the other.
private func slips(_ left: [Character], _ right: [Character]) -> Int {
  var beforePrevious: [Int] = []
  var previous = Array(0...right.count)
  for i in left.indices {
    var current = [i + 1]
    for j in right.indices {
      let isSame = left[i] == right[j]
      var distance = min(previous[j + 1] + 1, current[j] + 1, previous[j] + (isSame ? 0 : 1))
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
        distance = min(distance, beforePrevious[j - 1] + 1)
      }
      current.append(distance)
    }
    (beforePrevious, previous) = (previous, current)
  }
  return previous[right.count]
}
