import SafelightCatalog
import SafelightFiles

/// The result of a scan.
public struct IndexingResult: Sendable, Hashable {
  /// The number of photos that came into the library, or came back.
  public internal(set) var added = 0
  /// The number of photos that changed, or whose edits changed.
  public internal(set) var updated = 0
  /// The number of photos that were found at another place.
  public internal(set) var moved = 0
  /// The number of photos whose files are gone.
  public internal(set) var removed = 0
  /// How many of them left because rules leave them out. Their files are where they were.
  public internal(set) var leftOut = 0
  /// How many new pictures were passed over because Safelight made them from photos, such as exports. Those that are
  /// named are added.
  public internal(set) var exports = 0
  /// Files that begin like a photo or have a photo's name, and cannot be read.
  public internal(set) var unreadable: [FilePath] = []
  /// Folders that could not be listed. Their photos stay in the library, because their disk may only be
  /// disconnected.
  public internal(set) var unavailable: [FilePath] = []

  /// Whether nothing changed.
  public var isUnchanged: Bool { added + updated + moved + removed == 0 }
}

/// Called with the result of a scan so far, on any thread.
public typealias IndexingProgress = @Sendable (IndexingResult) -> Void

extension PhotoLibrary {
  /// The folders that were added, as absolute paths in their order.
  ///
  /// - Throws: ``PhotoLibraryError`` when the catalog cannot be read.
  public var folders: [FilePath] {
    get async throws(PhotoLibraryError) {
      try await catalog.folders().filter(\.isRoot).map(\.path).sorted(by: <)
    }
  }

  /// Adds the photos of folders, and of all folders in them, or single photos. The files stay where they are.
  ///
  /// A photo is recognized by its bytes, not by its name. Hidden files and folders, symbolic links, sidecars,
  /// renders, base photos, pictures that say that Safelight made them, and what the rules leave out are ignored.
  /// A picture that Safelight made is added when it is named, and stays then. The library remembers the folders, and ``scan(progress:)`` and
  /// ``startWatching()`` scan them for changes. From the folder of a single photo nothing else is added.
  ///
  /// Photos are added in batches of some hundreds, each in a change set of its own. After an interruption,
  /// call this again to add the rest.
  /// - Parameters:
  ///   - paths: The folders and photos; symbolic links are followed.
  ///   - rules: What is left out of the folders from now on, besides what was left out before.
  ///   - progress: Called with the result so far after each batch.
  /// - Returns: The result of the scan.
  /// - Throws: ``PhotoLibraryError``; ``PhotoLibraryError/invalidResource(_:detail:)`` before anything is
  ///   done, when a path is neither a folder nor a file, when rules are given for a folder in a folder that was added
  ///   already, and when the rules of such a folder leave a photo out.
  @discardableResult
  public func add(
    _ paths: [FilePath], excluding rules: FolderRules = .standard, progress: IndexingProgress? = nil
  ) async throws(PhotoLibraryError) -> IndexingResult {
    try access.checkWhole()
    var folders: [FilePath] = []
    var singles: [FilePath: Set<FilePath>] = [:]
    for path in paths {
      let resolved = path.resolved
      switch resolved?.status?.kind {
      case .folder: folders += [resolved].compactMap(\.self)
      case .file:
        guard let resolved, let name = resolved.lastComponent else { continue }
        singles[resolved.removingLastComponent(), default: []].insert(name)
      case .symbolicLink, .other, nil:
        throw .invalidResource(path, detail: "It is no folder and no file that can be read.")
      }
    }
    let known = try await catalog.folders().filter(\.isRoot)
    /// The folder that was added and whose rules leave a path out.
    func root(leavingOut path: FilePath, isFolder: Bool) -> FilePath? {
      let above = known.filter { path.isInside($0.path) }
        .max { $0.path.bytes.count < $1.path.bytes.count }
      guard let above else { return nil }
      let walked = try? WalkedFolder(above.path, above.excluded, fileSystem)
      return walked?.leavesOut(at: path, isFolder: isFolder) == true ? above.path : nil
    }
    for (folder, names) in singles {
      for photo in names.map(folder.appending) {
        if let root = root(leavingOut: photo, isFolder: false) {
          throw .invalidResource(photo, detail: "The rules of \(root) leave it out.")
        }
      }
    }
    // A scan of an added folder finds everything inside it but what the rules leave out.
    let roots = known.map(\.path)
    let own = folders.filter { folder in
      !folder.isAmong(roots) || roots.contains(folder)
        || root(leavingOut: folder, isFolder: true) != nil
    }
    if rules != .standard, let inner = folders.first(where: { !own.contains($0) }) {
      throw .invalidResource(
        inner, detail: "It lies in a folder that was added: say for that one what is left out.")
    }
    try await catalog.addRoots(own)
    try await catalog.exclude(rules, from: own, isAddition: true)
    let flat = Set(singles.keys.filter { !$0.isAmong(folders) })
    return try await scan(through: folders, flat: flat, singles: singles, progress: progress)
  }

