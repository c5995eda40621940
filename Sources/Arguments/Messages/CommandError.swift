/// An error together with the command it happened in, so that its message can show the usage.
package struct CommandError: Error, CustomStringConvertible {
  /// What happened: ``UsageError``, ``ValidationError``, ``CleanExit``, or any error of a command.
  package let underlying: any Error
  /// The command concerned.
  let command: CommandDescription

  init(_ error: any Error, in command: CommandDescription) {
    (underlying, self.command) = (error, command)
  }

  /// What happened, without the usage.
  package var description: String {
    guard let error = underlying as? UsageError, let hint = error.hint else {
      return String(describing: underlying)
    }
    return "\(error) \(hint)"
  }

  /// The code with which the process should end.
  package var exitCode: ExitCode {
    switch underlying {
    case let code as ExitCode: code
    case is CleanExit: .success
    case is any Misuse: .validationFailure
    default: .failure
    }
  }
}

/// An error of whoever wrote the command line; ends in exit code 64.
package protocol Misuse: Error {}

extension UsageError: Misuse {}

/// A reason to end the process that is no failure.
package enum CleanExit: Error, CustomStringConvertible {
  /// Somebody asked for the help of the command that is parsed or run.
  case helpRequest
  /// There is something to say on standard output, such as the version.
  case message(String)

  package var description: String {
    switch self {
    case .helpRequest: "--help"
    case .message(let message): message
    }
  }
}

/// The code with which a process ends; thrown, it ends the process without a message.
package struct ExitCode: Error, Hashable, RawRepresentable {
  /// The code as the shell sees it, 0 to 255.
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  package init(_ code: Int32) { rawValue = code }

  package var isSuccess: Bool { self == .success }

  /// All went well: 0.
  package static let success = ExitCode(0)
  /// Something failed: 1.
  package static let failure = ExitCode(1)
  /// The command line was wrong: 64, `EX_USAGE` of BSD's sysexits.h.
  package static let validationFailure = ExitCode(64)
}

/// A refusal of values that cannot be used together; ends in exit code 64 with the usage line.
package struct ValidationError: Misuse, Equatable, CustomStringConvertible {
  /// What is wrong, for people.
  package let message: String

  package init(_ message: String) { self.message = message }

  package var description: String { message }
}

/// What is wrong with a command line.
///
/// Names carry their dashes as they were written; `argument` also shows the value's name, as in
/// `--quality <quality>` or `<photo>`.
package enum UsageError: Error, Equatable, CustomStringConvertible {
  /// The command has no such option; `nearest` is the one that may be meant.
  case unknownOption(String, nearest: String?)
  /// The command has no such option, and a subcommand comes behind it.
  case misplacedOption(String, subcommand: String)
  /// The command has no such subcommand; `nearest` is the one that may be meant.
  case unknownSubcommand(String, nearest: String?)
  /// A value is missing: the words end, or another option follows. A value that looks like an option
  /// is written as `--name=-value`.
  case missingValue(option: String)
  /// A flag was given a value; leave the value out.
  case unexpectedValue(String, flag: String)
  /// The number is outside the range of its option. The command line is understood and only the value is not
  /// allowed, so the message comes without the usage.
  case outOfRange(Double, option: String, range: ClosedRange<Double>)
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
    case .misplacedOption(let name, let subcommand):
      "The option '\(name)' stands before the subcommand '\(subcommand)'."
    case .unknownSubcommand(let name, _): "Unknown subcommand '\(name)'."
    case .missingValue(let option): "Missing value for '\(option)'."
    case .unexpectedValue(let value, let flag):
      "The flag '\(flag)' takes no value, but was given '\(value)'."
    case .outOfRange(let number, let option, let range):
      "\(option) takes a number from \(range.lowerBound.defaultValueDescription) to "
        + "\(range.upperBound.defaultValueDescription), not \(number.defaultValueDescription)."
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
    case .misplacedOption(_, let subcommand): "Write it behind '\(subcommand)'."
    case .invalidValue(_, _, let expected?): "Expected \(expected)."
    case .missingValue(let option) where option.hasPrefix("--"):
      "Write it behind the name, as in '\(option.replacing(" ", with: "="))'."
    case .unexpectedValue(_, let flag): "Write '\(flag)' alone."
    case .unexpectedArguments: "Names with spaces in them need quotes."
    case .unknownOption, .unknownSubcommand, .invalidValue, .outOfRange, .missingValue,
      .missingArgument,
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
    let limit = max(1, max(letters.count, other.count) / 3)
    // Each letter too many is a slip. So a very long word costs no time.
    if abs(letters.count - other.count) <= limit {
      let distance = slips(letters, other)
      if distance <= limit, distance < min(letters.count, other.count),
        distance < best?.distance ?? .max
      {
        best = (candidate, distance)
      }
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

extension ParsableCommand {
  /// The command, its arguments and its subcommands as data, for help and documentation.
  package static var commandDescription: CommandDescription { CommandDescription([self]) }

  /// The help of this command or one below it, at any depth, with its full name.
  ///
  /// - Parameters:
  ///   - subcommand: The command; `nil` is this one.
  ///   - columns: Where lines are wrapped, in characters.
  package static func helpMessage(
    for subcommand: (any ParsableCommand.Type)? = nil, columns: Int = 80
  ) -> String {
    (commandDescription.command(of: subcommand ?? self) ?? commandDescription)
      .helpText(columns: columns)
  }

  /// What to tell somebody about an error, without the usage.
  package static func message(for error: any Error) -> String {
    located(error).description.onOneLine
  }

  /// All there is to print for an error, without a last line break; empty for an ``ExitCode``.
  ///
  /// - Parameters:
  ///   - columns: Where lines are wrapped, in characters.
  ///   - emphasis: Whether the headings of a help are bold.
  package static func fullMessage(
    for error: any Error, columns: Int = 80, emphasis: Emphasis = .plain
  ) -> String {
    let error = located(error)
    switch error.underlying {
    case is ExitCode: return ""
    case CleanExit.message(let message): return message
    case CleanExit.helpRequest: return error.command.helpText(columns: columns, emphasis: emphasis)
    case UsageError.outOfRange: return "Error: \(error)".onOneLine
    case is UsageError, is ValidationError:
      return (["Error: \(error)".onOneLine] + error.command.usageHint(columns: columns))
        .joined(separator: "\n")
    default: return "Error: \(error)".onOneLine
    }
  }

  /// The code with which the process should end after an error.
  package static func exitCode(for error: any Error) -> ExitCode { located(error).exitCode }

  /// Ends the process with the code and the message of an error.
  ///
  /// Help and clean messages go to standard output, all others to standard error.
  package static func exit(withError error: any Error) -> Never {
    let code = exitCode(for: error)
    let emphasis = Emphasis(suiting: code.isSuccess ? 1 : 2)
    endProcess(code, saying: fullMessage(for: error, emphasis: emphasis))
  }

  private static func located(_ error: any Error) -> CommandError {
    error as? CommandError ?? CommandError(error, in: commandDescription)
  }
}
