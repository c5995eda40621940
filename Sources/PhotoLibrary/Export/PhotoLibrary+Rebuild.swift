import FoundationEssentials
import SafelightCatalog
import SafelightFiles

extension PhotoLibrary {
  /// Why the last change could not be written into the export, for people; `nil` when it was written. The
  /// next change, or the next opening of the library, writes it.
  public var exportProblem: String? { catalog.export?.failure?.description }

  /// Waits until the whole export is written, if a change has begun that. A program that ends right after
  /// each change would otherwise never write the whole export.
  public func finishExport() async { await catalog.export?.finish() }

  /// Makes a new catalog from the folders on the disk and from the export, and opens it. The old catalog may
  /// be missing or damaged.
  ///
  /// Identifiers, albums and their order, lists, favorites, hidden photos, dates and places that the user set,
  /// the trash and the permissions of clients are as before. The export has no dates of addition: they become
  /// the dates on which the files came to their places. The history of changes is empty. What the export has
  /// about photos whose files are missing is kept until they come back.
  ///
  /// Nobody else may have the library open. The old catalog stays as `catalogue.before-rebuild.sqlite`;
  /// nothing is replaced before the new catalog is complete. An export of which a part could not be read stays
  /// as `catalogue.before-rebuild.json` and `catalogue.before-rebuild.journal.ndjson`.
  /// - Parameters:
  ///   - path: The library's folder.
  ///   - client: The owner, or a client that may see and change everything according to the export.
  ///   - prompt: The prompt of the library that is opened.
  ///   - trustingOwner: Whether the library may belong to another user.
  ///   - salvaging: Whether to go on with what is left of a damaged export.
  /// - Throws: ``PhotoLibraryError``; ``PhotoLibraryError/damagedExport(_:detail:)`` when the export is damaged
  ///   and is not salvaged.
  public static func rebuild(
    at path: FilePath, client: Client = .owner, prompt: AuthorizationPrompt? = nil,
    trustingOwner: Bool = false, salvaging: Bool = false
  ) async throws(PhotoLibraryError) -> PhotoLibrary {
    let path = path.absolute
    if !trustingOwner { try LibraryOwner.current.checkOwner(of: path) }
    return try await rebuild(at: path, client, prompt, salvaging: salvaging, through: .real)
  }

  /// The files of an export of which a part cannot be read.
  package static func unreadFiles(ofExportIn path: FilePath) -> [FilePath] {
    let export = ExportJournal(in: path)
    let contents = try? ExportReader().contents(export.whole, export.journal, salvaging: true)
    return (contents?.unread ?? []).compactMap {
      if case .unreadable(let file, _) = $0 { file } else { nil }
    }
  }

  static func rebuild(
    at path: FilePath, _ client: Client = .owner, _ prompt: AuthorizationPrompt? = nil,
    salvaging: Bool = false, through fileSystem: FileSystem
  ) async throws(PhotoLibraryError) -> PhotoLibrary {
    let export = ExportJournal(in: path, through: fileSystem)
    let contents: ExportContents
    do {
      contents = try ExportReader(fileSystem).contents(
        export.whole, export.journal, salvaging: salvaging)
    } catch .unreadable(let file, let detail) {
      throw .damagedExport(file, detail: detail)
    } catch {
      throw .catalog(path, detail: "its export cannot be read: \(error.description)")
    }
    let entries = contents.entries
    try Access(client, entries).checkWhole()
    // The new catalog knows nothing of what the old one decided about staged files, so these become photos.
    if hasInterruptedChanges(in: path) { Stage.keepAll(in: path, fileSystem) }
    let new: FilePath = "catalogue.rebuilding.sqlite"
    try translated(path) {
      try remove(new, in: path, through: fileSystem)
    }
    try await fill(new, in: path, with: entries)
    try translated(path) {
      if !contents.unread.isEmpty { try export.keepCopy(named: keptExport) }
      try remove(kept, in: path, through: fileSystem)
      // This name decides the rebuild: the next opening of the library finishes it.
      try fileSystem.rename(path.appending(new), to: path.appending(complete))
    }
    try finishRebuild(in: path, through: fileSystem)
    return try PhotoLibrary(at: path, client: client, prompt: prompt, trustingOwner: true)
  }

