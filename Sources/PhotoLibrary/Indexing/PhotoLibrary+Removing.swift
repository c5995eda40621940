import PhotoEditing

extension PhotoLibrary {
  /// Lets the photos of folders, or single photos, leave the library again; no file is touched.
  ///
  /// What somebody said of the photos is kept aside, also in the export, and comes back when they are
  /// added again.
  /// - Parameter paths: Folders and photos that were added by name; they need not be there any more.
  /// - Returns: How many photos were removed.
  /// - Throws: ``PhotoLibraryError``; ``PhotoLibraryError/invalidResource(_:detail:)`` for what was not
  ///   added by name, and for what lies in a folder that stays, before anything is done.
  @discardableResult
  public func remove(_ paths: [FilePath]) async throws(PhotoLibraryError) -> IndexingResult {
    try access.checkWhole()
    let roots = try await catalog.folders().filter(\.isRoot).map(\.path)
    let wanted = paths.map { $0.resolved ?? $0 }
    var (folders, photos): ([FilePath], [FilePath]) = ([], [])
    for (path, given) in zip(wanted, paths) {
      let above = roots.first { path.isInside($0) && !wanted.contains($0) }
      if let above {
        throw .invalidResource(given, detail: "It lies in \(above), which stays.")
      } else if path == originals {
        throw .invalidResource(given, detail: "It holds the library's own photos.")
      } else if roots.contains(path) {
        folders.append(path)
      } else if try await catalog.row(of: path) != nil {
        photos.append(path)
      } else {
        throw .invalidResource(given, detail: "It was not added.")
      }
    }
    return try await indexer.forget(roots: folders, photos: photos) { [weak self] token in
      self?.didChange(token)
    }
  }
}
