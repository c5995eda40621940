import SafelightFiles

extension LostRecord {
  /// The files of an edit whose photo is gone.
  package struct Files: Sendable {
    /// The names of those that go, the record last: renders, bases, copies that a sync made, hidden files of changes
    /// that are not finished.
    package var going: [FilePath] = []
    /// The names of those that somebody changed and that stay.
    package var changed: [FilePath] = []
  }

  /// The files that belong to the edit and that are there.
  ///
  /// - Throws: ``StorageError/fileSystem(_:)`` when one cannot be read.
  package func files(_ fileSystem: FileSystem) throws(StorageError) -> Files {
    var files = Files()
    let names = try PhotoNames(resolving: photo, fileSystem)
    if let record {
      for named in try names.ownFiles(of: record, fileSystem) {
        let path = names.path(of: named.file.name)
        let digest = try onDisk { () throws(FileSystemError) -> Digest? in
          guard try fileSystem.status(of: path)?.kind == .file else { return nil }
          return try fileSystem.digestOfFile(at: path)
        }
        guard let digest else { continue }
        if record.owns(digest, as: named) {
          files.going.append(named.file.name)
        } else {
          files.changed.append(named.file.name)
        }
      }
      let others = try fileSystem.companions(
        of: names.path(of: names.original),
        recordsAt: [path, replaced].compactMap { $0?.lastComponent }.map(names.path))
      files.going += others.filter { !files.going.contains($0) }
      files.changed.removeAll(where: others.contains)
    }
    var hidden = leftovers
    if isPending {
      for names in try allNames(names, fileSystem)
      where names.pending.lastComponent == path.lastComponent {
        hidden += try names.presentStaged(fileSystem)
      }
    }
    files.going += (hidden + [replaced, path].compactMap(\.self)).compactMap(\.lastComponent)
    return files
  }

  /// Moves the files of the edit into the trash of their folder, as one set. When that was interrupted before, the rest
  /// goes where the first files are.
  ///
  /// - Returns: The folder in the trash where they are.
  /// - Throws: ``StorageError/busy(_:waited:process:)`` when a process works on the photo;
  ///   ``StorageError/recordChanged(_:)`` when the photo is back, or its record is another one by now.
  package func putAway(_ fileSystem: FileSystem) throws(StorageError) -> FilePath {
    let names = try PhotoNames(resolving: photo, fileSystem)
    let hidden = try allNames(names, fileSystem)
    if try isBusy(fileSystem) { throw .busy(photo, waited: .zero, process: nil) }
    let isBack = try onDisk { () throws(FileSystemError) in try fileSystem.exists(photo) }
    guard !isBack, let now = try LostRecord.load(of: photo, fileSystem), now.digest == digest,
      now.path == path
    else { throw .recordChanged(path) }
    let files = try now.files(fileSystem)
    let place = try FolderTrash(photo.removingLastComponent(), fileSystem)
      .put(files.going, named: photo.lastComponent ?? photo, as: digest)
    // The claims of those who died are empty, and nothing needs them any more.
    for names in hidden where (try? Claim.state(names, fileSystem)) == .leftOver {
      try? fileSystem.unlink(names.claim)
    }
    return place
  }

  /// Whether a process changes the photo, as it did before the photo went.
  package func isBusy(_ fileSystem: FileSystem) throws(StorageError) -> Bool {
    for names in try allNames(PhotoNames(resolving: photo, fileSystem), fileSystem) {
      let state = try onDisk { () throws(FileSystemError) in try Claim.state(names, fileSystem) }
      if state == .held { return true }
    }
    return false
  }

  /// The names around the photo, and those with the hidden names that it had before.
  private func allNames(
    _ names: PhotoNames, _ fileSystem: FileSystem
  ) throws(StorageError) -> [PhotoNames] {
    try names.withFormer(LoadedRecord.load(names.record, fileSystem), fileSystem)
  }
}

extension FileSystem {
  /// The names of the files beside a photo that its record does not name, and that go where its edit goes: copies that a
  /// sync made of the record and of renders, and renders and bases of other edits that these records know, under names
  /// that the photo's files have.
  ///
  /// - Parameter records: The photo's sidecar, and the record of a change that is not finished.
  package func companions(
    of photo: FilePath, recordsAt records: [FilePath]
  ) throws(StorageError) -> [FilePath] {
    let names = PhotoNames(photo)
    let copies = try ConflictCopy.all(of: photo, self)
    let known = (records + copies.map(\.path)).compactMap { RecordedContents(recordAt: $0, self) }
    let owners = Set([photo] + copies.compactMap(\.path.originalOfRecord))
    let folder = try FolderRecords(names.folder, fileSystem: self)
    var companions: [FilePath] = []
    for name in folder.names.sorted(by: <) where FolderRecords.mayBeMember(name) {
      let owner = folder.membership(of: name)?.original
      let isOwn = ([name] + FolderRecords.namesCopied(by: name)).contains(where: names.mayBeOwn)
      guard owner.map(owners.contains) ?? isOwn,
        let digest = try? digestOfFile(at: names.path(of: name))
      else { continue }
      let reference = referenceOfRender(at: names.path(of: name))
      for record in known
      where try record.standing(of: name, holding: digest, rendered: reference) != .unknown {
        companions.append(name)
        break
      }
    }
    return companions + copies.compactMap(\.path.lastComponent)
  }
}
