import PhotoEditing

extension EditChange {
  /// The change for people: `+ noir`, `exposure 0.5 → 0.8`, `− vibrance`.
  var text: String {
    switch self {
    case .added(let entry): "+ \(entry.summary)"
    case .removed(let entry): "− \((entry.adjustment as? AppliedFilter)?.name ?? entry.id)"
    case .changed(let before, let after): Self.text(from: before, to: after)
    }
  }

  private static func text(from before: StackEntry, to after: StackEntry) -> String {
    if before.adjustment is AppliedFilter {
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
    return .object([
      .init("change", .string(kind)), .init("id", .string(id)), .init("text", .string(text)),
    ])
  }
}
