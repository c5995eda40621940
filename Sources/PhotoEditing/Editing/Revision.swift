import SafelightRendering
import SafelightStorage

/// A new state of a photo's own edit stack: what it starts from, and whether anything changes.
struct Revision {
  let snapshot: PhotoSnapshot
  let output: RenderOutput
  let editor: PhotoEditor
  let start: StartingPoint
  let data: AdjustmentData
  let stack: EditStack
  /// The photo that this one is a render of, by name; `nil` for a photo to edit.
  let owner: String?

  init(
    _ snapshot: PhotoSnapshot, _ output: RenderOutput,
    _ change: (inout EditStack, StartingPicture) throws -> Void, _ editor: PhotoEditor
  ) throws {
    self.snapshot = snapshot
    self.output = output
    self.editor = editor
    try snapshot.checkOriginal()
    try snapshot.checkRender()
    owner = try editor.owner(
      of: snapshot, editor.renderer.facts(of: editor.source(snapshot.original)))
    start = try StartingPoint(snapshot, canHandle: EditStack.canHandle)
    if start.start == .base { try snapshot.checkBase() }
    var stack =
      try start.adjustmentData.map { data throws(AdjustmentError) in try EditStack(data) }
      ?? EditStack()
    try change(
      &stack, StartingPicture(start: start, original: snapshot.original, editor: editor))
    if let unknown = stack.unknownEntries.first {
      throw RenderError.unknownAdjustment(id: unknown.id, version: unknown.version)
    }
    self.stack = stack
    data = stack.adjustmentData
  }
}

extension Revision {
  /// Whether the photo has exactly this edit and render already.
  private var isCurrent: Bool {
    snapshot.record?.adjustmentData == data && snapshot.render != nil
      && snapshot.record?.render?.renderer == RendererDescription(output).text
  }

  /// What ``commit(in:_:)`` would do, without doing it.
  func preview() throws -> EditResult {
    if let result = settled { return result }
    if leavesNothing {
      let sidecar = snapshot.record?.replacedSidecar.map { _ in snapshot.recordPath }
      return EditResult(status: .reverted, rendered: nil, record: sidecar, warnings: [])
    }
    return EditResult(
      status: .edited, rendered: try snapshot.plannedRenderPath(), record: snapshot.recordPath,
      warnings: [])
  }

  func commit(in transaction: Transaction, _ cancellation: RenderCancellation) throws
    -> EditResult
  {
    if let result = settled { return result }
    if leavesNothing {
      let outcome = try transaction.revert()
      return EditResult(
        status: .reverted, rendered: nil, record: outcome.record.map { _ in snapshot.recordPath },
        warnings: outcome.warnings)
    }
    return try OwnEdit(
      data: data, stack: stack, start: start, output: output,
      editorBundleIdentifier: editor.configuration.editorBundleIdentifier,
      date: editor.configuration.now(),
      history: snapshot.record?.adjustmentData == data ? .renderAgain : .edit
    ).commit(in: transaction, by: editor, cancellation)
  }

  /// The result when there is nothing to render.
  private var settled: EditResult? {
    if let owner { return EditResult(skippingRenderOf: owner) }
    guard isCurrent || addsNothing else { return nil }
    return EditResult(
      status: .unchanged, rendered: snapshot.render,
      record: snapshot.record.map { _ in snapshot.recordPath }, warnings: [])
  }

  /// Whether an edit of nothing would be put on a photo that has none of Safelight's own.
  private var addsNothing: Bool { stack.holdsNothing && start.adjustmentData == nil }

  /// Whether nothing is left of the photo's only edit. One on top of another program's is kept,
  /// even empty: dropping it would drop the other one too. So is one that was empty before, which
  /// undoing left so that it can be redone; and one beside named versions, which stay.
  private var leavesNothing: Bool {
    stack.holdsNothing && start.start == .original && snapshot.record?.isBeginning != true
      && snapshot.record?.versions.isEmpty != false
  }
}
