import Glibc
import PhotoEditing
import SafelightCatalog
import SafelightFiles

extension PhotoLibrary {
  /// Checks that the catalog is sound, that the export agrees with it, that the photos are at their
  /// paths, and that the catalog's edits are those of the sidecars.
  ///
  /// `PhotoEditor.verify` compares the contents of originals and renders; this does not.
  /// - Parameter fixing: Whether to read changed files again, remove missing photos, and write the export
  ///   again.
  /// - Throws: ``PhotoLibraryError`` when the library cannot be checked.
  public func verify(fixing: Bool = false) async throws(PhotoLibraryError) -> LibraryCheck {
    try access.checkWhole()
    let found = try await checked()
    guard fixing, !found.problems.isEmpty else { return found }
    try await fix(found.problems)
    var after = try await checked()
    let left = Set(after.problems)
    after.fixed = found.problems.filter { !left.contains($0) }
    return after
  }

  private func checked() async throws(PhotoLibraryError) -> LibraryCheck {
    var check = LibraryCheck()
    check.problems = try catalogProblems()
    if check.problems.isEmpty { check.problems += try exportProblems() }
    if !check.problems.contains(where: { $0.code == LibraryProblem.Code.catalogDamaged.rawValue }) {
      try noteFileMoves()
      check.problems +=
        recovery.waiting.map { LibraryProblem(.changeUnfinished, $0) }
        + recovery.unproven.map { LibraryProblem(.changeUnproven, $0) }
    }
    try await checkFiles(&check)
    return check
  }

  private func fix(_ problems: [LibraryProblem]) async throws(PhotoLibraryError) {
    var isScanDue = false
    var areMovesDue = false
    var changed: [FilePath] = []
    for problem in problems {
      switch problem.kind {
      case .photoMissing: isScanDue = true
      case .photoChanged, .editOutdated: changed.append(problem.file)
      case .exportUnreadable, .exportOutdated: try writeExportAnew()
      case .changeUnfinished: areMovesDue = true
      case .catalogDamaged, .countsWrong, .folderMissing, .changeUnproven: break
      }
    }
    if areMovesDue { try await finishDecidedMoves() }
    if isScanDue { try await scan() }
    if !changed.isEmpty { try await refresh(changed, thoroughly: true) }
  }

  private func catalogProblems() throws(PhotoLibraryError) -> [LibraryProblem] {
    let file = catalog.path
    let (details, isCounted) = try snapshots.now().read {
      (database) -> ([String], Bool) in
      let whole = try database.rows("PRAGMA integrity_check(10)") { $0[0] as String }
      let strays = try database.rows("PRAGMA foreign_key_check") { $0[0] as String }
      return (
        whole.filter { $0 != "ok" }
          + Set(strays).sorted().map { "rows of \($0) belong to nothing" },
        try database.hasRightCounts()
      )
    }
    return details.map { LibraryProblem(.catalogDamaged(detail: $0), file) }
      + (isCounted ? [] : [LibraryProblem(.countsWrong, file)])
  }
}

extension Database {
  /// Whether the counters that triggers keep agree with the numbers of photos.
  fileprivate func hasRightCounts() throws(DatabaseError) -> Bool {
    let kept = try rows("SELECT visible, hidden, favorites, edited FROM tally") { row in
      (0..<4).map { row[$0] as Int }
    }
    let counted = try rows(
      """
      SELECT count(*) FILTER (WHERE hidden = 0), count(*) FILTER (WHERE hidden = 1),
        count(*) FILTER (WHERE hidden = 0 AND favorite = 1),
        count(*) FILTER (WHERE hidden = 0 AND adjustmentFormat IS NOT NULL)
      FROM asset WHERE trashedDate IS NULL
      """
    ) { row in (0..<4).map { row[$0] as Int } }
    return kept == counted
  }
}

extension PhotoLibrary {
  /// Compares the export with the catalog.
  func exportProblems() throws(PhotoLibraryError) -> [LibraryProblem] {
    guard let export = catalog.export else { return [] }
    // Another process may have changed the catalog and not yet written the export.
    var problem = try exportProblem(export)
    if problem?.kind == .exportOutdated { problem = try exportProblem(export) }
    return problem.map { [$0] } ?? []
  }

