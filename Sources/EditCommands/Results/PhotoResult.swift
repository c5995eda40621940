import PhotoEditing

/// What a command found out or did about one photo, ready to be printed.
struct PhotoResult: Sendable {
  /// The word that JSON has under `status`.
  let status: String
  /// The line for people, without the photo's name.
  let text: String
  /// Further lines for people, printed below it and indented.
  let rows: [String]
  /// Where the render or the exported picture is; as a path that can be opened from here.
  let rendered: FilePath?
  /// Where the sidecar is.
  let record: FilePath?
  /// What could not be kept or done, one sentence each.
  let warnings: [String]
  /// What else JSON says.
  let details: [JSONValue.Member]

  init(
    status: String, text: String, rows: [String] = [], rendered: FilePath? = nil,
    record: FilePath? = nil, warnings: [String] = [], details: [JSONValue.Member] = []
  ) {
    self.status = status
    self.text = text
    self.rows = rows
    self.rendered = rendered
    self.record = record
    self.warnings = warnings
    self.details = details
  }
}

extension PhotoResult {
  /// What became of a photo whose edit was changed.
  ///
  /// - Parameter did: What was done to it, before “, rendered to”.
  init(_ result: EditResult, did: String, to photo: FilePath, dryRun: DryRunOption) {
    if let skipped = PhotoResult(skipped: result) {
      self = skipped
      return
    }
    let rendered = result.rendered?.shown(beside: photo)
    let name = rendered?.string ?? "its render"
    let text =
      switch result.status {
      case .edited where dryRun.isOn: "would be rendered to \(name)"
      case .edited: "\(did), rendered to \(name)"
      case .unchanged where rendered == nil: "unchanged, it has no edit"
      case .unchanged: "unchanged, \(name) is up to date"
      case .reverted where dryRun.isOn: "would be reverted, nothing is left of the edit"
      case .reverted: "reverted, nothing is left of the edit"
      case .skipped, .rendered: result.status.rawValue
      }
    self.init(
      status: result.status.rawValue, text: text, rendered: rendered,
      record: result.record?.shown(beside: photo), warnings: result.warnings,
      details: dryRun.details)
  }
}

extension FilePath {
  /// A path beside a photo as somebody who named the photo so would name it.
  func shown(beside photo: FilePath) -> FilePath {
    let folder = photo.removingLastComponent()
    guard !photo.isAbsolute, let name = lastComponent else { return self }
    // A photo that is a symbolic link has its files elsewhere; then only the whole path is right. The
    // file itself may not be there yet.
    let here: FilePath = folder.isEmpty ? "." : folder
    return here.leadsToSameFile(as: removingLastComponent()) ? folder.appending(name) : self
  }
}

extension PhotoResult {
  /// Whether the photo's edit is another one now.
  var isChange: Bool {
    [EditResult.Status.edited, .reverted].contains { $0.rawValue == status }
  }
}
