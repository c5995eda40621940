import PhotoEditing

extension StackEntry {
  /// What the adjustment is set to, for people: `saturation 20`, or `noir at 0.6`.
  ///
  /// Values are written as “edit adjust” takes them.
  var summary: String {
    guard let adjustment else { return "\(id) version \(version)" }
    if let filter = adjustment as? AppliedFilter {
      let intensity = JSONValue.number(filter.intensity).text
      return filter.intensity == 1 ? filter.name : "\(filter.name) at \(intensity)"
    }
    let values = adjustment.settings.compactMap { setting in
      setting.parameter.option.map { option in
        let text = setting.argument
        return "\(option) " + (text.contains(" ") ? "\"\(text)\"" : text)
      }
    }
    return values.isEmpty ? id : values.joined(separator: ", ")
  }
}

extension EditStack {
  /// What all adjustments are set to, for people.
  var summary: String {
    let entries = inPipelineOrder.map(\.summary)
    return entries.isEmpty ? "no adjustments" : entries.joined(separator: ", ")
  }

  /// The adjustments as JSON, in the order of the pipeline.
  var entriesAsJSON: [JSONValue] { inPipelineOrder.map(\.json.compact) }

  /// The values that are not neutral in the photo's own adjustments, under their options' names.
  var values: JSONValue {
    let settings = inPipelineOrder.flatMap { $0.adjustment?.settings ?? [] }
    return .object(
      settings.compactMap { setting in
        setting.parameter.option.map { JSONValue.Member($0, setting.value) }
      })
  }
}
