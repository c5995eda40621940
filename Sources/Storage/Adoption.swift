import SafelightFiles

/// What it takes to give a photo the edit that it had under another name or in another folder.
///
/// A value: nothing changes before ``Transaction/adoptEdit(_:)``.
package struct Adoption: Sendable {
  /// What there is to do.
  package enum Outcome: Sendable, Hashable {
    /// The edit becomes this photo's, under the photo's name.
    case moved
    /// There is nothing to move: the record is gone, or its photo is back.
    case nothingToMove
    /// This photo has another edit, which stays.
    case hasAnEdit
  }

  /// What there is to do.
  package let outcome: Outcome
  /// Where the render will be; `nil` when there is none.
  package var render: FilePath?
  /// Whether the record names a render that is nowhere.
  package var isRenderMissing = false
  fileprivate var work: Work?

  /// The record to move, and where its files go.
  fileprivate struct Work: Sendable {
    let loaded: LoadedRecord
    let record: Record
    let moves: [MemberMove]
    /// Where the record was, with its files; `nil` when record and photo were renamed together.
    let source: PhotoNames?
    /// Whether this photo has the record already, from a move that was interrupted.
    let hasRecord: Bool
  }

  /// An adoption with this outcome and no work to do.
  package init(_ outcome: Outcome) { self.outcome = outcome }

  fileprivate init(_ work: Work) {
    outcome = .moved
    self.work = work
    for move in work.moves where move.named.role == .render {
      render = move.isThere ? move.target : nil
      isRenderMissing = !move.isThere
    }
  }
}

extension PhotoSnapshot {
  /// What it takes to take over the edit whose record is where the photo was before. Writes nothing.
  ///
  /// - Parameter former: Where the photo was; `nil` when record and photo were renamed together, so
  ///   that only the names in the record have to be put right.
  /// - Throws: ``StorageError``: the record is of another photo, a file is not as recorded, a name
  ///   is taken.
  package func adoption(of former: FilePath?) throws(StorageError) -> Adoption {
    guard let former else { return try adoptionInPlace() }
    let fileSystem = contents.fileSystem
    let source = try PhotoNames(resolving: former, fileSystem)
    guard try !contents.exists(source.path(of: source.original)),
      let loaded = try LoadedRecord.load(around: source, fileSystem),
      case .commit(let record) = try loaded.change()
    else { return Adoption(.nothingToMove) }
    try checkIsOriginal(of: record, at: loaded.path)
    if self.record != nil, try sidecar?.hasSameEdit(as: loaded) != true {
      return Adoption(.hasAnEdit)
    }
    // The files of a pending record are not in place yet, so their new names are not known.
    if loaded.path == source.pending { return Adoption(.moved) }
    return Adoption(
      Adoption.Work(
        loaded: loaded, record: record,
        moves: try moves(of: record, from: source, alreadyAs: self.record), source: source,
        hasRecord: self.record != nil))
  }

  private func adoptionInPlace() throws(StorageError) -> Adoption {
    guard let record, let sidecar, let recorded = record.original, recorded.name != original.name
    else { return Adoption(.nothingToMove) }
    try checkIsOriginal(of: record, at: names.record)
    return Adoption(
      Adoption.Work(
        loaded: sidecar, record: record, moves: try moves(of: record, from: names), source: nil,
        hasRecord: false))
  }
}

extension Transaction {
  /// Takes over an edit.
  ///
  /// New files come first and are committed like an edit; old files go last, and only when they are
  /// as recorded. Whenever the process dies, one of the two records stands with its files, and a
  /// second call finishes.
  ///
  /// - Parameter adoption: From this transaction's ``snapshot``, once
  ///   ``PhotoFiles/begin(timeout:holding:tidying:former:)`` finished what a crash left there.
  /// - Returns: Why files of the old name are still there although the edit is moved; doing it again
  ///   removes them. `nil` when all is done.
  /// - Throws: ``StorageError``. Then everything stays as it is.
  package func adoptEdit(_ adoption: Adoption) throws(StorageError) -> StorageError? {
    try requireOpen()
    guard let work = adoption.work else { return nil }
    if let source = work.source {
      try contents.requireReplaceable(source.record)
      for named in try source.ownFiles(of: work.record, fileSystem) {
        try contents.requireReplaceable(source.path(of: named.file.name))
      }
    }
    if !work.hasRecord || work.moves.contains(where: \.isCopied),
      let unfinished = try commit(work.moves, of: work.loaded)
    {
      return unfinished
    }
    guard let source = work.source else { return nil }
    do {
      try remove(work, of: source)
      return nil
    } catch {
      return error
    }
  }

