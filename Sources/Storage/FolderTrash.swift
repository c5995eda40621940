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
  ///   - set: The SHA-256 of the record. A second call with it goes on with a move that was interrupted.
  /// - Returns: The folder in the trash where they are.
  /// - Throws: ``StorageError/fileSystem(_:)``.
  @discardableResult
  package func put(
    _ names: [FilePath], named photo: FilePath, as set: Digest? = nil
  ) throws(StorageError) -> FilePath {
    try onDisk { () throws(FileSystemError) in
      let folder = try fileSystem.folder(folder)
      try folder.createFolder(Self.name)
      let trash = try folder.folder(Self.name)
      // Until all are there the folder has a name that the next call finds.
      let unfinished = set.map { FilePath("moving-\($0.description.prefix(16))") }
      let place: Folder
      if let unfinished {
        try trash.createFolder(unfinished)
        place = try trash.folder(unfinished)
      } else {
        place = try makeFolder(for: photo, in: trash)
      }
      try trash.sync()
      try folder.sync()
      for name in names where try folder.contains(name) {
        guard try folder.rename(name, to: name, in: place, replacing: false) else {
          throw FileSystemError(.init(.rename, place.path.appending(name)), errno: EEXIST)
        }
        try place.sync()
        try folder.sync()
      }
      guard let unfinished else { return place.path }
      let name = try firstFreeName(for: photo) { (name) throws(FileSystemError) in
        try trash.rename(unfinished, to: name, replacing: false)
      }
      try trash.sync()
      return trash.path.appending(name)
    }
  }

  /// A new folder in the trash.
  private func makeFolder(
    for photo: FilePath, in trash: Folder
  ) throws(FileSystemError) -> Folder {
    try trash.folder(
      firstFreeName(for: photo) { (name) throws(FileSystemError) in try trash.createFolder(name) })
  }

  /// The first of the names `beach.jpg`, `beach.jpg 2`, … that can be taken.
  private func firstFreeName(
    for photo: FilePath, _ take: (FilePath) throws(FileSystemError) -> Bool
  ) throws(FileSystemError) -> FilePath {
    var number = 1
    while true {
      let name = number == 1 ? photo : photo.suffixed(" \(number)")
      if try take(name) { return name }
      number += 1
    }
  }
}
