import SafelightRendering
import SafelightStorage

/// The way of a photo from one step of its history to another.
struct HistoryMove {
  /// Which step to go to.
  enum Target: Sendable, Hashable {
    /// So many steps back, or on when negative; at most as far as the history goes.
    case back(Int)
    /// The step of this number.
    case step(Int)
  }

  private let snapshot: PhotoSnapshot
  private let editor: PhotoEditor
  private let present: Int
  private let number: Int
  private let source: StepSource
  private let output: RenderOutput

  /// - Parameter quality: Of the render; `nil` is the one that the step was rendered with.
  init(
    _ snapshot: PhotoSnapshot, _ target: Target, quality: Int?, _ editor: PhotoEditor
  ) throws(EditError) {
    let sources = StepSource.all(of: snapshot.record)
    let last = sources.count - 1
    self.snapshot = snapshot
    self.editor = editor
    present = StepSource.present(in: snapshot.record)
    switch target {
    case .back(let steps): number = min(max(present - steps, 0), last)
    case .step(let number): self.number = number
    }
    let path = snapshot.original.path
    guard (0...last).contains(number) else {
      throw .stepUnavailable(path: path, .missing(number, last: last))
    }
    source = sources[number]
    let recorded = source.renderer.flatMap { RendererDescription($0).quality }
    output = RenderOutput(
      format: .jpeg, quality: quality ?? recorded ?? RenderOutput.standard.quality)
    // Where another program's sidecar is all there is, there is nothing of Safelight's to undo.
    if snapshot.record?.isForeign == true, case .back = target { return }
    if let obstacle = StepSource.obstacle(between: present, and: number, in: sources) {
      throw .stepUnavailable(path: path, obstacle)
    }
  }

  /// What ``commit(in:_:)`` would do, without doing it.
  func preview() throws -> EditResult {
    if let result = settled { return result }
    _ = try checkedEdit()
    return EditResult(
      status: .edited, rendered: try snapshot.plannedRenderPath(), record: snapshot.recordPath,
      warnings: [], step: number)
  }

  func commit(in transaction: Transaction, _ cancellation: RenderCancellation) throws
    -> EditResult
  {
    if let result = settled { return result }
    return try checkedEdit().commit(in: transaction, by: editor, cancellation)
  }

  /// The result when the photo is there already.
  private var settled: EditResult? {
    guard number == present || snapshot.record?.isForeign != false else { return nil }
    return EditResult(
      status: .unchanged, rendered: snapshot.render,
      record: snapshot.record.map { _ in snapshot.recordPath }, warnings: [], step: present)
  }

  /// The edit of the step, ready to be rendered.
  private func checkedEdit() throws -> OwnEdit {
    try snapshot.checkOriginal()
    try snapshot.checkRender()
    let start = try StartingPoint(snapshot, canHandle: EditStack.canHandle)
    if start.start == .base { try snapshot.checkBase() }
    let data = source.data ?? EditStack().adjustmentData
    let stack = try EditStack(data)
    if let unknown = stack.unknownEntries.first {
      throw RenderError.unknownAdjustment(id: unknown.id, version: unknown.version)
    }
    return OwnEdit(
      data: data, stack: stack, start: start, output: output,
      editorBundleIdentifier: source.editor ?? editor.configuration.editorBundleIdentifier,
      date: source.date ?? editor.configuration.now(),
      history: number < present
        ? .undo(steps: present - number) : .redo(steps: number - present),
      step: number)
  }
}
