import SafelightFiles

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

  /// Commits the record under this photo's names with copies of its files.
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

extension PhotoFiles {
  /// What an adoption would do, without doing it; see ``Transaction/adoptEdit(of:)``.
  ///
  /// - Parameters:
  ///   - former: Where the photo was; `nil` when record and photo were renamed together.
  ///   - timeout: How long to wait for others. Blocks the thread.
  package func previewAdoption(
    of former: FilePath?, timeout: Duration
  ) throws(StorageError) -> Adoption {
    let snapshot = try read(timeout: timeout)
    let fileSystem = snapshot.contents.fileSystem
    guard let former else {
      guard let record = snapshot.record, record.original?.name != snapshot.original.name else {
        return Adoption(outcome: .nothingToMove)
      }
      try snapshot.checkIsOriginal(of: record, at: snapshot.names.record)
      return try snapshot.moves(of: record, from: snapshot.names).adoption
    }
    let source = try onDisk { () throws(FileSystemError) in
      try PhotoNames(resolving: former, fileSystem)
    }
    guard let lost = try LoadedRecord.load(around: source, fileSystem),
      case .commit(let record) = try lost.change()
    else { return Adoption(outcome: .nothingToMove) }
    try snapshot.checkIsOriginal(of: record, at: lost.path)
    if snapshot.record != nil, try !snapshot.hasSameEdit(as: lost) {
      return Adoption(outcome: .hasAnEdit)
    }
    // Its files are not in place before the move begins, so all that is known is that it can.
    if lost.path == source.pending { return Adoption(outcome: .moved) }
    return try snapshot.moves(of: record, from: source, alreadyAs: snapshot.record).adoption
  }

  /// Whether this photo could take over the edit left behind at `former`: it has none, or it has
  /// that one because a move was interrupted.
  ///
  /// Looks without waiting for others, so it may be otherwise a moment later.
  /// - Throws: ``StorageError`` when one of the records cannot be read.
  package func isFree(
    forEditOf former: FilePath, _ fileSystem: FileSystem
  ) throws(StorageError) -> Bool {
    let (own, source) = try onDisk { () throws(FileSystemError) in
      (
        try PhotoNames(resolving: original, fileSystem),
        try PhotoNames(resolving: former, fileSystem)
      )
    }
    guard let present = try LoadedRecord.load(around: own, fileSystem) else { return true }
    guard let lost = try LoadedRecord.load(around: source, fileSystem) else { return false }
    return try present.hasSameEdit(as: lost)
  }
}

extension PhotoSnapshot {
  /// Throws when a record is not about the content of this original.
  func checkIsOriginal(of record: Record, at path: FilePath) throws(StorageError) {
    guard let recorded = record.original else { throw .foreignSidecar(path) }
    guard recorded.size == original.status.size, try original.digest() == recorded.sha256 else {
      throw .recordBelongsToAnotherPhoto(record: path, recorded: recorded.name)
    }
  }

  /// Whether the sidecar says what another record says, but for names of files.
  func hasSameEdit(as other: LoadedRecord) throws(StorageError) -> Bool {
    try sidecar?.hasSameEdit(as: other) ?? false
  }
}

extension LoadedRecord {
  /// Whether two records are the same but for names of files.
  func hasSameEdit(as other: LoadedRecord) throws(StorageError) -> Bool {
    guard case .commit(let one) = try change(), case .commit(let two) = try other.change(),
      let name = one.original?.name, two.original != nil,
      one.files.map(\.role) == two.files.map(\.role)
    else { return false }
    let names = Dictionary(
      zip(two.files, one.files).map { ($0.file.name, $1.file.name) },
      uniquingKeysWith: { first, _ in first })
    return try renamed(for: name, [:]) == other.renamed(for: name, names)
  }
}

extension PhotoNames {
  /// The names around a photo that need not be there, the links to its folder followed.
  init(resolving photo: FilePath, _ fileSystem: FileSystem) throws(FileSystemError) {
    let folder = photo.removingLastComponent()
    let name = photo.lastComponent ?? photo
    self.init(try fileSystem.resolve(folder.isEmpty ? "." : folder).appending(name))
  }
}

/// Where the files of an edit are and where they go when their photo has another name or folder.
struct FileMoves {
  struct Move {
    let named: Record.File
    let source: FilePath
    let target: FilePath
    /// Whether the source is there and has to be copied.
    let isCopied: Bool
    /// Whether the file will be at its target.
    let isThere: Bool
  }

  let moves: [Move]

  /// The new name of each file by the old one.
  var names: [FilePath: FilePath] {
    Dictionary(
      moves.map { ($0.named.file.name, $0.target.lastComponent ?? $0.target) },
      uniquingKeysWith: { first, _ in first })
  }
}

extension PhotoSnapshot {
  /// Finds the places of the files that `record` names, which belong around `source`.
  ///
  /// A file that has a fitting name already stays. Nothing is written.
  /// - Parameter present: The same record under the names of this photo, when a move was begun.
  /// - Throws: ``StorageError/renderChanged(_:)`` or ``StorageError/baseChanged(_:)`` for files that
  ///   are not as recorded, ``StorageError/nameTaken(_:)``, ``StorageError/nameTooLong(_:limit:)``.
  func moves(
    of record: Record, from source: PhotoNames, alreadyAs present: Record? = nil
  ) throws(StorageError) -> FileMoves {
    guard names.record.nameFits else {
      throw .nameTooLong(names.record, limit: PhotoNames.limit)
    }
    var moves: [FileMoves.Move] = []
    for (index, named) in record.files.enumerated() {
      let from = source.path(of: named.file.name)
      let isThere = try holds(from, named)
      let target: FilePath
      var isDone = false
      if let there = present?.files[index] {
        target = names.path(of: there.file.name)
        isDone = try holds(target, there)
      } else {
        target = try freePath(for: named, keeping: from)
      }
      moves.append(
        .init(
          named: named, source: from, target: target,
          isCopied: isThere && from != target && !isDone, isThere: isThere || isDone))
    }
    return FileMoves(moves: moves)
  }

  /// Whether a file is there; when it is, it must hold what the record says.
  private func holds(_ path: FilePath, _ named: Record.File) throws(StorageError) -> Bool {
    switch try contents.content(of: path) {
    case .missing: return false
    case .file(named.file.sha256): return true
    case .file, .somethingElse: throw named.role.changed(path)
    }
  }

  private func freePath(
    for named: Record.File, keeping present: FilePath
  ) throws(StorageError) -> FilePath {
    let candidates = names.candidates(named.role.suffix).map(names.path)
    for path in candidates {
      guard path.nameFits else { throw .nameTooLong(path, limit: PhotoNames.limit) }
      if path == present { return path }
      if try !contents.exists(path) { return path }
    }
    throw .nameTaken(candidates)
  }
}
