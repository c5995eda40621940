extension Transaction {
  /// Keeps the present edit under a name, with a copy of its render, in one step for whoever reads.
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
  public func saveVersion(
    named name: String, replacing: Bool = false
  ) throws(StorageError) -> ChangeOutcome {
    do throws(StorageError) {
      try requireOpen()
      let earlier = try snapshot.checkNewVersion(named: name, replacing: replacing)
      guard let record, let render = record.render, let path = snapshot.render else {
        throw .renderMissing(original.path)
      }
      let name = earlier?.name ?? name
      let staged = try stageCopy(of: path, as: .file(.version(name)))
      guard staged.sha256 == render.file.sha256 else { throw .renderChanged(path) }
      try close()
      try checkFiles()
      let version = RecordedVersion(
        name, keeping: record,
        render: RecordedRender(
          file: staged.recorded(at: try snapshot.plannedVersionPath(named: name)),
          pixelWidth: render.pixelWidth, pixelHeight: render.pixelHeight,
          renderer: render.renderer))
      var versions = record.versions
      if let index = versions.firstIndex(where: { $0.name == name }) {
        versions[index] = version
      } else {
        versions.append(version)
      }
      return try decide(versions, newVersions: stagedVersions, of: record)
    } catch {
      discardStaged()
      throw error
    }
  }

  /// Drops a version and its render. The present edit stays, also when it is the same.
  ///
  /// - Throws: ``StorageError/versionMissing(_:_:present:)``, ``StorageError/renderChanged(_:)``
  ///   when somebody changed its render, or another ``StorageError``. Then everything stays.
  public func removeVersion(named name: String) throws(StorageError) -> ChangeOutcome {
    try close()
    discardStaged()
    let version = try snapshot.version(named: name)
    guard let record else { throw .versionMissing(original.path, name, present: []) }
    for file in try names.ownFiles(of: record, fileSystem)
    where file.role == .version(version.name) {
      _ = try removable(file, of: record)
    }
    try checkSidecar()
    return try decide(
      record.versions.filter { $0.name != version.name }, newVersions: [], of: record)
  }

  private func decide(
    _ versions: [RecordedVersion], newVersions: [String], of record: Record
  ) throws(StorageError) -> ChangeOutcome {
    let record = record.with(
      versions: versions, newVersions: newVersions, replacesRecord: snapshot.sidecar?.digest)
    let unfinished = try decide(.commit(record), record.encoded())
    return ChangeOutcome(record: record, render: snapshot.render, unfinished: unfinished)
  }
}

extension PhotoSnapshot {
  /// The version of a name, in capital letters or small ones.
  ///
  /// - Throws: ``StorageError/versionMissing(_:_:present:)``.
  public func version(named name: String) throws(StorageError) -> RecordedVersion {
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
  public func checkNewVersion(
    named name: String, replacing: Bool
  ) throws(StorageError) -> RecordedVersion? {
    guard RecordedVersion.isName(name) else { throw .invalidVersionName(name) }
    let earlier = record?.version(named: name)
    if let earlier, !replacing { throw .versionExists(original.path, earlier.name) }
    return earlier
  }

  /// Where the render of a version to be saved will go.
  ///
  /// - Throws: As ``plannedRenderPath()``.
  public func plannedVersionPath(named name: String) throws(StorageError) -> FilePath {
    try plannedPath(Record.FileRole.version(record?.version(named: name)?.name ?? name))
  }
}
