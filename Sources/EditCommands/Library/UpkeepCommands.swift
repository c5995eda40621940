import PhotoEditing
import PhotoLibraryKit
import SafelightArguments

/// `edit library rebuild`: makes a library's catalog anew.
struct RebuildCommand: CatalogCommand {
  static let isForOwner = true
  static let configuration = CommandConfiguration(
    commandName: "rebuild",
    abstract: "Make the catalog again from its export and the folders.",
    discussion: """
      For a catalog that is damaged or gone. Albums, favorites, hidden photos, the trash and \
      consent are read from the JSON beside it, everything else from the photos. The old catalog \
      is kept as “catalogue.before-rebuild.sqlite”. No other program may use the library meanwhile. \
      When the export is gone too, name the folders with photos. From a damaged export --salvage \
      takes what is left; the damaged files stay as “catalogue.before-rebuild.json” and \
      “catalogue.before-rebuild.journal.ndjson”.

      Example:
        edit library rebuild
        edit library rebuild Photos
      """)

  @Argument(help: "Further folders to take in.", completion: .directory)
  var folders: [String] = []

  @Flag(help: "Go on with what is left of a damaged export.")
  var salvage = false

  @OptionGroup var options: LibraryOptions

  func run(on console: Console) async throws -> ExitCode {
    try await reporting(on: console) {
      let folder = options.location.folder
      if PhotoLibrary.presence(at: folder) == .nothing {
        throw EditCommandError.noLibrary(folder, isNamed: options.location.library != nil)
      }
      try bringExportUpToDate(folder)
      let unread = PhotoLibrary.unreadFiles(ofExportIn: folder)
      let library = try await PhotoLibrary.rebuild(
        at: folder, trustingOwner: options.location.trustOwner, salvaging: salvage)
      for file in unread {
        note(
          "\(file) was damaged: some albums and marks may be missing. "
            + "The old file is kept as “catalogue.before-rebuild…”.", on: console)
      }
      return try await run(in: library, on: console)
    }
  }

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    if !folders.isEmpty { try await library.add(folders.map { FilePath(argument: $0) }) }
    let photos = try library.fetchAssets().counted()
    if try await library.folders.isEmpty {
      note("The library has no folders. Add some with “edit library add”.", on: console)
    }
    let json = JSONValue.object([
      "library": options.location.folder, "status": "rebuilt", "photos": photos,
    ])
    print(
      json, ["\(options.location.folder): rebuilt, it has \(counted(photos, "photo"))"], on: console
    )
    return .success
  }

  /// Opening a catalog that can be read writes what its export lacks.
  private func bringExportUpToDate(_ folder: FilePath) throws {
    guard PhotoLibrary.presence(at: folder) == .catalog else { return }
    do {
      let library = try PhotoLibrary(at: folder, trustingOwner: options.location.trustOwner)
      try library.mendExport()
      if let problem = library.exportProblem {
        throw EditCommandError.exportUnreadable("\(problem)")
      }
    } catch PhotoLibraryError.damagedCatalog {
      // That is what a rebuild is for.
    }
  }
}

