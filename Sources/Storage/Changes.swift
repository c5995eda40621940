import FoundationEssentials
import SafelightAdjustments
import SafelightFiles
import SafelightFormats

/// An edit whose files are staged, to become the photo's.
package struct StagedEdit: Sendable {
  /// The edit, 1 byte to `AdjustmentData.maximumSize`.
  let data: AdjustmentData
  /// The program that made it, by its bundle identifier.
  let editor: String
  /// When it was made; fractions of a second are dropped.
  let timestamp: Date
  /// The rendered JPEG; `nil` for an edit that shows the original.
  let render: StagedRender?
  /// Which pixels the edit starts from.
  package var base = BasePhoto.keep
  /// What becomes of the present edit.
  package var history = HistoryStep.edit
  /// Whether the original may be another picture than the one that the present record is about.
  package var acceptsOriginal = false
  /// What takes the place of the photo's earlier edits, present, undone and named, by the data that they have.
  package var converted: [AdjustmentData: AdjustmentData] = [:]
  /// New renders of named versions.
  package var versions: [StagedRender] = []
  /// Whether the video of the present edit stays, where none is staged.
  package var keepsVideo = false

  /// An edit that starts from the pixels that the edit before it started from.
  package init(
    _ data: AdjustmentData, editor: String, timestamp: Date, render: StagedRender?
  ) {
    (self.data, self.editor, self.timestamp, self.render) = (data, editor, timestamp, render)
  }
}

/// Which pixels a new edit starts from.
package enum BasePhoto: Sendable, Hashable {
  /// Those that the edit before it started from.
  case keep
  /// The original's.
  case none
  /// A new base, from ``Transaction/stageBaseFromCurrentRender()``.
  case replace(StagedFile)
}

extension Transaction {
  /// Makes an edit. Readers see the old edit or the new one.
  ///
  /// The first edit takes the place of a sidecar that another program wrote. The record then keeps
  /// its bytes, and so do the records after it, until a revert puts them back.
  ///
  /// - Parameter edit: The edit. Its files are staged by this transaction.
  /// - Returns: What stands now. Look at ``ChangeOutcome/unfinished``.
  /// - Throws: ``StorageError``. Then the old edit stands and what was staged is gone.
  package func commit(_ edit: StagedEdit) throws(StorageError) -> ChangeOutcome {
    try orDiscarding { () throws(StorageError) in
      let base = try stageSharedBase(edit.base)
      try close()
      try check(edit)
      let earlier = record?.converting(edit.converted)
      let (past, redo) = try edit.history.applied(to: earlier, edit.data, original.path)
      try checkFiles(acceptingOriginal: edit.acceptsOriginal)
      var members: [FileRole: RecordedMember] = [:]
      let place = try edit.render.map(findPlace)
      members[.render] = place?.recorded
      members[.base] = try recordedBase(base)
      for role in FileRole.single where role != .render && role != .base {
        if let file = stagedFile(role) {
          members[role] = RecordedMember(file.recorded(at: try snapshot.plannedPath(role)))
        } else if edit.keepsVideo, let record,
          try names.ownFiles(of: record, contents).contains(where: { $0.role == role })
        {
          members[role] = record.members[role]
        }
      }
      if edit.render == nil {
        // The record still names the render that goes.
        guard Record.isOriginal(edit.data, hasBase: members[.base] != nil),
          record?.isForeign == false
        else { throw .notStaged(original.path) }
        try putAsideNewerRenders { $0 == .render }
      }
      let new = Record(
        edit.data, editorBundleID: edit.editor, timestamp: edit.timestamp,
        original: RecordedFile(
          name: original.name, size: original.status.size, sha256: try original.digest()),
        picture: try picture(), members: members, history: past, redo: redo,
        versions: try keptVersions(of: earlier, with: edit.versions), newVersions: stagedVersions,
        staging: staging, replaces: place?.replaces,
        replacesRecord: snapshot.sidecar?.digest, replacedSidecar: snapshot.replacedSidecar,
        carryingOver: record)
      let unfinished = try decide(.commit(new))
      return ChangeOutcome(record: new, render: place?.path, unfinished: unfinished)
    }
  }

  /// Where the render of a new edit goes, what the record says of it, and the render whose place it takes.
  private func findPlace(
    for render: StagedRender
  ) throws(StorageError) -> (path: FilePath, recorded: RecordedMember, replaces: Digest?) {
    guard isStaged(render.file, as: .render) else { throw .notStaged(original.path) }
    let path = try claimedRenderPath()
    var replaces: Digest?
    if case .file(let digest) = try contents.content(of: path),
      snapshot.unsynced[.render]?.isNewer != true
    {
      replaces = digest
    }
    return (path, RecordedMember(render.recorded(at: path)), replaces)
  }

