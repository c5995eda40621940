import SafelightAdjustments

/// What becomes of the present edit when another is committed.
public enum HistoryStep: Sendable, Hashable {
  /// It goes into the history, and what was undone before can no longer be redone. Other
  /// programs' edits among those go into the history instead, as they are never dropped.
  case edit
  /// The new edit is the one so many steps back in the history, and is taken out there; the present
  /// one and those between can be redone. One step further than the history goes, the new edit is
  /// one of nothing.
  case undo(steps: Int)
  /// The new edit is the one so many steps on among those undone; the present one and those between
  /// go back into the history.
  case redo(steps: Int)
  /// The new edit is the present one, rendered again; the history stays as it is.
  case renderAgain

  /// The history and the redo list after the step.
  ///
  /// Undoing and redoing only move edits from one list to the other, so that however many steps
  /// there were, none is dropped on the way.
  /// - Throws: ``StorageError/historyMismatch(_:)`` when `data` is not the edit in question.
  func applied(
    to record: Record?, _ data: AdjustmentData, _ path: FilePath
  ) throws(StorageError) -> (history: [HistoryEntry], redo: [HistoryEntry]) {
    let history = record?.history ?? []
    let redo = record?.redo ?? []
    // A photo without an edit is no step: the beginning of every history goes without saying.
    let present = record.map { $0.isBeginning ? [] : [$0.historyEntry] } ?? []
    switch self {
    case .edit:
      let foreign = redo.filter { !$0.isOwn }
      return ((history + foreign + present).withinLimit(), [])
    case .undo(let steps):
      guard !present.isEmpty, (1...history.count + 1).contains(steps) else { break }
      let passed = history.suffix(steps - 1)
      let rest = history.dropLast(steps - 1)
      let target = rest.isEmpty ? EditStack().adjustmentData : rest.last?.adjustmentData
      guard target == data else { break }
      return (rest.dropLast(), redo + present + passed.reversed())
    case .redo(let steps):
      guard (1...max(redo.count, 1)).contains(steps) else { break }
      let passed = redo.suffix(steps - 1)
      let rest = redo.dropLast(steps - 1)
      guard rest.last?.adjustmentData == data else { break }
      return (history + present + passed.reversed(), rest.dropLast())
    case .renderAgain:
      guard record?.adjustmentData == data else { break }
      return (history, redo)
    }
    throw .historyMismatch(path)
  }
}

extension Record {
  /// Whether it is the photo without an edit, which is what undoing the first one leaves: an empty
  /// edit of Safelight's own with nothing before it, on the original.
  public var isBeginning: Bool {
    !isForeign && history.isEmpty && base == nil && adjustmentData == EditStack().adjustmentData
  }
}
