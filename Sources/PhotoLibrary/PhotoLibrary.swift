import FoundationEssentials
import Glibc
import PhotoEditing
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
  /// The folder of the catalog; absolute.
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
  let recoveryState = Mutex(Recovery())
  let indexer: Indexer
  let watch = Mutex<FolderWatch?>(nil)
  let questions: AuthorizationQuestions
  package let pictures: PictureService

  /// Whether the library was opened only to be read.
  public var isReadOnly: Bool { catalog.isReadOnly }

  /// Opens the library in a folder; makes a new library when the folder has none.
  ///
  /// - Parameters:
  ///   - path: The catalog's folder; made when it is missing. The photos are in other folders. A relative
  ///     path counts from the process's current folder at this moment.
  ///   - client: The program that uses the library; the user's own tool leaves it out. Other clients see
  ///     and change nothing until the user allows it.
  ///   - prompt: Asks the user for access; with `nil` the user cannot be asked.
  ///   - trustingOwner: Whether the library may belong to another user than the caller and the superuser.
  ///     Opening a library finishes its interrupted changes, so whoever wrote the catalog decides over
  ///     files.
  ///   - readOnly: Whether nothing is changed: no interrupted change is finished, no picture is kept on disk, and
  ///     what asks for a change throws. The library must be there.
  /// - Throws: ``PhotoLibraryError``, such as ``PhotoLibraryError/newerCatalog(_:unknown:)``.
  public convenience init(
    at path: FilePath, client: Client = .owner, prompt: AuthorizationPrompt? = nil,
    trustingOwner: Bool = false, readOnly: Bool = false
  ) throws(PhotoLibraryError) {
    let path = path.absolute
    if !trustingOwner { try LibraryOwner.current.checkOwner(of: path) }
    if !readOnly { try Self.finishRebuild(in: path) }
    try self.init(
      at: path, file: "catalogue.sqlite", export: ExportJournal(in: path), client, prompt,
      readOnly: readOnly)
  }

  init(
    at path: FilePath, file: FilePath, export: ExportJournal?, _ client: Client = .owner,
    _ prompt: AuthorizationPrompt? = nil, readOnly: Bool = false, fileSystem: FileSystem = .real
  ) throws(PhotoLibraryError) {
    let path = path.absolute
    self.path = path
    self.client = client
    self.fileSystem = fileSystem
    questions = AuthorizationQuestions(prompt)
    pictures = PictureService(PictureDisk(in: path, readOnly: readOnly, fileSystem))
    if !readOnly {
      do { try FileSystem.real.createFolders(path, mode: 0o777) } catch {
        throw .catalog(path, detail: "its folder cannot be made: \(error)")
      }
    }
    guard FileSystem.real.folder(at: path) != nil else {
      throw .catalog(path, detail: "it is no folder")
    }
    // Libraries at the same absolute path are the same library.
    let folder = (try? FileSystem.real.resolve(path)) ?? path
    let file = folder.appending(file)
    catalog = try withLibraryErrors(at: file) {
      try Catalog(file, export: export, readOnly: readOnly)
    }
    snapshots = try Snapshots(file, client)
    indexer = Indexer(catalog, library: path, fileSystem)
    notices = Notices(snapshots, of: try snapshots.now().identity())
    originals = folder.appending("originals")
    try readOnly ? noteFileMoves() : recoverFileMoves()
    snapshots.onLoss { [weak self] error in self?.becomeUnavailable(error) }
    OpenLibraries.all.add(self)
  }

  /// A library that cannot be opened: whatever a program asks of it throws the reason. No file is touched.
  private init(unavailable path: FilePath, because error: PhotoLibraryError) {
    (self.path, client, fileSystem) = (path, .owner, .real)
    questions = AuthorizationQuestions(nil)
    pictures = PictureService(PictureDisk(in: path))
    originals = path.appending("originals")
    let file = path.appending("catalogue.sqlite")
    do {
      catalog = try Catalog(insteadOf: file)
      snapshots = try Snapshots(insteadOf: file, because: error)
    } catch {
      preconditionFailure("SQLite has no memory: \(error)")
    }
    indexer = Indexer(catalog, library: path, .real)
    notices = Notices(snapshots, of: PersistentChangeToken.ofNoCatalog.catalog)
    becomeUnavailable(error)
  }
}

