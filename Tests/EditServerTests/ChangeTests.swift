import Foundation
import PhotoEditing
import PhotoLibraryKit
import SafelightFiles
import SafelightFormats
import SafelightTestSupport
import Testing

@testable import SafelightEditServer

/// Changes through the server: what is refused, what is done once, what is told.
@Suite(.enabled(if: ServerTests.areAlone, ServerTests.absence)) struct ChangeTests {
  /// The events of a server, as a client reads them.
  private final class EventReader {
    private let client: Client
    /// The data of all events that came.
    private(set) var all: [String] = []

    init(_ server: TestServer, _ query: String = "", after last: String? = nil) {
      client = Client(port: server.port)
      let fields = last.map { ["Last-Event-ID": $0] } ?? [:]
      client.send(server.request("GET", "/v1/events\(query)", fields: fields))
      _ = client.text(upTo: "\r\n\r\n")
    }

    /// Waits for an event of a name that fulfills a condition; `nil` when the stream ends before, or when it does
    /// not come within a minute. The signs of life between the events would have a client wait for ever.
    func next(
      _ name: String, where isWanted: (JSONValue) -> Bool = { _ in true }
    ) -> (id: String, data: JSONValue)? {
      let end = ContinuousClock.now + .seconds(60)
      while ContinuousClock.now < end, let text = client.text(upTo: "\n\n") {
        var fields: [String: String] = [:]
        // Chunks of the transfer stand between the lines.
        for line in text.split(whereSeparator: \.isNewline) {
          let parts = line.split(separator: ":", maxSplits: 1)
          if parts.count == 2 { fields[String(parts[0])] = String(parts[1].dropFirst()) }
        }
        if let data = fields["data"] { all.append(data) }
        guard fields["event"] == name, let data = fields["data"],
          let json = try? JSONValue(parsing: Array(data.utf8)), isWanted(json)
        else { continue }
        return (fields["id"] ?? "", json)
      }
      return nil
    }
  }

  // MARK: - Stale changes

  @Test func aStaleChangeIsRefused() async throws {
    try await TestServer.run { server throws in
      let address = "/v1/photos/\(try server.id())"
      let revision = try #require(try server.ask("GET", address).json["revision"]?.string)
      // Another program edits the photo meanwhile.
      let photo = Photo(path: server.folder["photos"].appending("beach.jpg"))
      try await PhotoEditor().apply(Filter.named("fade").applied(), to: photo)
      for (command, more) in [
        ("adjust", #""adjustments": []"#), ("apply", #""filter": "noir""#),
        ("undo", #""steps": 1"#),
        ("revert", #""versions": true"#), ("auto", #""strength": 0.5"#),
        ("versions", #""name": "a""#),
        ("history", #""step": 0"#),
      ] {
        let reply = try server.ask(
          "POST", "\(address)/\(command)", "{\(more), \"revision\": \"\(revision)\"}")
        #expect(reply.status == 409, "\(command)")
        #expect(reply.code == "input-outdated")
      }
      let now = try server.ask("GET", address).json
      #expect(now[path: "edit", "adjustments"]?.text.contains("fade") == true)
      let fresh = try #require(now["revision"]?.string)
      let reply = try server.ask(
        "POST", "\(address)/apply", "{\"filter\": \"noir\", \"revision\": \"\(fresh)\"}")
      #expect(reply.status == 200)
      #expect(reply.json["revision"]?.string != fresh)
    }
  }

  @Test func theOrderInWhichAdjustmentsAreSentSaysNothing() async throws {
    try await TestServer.run { server throws in
      let address = "/v1/photos/\(try server.id())"
      let entries = [
        #"{"id": "crop", "x": 0.25, "y": 0, "width": 0.5, "height": 1}"#,
        #"{"id": "straighten", "amount": 2.5}"#, #"{"id": "contrast", "amount": 20}"#,
      ]
      func adjust(_ entries: [String]) throws -> Reply {
        let list = entries.joined(separator: ",")
        return try server.ask("POST", "\(address)/adjust", "{\"adjustments\": [\(list)]}")
      }
      #expect(try adjust(entries).json["status"]?.string == "edited")
      #expect(try adjust(entries.reversed()).json["status"]?.string == "unchanged")
    }
  }

  @Test func adjustmentsThatChangeNothingAreLeftOut() async throws {
    try await TestServer.run { server in
      let address = "/v1/photos/\(try server.id())"
      try server.ask(
        "POST", address + "/adjust",
        #"{"adjustments": [{"id": "exposure", "amount": 0}, {"id": "contrast", "amount": 10}]}"#)
      let edit = try server.ask("GET", address).json["edit"]
      #expect(edit?["adjustments"]?.elements?.map { $0["id"]?.string } == ["contrast"])
    }
  }

  // MARK: - The same request again

  @Test func aRequestWithAKeyIsDoneOnce() async throws {
    try await TestServer.run { server throws in
      let address = "/v1/albums"
      let key = ["Idempotency-Key": "abc"]
      let first = try server.ask("POST", address, #"{"title": "Sea"}"#, fields: key)
      let again = try server.ask("POST", address, #"{"title": "Sea"}"#, fields: key)
      #expect(first.status == 201)
      #expect(again.status == 201)
      #expect(again.body == first.body)
      #expect(again.fields["idempotency-replayed"] == "true")
      #expect(first.fields["idempotency-replayed"] == nil)
      let other = try server.ask("POST", address, #"{"title": "Land"}"#, fields: key)
      #expect(other.code == "key-reused")
      let without = try server.ask("POST", address, #"{"title": "Sea"}"#)
      #expect(without.code == "album-exists")
    }
  }

  @Test func twoRequestsWithAKeyAtOnceAreDoneOnce() async throws {
    try await TestServer.run { server throws in
      let address = "/v1/photos/\(try server.id())/apply"
      let clients = (0..<4).map { _ in Client(port: server.port) }
      for client in clients {
        client.send(
          server.request("POST", address, #"{"filter": "noir"}"#, fields: ["Idempotency-Key": "k"]))
      }
      let replies = clients.compactMap { $0.reply() }
      #expect(replies.map(\.status) == [200, 200, 200, 200])
      #expect(replies.filter { $0.fields["idempotency-replayed"] == nil }.count == 1)
      #expect(Set(replies.compactMap { $0.json["status"]?.string }) == ["edited"])
    }
  }

  // MARK: - Events

  @Test func changesAreToldWhoeverMakesThem() async throws {
    try await TestServer.run { server throws in
      let id = try server.id()
      let events = EventReader(server)
      let run = events.next("hello")?.data["run"]?.string
      let said = try server.ask("GET", "/v1").json["run"]?.string
      #expect(run == said)
      try server.ask("POST", "/v1/photos/\(id)/apply", #"{"filter": "noir"}"#)
      let own = events.next("photo") { $0["id"]?.string == id }
      let revision = try server.ask("GET", "/v1/photos/\(id)").json["revision"]?.string
      #expect(own?.data["revision"]?.string == revision)

      // Another program, which the folder's watch notices.
      let photo = Photo(path: server.folder["photos"].appending("beach.jpg"))
      try await PhotoEditor().apply(Filter.named("fade").applied(), to: photo)
      let other = events.next("photo") {
        $0["id"]?.string == id && $0["revision"]?.string != revision
      }
      #expect(other != nil)

      // A client that comes back has what it missed.
      try server.ask("POST", "/v1/albums", #"{"title": "Sea"}"#)
      let album = try #require(events.next("albums"))
      let told = events.all.count { $0.contains(revision ?? "") }
      #expect(told == 1, "One edit is told once.")
      let again = EventReader(server, after: try #require(own?.id))
      #expect(again.next("albums")?.id == album.id)
      let stranger = EventReader(server, after: "otherrun-7")
      #expect(stranger.next("reset") != nil)
    }
  }

  @Test func nothingIsMissedBetweenTheFirstAnswerAndTheEvents() async throws {
    try await TestServer.run { server throws in
      let event = try #require(try server.ask("GET", "/v1").json["event"]?.string)
      try server.ask("POST", "/v1/albums", #"{"title": "Sea"}"#)
      #expect(EventReader(server, "?after=\(event)").next("albums") != nil)
      #expect(EventReader(server, "?after=otherrun-7").next("reset") != nil)
      // What a browser had last counts more than where it began.
      let album = try #require(EventReader(server, "?after=\(event)").next("albums"))
      let again = EventReader(server, "?after=\(event)", after: album.id)
      try server.ask("POST", "/v1/albums", #"{"title": "Snow"}"#)
      #expect(again.next("albums").map { $0.id != album.id } == true)
    }
  }

  @Test(arguments: ["-9223372036854775807", "9223372036854775807", "-1", "99", "x", ""])
  func anEventThatNeverWasIsAReset(number: String) async throws {
    try await TestServer.run { server throws in
      let run = try #require(try server.ask("GET", "/v1").json["run"]?.string)
      // There are events, so that -1 is not taken for the first.
      try server.ask("POST", "/v1/albums", #"{"title": "Sea"}"#)
      #expect(EventReader(server, after: "\(run)-\(number)").next("reset") != nil)
      #expect(try server.ask("GET", "/v1").status == 200)
    }
  }

  /// The missed events come after the greeting, so that it must not say that they were had.
  @Test func theGreetingDoesNotPassOverWhatWasMissed() async throws {
    try await TestServer.run { server throws in
      let event = try #require(try server.ask("GET", "/v1").json["event"]?.string)
      try server.ask("POST", "/v1/albums", #"{"title": "Sea"}"#)
      #expect(EventReader(server, "?after=\(event)").next("hello")?.id == "")
      #expect(EventReader(server, "?after=otherrun-7").next("hello")?.id == "")
      #expect(EventReader(server).next("hello")?.id.isEmpty == false)
    }
  }

  @Test func streamsEndWithTheServer() async throws {
    var end: EventReader?
    try await TestServer.run { server throws in
      let events = EventReader(server)
      #expect(events.next("hello") != nil)
      end = events
    }
    #expect(end?.next("bye") != nil)
    #expect(end?.next("anything") == nil)
  }

  /// The name of a filter says nothing of its pictures: it may be saved anew under the name.
  @Test func picturesWithAFilterAreThoseOfItsPresentSteps() async throws {
    try await TestServer.run(["beach.jpg", "other.jpg"]) { server throws in
      let (id, other) = (try server.id("beach.jpg"), try server.id("other.jpg"))
      let revision = try #require(
        try server.ask("GET", "/v1/photos/\(id)").json["revision"]?.string)
      let address = "/v1/photos/\(id)/picture?fit=64&filter=mine&v=\(revision)"
      var tags: [String?] = []
      for filter in ["noir", "fade"] {
        try server.ask("POST", "/v1/photos/\(other)/apply", "{\"filter\": \"\(filter)\"}")
        let saved = try server.ask(
          "POST", "/v1/filters", "{\"name\": \"mine\", \"from\": \"\(other)\", \"replace\": true}")
        #expect(saved.status == 201, "\(saved.text)")
        for _ in 0..<2 {
          let picture = try server.ask("GET", address)
          #expect(picture.status == 200)
          #expect(picture.fields["cache-control"] == "private, no-cache")
          tags.append(picture.fields["etag"])
        }
      }
      #expect(tags[0] == tags[1] && tags[2] == tags[3] && tags[1] != tags[2])
    }
  }

  /// The decoder would leave no row of so few.
  @Test func aPhotoOfFewRowsHasAThumbnail() async throws {
    try await TestServer.run { server throws in
      let address = "/v1/photos/\(try server.id())"
      let crop =
        #"{"adjustments": [{"id": "crop", "x": 0, "y": 0.5, "width": 1, "height": 0.004}]}"#
      #expect(try server.ask("POST", "\(address)/adjust", crop).status == 200)
      for size in [16, 320] {
        let reply = try server.ask("GET", "\(address)/thumbnail?size=\(size)")
        #expect(reply.status == 200, "\(reply.text.prefix(300))")
      }
    }
  }

  @Test func autoLeavesOutWhatIsNotWanted() async throws {
    try await TestServer.run { server throws in
      let address = "/v1/photos/\(try server.id())/auto"
      let tone = try server.ask("POST", address, #"{"whiteBalance": false, "dryRun": true}"#)
      #expect(tone.json["values"]?["temperature"] == nil, "\(tone.text)")
      #expect(tone.json["values"]?["exposure"] != nil, "\(tone.text)")
      let nothing = try server.ask("POST", address, #"{"tone": false, "whiteBalance": false}"#)
      #expect(nothing.status == 400)
    }
  }

  @Test func aPhotoIsInAnAlbumOnceHoweverOftenItIsAdded() async throws {
    try await TestServer.run(["a.jpg", "b.jpg"]) { server throws in
      let (a, b) = (try server.id("a.jpg"), try server.id("b.jpg"))
      let album = try server.ask(
        "POST", "/v1/albums", "{\"title\": \"Sea\", \"photos\": [\"\(a)\", \"\(a)\"]}")
      #expect(album.status == 201, "\(album.text)")
      let id = try #require(album.json["id"]?.string)
      let more = try server.ask(
        "POST", "/v1/albums/\(id)/photos", "{\"add\": [\"\(a)\", \"\(b)\", \"\(b)\"]}")
      #expect(more.json["count"]?.integer == 2, "\(more.text)")
    }
  }

  // MARK: - Jobs

  @Test(arguments: [
    #""command": "apply", "options": {"filter": "noir"}, "adjustments": []"#,
    #""command": "undo", "geometry": true"#,
    #""command": "sync", "from": "x", "adjustments": []"#,
  ])
  func aJobRefusesWhatDoesNotBelongToIt(members: String) async throws {
    try await TestServer.run { server throws in
      let reply = try server.ask(
        "POST", "/v1/jobs", "{\(members), \"photos\": [\"\(try server.id())\"]}")
      #expect(reply.status == 400, "\(reply.text)")
    }
  }

  @Test func aJobGoesThroughAllPhotosAndFailsForOne() async throws {
    try await TestServer.run(["a.jpg", "b.jpg", "c.jpg"]) { folder in
      folder.put("no record", at: "photos/b.jpg.aae")
    } _: { server throws in
      let events = EventReader(server)
      let ids = try ["a.jpg", "b.jpg", "c.jpg"].map(server.id)
      let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
      let started = try server.ask(
        "POST", "/v1/jobs",
        "{\"command\": \"apply\", \"photos\": [\(list)], \"options\": {\"filter\": \"noir\"}}")
      #expect(started.status == 202, "\(started.text)")
      let job = try #require(started.json["id"]?.string)
      let done = events.next("job") { $0["id"]?.string == job && $0["state"]?.string == "done" }
      #expect(done?.data["done"]?.integer == 3)
      #expect(done?.data["failed"]?.integer == 1)
      let results = try server.ask("GET", "/v1/jobs/\(job)").json["results"]?.elements ?? []
      #expect(results.map { $0["id"]?.string } == ids)
      #expect(results.map { $0["status"]?.string } == ["edited", "failed", "edited"])
      #expect(results[1]["error"]?["code"]?.string == "record-unreadable")
      let rest = try server.ask("GET", "/v1/jobs/\(job)?after=2").json["results"]?.elements
      #expect(rest?.count == 1)
    }
  }

  @Test func aCancelledJobLeavesTheRestAsItIs() async throws {
    let names = (0..<30).map { "\($0).jpg" }
    try await TestServer.run(names) { server throws in
      let events = EventReader(server)
      let list = try names.map { "\"\(try server.id($0))\"" }.joined(separator: ",")
      let started = try server.ask(
        "POST", "/v1/jobs", "{\"command\": \"auto\", \"photos\": [\(list)]}")
      let job = try #require(started.json["id"]?.string)
      #expect(events.next("job") { $0["done"]?.integer == 1 } != nil)
      #expect(try server.ask("DELETE", "/v1/jobs/\(job)").status == 202)
      let ended = events.next("job") { $0["id"]?.string == job && $0["ended"] != nil }
      #expect(ended?.data["state"]?.string == "cancelled")
      #expect(ended?.data["failed"]?.integer == 0, "A photo that was cancelled did not fail.")
      let sidecars = try FileNamesOfTests.all(in: server.folder["photos"].string)
        .filter { $0.hasSuffix(".aae") }
      #expect(sidecars.count < names.count)
    }
  }

  @Test func anEditIsCopiedToOthers() async throws {
    try await TestServer.run(["a.jpg", "b.jpg"]) { server throws in
      let (a, b) = (try server.id("a.jpg"), try server.id("b.jpg"))
      let events = EventReader(server)
      try server.ask(
        "POST", "/v1/photos/\(a)/adjust", #"{"values": {"exposure": 0.5, "contrast": 10}}"#)
      let job = try server.ask(
        "POST", "/v1/photos/\(a)/sync",
        "{\"photos\": [\"\(a)\", \"\(b)\"], \"only\": [\"exposure\"]}")
      #expect(job.json["total"]?.integer == 1, "The source itself is passed over.")
      #expect(events.next("job") { $0["state"]?.string == "done" } != nil)
      let values = try server.ask("GET", "/v1/photos/\(b)").json[path: "edit", "values"]
      #expect(values?.text == #"{"exposure":0.5}"#)
    }
  }

  @Test func theHistoryTellsOfOtherMachinesEdits() async throws {
    let document = try InterfaceDocument()
    try await TestServer.run { server throws in
      let address = "/v1/photos/\(try server.id())"
      try server.ask("POST", "\(address)/apply", #"{"filter": "noir"}"#)
      #expect(try server.ask("GET", "\(address)/history").json["conflicts"] == nil)
      let record = server.folder["photos"].appending("beach.jpg.aae")
      let copy = server.folder["photos"].appending("beach.jpg.sync-conflict-20240101-120000-AB.aae")
      copy.write(Array(try Data(contentsOf: record.fileURL)))
      try server.ask("POST", "\(address)/undo")
      try server.ask("POST", "\(address)/apply", #"{"filter": "fade"}"#)
      let reply = try server.ask("GET", "\(address)/history")
      #expect(document.problems(of: reply, to: try document.operation("history")) == [])
      let conflict = try #require(reply.json["conflicts"]?.elements?.first)
      #expect(conflict["record"]?.string == copy.string)
      #expect(conflict["commonStep"]?.integer == 0 && conflict["contained"] == .bool(false))
      #expect(conflict["steps"]?.elements?.count == 1)
    }
  }
}
