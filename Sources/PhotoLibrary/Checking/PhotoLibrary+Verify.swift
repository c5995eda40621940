import PhotoEditing

extension PhotoLibrary {
  /// Checks that the catalog is sound, that the export says the same, that photos are where the
  /// catalog says, and that it knows their edits as their sidecars have them.
  ///
  /// Contents of originals and renders are compared by `PhotoEditor.verify`, not here.
  /// - Parameter fixing: Whether to look again at what changed, take out what is gone, and write the
  ///   export anew.
  /// - Throws: ``PhotoLibraryError`` when nothing can be checked.
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
    try await checkFiles(&check)
    return check
  }

  private func fix(_ problems: [LibraryProblem]) async throws(PhotoLibraryError) {
    var isScanDue = false
    var changed: [FilePath] = []
    for problem in problems {
      switch problem.kind {
      case .photoMissing: isScanDue = true
      case .photoChanged, .editOutdated: changed.append(problem.file)
      case .exportUnreadable, .exportOutdated: try writeExportAnew()
      case .catalogDamaged, .countsWrong, .folderMissing: break
      }
    }
    if isScanDue { try await scan() }
    if !changed.isEmpty { try await refresh(changed, thoroughly: true) }
  }

  private func catalogProblems() throws(PhotoLibraryError) -> [LibraryProblem] {
    let file = catalog.path
    let (details, isCounted) = try snapshots.now().read {
      (database) throws(DatabaseError) -> ([String], Bool) in
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
  /// Whether the numbers of photos that triggers keep are those of the photos.
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
