import PhotoEditing
import SafelightArguments

/// `edit relink`: moves edits along with photos that were moved or renamed.
struct RelinkCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "relink",
    abstract: "Find moved or renamed photos again, and move their edits along.",
    discussion: """
      Looks for sidecars whose photo is gone, finds the photo by its content under whatever name, \
      and moves sidecar, render and base photo beside it under the names that belong to it. The \
      edit and its history stay as they are. Photos are looked for in the folders given, and with \
      --in elsewhere. A render that somebody retouched, and a photo that has an edit already, stand \
      in the way and stay as they are.

      Example:
        edit relink holiday
        edit relink --recursive photos --in archive
        edit relink --dry-run holiday/beach.jpg.aae --in .
      """)

  @Argument(
    help: "Folders with sidecars that lost their photos, or such sidecars.",
    completion: .file(extensions: ["aae"]))
  var paths: [String]

  @Flag(name: .shortAndLong, help: "Look through the folders inside folders too.")
  var recursive = false

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp(
      "Another folder to look for the photos in, with all inside it.", valueName: "folder"),
    completion: .directory)
  var folders: [String] = []

  @OptionGroup var options: PhotoOptions
  @OptionGroup var dryRun: DryRunOption

  func run(on console: Console) async throws -> ExitCode {
    let tally = RelinkTally(console: console, options: options, dryRun: dryRun)
    do throws(EditError) {
      try await PhotoEditor().relink(
        paths.map { FilePath(argument: $0) }, recursively: recursive,
        lookingIn: folders.map { FilePath(argument: $0) }, dryRun: dryRun.isOn
      ) { former, result in tally.add(result, of: former) }
    } catch .cancelled {
      console.message("edit: Interrupted; not everything was relinked.")
      return ExitCode(130)
    } catch {
      console.message("edit: \(error.message)".onOneLine)
      return .failure
    }
    if !options.quiet { console.message("edit: \(tally.summary)") }
    return tally.hasFailures ? .failure : .success
  }
}
