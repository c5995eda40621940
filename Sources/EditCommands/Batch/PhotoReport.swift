import PhotoEditing

/// The result of one photo of a batch.
struct PhotoReport: Sendable {
  let photo: FilePath
  let outcome: Result<PhotoResult, PhotoFailure>
  /// Working time in milliseconds.
  let milliseconds: Double
  /// What was made for a report of the batch; `nil` without one.
  var pictures: ReportPictures?
  /// Whether the file is part of a photo's edit, such as its render.
  var isPart = false
}

extension PhotoReport {
  /// The result of work that began at `start` and is done now.
  init(
    photo: FilePath, outcome: Result<PhotoResult, PhotoFailure>,
    since start: ContinuousClock.Instant
  ) {
    self.init(
      photo: photo, outcome: outcome, milliseconds: (ContinuousClock.now - start).milliseconds)
  }

  /// The report of a photo that failed before there was anything to measure.
  static func failed(_ photo: FilePath, _ failure: PhotoFailure) -> PhotoReport {
    PhotoReport(photo: photo, outcome: .failure(failure), milliseconds: 0)
  }

  static func failed(_ photo: FilePath, _ error: EditCommandError) -> PhotoReport {
    failed(photo, PhotoFailure(error))
  }

  /// What became of the photo's edit, when operations were done to it.
  var change: EditResult? { (try? outcome.get())?.change }

  /// The word that JSON has under `status`.
  var status: String {
    switch outcome {
    case .success(let result): result.status
    case .failure: "failed"
    }
  }

  /// The photo's object on the command line's output.
  var json: JSONValue { .object(members) }

  private var members: [JSONValue.Member] {
    let said =
      switch outcome {
      case .success(let result): result.members
      case .failure(let failure): JSONValue.members(["error": failure.json])
      }
    return JSONValue.members(["photo": photo, "status": status]) + said
      + JSONValue.members(["milliseconds": milliseconds.rounded()])
  }
}

extension PhotoReport {
  /// The object that a worker answers with: the same with the text for people and the job's `id`.
  func answer(id: JSONValue?) -> JSONValue {
    let result = try? outcome.get()
    let rows = result?.rows ?? []
    return .object(
      JSONValue.members(["id": id]) + members
        + JSONValue.members([
          "text": result?.text, "rows": rows.isEmpty ? nil : rows,
        ]))
  }
}

extension PhotoResult {
  /// What JSON says besides the photo and the status.
  fileprivate var members: [JSONValue.Member] {
    JSONValue.members(["rendered": rendered, "record": record]) + details
      + JSONValue.members(["warnings": warnings.isEmpty ? nil : warnings])
  }
}

/// What a command found out or did about one photo, ready to be printed.
struct PhotoResult: Sendable {
  /// The word that JSON has under `status`.
  let status: String
  /// The line for people, without the photo's name.
  let text: String
  /// Further lines for people, printed below it and indented.
  var rows: [String] = []
  /// Where the render or the exported picture is; as a path that can be opened from here.
  var rendered: FilePath?
  /// Where the sidecar is.
  var record: FilePath?
  /// What could not be kept or done, one sentence each.
  var warnings: [String] = []
  /// What else JSON says.
  var details: [JSONValue.Member] = []
  /// What became of the photo's edit, when operations were done to it.
  var change: EditResult?
}

extension FilePath {
  /// The path of a file beside a photo, written as the photo's path was.
  func shown(beside photo: FilePath) -> FilePath {
    let folder = photo.removingLastComponent()
    guard !photo.isAbsolute, let name = lastComponent else { return self }
    // A photo that is a symbolic link has its files elsewhere; then only the whole path is right. The
    // file itself may not be there yet.
    let here: FilePath = folder.isEmpty ? "." : folder
    return here.leadsToSameFile(as: removingLastComponent()) ? folder.appending(name) : self
  }
}

extension EditResult {
  /// What JSON says of a change that counts and whose files are not all in their places.
  var unfinished: [JSONValue.Member] { isUnfinished ? [PhotoResult.unfinished] : [] }
}

extension PhotoResult {
  /// What JSON says of a change that counts and whose files are not all in their places.
  static let unfinished = JSONValue.Member("unfinished", .bool(true))

  /// Whether the change counts and not all its files are in their places.
  var isUnfinished: Bool { details.contains { $0.key == Self.unfinished.key } }

  /// Whether the photo's edit is another one now.
  var isChange: Bool {
    [EditResult.Status.edited, .reverted].contains { $0.rawValue == status }
  }
}

extension StackEntry {
  /// What the adjustment is set to, for people: `saturation 20`, or `noir at 0.6`.
  ///
  /// Values are written as “edit adjust” takes them.
  var summary: String {
    guard let adjustment else { return "\(id) version \(version)" }
    if let layer {
      let opacity = JSONValue.number(layer.opacity).text
      return layer.opacity == 1 ? layer.name : "\(layer.name) at \(opacity)"
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
