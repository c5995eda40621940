import PhotoEditing
import SafelightArguments

/// `edit relink`: moves edits along with photos that were moved or renamed.
struct RelinkCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "relink",
    abstract: "Find moved or renamed photos again, and move their edits along.",
    discussion: """
      Looks for sidecars whose photo is gone, or whose photo's name another picture has now, finds the \
      photo by its content under whatever name, and moves sidecar, render and base photo beside it under \
      the names that belong to it. The edit and its history stay as they are. Photos that exchanged their \
      names get their edits back, and a photo that was renamed with all its files keeps these files. A photo \
      that has not changed since its sidecar was written is not read, unless you name it. A photo into which other programs wrote metadata is \
      found by its picture: under its own name, or with nearly its former size. Photos are searched for in the folders given, and with \
      --in in other folders too. A render that somebody retouched is not moved, and a photo that \
      has an edit already keeps it. With --from, nothing is searched for: one photo gets the edit that is there.

      With --accept, photos are named whose picture another program has changed: the edit goes on \
      from the picture that is there, and is rendered again. From then on the edit belongs to that picture. \
      The picture that was edited is searched for first, in the photo's folder and with --in; when it has \
      another name now, its edit stays, unless you confirm with --yes or on the terminal. Metadata that other programs write into \
      a photo need no --accept, and nor does a changed orientation, unless the edit has geometry \
      that cannot turn with the photo, as in a filter.

      Example:
        edit relink holiday
        edit relink --recursive photos --in archive
        edit relink --dry-run holiday/beach.jpg.aae --in .
        edit relink shore.jpg --from old/beach.jpg
        edit relink --accept beach.jpg
        edit relink --accept --yes beach.jpg --in archive
      """)

  @Argument(
    help:
      "Folders with sidecars that lost their photos, or such sidecars; photos for --accept and --from.",
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

  @Option(
    help: ArgumentHelp(
      "Where the photo was, or the sidecar that is there still.", valueName: "file"),
    completion: .photos)
  var from: String?

  @OptionGroup var exclusion: ExclusionOptions

  @Flag(help: "Go on with the pictures that are there, although they are not those edited.")
  var accept = false

  @Flag(
    name: .shortAndLong,
    help: "With --accept: do not ask, also when the picture that was edited is found.")
  var yes = false

  @OptionGroup var options: PhotoOptions
  @OptionGroup var dryRun: DryRunOption

  func validate() throws(ValidationError) {
    if accept, recursive || !exclusion.exclude.isEmpty {
      throw ValidationError("--accept takes photos; leave --recursive and --exclude out.")
    }
    if from?.isEmpty == true { throw ValidationError("--from takes the name of a file.") }
    if from != nil, accept || recursive || !folders.isEmpty || !exclusion.exclude.isEmpty {
      throw ValidationError("--from takes one photo, and no other options of where to look.")
    }
    if from != nil, paths.count != 1 { throw ValidationError("--from takes one photo.") }
    if yes, !accept { throw ValidationError("--yes goes with --accept.") }
  }

  func run(on console: Console) async throws -> ExitCode {
    let tally = ResultTally(
      ResultPrinter(console: console, json: options.json, quiet: options.quiet))
    let dryRun = dryRun
    let rules = try exclusion.rules
    if accept {
      do throws(CancellationError) {
        guard try await mayAccept(on: console) else {
          console.message("edit: Nothing was accepted.")
          return .failure
        }
      } catch {
        console.message("edit: Nothing was accepted.")
        return ExitCode(130)
      }
      await acceptOriginals(tally)
      return end(tally, console)
    }
    if let from {
      await perform(.relink(from: FilePath(argument: from)), tally)
      return end(tally, console)
    }
    do throws(EditError) {
      try await PhotoEditor().relink(
        paths.map { FilePath(argument: $0) }, recursively: recursive,
        lookingIn: searched, rules: rules, dryRun: dryRun.isOn
      ) { former, result in
        let done = try? result.get().result
        tally.add(
          result.map { PhotoResult($0, dryRun: dryRun) }.mapError { PhotoFailure($0) }, of: former,
          isSound: done?.isUnfinished == false, done: done?.status == .relinked ? 1 : 0)
      }
    } catch .cancelled {
      console.message("edit: Interrupted; not everything was relinked.")
      return ExitCode(130)
    } catch {
      return console.fail(PhotoFailure(error))
    }
    return end(tally, console)
  }

  private func end(_ tally: ResultTally, _ console: Console) -> ExitCode {
    if !options.quiet { console.message("edit: \(summary(tally.counts))") }
    return tally.counts.failed == 0 ? .success : .failure
  }

  private var searched: [FilePath] { folders.map { FilePath(argument: $0) } }

  /// Whether edits may be given to the pictures that are there. Asks on a terminal, once for all photos, and
  /// says where the pictures are that were edited.
  private func mayAccept(on console: Console) async throws(CancellationError) -> Bool {
    guard !yes, !dryRun.isOn, let terminal = CommandSurroundings.questionTerminal else {
      return true
    }
    var others = 0
    for path in paths.map({ FilePath(argument: $0) }) {
      // What cannot be searched fails below, with its reason.
      let search = try? await PhotoEditor().editedOriginals(
        of: Photo(path: path), lookingIn: searched)
      guard let found = search ?? nil else { continue }
      others += 1
      console.message(
        found.first.map { "edit: The picture that was edited as \(path) is \($0) now." }
          ?? "edit: The picture that was edited as \(path) was not found.")
    }
    guard others > 0 else { return true }
    return try await terminal.confirm(
      others == 1
        ? "Give the edit to the picture that is there, for good?"
        : "Give the edits to the \(others) pictures that are there, for good?")
  }

  private func acceptOriginals(_ tally: ResultTally) async {
    let isConfirmed = yes || !dryRun.isOn && CommandSurroundings.questionTerminal != nil
    await perform(.acceptOriginal(lookingIn: searched, takingFromOriginal: isConfirmed), tally)
  }

  /// Does something to the photos that are named.
  private func perform(_ operation: EditOperation, _ tally: ResultTally) async {
    let editor = PhotoEditor()
    for path in paths.map({ FilePath(argument: $0) }) {
      do {
        let result = try await editor.perform(operation, on: Photo(path: path), dryRun: dryRun.isOn)
        tally.add(
          .success(PhotoResult(result, of: [operation], to: path, dryRun: dryRun.isOn)), of: path,
          isSound: !result.isUnfinished, done: result.status == .relinked ? 1 : 0)
      } catch {
        tally.add(.failure(PhotoFailure(error)), of: path, isSound: false, done: 0)
      }
    }
  }

  private func summary(_ counts: ResultTally.Counts) -> String {
    if counts.done + counts.failed == 0 {
      if from != nil { return "There is no edit to move." }
      return accept ? "Every photo is the picture that was edited." : "Every sidecar has its photo."
    }
    let relinked = "\(counts.done) \(dryRun.isOn ? "would be relinked" : "relinked")"
    return counts.failed == 0 ? "\(relinked)." : "\(relinked), \(counts.failed) not."
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
      status: result.status.rawValue,
      text: photo == relinking.former
        ? "\(verb), the sidecar \(dryRun.isOn ? "would have" : "has") the present names of the files"
        : "\(verb) to \(photo)",
      rendered: result.rendered?.shown(beside: photo), record: result.record,
      warnings: result.warnings,
      details: JSONValue.members(["movedTo": photo]) + result.unfinished + dryRun.details)
  }
}
