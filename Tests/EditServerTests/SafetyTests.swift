import Foundation
import Glibc
import PhotoEditing
import PhotoLibraryKit
import SafelightFiles
import SafelightFormats
import Testing

@testable import SafelightEditServer

/// Who may ask, and what nobody gets.
@Suite(.enabled(if: ServerTests.areAlone, ServerTests.absence)) struct SafetyTests {
  // MARK: - The token

  @Test func nothingIsAnsweredWithoutTheToken() async throws {
    try await TestServer.run { server throws in
      let wrong = String(repeating: "0", count: 64)
      for address in ["/", "/v1", "/v1/photos", "/v1/openapi.json", "/nothing", "/index.html"] {
        for authorization in ["", "Bearer", "Bearer \(wrong)", "Basic \(server.server.token)"] {
          let reply = try server.ask("GET", address, fields: ["Authorization": authorization])
          #expect(reply.status == 401, "\(address) \(authorization)")
          #expect(reply.code == "unauthorized")
        }
      }
      #expect(
        try server.ask("GET", "/?token=\(wrong)", fields: ["Authorization": ""]).status == 401)
    }
  }

  @Test func theAddressGivesACookieAndLosesTheToken() async throws {
    try await TestServer.run { server throws in
      #expect(server.server.address == "http://\(server.host)/?token=\(server.server.token)")
      let reply = try server.ask(
        "GET", "/?token=\(server.server.token)", fields: ["Authorization": ""])
      #expect(reply.status == 303)
      #expect(reply.fields["location"] == "/")
      let cookie = try #require(reply.fields["set-cookie"])
      #expect(cookie.contains("; HttpOnly"))
      #expect(cookie.contains("; SameSite=Strict"))
      let pair = String(cookie.prefix { $0 != ";" })
      let page = try server.ask(
        "GET", "/", fields: ["Authorization": "", "Cookie": "a=b; " + pair])
      #expect(page.status == 200)
      #expect(page.fields["content-type"] == "text/html; charset=utf-8")
    }
  }

  // MARK: - Other pages

  @Test func otherHostsAndOriginsAreRefused() async throws {
    try await TestServer.run { server throws in
      let port = server.port
      for host in [
        "evil.example:\(port)", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:\(port)",
        "192.168.1.1:\(port)", "127.0.0.1:\(port)@evil.example", "",
      ] {
        let reply = try server.ask("GET", "/v1", fields: ["Host": host])
        #expect([400, 403].contains(reply.status), "\(host)")
      }
      for host in ["127.0.0.1:\(port)", "localhost:\(port)", "LOCALHOST:\(port)", "[::1]:\(port)"] {
        #expect(try server.ask("GET", "/v1", fields: ["Host": host]).status == 200, "\(host)")
      }
      for origin in [
        "http://evil.example", "null", "http://127.0.0.1:1", "http://localhost:\(port)",
      ] {
        let reply = try server.ask("GET", "/v1", fields: ["Origin": origin])
        #expect(reply.code == "request-refused", "\(origin)")
      }
      #expect(
        try server.ask("GET", "/v1", fields: ["Origin": "http://\(server.host)"]).status == 200)
      #expect(try server.ask("GET", "/v1", fields: ["Sec-Fetch-Site": "cross-site"]).status == 403)
      // The entrance, too, is not for other names.
      let entrance = try server.ask(
        "GET", "/?token=\(server.server.token)", fields: ["Host": "evil.example:\(port)"])
      #expect(entrance.status == 403)
    }
  }

  @Test func aCookieAloneChangesNothingWithoutAnOrigin() async throws {
    try await TestServer.run { server throws in
      let entrance = try server.ask(
        "GET", "/?token=\(server.server.token)", fields: ["Authorization": ""])
      let cookie = String(try #require(entrance.fields["set-cookie"]).prefix { $0 != ";" })
      #expect(!cookie.contains(server.server.token), "Other servers of the machine get the cookie.")
      let asToken = "safelight-\(server.port)=\(server.server.token)"
      let refused = try server.ask(
        "GET", "/v1", fields: ["Authorization": "", "Cookie": asToken])
      #expect(refused.status == 401)
      let address = "/v1/photos/\(try server.id())/apply"
      let body = #"{"filter": "noir"}"#
      let without = try server.ask(
        "POST", address, body, fields: ["Authorization": "", "Cookie": cookie])
      #expect(without.code == "request-refused")
      let with = try server.ask(
        "POST", address, body,
        fields: ["Authorization": "", "Cookie": cookie, "Origin": "http://\(server.host)"])
      #expect(with.status == 200)
    }
  }

  @Test func everyAnswerForbidsWhatPagesDoNotNeed() async throws {
    try await TestServer.run { server throws in
      for reply in [
        try server.ask("GET", "/"), try server.ask("GET", "/v1"),
        try server.ask("GET", "/v1", fields: ["Authorization": ""]),
        try server.ask("GET", "/v1/photos/\(try server.id())/thumbnail"),
      ] {
        let policy = try #require(reply.fields["content-security-policy"])
        #expect(policy.contains("default-src 'none'"))
        #expect(policy.contains("script-src 'self';"))
        #expect(!policy.contains("unsafe"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(reply.fields["x-content-type-options"] == "nosniff")
        #expect(reply.fields["access-control-allow-origin"] == nil)
      }
    }
  }

  // MARK: - Files

  @Test func addressesLeadToNoOtherFiles() async throws {
    try await TestServer.run { server throws in
      for address in [
        "/../etc/passwd", "/%2e%2e/etc/passwd", "/..%2f..%2fetc%2fpasswd", "/./index.html",
        "//etc/passwd", "/index.html%00.js", "/.index.html", "/%zz", "/v1/photos/..%2f..%2fetc",
        "/v1/photos/%2fetc%2fpasswd/file", "/v1/photos/../../etc/passwd/file",
      ] {
        let reply = try server.ask("GET", address)
        #expect([400, 404].contains(reply.status), "\(address) \(reply.status)")
        #expect(reply.code != nil)
      }
    }
  }

  @Test func aFolderThatBecameALinkLeadsNowhere() async throws {
    try await TestServer.run(["beach.jpg"]) { folder in
      folder["photos"].appending("trip").makeFolder()
      folder["outside"].makeFolder()
      let beach = try #require(folder["photos"].appending("beach.jpg").contents)
      folder["photos"].appending("trip").appending("a.jpg").write(beach)
      folder["photos"].appending("b.jpg").write(beach)
      folder["outside"].appending("a.jpg").write(beach)
    } _: { server throws in
      let photos = server.folder["photos"]
      let path = photos.appending("trip").appending("a.jpg")
      let asset = try #require(try server.library.fetchAssets(at: [path])[0])
      let id = PhotoID.id(asset.localIdentifier)
      #expect(try server.ask("GET", "/v1/photos/\(id)/file").status == 200)
      // The same names, and a link in place of the folder and of the photo.
      try FileSystem.real.removeTree(photos.appending("trip"))
      let outside = server.folder["outside"].string
      #expect(symlink(outside, photos.appending("trip").string) == 0)
      for what in ["", "/file", "/thumbnail", "/picture", "/history"] {
        let reply = try server.ask("GET", "/v1/photos/\(id)\(what)")
        #expect(reply.status == 404, "\(what) \(reply.text.prefix(100))")
      }
      let single = try server.id("b.jpg")
      try FileSystem.real.unlink(photos.appending("b.jpg"))
      #expect(symlink(outside + "/a.jpg", photos.appending("b.jpg").string) == 0)
      #expect(try server.ask("GET", "/v1/photos/\(single)/file").status == 404)
      #expect(
        try server.ask("POST", "/v1/photos/\(single)/apply", #"{"filter": "noir"}"#).status == 404)
      #expect(try FileNamesOfTests.all(in: outside) == ["a.jpg"])
    }
  }

  @Test func hiddenFilesAndFilesOfFiltersAreNotServed() async throws {
    try await TestServer.run(["beach.jpg", ".hidden.jpg"]) { server throws in
      #expect(try server.ask("GET", "/v1/photos").json["total"]?.integer == 1)
      let reply = try server.ask(
        "POST", "/v1/photos/\(try server.id())/apply", #"{"filter": "/etc/passwd"}"#)
      #expect(reply.code == "unknown-filter")
    }
  }

  @Test func nothingChangesWhenOnlyLookingIsAllowed() async throws {
    var settings = ServerSettings()
    settings.isReadOnly = true
    let document = try InterfaceDocument()
    try await TestServer.run(["beach.jpg"], settings) { server throws in
      let id = try server.id()
      for operation in document.operations where operation.method != "GET" {
        if ["preview", "export"].contains(operation.id) { continue }
        let address = operation.path.replacing("{photo}", with: id).replacing("{album}", with: "a")
          .replacing("{version}", with: "a").replacing("{job}", with: "a")
          .replacing("{filter}", with: "a")
        #expect(
          try server.ask(operation.method, address, "{}").code == "read-only",
          "\(operation.id)")
      }
      let preview = try server.ask(
        "POST", "/v1/photos/\(id)/preview", #"{"adjustments": [], "fit": 64}"#)
      #expect(preview.status == 200)
      #expect(try FileNamesOfTests.all(in: server.folder["photos"].string) == ["beach.jpg"])
    }
  }

  // MARK: - Strange requests

  @Test(arguments: [
    "{", "[]", "null", "\"a\"", "{\"filter\": 1}", "{\"filter\": \"noir\", \"more\": 1}",
    "{\"filter\": \"noir\", \"intensity\": 7}", "{\"filter\": \"noir\", \"intensity\": 1e999}",
    "{\"filter\": \"a\\u0000b\"}", "{}",
    String(repeating: "[", count: 100_000), "{\"filter\": \"noir\", \"filter\": \"noir\"}",
  ])
  func malformedBodiesAreAnErrorAndNothingElse(body: String) async throws {
    try await TestServer.run { server throws in
      let reply = try server.ask("POST", "/v1/photos/\(try server.id())/apply", body)
      #expect(reply.status == 400, "\(reply.text.prefix(200))")
      #expect(reply.code == "bad-request")
      #expect(try server.ask("GET", "/v1").status == 200)
    }
  }

  /// A proxy and this server must not see different ends of a body.
  @Test(arguments: [
    "Content-Length: 2\r\nContent-Length: 3", "Content-Length: 2\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked",
  ])
  func theEndOfABodyIsSaidOnce(fields: String) async throws {
    try await TestServer.run { server throws in
      let client = Client(port: server.port)
      client.send(
        "POST /v1/albums HTTP/1.1\r\nHost: \(server.host)\r\nAuthorization: Bearer "
          + "\(server.server.token)\r\nContent-Type: application/json\r\n\(fields)\r\n\r\n{}")
      #expect(client.reply()?.status == 400)
    }
  }

  /// A record of another program may have more fields; a request without a version has its own words.
  @Test func aMisspelledFieldIsAnErrorUnlessAVersionComesWithIt() async throws {
    try await TestServer.run { server throws in
      let address = "/v1/photos/\(try server.id())/adjust"
      let wrong = try server.ask(
        "POST", address, #"{"adjustments": [{"id": "exposure", "stopz": 1}]}"#)
      #expect(wrong.status == 400)
      #expect(wrong.text.contains("“exposure” has no field “stopz”"))
      let kept = try server.ask(
        "POST", address,
        #"{"adjustments": [{"id": "exposure", "version": 1, "amount": 1, "mood": 2}]}"#)
      #expect(kept.status == 200, "\(kept.text)")
      #expect(kept.text.contains("mood"))
    }
  }

  @Test func strangeAddressesAndNumbersAreErrors() async throws {
    try await TestServer.run { server throws in
      let id = try server.id()
      let long = String(repeating: "9", count: 9000)
      for (address, status) in [
        ("/v1/nothing", 404), ("/v1/photos/\(long)", 404),
        ("/v1/photos/\(id)/thumbnail?size=\(long)", 400),
        ("/v1/photos/\(id)/thumbnail?size=-1", 400),
        ("/v1/photos/\(id)/picture?crop=nan,0,1,1", 400),
        ("/v1/photos/\(id)/picture?crop=0,0,0,0", 400),
        ("/v1/photos/\(id)/picture?crop=0,0,x,1,1", 400), ("/v1/photos?limit=0", 400),
        ("/v1/photos?offset=1e9", 400), ("/v1/photos?sort=nothing", 400),
        ("/v1/photos?where=(((", 422), ("/v1/photos?cursor=zzz", 400), ("/v1/photos?album=x", 404),
        ("/v1/photos?edited=maybe", 400), ("/v1/jobs/\(long)", 404),
      ] {
        let reply = try server.ask("GET", address)
        #expect(reply.status == status, "\(address.prefix(60)): \(reply.text.prefix(200))")
        #expect(reply.code != nil)
      }
      let method = try server.ask("PUT", "/v1/photos", "{}")
      #expect(method.status == 405)
      #expect(method.fields["allow"] == "GET")
      let type = try server.ask(
        "POST", "/v1/photos/\(id)/apply", #"{"filter": "noir"}"#,
        fields: ["Content-Type": "text/plain"])
      #expect(type.status == 415)
    }
  }

  @Test func whatIsNoRequestCostsItsConnectionAlone() async throws {
    try await TestServer.run { server throws in
      for junk in [
        "\u{16}\u{3}\u{1}", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\r\n\r\n\r\nX", "GET /%",
      ] {
        let client = Client(port: server.port)
        client.send(junk)
        #expect(try server.ask("GET", "/v1").status == 200)
      }
      let client = Client(port: server.port)
      client.send("GET /v1 HTTP/1.1\r\nHost: \(server.host)\r\nHost: evil.example\r\n\r\n")
      let reply = try #require(client.reply())
      #expect([400, 403].contains(reply.status))
    }
  }
}
