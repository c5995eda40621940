import Foundation
import PhotoEditing
import SafelightFiles
import SafelightFormats
import SafelightTestSupport
import Synchronization
import Testing

@testable import SafelightEditServer

/// The operations on edits over HTTP: what a request makes of a photo is what the same operation makes of it in Swift.
@Suite(.enabled(if: ServerTests.areAlone, ServerTests.absence)) struct OperationTests {
  private static let bodies: [(operation: String, body: String)] = [
    ("apply", #"{"filter":"noir","intensity":0.6,"add":true}"#),
    ("adjust", #"{"values":{"contrast":12},"reset":true}"#),
    ("auto", #"{"tone":true,"denoise":true,"strength":0.5}"#),
    ("auto", #"{"gray":[0.4,0.6]}"#),
    ("crop", #"{"aspect":"3:2","gravity":"top"}"#), ("crop", #"{"rect":[0.1,0,0.8,0.5]}"#),
    ("straighten", #"{"degrees":-1.5}"#), ("rotate", #"{"degrees":90}"#),
    ("flip", #"{"direction":"both"}"#), ("perspective", #"{"vertical":-20}"#),
    ("replace", #"{"adjustments":[{"id":"saturation","amount":-20}]}"#),
    ("copy", #"{"adjustments":[{"id":"saturation","amount":-20}],"only":["saturation"]}"#),
    ("adopt", "{}"), ("key-photo", #"{"original":true}"#), ("undo", #"{"steps":1}"#),
    ("redo", #"{"steps":1}"#),
    ("go-to-step", #"{"step":1}"#),
    ("save-version", #"{"name":"kept","replace":true}"#), ("merge-edits", "{}"),
    ("revert", #"{"versions":true}"#), ("render-again", "{}"), ("relink", "{}"),
    ("accept-original", "{}"),
  ]

  @Test func aRequestMakesWhatTheOperationMakes() async throws {
    let names = ["6.jpg", "other.jpg"]
    try await TestServer.run(names) { server throws in
      for (operation, body) in Self.bodies {
        let path = server.folder["photos"].appending("6.jpg")
        let other = FilePath(server.folder["photos"].string + "/other.jpg")
        let photo = Photo(path: FilePath(path.string))
        let editor = PhotoEditor()
        for each in [photo, Photo(path: other)] {
          try await editor.perform(.revert(droppingVersions: true), on: each)
          try await editor.perform(.apply(.named("fade")), on: each)
          try await editor.perform(.crop(.aspect(width: 1, height: 1, .top)), on: each)
          try await editor.perform(.undo(), on: each)
        }
        let described = try #require(EditOperation.all.first { $0.name == operation })
        let address = "/v1/photos/\(try server.id("6.jpg"))/\(described.address)"
        let reply = try server.ask("POST", address, body)
        #expect(reply.status == 200, "\(operation): \(reply.text)")
        let members = try #require(try JSONValue(parsing: body.utf8).members)
        let result = try await editor.perform(
          EditOperation(operation, members), on: Photo(path: other))
        #expect(reply.json["status"]?.string == result.status.rawValue, "\(operation)")
        let (here, there) = (
          try await editor.presentEdit(of: photo).edit,
          try await editor.presentEdit(of: Photo(path: other)).edit
        )
        #expect(here.adjustmentData == there.adjustmentData, "\(operation)")
        #expect(
          try await editor.history(of: photo).present
            == editor.history(of: Photo(path: other)).present, "\(operation)")
      }
    }
  }

  @Test func anExportIsTheFileThatSwiftWrites() async throws {
    try await TestServer.run(["6.jpg"]) { server throws in
      let photo = Photo(path: FilePath(server.folder["photos"].appending("6.jpg").string))
      try await PhotoEditor().perform(.apply(.named("noir")), on: photo)
      let address = "/v1/photos/\(try server.id("6.jpg"))/export"
      let mark = try Data(contentsOf: Fixture.url("alpha.png")).base64EncodedString()
      for body in [
        "{}", #"{"format":"png","longestSide":40}"#,
        #"{"format":"avif","effort":1,"watermark":"© Ann"}"#, #"{"format":"jxl","effort":3}"#,
        #"{"watermarkPicture":{"name":"mark.png","data":"\#(mark)"},"watermarkSize":50}"#,
        #"{"format":"webp","maxBytes":"60kB"}"#,
        #"{"fill":"30x20","quality":70,"chroma":"4:2:0"}"#,
        #"{"metadata":"no-place","title":"Ein Titel","dpi":300}"#,
      ] {
        let reply = try server.ask("POST", address, body)
        #expect(reply.status == 200, "\(body): \(reply.text)")
        let output = try RenderOutput(json: JSONValue(parsing: body.utf8))
        let written = Mutex<[UInt8]>([])
        try await PhotoEditor().export(photo, as: output) { run in
          written.withLock { $0.append(contentsOf: run) }
        }
        #expect(reply.body == written.withLock(\.self), "\(body)")
        #expect(reply.fields["content-type"] == output.format.mediaType)
        #expect(
          reply.fields["content-disposition"]
            == "attachment; filename*=UTF-8''6.\(output.format.fileExtension)")
      }
      for body in [
        // A request names no file of the server.
        #"{"profile":"/etc/passwd"}"#, #"{"watermarkPicture":"6.jpg"}"#, #"{"preset":"../a"}"#,
        #"{"longestSide":40,"fit":"3x3"}"#, #"{"format":"gif"}"#, #"{"nothing":1}"#,
      ] {
        #expect(try server.ask("POST", address, body).code == "bad-request", "\(body)")
      }
    }
  }

  @Test func aPhotoThatWasMovedGetsItsEdit() async throws {
    try await TestServer.run { server throws in
      let folder = FilePath(server.folder["photos"].string)
      let (former, present) = (folder.appending("beach.jpg"), folder.appending("shore.jpg"))
      try await PhotoEditor().perform(.apply(.named("fade")), on: Photo(path: former))
      try FileManager.default.moveItem(atPath: former.string, toPath: present.string)
      _ = try await server.library.scan()
      let address = "/v1/photos/\(try server.id("shore.jpg"))/relink"
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/link.jpg", withDestinationPath: "/etc/passwd")
      for outside in [
        "\(folder)/link.jpg", "\(folder)/link.jpg.aae", "/etc/passwd", "\(folder)/../beach.jpg",
        "beach.jpg", "\(folder)/.a/b.jpg",
      ] {
        let reply = try server.ask("POST", address, #"{"from":"\#(outside)"}"#)
        #expect(reply.status == 404, "\(outside): \(reply.text)")
      }
      let reply = try server.ask("POST", address, #"{"from":"\#(former)"}"#)
      #expect(reply.json["status"]?.string == "relinked", "\(reply.text)")
      #expect(try await PhotoEditor().presentEdit(of: Photo(path: present)).edit.filters.count == 1)
    }
  }

  @Test func everyOperationHasAnAddress() {
    let tried = Set(Self.bodies.map(\.operation))
    for operation in EditOperation.all where operation.hasOwnAddress {
      #expect(tried.contains(operation.name), "\(operation.name) is not tried.")
    }
  }

  @Test func operationsActOnAnEditThatIsNotThePhotosYet() async throws {
    try await TestServer.run { server throws in
      let address = "/v1/photos/\(try server.id())/edit"
      let reply = try server.ask(
        "POST", address,
        #"{"adjustments":[{"id":"exposure","amount":1}],"operations":[{"operation":"rotate","degrees":"left"},{"operation":"crop","aspect":"1:1"}]}"#
      )
      #expect(reply.status == 200, "\(reply.text)")
      let ids = reply.json["adjustments"]?.elements?.compactMap { $0["id"]?.string }
      #expect(Set(ids ?? []) == ["exposure", "rotate", "crop"])
      #expect(
        try server.ask("GET", "/v1/photos/\(try server.id())").json["edited"]?.text == "false")
      for body in [
        #"{"operations":[{"operation":"crop","none":"no"}]}"#,
        #"{"operations":[{"operation":"apply","filter":"../a.json"}]}"#,
        #"{"operations":[{"operation":"save-version","name":"a","from":"/etc/passwd"}]}"#,
        #"{"operations":[{"operation":"copy","from":"../../etc/passwd"}]}"#,
        #"{"operations":[]}"#, #"{"operations":[7]}"#, #"{"adjustments":[],"operations":[{}]}"#,
      ] {
        #expect([400, 404].contains(try server.ask("POST", address, body).status), "\(body)")
      }
      let mixed = try server.ask(
        "POST", address, #"{"operations":[{"operation":"undo"},{"operation":"crop","none":true}]}"#)
      #expect(mixed.code == "invalid-operation", "\(mixed.text)")
    }
  }
}
