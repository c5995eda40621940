import SafelightArguments

/// `edit library trash`: puts photos into the library's trash, and what to do about those in it.
struct TrashCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trash",
    abstract: "Put photos into the library's trash, restore them, or empty it.",
    usage: """
      edit library trash <photos> ...
             edit library trash list | restore <photos> ... | empty
      """,
    discussion: """
      What is in the trash does not show any more, and that is all: its files stay where they are \
      until “edit library trash empty”. A photo that is called like a subcommand is named with “./” \
      before it.

      Example:
        edit library trash blurred.jpg
        edit library trash list
        edit library trash restore blurred.jpg
        edit library trash empty
      """,
    subcommands: [
      TrashPhotosCommand.self, ListTrashCommand.self, RestoreCommand.self, EmptyTrashCommand.self,
    ],
    defaultSubcommand: TrashPhotosCommand.self)
}
