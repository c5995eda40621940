import FoundationEssentials
import SafelightFiles
import SafelightRendering
import SafelightStorage

/// The edits that a photo had, has and, where some were undone, can have again.
///
/// A record keeps the last 100 of Safelight's edits before the present one, and all edits of other
/// programs. Step 1 is the oldest edit that is kept.
public struct EditHistory: Sendable, Hashable {
  /// Most of Safelight's own edits that are kept before the present one.
  public static let limit = Record.maximumHistory

  /// The steps in order: the photo without edits, the edits made, and those undone.
  public let steps: [Step]
  /// The number of the step that the photo is at.
  public let present: Int

  /// One state of the photo.
  public struct Step: Sendable, Hashable, Identifiable {
    /// Its place among the steps: 0 is the photo without edits, 1 the oldest edit that is kept.
    public let number: Int
    /// The same as ``number``.
    public var id: Int { number }
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
  ///
  /// - Parameter adopted: What the record says of another program's picture that is beside the photo still; `nil` for none.
  init(_ record: Record?, adopting adopted: AdjustmentData? = nil) {
    let sources = RecordedStep.all(of: record, adopting: adopted)
    let present = RecordedStep.present(in: record)
    let reachable = RecordedStep.reachable(from: present, in: sources)
    var steps: [Step] = []
    for (number, source) in sources.enumerated() {
      let stack = source.stack
      var changes: [EditChange]?
      if number > 0, let stack, let before = steps[number - 1].stack {
        changes = stack.changes(since: before)
      }
      steps.append(
        Step(
          number: number, adjustmentData: source.data, stack: stack, editor: source.editor,
          date: source.date, changes: changes, isReachable: reachable.contains(number)))
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
  /// Adjustments are the same when they have the same id, layers when they have the same name too;
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
  /// Whether it is the same adjustment or layer, perhaps with other values.
  fileprivate func isSame(as other: StackEntry) -> Bool {
    guard id == other.id else { return false }
    guard let layer, let earlier = other.layer else { return true }
    return layer.name == earlier.name
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
  /// Its render; `nil` when not recorded.
  let render: Digest?
  let isBeginning: Bool
  /// Whether it is another program's edit whose picture is beside the photo still, to be kept again.
  private(set) var isAdopted = false

  /// The steps in a record, the photo without an edit first; `nil` is a photo without a record.
  ///
  /// - Parameter adopted: What the record says of another program's picture that is beside the photo; `nil` for none.
  static func all(of record: Record?, adopting adopted: AdjustmentData? = nil) -> [RecordedStep] {
    let before = (record?.history ?? []).map { RecordedStep($0) }
    let after = (record?.redo ?? []).reversed().map { RecordedStep($0) }
    let present = record.map { $0.isBeginning ? [] : [RecordedStep($0)] } ?? []
    return ([beginning] + before + present + after).map { step in
      var step = step
      step.isAdopted = adopted != nil && step.data == adopted
      return step
    }
  }

  private static let beginning = RecordedStep(
    data: nil, editor: nil, date: nil, base: nil, renderer: nil, render: nil, isBeginning: true)

  /// The edit, where this version reads such edits; empty for the photo without one.
  var stack: EditStack? {
    if isBeginning { return EditStack() }
    guard let data, EditStack.canHandle(data) else { return nil }
    return try? EditStack(data)
  }

  /// Whether the photo's pixels at the step are another program's, or start from them.
  var isOverPicture: Bool { isAdopted || base != nil }

  /// The number of the present step.
  static func present(in record: Record?) -> Int {
    record.map { $0.isBeginning ? 0 : $0.history.count + 1 } ?? 0
  }

  /// The numbers of the steps that undo and redo can go to from the present one.
  static func reachable(from present: Int, in steps: [RecordedStep]) -> ClosedRange<Int> {
    let kept = kept(in: steps)
    func isFree(_ number: Int) -> Bool {
      let (step, present) = (steps[number], steps[present])
      let isKnown =
        step.isBeginning || step.isAdopted || step.data.map(EditStack.canHandle) == true
      return isKnown && step.isPassed(from: present, kept) && step.hasPixels(from: present)
    }
    guard isFree(present) else { return present...present }
    var (first, last) = (present, present)
    while first > 0, isFree(first - 1) { first -= 1 }
    while last < steps.count - 1, isFree(last + 1) { last += 1 }
    return first...last
  }

  /// Why undo and redo cannot go from the present step to another; `nil` when they can.
  ///
  /// Only Safelight's own edits can be rendered again, and only from pixels that are still there: the original's, and
  /// those that the present edit starts from. Another program's picture that is beside the photo still can be kept again,
  /// and is then what the edit after it starts from.
  static func obstacle(
    between present: Int, and number: Int, in steps: [RecordedStep]
  ) -> EditError.StepProblem? {
    guard present != number else { return nil }
    let way = steps[min(present, number)...max(present, number)]
    for step in way where !step.isBeginning && !step.isAdopted {
      guard let data = step.data else { return .unknownForm }
      guard EditStack.canHandle(data) else { return .anotherProgramsEdit(data.formatIdentifier) }
    }
    let (kept, origin) = (kept(in: steps), steps[present])
    guard way.allSatisfy({ $0.isPassed(from: origin, kept) }) else { return .otherBase }
    return steps[number].hasPixels(from: origin) ? nil : .otherBase
  }
}

extension RecordedStep {
  /// The pictures of other programs that can be kept again.
  private static func kept(in steps: [RecordedStep]) -> Set<Digest> {
    Set(steps.filter(\.isAdopted).compactMap(\.render))
  }

  /// Whether the pixels that the step starts from are not lost on the way from the present one.
  private func isPassed(from present: RecordedStep, _ kept: Set<Digest>) -> Bool {
    base == present.base
      || !kept.isEmpty && [base, present.base].allSatisfy { $0.map(kept.contains) ?? true }
  }

  /// Whether the pixels that the step starts from are there at the present one.
  private func hasPixels(from present: RecordedStep) -> Bool {
    base == nil || base == present.base || present.isAdopted && present.render == base
  }

  init(_ entry: HistoryEntry) {
    self.init(
      data: entry.adjustmentData, editor: entry.editorBundleID, date: entry.timestamp,
      base: entry.base?.sha256, renderer: entry.render?.renderer,
      render: entry.render?.file.sha256, isBeginning: false)
  }

  private init(_ record: Record) {
    self.init(
      data: record.adjustmentData, editor: record.editorBundleID, date: record.timestamp,
      base: record.base?.sha256, renderer: record.render?.renderer,
      render: record.render?.file.sha256, isBeginning: false)
  }
}

/// Undo, redo, and the way to any step of a photo's history.
extension PhotoEditor {
  /// Takes a photo back to an earlier edit of its own, rendered again (<doc:HistoryAndVersions>);
  /// ``redo(_:steps:quality:dryRun:)`` brings the later one back.
  ///
  /// Undoing the first edit gives the photo as it was taken: its render goes, it does not count as edited, and its
  /// record stays, so that the edit can be redone. Use
  /// ``revertAssetContentToOriginal(_:keepingRender:droppingVersions:dryRun:)`` to drop them. With
  /// nothing to undo the photo is ``EditResult/Status/unchanged``. The same edit rendered again by
  /// the same renderer is the same file, to the byte.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - steps: How many edits to go back; fewer when there are fewer, and none below 1.
  ///   - quality: 1 to 100, of the rendered JPEG; `nil` is the quality that the earlier edit was
  ///     rendered with.
  ///   - dryRun: Whether only to find out what would happen.
  /// - Throws: ``EditError/stepUnavailable(path:_:)`` when another program's edit is in the way, or
  ///   another ``EditError``. Nothing changes then.
  @discardableResult
  public func undo(
    _ photo: Photo, steps: Int = 1, quality: Int? = nil, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await perform(.undo(steps: steps), on: photo, quality: quality, dryRun: dryRun)
  }

  /// Brings back an edit that was undone, as long as no other edit was made since; see
  /// ``undo(_:steps:quality:dryRun:)``.
  @discardableResult
  public func redo(
    _ photo: Photo, steps: Int = 1, quality: Int? = nil, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await perform(.redo(steps: steps), on: photo, quality: quality, dryRun: dryRun)
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
    try await perform(.goToStep(step), on: photo, quality: quality, dryRun: dryRun)
  }

  /// The edits that a photo had, has and can have again. Nothing is written.
  ///
  /// - Throws: ``EditError`` when the photo is missing or its sidecar is unusable.
  public func history(of photo: Photo) async throws(EditError) -> EditHistory {
    try await reading(photo) { edit, _ in
      EditHistory(edit.record, adopting: edit.files.foreignEdit()?.adoptedData)
    }
  }
}

// MARK: - Plans

/// Which step of a photo's history to go to.
package enum HistoryTarget: Sendable, Hashable {
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
    let foreign = files.foreignEdit()
    let steps = RecordedStep.all(of: record, adopting: foreign?.adoptedData)
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
    let history =
      number < present
      ? HistoryStep.undo(steps: present - number) : .redo(steps: number - present)
    if step.isAdopted, let foreign, let picture = foreign.render {
      var new = try editKeeping(picture, of: foreign)
      (new.history, new.date) = (history, step.date)
      return try planToCommit(new, step: number)
    }
    let data = step.data ?? EditStack().adjustmentData
    let stack = try EditStack(data)
    try stack.checkIsKnown()
    let recorded = step.renderer.map { RendererDescription($0) }
    let description = quality.map { RendererDescription(quality: $0) } ?? recorded
    return try planToCommit(
      NewEdit(
        data: data,
        start: step.base == nil && steps[present].isOverPicture ? originalStart : try start(),
        render: .rendered(stack, description?.output ?? .standard),
        editorBundleIdentifier: step.editor, date: step.date, history: history),
      step: number)
  }
}
