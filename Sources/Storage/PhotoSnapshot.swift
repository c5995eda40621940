import FoundationEssentials
import Glibc
import SafelightFiles

/// What the files of one photo say, all at the same moment.
package struct PhotoSnapshot: Sendable {
  /// The original, open for reading.
  package let original: OriginalFile
  /// The record; `nil` when the photo is not edited.
  package let record: Record?
  /// Whether a change was decided and not finished; the next transaction finishes it.
  package let needsRecovery: Bool

  /// The paths of those files of the record that exist.
  let places: [FileRole: FilePath]
  /// Renders of other edits that have the places of files of the record, which count as missing.
  let unsynced: [FileRole: UnsyncedRender]
  let names: PhotoNames
  /// The names that the photo's hidden files have since it was renamed with its sidecar; `nil` when they have those
  /// of ``names``.
  let formerNames: PhotoNames?
  let contents: FileContents
  /// The sidecar as it was found, with the names that its files have now; `nil` when there is none or a
  /// pending record takes its place.
  let sidecar: LoadedRecord?

  /// Another program's sidecar that the edit replaced, or that a first edit would replace.
  var replacedSidecar: Data? {
    guard let record, record.isForeign else { return record?.replacedSidecar }
    return sidecar.map { Data($0.bytes) }
  }

  /// Where the render is now; `nil` without an edit, or when the file is missing.
  ///
  /// After a crash it may have a hidden name until the next transaction on the photo begins.
  package var render: FilePath? { places[.render] }
  /// Where the base is now; `nil` when the edit starts from the original, or the file is missing.
  package var base: FilePath? { places[.base] }

  /// Where a file of the photo is now; `nil` when there should be none, or it is missing.
  package func path(of role: FileRole) -> FilePath? {
    switch role {
    case .original: original.path
    case .sidecar: record.map { _ in names.record }
    default: places[role]
    }
  }

  /// Whether files of the edit are there under names that no file of this photo gets, such as those made from
  /// the photo's former name. They are never replaced or removed.
  package var hasForeignNames: Bool {
    record?.files.contains { places[$0.role] != nil && !names.isOwnName($0) } ?? false
  }

  /// The paths of all files of the edit that exist, without the sidecar.
  package var paths: [FilePath] {
    places.values + unsynced.values.filter(\.isOfPhoto).map(\.path)
  }

  /// Where the sidecar is or would be.
  package var recordPath: FilePath { names.record }

  /// Throws when the original is not the photo that the record is about, or is turned.
  ///
  /// It takes as long as reading the file once, or twice when other programs wrote metadata into it.
  /// A photo and its sidecar that were renamed together are fine.
  /// - Throws: ``StorageError/originalChanged(_:)`` or
  ///   ``StorageError/recordBelongsToAnotherPhoto(record:recorded:)``.
  package func checkOriginal() throws(StorageError) {
    guard let recorded = record?.original, try !originalLikeness().isSame else { return }
    if recorded.name == original.name { throw .originalChanged(original.path) }
    throw .recordBelongsToAnotherPhoto(record: names.record, recorded: recorded.name)
  }

  /// The original compared with what the record says of it; the same when the record says nothing.
  package func originalLikeness() throws(StorageError) -> OriginalFile.Likeness {
    guard let record, let recorded = record.original else { return .same }
    return try original.likeness(to: recorded, picture: record.picture)
  }

  /// Throws when a file of the edit is there and is not as recorded.
  ///
  /// - Throws: ``StorageError/baseChanged(_:)`` for the base, else
  ///   ``StorageError/renderChanged(_:)``.
  package func check(_ role: FileRole) throws(StorageError) {
    if let named = record?.namedFiles.first(where: { $0.role == role }) { try check(named) }
  }

  /// Throws when a file that the record names is there and is not as recorded.
  ///
  /// - Throws: ``StorageError/baseChanged(_:)`` for the base, else
  ///   ``StorageError/renderChanged(_:)``.
  package func check(_ named: Record.File) throws(StorageError) {
    guard let path = places[named.role] else { return }
    guard try contents.content(of: path) == .file(named.file.sha256) else {
      throw named.role.changed(path)
    }
  }

  /// Throws when there is only another program's sidecar, or when named versions would be lost.
  ///
  /// - Throws: ``StorageError/foreignSidecar(_:)`` or ``StorageError/hasVersions(_:_:)``.
  package func checkRevertible(droppingVersions: Bool) throws(StorageError) {
    if record?.isForeign == true { throw .foreignSidecar(names.record) }
    let versions = record?.versions.map(\.name) ?? []
    if !versions.isEmpty, !droppingVersions { throw .hasVersions(original.path, versions) }
  }
}

