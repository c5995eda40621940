import Glibc
import PhotoEditing
import PhotoLibraryKit
import SafelightArguments
import Synchronization

/// `edit mcp`: lets an agent look at photos and edit them, over the Model Context Protocol.
struct MCPCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Let an agent see and edit the photos of some folders.",
    discussion: """
      Speaks the Model Context Protocol (revisions \(AgentServer.revisions.joined(separator: ", "))) on \
      standard input and output, one JSON message to a line, for programs that give a language model \
      tools. The tools list and search photos, show them with numbers, try edits without writing \
      anything, commit, undo, compare, copy and batch them, and export renders.

      Nothing outside of the folders is read or written, no hidden file, and nothing through a symbolic link that \
      leads out. Originals never change, and each result says which files were written, replaced or removed. With \
      --read-only nothing in the folders and in the library is written. With --library photos are searched there, as “edit library \
      list --where” does; only those in the folders are found. What --exclude leaves out is not listed; a photo that \
      is named is worked on nevertheless.

      A program that speaks the protocol is told to start it like this, for example in claude_desktop_config.json:

        {"mcpServers":
          {"photos": {"command": "edit", "args": ["mcp", "/home/me/Photos"]}}}

      or with its own command:

        claude mcp add photos -- edit mcp ~/Photos

      The server ends with its input. SIGTERM and Ctrl-C roll back the photo in hand and end it with exit \
      code 130.

      Example:
        edit mcp Photos
        edit mcp Photos Export --library ~/.local/share/safelight/library
        edit mcp --read-only Photos
      """)

  @Argument(
    help: ArgumentHelp("The folders that the agent may touch.", valueName: "folders"),
    completion: .directory)
  var folders: [String]

  @Flag(help: "Let the agent look, and write nothing.")
  var readOnly = false

  @OptionGroup var exclusion: ExclusionOptions
  @OptionGroup var location: LibraryLocation
  @OptionGroup var sandbox: SandboxOption

  func validate() throws {
    if location.trustOwner, location.library == nil {
      throw ValidationError("--trust-owner goes with --library.")
    }
  }

  func run(on console: Console) async throws -> ExitCode {
    let session: AgentSession
    do {
      try sandbox.check(on: console)
      let library = try location.library.map { _ in try location.open(readOnly: readOnly) }
      for text in library?.recoveryNotes ?? [] { console.message("edit: \(text)".onOneLine) }
      session = AgentSession(
        try AgentFolders(folders, rules: exclusion.rules), library: library,
        isReadOnly: readOnly)
    } catch let error as any Explained {
      return console.fail(PhotoFailure(error))
    } catch let error as RenderError {
      return console.fail(SandboxOption.failure(error))
    }
    return await Self.serve(session, STDIN_FILENO, on: console)
  }

  /// Answers messages until the input ends or the surrounding task is cancelled.
  static func serve(
    _ session: AgentSession, _ input: Int32, on console: Console
  ) async -> ExitCode {
    let wakeUp = WakeUp()
    let server = AgentServer(session) { console.result($0) }
    return await withTaskCancellationHandler {
      let lines = LineReader.lines(of: input, longest: AgentServer.largestMessage, until: wakeUp)
      for await line in lines { await server.receive(line) }
      // What was asked before the input ended is done, unless the program shall end.
      let end = Task { await server.finish() }
      await withTaskCancellationHandler {
        await end.value
      } onCancel: {
        Task { await server.cancel() }
      }
      return Task.isCancelled ? ExitCode(130) : .success
    } onCancel: {
      wakeUp.ring()
    }
  }
}
