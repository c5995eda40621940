import Glibc
import SafelightFiles

/// The hidden folder inside a folder of photos where files go that nothing needs any more.
///
/// What belongs together stays together, in a folder with the photo's name. Nothing is ever replaced or
/// removed there; to get files back, move them into the folder above.
package struct FolderTrash {
  /// Its name, in every folder and in libraries.
  package static let name: FilePath = ".safelight-trash"

  private let folder: FilePath
  private let fileSystem: FileSystem

  /// The trash of a folder, which need not be there yet.
  ///
  /// - Parameters:
  ///   - folder: The folder of the photos; empty for the current one.
  ///   - fileSystem: The way to the disk.
  package init(_ folder: FilePath, _ fileSystem: FileSystem) {
    self.folder = folder
    self.fileSystem = fileSystem
  }

  /// Moves files of the folder into the trash. Those that are not there are passed over.
  ///
  /// They go one after the other and each is flushed before the next, so that an interrupted move leaves
  /// those in the end of the list.
  /// - Parameters:
  ///   - names: The files' names. The record comes last: it tells what belongs to it.
  ///   - photo: What the files belong to.
  /// - Returns: The folder in the trash where they are.
  /// - Throws: ``StorageError/fileSystem(_:)``.
  @discardableResult
  package func put(_ names: [FilePath], named photo: FilePath) throws(StorageError) -> FilePath {
    try onDisk { () throws(FileSystemError) in
      let folder = try fileSystem.folder(folder)
      try folder.createFolder(Self.name)
      let trash = try folder.folder(Self.name)
      let place = try makeFolder(for: photo, in: trash)
      try trash.sync()
      try folder.sync()
      for name in names where try folder.contains(name) {
        guard try folder.rename(name, to: name, in: place, replacing: false) else {
          throw FileSystemError(.init(.rename, place.path.appending(name)), errno: EEXIST)
        }
        try place.sync()
        try folder.sync()
      }
      return place.path
    }
  }

  /// A new folder in the trash: `beach.jpg`, `beach.jpg 2`, …
  private func makeFolder(
    for photo: FilePath, in trash: Folder
  ) throws(FileSystemError) -> Folder {
    var number = 1
    while true {
      let name = number == 1 ? photo : photo.suffixed(" \(number)")
      if try trash.createFolder(name) { return try trash.folder(name) }
      number += 1
    }
  }
}