  /// The digest of the original's picture. The file is not read for it again as long as it is the
  /// recorded one.
  private func picture() throws(StorageError) -> Digest? {
    if let known = record?.picture, try snapshot.originalLikeness().isSame { return known }
    return try original.pictureDigest()
  }

  /// A photo that was copied with its sidecar gets a base of its own; the base so far is the first
  /// photo's.
  private func stageSharedBase(_ base: BasePhoto) throws(StorageError) -> BasePhoto {
    guard case .keep = base, let record, let recorded = record.base, let path = snapshot.base,
      try !names.ownFiles(of: record, contents).contains(where: { $0.role == .base })
    else { return base }
    let staged = try stageCopy(of: path, as: .base)
    guard staged.sha256 == recorded.sha256 else { throw .baseChanged(path) }
    return .replace(staged)
  }

  /// The versions, some with a new render. When the photo was copied with its sidecar, the other
  /// renders are the first photo's, and the new record marks them as shared.
  private func keptVersions(
    of record: Record?, with staged: [StagedRender]
  ) throws(StorageError) -> [RecordedVersion] {
    guard let record, !record.versions.isEmpty else { return [] }
    let own = Set(try names.unsharedFiles(of: record, contents).map(\.role))
    let new = Dictionary(staged.map { ($0.file.role, $0) }, uniquingKeysWith: { first, _ in first })
    var versions: [RecordedVersion] = []
    for version in record.versions {
      let role = FileRole.version(version.name)
      if let render = new[role] {
        guard isStaged(render.file, as: role) else { throw .notStaged(original.path) }
        versions.append(version.with(render: render.recorded(at: try snapshot.plannedPath(role))))
      } else {
        versions.append(own.contains(role) ? version : version.shared())
      }
    }
    return versions
  }

  private func recordedBase(_ base: BasePhoto) throws(StorageError) -> RecordedMember? {
    switch base {
    case .none: return nil
    case .keep: return record?.members[.base]
    case .replace(let staged):
      guard isStaged(staged, as: .base) else { throw .notStaged(original.path) }
      return RecordedMember(staged.recorded(at: try snapshot.plannedPath(.base)))
    }
  }

  /// Throws when a record cannot carry the edit.
  private func check(_ edit: StagedEdit) throws(StorageError) {
    let data = edit.data
    guard (1...AdjustmentData.maximumSize).contains(data.data.count) else {
      throw .invalidAdjustmentDataSize(data.data.count, limit: AdjustmentData.maximumSize)
    }
    let texts = [edit.editor, edit.render?.renderer, data.formatIdentifier, data.formatVersion]
    for text in texts.compactMap(\.self) {
      guard XMLText.canCarry(text) else { throw .unwritableText(text) }
    }
  }
}

/// An edit of another record of the photo that becomes a named version.
package struct KeptVersion: Sendable {
  /// The edit as the other record has it.
  let edit: HistoryEntry
  /// The edits before it that no other place has.
  let earlier: [HistoryEntry]
  /// Its render, staged as that of the version.
  let render: StagedRender

  /// An edit to be kept.
  package init(_ edit: HistoryEntry, after earlier: [HistoryEntry], render: StagedRender) {
    (self.edit, self.earlier, self.render) = (edit, earlier, render)
  }
}

extension Transaction {
  /// Keeps the present edit under a name, with a copy of its render.
  ///
  /// The edit itself stays as it is, and so does its history. A version that is replaced keeps the
  /// spelling of its name, since capital and small letters count as the same.
  ///
  /// - Parameters:
  ///   - name: See ``RecordedVersion/isName(_:)``.
  ///   - replacing: Whether it may take the place of a version of the same name.
  /// - Returns: What stands now. Look at ``ChangeOutcome/unfinished``.
  /// - Throws: ``StorageError``: a name that is not allowed or that a version has, a render that is
  ///   missing or that somebody changed. Then everything stays as it is.
  package func saveVersion(
    named name: String, replacing: Bool = false
  ) throws(StorageError) -> ChangeOutcome {
    try orDiscarding { () throws(StorageError) in
      try requireOpen()
      let earlier = try snapshot.checkNewVersion(named: name, replacing: replacing)
      guard let record, let render = record.render, let path = snapshot.render else {
        throw .renderMissing(original.path)
      }
      let name = earlier?.name ?? name
      let staged = try stageCopy(of: path, as: .version(name))
      guard staged.sha256 == render.file.sha256 else { throw .renderChanged(path) }
      try close()
      try checkFiles()
      let version = RecordedVersion(
        name, keeping: record,
        render: RecordedRender(
          file: staged.recorded(at: try snapshot.plannedVersionPath(named: name)),
          pixelWidth: render.pixelWidth, pixelHeight: render.pixelHeight,
          renderer: render.renderer, isLossless: render.isLossless))
      var versions = record.versions
      if let index = versions.firstIndex(where: { $0.name == name }) {
        versions[index] = version
      } else {
        versions.append(version)
      }
      return try decide(versions, of: record)
    }
  }

