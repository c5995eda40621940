import FoundationEssentials
import SafelightStorage

/// The edits that a photo had, has and, where some were undone, can have again.
///
/// A record keeps the last 100 edits made with Safelight before the present one, and all of other
/// programs. When older ones have given way, the step after the unedited photo is the oldest kept.
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
  /// The history that a record tells; `nil` is that of a photo without one.
  init(_ record: Record?) {
    let sources = StepSource.all(of: record)
    let present = StepSource.present(in: record)
    var steps: [Step] = []
    for (number, source) in sources.enumerated() {
      let stack = source.stack
      var changes: [EditChange]?
      if number > 0, let stack, let before = steps[number - 1].stack {
        changes = stack.changes(since: before)
      }
      let obstacle = StepSource.obstacle(between: present, and: number, in: sources)
      steps.append(
        Step(
          number: number, adjustmentData: source.data, stack: stack, editor: source.editor,
          date: source.date, changes: changes, isReachable: obstacle == nil))
    }
    self.steps = steps
    self.present = present
  }
}
