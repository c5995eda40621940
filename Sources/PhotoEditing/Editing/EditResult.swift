import SafelightStorage

/// What a call did to a photo.
public struct EditResult: Sendable, Hashable {
  /// What became of the photo.
  public enum Status: String, Sendable, Hashable {
    /// It has a new edit and a new render.
    case edited
    /// It has this edit already, or none to revert; nothing was written.
    case unchanged
    /// Its edit is gone; the original is as it always was.
    case reverted
    /// It is not a photo to edit but the render of one.
    case skipped
    /// A picture was written, elsewhere or as the render; the photo and its edit are as before.
    case rendered
  }

  /// What became of the photo.
  public let status: Status
  /// The render beside the original, or the exported picture; `nil` when there is none.
  public let rendered: FilePath?
  /// The sidecar; `nil` when there is none.
  public let record: FilePath?
  /// What could not be kept or done, one sentence each.
  public let warnings: [String]
  /// The number of the step that the photo's history is at, as ``EditHistory`` counts them; `nil`
  /// from calls that do not go through the history.
  public let step: Int?

  init(
    status: Status, rendered: FilePath?, record: FilePath?, warnings: [String], step: Int? = nil
  ) {
    self.step = step
    self.status = status
    self.rendered = rendered
    self.record = record
    self.warnings = warnings
  }

  /// The result for a picture that is the render of a photo.
  init(skippingRenderOf owner: String) {
    self.init(
      status: .skipped, rendered: nil, record: nil,
      warnings: ["It is a render of \(owner); edit that photo instead."])
  }

  /// The result of a commit that was made.
  init(_ outcome: ChangeOutcome, recordPath: FilePath, warnings: [String], step: Int? = nil) {
    self.step = step
    status = .edited
    rendered = outcome.render
    record = recordPath
    self.warnings = warnings + outcome.warnings
  }
}

extension ChangeOutcome {
  /// What was left for the next call to finish.
  var warnings: [String] {
    guard let unfinished else { return [] }
    return [
      "The edit is stored, but its files are not all in place; the next call finishes that. "
        + unfinished.description
    ]
  }
}