  /// Whether the catalog decided something that is not finished, or cannot say it. Closes the catalog again: SQLite
  /// would remove the log of the catalog that gets its name.
  private static func hasInterruptedChanges(in path: FilePath) -> Bool {
    guard let old = try? PhotoLibrary(at: path, trustingOwner: true, readOnly: true) else {
      return true
    }
    return !old.recovery.isEmpty
  }

  /// Fills a new catalog. At the end its one file has everything.
  private static func fill(
    _ file: FilePath, in path: FilePath, with entries: [ExportEntry]
  ) async throws(PhotoLibraryError) {
    let library = try PhotoLibrary(at: path, file: file, export: nil)
    try await library.catalog.addRoots(entries.compactMap(\.root?.path))
    for entry in entries {
      guard let root = entry.root?.path, let texts = entry.excludes else { continue }
      try await library.catalog.exclude(
        FolderRules(texts: texts), from: [root], isAddition: false)
    }
    var identifiers: [FilePath: String] = [:]
    for asset in entries.compactMap(\.asset) where !asset.isDerived {
      if let path = asset.path?.path { identifiers[path] = asset.identifier }
    }
    let roots = try await library.catalog.folders().map(\.path)
    // Photos that were added by themselves are in folders that were not added.
    var singles: [FilePath: Set<FilePath>] = [:]
    for photo in identifiers.keys where !roots.contains(where: { photo.isInside($0) }) {
      guard let name = photo.lastComponent else { continue }
      singles[photo.removingLastComponent(), default: []].insert(name)
    }
    let mentioned = entries.flatMap { entry in
      [
        entry.asset?.identifier, entry.departed?.asset.identifier, entry.member?.asset,
        entry.selected?.asset,
      ].compactMap(\.self)
    }
    _ = try await library.indexer.scan(
      through: roots, singles: singles,
      restoring: RestoredAssets(
        identifiers: identifiers, derived: Set(mentioned).subtracting(identifiers.values))
    ) { _ in }
    do {
      try await library.catalog.restore(entries)
      try await library.catalog.writeBack()
    } catch {
      throw PhotoLibraryError(error, at: library.catalog.path)
    }
  }

  private static let kept: FilePath = "catalogue.before-rebuild.sqlite"
  private static let keptExport: FilePath = "catalogue.before-rebuild"
  static let complete: FilePath = "catalogue.rebuilt.sqlite"

  /// Puts a complete new catalog in the place of the old one. A process that died may have begun this.
  static func finishRebuild(
    in path: FilePath, through fileSystem: FileSystem = .real
  ) throws(PhotoLibraryError) {
    let complete = path.appending(complete)
    guard let kind = complete.status?.kind else { return }
    // SQLite would wait at a pipe for ever.
    guard kind == .file else { throw .catalog(complete, detail: "it is no ordinary file") }
    try translated(path) { try fileSystem.syncFolder(path) }
    // The new catalog numbers its changes anew, so the export is written again before the new catalog gets its
    // name. Until then the export is the old one, or the new one with everything from the old one.
    do throws(ExportError) {
      try ExportJournal(in: path, through: fileSystem).fold(complete, isInUse: false)
    } catch {
      if case .database(let error) = error { throw PhotoLibraryError(error, complete) }
      throw .catalog(path, detail: "its export cannot be written: \(error.description)")
    }
    try translated(path) {
      // The new catalog gets its name when the old log is gone from the disk, so that the log never belongs to
      // another catalog.
      for ending in endings {
        let old = path.appending("catalogue.sqlite" + ending)
        guard try fileSystem.exists(old) else { continue }
        try fileSystem.rename(old, to: path.appending(kept.string + ending))
      }
      try fileSystem.syncFolder(path)
      try fileSystem.rename(complete, to: path.appending("catalogue.sqlite"))
      try fileSystem.syncFolder(path)
    }
  }

  /// The files of a catalog.
  private static let endings = ["-shm", "-wal", ""]

  private static func remove(
    _ file: FilePath, in path: FilePath, through fileSystem: FileSystem
  ) throws(FileSystemError) {
    for ending in endings { try fileSystem.unlink(path.appending(file.string + ending)) }
  }

  private static func translated(
    _ path: FilePath, _ work: () throws -> Void
  ) throws(PhotoLibraryError) {
    do { try work() } catch {
      throw .catalog(
        path, detail: "the new catalog cannot be put into place: \(error)")
    }
  }
}