  /// Remembers folders, absolute and without links, whose photos the next ``scan(progress:)`` adds.
  ///
  /// - Parameter rules: What is left out of them from now on; what was left out before is not, unless it is among it.
  /// - Throws: ``PhotoLibraryError``.
  package func addFolders(
    _ folders: [FilePath], excluding rules: FolderRules
  ) async throws(PhotoLibraryError) {
    try access.checkWhole()
    let roots = try await catalog.folders().filter(\.isRoot).map(\.path)
    try await catalog.addRoots(folders.filter { !$0.isAmong(roots) })
    try await catalog.exclude(rules, from: folders, isAddition: false)
  }

  /// Leaves more out of all folders that were added, from the next scan on.
  ///
  /// Photos that were in the library leave it as photos do whose files are gone: their albums and marks come back when
  /// a rule goes. A pattern that begins with `!` takes back what an earlier one left out.
  /// - Throws: ``PhotoLibraryError``.
  public func exclude(_ rules: FolderRules) async throws(PhotoLibraryError) {
    try access.checkWhole()
    try await catalog.exclude(rules, from: try await folders, isAddition: true)
  }

  /// The patterns that leave files out of folders that were added, by folder; without the usual ones and those of files
  /// in the folders.
  ///
  /// - Throws: ``PhotoLibraryError``.
  public var exclusions: [FilePath: [String]] {
    get async throws(PhotoLibraryError) {
      var exclusions: [FilePath: [String]] = [:]
      for folder in try await catalog.folders() where folder.isRoot {
        let texts = folder.excluded.texts
        if !texts.isEmpty { exclusions[folder.path] = texts }
      }
      return exclusions
    }
  }

  /// Scans all folders of the library for photos that are new, changed, moved or gone.
  ///
  /// A photo that is found at another place keeps its identifier, its favorite and its albums. The scan
  /// recognizes the same file by inode, size and time, or a file with the same picture when the old file is
  /// gone, whatever metadata other programs wrote into it. Photos also stay when their folder cannot be read, or is an added folder that is suddenly empty.
  /// Other photos that are gone leave the library. The catalog and the export keep what the user added about
  /// them, and a scan that finds them again restores it.
  /// - Parameter progress: Called with the result so far after each batch of some hundred photos.
  /// - Returns: The result of the scan.
  /// - Throws: ``PhotoLibraryError``; ``PhotoLibraryError/userCancelled`` when the task is cancelled. The library then has
  ///   the photos found so far, and still has the missing ones.
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
    // Throws when the catalog is gone, even if the scan would find no change.
    _ = try snapshots.now()
    return try await indexer.scan(
      through: folders, flat: flat, singles: singles, progress: progress
    ) { [weak self] token in
      self?.didChange(token)
    }
  }

  /// Inspects photos of the library that this or another program has just edited, without a scan of their
  /// folders.
  ///
  /// All changes are one change set. The next ``scan(progress:)`` finds new photos and missing files.
  /// - Parameters:
  ///   - paths: The originals, as ``Asset/path`` gives them.
  ///   - thoroughly: Whether to read files that have not changed, too.
  /// - Returns: The number of photos that changed, and the unreadable files.
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

  /// Removes the photos of folders, or single photos, from the library. No file is touched.
  ///
  /// The catalog and the export keep what the user added about the photos, and adding them again restores it.
  /// - Parameter paths: Folders and photos that were added by name; they may be gone from the disk.
  /// - Returns: The number of removed photos.
  /// - Throws: ``PhotoLibraryError``; ``PhotoLibraryError/invalidResource(_:detail:)`` before anything is
  ///   done, for a path that was not added by name, or that is inside a folder that stays.
  @discardableResult
  public func remove(_ paths: [FilePath]) async throws(PhotoLibraryError) -> IndexingResult {
    try access.checkWhole()
    let roots = try await catalog.folders().filter(\.isRoot).map(\.path)
    let wanted = paths.map(\.resolvedAsFarAsPossible)
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
