import Foundation
import PhotoEditing
import PhotoLibraryKit
import SafelightFormats
import SafelightTestSupport
import Testing

@testable import SafelightEditServer

/// The server against its OpenAPI document.
@Suite(.enabled(if: ServerTests.areAlone, ServerTests.absence)) struct InterfaceTests {
  /// One call of the interface.
  private struct Step {
    let operation: String
    var query = ""
    var body: String?
    let status: Int
    /// Remembers something of the answer under a name, for later calls.
    var keeping: (String, @Sendable (JSONValue) -> String?)?

    init(
      _ operation: String, _ query: String = "", _ body: String? = nil, _ status: Int = 200,
      keeping: (String, @Sendable (JSONValue) -> String?)? = nil
    ) {
      (self.operation, self.query, self.body, self.status) = (operation, query, body, status)
      self.keeping = keeping
    }
  }

  /// Calls that have an answer without an error, one after the other. `{name}` stands for what was kept.
  private static let steps: [Step] = [
    Step("service"), Step("openapi"), Step("errors"), Step("adjustments"), Step("filters"),
    Step("folders", keeping: ("folder", { $0["folders"]?.elements?.first?["id"]?.string })),
    Step("photos", "?limit=1"),
    Step(
      "photos", "?folder={folder}&sort=filename:descending&search=beach&edited=false&favorite=false"
    ),
    Step("photos", "?where=pixelWidth%20%3E%2010&hidden=true&offset=1"),
    Step("photos", "?trash=true"),
    Step("photo", keeping: ("revision", { $0["revision"]?.string })),
    Step("thumbnail", "?size=100"), Step("thumbnail", "?size=64&filter=noir&intensity=0.5"),
    Step("picture", "?fit=200&state=original"),
    Step("picture", "?crop=0.25,0.25,0.5,0.5&quality=70"),
    Step("file"),
    Step("apply", "", #"{"filter": "noir", "intensity": 0.8, "revision": "{revision}"}"#),
    Step("file", "?kind=render"),
    Step("photo", keeping: ("revision", { $0["revision"]?.string })),
    Step(
      "adjust", "",
      #"{"adjustments": [{"id": "exposure", "amount": 0.5}], "revision": "{revision}", "quality": 80}"#
    ),
    Step("adjust", "", #"{"values": {"contrast": 10, "exposure": "0.25"}}"#),
    Step("auto", "", #"{"tone": true, "dryRun": true, "strength": 0.5}"#),
    Step("crop", "", #"{"aspect": "1:1"}"#), Step("straighten", "", #"{"degrees": 2}"#),
    Step("rotate", "", #"{"degrees": 90}"#), Step("flip", "", #"{"direction": "both"}"#),
    Step("perspective", "", #"{"vertical": -10}"#),
    Step("replace", "", #"{"adjustments": [{"id": "exposure", "amount": 0.5}]}"#),
    Step("copy", "", #"{"from": "{photo}"}"#), Step("adopt", "", "{}"),
    Step("keyPhoto", "", #"{"original": true}"#),
    Step("edit", "", #"{"operations": [{"operation": "crop", "none": true}]}"#),
    Step(
      "edit", "",
      #"{"adjustments": [], "operations": [{"operation": "rotate", "degrees": "left"}]}"#),
    Step("renderAgain"), Step("mergeEdits"), Step("relink"), Step("acceptOriginal"),
    Step("undo", "", "{}"), Step("redo", "", #"{"steps": 1}"#), Step("history"),
    Step("goToStep", "", #"{"step": 1}"#), Step("saveVersion", "", #"{"name": "one"}"#),
    Step("versions"), Step("undo"), Step("useVersion", "", "{}"), Step("removeVersion"),
    Step("histogram"),
    Step(
      "preview", "",
      #"{"adjustments": [{"id": "exposure", "version": 1, "amount": 1}], "fit": 300, "histogram": true, "sequence": 7}"#
    ),
    Step("outputs"), Step("export", "", #"{"format": "webp", "fit": "300x300", "original": true}"#),
    Step("savePreset", "", #"{"longestSide": 300, "sharpen": "screen"}"#, 201),
    Step("export", "", #"{"preset": "web", "format": "png"}"#), Step("removePreset"),
    Step("saveFilter", "", #"{"name": "sand", "from": "{photo}", "title": "Sand"}"#, 201),
    Step("removeFilter"),
    Step(
      "sync", "", #"{"photos": ["{other}"], "geometry": true}"#, 202,
      keeping: ("job", { $0["id"]?.string })),
    Step("job"),
    Step(
      "startJob", "",
      #"{"command": "apply", "photos": ["{other}"], "options": {"filter": "fade"}}"#,
      202, keeping: ("job", { $0["id"]?.string })),
    Step("jobs"), Step("cancelJob", "", nil, 202), Step("job", "?after=0"),
    Step("revert", "", #"{"dryRun": true}"#), Step("revert", "", #"{"versions": true}"#),
    Step("albums"),
    Step(
      "createAlbum", "", #"{"title": "Sea", "photos": ["{photo}"]}"#, 201,
      keeping: ("album", { $0["id"]?.string })),
    Step("photos", "?album={album}"), Step("renameAlbum", "", #"{"title": "Shore"}"#),
    Step("changeAlbum", "", #"{"add": ["{other}"], "remove": ["{photo}"]}"#), Step("deleteAlbum"),
    Step("mark", "", #"{"photos": ["{photo}"], "favorite": true}"#),
    Step("trash", "", #"{"photos": ["{photo}"]}"#), Step("photos", "?trash=true"),
    Step("thumbnail", "?size=90"), Step("restore", "", #"{"photos": ["{photo}"]}"#),
    Step("gone"), Step("putGoneAway", "", #"{"photos": ["nothing.jpg"]}"#),
  ]

  @Test func everyCallAnswersAsDescribed() async throws {
    let document = try InterfaceDocument()
    try await TestServer.run(["beach.jpg", "other.jpg"]) { server throws in
      var kept = [
        "photo": try server.id(), "other": try server.id("other.jpg"), "version": "one",
        "filter": "sand", "preset": "web",
      ]
      func filled(_ text: String) -> String {
        kept.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
      }
      var asked: Set<String> = ["events"]
      for step in Self.steps {
        let operation = try document.operation(step.operation)
        asked.insert(step.operation)
        let body = step.body.map(filled)
        if let body {
          let json = try JSONValue(parsing: Array(body.utf8))
          #expect(document.problems(ofBody: json, for: operation) == [])
        }
        let reply = try server.ask(
          operation.method, filled(operation.path) + filled(step.query), body)
        #expect(reply.status == step.status, "\(step.operation): \(reply.text.prefix(300))")
        #expect(document.problems(of: reply, to: operation) == [])
        if let (name, value) = step.keeping {
          kept[name] = value(reply.json)
          #expect(kept[name] != nil, "\(step.operation) has no \(name)")
        }
      }
      let all = Set(document.operations.map(\.id))
      #expect(all.subtracting(asked).sorted() == [], "These are not tried.")
    }
  }

  @Test func theServerHasTheAddressesOfTheDocumentAndNoOthers() async throws {
    let document = try InterfaceDocument()
    try await TestServer.run { server throws in
      let service = try PhotoService(server.library, ServerSettings(), words: WordsOfTests.words)
      #expect(service.routes.map(\.row.id).sorted() == document.operations.map(\.id).sorted())
    }
  }

  @Test func aDamagedOutputIsSaidBesideTheOthers() async throws {
    func prepare(_ folder: TemporaryFolder) throws {
      let presets = URL(filePath: folder["presets"].string)
      try FileManager.default.createDirectory(at: presets, withIntermediateDirectories: true)
      try Data("{".utf8).write(to: presets.appending(path: "broken.json"))
      try Data(#"{"quality":70}"#.utf8).write(to: presets.appending(path: "web.json"))
    }
    try await TestServer.run(prepare: prepare) { server throws in
      let reply = try server.ask("GET", "/v1/outputs").json
      #expect(reply["presets"]?.elements?.compactMap { $0["name"]?.string } == ["web"])
      let problems = reply["problems"]?.elements?.compactMap(\.string) ?? []
      #expect(problems.count == 1 && problems.allSatisfy { $0.contains("broken.json is damaged") })
    }
  }

  @Test func aBodyMayBeAsLargeAsWhatItHas() async throws {
    for (content, ids) in [
      Route.Content.edit: [
        "adjust", "replace", "copy", "edit", "preview", "startJob", "export", "savePreset",
      ],
      .photos: ["sync", "mark", "createAlbum", "trash"], .values: ["apply", "undo", "photos"],
    ] {
      for id in ids { #expect(InterfaceDescription.row(id).content == content, "\(id)") }
    }
    try await TestServer.run { server throws in
      let limits = ServerLimits()
      #expect(limits.bodyBytes(of: .edit) > OutputAttachment.mostBytes * 4 / 3)
      #expect(
        limits.bodyBytes(of: .photos) > 100_000 * (PhotoID.id(UUID().uuidString).utf8.count + 3))
      let many = (0..<60_000).map { _ in #""\#(UUID().uuidString)""# }.joined(separator: ",")
      #expect(
        try server.ask("POST", "/v1/marks", #"{"favorite":true,"photos":[\#(many)]}"#).status == 404
      )
      let address = "/v1/photos/\(try server.id())/undo"
      #expect(try server.ask("POST", address, #"{"steps":[\#(many)]}"#).status == 413)
    }
  }

  @Test func whatIsNotThereIsSaidAsDescribed() async throws {
    let document = try InterfaceDocument()
    try await TestServer.run { server throws in
      // Saving makes what is not there, and what is said of a preset is 422.
      let others = ["savePreset", "removePreset"]
      for operation in document.operations
      where operation.path.contains("{") && !others.contains(operation.id) {
        var address = operation.path
        for (name, value) in [
          "photo": "nothing", "filter": "nothing", "preset": "nothing", "album": "no", "job": "no",
          "version": "v",
        ] {
          address = address.replacing("{\(name)}", with: value)
        }
        let bodies = [
          "apply": #"{"filter": "noir"}"#, "adjust": #"{"adjustments": []}"#,
          "goToStep": #"{"step": 1}"#, "saveVersion": #"{"name": "a"}"#,
          "preview": #"{"adjustments": []}"#, "sync": #"{"photos": ["no"]}"#,
          "renameAlbum": #"{"title": "a"}"#,
        ]
        let body =
          operation.method == "POST" || operation.method == "PATCH"
          ? bodies[operation.id] ?? "{}" : nil
        let reply = try server.ask(operation.method, address, body)
        #expect(reply.status == 404, "\(operation.id): \(reply.text)")
        #expect(reply.json["error"]?["hint"]?.string != nil)
        #expect(document.problems(of: reply, to: operation) == [])
      }
      #expect(try server.ask("DELETE", "/v1/presets/nothing").status == 404)
    }
  }

  // MARK: - Lists and pictures

  @Test func pagesHaveEveryPhotoOnce() async throws {
    try await TestServer.run(["a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg"]) { server throws in
      var names: [String] = []
      var address = "/v1/photos?limit=2&sort=filename"
      for _ in 0..<3 {
        let page = try server.ask("GET", address).json
        #expect(page["total"]?.integer == 5)
        names += (page["photos"]?.elements ?? []).compactMap { $0["name"]?.string }
        guard let next = page["next"]?.string else { break }
        address = "/v1/photos?limit=2&sort=filename&cursor=\(next)"
      }
      #expect(names == ["a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg"])
      let jump = try server.ask("GET", "/v1/photos?limit=2&sort=filename&offset=3").json
      #expect(jump["photos"]?.elements?.compactMap { $0["name"]?.string } == ["d.jpg", "e.jpg"])
      let far = try server.ask("GET", "/v1/photos?offset=999999").json
      #expect(far["photos"]?.elements == [])
    }
  }

  @Test func picturesHaveStrongTagsAndParts() async throws {
    try await TestServer.run { server throws in
      let address = "/v1/photos/\(try server.id())/thumbnail?size=128"
      let first = try server.ask("GET", address)
      let tag = try #require(first.fields["etag"])
      #expect(tag.hasPrefix("\""))
      #expect(first.body.starts(with: [0xFF, 0xD8]))
      #expect(first.fields["cache-control"] == "private, no-cache")
      #expect(try server.ask("GET", address, fields: ["If-None-Match": tag]).status == 304)
      #expect(try server.ask("GET", address, fields: ["If-None-Match": "\"other\""]).status == 200)

      let part = try server.ask("GET", address, fields: ["Range": "bytes=10-19"])
      #expect(part.status == 206)
      #expect(part.body == Array(first.body[10..<20]))
      #expect(part.fields["content-range"] == "bytes 10-19/\(first.body.count)")
      let end = try server.ask("GET", address, fields: ["Range": "bytes=-5"])
      #expect(end.body == Array(first.body.suffix(5)))
      let outside = try server.ask("GET", address, fields: ["Range": "bytes=9999999-"])
      #expect(outside.status == 416)
      let stale = try server.ask(
        "GET", address, fields: ["Range": "bytes=0-1", "If-Range": "\"other\""])
      #expect(stale.status == 200)
      #expect(try server.ask("HEAD", address).fields["content-length"] == "\(first.body.count)")

      // An edit makes another picture with another tag, and the revision in the address lets it be kept.
      try server.ask("POST", "/v1/photos/\(try server.id())/apply", #"{"filter": "noir"}"#)
      let edited = try server.ask("GET", address, fields: ["If-None-Match": tag])
      #expect(edited.status == 200)
      #expect(edited.body != first.body)
      let photo = try server.ask("GET", "/v1/photos/\(try server.id())").json
      let revision = try #require(photo["revision"]?.string)
      for _ in 0..<2 {
        let kept = try server.ask("GET", address + "&v=" + revision)
        #expect(kept.fields["cache-control"] == "private, max-age=31536000, immutable")
        #expect(kept.body == edited.body)
      }
      let old = try server.ask("GET", address + "&v=0000")
      #expect(old.fields["cache-control"] == "private, no-cache")
    }
  }

  @Test func theOriginalIsServedByteForByte() async throws {
    try await TestServer.run { server throws in
      let file = try server.ask("GET", "/v1/photos/\(try server.id())/file")
      #expect(file.body == server.folder["photos"].appending("beach.jpg").contents)
      #expect(file.fields["content-type"] == "image/jpeg")
      #expect(file.fields["x-content-type-options"] == "nosniff")
    }
  }

  @Test func aPreviewIsTheEditAndWritesNothing() async throws {
    try await TestServer.run { server throws in
      let names = server.folder["photos"].fileURL.path
      let before = try FileNamesOfTests.all(in: names)
      let reply = try server.ask(
        "POST", "/v1/photos/\(try server.id())/preview",
        #"{"adjustments": [{"id": "invert", "amount": 1}], "fit": 200, "histogram": true}"#)
      #expect(reply.status == 200, "\(reply.text.prefix(200))")
      #expect(reply.fields["content-type"] == "image/jpeg")
      let size = try #require(reply.fields["safelight-size"]).split(separator: "x").compactMap {
        Int($0)
      }
      #expect(size.max() == 200)
      let bins = try #require(reply.fields["safelight-histogram"])
      #expect(bins.utf8.count == 1368)
      #expect(try FileNamesOfTests.all(in: names) == before)
    }
  }
}

/// The short form in which the table of the interface has schemas.
@Suite struct InterfaceSchemasTests {
  private let schemas = InterfaceSchemas(
    shapes: .object(["dryRun": .string("boolean = false: Only say.")]))

  @Test(arguments: [
    (#""string""#, #"{"type":"string"}"#), (#""any""#, "{}"),
    (
      #""integer 1...100 = 90: Of the JPEG: 1 to 100.""#,
      #"{"type":"integer","minimum":1,"maximum":100,"default":90,"description":"Of the JPEG: 1 to 100."}"#
    ),
    (#""number 0...""#, #"{"type":"number","minimum":0}"#),
    (#""string ...64 ~^a+$""#, #"{"type":"string","maxLength":64,"pattern":"^a+$"}"#),
    (
      #""[[Photo]] 1...9""#,
      ##"{"type":"array","items":{"type":"array","items":{"$ref":"#/components/schemas/Photo"}},"minItems":1,"maxItems":9}"##
    ),
    (#""string|null""#, #"{"type":["string","null"]}"#),
    (#""a|b = a""#, #"{"type":"string","enum":["a","b"],"default":"a"}"#),
    (#""'a'""#, #"{"type":"string","const":"a"}"#),
    (
      #"{"$about":"A.","id, name?":"string","dryRun?":"@","$others":false}"#,
      #"{"type":"object","description":"A.","properties":{"id":{"type":"string"},"name":{"type":"string"},"dryRun":{"type":"boolean","default":false,"description":"Only say."}},"required":["id"],"additionalProperties":false}"#
    ),
    (
      #"[{"a?":"boolean"},"[] ...2: Some."]"#,
      #"{"type":"array","maxItems":2,"description":"Some.","items":{"type":"object","properties":{"a":{"type":"boolean"}}}}"#
    ),
  ])
  func aFewWordsAreASchema(short: String, schema: String) throws {
    let (short, schema) = (
      try JSONValue(parsing: short.utf8), try JSONValue(parsing: schema.utf8)
    )
    #expect(schemas.schema(short).text == schema.text)
  }
}

@Suite struct ServerFailureTests {
  @Test(arguments: ["library-damaged", "library-unusable", "library-newer", "library-older"])
  func aLibraryThatCannotBeReadIsNoMistakeOfTheClient(code: String) {
    #expect(ServerFailure(code: code, message: "", hint: nil).status == 500)
  }
}
