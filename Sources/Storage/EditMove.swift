import SafelightAdjustments
import SafelightFiles

/// What it takes to give a photo the edit that it had under another name or in another folder.
///
/// A value: nothing changes before ``Transaction/moveEdit(_:)``.
package struct EditMove: Sendable {
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
  /// Renders under the former name whose edits the record does not know, and which go to the trash.
  package var newerRenders: [FilePath] = []
  fileprivate var work: Work?

  /// The edit that the photo gets; `nil` without one, or where it cannot be known before.
  package var adjustmentData: AdjustmentData? { work?.record.adjustmentData }
  /// The files that are written and removed, the sidecars too.
  package var files: [FilePath] {
    guard let work else { return [] }
    return work.moves.flatMap { [$0.target, $0.source] } + (work.source.map { [$0.record] } ?? [])
  }

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

  /// A move with this outcome and no work to do.
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
  /// What it takes to move the edit here whose record is where the photo was before. Writes nothing.
  ///
  /// - Parameters:
  ///   - former: Where the photo was; another picture may have that name now. `nil` when record and photo
  ///     were renamed together, so that only the names in the record have to be put right.
  ///   - expectingRoom: Whether an edit that this photo has will have gone elsewhere before. Such a move
  ///     only tells what would be done.
  /// - Throws: ``StorageError``: the record is of another photo, a file is not as recorded, a name
  ///   is taken.
  package func editMove(
    from former: FilePath?, expectingRoom: Bool = false
  ) throws(StorageError) -> EditMove {
    guard let former else { return try editMoveInPlace() }
    let fileSystem = contents.fileSystem
    let source = try PhotoNames(resolving: former, fileSystem)
    guard var loaded = try LoadedRecord.load(around: source, fileSystem),
      case .commit(var record) = try loaded.change(),
      try !record.isOfPhoto(at: source.path(of: source.original), fileSystem)
    else { return EditMove(.nothingToMove) }
    try checkIsOriginal(of: record, at: loaded.path)
    // A change that goes on from the photo's own edit takes its place.
    let isContinued =
      sidecar.map { loaded.digest != $0.digest && loaded.follows($0) } ?? false
    let expectingRoom = expectingRoom || isContinued
    let present = expectingRoom ? nil : self.record
    if loaded.path == source.record,
      let followed = try loaded.followingFiles(of: record, around: source, contents)
    {
      (loaded, record) = (followed, try followed.record())
    }
    if present != nil, try sidecar?.hasSameEdit(as: loaded) != true {
      return EditMove(.hasAnEdit)
    }
    // The files of a pending record are not in place yet, so their new names are not known.
    if loaded.path != source.record { return EditMove(.moved) }
    let leaving = try expectingRoom ? leavingPaths() : []
    var move = EditMove(
      EditMove.Work(
        loaded: loaded, record: record,
        moves: try moves(of: record, from: source, alreadyAs: present, leaving: leaving),
        source: source, hasRecord: present != nil))
    for named in try source.ownFiles(of: record, contents) {
      let path = source.path(of: named.file.name)
      if contents.unsyncedRender(named, at: path, of: record)?.isNewer == true {
        move.newerRenders.append(path)
      }
    }
    return move
  }

  /// The files that go when the edit that is there goes elsewhere.
  private func leavingPaths() throws(StorageError) -> Set<FilePath> {
    guard let record else { return [] }
    var leaving: Set<FilePath> = []
    for named in try names.ownFiles(of: record, contents) {
      let path = names.path(of: named.file.name)
      // What somebody changed stays.
      if try contents.content(of: path) == .file(named.file.sha256) { leaving.insert(path) }
    }
    return leaving
  }

  private func editMoveInPlace() throws(StorageError) -> EditMove {
    guard let record, let sidecar, let recorded = record.original, recorded.name != original.name
    else {
      // The names are put right once the change is finished.
      let isRenamed = record?.original.map { $0.name != original.name } ?? false
      return EditMove(needsRecovery && isRenamed ? .moved : .nothingToMove)
    }
    try checkIsOriginal(of: record, at: names.record)
    return EditMove(
      EditMove.Work(
        loaded: sidecar, record: record, moves: try moves(of: record, from: names), source: nil,
        hasRecord: false))
  }
}

