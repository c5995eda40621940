import Foundation
import PhotoEditing
import PhotoLibraryKit
import SafelightFiles
import SafelightFormats
import SafelightTestSupport
import Testing

@testable import SafelightEditCommands
@testable import SafelightEditServer

/// Whether servers are tried.
///
/// A server shares the threads of Swift's tasks with the tests that run at the same time, and its clients would wait for
/// all of them. So these tests run alone: `SAFELIGHT_SERVER_TESTS=1 swift test --no-parallel --filter EditServerTests`.
enum ServerTests {
  static let areAlone = ProcessInfo.processInfo.environment["SAFELIGHT_SERVER_TESTS"] != nil
  static let absence: Comment = "SAFELIGHT_SERVER_TESTS is not set."
}

/// A server of a folder of photos, for one test.
final class TestServer: Sendable {
  let folder: TemporaryFolder
  let library: PhotoLibrary
  let server: PhotoServer
  private let task: Task<Void, Never>

  private init(_ folder: TemporaryFolder, _ settings: ServerSettings) async throws {
    self.folder = folder
    library = try PhotoLibrary(at: folder["library"])
    try await library.add([folder["photos"]])
    let words = CommandSurroundings.$userFilters.withValue(UserFilters(folder: folder["filters"])) {
      CommandLineWords()
    }
    let server = try await PhotoServer(library, settings, words: words)
    self.server = server
    task = Task { await server.run() }
  }

  /// Runs a test with a server, and stops the server.
  ///
  /// - Parameters:
  ///   - photos: Fixtures, or names for copies of `beach.jpg`.
  ///   - prepare: Called with the folder before the server starts.
  static func run<Result>(
    _ photos: [String] = ["beach.jpg"], _ settings: ServerSettings = ServerSettings(),
    prepare: (TemporaryFolder) throws -> Void = { _ in },
    _ body: (TestServer) async throws -> Result
  ) async throws -> Result {
    let folder = TemporaryFolder()
    folder["photos"].makeFolder()
    for name in photos {
      let fixture = Fixture.url(name)
      let source =
        FileManager.default.fileExists(atPath: fixture.path) ? fixture : Fixture.url("beach.jpg")
      folder["photos"].appending(name).write(Array(try Data(contentsOf: source)))
    }
    try prepare(folder)
    let server = try await TestServer(folder, settings)
    do {
      let result = try await body(server)
      await server.stop()
      return result
    } catch {
      await server.stop()
      throw error
    }
  }

  func stop() async {
    task.cancel()
    await task.value
  }

  var port: Int { server.port }

  /// The field Host of a well-behaved client.
  var host: String { "127.0.0.1:\(port)" }

  /// The identifier of a photo by its name.
  func id(_ name: String = "beach.jpg") throws -> String {
    let path = folder["photos"].appending(name)
    let asset = try #require(try library.fetchAssets(at: [path])[0])
    return PhotoID.id(asset.localIdentifier)
  }

  /// Asks with the token.
  ///
  /// - Parameters:
  ///   - fields: Further fields; one of the same name takes the place of a usual one, and an empty one is left out.
  @discardableResult
  func ask(
    _ method: String, _ address: String, _ body: String? = nil, fields: [String: String] = [:]
  ) throws -> Reply {
    let client = Client(port: port)
    client.send(request(method, address, body, fields: fields))
    return try #require(
      client.reply(toHead: method == "HEAD"), "\(method) \(address) had no answer")
  }

  /// The text of a request.
  func request(
    _ method: String, _ address: String, _ body: String? = nil, fields: [String: String] = [:]
  ) -> String {
    var all = ["Host": host, "Authorization": "Bearer \(server.token)"]
    if let body {
      all["Content-Type"] = "application/json"
      all["Content-Length"] = "\(body.utf8.count)"
    }
    for (name, value) in fields { all[name] = value }
    let lines = all.filter { !$0.value.isEmpty }.map { "\($0.key): \($0.value)\r\n" }
    return "\(method) \(address) HTTP/1.1\r\n" + lines.joined() + "\r\n" + (body ?? "")
  }
}

extension JSONValue {
  /// The value under keys, one below the other.
  subscript(path keys: String...) -> JSONValue? {
    keys.reduce(self) { $0?[$1] }
  }
}
