import FoundationEssentials

/// What the files of one asset say, all at the same moment.
public struct PhotoSnapshot: Sendable {
  /// The original, open for reading.
  public let original: OriginalFile
  /// The record; `nil` when the photo is not edited.
  public let record: Record?
  /// Whether a change was decided and not finished; the next transaction does that.
  public let needsRecovery: Bool

  /// Where the files are that the record names, as far as they are there.
  let places: [Record.FileRole: FilePath]
  let names: PhotoNames
  let contents: FileContents
  /// The sidecar as it was found; `nil` when there is none or a pending record takes its place.
  let sidecar: LoadedRecord?

  /// Another program's sidecar that the edit took the place of, or that a first edit would.
  var replacedSidecar: Data? {
    guard let record, record.isForeign else { return record?.replacedSidecar }
    return sidecar.map { Data($0.bytes) }
  }

  /// Where the render is now; `nil` without an edit, or when the file is missing.
  ///
  /// After a crash it may have a hidden name until the next transaction on the asset begins.
  public var render: FilePath? { places[.render] }
  /// Where the base is now; `nil` when the edit starts from the original, or the file is missing.
  public var base: FilePath? { places[.base] }

  /// Where a file of the edit is now; `nil` when there should be none, or it is missing.
  public func path(of role: Record.FileRole) -> FilePath? { places[role] }

  /// Where all files of the edit are that are there, the sidecar not among them.
  public var paths: [FilePath] { Array(places.values) }

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
    try check(.render)
  }

  /// Throws when the base is there and is not the one that the record tells of.
  ///
  /// - Throws: ``StorageError/baseChanged(_:)``.
  public func checkBase() throws(StorageError) {
    try check(.base)
  }

  /// Throws when a file of the edit is there and is not the one that the record tells of.
  ///
  /// - Throws: ``StorageError/baseChanged(_:)`` for the base, else
  ///   ``StorageError/renderChanged(_:)``.
  public func check(_ role: Record.FileRole) throws(StorageError) {
    guard let path = places[role],
      let recorded = record?.namedFiles.first(where: { $0.role == role })?.file
    else { return }
    guard try contents.content(of: path) == .file(recorded.sha256) else { throw role.changed(path) }
  }

  /// Throws when the sidecar is another program's alone, and there is no edit to revert, or when
  /// there are named versions that would be lost.
  ///
  /// - Throws: ``StorageError/foreignSidecar(_:)`` or ``StorageError/hasVersions(_:_:)``.
  public func checkRevertible(droppingVersions: Bool) throws(StorageError) {
    if record?.isForeign == true { throw .foreignSidecar(names.record) }
    let versions = record?.versions.map(\.name) ?? []
    if !versions.isEmpty, !droppingVersions { throw .hasVersions(original.path, versions) }
  }
}

extension PhotoSnapshot {
  /// Looks at the files around an original that is locked.
  static func load(
    _ original: OriginalFile, _ fileSystem: FileSystem
  ) throws(StorageError) -> PhotoSnapshot {
    let names = PhotoNames(original.path)
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
    var places: [Record.FileRole: FilePath] = [:]
    for file in record?.namedFiles ?? [] {
      let staged = pending == nil ? nil : record?.stagedPath(of: file.role, names)
      for path in [staged, names.path(of: file.file.name)].compactMap(\.self)
      where places[file.role] == nil {
        if try contents.exists(path) { places[file.role] = path }
      }
    }
    return PhotoSnapshot(
      original: original, record: record, needsRecovery: pending != nil, places: places,
      names: names, contents: contents, sidecar: sidecar)
  }
}

extension Record {
  /// Where a file that came with this record waits to be put into place; `nil` for one that was
  /// there before.
  func stagedPath(of role: FileRole, _ names: PhotoNames) -> FilePath? {
    switch role {
    case .render: names.stagedRender
    case .base: names.stagedBase
    case .version(let name): newVersions.firstIndex(of: name).map(names.stagedVersion)
    }
  }
}

extension LoadedRecord {
  /// The record that stands once what this pending one says is carried out.
  fileprivate func recordOnceCarriedOut(
    around names: PhotoNames, _ fileSystem: FileSystem
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
