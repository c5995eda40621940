import FoundationEssentials
import SafelightAdjustments

/// What a change came to. There is one only when the change was made; errors are thrown.
public struct ChangeOutcome: Sendable {
  /// The record that stands now: after a revert another program's, or `nil` when there is none.
  public let record: Record?
  /// The render's path; `nil` after a revert.
  public let render: FilePath?
  /// Why the files could not all be put into place; `nil` when everything was.
  ///
  /// The change is made all the same: readers of this library see it, and the next transaction on
  /// the asset puts the files into place. Until then ``render`` may be missing or the old one.
  public let unfinished: StorageError?
}

/// Which pixels a new edit starts from.
public enum BasePhoto: Sendable, Hashable {
  /// Those that the edit before it started from.
  case keep
  /// The original's.
  case none
  /// A new base, from ``Transaction/stageBaseFromCurrentRender()``.
  case replace(StagedFile)
}

extension Transaction {
  /// Makes an edit, in one step for whoever reads.
  ///
  /// The first edit takes the place of a sidecar that another program wrote. The record then keeps
  /// its bytes, and so do the records after it, until a revert puts them back.
  ///
  /// - Parameters:
  ///   - adjustmentData: The edit, 1 byte to `AdjustmentData.maximumSize`.
  ///   - editor: The program that made it, by its bundle identifier.
  ///   - timestamp: The time; fractions of a second are dropped.
  ///   - render: The rendered JPEG, staged by this transaction.
  ///   - pixelWidth: Columns of the render.
  ///   - pixelHeight: Rows of the render.
  ///   - renderer: Name and version of what rendered it.
  ///   - base: Which pixels the edit starts from.
  ///   - history: What becomes of the present edit.
  /// - Returns: What stands now. Look at ``ChangeOutcome/unfinished``.
  /// - Throws: ``StorageError``. Then the old edit stands and what was staged is gone.
  public func commit(
    _ adjustmentData: AdjustmentData, editor: String, timestamp: Date, render: StagedFile,
    pixelWidth: Int, pixelHeight: Int, renderer: String, base: BasePhoto = .keep,
    history: HistoryStep = .edit
  ) throws(StorageError) -> ChangeOutcome {
    do throws(StorageError) {
      let baseFile = try stageSharedBase(base)
      try close()
      try check(adjustmentData, texts: [editor, renderer])
      let (past, redo) = try history.applied(to: record, adjustmentData, original.path)
      try checkFiles()
      guard isStaged(render, as: .render) else { throw .notStaged(original.path) }
      let renderPath = try snapshot.plannedPath(Record.FileRole.render)
      let recordedRender = RecordedRender(
        file: render.recorded(at: renderPath), pixelWidth: pixelWidth, pixelHeight: pixelHeight,
        renderer: renderer)
      var replaces: Digest?
      if case .file(let digest) = try contents.content(of: renderPath) { replaces = digest }
      let record = Record(
        adjustmentData, editorBundleID: editor, timestamp: timestamp,
        original: RecordedFile(
          name: original.name, size: original.status.size, sha256: try original.digest()),
        render: recordedRender, base: try recordedBase(baseFile), history: past, redo: redo,
        versions: try keptVersions(), replaces: replaces, replacesRecord: snapshot.sidecar?.digest,
        replacedSidecar: snapshot.replacedSidecar, carryingOver: self.record)
      let unfinished = try decide(.commit(record), record.encoded())
      return ChangeOutcome(record: record, render: renderPath, unfinished: unfinished)
    } catch {
      discardStaged()
      throw error
    }
  }

  /// A photo that was copied with its sidecar must not lean on the base of the one it came from.
  private func stageSharedBase(_ base: BasePhoto) throws(StorageError) -> BasePhoto {
    guard case .keep = base, let record, let recorded = record.base, let path = snapshot.base,
      try !names.ownFiles(of: record, fileSystem).contains(where: { $0.role == .base })
    else { return base }
    let staged = try stageCopy(of: path, as: .base)
    guard staged.sha256 == recorded.sha256 else { throw .baseChanged(path) }
    return .replace(staged)
  }

  /// The versions, which no edit changes. In the record of a photo that was copied with its sidecar
  /// they go on naming the other's renders, and say so from now on.
  private func keptVersions() throws(StorageError) -> [RecordedVersion] {
    guard let record, !record.versions.isEmpty else { return [] }
    let own = try names.ownFiles(of: record, fileSystem).map(\.role)
    return record.versions.map { own.contains(.version($0.name)) ? $0 : $0.shared() }
  }

  private func recordedBase(_ base: BasePhoto) throws(StorageError) -> RecordedFile? {
    switch base {
    case .none: return nil
    case .keep: return record?.base
    case .replace(let staged):
      guard isStaged(staged, as: .base) else { throw .notStaged(original.path) }
      return staged.recorded(at: try snapshot.plannedPath(Record.FileRole.base))
    }
  }

  private func check(_ data: AdjustmentData, texts: [String]) throws(StorageError) {
    guard (1...AdjustmentData.maximumSize).contains(data.data.count) else {
      throw .invalidAdjustmentDataSize(data.data.count, limit: AdjustmentData.maximumSize)
    }
    for text in texts + [data.formatIdentifier, data.formatVersion] {
      guard PropertyListParser.canCarry(text) else { throw .unwritableText(text) }
    }
  }

  /// Throws when the original or the sidecar is no longer what this transaction began with.
  func checkFiles() throws(StorageError) {
    try snapshot.checkOriginal()
    try original.checkUnchanged()
    try checkSidecar()
  }
}

extension StagedFile {
  func recorded(at path: FilePath) -> RecordedFile {
    RecordedFile(name: path.lastComponent ?? path, size: size, sha256: sha256)
  }
}
