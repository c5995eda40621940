/// What a command is called, what its help says, and which subcommands it has.
public struct CommandConfiguration: Sendable {
  /// The name on the command line; `nil` derives it from the type's name.
  public var commandName: String?
  /// Other names that work as well.
  public var aliases: [String]
  /// One line on what the command does.
  public var abstract: String
  /// The usage line without `USAGE:`; `nil` makes it from the arguments, an empty text hides it.
  public var usage: String?
  /// More on the command, such as examples; lines that start with a space are never wrapped.
  public var discussion: String
  /// What `--version` prints; when empty, the option exists only if a parent command has a version.
  public var version: String
  /// Whether the parent's help lists the command.
  public var shouldDisplay: Bool
  /// The commands that may follow this one's name, those outside groups first; setting them
  /// dissolves the groups.
  public var subcommands: [any ParsableCommand.Type] {
    get { ungroupedSubcommands + groupedSubcommands.flatMap(\.subcommands) }
    set { (ungroupedSubcommands, groupedSubcommands) = (newValue, []) }
  }
  /// The subcommands that help lists under “SUBCOMMANDS”.
  public var ungroupedSubcommands: [any ParsableCommand.Type]
  /// The subcommands that help lists under titles of their own.
  public var groupedSubcommands: [CommandGroup]
  /// The subcommand that is meant when none is named; `nil` runs the command itself.
  public var defaultSubcommand: (any ParsableCommand.Type)?

  /// Creates a configuration; see the properties for what each part means.
  public init(
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
public struct CommandGroup: Sendable {
  /// The title, in lower case but for its first letter; help shows it in capitals.
  public let name: String
  /// The commands of the group, in the order of the help.
  public let subcommands: [any ParsableCommand.Type]

  /// Groups commands under a title.
  public init(name: String, subcommands: [any ParsableCommand.Type]) {
    self.name = name
    self.subcommands = subcommands
  }
}
