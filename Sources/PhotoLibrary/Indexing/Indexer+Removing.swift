import PhotoEditing

extension Indexer {
  /// Lets the photos of folders that were added, and single photos, leave the catalog.
  func forget(
    roots: [FilePath], photos: [FilePath], changed: @escaping @Sendable (Int64) -> Void
  ) async throws(PhotoLibraryError) -> IndexingResult {
    await takeTurn()
    defer { endTurn() }
    var look = Look(changed: changed, progress: nil)
    let folders = try await catalog.folders()
    look.roots = folders.filter { $0.isRoot && !roots.contains($0.path) }.map(\.path)
    // What lies in another folder that was added stays.
    let gone = folders.filter { folder in
      roots.contains { folder.path == $0 || folder.path.isInside($0) } && !look.isWhole(folder.path)
    }
    for folder in folders {
      let isGone = gone.contains(folder)
      for file in try await catalog.files(in: folder.row) {
        let path = folder.path.appending(file.name)
        if isGone || photos.contains(path) { look.missing.append((file.row, path)) }
      }
    }
    // While they are roots, a scan after an interruption puts everything back.
    try await removeMissing(&look)
    try await catalog.forgetRoots(roots)
    let emptied = Set(photos.map { $0.removingLastComponent() })
    try await catalog.note(
      listed: [:], gone: gone.map(\.path) + emptied.filter { !look.isWhole($0) })
    return look.result
  }

  func removeMissing(_ look: inout Look) async throws(PhotoLibraryError) {
    var missing = look.missing[...]
    while !missing.isEmpty {
      look.count(try await catalog.remove(Array(missing.prefix(Self.batchSize))))
      missing = missing.dropFirst(Self.batchSize)
    }
  }
}
