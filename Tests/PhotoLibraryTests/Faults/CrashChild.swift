import Foundation
import Glibc
import PhotoEditing
import TestSupport
import Testing

@testable import PhotoLibrary

/// The process that Tests/Crash/library.py kills, and the one that looks what is left. Both run only
/// when `SAFELIGHT_CRASH_FOLDER` names a folder.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["SAFELIGHT_CRASH_FOLDER"] != nil))
struct CrashChild {
  private let folder = FilePath(
    ProcessInfo.processInfo.environment["SAFELIGHT_CRASH_FOLDER"] ?? "")
  private var photos: FilePath { folder.appending("photos") }
  private var diary: FilePath { folder.appending("diary") }

  /// Says what is about to be done, or was; survives the process.
  private func note(_ line: String) {
    let descriptor = FileTrace.withCString(diary) { open($0, O_WRONLY | O_CREAT | O_APPEND, 0o600) }
    defer { close(descriptor) }
    let bytes = Array((line + "\n").utf8)
    precondition(write(descriptor, bytes, bytes.count) == bytes.count)
  }

  @Test func worksUntilItIsKilled() async throws {
    let seed = UInt64(ProcessInfo.processInfo.environment["SAFELIGHT_CRASH_SEED"] ?? "") ?? 0
    var generator = SeededGenerator(seed: seed)
    let library = try PhotoLibrary(at: folder.appending("library"))
    for place in ["a", "b", "c"] { photos.appending(place).makeFolder() }
    note("ready")
    try await library.add([photos])
    for round in 0... {
      let place = photos.appending(["a", "b", "c"].randomElement(using: &generator)!)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        for number in 0..<60 {
          let name = "\(seed)-\(round)-\(number).jpg"
          place.appending(name).write(SmallJPEG(comment: name).bytes)
        }
        try await library.scan()
      case 1:
        try moveSome(to: place, &generator)
        try await library.scan()
      default:
        try await toggle(library, &generator)
      }
    }
  }

  private func moveSome(to place: FilePath, _ generator: inout SeededGenerator) throws {
    let from = photos.appending(["a", "b", "c"].randomElement(using: &generator)!)
    let names = try FileManager.default.contentsOfDirectory(atPath: from.string)
    for name in names.sorted().shuffled(using: &generator).prefix(20) {
      rename(from.appending(name).string, place.appending(name).string)
    }
  }

  private func toggle(_ library: PhotoLibrary, _ generator: inout SeededGenerator) async throws {
    let all = try await library.lines("SELECT identifier FROM asset")
    guard let one = all.randomElement(using: &generator) else { return }
    let value = Int.random(in: 0...1, using: &generator)
    note("begin \(one) \(value)")
    try await library.write(
      "UPDATE asset SET favorite = \(value) WHERE identifier = '\(one)'")
    note("done \(one) \(value)")
  }

  @Test func whatIsLeftIsWhole() async throws {
    let library = try PhotoLibrary(at: folder.appending("library"))
    #expect(try await library.lines("PRAGMA integrity_check") == ["ok"])
    #expect(try await library.lines("PRAGMA foreign_key_check").isEmpty)
    var allowed: [String: Set<String>] = [:]
    for line in try String(contentsOf: diary.fileURL, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 3 else { continue }
      // What was begun may have been done; what was done must be there.
      if words[0] == "begin" {
        allowed[words[1], default: ["0"]].insert(words[2])
      } else {
        allowed[words[1]] = [words[2]]
      }
    }
    let found = try await library.lines("SELECT identifier, favorite FROM asset")
    let favorites = Dictionary(
      uniqueKeysWithValues: found.map {
        ($0.components(separatedBy: " | ")[0], $0.components(separatedBy: " | ")[1])
      })
    for (identifier, values) in allowed {
      let value = try #require(favorites[identifier], "\(identifier) is gone")
      #expect(values.contains(value), "\(identifier)")
    }
    try await library.scan()
    let onDisk = try FileManager.default.subpathsOfDirectory(atPath: photos.string)
      .filter { $0.hasSuffix(".jpg") }.map { ($0 as NSString).lastPathComponent }.sorted()
    #expect(try await library.names == onDisk)
    let contents = try await library.contents
    let rebuilt = try await PhotoLibrary.rebuild(at: folder.appending("library"))
    #expect(try await rebuilt.contents == contents)
    // What is looked at next time begins here.
    let lines = try await rebuilt.lines("SELECT identifier, favorite FROM asset").map {
      "done " + $0.replacingOccurrences(of: " | ", with: " ")
    }
    diary.write(Array((lines.joined(separator: "\n") + "\n").utf8))
  }
}
