import FoundationEssentials
import PhotoEditing
import Synchronization

/// A catalog over folders of photos that stay where they are: fetching, albums, favorites, changes
/// and their observers.
///
/// Edits stay in the sidecars beside the photos, so the catalog can be made again from the disk at
/// any time, but for what only it knows: albums, favorites, hidden photos, dates and places that
/// somebody set, and who may use it. That is also written to a JSON file beside it.
///
/// ```swift
/// let library = try PhotoLibrary(at: "/home/me/.local/share/safelight/library")
/// try await library.add(["/home/me/Photos"])
/// ```
///
/// Several libraries, and several processes on one, may be used at the same time.
public final class PhotoLibrary: Sendable {
  /// The folder of the catalog.
  public let path: FilePath

  /// Who uses it.
  public let client: Client

  let catalog: Catalog
  let snapshots: Snapshots
  let notices: Notices
  let turns: ChangeTurns
  /// Where the files of created assets are; absolute, all links followed.
  let originals: FilePath
  let indexer: Indexer
  let watch = Mutex<FolderWatch?>(nil)
  let asking: Asking
  let imageCache: ImageCache

  /// Creates a library in a folder, or opens the one that is there.
  ///
  /// - Parameters:
  ///   - path: The catalog's folder; made when it is missing. Photos lie elsewhere.
  ///   - client: The program that uses it; the person's own tool need not say. Others see and change
  ///     nothing until the user allows it.
  ///   - prompt: How the user is asked; with `nil` nobody is, and asking fails.
  /// - Throws: ``PhotoLibraryError``, such as ``PhotoLibraryError/newerCatalog(_:unknown:)``.
  public convenience init(
    at path: FilePath, client: Client = .owner, prompt: AuthorizationPrompt? = nil
  ) throws(PhotoLibraryError) {
    try Self.finishRebuild(in: path)
    try self.init(
      at: path, file: "catalogue.sqlite", export: ExportJournal(in: path), client, prompt)
  }

  init(
    at path: FilePath, file: FilePath, export: ExportJournal?, _ client: Client = .owner,
    _ prompt: AuthorizationPrompt? = nil
  ) throws(PhotoLibraryError) {
    self.path = path
    self.client = client
    asking = Asking(prompt)
    imageCache = ImageCache(in: path)
    do {
      try FileManager.default.createDirectory(
        atPath: path.string, withIntermediateDirectories: true)
    } catch {
      throw .catalog(path, detail: "its folder cannot be made: \(error)")
    }
    let file = path.appending(file)
    catalog = try Catalog(file, export: export)
    snapshots = try Snapshots(file, client)
    indexer = Indexer(catalog, library: path)
    notices = try Notices(snapshots)
    originals = FileSteps.resolved(path).appending("originals")
    turns = ChangeTurns(file, originals: originals)
    try finishFileMoves()
  }
}
