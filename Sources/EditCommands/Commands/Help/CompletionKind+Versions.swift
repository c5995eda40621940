import FoundationEssentials
import PhotoEditing
import SafelightArguments

extension CompletionKind {
  /// The named versions of the photos on the line; while there are none, of those in this folder.
  static let versions = custom { words, _, _ in
    var named = words.dropFirst().map { FilePath(argument: $0) }.filter(\.hasSidecar)
    if named.isEmpty { named = FilePath.editedHere }
    // A shell that waits for another program would seem to hang.
    var configuration = PhotoEditor.Configuration()
    configuration.lockTimeout = .milliseconds(100)
    let editor = PhotoEditor(configuration)
    var found: [CompletionCandidate] = []
    for photo in named {
      for version in (try? await editor.versions(of: Photo(path: photo))) ?? [] {
        if found.contains(where: { $0.word == version.name }) { continue }
        found.append(
          CompletionCandidate(
            version.name, version.stack?.summary ?? "another program's edit", section: "versions"))
      }
    }
    return found
  }
}

extension FilePath {
  /// Photos in the current folder that have a sidecar; so many that a shell need not wait.
  fileprivate static var editedHere: [FilePath] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: ".")) ?? []
    return names.filter { $0.hasSuffix(".aae") }.sorted().prefix(100)
      .map { FilePath(String($0.dropLast(4))) }
  }

  /// Whether a file of the path's name with a sidecar's ending is there.
  fileprivate var hasSidecar: Bool { FilePath(bytes: bytes + Array(".aae".utf8)).leadsSomewhere }
}
