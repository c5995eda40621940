import Glibc
import SafelightFiles
import SafelightMetadata
import SafelightRendering
import SafelightStorage

extension Photo {
  /// Moves the photo with everything that belongs to it into a folder beside it. This can be repeated at any time.
  ///
  /// The original moves last, so that an interrupted move finds the rest by the original. A symbolic
  /// link to the photo, in another folder, stays and then leads nowhere.
  /// - Parameter target: The folder, which is made.
  package func move(into target: FilePath, through fileSystem: FileSystem) throws {
    let source = path
    guard try fileSystem.statusFollowingLinks(of: source) != nil else {
      // A process that died may have moved the photo and not flushed the folders.
      guard try fileSystem.exists(target) else { return }
      let parent = try Folder(source.removingLastComponent(), fileSystem)
      try parent.folder(at: target, making: true).sync()
      return try parent.sync()
    }
    // Another file has taken the photo's name since.
    guard try fileSystem.kind(of: source) == .file else {
      throw FileSystemError(.init(.rename, source), errno: ELOOP)
    }
    // A file that is no photo stays: whoever wrote the catalog may have named any file.
    let file = try fileSystem.openForReading(source)
    let header = PhotoBytes(file, size: Int(try fileSystem.status(of: file).size))
    guard PhotoFormat.recognized(in: header) != nil else { return }
    let parent = try Folder(source.removingLastComponent(), fileSystem)
    let trash = try parent.folder(at: target, making: true)
    let transaction = try PhotoFiles(source, fileSystem: fileSystem).begin(timeout: .seconds(30))
    defer { transaction.end() }
    let snapshot = transaction.snapshot
    let original = snapshot.original.path
    let folder = try Folder(original.removingLastComponent(), fileSystem)
    func flush() throws(FileSystemError) {
      try trash.sync()
      try folder.sync()
    }
    // A disk may keep a rename and lose those before it. The sidecar, which names the other files,
    // goes when they have gone, and the original when the sidecar has.
    let copies = try fileSystem.companions(of: original, recordsAt: [snapshot.recordPath])
      .map(original.removingLastComponent().appending)
    for paths in [snapshot.paths + copies, [snapshot.recordPath], [original]] {
      var isMoved = false
      for name in paths.compactMap(\.lastComponent) where try folder.contains(name) {
        try folder.move(name, to: name, in: trash)
        isMoved = true
      }
      // The original may have been moved before a crash, so its folder is flushed in any case.
      if isMoved || paths == [original] { try flush() }
    }
  }

  /// Makes an edit that an editor held, that another place decided, and that its process did not make. It is dropped
  /// when the photo or its sidecar has changed since.
  ///
  /// - Parameter digest: The SHA-256 of the hidden record that decides the edit.
  package func makeHeldChange(
    writtenAs digest: Digest, through fileSystem: FileSystem
  ) throws(StorageError) {
    try PhotoFiles(path, fileSystem: fileSystem).makeHeldChange(
      writtenAs: digest, timeout: .zero)
  }

  /// The path of the sidecar that the photo has or would get, links followed.
  package func recordPath(through fileSystem: FileSystem) throws(StorageError) -> FilePath {
    try PhotoFiles(path, fileSystem: fileSystem).read(timeout: .seconds(30)).recordPath
  }
}

extension Folder {
  /// Gives a file its place in another folder, and replaces none. After an interrupted move the same file may have both
  /// names.
  package func move(
    _ name: FilePath, to newName: FilePath, in target: Folder
  ) throws(FileSystemError) {
    guard try !rename(name, to: newName, in: target, replacing: false) else { return }
    guard let old = try status(of: name),
      try target.status(of: newName)?.isSameFile(as: old) == true
    else { throw FileSystemError(.init(.rename, target.path.appending(newName)), errno: EEXIST) }
    try remove(name)
  }
}
