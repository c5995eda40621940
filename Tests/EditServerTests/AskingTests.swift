import SafelightFormats
import Testing

@testable import SafelightEditServer

/// What programs ask that is not quite right, and what they ask at once.
@Suite(.enabled(if: ServerTests.areAlone, ServerTests.absence)) struct AskingTests {
  @Test func aValueThatAnAddressDoesNotTakeIsRefusedAndTheOthersAreNamed() async throws {
    try await TestServer.run { server throws in
      let page = try server.ask("GET", "/v1/photos?page=2&limit=1")
      #expect(page.status == 400 && page.code == "bad-request")
      let words = page.json[path: "error", "message"]?.string ?? ""
      #expect(words.contains("“page”") && words.contains("offset") && words.contains("limit"))
      for route in server.server.service.routes {
        let address = route.parts.map { $0.first == "{" ? "x" : String($0) }.joined(separator: "/")
        let reply = try server.ask(
          route.row.method, "/\(address)?nonsense=1", route.row.method == "GET" ? nil : "{}")
        #expect(reply.code == "bad-request", "\(route.row.method) \(route.row.path)")
      }
    }
  }

  @Test func aCursorGoesWithItsQuery() async throws {
    try await TestServer.run(["a.jpg", "b.jpg", "c.jpg"]) { server throws in
      let first = try server.ask("GET", "/v1/photos?limit=1&sort=filename")
      let cursor = try #require(first.json["next"]?.string)
      let second = try server.ask("GET", "/v1/photos?limit=2&sort=filename&cursor=\(cursor)")
      let names = (second.json["photos"]?.elements ?? []).compactMap { $0["name"]?.string }
      #expect(names == ["b.jpg", "c.jpg"] && second.json["next"] == nil)
      for other in [
        "sort=filename:descending", "", "sort=filename&where=favorite%20%3D%201",
        "sort=filename&offset=1",
      ] {
        #expect(try server.ask("GET", "/v1/photos?cursor=\(cursor)&\(other)").code == "bad-request")
      }
      #expect(try server.ask("GET", "/v1/photos?cursor=o1").code == "bad-request")
    }
  }

  @Test func anUneditedPhotoHasNoRender() async throws {
    try await TestServer.run { server throws in
      let photo = "/v1/photos/\(try server.id())"
      let reply = try server.ask("GET", photo + "/file?kind=render")
      #expect(reply.status == 404 && reply.code == "not-edited")
      try server.ask("POST", photo + "/apply", #"{"filter": "noir"}"#)
      #expect(try server.ask("GET", photo + "/file?kind=render").status == 200)
      let undone = try server.ask("POST", photo + "/undo", "{}")
      #expect(undone.json["rendered"] == nil)
      #expect(try server.ask("GET", photo + "/file?kind=render").code == "not-edited")
      let state = try server.ask("GET", photo).json
      #expect(state["edited"] == .bool(false))
      #expect(state[path: "edit", "undone"]?.integer == 1)
      let edited = try server.ask("GET", "/v1/photos?edited=true").json["total"]?.integer
      #expect(edited == 0, "What was undone is not edited.")
    }
  }

  @Test(arguments: ["a", "é", "写", "🏖"])
  func aConditionThatIsTooLongIsRefusedInJSON(letter: String) async throws {
    try await TestServer.run { server throws in
      func asked(_ count: Int) throws -> Reply {
        let text = "title = '" + String(repeating: letter, count: count) + "'"
        let escaped = text.utf8.map { byte in
          let digits = String(byte, radix: 16, uppercase: true)
          return "%" + (digits.utf8.count < 2 ? "0" : "") + digits
        }
        return try server.ask("GET", "/v1/photos?where=" + escaped.joined())
      }
      #expect(try asked(9900 / letter.utf8.count).status == 200)
      for count in [24_000 / letter.utf8.count, 18_000] {
        let long = try asked(count)
        #expect(long.status == 400 && long.code == "bad-request")
        #expect(long.json[path: "error", "message"]?.string?.contains("10000") == true)
      }
    }
  }

  @Test func anUnknownAdjustmentIsCalledUnknownWithTheNearest() async throws {
    try await TestServer.run { server throws in
      let photo = "/v1/photos/\(try server.id())"
      for (body, words, hint) in [
        (
          #"{"adjustments": [{"id": "exposre", "amount": 1}]}"#, "no adjustment “exposre”",
          "“exposure”"
        ),
        (#"{"adjustments": [{"id": "exposure", "amont": 1}]}"#, "“amont”", "“amount”"),
        (#"{"values": {"contrst": 1}}"#, "no adjustment “contrst”", "“contrast”"),
        (
          #"{"adjustments": [{"id": "exposure", "version": 99, "amount": 1}]}"#, "newer Safelight",
          "openapi"
        ),
      ] {
        let reply = try server.ask("POST", photo + "/adjust", body)
        #expect(reply.status == 400 && reply.code == "bad-request")
        #expect(
          reply.json[path: "error", "message"]?.string?.contains(words) == true, "\(reply.text)")
        #expect(reply.json[path: "error", "hint"]?.string?.contains(hint) == true, "\(reply.text)")
      }
    }
  }

  /// As several pages of a program, or several programs, ask.
  @Test(arguments: ["", #", "session": "one""#])
  func previewsOfSeveralPhotosDoNotSupersedeEachOther(session: String) async throws {
    let names = (0..<6).map { "photo\($0).jpg" }
    try await TestServer.run(names) { server throws in
      // Without a session, each photo twice.
      let wanted = session.isEmpty ? names + names : names
      let clients = try wanted.map { name in
        let client = Client(port: server.port)
        client.send(
          server.request(
            "POST", "/v1/photos/\(try server.id(name))/preview",
            "{\"adjustments\": [{\"id\": \"exposure\", \"amount\": 0.5}], \"fit\": 400\(session)}"))
        return client
      }
      #expect(clients.map { $0.reply()?.status } == wanted.map { _ in 200 })
    }
  }
}
