import PhotoEditing

extension PhotoLibrary {
  /// Takes in the photos of folders, and of all folders in them, or single photos, where they are.
  ///
  /// What a file is, its bytes tell and not its name. Hidden files and folders, symbolic links,
  /// sidecars, renders, bases and the renders of versions are passed over. The folders are
  /// remembered: ``scan(progress:)`` and ``startWatching()`` look through them for what has changed. Of
  /// a single photo's folder nothing else is taken in.
  ///
  /// Photos are taken in some hundreds at a time, each lot in a change set of its own; called again
  /// after an interruption, it goes on where it was.
  /// - Parameters:
  ///   - paths: The folders and photos; symbolic links are followed.
  ///   - progress: Told what was found so far, after each lot.
  /// - Returns: What was found.
  /// - Throws: ``PhotoLibraryError``; ``PhotoLibraryError/invalidResource(_:detail:)`` when one is
  ///   neither a folder nor a file, before anything is done.
  @discardableResult
  public func add(
    _ paths: [FilePath], progress: IndexingProgress? = nil
  ) async throws(PhotoLibraryError) -> IndexingResult {
    try access.checkWhole()
    var folders: [FilePath] = []
    var singles: [FilePath: Set<FilePath>] = [:]
    for path in paths {
      let resolved = path.resolved
      switch resolved.flatMap(FileTrace.init)?.kind {
      case .folder: folders += [resolved].compactMap(\.self)
      case .file:
        guard let resolved, let name = resolved.lastComponent else { continue }
        singles[resolved.removingLastComponent(), default: []].insert(name)
      case .other, nil:
        throw .invalidResource(path, detail: "It is no folder and no file that can be read.")
      }
    }
    let roots = try await catalog.folders().filter(\.isRoot).map(\.path)
    // What lies in a folder that was added is found with that one.
    try await catalog.addRoots(
      folders.filter { folder in !roots.contains { folder == $0 || folder.isInside($0) } })
    singles = singles.filter { single in
      !folders.contains { single.key == $0 || single.key.isInside($0) }
    }
    return try await look(
      through: folders, flat: Set(singles.keys), singles: singles, progress: progress)
  }

  /// Looks through all folders that were added for photos that are new, changed, moved or gone.
  ///
  /// A photo that is found at another place stays what it is, with its favorite and its albums: the
  /// same file by inode, size and time, or a file of the same content where the old one is gone. The
  /// photos of a folder that cannot be read, and of one that was added and is empty all of a sudden,
  /// stay too. Other photos that are gone leave the library; what somebody said of them is kept
  /// aside, also in the export, and comes back with them.
  /// - Parameter progress: Told what was found so far, after each lot of some hundred photos.
  /// - Returns: What was found.
  /// - Throws: ``PhotoLibraryError``.
  @discardableResult
  public func scan(
    progress: IndexingProgress? = nil
  ) async throws(PhotoLibraryError) -> IndexingResult {
    try access.checkWhole()
    return try await look(through: nil, progress: progress)
  }

  func look(
    through folders: [FilePath]?, flat: Set<FilePath> = [],
    singles: [FilePath: Set<FilePath>] = [:], progress: IndexingProgress? = nil
  ) async throws(PhotoLibraryError) -> IndexingResult {
    try await indexer.look(
      through: folders, flat: flat, singles: singles, progress: progress
    ) { [weak self] token in
      self?.didChange(token)
    }
  }
}
