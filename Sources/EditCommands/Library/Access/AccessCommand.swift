import PhotoLibraryKit
import SafelightArguments

/// `edit library access`: decides what other programs may do.
struct AccessCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "access",
    abstract: "See and decide which programs may use the library.",
    discussion: """
      A program that opens the library under a name of its own asks for access first, and the \
      answer is remembered. Here it can be given before it is asked for, and changed at any time; \
      programs that run are told.

      Example:
        edit library access list
        edit library access grant org.example.frames
        edit library access limit org.example.frames --album Holidays
        edit library access revoke org.example.frames
      """,
    subcommands: [
      ListAccessCommand.self, GrantAccessCommand.self, LimitAccessCommand.self,
      RevokeAccessCommand.self,
    ])
}

/// `edit library access list`: lists the programs.
struct ListAccessCommand: CatalogCommand {
  static let isForOwner = true
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the programs that were allowed or refused access.",
    discussion: """
      Example:
        edit library access list
        edit library access list --json
      """)

  @OptionGroup var options: LibraryOptions

  func run(in library: PhotoLibrary, on console: Console) throws -> ExitCode {
    let clients = try library.clients()
    for client in clients {
      print(
        client.json, [client.text] + (client.usageDescription.map { ["  " + $0] } ?? []),
        on: console)
    }
    if clients.isEmpty { note("No program has asked for the library.", on: console) }
    return .success
  }
}
