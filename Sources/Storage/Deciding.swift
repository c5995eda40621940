import Glibc
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
      let unfinished = try decide(.revert(revert), revert.encoded())
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
      return try change()
    } catch {
      discardStaged()
      guard error.isDiskFull, !isHolding, try removeRenders(among: files, of: record) else {
        throw error
      }
    }
    do throws(StorageError) {
      return try change()
    } catch {
      discardStaged()
      throw error
    }
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

  /// Throws when another program, which does not use the lock, replaced the sidecar.
  func checkSidecar() throws(StorageError) {
    let now = try onDisk { () throws(FileSystemError) in
      try fileSystem.status(of: names.record)
    }
    let isUnchanged =
      switch (now, snapshot.sidecar?.status) {
      case (nil, nil): true
      case (let now?, let then?): now.hasSameContent(as: then)
      default: false
      }
    if !isUnchanged { throw .recordChanged(names.record) }
  }

  /// Makes a change: writes its record, decides by a rename, finishes. A transaction that holds its
  /// change only writes the record.
  ///
  /// - Returns: Why a change that is made could not be finished; `nil` when it was.
  /// - Throws: ``StorageError`` when the change is not made.
  func decide(_ change: PendingChange, _ bytes: [UInt8]) throws(StorageError) -> StorageError? {
    guard bytes.count <= Record.maximumSize else {
      throw .recordTooLarge(names.record, size: bytes.count, limit: Record.maximumSize)
    }
    try checkReplaceable(change)
    try writeDown(bytes)
    let held = HeldChange(change: change, digest: SHA256.digest(of: bytes))
    guard isHolding else { return try make(held) }
    hold(held)
    return nil
  }

  /// Makes the change that this transaction holds, which takes no more than a few renames.
  ///
  /// - Returns: Why it could not be finished although it is made; `nil` when it was.
  /// - Throws: ``StorageError`` when it is not made, for example because another program changed
  ///   the sidecar meanwhile. What was staged is gone then.
  package func makeHeldChange() throws(StorageError) -> StorageError? {
    do throws(StorageError) {
      guard holdsChange else { throw .transactionOver(original.path) }
      try original.checkUnchanged()
      try checkSidecar()
      guard let held = takeHeld() else { throw .transactionOver(original.path) }
      return try make(held)
    } catch {
      discardStaged()
      throw error
    }
  }

  private func make(_ held: HeldChange) throws(StorageError) -> StorageError? {
    if let failure = try makePending() { return failure }
    do {
      try Recovery(names, contents).finish(held.change, writtenAs: held.digest, staged: made)
      handOverStaged()
      return nil
    } catch {
      if isNameTakenMeanwhile(held.change, error) {
        return try takeBack(.busy(original.path, waited: .zero, process: nil))
      }
      handOverStaged()
      return error
    }
  }

  /// Whether nothing of a change is in place yet, because another photo with the same stem, such as
  /// `beach.png` beside `beach.jpg`, took the name of its new render meanwhile.
  private func isNameTakenMeanwhile(
    _ change: PendingChange, _ error: StorageError
  ) -> Bool {
    guard case .commit(let record) = change, case .renderChanged = error,
      let render = record.render,
      record.replaces == nil, record.staging?.roles.contains(.render) == true
    else { return false }
    return (try? contents.content(of: stagedPath(.render))) == .file(render.file.sha256)
  }

  /// Throws when a file that the change replaces or removes is another user's: what cannot be
  /// finished is not decided.
  private func checkReplaceable(_ change: PendingChange) throws(StorageError) {
    try contents.requireOwnersConsent()
    try contents.requireReplaceable(names.record)
    var files: [Record.File]
    switch change {
    case .commit(let record):
      files = record.files.filter { record.stagedKind(of: $0.role) != nil }
      if let old = self.record {
        files += try names.files(of: old, goingWith: record, contents)
      }
    case .revert(let revert): files = revert.files
    }
    for file in files { try contents.requireReplaceable(names.path(of: file.file.name)) }
  }

  /// Writes the record of the change under its hidden name, and flushes it.
  func writeDown(_ bytes: [UInt8]) throws(StorageError) {
    let path = stagedPath(.record)
    let sink = try stagingSink(path)
    do throws(FileSystemError) {
      try sink.write(bytes)
      try remember(path, sink.finish().sha256)
    } catch {
      discard(sink)
      throw .fileSystem(error)
    }
    // The names of the staged files must be on the disk before the pending one: a disk that keeps no
    // order could keep the decision alone.
    try onDisk { () throws(FileSystemError) in try fileSystem.syncFolder(names.folder) }
  }

  private func makePending() throws(StorageError) -> StorageError? {
    do throws(StorageError) {
      let isPending = try onDisk { () throws(FileSystemError) in
        try fileSystem.renameWithoutReplacing(stagedPath(.record), to: names.pending)
      }
      guard isPending else { throw .recordChanged(names.pending) }
    } catch {
      discardStaged()
      throw error
    }
    do {
      try fileSystem.syncFolder(names.folder)
      return nil
    } catch {
      return try takeBack(.fileSystem(error))
    }
  }

  /// Takes back a decision that may not have reached the disk.
  ///
  /// - Returns: `failure`, when it could not be taken back: then the change is made.
  /// - Throws: `failure`, when it could.
  private func takeBack(_ failure: StorageError) throws(StorageError) -> StorageError {
    // Readers see the pending record now, so it counts unless it can be removed.
    do {
      try fileSystem.unlink(names.pending)
    } catch {
      handOverStaged()
      return failure
    }
    // A power cut could bring the pending record back as long as its removal is not on the disk.
    // The staged files then have to be there, so they stay for the next transaction to remove.
    do {
      try fileSystem.syncFolder(names.folder)
    } catch {
      handOverStaged()
      leaveStagedFiles()
    }
    throw failure
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
