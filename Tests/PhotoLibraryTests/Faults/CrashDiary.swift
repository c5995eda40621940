import Foundation
import Glibc
import PhotoEditing
import SafelightFiles
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// A file with what a process is about to do, and what calls reported as done. It survives the process.
///
/// After `begin KIND IDENTIFIER VALUE` the change may have been made, after `done KIND IDENTIFIER VALUE` it was.
struct CrashDiary: Sendable {
  private let path: FilePath

  init(_ path: FilePath) { self.path = path }

  func note(_ line: String) {
    let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_APPEND, 0o600) }
    defer { close(descriptor) }
    let bytes = Array((line + "\n").utf8)
    precondition(write(descriptor, bytes, bytes.count) == bytes.count)
  }

  func doing(
    _ values: [(kind: String, identifier: String, value: Bool)], _ work: () async throws -> Void
  ) async throws {
    for one in values { note("begin \(one.kind) \(one.identifier) \(one.value ? 1 : 0)") }
    try await work()
    for one in values { note("done \(one.kind) \(one.identifier) \(one.value ? 1 : 0)") }
  }

  private struct Thing: Hashable {
    let kind: String
    let identifier: String
  }

  /// Compares the reported changes with the library.
  func compare(with library: PhotoLibrary) async throws {
    var allowed: [Thing: Set<String>] = [:]
    for line in try String(contentsOf: path.fileURL, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 4 else { continue }
      let thing = Thing(kind: words[1], identifier: words[2])
      if words[0] == "begin" {
        allowed[thing, default: ["0"]].insert(words[3])
      } else {
        allowed[thing] = [words[3]]
      }
    }
    let state = try await state(of: library)
    for (thing, values) in allowed {
      let emptied = allowed[Thing(kind: "emptied", identifier: thing.identifier)] ?? ["0"]
      if emptied.contains("1"), state[Thing(kind: "asset", identifier: thing.identifier)] == nil {
        continue
      }
      if thing.kind == "emptied" {
        #expect(values.contains("0"), "\(thing) is there all the same")
      } else {
        let value = state[thing] ?? (thing.kind == "asset" || thing.kind == "album" ? "0" : nil)
        #expect(values.contains(try #require(value, "\(thing) is gone")), "\(thing)")
      }
    }
  }

  /// The next comparison begins here.
  func begin(with library: PhotoLibrary) async throws {
    let lines = try await state(of: library).map { thing, value in
      "done \(thing.kind) \(thing.identifier) \(value)"
    }
    path.write(Array((lines.joined(separator: "\n") + "\n").utf8))
  }

  private func state(of library: PhotoLibrary) async throws -> [Thing: String] {
    var state: [Thing: String] = [:]
    for (kind, query) in [
      ("favorite", "SELECT identifier, favorite FROM asset"),
      ("trashed", "SELECT identifier, trashedDate IS NOT NULL FROM asset"),
      ("asset", "SELECT identifier, 1 FROM asset"),
      ("album", "SELECT identifier, 1 FROM collection"),
    ] {
      for line in try await library.lines(query) {
        let words = line.components(separatedBy: " | ")
        state[Thing(kind: kind, identifier: words[0])] = words[1]
      }
    }
    return state
  }
}
