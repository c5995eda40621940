import PhotoEditing

/// What `edit history` says of a photo, as text and as JSON.
struct HistoryDescription {
  let history: EditHistory
  /// Other machines' edits, in copies of the sidecar.
  var conflicts: [ConflictingEdits] = []
  /// The photo as it was given, beside which the copies are.
  var photo: FilePath = ""

  /// The line about all edits.
  var text: String {
    let last = history.steps.count - 1
    guard last > 0 else { return "no edits" }
    let undone = last - history.present
    return counted(last, "edit") + (undone == 0 ? "" : ", \(undone) of them undone")
  }

  /// A line for each step, the present one marked with a star.
  var rows: [String] { ownRows + conflicts.flatMap { lines(of: $0) } }

  /// A line for a copy of the sidecar, and one for each edit that only the copy has.
  private func lines(of conflict: ConflictingEdits) -> [String] {
    let name = conflict.path.shown(beside: photo)
    guard !conflict.isContained else { return ["\(name): nothing that is not here"] }
    let edits = conflict.steps.map { step in
      "    \(step.date?.text ?? "")  \(changes(step))"
    }
    let names = conflict.versionNames.joined(separator: ", ")
    if edits.isEmpty { return ["\(name), another machine's versions: \(names)"] }
    let common = conflict.commonStep == 0 ? "the original" : "step \(conflict.commonStep)"
    return ["\(name), another machine's edits since \(common):"] + edits
  }

  private var ownRows: [String] {
    guard history.steps.count > 1 else { return [] }
    let width = String(history.steps.count - 1).count
    let dates = history.steps.map { $0.date?.text ?? "" }
    let dateWidth = dates.map(\.count).max() ?? 0
    return zip(history.steps, dates).map { step, date in
      let number = String(step.number)
      let columns = [
        step.number == history.present ? "*" : " ",
        String(repeating: " ", count: width - number.count) + number,
        " " + date.filled(to: dateWidth), " " + what(step),
      ]
      return columns.joined(separator: " ")
    }
  }

  private func what(_ step: EditHistory.Step) -> String {
    var text = changes(step)
    if let editor = step.editor, editor != PhotoEditor.Configuration().editorBundleIdentifier {
      text += ", by \(editor)"
    }
    if step.number > history.present { text += " (undone)" }
    return text
  }

  private func changes(_ step: EditHistory.Step) -> String {
    if step.number == 0 { return "the original" }
    if let changes = step.changes {
      return changes.isEmpty ? "no change" : changes.map(\.text).joined(separator: ", ")
    }
    if let stack = step.stack { return stack.summary }
    guard let data = step.adjustmentData else { return "an entry that needs a newer Safelight" }
    return data.unreadable
  }

  var details: [JSONValue.Member] {
    let others = conflicts.map { conflict in
      JSONValue.object([
        "record": conflict.path.shown(beside: photo), "commonStep": conflict.commonStep,
        "steps": conflict.steps.map(json), "contained": conflict.isContained,
        "version": conflict.versionName, "versions": conflict.versionNames,
      ])
    }
    return JSONValue.members([
      "present": history.present, "steps": history.steps.map(json),
      "conflicts": others.isEmpty ? nil : others,
    ])
  }

  private func json(_ step: EditHistory.Step) -> JSONValue {
    .object([
      "number": step.number, "date": step.date, "editor": step.editor,
      "formatIdentifier": step.adjustmentData?.formatIdentifier,
      "formatVersion": step.adjustmentData?.formatVersion,
      "adjustments": step.number > 0 ? step.stack?.entriesAsJSON : nil,
      "changes": step.changes?.map(\.json), "undone": step.number > history.present ? true : nil,
      "reachable": step.isReachable,
    ])
  }
}

extension EditChange {
  /// The change for people: `+ noir`, `exposure 0.5 → 0.8`, `− vibrance`.
  var text: String {
    switch self {
    case .added(let entry): "+ \(entry.summary)"
    case .removed(let entry): "− \(entry.layer?.name ?? entry.id)"
    case .changed(let before, let after): Self.text(from: before, to: after)
    }
  }

  private static func text(from before: StackEntry, to after: StackEntry) -> String {
    if before.layer != nil {
      return before.summary == after.summary
        ? "\(after.summary) in another version" : "\(before.summary) → \(after.summary)"
    }
    let old = before.adjustment?.settings ?? []
    let new = after.adjustment?.settings ?? []
    let parameters = AdjustmentDescription.named(after.id)?.parameters ?? []
    let changes = parameters.compactMap { parameter -> String? in
      func value(_ settings: [ParameterSetting]) -> String {
        let setting = settings.first { $0.parameter == parameter }
        let text = setting?.argument ?? parameter.neutralArgument
        return text.contains(" ") ? "\"\(text)\"" : text
      }
      guard let option = parameter.option, value(old) != value(new) else { return nil }
      return "\(option) \(value(old)) → \(value(new))"
    }
    return changes.isEmpty ? "\(after.id) in another form" : changes.joined(separator: ", ")
  }

  /// The change as data: which adjustment was added, removed or changed, and how people read it.
  var json: JSONValue {
    let kind =
      switch self {
      case .added: "added"
      case .removed: "removed"
      case .changed: "changed"
      }
    return .object(["change": kind, "id": id, "text": text])
  }
}

extension HistoryDescription {
  /// Asks for the history of a photo.
  init(of photo: FilePath, _ editor: PhotoEditor) async throws(EditError) {
    let asset = Photo(path: photo)
    self.init(
      history: try await editor.history(of: asset),
      conflicts: try await editor.conflictingEdits(of: asset), photo: photo)
  }
}

extension PhotoResult {
  /// The history of a photo.
  init(_ description: HistoryDescription) {
    self.init(
      status: "shown", text: description.text, rows: description.rows,
      details: description.details)
  }
}
