import PhotoEditing
import SafelightArguments
import Synchronization

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

/// Prints checks as they come in, and counts them.
final class CheckTally: Sendable {
  private struct Counts {
    var checked = 0
    var failed = 0
    var fixed = 0
    var start = ContinuousClock.now
  }

  private let printer: ResultPrinter
  private let quiet: Bool
  private let counts = Mutex(Counts())

  init(printer: ResultPrinter, quiet: Bool) {
    self.printer = printer
    self.quiet = quiet
  }

  var isSound: Bool { counts.withLock { $0.failed == 0 } }

  /// What was checked, for the end.
  var summary: String {
    let counts = counts.withLock { $0 }
    let photos = counts.checked == 1 ? "1 file" : "\(counts.checked) files"
    if counts.checked == 0 { return "Nothing to check." }
    let fixed = counts.fixed == 0 ? "" : " \(counts.fixed) put right."
    return
      (counts.failed == 0
      ? "\(photos) checked, all as recorded."
      : "\(photos) checked, \(counts.failed) with problems.")
      + fixed
  }

  func add(_ check: PhotoCheck) {
    let start = count(isSound: check.isSound, fixed: check.fixed.count)
    if quiet && check.isSound { return }
    printer.print(
      PhotoReport(photo: check.path, outcome: .success(PhotoResult(check)), since: start))
  }

  func add(_ error: EditError, for path: FilePath) {
    let start = count(isSound: false, fixed: 0)
    printer.print(PhotoReport(photo: path, outcome: .failure(PhotoFailure(error)), since: start))
  }

  /// - Returns: When the work on what is being counted began.
  private func count(isSound: Bool, fixed: Int) -> ContinuousClock.Instant {
    counts.withLock { counts in
      defer { counts.start = .now }
      counts.checked += 1
      counts.failed += isSound ? 0 : 1
      counts.fixed += fixed
      return counts.start
    }
  }
}

extension PhotoResult {
  /// What a check found.
  init(_ check: PhotoCheck) {
    let problems = check.problems.map { $0.shown(beside: check.path) }
    let notes = check.notes.map { $0.shown(beside: check.path) }
    let fixed = check.fixed.map { $0.shown(beside: check.path) }
    var parts = (problems + notes).map(\.words) + fixed.map { "\($0.words), put right" }
    if parts.isEmpty { parts = [check.isEdited ? "as recorded" : "not edited"] }
    var details: [JSONValue.Member] = []
    func add(_ key: String, _ findings: [JSONValue]) {
      if !findings.isEmpty { details.append(.init(key, .array(findings))) }
    }
    add("problems", problems.map { $0.json(advising: true) })
    add("notes", notes.map { $0.json(advising: true) })
    add("fixed", fixed.map { $0.json(advising: false) })
    self.init(
      status: check.isSound ? "verified" : "failed", text: parts.joined(separator: ", "),
      rows: (problems + notes).map(\.message), details: details)
  }
}

extension PhotoProblem {
  /// What happened and what can be done, in two sentences.
  var message: String { [description, hint].compactMap(\.self).joined(separator: " ") }

  /// The kind of problem in two or three words.
  fileprivate var words: String { String(code.map { $0 == "-" ? " " : $0 }) }

  /// The same problem, with the file's path written as the photo's path was. The file need not exist.
  fileprivate func shown(beside photo: FilePath) -> PhotoProblem {
    guard !photo.isAbsolute, let name = file.lastComponent else { return self }
    func folder(of path: FilePath) -> FilePath {
      let folder = path.removingLastComponent()
      return folder.isEmpty ? "." : folder
    }
    guard folder(of: photo).leadsToSameFile(as: folder(of: file)) else { return self }
    return PhotoProblem(kind, photo.removingLastComponent().appending(name))
  }

  fileprivate func json(advising: Bool) -> JSONValue {
    var members = [
      JSONValue.Member("kind", .string(code)), JSONValue.Member("file", .string(file.string)),
      JSONValue.Member("message", .string(description)),
    ]
    if advising, let hint { members.append(JSONValue.Member("hint", .string(hint))) }
    return .object(members)
  }
}