  /// Commits the record under this photo's names with copies of its files.
  ///
  /// - Returns: Why not all is in place although the change is made.
  private func commit(
    _ moves: [MemberMove], of record: LoadedRecord
  ) throws(StorageError) -> StorageError? {
    do throws(StorageError) {
      for move in moves where move.isCopied {
        let staged = try stageCopy(of: move.source, as: .file(move.named.role))
        guard staged.sha256 == move.named.file.sha256 else {
          throw move.named.role.changed(move.source)
        }
      }
      try close()
      try original.checkUnchanged()
      try checkSidecar()
      let bytes = try record.renamed(
        for: original.name, moves.newNames, newVersions: stagedVersions, staging: staging,
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
    _ work: Adoption.Work, of source: PhotoNames
  ) throws(StorageError) {
    let kept = Set(work.moves.map(\.target))
    for named in try source.ownFiles(of: work.record, fileSystem) {
      let path = source.path(of: named.file.name)
      guard !kept.contains(path), case .file(let digest) = try contents.content(of: path),
        digest == named.file.sha256
          || named.role != .base && work.record.ownRenders.contains(digest)
      else { continue }
      try contents.requireReplaceable(path)
      try onDisk { () throws(FileSystemError) in try fileSystem.unlink(path) }
    }
    try contents.requireReplaceable(source.record)
    guard try LoadedRecord.load(source.record, fileSystem)?.digest == work.loaded.digest else {
      throw .recordChanged(source.record)
    }
    try onDisk { () throws(FileSystemError) in
      try fileSystem.unlink(source.record)
      try fileSystem.syncFolder(source.folder)
    }
  }
}

extension PhotoFiles {
  /// Whether this photo could take over the edit left behind at `former`: it has no edit, or has
  /// this edit already from a move that was interrupted.
  ///
  /// Looks without waiting for others, so the answer may change a moment later.
  /// - Throws: ``StorageError`` when one of the records cannot be read.
  package func isFree(
    forEditOf former: FilePath, _ fileSystem: FileSystem
  ) throws(StorageError) -> Bool {
    let own = try PhotoNames(resolving: original, fileSystem)
    guard let present = try LoadedRecord.load(around: own, fileSystem) else { return true }
    let source = try PhotoNames(resolving: former, fileSystem)
    guard let lost = try LoadedRecord.load(around: source, fileSystem) else { return false }
    return try present.hasSameEdit(as: lost)
  }
}

extension PhotoSnapshot {
  /// Throws when a record is not about the content of this original.
  func checkIsOriginal(of record: Record, at path: FilePath) throws(StorageError) {
    guard let recorded = record.original else { throw .foreignSidecar(path) }
    guard try original.likeness(to: recorded, picture: record.picture) != .different else {
      throw .recordBelongsToAnotherPhoto(record: path, recorded: recorded.name)
    }
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
  init(resolving photo: FilePath, _ fileSystem: FileSystem) throws(StorageError) {
    let folder = photo.removingLastComponent()
    let name = photo.lastComponent ?? photo
    let resolved = try onDisk { () throws(FileSystemError) in
      try fileSystem.resolve(folder.isEmpty ? "." : folder)
    }
    self.init(resolved.appending(name))
  }
}

/// Where a file of an edit is and where it goes when its photo has another name or folder.
private struct MemberMove {
  let named: Record.File
  let source: FilePath
  let target: FilePath
  /// Whether the source is there and has to be copied.
  let isCopied: Bool
  /// Whether the file will be at its target.
  let isThere: Bool
}

extension [MemberMove] {
  /// The new name of each file by the old one.
  fileprivate var newNames: [FilePath: FilePath] {
    Dictionary(
      map { ($0.named.file.name, $0.target.lastComponent ?? $0.target) },
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
  private func moves(
    of record: Record, from source: PhotoNames, alreadyAs present: Record? = nil
  ) throws(StorageError) -> [MemberMove] {
    guard names.record.nameFits else {
      throw .nameTooLong(names.record, limit: PhotoNames.limit)
    }
    var moves: [MemberMove] = []
    for (index, named) in record.files.enumerated() {
      let from = source.path(of: named.file.name)
      let isThere = try holds(from, named, of: record)
      let target: FilePath
      var isDone = false
      if let there = present?.files[index] {
        target = names.path(of: there.file.name)
        isDone = try holds(target, there, of: record)
      } else {
        target = try freePath(for: named, keeping: from)
      }
      moves.append(
        MemberMove(
          named: named, source: from, target: target,
          isCopied: isThere && from != target && !isDone, isThere: isThere || isDone))
    }
    return moves
  }

  /// Whether a file is there; when it is, it must hold what the record says. The render of another edit
  /// counts as missing.
  private func holds(
    _ path: FilePath, _ named: Record.File, of record: Record
  ) throws(StorageError) -> Bool {
    switch try contents.content(of: path) {
    case .missing: return false
    case .file(named.file.sha256): return true
    case .file, .somethingElse:
      if contents.unsyncedRender(named, at: path, of: record) != nil { return false }
      throw named.role.changed(path)
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
