import PhotoEditing
import SafelightFiles
import SafelightFormats
import Testing

@testable import SafelightEditServer

/// What clients can take from the server, and from each other.
@Suite(.serialized, .enabled(if: ServerTests.areAlone, ServerTests.absence)) struct LimitTests {
  @Test func hugeHeadersAreRefused() async throws {
    try await TestServer.run { server throws in
      let client = Client(port: server.port)
      client.send("GET /v1 HTTP/1.1\r\nHost: \(server.host)\r\nX: ")
      for _ in 0..<100 {
        guard client.send([UInt8](repeating: 0x61, count: 10_000)) else { break }
      }
      let reply = client.reply()
      #expect(reply == nil || [400, 413, 431].contains(reply!.status))
      #expect(try server.ask("GET", "/v1").status == 200)
    }
  }

  @Test func largeBodiesAreRefusedBeforeTheyCome() async throws {
    var settings = ServerSettings()
    settings.limits.bodyBytes = 10_000
    try await TestServer.run(["beach.jpg"], settings) { server throws in
      let address = "/v1/photos/\(try server.id())/apply"
      let client = Client(port: server.port)
      client.send(
        server.request("POST", address, "{", fields: ["Content-Length": "100000000"]))
      #expect(client.reply()?.code == "request-too-large")
      let long = Client(port: server.port)
      long.send(
        server.request(
          "POST", address, nil,
          fields: ["Transfer-Encoding": "chunked", "Content-Type": "application/json"]))
      let chunk = "2710\r\n" + String(repeating: " ", count: 10_000) + "\r\n"
      for _ in 0..<3 { long.send(chunk) }
      #expect(long.isEnded())
    }
  }

  @Test func halfRequestsAreEnded() async throws {
    var settings = ServerSettings()
    settings.limits.idleSeconds = 60
    settings.limits.headerSeconds = 1
    settings.limits.bodySeconds = 1
    try await TestServer.run(["beach.jpg"], settings) { server throws in
      let header = Client(port: server.port)
      header.send("GET /v1 HTTP/1.1\r\nHost:")
      let body = Client(port: server.port)
      body.send(server.request("POST", "/v1/jobs", "{", fields: ["Content-Length": "100"]))
      #expect(try server.ask("GET", "/v1").status == 200)
      #expect(header.isEnded())
      #expect(body.isEnded())
    }
  }

  @Test func aThousandConnectionsLeaveRoomForOthers() async throws {
    try await TestServer.run { server throws in
      // Each is one open file here and one there.
      let clients = (0..<300).map { _ in Client(port: server.port) }
      for client in clients { client.send("GET /v1 HTTP/1.1\r\n") }
      // Several threads take connections, so that this answer may come before the last of them is counted.
      for _ in 0..<100 {
        #expect(try server.ask("GET", "/v1").status == 200)
        if server.server.connectionCount >= 300 { break }
      }
      #expect(server.server.connectionCount >= 300)
      withExtendedLifetime(clients) {}
    }
  }

  @Test func aSlowReaderHoldsNobodyUp() async throws {
    try await TestServer.run { server throws in
      let slow = (0..<20).map { _ in Client(port: server.port) }
      let request = server.request("GET", "/v1/openapi.json")
      for client in slow { client.send(String(repeating: request, count: 50)) }
      #expect(try server.ask("GET", "/v1").status == 200)
      withExtendedLifetime(slow) {}
    }
  }
}

/// The protocol's small print.
@Suite(.enabled(if: ServerTests.areAlone, ServerTests.absence)) struct HTTPTests {
  @Test func addressesAreRead() {
    let address = HTTPAddress("/v1/photos/a%2Fb%20c?x=1%262&y=a+b&z&x=2")
    #expect(address?.path == ["v1", "photos", "a/b c"])
    #expect(address?.query == ["x": "2", "y": "a b", "z": ""])
    #expect(HTTPAddress("/")?.path == [])
    #expect(HTTPAddress("/v1/")?.path == ["v1"])
    for wrong in [
      "", "v1", "*", "http://a/b", "/%", "/%4", "/%zz", "/a%00b", "/%ff", "/a/../b", "/%2e%2e",
    ] {
      #expect(HTTPAddress(wrong) == nil, "\(wrong)")
    }
  }

  @Test func rangesAreRead() {
    func range(_ text: String, of count: Int) -> Range<Int>? {
      ByteRange(text)?.resolved(in: count)
    }
    #expect(range("bytes=0-0", of: 10) == 0..<1)
    #expect(range("bytes=5-", of: 10) == 5..<10)
    #expect(range("bytes=5-99999999999999999999", of: 10) == 5..<10)
    #expect(range("bytes=-3", of: 10) == 7..<10)
    #expect(range("bytes=-30", of: 10) == 0..<10)
    #expect(range("bytes=10-", of: 10) == nil)
    #expect(range("bytes=-0", of: 10) == nil)
    #expect(range("bytes=0-", of: 0) == nil)
    for wrong in [
      "bytes=", "bytes=-", "bytes=5-4", "bytes=a-b", "items=0-1", "bytes=0-1,3-4", "bytes=+1-2",
    ] {
      #expect(ByteRange(wrong) == nil, "\(wrong)")
    }
  }

  @Test func aServerForAllAddressesKnowsAddressesAndNoNames() throws {
    let gate = Guard(token: "t", address: "0.0.0.0", port: 80, hosts: ["photos.example"])
    func isAllowed(_ host: String) -> Bool {
      let request = HTTPRequest(
        method: "GET", path: ["v1"], query: [:],
        fields: ["host": host, "authorization": "Bearer t"],
        repeatedFields: [])
      return (try? gate.check(request)) != nil
    }
    #expect(isAllowed("192.168.1.10"))
    #expect(isAllowed("192.168.1.10:80"))
    #expect(isAllowed("[fe80::1]:80"))
    #expect(isAllowed("photos.example"))
    #expect(isAllowed("photos.example:443"))
    #expect(!isAllowed("evil.example"))
    #expect(!isAllowed("192.168.1.10:81"))
    #expect(!isAllowed("192.168.1.10.evil.example"))
  }
}
