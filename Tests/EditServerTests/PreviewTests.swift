import Foundation
import PhotoEditing
import PhotoLibraryKit
import SafelightFiles
import SafelightFormats
import SafelightTestSupport
import Testing

@testable import SafelightEditServer

/// Previews of edits that a client tries: which one counts, how they are made, what is kept.
@Suite(.enabled(if: ServerTests.areAlone, ServerTests.absence)) struct PreviewTests {
  @Test func theNewestPreviewOfASessionWins() async throws {
    try await TestServer.run { server throws in
      let address = "/v1/photos/\(try server.id())/preview"
      let clients = (0..<6).map { _ in Client(port: server.port) }
      for (number, client) in clients.enumerated() {
        let body =
          "{\"adjustments\": [{\"id\": \"exposure\", \"amount\": 0.\(number)}], \"sequence\": \(number), "
          + "\"session\": \"one\"}"
        client.send(server.request("POST", address, body))
      }
      let replies = clients.map { $0.reply() }
      let done = replies.compactMap { $0?.fields["safelight-sequence"] }
      #expect(!done.isEmpty)
      for reply in replies where reply?.status != 200 {
        #expect(reply?.status == 409)
        #expect(reply?.code == "superseded")
      }
    }
  }

  @Test func aDraftIsAnotherPictureOfTheSameSize() async throws {
    try await TestServer.run { server throws in
      let address = "/v1/photos/\(try server.id())/preview"
      func preview(_ more: String) throws -> Reply {
        try server.ask(
          "POST", address,
          #"{"adjustments": [{"id": "contrast", "version": 1, "amount": 60}], "fit": 400\#(more)}"#)
      }
      let exact = try preview("")
      let draft = try preview(#", "draft": true"#)
      #expect(draft.status == 200, "\(draft.text.prefix(200))")
      #expect(draft.fields["safelight-size"] == exact.fields["safelight-size"])
      #expect(draft.body != exact.body)
      #expect(try preview(#", "draft": false"#).body == exact.body)
      #expect(try preview(#", "draft": 1"#).status == 400)
    }
  }

  /// With `hdr` a preview has the photo's gain map, and without it none.
  @Test func aPreviewMayHaveLightAboveWhite() async throws {
    try await TestServer.run { folder in
      folder["photos"].appending("beach.jpg").write(
        Array(try Data(contentsOf: Fixture.url("hdr/iso.jpg"))))
    } _: { server throws in
      let address = "/v1/photos/\(try server.id())/preview"
      for (more, status, hasMap) in [
        ("", 200, false), (#", "hdr": true"#, 200, true),
        (#", "hdr": true, "draft": true"#, 400, false),
        (#", "hdr": true, "crop": [0, 0, 0.5, 0.5]"#, 400, false),
      ] {
        let reply = try server.ask("POST", address, #"{"adjustments": [], "fit": 200\#(more)}"#)
        #expect(reply.status == status, "\(more)")
        let mark = Data("urn:iso:std:iso:ts:21496".utf8)
        #expect((Data(reply.body).range(of: mark) != nil) == hasMap, "\(more)")
      }
    }
  }

  /// A picture is too large to be kept for a key that nobody sends again.
  @Test func aPreviewIsNotKeptForItsKey() async throws {
    try await TestServer.run { server throws in
      let address = "/v1/photos/\(try server.id())/preview"
      for body in [#"{"adjustments": [], "fit": 64}"#, #"{"adjustments": [], "fit": 65}"#] {
        let reply = try server.ask("POST", address, body, fields: ["Idempotency-Key": "k"])
        #expect(reply.status == 200, "Another request with the same key is no error.")
        #expect(reply.fields["idempotency-replayed"] == nil)
      }
    }
  }

  /// Photos stay decoded, few of them and not for ever.
  @Test func fewPhotosStayDecoded() async throws {
    let names = (0...PictureSessions.mostOpen).map { "photo\($0).jpg" }
    try await TestServer.run(names) { server throws in
      let previews = server.server.service.library.pictures.sessions
      func preview(_ name: String, _ more: String = "", fit: Int = 400) throws -> Reply {
        let reply = try server.ask(
          "POST", "/v1/photos/\(try server.id(name))/preview",
          "{\"adjustments\": [{\"id\": \"exposure\", \"amount\": 0.5}], \"fit\": \(fit)\(more)}")
        #expect(reply.status == 200, "\(reply.text.prefix(200))")
        return reply
      }
      _ = try preview(names[0], fit: 64)
      #expect(previews.openCount == 0, "A thumbnail is decoded for itself.")
      let first = try preview(names[0])
      #expect(try preview(names[0], ", \"session\": \"another\"").body == first.body)
      #expect(previews.openCount == 1, "Viewers of a photo share it.")
      let part = try preview(names[0], ", \"crop\": [0.25, 0.25, 0.5, 0.5]")
      #expect(part.fields["safelight-size"] == "200x134")
      #expect(part.fields["safelight-photo-size"] == "1200x800")
      #expect(previews.openCount == 1, "A part needs no other size of the photo.")
      let all = try preview(names[0], ", \"crop\": [0, 0, 1, 1]", fit: 500)
      #expect(all.fields["safelight-size"] == "500x333")
      #expect(previews.openCount == 1, "A part that is the whole neither.")
      let large = try preview(names[0], ", \"crop\": [0.25, 0.25, 0.5, 0.5]", fit: 20_000)
      #expect(large.fields["safelight-size"] == "600x400")
      for name in names.dropFirst() { _ = try preview(name) }
      #expect(previews.openCount == PictureSessions.mostOpen)
      // The first one was closed, and comes again.
      #expect(try preview(names[0]).body == first.body)
      #expect(previews.openCount == PictureSessions.mostOpen)
      previews.closeIdle(before: .now)
      #expect(previews.openCount == 0)
    }
  }

  @Test func previewsFollowAPhotoThatChanges() async throws {
    try await TestServer.run { server throws in
      let address = "/v1/photos/\(try server.id())/preview"
      let body = #"{"adjustments": [], "fit": 400}"#
      let before = try server.ask("POST", address, body)
      let other = try Data(contentsOf: Fixture.url("orientation/6.jpg"))
      server.folder["photos"].appending("beach.jpg").write(Array(other))
      let after = try server.ask("POST", address, body)
      #expect(before.status == 200 && after.status == 200)
      #expect(before.body != after.body)
      #expect(server.server.service.library.pictures.sessions.openCount == 1)
    }
  }

  @Test func aClientThatGoesCancelsItsPicture() async throws {
    try await TestServer.run { server throws in
      let address = "/v1/photos/\(try server.id())/histogram"
      do {
        let client = Client(port: server.port)
        client.send(server.request("GET", address))
      }
      #expect(try server.ask("GET", "/v1").status == 200)
    }
  }
}
