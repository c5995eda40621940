import Adjustments

/// What becomes of the present edit when another is committed.
public enum HistoryStep: Sendable, Hashable {
  /// It goes into the history, and what was undone before can no longer be redone. Other
  /// programs' edits among those go into the history instead, as they are never dropped.
  case edit
  /// The new edit is the last one of the history and is taken out there; the present one can be
  /// redone.
  case undo
  /// The new edit is the one undone last; the present one goes back into the history.
  case redo
  /// The new edit is the present one, rendered again; the history stays as it is.
  case renderAgain

  /// The history and the redo list after the step.
  ///
  /// - Throws: ``StorageError/historyMismatch(_:)`` when `data` is not the edit in question.
  func applied(
    to record: Record?, _ data: AdjustmentData, _ path: FilePath
  ) throws(StorageError) -> (history: [HistoryEntry], redo: [HistoryEntry]) {
    var history = record?.history ?? []
    var redo = record?.redo ?? []
    let present = record.map { [$0.historyEntry] } ?? []
    let expected: AdjustmentData?
    switch self {
    case .edit:
      let foreign = redo.filter { !$0.isOwn }
      return ((history + foreign + present).withinLimit(), [])
    case .undo:
      expected = history.popLast()?.adjustmentData
      redo += present
    case .redo:
      expected = redo.popLast()?.adjustmentData
      history += present
    case .renderAgain:
      expected = record?.adjustmentData
    }
    guard expected == data else { throw .historyMismatch(path) }
    return (history.withinLimit(), redo.withinLimit())
  }
}
