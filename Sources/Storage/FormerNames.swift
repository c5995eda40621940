import SafelightFiles

// Hidden files have names that follow from the original's. Who renames a photo with all its files does not see them: when
// a change was interrupted before, they keep the names made from the photo's former name. The sidecar still has that
// name and leads to them, so that the change is finished by whoever comes first, as if nothing had been renamed.

extension PhotoNames {
  /// These names with the hidden ones that the photo had before it was renamed together with its sidecar.
  ///
  /// - Parameter sidecar: The photo's sidecar, as it was found.
  /// - Returns: `nil` when the sidecar has the photo's name, or when what is hidden under the former name belongs to
  ///   the photo that has that name now.
  func beforeRenaming(
    _ sidecar: LoadedRecord, _ fileSystem: FileSystem
  ) throws(StorageError) -> PhotoNames? {
    guard !isHiddenAsFormer, let name = (try? sidecar.record())?.original?.name, name != original
    else { return nil }
    let former = PhotoNames(path(of: original), hiddenAs: name)
    let namesake = PhotoNames(path(of: name))
    let isFree = try onDisk { () throws(FileSystemError) in
      let isPhotoThere = try fileSystem.exists(path(of: name))
      let isRecordThere = try fileSystem.exists(namesake.record)
      return !isPhotoThere && !isRecordThere
    }
    if isFree { return former }
    guard let pending = try LoadedRecord.load(former.pending, fileSystem), pending.follows(sidecar)
    else { return nil }
    // A copy of photo and sidecar leaves the change to the photo that was copied.
    if let other = try LoadedRecord.load(namesake.record, fileSystem), pending.follows(other),
      !other.status.isSameFile(as: sidecar.status)
    {
      return nil
    }
    return former
  }

  /// The record of a change of this photo that was decided and not finished; `nil` when there is none, or when it is
  /// another photo's, which had this name before.
  func pendingRecord(_ fileSystem: FileSystem) throws(StorageError) -> LoadedRecord? {
    guard let pending = try LoadedRecord.load(pending, fileSystem) else { return nil }
    if isHiddenAsFormer {
      let sidecar = try LoadedRecord.load(record, fileSystem)
      return sidecar.map(pending.follows) == true ? pending : nil
    }
    return try renamedPhoto(awaiting: pending, fileSystem) == nil ? pending : nil
  }

  /// The photo that had this name when a change of it was interrupted, and was renamed with its sidecar since; `nil`
  /// when there is no such change, or it is this photo's own.
  func renamedPhoto(_ fileSystem: FileSystem) throws(StorageError) -> FilePath? {
    guard let pending = try LoadedRecord.load(pending, fileSystem) else { return nil }
    return try renamedPhoto(awaiting: pending, fileSystem)
  }

  private func renamedPhoto(
    awaiting pending: LoadedRecord, _ fileSystem: FileSystem
  ) throws(StorageError) -> FilePath? {
    guard let change = try? pending.change(), change.replacedRecord != nil else { return nil }
    if let sidecar = try LoadedRecord.load(record, fileSystem), pending.follows(sidecar) {
      return nil
    }
    let names = try onDisk { () throws(FileSystemError) in try fileSystem.names(in: folder) }
    for name in names.sorted(by: <) {
      guard let photo = name.originalOfRecord, photo != original,
        let sidecar = try? LoadedRecord.load(path(of: name), fileSystem), pending.follows(sidecar),
        (try? sidecar.record())?.original?.name == original
      else { continue }
      return path(of: photo)
    }
    return nil
  }

  /// The files that changes of this photo staged which were never decided.
  ///
  /// - Parameter sidecar: The photo's sidecar, if it has one.
  func leftovers(
    _ sidecar: LoadedRecord?, _ fileSystem: FileSystem
  ) throws(StorageError) -> [FilePath] {
    var leftovers: [FilePath] = []
    for names in try withFormer(sidecar, fileSystem) {
      // The files beside a decided change are its own, whichever photo's change it is.
      let isDecided = try onDisk { () throws(FileSystemError) in
        try fileSystem.exists(names.pending)
      }
      if isDecided { continue }
      leftovers += try names.presentStaged(fileSystem)
    }
    return leftovers
  }

  /// These names, and those with the hidden names that the photo had before.
  func withFormer(
    _ sidecar: LoadedRecord?, _ fileSystem: FileSystem
  ) throws(StorageError) -> [PhotoNames] {
    guard let sidecar, let former = try beforeRenaming(sidecar, fileSystem) else { return [self] }
    return [self, former]
  }

  /// A decided change, with the names that its files have, or get, around this photo.
  func change(
    of pending: LoadedRecord, _ contents: FileContents
  ) throws(StorageError) -> PendingChange {
    let change = try pending.change()
    guard isHiddenAsFormer else { return change }
    let sidecar = try LoadedRecord.load(self.record, contents.fileSystem)
    let old = try? sidecar?.record()
    switch change {
    case .revert(let revert):
      var files: [Record.File] = []
      for named in revert.files {
        let renamed = try old.flatMap { old throws(StorageError) in
          try newName(of: named, in: old, contents)
        }
        let name = renamed ?? named.file.name
        files.append(
          Record.File(
            role: named.role,
            file: RecordedFile(name: name, size: named.file.size, sha256: named.file.sha256)))
      }
      return .revert(
        PendingRevert(record: revert.record, files: files, restores: revert.restores))
    case .commit(let record):
      guard let original = record.original else { return change }
      var newNames: [FilePath: FilePath] = [:]
      for named in record.files {
        var name = try newName(of: named, in: record, contents)
        if name == nil { name = try newPlace(for: named, of: record, over: old, contents) }
        newNames[named.file.name] = name
      }
      let bytes = try pending.renamed(for: original.name, newNames, isPending: true)
      let renamed = LoadedRecord(
        path: pending.path, bytes: bytes, digest: pending.digest, status: pending.status)
      return try renamed.change()
    }
  }

  /// The name that a staged file gets whose recorded name is none of this photo's; `nil` for any other file.
  private func newPlace(
    for named: Record.File, of record: Record, over old: Record?, _ contents: FileContents
  ) throws(StorageError) -> FilePath? {
    guard record.stagedKind(of: named.role) != nil, !isOwnName(named),
      try !isAtFormerName(named, contents)
    else { return nil }
    if let old, let replaced = old.files.first(where: { $0.role == named.role }),
      let present = try ownName(holding: replaced, of: old, contents)
    {
      return present
    }
    let candidates = candidates(named.role.suffix)
    for name in candidates where try !contents.exists(path(of: name)) { return name }
    return candidates[0]
  }
}

extension PhotoNames {
  /// Whether a file has its place already, under the name that follows from the photo's former name.
  func isAtFormerName(
    _ named: Record.File, _ contents: FileContents
  ) throws(StorageError) -> Bool {
    guard isHiddenAsFormer else { return false }
    return try contents.content(of: path(of: named.file.name)) == .file(named.file.sha256)
  }
}

extension LoadedRecord {
  /// Whether the change of this pending record goes on from a sidecar, or made it already.
  func follows(_ sidecar: LoadedRecord) -> Bool {
    if digest == sidecar.digest { return true }
    guard let change = try? change() else { return false }
    if case .revert(let revert) = change, revert.restores == sidecar.digest { return true }
    return change.replacedRecord == sidecar.digest
  }
}

extension PendingChange {
  /// The SHA-256 of the sidecar that the change replaces or removes; `nil` when there was none.
  var replacedRecord: Digest? {
    switch self {
    case .commit(let record): record.replacesRecord
    case .revert(let revert): revert.record
    }
  }
}
