import SafelightAdjustments
import SafelightFiles

extension Transaction {
  /// Drops the edit: the sidecar, the render and the base go, the original stays as it always was.
  ///
  /// A sidecar of another program that the first edit replaced comes back with the same bytes. It
  /// is a new file, which nobody may read who may not read the record.
  ///
  /// Works when the original has changed since. A photo that is not edited stays so, with success.
  /// - Parameters:
  ///   - keepingRender: Whether the render stays, as a file of its own. Needed when somebody
  ///     retouched it. A base or a version's render that somebody changed then stays too.
  ///   - droppingVersions: Whether named versions go with the edit. Without it they keep the photo
  ///     from being reverted.
  /// - Returns: What stands now. Look at ``ChangeOutcome/unfinished``.
  /// - Throws: ``StorageError/renderChanged(_:)`` and ``StorageError/baseChanged(_:)`` when files
  ///   that would be lost are not as recorded; ``StorageError/hasVersions(_:_:)``;
  ///   ``StorageError/foreignSidecar(_:)`` when the sidecar is another program's and there is no
  ///   edit over it; other cases of ``StorageError``. Then everything stays as it is.
  package func revert(
    keepingRender: Bool = false, droppingVersions: Bool = false
  ) throws(StorageError) -> ChangeOutcome {
    try close()
    discardStaged()
    guard let record, let sidecar = snapshot.sidecar else {
      return ChangeOutcome(record: nil, render: nil, unfinished: nil)
    }
    try snapshot.checkRevertible(droppingVersions: droppingVersions)
    let files = try snapshot.filesToRemove(keepingRender: keepingRender)
    return try makingRoom(by: files, of: record) { () throws(StorageError) in
      var restored: StagedFile?
      if let bytes = record.replacedSidecar { restored = try stageSidecar(bytes) }
      try checkSidecar()
      try putAsideNewerRenders { role in !keepingRender || role != .render }
      let revert = PendingRevert(
        record: sidecar.digest, files: files, restores: restored?.sha256)
      let unfinished = try decide(.revert(revert))
      return ChangeOutcome(record: record.replacedRecord, render: nil, unfinished: unfinished)
    }
  }

  /// Makes a change that removes files. When the disk is too full even for the record of it, the renders among the files
  /// go first, as far as they can be made again from the record that still stands then.
  func makingRoom(
    by files: [Record.File], of record: Record,
    _ change: () throws(StorageError) -> ChangeOutcome
  ) throws(StorageError) -> ChangeOutcome {
    do throws(StorageError) {
      return try orDiscarding(change)
    } catch {
      guard error.isDiskFull, !isHolding, try removeRenders(among: files, of: record) else {
        throw error
      }
    }
    return try orDiscarding(change)
  }

  /// - Returns: Whether there was one.
  private func removeRenders(
    among files: [Record.File], of record: Record
  ) throws(StorageError) -> Bool {
    var isRoomier = false
    for file in files {
      guard let data = record.edit(renderedAs: file.role), EditStack.canHandle(data) else {
        continue
      }
      let path = names.path(of: file.file.name)
      try contents.requireReplaceable(path)
      try onDisk { () throws(FileSystemError) in try fileSystem.unlink(path) }
      isRoomier = true
    }
    try onDisk { () throws(FileSystemError) in try fileSystem.syncFolder(names.folder) }
    return isRoomier
  }

  /// Puts renders whose edits the record does not know into the trash.
  ///
  /// - Parameter isGoing: Whether a file's place is to be empty.
  func putAsideNewerRenders(
    where isGoing: (FileRole) -> Bool
  ) throws(StorageError) {
    guard let record else { return }
    var roles = try names.ownFiles(of: record, contents).map(\.role)
    if record.render == nil { roles.append(.render) }
    let newer = roles.filter(isGoing).compactMap { snapshot.unsynced[$0] }.filter(\.isNewer)
    if newer.isEmpty { return }
    try FolderTrash(names.folder, fileSystem)
      .put(newer.compactMap(\.path.lastComponent), named: original.name)
  }
}

extension PhotoSnapshot {
  /// The files that a revert removes, as they are now.
  ///
  /// - Throws: ``StorageError/renderChanged(_:)`` or ``StorageError/baseChanged(_:)`` when a file is
  ///   not as recorded. With `keepingRender` such a file stays instead.
  package func filesToRemove(keepingRender: Bool) throws(StorageError) -> [Record.File] {
    guard let record else { return [] }
    var files: [Record.File] = []
    for file in try names.ownFiles(of: record, contents) {
      if keepingRender, file.role == .render { continue }
      do {
        if let removable = try removable(file, of: record) { files.append(removable) }
      } catch {
        switch error {
        case .renderChanged where keepingRender, .baseChanged where keepingRender: continue
        default: throw error
        }
      }
    }
    if !keepingRender, record.render == nil, let left = unsynced[.render], !left.isNewer,
      let name = left.path.lastComponent,
      let status = try onDisk({ () throws(FileSystemError) in
        try contents.fileSystem.status(of: left.path)
      })
    {
      let file = RecordedFile(name: name, size: status.size, sha256: left.digest)
      files.append(Record.File(role: .render, file: file))
    }
    return files
  }

  /// The file as it is now, if it is there and holds what it should.
  func removable(
    _ file: Record.File, of record: Record
  ) throws(StorageError) -> Record.File? {
    let path = names.path(of: file.file.name)
    let other = unsynced[file.role]
    switch try contents.content(of: path) {
    case .missing: return nil
    // The record that knows the render's edit is still to come.
    // Another photo's render is not this photo's to remove.
    case .file(let digest)
    where digest == other?.digest && (other?.isNewer == true || other?.isOfPhoto == false):
      return nil
    case .file(let digest) where digest == file.file.sha256 || digest == other?.digest:
      let now = RecordedFile(name: file.file.name, size: file.file.size, sha256: digest)
      return Record.File(role: file.role, file: now)
    case .file, .somethingElse: throw file.role.changed(path)
    }
  }
}