  /// Writes the export again from the catalog when it cannot be read.
  package func mendExport() throws(PhotoLibraryError) {
    guard let export = catalog.export,
      (try? ExportReader().entries(export.whole, export.journal)) == nil
    else { return }
    try writeExportAnew()
  }

  /// Writes the export again from the catalog.
  func writeExportAnew() throws(PhotoLibraryError) {
    guard let export = catalog.export else { return }
    // The catalog has everything that a damaged journal had.
    if (try? ExportReader().lines(of: export.journal)) == nil {
      try? fileSystem.unlink(export.journal)
    }
    do {
      try export.fold(catalog.path)
    } catch {
      throw .catalog(path, detail: "its export cannot be written: \(error.description)")
    }
  }

  private func exportProblem(_ export: ExportJournal) throws(PhotoLibraryError) -> LibraryProblem? {
    let exported: [ExportEntry]
    do {
      exported = try ExportReader().entries(export.whole, export.journal)
    } catch {
      return error.problem(of: export)
    }
    let isSame = try snapshots.now().read { (database) -> Bool in
      var known: Set<ExportKey> = []
      for entry in exported {
        // Entries of a newer program are not compared.
        guard let key = entry.key else { continue }
        known.insert(key)
        if try database.entry(key, sequence: entry.sequence) != entry { return false }
      }
      return try database.entries(sequence: 0).allSatisfy { $0.key.map(known.contains) ?? true }
    }
    return isSame ? nil : LibraryProblem(.exportOutdated, export.whole)
  }
}

extension ExportError {
  /// The problem that a check reports.
  fileprivate func problem(of export: ExportJournal) -> LibraryProblem {
    switch self {
    case .file(let path, let number):
      LibraryProblem(.exportUnreadable(detail: String(cString: strerror(number))), path)
    case .unreadable(let path, let detail):
      LibraryProblem(.exportUnreadable(detail: detail), path)
    case .newer(let path):
      LibraryProblem(.exportUnreadable(detail: "a newer Safelight wrote it"), path)
    case .notAFile(let path):
      LibraryProblem(.exportUnreadable(detail: "it is no ordinary file"), path)
    case .database(let error):
      LibraryProblem(.exportUnreadable(detail: error.message), export.whole)
    }
  }
}

extension PhotoLibrary {
  /// Checks the files of all photos that are not in the trash.
  func checkFiles(_ check: inout LibraryCheck) async throws(PhotoLibraryError) {
    let folders = try await catalog.folders().sorted { $0.path < $1.path }
    let missing = folders.filter { $0.isRoot && !$0.path.isFolder }.map(\.path)
    check.problems += missing.map { LibraryProblem(.folderMissing, $0) }
    for folder in folders {
      let photos = try await catalog.files(in: folder.row).filter { !$0.isTrashed }
        .sorted { $0.name < $1.name }
      if missing.contains(where: { folder.path == $0 || folder.path.isInside($0) }) { continue }
      guard !photos.isEmpty else { continue }
      guard let all = try? FileSystem.real.namesIfPresent(in: folder.path) else {
        check.problems.append(LibraryProblem(.folderMissing, folder.path))
        continue
      }
      check.photos += photos.count
      let names = FolderNames(all)
      for photo in photos {
        if let kind = Self.problem(of: photo, in: folder.path, names) {
          check.problems.append(LibraryProblem(kind, folder.path.appending(photo.name)))
        }
      }
    }
  }

  private static func problem(
    of file: KnownFile, in folder: FilePath, _ names: FolderNames
  ) -> LibraryProblem.Kind? {
    guard let status = folder.appending(file.name).status, status.kind == .file else {
      return .photoMissing
    }
    guard file.matches(status) else { return .photoChanged }
    let job = IndexingJob(file.name, in: folder, among: names)
    guard job.times == file.neighbors || job.isPending else { return .editOutdated }
    // Most photos have no edit, and need not be read.
    if job.times == .none, !job.isPending, file.adjustmentFormat == nil { return nil }
    let edit = PhotoReader().edit(job)
    // An earlier version took a photo whose edits were all undone for an edited one. The next scan reads it again.
    if let edit, edit.adjustmentFormat == nil,
      file.headerVersion < IndexedPhoto.headerVersion
    {
      return nil
    }
    return edit?.adjustmentFormat == file.adjustmentFormat ? nil : .editOutdated
  }
}
