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
