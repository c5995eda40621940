import PhotoLibraryKit
import SafelightArguments

/// `edit library changes`: tells what happened in a library.
struct ListChangesCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes",
    abstract: "Tell what happened in the library since a token.",
    discussion: """
      Every change, by whatever program, has a token. The last line is the token to give next time, \
      with --json an object with “nextToken”. Without --since, everything that is still known is \
      told: the last 30 days, and at most 100,000 changes. When the history does not go back to a \
      token any more, look at the whole library anew.

      Example:
        edit library changes
        edit library changes --now
        edit library changes --json --since 3f1c09a8d27b4e65-42
      """)

  @Option(help: ArgumentHelp("Only what happened after this.", valueName: "token"))
  var since: PersistentChangeToken?

  @Flag(help: "Print only the token of the present.")
  var now = false

  @OptionGroup var options: LibraryOptions

  func validate() throws {
    if now, since != nil { throw ValidationError("--now and --since do not go together.") }
  }

  func run(in library: PhotoLibrary, on console: Console) throws -> ExitCode {
    if now {
      let token = try library.currentChangeToken.description
      print(.object([.init("nextToken", .string(token))]), [token], on: console)
      return .success
    }
    let start = try since ?? library.earliestChangeToken
    let next = try printChanges(since: start, in: library, on: console)
    print(
      .object([.init("nextToken", .string(next.description))]), ["next token: \(next)"],
      on: console)
    return Task.isCancelled ? ExitCode(130) : .success
  }
}

extension PersistentChangeToken: ExpressibleByArgument {
  /// What help says of a token.
  public static var expectation: String? { "a token that “edit library changes” printed" }
}
