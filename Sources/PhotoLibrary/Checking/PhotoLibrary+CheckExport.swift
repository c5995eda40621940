import Glibc
import PhotoEditing

extension PhotoLibrary {
  /// Compares the export with the catalog.
  func exportProblems() throws(PhotoLibraryError) -> [LibraryProblem] {
    guard let export = catalog.export else { return [] }
    // Another process may be between its change and the line about it.
    var problem = try exportProblem(export)
    if problem?.kind == .exportOutdated { problem = try exportProblem(export) }
    return problem.map { [$0] } ?? []
  }

  /// Writes the export from the catalog, whatever was there.
  func writeExportAnew() throws(PhotoLibraryError) {
    guard let export = catalog.export else { return }
    // What stands in a journal that cannot be read is in the catalog too.
    if (try? ExportReader.lines(of: export.journal)) == nil {
      _ = FileTrace.withCString(export.journal) { unlink($0) }
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
      exported = try ExportReader.entries(export.whole, export.journal)
    } catch {
      return error.problem(of: export)
    }
    let isSame = try snapshots.now().read { (database) throws(DatabaseError) -> Bool in
      var known: Set<ExportKey> = []
      for entry in exported {
        // What a newer program wrote is its own matter.
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
  /// What a check says of it. Where in the JSON the mistake is helps nobody: it is written anew.
  fileprivate func problem(of export: ExportJournal) -> LibraryProblem {
    switch self {
    case .file(let path, let number):
      LibraryProblem(.exportUnreadable(detail: String(cString: strerror(number))), path)
    case .unreadable(let path, _):
      LibraryProblem(
        .exportUnreadable(detail: "it is damaged, or a newer Safelight wrote it"), path)
    case .database(let error):
      LibraryProblem(.exportUnreadable(detail: error.message), export.whole)
    }
  }
}
