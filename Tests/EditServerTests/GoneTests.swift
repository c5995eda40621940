import Foundation
import SafelightFiles
import SafelightFormats
import SafelightTestSupport
import Testing

@testable import SafelightEditServer

/// Edits whose photos were deleted outside.
@Suite(.enabled(if: ServerTests.areAlone, ServerTests.absence)) struct GoneTests {
  /// A server of two photos with an edit, of which `beach.jpg` was deleted then.
  private static func run(
    _ body: (TestServer, _ beach: String) async throws -> Void
  ) async throws {
    try await TestServer.run(["beach.jpg", "other.jpg"]) { folder in
      // Another picture than that of the photo that is deleted.
      folder["photos"].appending("other.jpg").write(
        Array(try Data(contentsOf: Fixture.url("orientation/2.jpg"))))
    } _: { server throws in
      for name in ["beach.jpg", "other.jpg"] {
        let id = try server.id(name)
        #expect(
          try server.ask("POST", "/v1/photos/\(id)/apply", #"{"filter": "noir"}"#).status == 200)
      }
      let beach = server.folder["photos"].appending("beach.jpg")
      try FileSystem.real.remove(beach)
      try await body(server, beach.string)
    }
  }

  private static func texts(_ json: JSONValue?) -> [String] {
    (json?.elements ?? []).compactMap(\.string)
  }

  private static func body(_ photos: String...) -> String {
    JSONValue.object(["photos": .strings(photos)]).text
  }

  @Test func theListSaysWhatWouldGoAndExactlyThatGoes() async throws {
    let document = try InterfaceDocument()
    try await Self.run { server, beach in
      let list = try server.ask("GET", "/v1/gone")
      #expect(document.problems(of: list, to: try document.operation("gone")) == [])
      let all = try #require(list.json["photos"]?.elements)
      #expect(all.compactMap { $0["photo"]?.string } == [beach])
      #expect(all.first?["canPutAway"] == .bool(true))
      #expect(all.first?["name"]?.string == "beach.jpg")
      let files = Self.texts(all.first?["files"])
      #expect(files.last == beach + ".aae")

      let other = server.folder["photos"].appending("other.jpg").string
      let reply = try server.ask(
        "POST", "/v1/gone", Self.body(other, beach, beach), fields: ["Idempotency-Key": "one"])
      #expect(document.problems(of: reply, to: try document.operation("putGoneAway")) == [])
      let results = try #require(reply.json["photos"]?.elements)
      #expect(results.compactMap { $0["photo"]?.string } == [other, beach])
      #expect(results.compactMap { $0["status"]?.string } == ["unchanged", "removed"])
      #expect(Self.texts(results[1]["files"]) == files)
      let trash = FilePath(try #require(results[1]["trash"]?.string))
      for file in files.map({ FilePath($0) }) {
        #expect(file.contents == nil)
        #expect(trash.appending(try #require(file.lastComponent)).contents != nil)
      }
      #expect(FilePath(other + ".aae").contents != nil)
      #expect(try server.ask("GET", "/v1/gone").json["photos"] == .array([]))

      let again = try server.ask(
        "POST", "/v1/gone", Self.body(other, beach, beach), fields: ["Idempotency-Key": "one"])
      #expect(again.fields["idempotency-replayed"] == "true" && again.json == reply.json)
      let late = try server.ask("POST", "/v1/gone", Self.body(beach))
      #expect(late.json["photos"]?.elements?.first?["status"]?.string == "unchanged")
    }
  }

  @Test func whatIsBackOrElsewhereMeanwhileStays() async throws {
    try await Self.run { server, beach in
      let bytes = Array(try Data(contentsOf: Fixture.url("beach.jpg")))
      let moved = server.folder["photos"].appending("moved.jpg")
      moved.write(bytes)
      let list = try server.ask("GET", "/v1/gone").json["photos"]?.elements
      #expect(list?.first?["canPutAway"] == .bool(false))
      let reply = try server.ask("POST", "/v1/gone", Self.body(beach)).json["photos"]?.elements
      #expect(reply?.first?["status"]?.string == "unchanged")
      #expect(reply?.first?["reason"]?.string?.contains(moved.string) == true)
      try FileSystem.real.remove(moved)
      FilePath(beach).write(bytes)
      let back = try server.ask("POST", "/v1/gone", Self.body(beach)).json["photos"]?.elements
      #expect(back?.first?["status"]?.string == "unchanged")
      #expect(FilePath(beach + ".aae").contents != nil)
    }
  }

  @Test func aFolderThatIsAwayMayHaveThePhotos() async throws {
    try await Self.run { server, beach in
      let second = server.folder["second"]
      second.makeFolder()
      try await server.library.add([second])
      // A disk that is not mounted leaves an empty folder, or none.
      for isThere in [true, false] {
        if !isThere { try FileSystem.real.removeTree(second) }
        for reply in [
          try server.ask("GET", "/v1/gone"), try server.ask("POST", "/v1/gone", Self.body(beach)),
        ] {
          #expect(reply.status >= 400 && reply.code != nil)
          #expect(reply.text.contains("second"))
        }
      }
      #expect(FilePath(beach + ".aae").contents != nil)
    }
  }

  @Test func aServerThatChangesNothingPutsNothingAway() async throws {
    var settings = ServerSettings()
    settings.isReadOnly = true
    try await TestServer.run(["beach.jpg"], settings) { server throws in
      #expect(try server.ask("GET", "/v1/gone").status == 200)
      #expect(try server.ask("POST", "/v1/gone", Self.body("a")).code == "read-only")
    }
  }
}
