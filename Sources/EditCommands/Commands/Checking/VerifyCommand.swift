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
      finishes what was interrupted, also when the photo was renamed since with its files, removes what was \
      left behind, puts copies that a sync made and that have nothing new and hidden files of photos that \
      are nowhere into “.safelight-trash”, and changes nothing else; --fix --dry-run says what that would be.

      With --fix --gone, the edits of photos that were deleted go too: sidecar, render, base photo, \
      versions, copies of them that a sync made and changes that were interrupted, as one set, into \
      “.safelight-trash” in their folder; move them back to undo it. That is \
      done only where no file in the folders given, in all folders inside, and in those of --in has the \
      photo's content or its picture. It asks before, unless --yes is given. When several edited photos of a \
      folder are gone and none is left, as on a disk that is not mounted, their sidecars stay unless they are \
      named one by one; so does one whose photo's content has another edit. Edits in what --exclude leaves out \
      stay; photos are looked for there too.

      Example:
        edit verify holiday
        edit verify --recursive --quiet photos
        edit verify --fix beach.jpg
        edit verify --fix --gone --dry-run --recursive photos --in archive

      The exit code is 1 when something is wrong.
      """)

  @Argument(help: "Photos, sidecars or folders.", completion: .photosAndSidecars)
  var paths: [String]

  @Flag(name: .shortAndLong, help: "Check the folders inside folders too.")
  var recursive = false

  @OptionGroup var exclusion: ExclusionOptions

  @Flag(help: "Finish what was interrupted, and remove what was left behind.")
  var fix = false

  @Flag(help: "With --fix: put the edits of photos that are gone into “.safelight-trash”.")
  var gone = false

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp(
      "With --gone: another folder where the photos may be, with all inside it.",
      valueName: "folder"),
    completion: .directory)
  var folders: [String] = []

  @Flag(name: .shortAndLong, help: "With --gone: do not ask.")
  var yes = false

  @OptionGroup var dryRun: DryRunOption

  @Flag(help: "Print one JSON object for each photo.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print nothing but photos with problems.")
  var quiet = false

  func validate() throws(ValidationError) {
    if gone, !fix { throw ValidationError("--gone says what to put right: give --fix too.") }
    if !gone, yes || !folders.isEmpty {
      throw ValidationError("--in and --yes go with --fix --gone.")
    }
    if dryRun.isOn, !fix { throw ValidationError("--dry-run goes with --fix.") }
  }

  func run(on console: Console) async throws -> ExitCode {
    let tally = ResultTally(ResultPrinter(console: console, json: json, quiet: false))
    let quiet = quiet
    let (fix, promises) = (fix && !dryRun.isOn, fix && dryRun.isOn)
    let editor = PhotoEditor()
    let rules = try exclusion.rules
    var gone = GoneRemoval.Outcome()
    if self.gone {
      let removal = GoneRemoval(
        paths: paths.map { FilePath(argument: $0) }, recursive: recursive,
        folders: folders.map { FilePath(argument: $0) }, rules: { _ in rules }, yes: yes,
        dryRun: dryRun, quiet: quiet)
      do throws(ExitCode) {
        gone = try await removal.run(with: editor, tally, on: console)
      } catch {
        return error
      }
    }
    for path in paths.map({ FilePath(argument: $0) })
    where !gone.done.contains(path) {
      do throws(EditError) {
        if Task.isCancelled { throw .cancelled(path: path) }
        try await editor.verify(
          contentsOf: path, recursively: recursive, rules: rules, fixing: fix
        ) { [gone] check in
          // A dry run has told of these already.
          if gone.done.contains(check.path) { return }
          let found = PhotoResult(
            check, isGoneBecause: gone.reasons[check.path], promisingFixes: promises)
          tally.add(
            .success(found), of: check.path, isSound: check.isSound,
            done: promises ? check.fixable.count : check.fixed.count, isNoted: !check.notes.isEmpty,
            isShown: !quiet || !check.isSound)
        }
      } catch .cancelled {
        console.message("edit: Interrupted; not everything was checked.")
        return ExitCode(130)
      } catch {
        tally.add(.failure(PhotoFailure(error)), of: path, isSound: false)
      }
    }
    if !quiet { console.message("edit: \(summary(tally.counts))") }
    return tally.counts.failed == 0 ? .success : .failure
  }

  private func summary(_ counts: ResultTally.Counts) -> String {
    if counts.photos == 0 { return "Nothing to check." }
    let checked = "\(counted(counts.photos, "file")) checked, "
    let found =
      switch (counts.failed, counts.noted) {
      case (0, 0): "all as recorded."
      case (0, let noted): "none with problems, \(noted) with notes."
      case (let failed, 0): "\(failed) with problems."
      case (let failed, let noted): "\(failed) with problems, \(noted) with notes."
      }
    return checked + found
      + (counts.done == 0
        ? "" : " \(counts.done) \(dryRun.isOn ? "would be " : "")put right.")
  }
}

extension PhotoResult {
  /// What a check found.
  ///
  /// - Parameters:
  ///   - reason: Why the edit stays although the photo is gone, when the user was told; what could be done else is not
  ///     said then.
  ///   - promisingFixes: Whether to say what would be put right.
  init(
    _ check: PhotoCheck, isGoneBecause reason: String? = nil, promisingFixes: Bool = false
  ) {
    let problems = check.problems.map { $0.shown(beside: check.path) }
    let notes = check.notes.map { $0.shown(beside: check.path) }
    let fixed = check.fixed.map { $0.shown(beside: check.path) }
    var parts =
      (problems + notes).map { finding in
        promisingFixes && finding.canBeFixed
          ? "\(finding.words), would be put right" : finding.words
      } + fixed.map { "\($0.words), put right" }
    if parts.isEmpty { parts = [check.isEdited ? "as recorded" : "not edited"] }
    func json(_ findings: [PhotoProblem], advising: Bool = true) -> [JSONValue]? {
      findings.isEmpty
        ? nil
        : findings.map { finding in
          .object(finding.members(of: finding.file, advising: advising, hint: hint(for: finding)))
        }
    }
    func hint(for finding: PhotoProblem) -> String? {
      finding.kind == .originalMissing ? reason ?? finding.hint?.text : finding.hint?.text
    }
    self.init(
      status: check.isSound ? "verified" : "failed", text: parts.joined(separator: ", "),
      rows: (problems + notes).map { finding in
        reason != nil && finding.kind == .originalMissing ? finding.description : finding.message
      },
      details: JSONValue.members([
        "problems": json(problems), "notes": json(notes), "fixed": json(fixed, advising: false),
        "fixable": promisingFixes
          ? json((problems + notes).filter(\.canBeFixed), advising: false) : nil,
        "dryRun": promisingFixes ? true : nil,
      ]))
  }
}

extension PhotoCheck {
  /// What a check that fixes problems would put right.
  fileprivate var fixable: [PhotoProblem] { (problems + notes).filter(\.canBeFixed) }
}

extension Explained {
  /// What JSON says of a problem with a file.
  ///
  /// - Parameters:
  ///   - advising: Whether it says what can be done.
  ///   - advice: What can be done; by default what the problem says itself.
  func members(
    of file: FilePath, advising: Bool, hint advice: String? = nil
  ) -> [JSONValue.Member] {
    JSONValue.members([
      "kind": code, "file": file, "message": description,
      "hint": advising ? advice ?? hint?.text : nil,
    ])
  }
}

extension PhotoProblem {
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
}
