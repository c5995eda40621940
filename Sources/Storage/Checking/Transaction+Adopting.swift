/// What became of an edit whose photo has another name or folder.
package struct Adoption: Sendable {
  /// What was done.
  package enum Outcome: Sendable, Hashable {
    /// The edit is this photo's now, under the photo's name.
    case moved
    /// There was nothing to move: the record is gone, or its photo is back.
    case nothingToMove
    /// This photo has another edit, which stays.
    case hasAnEdit
  }

  /// What was done.
  package let outcome: Outcome
  /// Where the render is; `nil` when there is none.
  package var render: FilePath?
  /// Whether the record names a render that is nowhere.
  package var isRenderMissing = false
  /// Why files of the old name are still there although the edit is moved; doing it again removes
  /// them. `nil` when all is done.
  package var unfinished: StorageError?
}

extension Transaction {
  /// Takes over the edit whose record is still where the photo was before.
  ///
  /// New files come first and are committed like an edit; old ones go last, and only when they are
  /// as recorded. Whatever dies and when, one of the two records stands with its files, and doing
  /// it again finishes.
  /// - Parameter former: Where the photo was; nothing may be there now.
  /// - Throws: ``StorageError``: the record is of another photo, a file is not as recorded, a name
  ///   is taken. Then everything stays as it is.
  package func adoptEdit(of former: FilePath) throws(StorageError) -> Adoption {
    try requireOpen()
    let source = try formerNames(former)
    if try contents.exists(source.path(of: source.original)) {
      return Adoption(outcome: .nothingToMove)
    }
    // Nobody can lock a photo that is gone, so what a crash left there is finished under this lock.
    let recovery = Recovery(source, fileSystem, contents)
    try recovery.finishPendingChange()
    try recovery.removeStrays()
    guard let lost = try LoadedRecord.load(source.record, fileSystem) else {
      return Adoption(outcome: .nothingToMove)
    }
    let record = try lost.record()
    try snapshot.checkIsOriginal(of: record, at: source.record)
    if self.record != nil, try !snapshot.hasSameEdit(as: lost) {
      return Adoption(outcome: .hasAnEdit)
    }
    let moves = try snapshot.moves(of: record, from: source, alreadyAs: self.record)
    var adoption = moves.adoption
    if self.record == nil || moves.moves.contains(where: \.isCopied) {
      adoption.unfinished = try commit(moves, of: lost)
    }
    if adoption.unfinished == nil {
      do {
        try remove(lost, record, of: source, except: Set(moves.moves.map(\.target)))
      } catch {
        adoption.unfinished = error
      }
    }
    return adoption
  }

  /// Puts the names right in a record that was renamed together with its photo.
  ///
  /// One commit like any other; the files of the old names go with it, unless they belong to
  /// another photo that has the old name.
  /// - Throws: ``StorageError``, as ``adoptEdit(of:)``.
  package func renameEdit() throws(StorageError) -> Adoption {
    try requireOpen()
    guard let record, let sidecar = snapshot.sidecar, let recorded = record.original,
      recorded.name != original.name
    else { return Adoption(outcome: .nothingToMove) }
    try snapshot.checkIsOriginal(of: record, at: names.record)
    let moves = try snapshot.moves(of: record, from: names)
    var adoption = moves.adoption
    adoption.unfinished = try commit(moves, of: sidecar)
    return adoption
  }

  /// Commits the record under this asset's names with copies of its files.
  ///
  /// - Returns: Why not all is in place although the change is made.
  private func commit(
    _ moves: FileMoves, of record: LoadedRecord
  ) throws(StorageError) -> StorageError? {
    do throws(StorageError) {
      for move in moves.moves where move.isCopied {
        let staged = try stageCopy(of: move.source, as: .file(move.named.role))
        guard staged.sha256 == move.named.file.sha256 else {
          throw move.named.role.changed(move.source)
        }
      }
      try close()
      try original.checkUnchanged()
      try checkSidecar()
      let bytes = try record.renamed(
        for: original.name, moves.names, newVersions: stagedVersions,
        replacing: snapshot.sidecar?.digest)
      let renamed: Record
      do {
        renamed = try Record(parsing: bytes)
      } catch {
        throw .recordUnreadable(record.path, error)
      }
      return try decide(.commit(renamed), bytes)
    } catch {
      discardStaged()
      throw error
    }
  }

  /// Removes the files of the old name, the record last, so that doing it again finds them.
  private func remove(
    _ lost: LoadedRecord, _ record: Record, of source: PhotoNames, except kept: Set<FilePath>
  ) throws(StorageError) {
    for named in try source.ownFiles(of: record, fileSystem) {
      let path = source.path(of: named.file.name)
      guard !kept.contains(path), try contents.content(of: path) == .file(named.file.sha256)
      else { continue }
      try onDisk { () throws(FileSystemError) in try fileSystem.unlink(path) }
    }
    guard try LoadedRecord.load(source.record, fileSystem)?.digest == lost.digest else {
      throw .recordChanged(source.record)
    }
    try onDisk { () throws(FileSystemError) in
      try fileSystem.unlink(source.record)
      try fileSystem.syncFolder(source.folder)
    }
  }

  private func formerNames(_ former: FilePath) throws(StorageError) -> PhotoNames {
    try onDisk { () throws(FileSystemError) in try PhotoNames(resolving: former, fileSystem) }
  }
}

extension FileMoves {
  /// What the moves come to once they are made.
  var adoption: Adoption {
    var adoption = Adoption(outcome: .moved)
    for move in moves where move.named.role == .render {
      adoption.render = move.isThere ? move.target : nil
      adoption.isRenderMissing = !move.isThere
    }
    return adoption
  }
}
