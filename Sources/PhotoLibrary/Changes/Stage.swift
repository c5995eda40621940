import FoundationEssentials
import Glibc
import PhotoEditing
import SafelightFiles
import Synchronization

/// The staged files of new assets: complete and flushed, under hidden names, until the catalog decides.
final class Stage: Sendable {
  /// A new asset whose files are staged.
  struct Asset: Sendable {
    /// The folder of the staged files.
    let stageFolder: FilePath
    /// The folder that the files will move to.
    let folder: FilePath
    /// The original's name.
    let name: FilePath
    /// The names of all files, the original's last.
    let files: [FilePath]
    /// The facts from the files.
    let photo: IndexedPhoto
    /// Files that are to be removed from their old places, as they were when they were copied.
    let moved: [MovedSource]
  }

  /// A file that is to be removed from its old place.
  struct MovedSource: Sendable {
    let path: FilePath
    let status: FileStatus
  }

  /// By identifier.
  let assets: [String: Asset]
  /// The staged folder; `nil` without new assets.
  private let folder: FilePath?
  private let fileSystem: FileSystem
  private let isDecided = Atomic(false)

  private static let name: FilePath = ".incoming"

  /// The folder of all staged files of a library.
  static func folder(in originals: FilePath) -> FilePath { originals.appending(name) }

  /// Stages the files of new assets.
  ///
  /// - Parameter originals: The library's folder of originals, which the caller has locked.
  /// - Throws: ``PhotoLibraryError``; then nothing is left behind.
  init(
    _ creations: [NewAsset], in originals: Folder, of library: PhotoLibrary
  ) async throws(PhotoLibraryError) {
    fileSystem = originals.fileSystem
    guard !creations.isEmpty else {
      (assets, folder) = ([:], nil)
      return
    }
    let path = originals.path.appending(Self.name).appending(UUID().uuidString)
    do throws(PhotoLibraryError) {
      let stage = try Self.make(path, in: originals)
      var names = try FreeNames(in: library)
      var assets: [String: Asset] = [:]
      let editor = PhotoEditor(PhotoEditor.Configuration(), fileSystem: fileSystem)
      for (number, creation) in creations.enumerated() {
        let folder = try Self.make(path.appending("\(number)"), in: originals)
        var staging = AssetStaging(creation, in: folder, editor)
        assets[creation.identifier] = try await staging.staged(&names)
      }
      try withLibraryErrors(at: path) { try stage.sync() }
      self.assets = assets
      folder = path
    } catch {
      try? originals.fileSystem.removeTree(path)
      throw error
    }
  }

  private static func make(
    _ path: FilePath, in originals: Folder
  ) throws(PhotoLibraryError) -> Folder {
    try withLibraryErrors(at: path) { try originals.folder(at: path, making: true) }
  }

  /// Marks the files as decided: from now on they must not be removed.
  func decide() { isDecided.store(true, ordering: .relaxed) }

  /// Removes everything that was not decided; after the decision only the empty folders.
  func remove() {
    guard let folder else { return }
    guard isDecided.load(ordering: .relaxed) else {
      try? fileSystem.removeTree(folder)
      return
    }
    guard let stage = try? Folder(folder, fileSystem),
      let parent = try? Folder(folder.removingLastComponent(), fileSystem)
    else { return }
    for asset in assets.values {
      if let name = asset.stageFolder.lastComponent { try? stage.removeFolder(name) }
    }
    if let name = folder.lastComponent { try? parent.removeFolder(name) }
  }

  /// Removes the files that were to be moved, unless they changed since they were copied.
  func removeMovedSources() {
    for source in assets.values.flatMap(\.moved) {
      guard let now = try? fileSystem.statusFollowingLinks(of: source.path),
        now.isSameFile(as: source.status), now.size == source.status.size,
        now.modified == source.status.modified
      else { continue }
      try? fileSystem.unlink(source.path)
    }
  }

  /// Whether a library has staged files.
  static func isPresent(in originals: FilePath, _ fileSystem: FileSystem) -> Bool {
    (try? fileSystem.exists(originals.appending(name))) ?? false
  }

  /// Makes the staged files of a library photos of its folder of originals, in the place of a catalog that decided
  /// something about them and is gone.
  static func keepAll(in library: FilePath, _ fileSystem: FileSystem) {
    guard let originals = try? Folder(library, fileSystem).folder("originals"),
      (try? originals.status(of: name)?.kind) == .folder
    else { return }
    _ = try? originals.rename(
      name, to: FilePath("recovered-\(UUID().uuidString)"), replacing: false)
  }

  /// Removes all staged files of a library, which have folders with names of a stage's making.
  static func removeAll(in originals: Folder) {
    guard let staged = try? originals.folder(name) else { return }
    for name in (try? staged.names()) ?? [] where UUID(uuidString: name.string) != nil {
      try? staged.removeTree(name)
    }
    try? originals.removeFolder(name)
  }
}

/// The lock of a library's folder of originals, which excludes other change sets that move files, in
/// this process and others. The lock ends with the process.
struct OriginalsLock: Sendable {
  /// The folder of originals.
  let folder: Folder

  /// Takes the lock.
  ///
  /// - Parameter waiting: Whether to wait for others; blocks the thread.
  /// - Returns: `nil`, only without waiting, when another change set has the lock.
  init?(
    _ originals: FilePath, waiting: Bool, _ fileSystem: FileSystem
  ) throws(PhotoLibraryError) {
    do throws(FileSystemError) {
      // No symbolic link may stand for the folder: whoever packed the library would choose where it leads.
      let library = try Folder(originals.removingLastComponent(), fileSystem)
      guard let name = originals.lastComponent else { return nil }
      try library.createFolder(name)
      if try library.status(of: name)?.kind == .symbolicLink {
        throw FileSystemError(.init(.openFolder, originals), errno: ELOOP)
      }
      folder = try library.folder(name)
      // The process that made the folder may have died before it flushed the name.
      try fileSystem.syncFolder(originals.removingLastComponent())
    } catch {
      throw PhotoLibraryError(error, originals)
    }
    // A disk that knows no locks is used without them.
    guard (try? fileSystem.lock(folder.file, exclusively: true, waiting: waiting)) != false else {
      return nil
    }
  }

  func release() { folder.file.unlock() }
}
