/// What is wrong with a command line.
///
/// Names carry their dashes as they were written; `argument` also shows the value's name, as in
/// `--quality <quality>` or `<photo>`.
public enum UsageError: Error, Equatable, CustomStringConvertible {
  /// The command has no such option; `nearest` is the one that may be meant.
  case unknownOption(String, nearest: String?)
  /// The command has no such subcommand; `nearest` is the one that may be meant.
  case unknownSubcommand(String, nearest: String?)
  /// The words end, or another option follows, where a value is needed; write `--name=-value` for
  /// a value that looks like an option.
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
  public var description: String {
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
  public var hint: String? {
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
