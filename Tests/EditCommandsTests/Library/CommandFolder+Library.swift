import Foundation
import PhotoLibraryKit
import Synchronization

@testable import SafelightEditCommands

extension CommandFolder {
  /// The library that commands find without `--library`.
  var libraryFolder: FilePath { FilePath(path).appending("data/library") }

  func library() throws -> PhotoLibrary { try PhotoLibrary(at: libraryFolder) }

  /// Makes a library of copies of a small photo in `@/photos`.
  func makeLibrary(of names: String...) async throws {
    for name in names { try add("orientation/1.jpg", as: "photos/" + name) }
    try FileManager.default.createDirectory(
      atPath: path + "/photos", withIntermediateDirectories: true)
    _ = await edit("library", "init")
    _ = await edit("library", "add", "@/photos")
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: path + "/" + name)
  }

  /// What `edit library list` lists, by the names of the files.
  func listed(_ words: String...) async throws -> [String] {
    try await edit(["library", "list", "--json"] + words).results.map { line in
      let path = try JSONValue(parsing: line.utf8)["path"]?.string ?? line
      return String(path.split(separator: "/").last ?? "")
    }
  }

  /// Runs a command line where somebody gives these answers.
  ///
  /// - Returns: What was said, and what was asked.
  func edit(
    answering answers: [String], _ words: String...
  ) async -> (transcript: Transcript, questions: [String]) {
    let asked = Mutex<[String]>([])
    let left = Mutex(answers)
    let terminal = QuestionTerminal { question in
      asked.withLock { $0.append(question.replacing(self.path, with: "@")) }
      return left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
    let transcript = await CommandSurroundings.$questionTerminal.withValue(terminal) {
      await edit(words)
    }
    return (transcript, asked.withLock(\.self))
  }
}

extension Transcript {
  /// The objects that were printed.
  var objects: [JSONValue] {
    get throws { try results.map { try JSONValue(parsing: $0.utf8) } }
  }
}