  /// Drops a version and its render. The present edit stays, also when it is the same.
  ///
  /// - Throws: ``StorageError/versionMissing(_:_:present:)``, ``StorageError/renderChanged(_:)``
  ///   when somebody changed its render, or another ``StorageError``. Then everything stays.
  package func removeVersion(named name: String) throws(StorageError) -> ChangeOutcome {
    try close()
    discardStaged()
    let version = try snapshot.version(named: name)
    guard let record else { throw .versionMissing(original.path, name, present: []) }
    var files: [Record.File] = []
    for file in try names.ownFiles(of: record, contents)
    where file.role == .version(version.name) {
      if let file = try snapshot.removable(file, of: record) { files.append(file) }
    }
    return try makingRoom(by: files, of: record) { () throws(StorageError) in
      try checkSidecar()
      try putAsideNewerRenders { $0 == .version(version.name) }
      return try decide(record.versions.filter { $0.name != version.name }, of: record)
    }
  }

  /// Keeps edits of other records of the photo under names, such as those that a sync made of a conflict.
  /// The present edit and its history stay as they are.
  ///
  /// - Parameters:
  ///   - kept: The edits, with renders that this transaction staged.
  ///   - others: The other records. Their renders are known from now on, so that one that comes late is
  ///     not mistaken for somebody's own picture.
  /// - Throws: ``StorageError``. Then everything stays as it is.
  package func keepVersions(
    _ kept: [KeptVersion], of others: [Record]
  ) throws(StorageError) -> ChangeOutcome {
    try orDiscarding { () throws(StorageError) in
      try close()
      try checkFiles()
      guard let record else { throw .renderMissing(original.path) }
      var versions = record.versions
      for version in kept {
        let file = version.render.file
        guard let name = file.role.name, isStaged(file, as: file.role),
          let new = RecordedVersion(
            name, keeping: version.edit, after: version.earlier,
            render: version.render.recorded(at: try snapshot.plannedPath(file.role)))
        else { throw .notStaged(original.path) }
        versions.removeAll { $0.isCalled(new.name) }
        versions.append(new)
      }
      return try decide(versions, of: record, knowing: others.flatMap(\.toldRenders))
    }
  }

  private func decide(
    _ versions: [RecordedVersion], of record: Record, knowing renders: [Digest] = []
  ) throws(StorageError) -> ChangeOutcome {
    let record = record.with(
      versions: versions, newVersions: stagedVersions, staging: staging,
      replacesRecord: snapshot.sidecar?.digest, knowing: renders)
    let unfinished = try decide(.commit(record))
    return ChangeOutcome(record: record, render: snapshot.render, unfinished: unfinished)
  }
}

extension PhotoSnapshot {
  /// The version of a name, in capital letters or small ones.
  ///
  /// - Throws: ``StorageError/versionMissing(_:_:present:)``.
  package func version(named name: String) throws(StorageError) -> RecordedVersion {
    guard let version = record?.version(named: name) else {
      throw .versionMissing(
        original.path, name, present: record?.versions.map(\.name) ?? [])
    }
    return version
  }

  /// Throws when the present edit cannot be kept under a name.
  ///
  /// - Returns: The version that would be replaced.
  /// - Throws: ``StorageError/invalidVersionName(_:)`` or ``StorageError/versionExists(_:_:)``.
  @discardableResult
  package func checkNewVersion(
    named name: String, replacing: Bool
  ) throws(StorageError) -> RecordedVersion? {
    guard RecordedVersion.isName(name) else { throw .invalidVersionName(name) }
    let earlier = record?.version(named: name)
    if let earlier, !replacing { throw .versionExists(original.path, earlier.name) }
    return earlier
  }

  /// Where the render of a version to be saved will go.
  package func plannedVersionPath(named name: String) throws(StorageError) -> FilePath {
    try plannedPath(.version(record?.version(named: name)?.name ?? name))
  }
}
