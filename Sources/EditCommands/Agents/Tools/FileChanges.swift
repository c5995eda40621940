import PhotoEditing

extension FileChanges {
  /// What `files` says in a result.
  var json: JSONValue {
    .object(["written": written, "replaced": replaced, "removed": removed])
  }

  /// One sentence.
  var text: String {
    if isEmpty { return "Nothing changed on disk." }
    let parts = [("written", written), ("replaced", replaced), ("removed", removed)]
      .filter { !$0.1.isEmpty }
      .map { word, paths in
        paths.count <= 4
          ? "\(word) \(paths.map { FileWords.quoted($0) }.joined(separator: ", "))"
          : "\(counted(paths.count, "file")) \(word)"
      }
    return "On disk: \(parts.joined(separator: "; "))."
  }
}
