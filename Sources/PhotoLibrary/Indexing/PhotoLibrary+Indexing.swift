import PhotoEditing

extension PhotoLibrary {
  /// Takes in the photos of folders, and of all folders in them, or single photos, where they are.
  ///
  /// What a file is, its bytes tell and not its name. Hidden files and folders, symbolic links,
  /// sidecars, renders, bases and the renders of versions are passed over. The folders are
  /// remembered: ``scan()`` and ``startWatching()`` look through them for what has changed. Of a single
  /// photo's folder nothing else is taken in.
  ///
  /// Photos are taken in some hundreds at a time, each lot in a change set of its own; called again
  /// after an interruption, it goes on where it was.
  /// - Parameter paths: The folders and photos; symbolic links are followed.
  /// - Returns: What was found.
  /// - Throws: ``PhotoLibraryError``; ``PhotoLibraryError/invalidResource(_:detail:)`` when one is
  ///   neither a folder nor a file, before anything is done.
  @discardableResult
  public func add(_ paths: [FilePath]) async throws(PhotoLibraryError) -> IndexingResult {
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
    let roots = try await catalogue.folders().filter(\.isRoot).map(\.path)
    // What lies in a folder that was added is found with that one.
    try await catalogue.addRoots(
      folders.filter { folder in !roots.contains { folder == $0 || folder.isInside($0) } })
    singles = singles.filter { single in
      !folders.contains { single.key == $0 || single.key.isInside($0) }
    }
    return try await look(through: folders, flat: Set(singles.keys), singles: singles)
  }

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
    let roots = try await catalogue.folders().filter(\.isRoot).map(\.path)
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
      } else if try await catalogue.row(of: path) != nil {
        photos.append(path)
      } else {
        throw .invalidResource(given, detail: "It was not added.")
      }
    }
    return try await indexer.forget(roots: folders, photos: photos) { [weak self] token in
      self?.didChange(token)
    }
  }

  /// Looks through all folders that were added for photos that are new, changed, moved or gone.
  ///
  /// A photo that is found at another place stays what it is, with its favourite and its albums: the
  /// same file by inode, size and time, or a file of the same content where the old one is gone. The
  /// photos of a folder that cannot be read, and of one that was added and is empty all of a sudden,
  /// stay too. Other photos that are gone leave the library; what somebody said of them is kept
  /// aside, also in the export, and comes back with them.
  /// - Returns: What was found.
  /// - Throws: ``PhotoLibraryError``.
  @discardableResult
  public func scan() async throws(PhotoLibraryError) -> IndexingResult {
    try access.checkWhole()
    return try await look(through: nil)
  }

  func look(
    through folders: [FilePath]?, flat: Set<FilePath> = [],
    singles: [FilePath: Set<FilePath>] = [:]
  ) async throws(PhotoLibraryError) -> IndexingResult {
    try await indexer.look(through: folders, flat: flat, singles: singles) { [weak self] token in
      self?.didChange(token)
    }
  }
}
