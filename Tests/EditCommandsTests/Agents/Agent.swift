import Foundation
import PhotoEditing
import PhotoLibraryKit
import Synchronization
import Testing

@testable import SafelightEditCommands

/// A client of `edit mcp` in the process of the tests, whose folder is `@/photos`.
final class Agent: Sendable {
  let folder: CommandFolder
  let session: AgentSession
  let server: AgentServer

  /// - Parameter photos: Fixtures that are copied into the folder.
  init(
    _ photos: [String] = ["orientation/6.jpg"], isReadOnly: Bool = false,
    folder: CommandFolder = CommandFolder(), library: PhotoLibrary? = nil
  ) throws {
    self.folder = folder
    try FileManager.default.createDirectory(
      atPath: folder.path + "/photos", withIntermediateDirectories: true)
    for photo in photos {
      try folder.add(photo, as: "photos/" + (photo.split(separator: "/").last ?? ""))
    }
    let session = AgentSession(
      try AgentFolders([folder.path + "/photos"]), library: library, isReadOnly: isReadOnly)
    self.session = session
    let lines = Lines()
    server = AgentServer(session) { line in lines.all.withLock { $0.append(line) } }
    sent = lines
  }

  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
  }

  private let sent: Lines

  /// Sends lines, and gives what came back once all calls are answered.
  func send(_ messages: String...) async throws -> [JSONValue] {
    for message in messages { await server.receive(Array(message.utf8)) }
    await server.finish()
    return try sent.all.withLock { lines in
      defer { lines = [] }
      for line in lines { #expect(!line.contains("\n")) }
      return try lines.map { try JSONValue(parsing: $0.utf8) }
    }
  }

  /// Says hello.
  func begin(_ revision: String = "2025-06-18") async throws -> JSONValue {
    let answers = try await send(
      #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\#(revision)"}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
    #expect(answers.count == 1)
    return try #require(answers.first?["result"])
  }

  /// Calls a tool without the protocol.
  ///
  /// - Parameter arguments: JSON, in which `@` stands for the folder.
  func call(_ name: String, _ arguments: String = "{}") async throws -> ToolResult {
    let tool = try #require(session.tool(named: name), "There is no tool \(name).")
    let json = try JSONValue(parsing: arguments.replacing("@", with: folder.path).utf8)
    return await CommandSurroundings.$userFilters.withValue(folder.userFilters) {
      await session.call(tool, json)
    }
  }

  /// Everything below the photos' folder, with its bytes.
  var files: [String: Data] {
    let root = folder.path + "/photos"
    let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        FileManager.default.contents(atPath: root + "/" + name).map { (name, $0) }
      })
  }

  var names: [String] { files.keys.sorted() }
}

extension ToolResult {
  /// What programs get, with the files.
  var json: JSONValue { .object(members + JSONValue.members(["files": files.json])) }

  /// The code of its error; `nil` when it did not fail.
  var code: String? { isFailure ? json["error"]?["code"]?.string : nil }

  /// The names of the files that it says were written, replaced and removed.
  var changed: [String] {
    func names(_ paths: [FilePath], _ sign: String) -> [String] {
      paths.map { sign + ($0.lastComponent?.string ?? "") }
    }
    return (names(files.written, "+") + names(files.replaced, "~") + names(files.removed, "-"))
      .sorted()
  }
}