extension PhotoSnapshot {
  /// Looks at the files around an original that is locked.
  ///
  /// - Parameter exactly: Whether renders are read to see whether they are the recorded ones, rather than
  ///   compared by their length. Changes read them in any case.
  static func load(
    _ original: OriginalFile, exactly: Bool = false
  ) throws(StorageError) -> PhotoSnapshot {
    let fileSystem = original.fileSystem
    let names = PhotoNames(original.path)
    let contents = FileContents(around: original, fileSystem)
    var unfinished = try names.pendingRecord(fileSystem)
    var sidecar = unfinished == nil ? try LoadedRecord.load(names.record, fileSystem) : nil
    let former = try sidecar.flatMap { (sidecar) throws(StorageError) in
      try names.beforeRenaming(sidecar, fileSystem)
    }
    if let former { unfinished = try former.pendingRecord(fileSystem) }
    let hidden = former ?? names
    // What a stranger decided does not count; see ``FileContents/mayDecide(_:)``.
    let pending = unfinished.flatMap { contents.mayDecide($0.status) ? $0 : nil }
    if pending != nil {
      sidecar = nil
    } else if sidecar == nil {
      sidecar = try LoadedRecord.load(names.record, fileSystem)
    }
    let staged = pending == nil ? [] : try hidden.presentStaged(fileSystem)
    // A pending change is decided: readers see it as if it were finished.
    var record =
      if let pending {
        try pending.recordOnceFinished(around: hidden, contents, staged)
      } else {
        try sidecar?.record()
      }
    if let found = record, let present = sidecar,
      let followed = try present.followingFiles(of: found, around: names, contents)
    {
      (sidecar, record) = (followed, try followed.record())
    }
    var places: [FileRole: FilePath] = [:]
    var unsynced: [FileRole: UnsyncedRender] = [:]
    for file in record?.namedFiles ?? [] {
      let path = names.path(of: file.file.name)
      if let record,
        let render = contents.unsyncedRender(file, at: path, of: record, exactly: exactly)
      {
        unsynced[file.role] = render
      } else if try contents.exists(path) {
        places[file.role] = path
      }
      guard !staged.isEmpty, let kind = record?.stagedKind(of: file.role) else { continue }
      // A staged name has the file that was replaced, for a moment in which both are exchanged.
      if let path = try contents.path(of: kind, holding: file.file.sha256, among: staged) {
        places[file.role] = path
        unsynced[file.role] = nil
      }
    }
    if pending == nil, let record,
      let left = try contents.unsyncedRender(of: record, around: names)
    {
      unsynced[.render] = left
    }
    return PhotoSnapshot(
      original: original, record: record, needsRecovery: unfinished != nil, places: places,
      unsynced: unsynced, names: names, formerNames: former, contents: contents, sidecar: sidecar)
  }
}

extension LoadedRecord {
  /// The record that stands once this pending record's change is finished.
  fileprivate func recordOnceFinished(
    around names: PhotoNames, _ contents: FileContents, _ staged: [FilePath]
  ) throws(StorageError) -> Record? {
    switch try names.change(of: self, contents) {
    case .commit(let record):
      return record
    case .revert(let revert):
      guard let restores = revert.restores else { return nil }
      let sidecar = try contents.path(
        of: HiddenFile.StagedKind(.sidecar), holding: restores, among: staged)
      return try LoadedRecord.load(sidecar ?? names.record, contents.fileSystem)?.record()
    }
  }
}

extension PhotoSnapshot {
  /// Where a new file of the edit will go: over the one that the record names, else to a free name. A sidecar has
  /// only one place.
  package func plannedPath(_ role: FileRole) throws(StorageError) -> FilePath {
    try checkRecordName()
    if role == .sidecar { return names.record }
    if let present = try presentPath(role) { return present }
    for path in try newPaths(role) {
      guard path.nameFits else { throw .nameTooLong(path, limit: PhotoNames.limit) }
      if try !contents.exists(path) { return path }
    }
    throw .nameTaken(names.candidates(role.suffix).map(names.path))
  }

  /// Where a new file of the edit may go, the path to prefer first: where the record says that the file is, although
  /// it is missing. Names that another photo's record has are left to that photo.
  func newPaths(_ role: FileRole) throws(StorageError) -> [FilePath] {
    let candidates = names.candidates(role.suffix)
    let files = try record.map { (record) throws(StorageError) in
      try names.ownFiles(of: record, contents)
    }
    let recorded = files?.first { $0.role == role }?.file.name
    let others = try contents.filesOfTwins(of: names)
    let free = candidates.filter { $0 != recorded && !others.contains($0) }
    return (candidates.filter { $0 == recorded } + free).map(names.path)
  }

