import FoundationEssentials
import SafelightRendering
import SafelightStorage

/// A named version that is to become the photo's edit.
struct VersionUse {
  private let snapshot: PhotoSnapshot
  private let editor: PhotoEditor
  private let record: Record
  private let version: RecordedVersion
  /// The version's render; `nil` when it is missing and has to be made again.
  private let render: FilePath?

  init(of name: String, _ snapshot: PhotoSnapshot, _ editor: PhotoEditor) throws {
    let version = try snapshot.version(named: name)
    guard let record = snapshot.record else {
      throw EditError.renderMissing(snapshot.original.path)
    }
    self.snapshot = snapshot
    self.editor = editor
    self.record = record
    self.version = version
    try snapshot.checkOriginal()
    try snapshot.checkRender()
    let role = Record.FileRole.version(version.name)
    render = snapshot.path(of: role)
    try snapshot.check(role)
    if let problem {
      throw EditError.versionUnusable(
        path: snapshot.original.path, name: version.name, problem)
    }
    if version.base != nil { try snapshot.checkBase() }
  }

  /// Why using the version would lose pixels, or cannot find them.
  private var problem: EditError.VersionProblem? {
    if version.base?.sha256 != record.base?.sha256 { return .otherBase }
    if version.base != nil, snapshot.base == nil { return .otherBase }
    let isOwn = EditStack.canHandle(record.adjustmentData)
    // Undoing renders Safelight's own edits again; of another program's only a version keeps more
    // than the data.
    if !isOwn, !record.versions.contains(where: { record.isSaved(as: $0) }) {
      return .presentNotSaved(record.adjustmentData.formatIdentifier)
    }
    if render == nil, !EditStack.canHandle(version.adjustmentData) { return .renderMissing }
    return nil
  }

  /// The result when the photo has the version's edit and render already.
  private var settled: EditResult? {
    guard record.isSaved(as: version), let render = snapshot.render else { return nil }
    return EditResult(
      status: .unchanged, rendered: render, record: snapshot.recordPath, warnings: [])
  }

  /// What ``commit(in:_:)`` would do, without doing it.
  func preview() throws -> EditResult {
    try settled
      ?? EditResult(
        status: .edited, rendered: snapshot.plannedRenderPath(), record: snapshot.recordPath,
        warnings: [])
  }

  func commit(in transaction: Transaction, _ cancellation: RenderCancellation) throws
    -> EditResult
  {
    if let settled { return settled }
    let data = version.adjustmentData
    let name = version.editorBundleID ?? editor.configuration.editorBundleIdentifier
    let step: HistoryStep = record.adjustmentData == data ? .renderAgain : .edit
    guard let render else {
      return try renderedAgain(by: name, step).commit(in: transaction, by: editor, cancellation)
    }
    let staged = try transaction.stageRender(copying: render)
    guard staged.sha256 == version.render.file.sha256 else {
      throw StorageError.renderChanged(render)
    }
    let outcome = try transaction.commit(
      data, editor: name, timestamp: editor.configuration.now(), render: staged,
      pixelWidth: version.render.pixelWidth, pixelHeight: version.render.pixelHeight,
      renderer: version.render.renderer, base: version.base == nil ? .none : .keep, history: step)
    return EditResult(outcome, recordPath: snapshot.recordPath, warnings: [])
  }

  private func renderedAgain(by name: String, _ step: HistoryStep) throws -> OwnEdit {
    let stack = try EditStack(version.adjustmentData)
    if let unknown = stack.unknownEntries.first {
      throw RenderError.unknownAdjustment(id: unknown.id, version: unknown.version)
    }
    let quality = RendererDescription(version.render.renderer).quality
    let start: StartingPoint =
      if let base = snapshot.base {
        StartingPoint(start: .base, adjustmentData: version.adjustmentData, path: base)
      } else {
        StartingPoint(
          start: .original, adjustmentData: version.adjustmentData, path: snapshot.original.path)
      }
    return OwnEdit(
      data: version.adjustmentData, stack: stack, start: start,
      output: RenderOutput(
        format: .jpeg, quality: quality ?? RenderOutput.standard.quality),
      editorBundleIdentifier: name, date: editor.configuration.now(), history: step)
  }
}
