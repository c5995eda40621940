import Glibc
import PhotoEditing
import PhotoLibraryKit
import SafelightFiles
import Synchronization

import struct SafelightStorage.PhotoRevision
import enum SafelightStorage.StorageError

/// A photo that a client named, found and allowed.
struct ServedPhoto: Sendable {
  let asset: Asset
  /// What its files are now.
  let stamp: PhotoRevision

  var id: String { PhotoID.id(asset.localIdentifier) }
  var path: FilePath { asset.path }
  var photo: Photo { Photo(path: path) }
  var name: String { (path.lastComponent ?? path).description }
  /// Changes with the photo and its edit.
  var revision: String { stamp.revision }
}

/// The identifiers of photos and albums in addresses: those of the library, without slashes.
enum PhotoID {
  static func id(_ localIdentifier: String) -> String {
    localIdentifier.replacing("/", with: "_")
  }

  static func localIdentifier(_ id: String) -> String { id.replacing("_", with: "/") }
}

/// Finds photos, and lets nobody out of the folders.
final class ServedPhotos: Sendable {
  let library: PhotoLibrary
  /// The folders, open, so that they stay the same when their paths lead elsewhere later.
  private let roots = Mutex<[Folder]>([])

  init(_ library: PhotoLibrary) { self.library = library }

  /// The folders that are served.
  var folders: [FilePath] { roots.withLock { $0.map(\.path) } }

  /// Opens the folders of the library that are not open yet, and closes those that left it.
  func openFolders() async throws(PhotoLibraryError) {
    let paths = try await library.folders
    roots.withLock { roots in
      roots.removeAll { !paths.contains($0.path) }
      let known = Set(roots.map(\.path))
      roots += paths.filter { !known.contains($0) }.compactMap(Self.opened)
    }
  }

  /// Opens a folder; `nil` when it is gone, or when a symbolic link has taken its place since it was added.
  private static func opened(_ path: FilePath) -> Folder? {
    guard let name = path.lastComponent else { return try? Folder(path) }
    return try? Folder(path.removingLastComponent()).folder(name)
  }

  /// The photo of an identifier.
  ///
  /// - Throws: ``ServerError/noSuchPhoto(_:)``, ``PhotoLibraryError`` or ``EditError``.
  func photo(_ id: String) throws -> ServedPhoto {
    guard id.utf8.count <= 100 else { throw ServerError.noSuchPhoto(id) }
    let identifier = PhotoID.localIdentifier(id)
    if let asset = try library.fetchAssets(withLocalIdentifiers: [identifier]).allObjects().first {
      return try photo(asset, id)
    }
    guard
      let trashed = try library.trashedAssets().first(where: { $0.localIdentifier == identifier })
    else { throw ServerError.noSuchPhoto(id) }
    return try photo(trashed, id)
  }

  private func photo(_ asset: Asset, _ id: String) throws -> ServedPhoto {
    let (folder, name) = try place(of: asset.path, id)
    guard try folder.status(of: name)?.kind == .file else {
      throw EditError.storage(.originalMissing(asset.path))
    }
    return ServedPhoto(asset: asset, stamp: try stamp(asset.path))
  }

  /// The photos of identifiers, in their order.
  ///
  /// - Throws: ``ServerError/noSuchPhoto(_:)`` for the first that is none.
  func assets(_ ids: [String]) throws -> [Asset] {
    var found: [String: Asset] = [:]
    for asset in try library.fetchAssets(
      withLocalIdentifiers: ids.map(PhotoID.localIdentifier)
    ).allObjects() {
      found[asset.localIdentifier] = asset
    }
    return try ids.map { id in
      guard let asset = found[PhotoID.localIdentifier(id)] else {
        throw ServerError.noSuchPhoto(id)
      }
      return asset
    }
  }

  private func stamp(_ path: FilePath) throws(EditError) -> PhotoRevision {
    do {
      return try PhotoRevision(path)
    } catch {
      throw .storage(error)
    }
  }

  /// The revision of a photo for lists; an empty word when its file is gone.
  func revision(of asset: Asset) -> String { (try? PhotoRevision(asset.path))?.revision ?? "" }

  /// Opens the original, or another file of the photo that lies beside it.
  func open(_ path: FilePath, of photo: ServedPhoto) throws -> (OpenFile, FileStatus) {
    let (folder, name) = try place(of: path, photo.id)
    let file = try folder.open(name)
    let status = try FileSystem.real.status(of: file)
    guard status.kind == .file else { throw ServerError.noSuchPhoto(photo.id) }
    return (file, status)
  }

  /// A path where a photo was, in a folder that is there still. No link leads from there to other folders.
  func formerPath(_ path: FilePath) throws(EditError) -> FilePath {
    guard path.isAbsolute, !path.hasParentComponent, folders.contains(where: path.isInside),
      let (folder, name) = try? place(of: path, ""),
      (try? folder.status(of: name))?.kind != .symbolicLink
    else {
      throw .storage(.originalMissing(path))
    }
    return path
  }

  /// The open folder that a file is in, with the file's name. Goes down from the folder that is served, name by name
  /// and over no symbolic link.
  private func place(of path: FilePath, _ id: String) throws -> (Folder, FilePath) {
    guard let name = path.lastComponent, !Self.isHidden(name) else {
      throw ServerError.noSuchPhoto(id)
    }
    let parent = path.removingLastComponent()
    let root = roots.withLock { roots in
      roots.filter { parent == $0.path || parent.isInside($0.path) }
        .max { $0.path.bytes.count < $1.path.bytes.count }
    }
    if let root {
      let hidden = parent.relative(to: root.path).string.split(separator: "/")
        .contains { Self.isHidden(FilePath(String($0))) }
      guard parent == root.path || !hidden else { throw ServerError.noSuchPhoto(id) }
      do {
        return (try root.folder(at: parent), name)
      } catch {
        switch error.errno {
        case ENOENT: throw EditError.storage(.originalMissing(path))
        default: throw ServerError.noSuchPhoto(id)
        }
      }
    }
    // A photo that was added by itself: its folder is the one that was named, without links in its path.
    guard (try? FileSystem.real.resolve(parent)) == parent else {
      throw ServerError.noSuchPhoto(id)
    }
    return (try Folder(parent), name)
  }

  private static func isHidden(_ name: FilePath) -> Bool {
    name.bytes.first == UInt8(ascii: ".")
  }
}
