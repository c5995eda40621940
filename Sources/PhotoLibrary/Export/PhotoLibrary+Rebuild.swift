import FoundationEssentials
import Glibc
import PhotoEditing
import SafelightCatalog
import SafelightFiles

extension PhotoLibrary {
  /// What keeps the last change from being written to the export beside the catalog, for people;
  /// `nil` when it was written. It is written with the next change, or when the library is opened.
  public var exportProblem: String? { catalog.export?.failure?.description }

  /// Waits until the export is written anew, if a change made that due: it happens now and then, and
  /// a program that ends at once would never come to it.
  public func finishExport() async { await catalog.export?.finish() }

  /// Makes a library's catalog anew from the folders on the disk and the export beside the old one,
  /// whatever became of that, and opens it.
  ///
  /// Identifiers, albums and their order, lists, favorites, hidden photos, dates and places that
  /// somebody set, the trash and who may use the library are as they were. The date of addition is
  /// not exported: it becomes when the file came to its place. The history of changes begins anew.
  /// What the export says of photos whose files are not there now is kept for when they come back.
  ///
  /// Nobody else may have the library open. The old catalog is kept as
  /// `catalogue.before-rebuild.sqlite`; until the new one is complete nothing is replaced.
  /// - Parameters:
  ///   - path: The library's folder.
  ///   - client: Who asks for it: the owner, or a client that may see and change everything as the
  ///     export says.
  ///   - prompt: How the user is asked by the library that is opened.
  /// - Throws: ``PhotoLibraryError``; ``PhotoLibraryError/catalog(_:detail:)`` when the export cannot
  ///   be read.
  public static func rebuild(
    at path: FilePath, client: Client = .owner, prompt: AuthorizationPrompt? = nil
  ) async throws(PhotoLibraryError) -> PhotoLibrary {
    let export = ExportJournal(in: path)
    let entries: [ExportEntry]
    do {
      entries = try ExportReader.entries(export.whole, export.journal)
    } catch {
      throw .catalog(path, detail: "its export cannot be read: \(error.description)")
    }
    try Access(client, entries).checkWhole()
    let new: FilePath = "catalogue.rebuilding.sqlite"
    remove(new, in: path)
    try await fill(path, new, entries)
    try replaceCatalog(in: path, by: new)
    // The numbers of the old export mean nothing to the new catalog.
    for file in [export.whole, export.journal] { _ = FileTrace.withCString(file) { unlink($0) } }
    do {
      try export.fold(path.appending("catalogue.sqlite"))
    } catch {
      throw .catalog(path, detail: "its export cannot be written: \(error.description)")
    }
    return try PhotoLibrary(at: path, client: client, prompt: prompt)
  }

  /// Fills a new catalog, and has all of it in its one file at the end.
  private static func fill(
    _ path: FilePath, _ file: FilePath, _ entries: [ExportEntry]
  ) async throws(PhotoLibraryError) {
    let library = try PhotoLibrary(at: path, file: file, export: nil)
    try await library.catalog.addRoots(entries.compactMap(\.root?.path))
    var identifiers: [FilePath: String] = [:]
    for asset in entries.compactMap(\.asset) where asset.isDerived != true {
      if let path = asset.path?.path { identifiers[path] = asset.identifier }
    }
    let roots = try await library.catalog.folders().map(\.path)
    // Photos that were added by themselves lie in folders that nobody added.
    var singles: [FilePath: Set<FilePath>] = [:]
    for photo in identifiers.keys where !roots.contains(where: { photo.isInside($0) }) {
      guard let name = photo.lastComponent else { continue }
      singles[photo.removingLastComponent(), default: []].insert(name)
    }
    _ = try await library.indexer.look(
      through: roots, singles: singles, restoring: identifiers
    ) { _ in }
    do {
      try await library.catalog.restore(entries)
      try await library.catalog.writeBack()
    } catch {
      throw PhotoLibraryError(error, library.catalog.path)
    }
  }

  private static func replaceCatalog(
    in path: FilePath, by new: FilePath
  ) throws(PhotoLibraryError) {
    remove(kept, in: path)
    // With this name it is decided: whoever opens the library does the rest.
    guard move(new, to: complete, "", in: path) else {
      throw .catalog(path, detail: "the new catalog cannot be put into place")
    }
    try finishRebuild(in: path)
  }

  private static let kept: FilePath = "catalogue.before-rebuild.sqlite"
  private static let complete: FilePath = "catalogue.rebuilt.sqlite"

  /// Puts a new catalog that is complete into the place of the old one, which a process that died may
  /// have begun.
  static func finishRebuild(in path: FilePath) throws(PhotoLibraryError) {
    guard FileTrace(path.appending(complete)) != nil else { return }
    // The log first: without its file nobody takes it for another's.
    for ending in ["-shm", "-wal", ""] {
      move("catalogue.sqlite", to: kept, ending, in: path)
    }
    guard move(complete, to: "catalogue.sqlite", "", in: path) else {
      throw .catalog(path, detail: "the new catalog cannot be put into place")
    }
  }

  @discardableResult
  private static func move(
    _ old: FilePath, to new: FilePath, _ ending: String, in path: FilePath
  ) -> Bool {
    FileTrace.withCString(path.appending(old.string + ending)) { from in
      FileTrace.withCString(path.appending(new.string + ending)) { rename(from, $0) == 0 }
    }
  }

  private static func remove(_ file: FilePath, in path: FilePath) {
    for ending in ["-shm", "-wal", ""] {
      _ = FileTrace.withCString(path.appending(file.string + ending)) { unlink($0) }
    }
  }
}
