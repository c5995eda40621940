import FoundationEssentials
import Glibc
import SafelightCatalog
import SafelightFiles
import Synchronization

/// A library of photos: a catalog of folders that stay where they are, with albums, favorites, a trash,
/// change sets and their observers.
///
/// Edits stay in the sidecars beside the photos, so the catalog can be made again from the disk at any
/// time. Only the catalog knows albums, favorites, hidden photos, dates and places that the user set,
/// and permissions; these are also written to a JSON file beside it.
///
/// ```swift
/// let library = try PhotoLibrary(at: "/home/me/.local/share/safelight/library")
/// try await library.add(["/home/me/Photos"])
/// ```
///
/// A program may open several libraries, and several processes may open one library at the same time.
public final class PhotoLibrary: Sendable {
  /// The folder of the catalog.
  public let path: FilePath

  /// The program that uses the library.
  public let client: Client

  let catalog: Catalog
  let snapshots: Snapshots
  let notices: Notices
  /// The file system with the library's files; tests let its operations fail.
  let fileSystem: FileSystem
  /// Held by the change set of this process that moves files of the library.
  let movingFiles = AsyncLock()
  /// The folder of created assets' files; absolute, all links followed.
  let originals: FilePath
  let availability = Availability()
  let indexer: Indexer
  let watch = Mutex<FolderWatch?>(nil)
  let questions: AuthorizationQuestions
  let imageCache: ImageCache

  /// Opens the library in a folder; makes a new library when the folder has none.
  ///
  /// - Parameters:
  ///   - path: The catalog's folder; made when it is missing. The photos are in other folders.
  ///   - client: The program that uses the library; the user's own tool leaves it out. Other clients see
  ///     and change nothing until the user allows it.
  ///   - prompt: Asks the user for access; with `nil` the user cannot be asked.
  ///   - trustingOwner: Whether the library may belong to another user than the caller and the superuser.
  ///     Opening a library finishes its interrupted changes, so whoever wrote the catalog decides over
  ///     files.
  /// - Throws: ``PhotoLibraryError``, such as ``PhotoLibraryError/newerCatalog(_:unknown:)``.
  public convenience init(
    at path: FilePath, client: Client = .owner, prompt: AuthorizationPrompt? = nil,
    trustingOwner: Bool = false
  ) throws(PhotoLibraryError) {
    if !trustingOwner { try LibraryOwner.current.checkOwner(of: path) }
    try Self.finishRebuild(in: path)
    try self.init(
      at: path, file: "catalogue.sqlite", export: ExportJournal(in: path), client, prompt)
  }

  init(
    at path: FilePath, file: FilePath, export: ExportJournal?, _ client: Client = .owner,
    _ prompt: AuthorizationPrompt? = nil, fileSystem: FileSystem = .real
  ) throws(PhotoLibraryError) {
    self.path = path
    self.client = client
    self.fileSystem = fileSystem
    questions = AuthorizationQuestions(prompt)
    imageCache = ImageCache(in: path, fileSystem)
    do { try FileSystem.real.createFolders(path, mode: 0o777) } catch {
      throw .catalog(path, detail: "its folder cannot be made: \(error)")
    }
    guard FileSystem.real.folder(at: path) != nil else {
      throw .catalog(path, detail: "it is no folder")
    }
    let file = path.appending(file)
    do { catalog = try Catalog(file, export: export) } catch {
      throw PhotoLibraryError(error, file)
    }
    snapshots = try Snapshots(file, client)
    indexer = Indexer(catalog, library: path)
    notices = try Notices(snapshots)
    originals = ((try? FileSystem.real.resolve(path)) ?? path).appending("originals")
    try recoverFileMoves()
    snapshots.onLoss { [weak self] error in self?.becomeUnavailable(error) }
  }
}

/// Who may own a library that a user opens without being told to trust it.
struct LibraryOwner: Sendable {
  /// The numbers of the users.
  let trusted: Set<UInt32>

  /// The caller, the superuser, and the user for whom the superuser works by `sudo`.
  static var current: LibraryOwner {
    let caller = geteuid()
    var trusted: Set<UInt32> = [caller, 0]
    if caller == 0, let user = getenv("SUDO_UID").flatMap({ UInt32(String(cString: $0)) }) {
      trusted.insert(user)
    }
    return LibraryOwner(trusted: trusted)
  }

  /// Throws when the folder or a file of the catalog belongs to somebody else.
  func checkOwner(of library: FilePath) throws(PhotoLibraryError) {
    let files = [
      "catalogue.sqlite", "catalogue.sqlite-wal", "catalogue.sqlite-shm", "catalogue.json",
      "catalogue.journal.ndjson",
    ]
    for path in [library] + files.map({ library.appending(FilePath($0)) }) {
      guard let status = try? FileSystem.real.statusFollowingLinks(of: path) else { continue }
      guard trusted.contains(status.owner) else { throw .libraryOfAnotherUser(path) }
    }
  }
}

extension PhotoLibrary {
  /// What a folder has of a library.
  public enum Presence: Sendable, Hashable {
    /// A catalog, which may be readable or not.
    case catalog
    /// The export of a missing catalog, from which a rebuild makes the catalog again.
    case exportOnly
    /// Nothing.
    case nothing
  }

  /// What a folder has of a library. Changes nothing.
  ///
  /// ``init(at:client:prompt:trustingOwner:)`` makes a new catalog in a folder without one. Ask this before when a new
  /// catalog would be a surprise.
  public static func presence(at path: FilePath) -> Presence {
    if path.appending("catalogue.sqlite").status != nil { return .catalog }
    let export = ExportJournal(in: path)
    let isExported = export.whole.status != nil || export.journal.status != nil
    return isExported ? .exportOnly : .nothing
  }
}
