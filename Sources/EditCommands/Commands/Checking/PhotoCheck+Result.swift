import PhotoEditing

extension PhotoResult {
  /// What a check came to.
  init(_ check: PhotoCheck) {
    let problems = check.problems.map { $0.shown(beside: check.path) }
    let notes = check.notes.map { $0.shown(beside: check.path) }
    let fixed = check.fixed.map { $0.shown(beside: check.path) }
    var parts = (problems + notes).map(\.words) + fixed.map { "\($0.words), put right" }
    if parts.isEmpty { parts = [check.isEdited ? "as recorded" : "not edited"] }
    var details: [JSONValue.Member] = []
    func add(_ key: String, _ findings: [JSONValue]) {
      if !findings.isEmpty { details.append(.init(key, .array(findings))) }
    }
    add("problems", problems.map { $0.json(advising: true) })
    add("notes", notes.map { $0.json(advising: true) })
    add("fixed", fixed.map { $0.json(advising: false) })
    self.init(
      status: check.isSound ? "verified" : "failed", text: parts.joined(separator: ", "),
      rows: (problems + notes).map(\.message), details: details)
  }
}

extension PhotoProblem {
  /// What happened and what can be done, in two sentences.
  var message: String { [description, hint].compactMap(\.self).joined(separator: " ") }

  /// The kind of problem in two or three words.
  fileprivate var words: String { String(code.map { $0 == "-" ? " " : $0 }) }

  /// The same problem of a file as somebody who named the photo so would name it. The file need
  /// not be there.
  fileprivate func shown(beside photo: FilePath) -> PhotoProblem {
    guard !photo.isAbsolute, let name = file.lastComponent else { return self }
    func folder(of path: FilePath) -> FilePath {
      let folder = path.removingLastComponent()
      return folder.isEmpty ? "." : folder
    }
    guard folder(of: photo).leadsToSameFile(as: folder(of: file)) else { return self }
    return PhotoProblem(kind, photo.removingLastComponent().appending(name))
  }

  fileprivate func json(advising: Bool) -> JSONValue {
    var members = [
      JSONValue.Member("kind", .string(code)), JSONValue.Member("file", .string(file.string)),
      JSONValue.Member("message", .string(description)),
    ]
    if advising, let hint { members.append(JSONValue.Member("hint", .string(hint))) }
    return .object(members)
  }
}
