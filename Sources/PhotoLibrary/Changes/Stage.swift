import FoundationEssentials
import Glibc
import PhotoEditing
import Synchronization

/// Where the files of new assets wait, whole and on the disk, until the catalog knows of them.
final class Stage: Sendable {
  /// A new asset, ready to be put into its place.
  struct Asset: Sendable {
    /// Its files' folder on the stage.
    let stageFolder: FilePath
    /// Their folder to be.
    let folder: FilePath
    /// The original's name.
    let name: FilePath
    /// The names of all files, the original's last.
    let files: [FilePath]
    let seen: SeenPhoto
    /// Files that are to go away from where they came from, as they were.
    let moved: [(path: FilePath, facts: FileFacts)]
  }

  /// By identifier.
  let assets: [String: Asset]
  private let folder: FilePath?
  private let isDecided = Atomic(false)

  private static let name: FilePath = ".incoming"

  /// Copies the files of new assets onto the stage.
  ///
  /// - Parameter originals: The library's folder of originals, which the caller has locked when there
  ///   is anything to copy.
  /// - Throws: ``PhotoLibraryError``; nothing is left behind then.
  init(
    _ creations: [NewAsset], in originals: FilePath, _ snapshots: Snapshots
  ) async throws(PhotoLibraryError) {
    guard !creations.isEmpty else {
      (assets, folder) = ([:], nil)
      return
    }
    let stage = originals.appending(Self.name).appending(UUID().uuidString)
    do throws(PhotoLibraryError) {
      var names = FreeNames(originals, try snapshots.now())
      var assets: [String: Asset] = [:]
      let editor = PhotoEditor()
      for (number, creation) in creations.enumerated() {
        let folder = stage.appending("\(number)")
        assets[creation.identifier] = try await Incoming(creation, folder, editor).staged(&names)
      }
      self.assets = assets
      folder = stage
      try Self.sync([stage, stage.removingLastComponent()])
    } catch {
      try? FileManager.default.removeItem(atPath: stage.string)
      throw error
    }
  }

  private static func sync(_ folders: [FilePath]) throws(PhotoLibraryError) {
    for folder in folders {
      do { try FileSteps.sync(folder) } catch { throw PhotoLibraryError(error, folder) }
    }
  }

  /// Tells that the catalog knows of the files: they are not to be removed any more.
  func decide() { isDecided.store(true, ordering: .relaxed) }

  /// Removes what is no longer needed: everything, or once it was decided, the empty folders.
  func remove() {
    guard let folder else { return }
    if isDecided.load(ordering: .relaxed) {
      for asset in assets.values { _ = rmdir(asset.stageFolder.cString) }
      _ = rmdir(folder.cString)
    } else {
      try? FileManager.default.removeItem(atPath: folder.string)
    }
  }

  /// Takes away the files that were to be moved, unless they changed since they were copied.
  func takeAwayMovedSources() {
    for asset in assets.values {
      for (path, facts) in asset.moved where FileFacts(path)?.isSame(as: facts) == true {
        try? FileSteps.unlink(path)
      }
    }
  }

  /// Removes everything that waits in a library.
  static func removeAll(in originals: FilePath) {
    try? FileManager.default.removeItem(atPath: originals.appending(name).string)
  }
}