  private func checkRecordName() throws(StorageError) {
    guard names.record.nameFits else {
      throw .nameTooLong(names.record, limit: PhotoNames.limit)
    }
  }

  /// The file that the record names, if it is there and this photo's own.
  private func presentPath(_ role: FileRole) throws(StorageError) -> FilePath? {
    guard let record else { return nil }
    if role == .render, record.render == nil { return unsynced[role]?.path }
    guard
      let recorded = try names.ownFiles(of: record, contents)
        .first(where: { $0.role == role })?.file
    else { return nil }
    let path = names.path(of: recorded.name)
    switch try contents.content(of: path) {
    case .missing: return nil
    case .file(recorded.sha256): return path
    // The render before stays when a commit could not put the new one into place.
    case .file(let digest) where unsynced[role]?.digest == digest:
      return unsynced[role]?.isOfPhoto == true ? path : nil
    case .file, .somethingElse: throw role.changed(path)
    }
  }
}

extension FilePath {
  var nameFits: Bool { (lastComponent?.bytes.count ?? 0) <= PhotoNames.limit }

  /// What the staged file at this path is to become; `nil` for all other files.
  var stagedKind: HiddenFile.StagedKind? { lastComponent.flatMap(HiddenFile.init)?.stagedKind }
}

extension PhotoSnapshot {
  /// A file compared with what the record says of it.
  package enum Condition: Sendable, Hashable {
    /// It holds what the record says.
    case asRecorded
    /// There is no such file.
    case missing
    /// It is the render of another edit of the photo, or of another photo.
    case unsynced(UnsyncedRender.Content)
    /// It is something else.
    case changed
  }

  /// Looks at a file that the record names, which takes as long as reading it once.
  ///
  /// - Throws: ``StorageError/fileSystem(_:)`` when it cannot be read.
  package func condition(of named: Record.File) throws(StorageError) -> Condition {
    let path = path(of: named)
    switch try contents.content(of: path) {
    case .missing: return .missing
    case .file(named.file.sha256): return .asRecorded
    case .file, .somethingElse:
      let render = record.flatMap { contents.unsyncedRender(named, at: path, of: $0) }
      return render.map { .unsynced($0.content) } ?? .changed
    }
  }

  /// Where a file that the record names is, or would be.
  ///
  /// After a crash it may have a hidden name until the next transaction begins.
  package func path(of named: Record.File) -> FilePath {
    path(of: named.role) ?? names.path(of: named.file.name)
  }

  /// Where a file that the record names is, or belongs once every change is finished: under the photo's present
  /// name when it is not there under a former one.
  package func finalPath(of named: Record.File) -> FilePath {
    let renamed = record.flatMap { names.newName(of: named, of: $0) }
    let isThere = places[named.role] != nil || unsynced[named.role] != nil
    return names.path(
      of: isThere || names.isOwnName(named) ? named.file.name : renamed ?? named.file.name)
  }

  /// The record of a change that was decided and not finished.
  package var pendingPath: FilePath { (formerNames ?? names).pending }

  /// Why the photo cannot be changed, when something that Safelight did not make has the name of a claim.
  package func hiddenNameTaken() -> StorageError? {
    do {
      for names in [names] + names.aroundRenders { try names.checkClaimsName(contents.fileSystem) }
      return nil
    } catch {
      return error
    }
  }

  /// Hidden files that a process left when it died before it decided its change.
  ///
  /// - Parameter searching: Whether to list the folder for them even when no claim was left.
  package func leftovers(searching: Bool) throws(StorageError) -> [FilePath] {
    if needsRecovery { return [] }
    let fileSystem = contents.fileSystem
    var leftovers: [FilePath] = []
    for names in [names] + [formerNames].compactMap(\.self) {
      // What is beside a decided change is that one's, another photo's that had this name before.
      if try contents.exists(names.pending) { continue }
      let isLeftOver = try onDisk { () throws(FileSystemError) in
        try Claim.state(names, fileSystem) == .leftOver
      }
      guard isLeftOver || searching else { continue }
      leftovers += try names.presentStaged(fileSystem) + (isLeftOver ? [names.claim] : [])
      leftovers += try names.renderClaims(fileSystem)
    }
    return leftovers
  }
}
