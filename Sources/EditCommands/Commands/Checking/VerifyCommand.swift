import PhotoEditing
import SafelightArguments

/// `edit verify`: compares photos with their records.
struct VerifyCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check that originals, renders and sidecars are as recorded.",
    discussion: """
      Compares the contents of originals, renders and base photos with the SHA-256 in their \
      sidecars, and finds sidecars that cannot be read or have lost their photo, renders that no \
      sidecar names, changes that were interrupted and hidden files of programs that died. In \
      folders only edited photos are read and listed. Nothing is written without --fix, which \
      finishes what was interrupted, removes what was left behind, and changes nothing else.

      Example:
        edit verify holiday
        edit verify --recursive --quiet photos
        edit verify --fix beach.jpg

      The exit code is 1 when something is wrong.
      """)

  @Argument(help: "Photos, sidecars or folders.", completion: .photosAndSidecars)
  var paths: [String]

  @Flag(name: .shortAndLong, help: "Check the folders inside folders too.")
  var recursive = false

  @Flag(help: "Finish what was interrupted, and remove what was left behind.")
  var fix = false

  @Flag(help: "Print one JSON object for each photo.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print nothing but photos with problems.")
  var quiet = false

  func run(on console: Console) async throws -> ExitCode {
    let tally = CheckTally(
      printer: ResultPrinter(console: console, json: json, quiet: false), quiet: quiet)
    let editor = PhotoEditor()
    for path in paths.map({ FilePath(argument: $0) }) {
      do throws(EditError) {
        if Task.isCancelled { throw .cancelled(path: path) }
        try await editor.verify(contentsOf: path, recursively: recursive, fixing: fix) { check in
          tally.add(check)
        }
      } catch .cancelled {
        console.message("edit: Interrupted; not everything was checked.")
        return ExitCode(130)
      } catch {
        tally.add(error, for: path)
      }
    }
    if !quiet { console.message("edit: \(tally.summary)") }
    return tally.isSound ? .success : .failure
  }
}
