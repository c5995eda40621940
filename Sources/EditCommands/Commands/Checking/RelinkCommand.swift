import PhotoEditing
import SafelightArguments
import Synchronization

/// `edit relink`: moves edits along with photos that were moved or renamed.
struct RelinkCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "relink",
    abstract: "Find moved or renamed photos again, and move their edits along.",
    discussion: """
      Looks for sidecars whose photo is gone, finds the photo by its content under whatever name, \
      and moves sidecar, render and base photo beside it under the names that belong to it. The \
      edit and its history stay as they are. Photos are looked for in the folders given, and with \
      --in elsewhere. A render that somebody retouched is not moved, and a photo that has an \
      edit already keeps it.

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
      console.message("edit: \(PhotoFailure(error).text)".onOneLine)
      return .failure
    }
    if !options.quiet { console.message("edit: \(tally.summary)") }
    return tally.hasFailures ? .failure : .success
  }
}

/// Prints what happened to edits that lost their photos, and counts them.
final class RelinkTally: Sendable {
  private struct Counts {
    var relinked = 0
    var failed = 0
    var start = ContinuousClock.now
  }

  private let console: Console
  private let options: PhotoOptions
  private let dryRun: DryRunOption
  private let counts = Mutex(Counts())

  init(console: Console, options: PhotoOptions, dryRun: DryRunOption) {
    self.console = console
    self.options = options
    self.dryRun = dryRun
  }

  var hasFailures: Bool { counts.withLock { $0.failed > 0 } }

  /// What was done, for the end.
  var summary: String {
    let counts = counts.withLock { $0 }
    if counts.relinked + counts.failed == 0 { return "Every sidecar has its photo." }
    let relinked = "\(counts.relinked) \(dryRun.isOn ? "would be relinked" : "relinked")"
    return counts.failed == 0 ? "\(relinked)." : "\(relinked), \(counts.failed) not."
  }

  func add(_ result: Result<Relinking, RelinkError>, of former: FilePath) {
    let start = counts.withLock { counts in
      defer { counts.start = .now }
      switch result {
      case .success(let relinking): counts.relinked += relinking.result.status == .relinked ? 1 : 0
      case .failure: counts.failed += 1
      }
      return counts.start
    }
    let printer = ResultPrinter(console: console, json: options.json, quiet: options.quiet)
    let outcome = result.map { PhotoResult($0, dryRun: dryRun) }
      .mapError { PhotoFailure($0) }
    printer.print(PhotoReport(photo: former, outcome: outcome, since: start))
  }
}

extension PhotoResult {
  fileprivate init(_ relinking: Relinking, dryRun: DryRunOption) {
    let result = relinking.result
    guard let photo = relinking.photo else {
      self.init(
        status: result.status.rawValue, text: "unchanged, there is no edit to move",
        details: dryRun.details)
      return
    }
    let verb = dryRun.isOn ? "would be relinked" : "relinked"
    self.init(
      status: result.status.rawValue, text: "\(verb) to \(photo)",
      rendered: result.rendered?.shown(beside: photo), record: result.record,
      warnings: result.warnings,
      details: [JSONValue.Member("movedTo", .string(photo.string))] + dryRun.details)
  }
}