extension Transaction {
  /// Moves an edit to this photo.
  ///
  /// New files come first and are committed like an edit; old files go last, and only when they are
  /// as recorded. Whenever the process dies, one of the two records stands with its files, and a
  /// second call finishes.
  ///
  /// - Parameter move: From this transaction's ``snapshot``, once
  ///   ``PhotoFiles/begin(timeout:holding:tidying:former:)`` finished what a crash left there.
  /// - Returns: Why files of the old name are still there although the edit is moved; doing it again
  ///   removes them. `nil` when all is done.
  /// - Throws: ``StorageError``. Then everything stays as it is.
  package func moveEdit(_ move: EditMove) throws(StorageError) -> StorageError? {
    try requireOpen()
    guard let work = move.work else { return nil }
    if let source = work.source {
      try contents.requireReplaceable(source.record)
      for named in try source.ownFiles(of: work.record, contents) {
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
    try orDiscarding { () throws(StorageError) in
      for move in moves where move.isCopied {
        let staged = try stageCopy(of: move.source, as: move.named.role)
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
      do throws(RecordError) {
        renamed = try Record(parsing: bytes)
      } catch {
        throw .recordUnreadable(record.path, error)
      }
      return try decide(.commit(renamed), as: bytes)
    }
  }

  /// Removes the files of the old name, the record last, so that doing it again finds them. A render whose edit the
  /// record does not know goes to the trash.
  private func remove(
    _ work: EditMove.Work, of source: PhotoNames
  ) throws(StorageError) {
    let kept = Set(work.moves.map(\.target))
    for named in try source.ownFiles(of: work.record, contents) {
      let path = source.path(of: named.file.name)
      if !kept.contains(path),
        contents.unsyncedRender(named, at: path, of: work.record)?.isNewer == true
      {
        try contents.requireReplaceable(path)
        try FolderTrash(source.folder, fileSystem).put([named.file.name], named: source.original)
        continue
      }
      guard !kept.contains(path), case .file(let digest) = try contents.content(of: path),
        work.record.owns(digest, as: named)
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

  /// Gives the edit a place of its own beside the photo, with a record whose photo is not there, so that
  /// another edit can take this one's place. It needs this for two edits that change places.
  ///
  /// Whenever the process dies, a whole edit is at one place at least, and relinking finds it.
  ///
  /// - Returns: Where the photo of the record would be.
  /// - Throws: ``StorageError``.
  package func setAsideEdit() throws(StorageError) -> FilePath {
    guard let record, let sidecar = snapshot.sidecar, !record.isForeign else {
      throw .historyMismatch(original.path)
    }
    let own = try names.ownFiles(of: record, contents)
    let aside = try namesAside(own.map(\.role))
    try orDiscarding { () throws(StorageError) in
      var renames: [(FilePath, FilePath)] = []
      var newNames: [FilePath: FilePath] = [:]
      for named in own {
        guard let path = snapshot.path(of: named.role) else { continue }
        let staged = try stageCopy(of: path, as: named.role)
        guard staged.sha256 == named.file.sha256 else { throw named.role.changed(path) }
        let name = aside.candidates(named.role.suffix)[0]
        newNames[named.file.name] = name
        renames.append((staged.path, aside.path(of: name)))
      }
      try close()
      try checkSidecar()
      try writeDown(try sidecar.renamed(for: aside.original, newNames))
      // The record comes last: it tells that all are there.
      renames.append((stagedPath(.record), aside.record))
      for (staged, target) in renames {
        let isFree = try onDisk { () throws(FileSystemError) in
          try fileSystem.renameWithoutReplacing(staged, to: target)
        }
        if !isFree { throw .nameTaken([target]) }
      }
      try onDisk { () throws(FileSystemError) in try fileSystem.syncFolder(names.folder) }
    }
    handOverStaged()
    try remove(
      EditMove.Work(
        loaded: sidecar, record: record, moves: [], source: names, hasRecord: true), of: names)
    return aside.path(of: aside.original)
  }

  /// Names in the folder that no photo and no file of these roles has.
  private func namesAside(_ roles: [FileRole]) throws(StorageError) -> PhotoNames {
    let stem = names.original.stem ?? names.original
    let ending = names.original.bytes.dropFirst(stem.bytes.count)
    for number in 1... {
      let middle = number == 1 ? "-relinking" : "-relinking-\(number)"
      let name = FilePath(bytes: stem.suffixed(middle).bytes + ending)
      let aside = PhotoNames(names.path(of: name))
      let paths =
        [aside.path(of: name), aside.record]
        + roles.map { aside.path(of: aside.candidates($0.suffix)[0]) }
      var isFree = true
      for path in paths where try contents.exists(path) { isFree = false }
      if isFree { return aside }
    }
    throw .nameTaken([names.record])
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
  /// - Parameters:
  ///   - present: The same record under the names of this photo, when a move was begun.
  ///   - leaving: Files whose names will be free.
  /// - Throws: ``StorageError/renderChanged(_:)`` or ``StorageError/baseChanged(_:)`` for files that
  ///   are not as recorded, ``StorageError/nameTaken(_:)``, ``StorageError/nameTooLong(_:limit:)``.
  private func moves(
    of record: Record, from source: PhotoNames, alreadyAs present: Record? = nil,
    leaving: Set<FilePath> = []
  ) throws(StorageError) -> [MemberMove] {
    guard names.record.nameFits else {
      throw .nameTooLong(names.record, limit: PhotoNames.limit)
    }
    var moves: [MemberMove] = []
    for (index, named) in record.files.enumerated() {
      let from = source.path(of: named.file.name)
      if present == nil, let name = try nameHere(of: named, record, movedFrom: from) {
        moves.append(
          MemberMove(
            named: named, source: from, target: names.path(of: name), isCopied: false,
            isThere: true))
        continue
      }
      let isThere = try holds(from, named, of: record)
      let target: FilePath
      var isDone = false
      if let there = present?.files[index] {
        target = names.path(of: there.file.name)
        isDone = try holds(target, there, of: record)
      } else {
        target = try freePath(for: named, keeping: from, leaving)
      }
      moves.append(
        MemberMove(
          named: named, source: from, target: target,
          isCopied: isThere && from != target && !isDone, isThere: isThere || isDone))
    }
    return moves
  }

  /// The name that a file of an edit has around this photo already; `nil` when it has none.
  ///
  /// It may have been renamed with the photo, or have a name that fits both. One that somebody retouched keeps its
  /// name, and the record goes on to tell what it should be.
  private func nameHere(
    of named: Record.File, _ record: Record, movedFrom path: FilePath
  ) throws(StorageError) -> FilePath? {
    if let name = try names.ownName(holding: named, of: record, contents) { return name }
    let own = names.path(of: named.file.name)
    if own == path, names.isOwnName(named), try contents.exists(own) {
      return contents.unsyncedRender(named, at: own, of: record) == nil ? named.file.name : nil
    }
    return try contents.exists(path)
      ? nil : names.nameOfPicture(for: named, in: record, contents.fileSystem)
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
    for named: Record.File, keeping present: FilePath, _ leaving: Set<FilePath>
  ) throws(StorageError) -> FilePath {
    let candidates = names.candidates(named.role.suffix).map(names.path)
    for path in candidates {
      guard path.nameFits else { throw .nameTooLong(path, limit: PhotoNames.limit) }
      if path == present || leaving.contains(path) { return path }
      if let name = path.lastComponent, try contents.filesOfTwins(of: names).contains(name) {
        continue
      }
      if try !contents.exists(path) { return path }
    }
    throw .nameTaken(candidates)
  }
}
