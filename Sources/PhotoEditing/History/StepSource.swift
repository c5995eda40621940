import FoundationEssentials
import SafelightStorage

/// What a record says of one step of a photo's history, with what it takes to render it again.
struct StepSource: Sendable {
  /// The edit; `nil` for the photo without one, and for an entry of an unknown form.
  let data: AdjustmentData?
  let editor: String?
  let date: Date?
  /// Which pixels it starts from; `nil` are the original's.
  let base: Digest?
  /// Which renderer made its render, with its settings; `nil` when not recorded.
  let renderer: String?
  let isBeginning: Bool

  /// The steps that a record tells, the photo without an edit first; `nil` is a photo without one.
  static func all(of record: Record?) -> [StepSource] {
    let before = (record?.history ?? []).map { StepSource($0) }
    let after = (record?.redo ?? []).reversed().map { StepSource($0) }
    let present = record.map { $0.isBeginning ? [] : [StepSource($0)] } ?? []
    return [beginning] + before + present + after
  }

  private static let beginning = StepSource(
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

  /// Why there is no going from the present step to another; `nil` when there is.
  ///
  /// Only Safelight's own edits can be rendered again, and only from pixels that are still there:
  /// those that the present edit starts from.
  static func obstacle(
    between present: Int, and number: Int, in steps: [StepSource]
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

extension StepSource {
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
