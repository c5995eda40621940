import PhotoEditing

/// What became of one photo of a batch.
struct PhotoReport: Sendable {
  let photo: FilePath
  let outcome: Result<PhotoResult, PhotoFailure>
  /// Working time in milliseconds.
  let milliseconds: Double
  /// What was made for a report of the batch; `nil` without one.
  var pictures: ReportPictures?

  init(
    photo: FilePath, outcome: Result<PhotoResult, PhotoFailure>, milliseconds: Double
  ) {
    self.photo = photo
    self.outcome = outcome
    self.milliseconds = milliseconds
  }

  /// What came of work that began at `start` and is done now.
  init(
    photo: FilePath, outcome: Result<PhotoResult, PhotoFailure>,
    since start: ContinuousClock.Instant
  ) {
    self.init(
      photo: photo, outcome: outcome, milliseconds: (ContinuousClock.now - start).milliseconds)
  }

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
    var members: [JSONValue.Member] = [
      .init("photo", .string(photo.string)), .init("status", .string(status)),
    ]
    switch outcome {
    case .success(let result): members += result.members
    case .failure(let failure): members.append(.init("error", failure.json))
    }
    members.append(.init("milliseconds", .number(milliseconds.rounded())))
    return members
  }
}

// MARK: - Between processes

extension PhotoReport {
  /// The object that a worker answers with: the same with the text for people and the job's `id`.
  func answer(id: JSONValue?) -> JSONValue {
    var members = members
    if let id { members.insert(.init("id", id), at: 0) }
    if let pictures { members.append(.init("pictures", pictures.json)) }
    if case .success(let result) = outcome {
      members.append(.init("text", .string(result.text)))
      if !result.rows.isEmpty {
        members.append(.init("rows", .array(result.rows.map { .string($0) })))
      }
    }
    return .object(members)
  }

  /// What a worker answered about a photo; `nil` when it is no such answer.
  init?(answer: JSONValue, photo: FilePath) {
    guard let status = answer["status"]?.string else { return nil }
    self.photo = photo
    milliseconds = answer["milliseconds"]?.number ?? 0
    pictures = answer["pictures"].map(ReportPictures.init)
    if let error = answer["error"] {
      guard let failure = PhotoFailure(error) else { return nil }
      outcome = .failure(failure)
      return
    }
    func path(_ key: String) -> FilePath? { answer[key]?.string.map { FilePath($0) } }
    func texts(_ key: String) -> [String] { answer[key]?.elements?.compactMap(\.string) ?? [] }
    let known: Set = [
      "id", "photo", "status", "rendered", "record", "warnings", "milliseconds", "text", "rows",
      "pictures",
    ]
    outcome = .success(
      PhotoResult(
        status: status, text: answer["text"]?.string ?? status, rows: texts("rows"),
        rendered: path("rendered"), record: path("record"), warnings: texts("warnings"),
        details: (answer.members ?? []).filter { !known.contains($0.key) }))
  }
}

extension PhotoResult {
  /// What JSON says besides the photo and the status.
  fileprivate var members: [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if let rendered { members.append(.init("rendered", .string(rendered.string))) }
    if let record { members.append(.init("record", .string(record.string))) }
    members += details
    if !warnings.isEmpty {
      members.append(.init("warnings", .array(warnings.map { .string($0) })))
    }
    return members
  }
}