/// `edit library verify`: checks a library.
struct VerifyLibraryCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check that the catalog is sound and agrees with its export and the photos.",
    discussion: """
      Has SQLite check the catalog, compares it with the JSON beside it, and checks whether every \
      photo is in its place, is the file that was scanned, and has the edit that the library \
      knows. “edit verify” checks what is in the photos. Nothing is written without --fix, \
      which reads changed photos again, takes out what is gone, and writes the JSON again. With \
      --fix --gone, the edits of photos that are in none of the library's folders any more go into \
      “.safelight-trash” beside them, as “edit verify --fix --gone” does it; it asks before.

      A change that moves files is finished after a crash only when a secret in your data folder \
      proves that you decided it on this computer, because whoever packs a library writes its \
      catalog. --finish-changes names the photos of the others, asks, and finishes them. Such a catalog may \
      name any photo of the folders in it: --dry-run lists them all.

      Example:
        edit library verify
        edit library verify --fix
        edit library verify --fix --gone --dry-run
        edit library verify --finish-changes --dry-run

      The exit code is 1 when something is wrong.
      """)

  @Flag(help: "Read what changed again, and write the JSON again.")
  var fix = false

  @Flag(help: "Finish changes of files that another computer or user decided.")
  var finishChanges = false

  @Flag(help: "With --fix: put the edits of photos that are gone into “.safelight-trash”.")
  var gone = false

  @Flag(name: .shortAndLong, help: "With --gone and --finish-changes: do not ask.")
  var yes = false

  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var options: LibraryOptions

  var isReading: Bool { dryRun.isOn || !fix && !finishChanges }

  func validate() throws(ValidationError) {
    if gone, !fix { throw ValidationError("--gone says what to put right: give --fix too.") }
    if yes, !gone, !finishChanges {
      throw ValidationError("--yes goes with --fix --gone and with --finish-changes.")
    }
    if gone || finishChanges, options.acting.client != nil {
      let option = gone ? "--gone" : "--finish-changes"
      throw ValidationError("\(option) is for the owner of the library: leave --client out.")
    }
  }

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    if finishChanges { try await finishUnprovenChanges(of: library, on: console) }
    if gone {
      let printer = ResultPrinter(console: console, json: options.json, quiet: options.quiet)
      let exclusions = try await library.exclusions
      let removal = GoneRemoval(
        paths: try await library.folders, recursive: true, folders: [],
        rules: { FolderRules(excluding: exclusions[$0] ?? []) }, yes: yes, dryRun: dryRun,
        quiet: options.quiet)
      let tally = ResultTally(printer)
      do throws(ExitCode) {
        _ = try await removal.run(with: PhotoEditor(), tally, on: console)
      } catch {
        return error
      }
      if tally.counts.failed > 0 { return .failure }
    }
    let check = try await library.verify(fixing: fix && !dryRun.isOn)
    for problem in check.problems + check.fixed {
      let isFixed = check.fixed.contains(problem)
      let status = JSONValue.members(["status": isFixed ? "fixed" : "failed"])
      print(
        .object(status + problem.members(of: problem.file, advising: !isFixed)),
        ["\(problem.file): \(problem.words)" + (isFixed ? ", put right" : "")]
          + (isFixed ? [] : ["  " + problem.message]), on: console)
    }
    let found =
      check.problems.isEmpty
      ? "the library is sound." : counted(check.problems.count, "problem") + "."
    let fixed = check.fixed.isEmpty ? "" : " \(check.fixed.count) put right."
    note("\(counted(check.photos, "photo")) checked, \(found)\(fixed)", on: console)
    return check.problems.isEmpty ? .success : .failure
  }

  /// Asks, and finishes what the catalog asks for without a proof.
  private func finishUnprovenChanges(of library: PhotoLibrary, on console: Console) async throws {
    let files = library.recovery.unproven
    if dryRun.isOn {
      for file in library.recovery.waiting + files {
        note("The change of \(file) would be finished.", on: console)
      }
      return
    }
    guard !files.isEmpty else { return }
    if !yes {
      let question = """
        Move or change the files of \(counted(files.count, "photo")): \(files.firstNames)? The catalog asks for \
        it, and whoever wrote the catalog may have named any photo in the folders of the library.
        """
      let instead = "Say yes with --yes; --dry-run lists the photos."
      guard try await QuestionTerminal.confirm(question, instead: instead) else { return }
    }
    let finished = try await library.finishUnprovenChanges()
    for file in finished { note("Finished the change of \(file).", on: console) }
    for file in files where !finished.contains(file) {
      note(
        "The change of \(file) cannot be finished: it leads out of the library's folders, or files are missing. "
          + "Nothing was moved.", on: console)
    }
  }
}