/// The libraries that this process has open. An asset is a value and knows only where it was fetched, and by whom.
final class OpenLibraries: Sendable {
  static let all = OpenLibraries()

  private struct Entry: Sendable {
    weak var library: PhotoLibrary?
  }

  private let entries = Mutex<[Entry]>([])

  func add(_ library: PhotoLibrary) {
    entries.withLock { entries in
      entries.removeAll { $0.library == nil }
      entries.append(Entry(library: library))
    }
  }

  /// The library with a catalog that a client opened last; an earlier one may have been replaced since.
  func library(of catalog: FilePath, for client: String) -> PhotoLibrary? {
    entries.withLock { $0.compactMap(\.library) }
      .last { $0.snapshots.path == catalog && $0.client.identifier == client }
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
  /// ``init(at:client:prompt:trustingOwner:readOnly:)`` makes a new catalog in a folder without one. Ask this before
  /// when a new catalog would be a surprise.
  public static func presence(at path: FilePath) -> Presence {
    // A rebuild that died may have left its complete catalog, which the next opening puts into place.
    let files: [FilePath] = ["catalogue.sqlite", complete]
    if files.contains(where: { path.appending($0).status != nil }) { return .catalog }
    let export = ExportJournal(in: path)
    let isExported = export.whole.status != nil || export.journal.status != nil
    return isExported ? .exportOnly : .nothing
  }
}

// MARK: - The user's library

extension PhotoLibrary {
  private static let sharedLibrary = Mutex<PhotoLibrary?>(nil)

  private static var sharedPath: FilePath {
    UserFilters.standard.folder.removingLastComponent().appending("library")
  }

  /// The user's library, as `edit` uses it: the folder `safelight/library` in `XDG_DATA_HOME`, or in
  /// `~/.local/share`. It is made when it is missing, and opened once.
  ///
  /// When it cannot be opened, fetches and changes throw the reason, ``unavailabilityReason`` has it, availability
  /// observers are told, and the next call tries again.
  public static func shared() -> PhotoLibrary {
    sharedLibrary.withLock { shared in
      if let library = shared { return library }
      do throws(PhotoLibraryError) {
        let library = try PhotoLibrary(at: sharedPath)
        shared = library
        return library
      } catch {
        return PhotoLibrary(unavailable: sharedPath.absolute, because: error)
      }
    }
  }

  /// Opens the shared library for a client and with a prompt. A program calls this before it calls
  /// ``shared()`` for the first time; without it the shared library is the owner's.
  ///
  /// - Throws: ``PhotoLibraryError``.
  @discardableResult
  public static func openShared(
    for client: Client, prompt: AuthorizationPrompt? = nil
  ) throws(PhotoLibraryError) -> PhotoLibrary {
    let library = try PhotoLibrary(at: sharedPath, client: client, prompt: prompt)
    sharedLibrary.withLock { $0 = library }
    return library
  }

  /// What the user decided about this program and the shared library.
  public static func authorizationStatus(for level: AccessLevel) -> AuthorizationStatus {
    shared().authorizationStatus(for: level)
  }

  /// What the user decided, for programs that do not know limited access.
  public static func authorizationStatus() -> AuthorizationStatus { shared().authorizationStatus() }

  /// Asks the user for access to the shared library, unless the user has decided before.
  public static func requestAuthorization(for level: AccessLevel) async -> AuthorizationStatus {
    await shared().requestAuthorization(for: level)
  }

  /// Asks the user for access to the shared library, and calls a handler with the status.
  public static func requestAuthorization(
    for level: AccessLevel, handler: @escaping @Sendable (AuthorizationStatus) -> Void
  ) {
    shared().requestAuthorization(for: level, handler: handler)
  }

  /// Asks the user for access, for programs that do not know limited access: limited access is
  /// ``AuthorizationStatus/authorized`` here.
  public static func requestAuthorization(
    _ handler: @escaping @Sendable (AuthorizationStatus) -> Void
  ) {
    shared().requestAuthorization(for: .readWrite) {
      handler($0 == .limited ? .authorized : $0)
    }
  }

  /// Asks the user for access, and calls a handler with the status on a thread of the library.
  public func requestAuthorization(
    for level: AccessLevel, handler: @escaping @Sendable (AuthorizationStatus) -> Void
  ) {
    Task { handler(await requestAuthorization(for: level)) }
  }
}
