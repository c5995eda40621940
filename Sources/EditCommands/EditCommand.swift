import Glibc
import PhotoEditing
import SafelightArguments

/// The command line `edit`: photos are edited beside their originals, which never change.
package struct EditCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Edits photos without changing them.",
    discussion: """
      The edited picture is written beside the original as “_edited.jpg”, the edit itself into a \
      sidecar “.aae”. The original is only read, and “edit revert” drops both again.

      Example:
        edit apply noir beach.jpg
        edit show beach.jpg
        edit revert beach.jpg

      Results go to standard output, one line for each photo, and messages to standard error. The \
      exit code is 0 when all was done, 1 when a photo failed, 64 when the command line was wrong \
      and 130 when the work was interrupted.
      """,
    version: { Version.text },
    groupedSubcommands: [
      CommandGroup(
        name: "Edit",
        subcommands: operationCommands.edit + [RevertCommand.self]),
      CommandGroup(
        name: "History",
        subcommands: operationCommands.other + [HistoryCommand.self, VersionCommand.self]),
      CommandGroup(
        name: "Look",
        subcommands: [
          ShowCommand.self, CompareCommand.self, LiveCommand.self, FiltersCommand.self,
          AdjustmentsCommand.self,
          PresetsCommand.self, LutCommand.self,
        ]),
      CommandGroup(
        name: "Files",
        subcommands: [RenderCommand.self, VerifyCommand.self, RelinkCommand.self]),
      CommandGroup(name: "Library", subcommands: [LibraryCommand.self]),
      CommandGroup(
        name: "For programs",
        subcommands: [ServeCommand.self, WorkerCommand.self, MCPCommand.self]),
      CommandGroup(name: "Help", subcommands: [HelpCommand.self, CompletionsCommand.self]),
    ])

  package init() {}
}

extension EditCommand {
  /// Whether a command line is one that is likely to decode photos in this process.
  package static func mayDecode(_ arguments: [String]) -> Bool {
    let commands: [any ParsableCommand.Type] =
      operationCommands.edit + operationCommands.other + [
        CompareCommand.self, RenderCommand.self, WorkerCommand.self, ServeCommand.self,
        MCPCommand.self,
      ]
    return commands.contains { $0.configuration.commandName == arguments.first }
  }

  /// Looks for the list of processes. Swift reads the command line there, and libdispatch, which looks after its
  /// threads there, ends the process when it does not find them.
  ///
  /// - Returns: Why the program cannot work; `nil` when it can.
  package static func missingProcesses() -> String? {
    if access("/proc/self/stat", R_OK) == 0 { return nil }
    return
      "edit: There is no /proc here, and nothing works without it. Mount it with “mount -t proc proc /proc”, "
      + "or let the container have one.\n"
  }

  /// Lets the process open at least 1,024 files where the system allows that.
  ///
  /// - Returns: Why the program cannot work with as few files as it may open; `nil` when it can.
  package static func openingTooFewFiles() -> String? {
    guard let count = openFiles(atLeast: 1024) else { return nil }
    let needed = 24
    if count >= needed { return nil }
    return "edit: It may open \(count) files at once and needs \(needed). Raise the limit "
      + "with “ulimit -n”.\n"
  }

  /// Lets the process open a number of files at once, or as many as the system allows.
  ///
  /// - Returns: How many it may open; `nil` when the system does not say.
  @discardableResult
  static func openFiles(atLeast wanted: UInt) -> UInt? {
    var limit = rlimit()
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(files, &limit) == 0 else { return nil }
    if limit.rlim_cur < wanted {
      limit.rlim_cur = min(limit.rlim_max, wanted)
      setrlimit(files, &limit)
    }
    return limit.rlim_cur
  }

  /// Tries to start as many threads as the program needs. Limits count what else the user or the container
  /// runs, so only trying tells.
  ///
  /// - Returns: Why the program cannot work; `nil` when it can.
  package static func startingTooFewThreads() -> String? {
    // libdispatch's own two, and four of Swift's and the renderer's; with fewer a single photo was waited for.
    let needed = 6
    let gate = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(gate, 0, 0)
    var threads: [pthread_t] = []
    for _ in 0..<needed {
      var thread = pthread_t()
      let failure = pthread_create(
        &thread, nil,
        { gate in
          sem_wait(gate!.assumingMemoryBound(to: sem_t.self))
          return nil
        }, gate)
      guard failure == 0 else { break }
      threads.append(thread)
    }
    for _ in threads { sem_post(gate) }
    for thread in threads { pthread_join(thread, nil) }
    gate.deallocate()
    if threads.count == needed { return nil }
    return "edit: It can start only \(threads.count) of the \(needed) threads that it needs. Raise "
      + "the limit with “ulimit -u”, or end other programs of this user.\n"
  }

  /// Runs the program's command line: photos are decoded by processes of the same program, and progress is
  /// shown on standard error. Ctrl-C and SIGTERM roll back the photos in hand.
  ///
  /// - Parameter arguments: The words after the program's name, as
  ///   `FilePath.argument(decoding:)` makes them.
  package static func runAsProgram(_ arguments: [String]) async {
    PhotoDarkroom.current.program = "/proc/self/exe"
    await Interruption.cancelling {
      await CommandSurroundings.$progressTerminal.withValue(.standardError) {
        await CommandSurroundings.$questionTerminal.withValue(.standard) {
          await main(arguments)
          if let reason = StandardOutput.failure {
            let text = String(cString: strerror(reason))
            writeWhole("edit: Not all results could be written: \(text).\n", to: STDERR_FILENO)
            Glibc.exit(1)
          }
        }
      }
    }
  }
}

extension EditCommand {
  /// The manual page edit(1), as roff.
  static var manualPage: String {
    commandDescription.manualPage(
      date: Version.date, source: "Safelight \(Version.number)",
      sections: [
        ManualSection("FILES", HelpTopic.files.parts),
        ManualSection("FILES THAT ARE LEFT OUT", HelpTopic.exclude.parts),
        ManualSection("OUTPUT", HelpTopic.output),
        ManualSection("EXIT STATUS", HelpTopic.exitCodes),
        ManualSection("ENVIRONMENT", HelpTopic.environment.parts),
        ManualSection("ERRORS", HelpTopic.errors.parts),
        ManualSection("EXAMPLES", [.text(examples)]),
        ManualSection("SEE ALSO", [.text("exiftool(1), vips(1), parallel(1)")]),
      ])
  }

  private static let examples = """
    Give all photos of a folder a filter, and see what became of one:

      edit apply vivid-warm --intensity 0.6 holiday/*.jpg
      edit show holiday/beach.jpg

    Edit one photo by hand and copy the edit to others:

      edit adjust beach.jpg --exposure 0.5 --contrast 12
      edit sync --from beach.jpg holiday/*.jpg

    Write small copies for the web, then drop the edits:

      edit render holiday/*.jpg -o web --longest-side 1600 --quality 85
      edit revert holiday/*.jpg

    Name the photos that failed, with the reason for programs:

      edit apply noir *.jpg --json | jq -r 'select(.error) | .photo + " " + .error.code'
    """
}

/// Which program this is.
enum Version {
  /// The version of Safelight: of the library, the command line and the formats together.
  static let number = "0.1.0"

  /// The day of the version, for the manual page.
  static let date = "2026-11-21"

  /// The version with those of libvips and of the renderer, which decide what a render looks like.
  static var text: String {
    """
    edit \(number) (\(PhotoEditor.imagingLibraryVersion.map { "libvips \($0)" } ?? "no libvips"))
    renderer \(PhotoEditor.rendererVersion)
    """
  }
}
