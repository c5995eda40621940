import FoundationEssentials
import PhotoEditing

extension PhotoLibrary {
  /// Carries a change set out.
  ///
  /// New files are copied first, under hidden names, and edits got ready. Then one transaction of the
  /// catalog has everything that the requests say, and which files are still to be moved; edits
  /// are made just before it ends. Then files are moved, which the next opening of the library does
  /// if this process should die.
  func carryOut(_ steps: [ChangeStep]) async throws(PhotoLibraryError) {
    try check(steps)
    let creations = try NewAsset.all(in: steps)
    let token: Int64?
    if creations.isEmpty && !steps.contains(where: \.emptiesTrash) {
      token = try await editAndWrite(steps, nil)
    } else {
      token = try await turns.movingFiles { () throws(PhotoLibraryError) in
        try await moveAndWrite(steps, creations)
      }
    }
    if let token { didChange(token) }
  }

  private func moveAndWrite(
    _ steps: [ChangeStep], _ creations: [NewAsset]
  ) async throws(PhotoLibraryError) -> Int64? {
    let stage = try await Stage(creations, in: originals, snapshots)
    defer { stage.remove() }
    let token = try await editAndWrite(steps, stage)
    stage.decide()
    // It is decided: what cannot be moved now is moved later.
    _ = try? await turns.inTurn { (database) throws(PhotoLibraryError) in
      try FileMoves(database, path).carryOut()
    }
    stage.takeAwayMovedSources()
    return token
  }

  private func editAndWrite(
    _ steps: [ChangeStep], _ stage: Stage?
  ) async throws(PhotoLibraryError) -> Int64? {
    var edits = try ContentEdits(steps, stage, snapshots)
    do throws(PhotoLibraryError) {
      try await edits.prepare()
      let ready = edits
      return try await turns.inTurn { (database) throws(PhotoLibraryError) in
        try await write(steps, stage, ready, database)
      }
    } catch {
      await edits.drop()
      throw error
    }
  }

  private func write(
    _ steps: [ChangeStep], _ stage: Stage?, _ edits: ContentEdits, _ database: Database
  ) async throws(PhotoLibraryError) -> Int64? {
    let date = Date()
    func run(_ script: String) throws(PhotoLibraryError) {
      do { try database.run(script: script) } catch { throw PhotoLibraryError(error, path) }
    }
    try run("BEGIN IMMEDIATE")
    do throws(PhotoLibraryError) {
      let access = try checkedAccess(steps, database)
      let writer = ChangeWriter(database, path, date, stage, originals)
      for step in steps { try writer.carryOut(step) }
      try select(access, createdBy: steps, database)
      for made in try await edits.make() { try writer.note(made) }
      let token = try Catalog.append(
        writer.changed, to: database, at: date, by: catalog.origin, path)
      try run("COMMIT")
      catalog.export?.update(from: database, catalog.path)
      return token
    } catch {
      // A full disk may have rolled it back already; then this fails and nothing is lost by it.
      try? database.run(script: "ROLLBACK")
      throw error
    }
  }
}

extension ChangeStep {
  fileprivate var emptiesTrash: Bool {
    if case .emptyTrash = self { true } else { false }
  }
}
