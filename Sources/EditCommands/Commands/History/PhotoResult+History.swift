import PhotoEditing

extension PhotoResult {
  /// What became of a photo that was taken through its history.
  ///
  /// - Parameters:
  ///   - did: What was done to it, as “undone”.
  ///   - nothing: Why nothing was, when it was not.
  init(
    _ result: EditResult, did: String, nothing: String, to photo: FilePath, dryRun: DryRunOption
  ) {
    if let skipped = PhotoResult(skipped: result) {
      self = skipped
      return
    }
    let rendered = result.rendered?.shown(beside: photo)
    let name = rendered?.string ?? "its render"
    let place = result.step == 0 ? "\(did), as the original" : did
    let text =
      switch result.status {
      case .edited where dryRun.isOn: "would be \(place), rendered to \(name)"
      case .edited where result.step == 0:
        "\(place), rendered to \(name); “edit revert” drops that too"
      case .edited: "\(place), rendered to \(name)"
      default: "unchanged, \(nothing)"
      }
    self.init(
      status: result.status.rawValue, text: text, rendered: rendered,
      record: result.record?.shown(beside: photo), warnings: result.warnings,
      details: (result.step.map { [.init("step", .number(Double($0)))] } ?? []) + dryRun.details)
  }
}
