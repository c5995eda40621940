/// A command as data: what help, a manual page and shell completions are made from.
package struct CommandDescription: Sendable {
  /// The name, after those of the commands it stands under: `["edit", "apply"]`.
  package let path: [String]
  /// Other names that work as well as the last of `path`.
  package let aliases: [String]
  /// One line on what the command does.
  package let abstract: String
  /// More on the command, such as examples.
  package let discussion: String
  /// The version that `--version` prints; `nil` when there is none.
  package let version: String?
  /// Whether help leaves the command out.
  package let isHidden: Bool
  /// The arguments in the order they are declared, then `--version` and `--help`.
  package let arguments: [ArgumentDescription]
  /// The commands below this one.
  package let subcommands: [CommandDescription]
  /// The name of the subcommand that is meant when none is named.
  package let defaultSubcommand: String?
  /// The title of the group that the parent lists the command in; empty when there is none.
  package let section: String
  let customUsage: String?

  /// The name by which the parent knows the command.
  package var name: String { path.last ?? "" }

  /// The command below this one that has a name or an alias; `nil` when none has.
  package func subcommand(named name: String) -> CommandDescription? {
    subcommands.first { $0.name == name || $0.aliases.contains(name) }
  }

  init(path types: [any ParsableCommand.Type], section: String = "") {
    let configuration = types.last?.configuration ?? CommandConfiguration()
    let version = Definition.version(of: types)
    path = types.map { $0.name }
    aliases = configuration.aliases
    abstract = configuration.abstract
    discussion = configuration.discussion
    self.version = version.isEmpty ? nil : version
    isHidden = !configuration.shouldDisplay
    arguments = Definition.all(for: types).map(\.description)
    subcommands =
      configuration.ungroupedSubcommands.map { CommandDescription(path: types + [$0]) }
      + configuration.groupedSubcommands.flatMap { group in
        group.subcommands.map { CommandDescription(path: types + [$0], section: group.name) }
      }
    defaultSubcommand = configuration.defaultSubcommand?.name
    self.section = section
    customUsage = configuration.usage
  }
}

/// An argument, an option or a flag as data.
package struct ArgumentDescription: Sendable {
  /// How an argument is recognized.
  package enum Kind: Sendable, Hashable {
    /// By its place.
    case positional
    /// By its name, which a value follows.
    case option
    /// By its name alone.
    case flag
  }

  /// How the argument is recognized.
  package let kind: Kind
  /// The names with their dashes, short ones first; empty for a positional argument.
  package internal(set) var names: [String]
  /// What the value is called, without angle brackets.
  package let valueName: String
  /// One line on what the argument is for.
  package let abstract: String
  /// More on the argument.
  package let discussion: String
  /// The default as help shows it; `nil` when there is none to show.
  package let defaultValue: String?
  /// Every word that is allowed as a value; empty when they cannot be listed.
  package let allowedValues: [String]
  /// Whether the argument may be left out.
  package let isOptional: Bool
  /// Whether the argument may be given more than once.
  package let isRepeating: Bool
  /// Whether help leaves the argument out.
  package internal(set) var isHidden: Bool
  /// What shells offer for the value.
  package let completion: CompletionKind
  /// Whether every command has it, as `--help`.
  package internal(set) var isBuiltIn = false
  /// The title of the option group it stands in; empty when there is none.
  package internal(set) var section = ""

  /// The argument as messages show it: `--quality <quality>`, `--quiet` or `<photo>`.
  ///
  /// - Parameter spelled: The name that was used; `nil` takes the first long one.
  func label(spelled: String? = nil) -> String {
    let name = spelled ?? names.first { $0.hasPrefix("--") } ?? names.first
    let value = kind == .flag ? nil : "<\(valueName)>"
    return [name, value].compactMap { $0 }.joined(separator: " ")
  }
}
