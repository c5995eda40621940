import PhotoEditing
import SafelightCatalog
import SafelightFiles
import SafelightStorage

/// What looking through the folders of a library found.
public struct IndexingResult: Sendable, Hashable {
  /// How many photos came into the library, those that came back included.
  public internal(set) var added = 0
  /// How many photos had changed, or their edits.
  public internal(set) var updated = 0
  /// How many photos were found at another place and stayed what they are.
  public internal(set) var moved = 0
  /// How many photos had gone from the disk.
  public internal(set) var removed = 0
  /// Files that begin like a photo, or are called like one, and cannot be read.
  public internal(set) var unreadable: [FilePath] = []
  /// Folders that could not be listed. Their photos stay in the library: a disk that is not there is
  /// no reason to forget them.
  public internal(set) var unavailable: [FilePath] = []

  /// Whether nothing had changed.
  public var isUnchanged: Bool { added + updated + moved + removed == 0 }
}

/// Is told what looking through folders has found so far, from whatever thread.
public typealias IndexingProgress = @Sendable (IndexingResult) -> Void

extension PhotoLibrary {
  /// The folders that were added, absolute, by their paths.
  ///
  /// - Throws: ``PhotoLibraryError`` when the catalog cannot be read.
  public var folders: [FilePath] {
    get async throws(PhotoLibraryError) {
      try await catalog.folders().filter(\.isRoot).map(\.path).sorted(by: <)
    }
  }

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
    return try await scan(
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
    return try await scan(through: nil, progress: progress)
  }

  func scan(
    through folders: [FilePath]?, flat: Set<FilePath> = [],
    singles: [FilePath: Set<FilePath>] = [:], progress: IndexingProgress? = nil
  ) async throws(PhotoLibraryError) -> IndexingResult {
    // A catalog that is gone must be told even when nothing of it is to be changed.
    _ = try snapshots.now()
    return try await indexer.scan(
      through: folders, flat: flat, singles: singles, progress: progress
    ) { [weak self] token in
      self?.didChange(token)
    }
  }

  /// Looks again at photos of the library that this or another program has just edited, so that the
  /// library need not be looked through for it.
  ///
  /// All that changed is one change set. Photos that the library does not have, and files that are
  /// gone, are left to the next ``scan(progress:)``.
  /// - Parameters:
  ///   - paths: The originals, as ``Asset/path`` gives them.
  ///   - thoroughly: Whether to read files that look as they were, too.
  /// - Returns: What was found.
  /// - Throws: ``PhotoLibraryError``.
  @discardableResult
  public func refresh(
    _ paths: [FilePath], thoroughly: Bool = false
  ) async throws(PhotoLibraryError) -> IndexingResult {
    try access.check(.readWrite)
    return try await indexer.inspect(at: paths, thoroughly: thoroughly) { [weak self] token in
      self?.didChange(token)
    }
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
