/// What a command is called, what its help says, and which subcommands it has.
package struct CommandConfiguration: Sendable {
  /// The name on the command line; `nil` derives it from the type's name.
  package var commandName: String?
  /// Other names that work as well.
  package var aliases: [String]
  /// One line on what the command does.
  package var abstract: String
  /// The usage line without `USAGE:`; `nil` makes it from the arguments, an empty text hides it.
  package var usage: String?
  /// More on the command, such as examples; lines that start with a space are never wrapped.
  package var discussion: String
  /// What `--version` prints; when empty, the option exists only if a parent command has a version.
  package var version: String
  /// Whether the parent's help lists the command.
  package var shouldDisplay: Bool
  /// The commands that may follow this one's name, those outside groups first. Setting them removes
  /// the groups.
  package var subcommands: [any ParsableCommand.Type] {
    get { ungroupedSubcommands + groupedSubcommands.flatMap(\.subcommands) }
    set { (ungroupedSubcommands, groupedSubcommands) = (newValue, []) }
  }
  /// The subcommands that help lists under “SUBCOMMANDS”.
  package var ungroupedSubcommands: [any ParsableCommand.Type]
  /// The subcommands that help lists under titles of their own.
  package var groupedSubcommands: [CommandGroup]
  /// The subcommand that is meant when none is named; `nil` runs the command itself.
  package var defaultSubcommand: (any ParsableCommand.Type)?

  package init(
    commandName: String? = nil, abstract: String = "", usage: String? = nil,
    discussion: String = "", version: String = "", shouldDisplay: Bool = true,
    subcommands: [any ParsableCommand.Type] = [], groupedSubcommands: [CommandGroup] = [],
    defaultSubcommand: (any ParsableCommand.Type)? = nil, aliases: [String] = []
  ) {
    self.commandName = commandName
    self.abstract = abstract
    self.usage = usage
    self.discussion = discussion
    self.version = version
    self.shouldDisplay = shouldDisplay
    ungroupedSubcommands = subcommands
    self.groupedSubcommands = groupedSubcommands
    self.defaultSubcommand = defaultSubcommand
    self.aliases = aliases
  }
}

/// Subcommands that help lists under a title.
package struct CommandGroup: Sendable {
  /// The title, such as `For programs`. Help shows it in capitals.
  package let name: String
  /// The commands of the group, in the order of the help.
  package let subcommands: [any ParsableCommand.Type]

  package init(name: String, subcommands: [any ParsableCommand.Type]) {
    self.name = name
    self.subcommands = subcommands
  }
}
