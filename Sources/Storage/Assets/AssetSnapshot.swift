import FoundationEssentials

/// What the files of one asset say, all at the same moment.
public struct AssetSnapshot: Sendable {
  /// The original, open for reading.
  public let original: OriginalFile
  /// The record; `nil` when the photo is not edited.
  public let record: Record?
  /// Where the render is now; `nil` without an edit, or when the file is missing.
  ///
  /// After a crash it may have a hidden name until the next transaction on the asset begins.
  public let render: FilePath?
  /// Where the base is now; `nil` when the edit starts from the original, or the file is missing.
  public let base: FilePath?
  /// Whether a change was decided and not finished; the next transaction does that.
  public let needsRecovery: Bool

  let names: AssetNames
  let contents: FileContents
  /// The sidecar as it was found; `nil` when there is none or a pending record takes its place.
  let sidecar: LoadedRecord?

  /// Another program's sidecar that the edit took the place of, or that a first edit would.
  var replacedSidecar: Data? {
    guard let record, record.isForeign else { return record?.replacedSidecar }
    return sidecar.map { Data($0.bytes) }
  }

  /// Where the sidecar is or would be.
  public var recordPath: FilePath { names.record }

  /// Throws when the original is not the photo that the record is about.
  ///
  /// Compares the size, then the SHA-256, which takes as long as reading the file once. A photo
  /// and its sidecar that were renamed together are fine.
  /// - Throws: ``StorageError/originalChanged(_:)`` or
  ///   ``StorageError/recordBelongsToAnotherPhoto(record:recorded:)``.
  public func checkOriginal() throws(StorageError) {
    guard let recorded = record?.original else { return }
    if recorded.size == original.status.size, try original.digest() == recorded.sha256 { return }
    if recorded.name == original.name { throw .originalChanged(original.path) }
    throw .recordBelongsToAnotherPhoto(record: names.record, recorded: recorded.name)
  }

  /// Throws when the render is there and is not the one that the record tells of.
  ///
  /// - Throws: ``StorageError/renderChanged(_:)``.
  public func checkRender() throws(StorageError) {
    guard let render, let recorded = record?.render?.file else { return }
    guard try holds(render, recorded) else { throw .renderChanged(render) }
  }

  /// Throws when the base is there and is not the one that the record tells of.
  ///
  /// - Throws: ``StorageError/baseChanged(_:)``.
  public func checkBase() throws(StorageError) {
    guard let base, let recorded = record?.base else { return }
    guard try holds(base, recorded) else { throw .baseChanged(base) }
  }

  /// Throws when the sidecar is another program's alone: there is no edit to revert then.
  ///
  /// - Throws: ``StorageError/foreignSidecar(_:)``.
  public func checkRevertible() throws(StorageError) {
    if record?.isForeign == true { throw .foreignSidecar(names.record) }
  }

  private func holds(_ path: FilePath, _ recorded: RecordedFile) throws(StorageError) -> Bool {
    try contents.content(of: path) == .file(recorded.sha256)
  }
}

extension AssetSnapshot {
  /// Looks at the files around an original that is locked.
  static func load(
    _ original: OriginalFile, _ fileSystem: FileSystem
  ) throws(StorageError) -> AssetSnapshot {
    let names = AssetNames(original.path)
    let contents = FileContents(around: original.status, fileSystem)
    let pending = try LoadedRecord.load(names.pending, fileSystem)
    let sidecar = pending == nil ? try LoadedRecord.load(names.record, fileSystem) : nil
    // What is pending is decided: readers see it as if it were done.
    let record =
      if let pending {
        try pending.recordOnceCarriedOut(around: names, fileSystem)
      } else {
        try sidecar?.record()
      }
    func existing(_ name: FilePath?, staged: FilePath) throws(StorageError) -> FilePath? {
      guard let name else { return nil }
      for path in (pending == nil ? [] : [staged]) + [names.path(of: name)] {
        if try contents.exists(path) { return path }
      }
      return nil
    }
    return AssetSnapshot(
      original: original, record: record,
      render: try existing(record?.render?.file.name, staged: names.stagedRender),
      base: try existing(record?.base?.name, staged: names.stagedBase),
      needsRecovery: pending != nil, names: names, contents: contents, sidecar: sidecar)
  }
}

extension LoadedRecord {
  /// The record that stands once what this pending one says is carried out.
  fileprivate func recordOnceCarriedOut(
    around names: AssetNames, _ fileSystem: FileSystem
  ) throws(StorageError) -> Record? {
    switch try change() {
    case .commit(let record):
      return record
    case .revert(let revert):
      guard revert.restores != nil else { return nil }
      if let staged = try LoadedRecord.load(names.stagedSidecar, fileSystem) {
        return try staged.record()
      }
      return try LoadedRecord.load(names.record, fileSystem)?.record()
    }
  }
}
