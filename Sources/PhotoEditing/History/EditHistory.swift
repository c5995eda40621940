import FoundationEssentials
import SafelightFiles
import SafelightStorage

/// The edits that a photo had, has and, where some were undone, can have again.
///
/// A record keeps the last 100 of Safelight's edits before the present one, and all edits of other
/// programs. Step 1 is the oldest edit that is kept.
public struct EditHistory: Sendable {
  /// Most of Safelight's own edits that are kept before the present one.
  public static let limit = Record.maximumHistory

  /// The steps in order: the photo without edits, the edits made, and those undone.
  public let steps: [Step]
  /// The number of the step that the photo is at.
  public let present: Int

  /// One state of the photo.
  public struct Step: Sendable {
    /// Its place among the steps: 0 is the photo without edits, 1 the oldest edit that is kept.
    public let number: Int
    /// The edit as it is stored; `nil` for step 0, and for an edit of a form that is not known.
    public let adjustmentData: AdjustmentData?
    /// The edit read, empty for step 0; `nil` when it is not Safelight's own or cannot be read.
    public let stack: EditStack?
    /// The program that made it, by bundle identifier; `nil` when not recorded.
    public let editor: String?
    /// When it was made; `nil` when not recorded.
    public let date: Date?
    /// What it changed in the step before; `nil` when either is not Safelight's own.
    public let changes: [EditChange]?
    /// Whether undo or redo can bring the photo to it from the present step.
    public let isReachable: Bool
  }
}

extension EditHistory {
  /// The history in a record; `nil` is a photo without a record.
  init(_ record: Record?) {
    let sources = RecordedStep.all(of: record)
    let present = RecordedStep.present(in: record)
    var steps: [Step] = []
    for (number, source) in sources.enumerated() {
      let stack = source.stack
      var changes: [EditChange]?
      if number > 0, let stack, let before = steps[number - 1].stack {
        changes = stack.changes(since: before)
      }
      let obstacle = RecordedStep.obstacle(between: present, and: number, in: sources)
      steps.append(
        Step(
          number: number, adjustmentData: source.data, stack: stack, editor: source.editor,
          date: source.date, changes: changes, isReachable: obstacle == nil))
    }
    self.steps = steps
    self.present = present
  }
}

// MARK: - Differences of edits

/// One difference between two edits.
public enum EditChange: Sendable, Hashable {
  /// An adjustment or a filter that the other does not have.
  case added(StackEntry)
  /// An adjustment or a filter that only the other has.
  case removed(StackEntry)
  /// The same adjustment, or the same filter, set in another way.
  case changed(from: StackEntry, to: StackEntry)

  /// The adjustment's id.
  public var id: String {
    switch self {
    case .added(let entry), .removed(let entry), .changed(_, let entry): entry.id
    }
  }
}

extension EditStack {
  /// What the edit changed in an earlier one, in pipeline order; what was removed stands last.
  ///
  /// Adjustments are the same when they have the same id, filters when they have the same name too;
  /// of several, the first is compared with the first.
  public func changes(since earlier: EditStack) -> [EditChange] {
    var rest = earlier.inPipelineOrder
    var changes: [EditChange] = []
    for entry in inPipelineOrder {
      guard let index = rest.firstIndex(where: { $0.isSame(as: entry) }) else {
        changes.append(.added(entry))
        continue
      }
      let before = rest.remove(at: index)
      if before != entry { changes.append(.changed(from: before, to: entry)) }
    }
    return changes + rest.map(EditChange.removed)
  }
}

extension StackEntry {
  /// Whether it is the same adjustment or filter, perhaps with other values.
  fileprivate func isSame(as other: StackEntry) -> Bool {
    guard id == other.id else { return false }
    guard let filter = adjustment as? AppliedFilter,
      let earlier = other.adjustment as? AppliedFilter
    else { return true }
    return filter.name == earlier.name
  }
}

// MARK: - Recorded steps

/// What a record says of one step of a photo's history: all that it takes to render it again.
struct RecordedStep: Sendable {
  /// The edit; `nil` for the photo without one, and for an entry of an unknown form.
  let data: AdjustmentData?
  let editor: String?
  let date: Date?
  /// Which pixels it starts from; `nil` are the original's.
  let base: Digest?
  /// Which renderer made its render, with its settings; `nil` when not recorded.
  let renderer: String?
  let isBeginning: Bool

  /// The steps in a record, the photo without an edit first; `nil` is a photo without a record.
  static func all(of record: Record?) -> [RecordedStep] {
    let before = (record?.history ?? []).map { RecordedStep($0) }
    let after = (record?.redo ?? []).reversed().map { RecordedStep($0) }
    let present = record.map { $0.isBeginning ? [] : [RecordedStep($0)] } ?? []
    return [beginning] + before + present + after
  }

  private static let beginning = RecordedStep(
    data: nil, editor: nil, date: nil, base: nil, renderer: nil, isBeginning: true)

  /// The edit, where this version reads such edits; empty for the photo without one.
  var stack: EditStack? {
    if isBeginning { return EditStack() }
    guard let data, EditStack.canHandle(data) else { return nil }
    return try? EditStack(data)
  }

  /// The number of the present step.
  static func present(in record: Record?) -> Int {
    record.map { $0.isBeginning ? 0 : $0.history.count + 1 } ?? 0
  }

  /// Why undo and redo cannot go from the present step to another; `nil` when they can.
  ///
  /// Only Safelight's own edits can be rendered again, and only from pixels that are still there:
  /// those that the present edit starts from.
  static func obstacle(
    between present: Int, and number: Int, in steps: [RecordedStep]
  ) -> EditError.StepProblem? {
    guard present != number else { return nil }
    let way = steps[min(present, number)...max(present, number)]
    for step in way where !step.isBeginning {
      guard let data = step.data else { return .unknownForm }
      guard EditStack.canHandle(data) else { return .anotherProgramsEdit(data.formatIdentifier) }
    }
    return way.contains { $0.base != steps[present].base } ? .otherBase : nil
  }
}

extension RecordedStep {
  private init(_ entry: HistoryEntry) {
    self.init(
      data: entry.adjustmentData, editor: entry.editorBundleID, date: entry.timestamp,
      base: entry.base?.sha256, renderer: entry.render?.renderer, isBeginning: false)
  }

  private init(_ record: Record) {
    self.init(
      data: record.adjustmentData, editor: record.editorBundleID, date: record.timestamp,
      base: record.base?.sha256, renderer: record.render?.renderer, isBeginning: false)
  }
}
