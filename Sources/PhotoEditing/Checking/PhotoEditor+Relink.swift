import SafelightRendering
import SafelightStorage

extension PhotoEditor {
  /// Moves edits along with photos that were moved or renamed without their sidecars.
  ///
  /// A record without its original is an orphan; its original is found by its content, by size
  /// first and then by SHA-256. Sidecar, render and base get the photo's folder and names, and the
  /// record says so; the edit and its history stay byte for byte. Records that were renamed together
  /// with their photo get the names put right.
  ///
  /// Of several files with the content, one without an edit counts more than one with, and one in
  /// the record's own folder more than one elsewhere.
  ///
  /// - Parameters:
  ///   - paths: Folders to look through for orphans, or single sidecars or photos that are gone.
  ///     Their folders are searched for the photos.
  ///   - recursively: Whether folders inside are looked through too; hidden ones and links are not.
  ///   - folders: Where else to look for the photos, with all folders inside.
  ///   - dryRun: Whether only to find out what would happen.
  ///   - report: Called for each orphan in the order of their names, on the editor's thread, with
  ///     the place where its photo should be.
  /// - Throws: ``EditError`` when a folder cannot be listed, or the surrounding task was cancelled;
  ///   no edit is half moved then.
  public func relink(
    _ paths: [FilePath], recursively: Bool = false, lookingIn folders: [FilePath] = [],
    dryRun: Bool = false,
    _ report: @escaping @Sendable (FilePath, Result<Relinking, RelinkError>) -> Void
  ) async throws(EditError) {
    try await working(on: paths.first ?? ".") { cancellation in
      var orphans = OrphanSearch(fileSystem: fileSystem)
      var originals = OriginalSearch(fileSystem: fileSystem)
      for path in paths {
        if fileSystem.folder(at: path) != nil {
          try orphans.search(path, recursively: recursively)
          originals.add(path, recursively: recursively)
        } else {
          try orphans.add(named: path.originalOfRecord ?? path)
          originals.add(path.removingLastComponent(), recursively: false)
        }
      }
      for folder in folders { originals.add(folder, recursively: true) }
      let found = try originals.search(for: orphans.found.compactMap(\.sought)) {
        if cancellation.isCancelled { throw CancellationError() }
      }
      for orphan in orphans.found {
        if cancellation.isCancelled { throw CancellationError() }
        let candidates = orphan.sought.flatMap { found[$0.sha256] } ?? []
        let result = Result { () throws(RelinkError) in
          try relink(orphan, candidates, dryRun: dryRun)
        }
        report(orphan.photo, result)
      }
    }
  }

  private func relink(
    _ orphan: Orphan, _ candidates: [FilePath], dryRun: Bool
  ) throws(RelinkError) -> Relinking {
    do {
      let target = try target(of: orphan, among: candidates)
      let former = orphan.isInPlace ? nil : orphan.photo
      let adoption = try adopt(former, target, dryRun: dryRun)
      if adoption.outcome == .hasAnEdit {
        throw RelinkError.targetHasAnEdit(record: orphan.photo.recordPath, target: target)
      }
      return Relinking(orphan.photo, to: target, adoption)
    } catch let error as RelinkError {
      throw error
    } catch {
      throw .failed(EditError(error, path: orphan.photo))
    }
  }

  private func target(of orphan: Orphan, among candidates: [FilePath]) throws -> FilePath {
    let record = orphan.photo.recordPath
    if orphan.isInPlace { return orphan.photo }
    if let problem = orphan.problem { throw problem }
    let free = try candidates.filter { candidate in
      try PhotoFiles(candidate, fileSystem: fileSystem)
        .isFree(forEditOf: orphan.photo, fileSystem)
    }
    guard let first = free.first else {
      throw candidates.first.map { RelinkError.targetHasAnEdit(record: record, target: $0) }
        ?? RelinkError.originalNotFound(record: record)
    }
    if free.count == 1 { return first }
    // A move that was interrupted goes on where it went.
    let begun = try free.filter { try fileSystem.exists($0.recordPath) }
    let near = free.filter { fileSystem.folder(at: $0.removingLastComponent()) == orphan.folder }
    if let only = [begun, near].first(where: { $0.count == 1 })?.first { return only }
    throw RelinkError.ambiguous(record: record, candidates: free)
  }

  private func adopt(
    _ former: FilePath?, _ target: FilePath, dryRun: Bool
  ) throws -> Adoption {
    let files = files(of: Photo(path: target))
    if dryRun {
      return try files.previewAdoption(of: former, timeout: configuration.lockTimeout)
    }
    let transaction = try files.begin(timeout: configuration.lockTimeout)
    defer { transaction.end() }
    guard let former else { return try transaction.renameEdit() }
    return try transaction.adoptEdit(of: former)
  }
}
