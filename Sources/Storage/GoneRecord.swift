import SafelightFiles

extension LostRecord {
  /// The files of an edit whose photo is gone.
  package struct Files: Sendable {
    /// The names of those that go, the record last: renders, base, hidden files of undecided changes.
    package var going: [FilePath] = []
    /// The names of those that somebody changed and that stay.
    package var changed: [FilePath] = []
  }

  /// The files that belong to the edit and that are there.
  ///
  /// - Throws: ``StorageError/fileSystem(_:)`` when one cannot be read.
  package func files(_ fileSystem: FileSystem) throws(StorageError) -> Files {
    var files = Files()
    guard let record else { return files }
    let names = try PhotoNames(resolving: photo, fileSystem)
    for named in try names.ownFiles(of: record, fileSystem) {
      let path = names.path(of: named.file.name)
      let digest = try onDisk { () throws(FileSystemError) -> Digest? in
        guard try fileSystem.status(of: path)?.kind == .file else { return nil }
        return try fileSystem.digestOfFile(at: path)
      }
      guard let digest else { continue }
      let isOwn =
        digest == named.file.sha256 || named.role != .base && record.ownRenders.contains(digest)
      if isOwn {
        files.going.append(named.file.name)
      } else {
        files.changed.append(named.file.name)
      }
    }
    files.going += leftovers.compactMap(\.lastComponent)
    if let own = path.lastComponent { files.going.append(own) }
    return files
  }

  /// Moves the files of the edit into the trash of their folder, as one set.
  ///
  /// - Returns: The folder in the trash where they are.
  /// - Throws: ``StorageError/busy(_:waited:process:)`` when a process works on the photo;
  ///   ``StorageError/recordChanged(_:)`` when the photo is back, or its record is another one by now.
  package func putAway(_ fileSystem: FileSystem) throws(StorageError) -> FilePath {
    let names = try PhotoNames(resolving: photo, fileSystem)
    let (isBack, state) = try onDisk { () throws(FileSystemError) in
      (try fileSystem.exists(photo), try Claim.state(names, fileSystem))
    }
    if state == .held { throw .busy(photo, waited: .zero, process: nil) }
    let now = try LostRecord.load(of: photo, fileSystem)
    guard !isBack, let now, !now.isPending, now.record?.encoded() == record?.encoded() else {
      throw .recordChanged(path)
    }
    let files = try now.files(fileSystem)
    return try FolderTrash(photo.removingLastComponent(), fileSystem)
      .put(files.going, named: photo.lastComponent ?? photo)
  }
}
