import SafelightFiles
import SafelightRendering
import SafelightStorage

/// Undo, redo, and the way to any step of a photo's history.
extension PhotoEditor {
  /// Takes a photo back to an earlier edit of its own, rendered again (<doc:HistoryAndVersions>);
  /// ``redo(_:steps:quality:dryRun:)`` brings the later one back.
  ///
  /// Undoing the first edit gives the photo as it was taken; its record and a render stay, so that
  /// the edit can be redone. Use
  /// ``revertAssetContentToOriginal(_:keepingRender:droppingVersions:dryRun:)`` to drop them. With
  /// nothing to undo the photo is ``EditResult/Status/unchanged``. The same edit rendered again by
  /// the same renderer is the same file, to the byte.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - steps: How many edits to go back, from 1; fewer when there are fewer.
  ///   - quality: 1 to 100, of the rendered JPEG; `nil` is the quality that the earlier edit was
  ///     rendered with.
  ///   - dryRun: Whether only to find out what would happen.
  /// - Throws: ``EditError/stepUnavailable(path:_:)`` when another program's edit is in the way, or
  ///   another ``EditError``. Nothing changes then.
  @discardableResult
  public func undo(
    _ photo: Photo, steps: Int = 1, quality: Int? = nil, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    precondition(steps > 0, "one step is the least that can be undone")
    return try await go(photo, to: .back(steps), quality: quality, dryRun: dryRun)
  }

  /// Brings back an edit that was undone, as long as no other edit was made since; see
  /// ``undo(_:steps:quality:dryRun:)``.
  @discardableResult
  public func redo(
    _ photo: Photo, steps: Int = 1, quality: Int? = nil, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    precondition(steps > 0, "one step is the least that can be redone")
    return try await go(photo, to: .back(-steps), quality: quality, dryRun: dryRun)
  }

  /// Takes a photo back or forward to a step of its history; see ``undo(_:steps:quality:dryRun:)``.
  ///
  /// - Parameters:
  ///   - step: Its number, as ``history(of:)`` counts them; 0 is the photo without edits.
  ///   - photo: The photo.
  ///   - quality: 1 to 100, of the rendered JPEG; `nil` is what the step was rendered with.
  ///   - dryRun: Whether only to find out what would happen.
  @discardableResult
  public func goToStep(
    _ step: Int, ofHistoryOf photo: Photo, quality: Int? = nil, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await go(photo, to: .step(step), quality: quality, dryRun: dryRun)
  }

  /// The edits that a photo had, has and can have again. Nothing is written.
  ///
  /// - Throws: ``EditError`` when the photo is missing or its sidecar is unusable.
  public func history(of photo: Photo) async throws(EditError) -> EditHistory {
    try await reading(photo) { edit, _ in EditHistory(edit.record) }
  }

  private func go(
    _ photo: Photo, to target: HistoryTarget, quality: Int?, dryRun: Bool
  ) async throws(EditError) -> EditResult {
    try await perform(on: photo, dryRun: dryRun) { edit in
      try edit.planToSkip() ?? edit.planToGo(to: target, quality: quality)
    }
  }
}

// MARK: - Plans

/// Which step of a photo's history to go to.
enum HistoryTarget: Sendable, Hashable {
  /// Steps back, or forward when negative; at most as far as the history goes.
  case back(Int)
  /// The step of this number.
  case step(Int)
}

extension OpenEdit {
  /// A plan to bring the photo to a step of its history.
  ///
  /// - Parameter quality: Of the render; `nil` is the one that the step was rendered with.
  func planToGo(to target: HistoryTarget, quality: Int?) throws -> EditPlan {
    let steps = RecordedStep.all(of: record)
    let present = RecordedStep.present(in: record)
    let last = steps.count - 1
    // Undo and redo have nothing of Safelight's to change in another program's sidecar.
    var isForeign = false
    let number: Int
    switch target {
    case .back(let count):
      number = min(max(present - count, 0), last)
      isForeign = record?.isForeign == true
    case .step(let step): number = step
    }
    guard (0...last).contains(number) else {
      throw EditError.stepUnavailable(path: path, .missing(number, last: last))
    }
    if !isForeign, let obstacle = RecordedStep.obstacle(between: present, and: number, in: steps) {
      throw EditError.stepUnavailable(path: path, obstacle)
    }
    guard number != present, record?.isForeign == false else {
      return .nothing(.sameStep, for: self, step: present)
    }
    try checkForEdit()
    let step = steps[number]
    let data = step.data ?? EditStack().adjustmentData
    let stack = try EditStack(data)
    try stack.checkIsKnown()
    let recorded = step.renderer.flatMap { RendererDescription($0).quality }
    return try planToCommit(
      NewEdit(
        data: data, start: try start(),
        render: .rendered(stack, RendererDescription(quality: quality ?? recorded).output),
        editorBundleIdentifier: step.editor, date: step.date,
        history: number < present
          ? .undo(steps: present - number) : .redo(steps: number - present)),
      step: number)
  }
}
