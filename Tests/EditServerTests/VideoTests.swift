import Foundation
import PhotoEditing
import SafelightFiles
import SafelightFormats
import SafelightTestSupport
import Testing

@testable import SafelightEditServer

/// The videos of photos, over HTTP.
@Suite(.enabled(if: ServerTests.areAlone, ServerTests.absence))
struct VideoTests {
  private static let movie = SampleMovie().bytes

  /// A server of a Live Photo, a motion photo and a plain photo.
  private func run(_ body: (TestServer) async throws -> Void) async throws {
    try await TestServer.run(
      prepare: { folder in
        let beach = Array(try Data(contentsOf: Fixture.url("beach.jpg")))
        let photos = folder["photos"]
        photos.appending("IMG_1.jpg").write(beach)
        photos.appending("IMG_1.mov").write(Self.movie)
        photos.appending("PXL_1.jpg").write(SampleMovie.motionPhoto(beach, video: Self.movie))
      }, body)
  }

  private func file(_ server: TestServer, _ name: String, _ kind: String) throws -> String {
    "/v1/photos/\(try server.id(name))/file?kind=\(kind)"
  }

  @Test(arguments: ["IMG_1.jpg", "PXL_1.jpg"])
  func theVideoIsSentWholeAndInParts(name: String) async throws {
    try await run { server throws in
      for kind in ["video", "original-video"] {
        let address = try file(server, name, kind)
        let whole = try server.ask("GET", address)
        #expect(whole.status == 200 && whole.body == Self.movie)
        #expect(whole.fields["content-type"] == "video/quicktime")
        let part = try server.ask("GET", address, fields: ["Range": "bytes=4-11"])
        #expect(part.status == 206 && part.body == Array(Self.movie[4..<12]))
        #expect(part.fields["content-range"] == "bytes 4-11/\(Self.movie.count)")
        let end = try server.ask("GET", address, fields: ["Range": "bytes=-5"])
        #expect(end.body == Array(Self.movie.suffix(5)))
      }
    }
  }

  @Test func aPhotoWithoutAVideoHasNone() async throws {
    try await run { server throws in
      let reply = try server.ask("GET", try file(server, "beach.jpg", "video"))
      #expect(reply.status == 404 && reply.code == "no-video")
    }
  }

  @Test func theVideoHasTheEditUnlessItIsToStay() async throws {
    try await run { server throws in
      let photo = "/v1/photos/\(try server.id("IMG_1.jpg"))"
      let turn = #"{"degrees": 90, "noVideo": true}"#
      let left = try server.ask("POST", photo + "/rotate", turn)
      #expect(left.status == 200, "\(left.json.text)")
      #expect(left.json["warnings"]?.text.contains("stays as it was taken") == true)
      #expect(try server.ask("GET", try file(server, "IMG_1.jpg", "video")).body == Self.movie)

      try server.ask("POST", photo + "/rotate", #"{"degrees": 180}"#)
      let edited = try server.ask("GET", try file(server, "IMG_1.jpg", "video"))
      #expect(edited.body != Self.movie && edited.body.count == Self.movie.count)
      let original = try server.ask("GET", try file(server, "IMG_1.jpg", "original-video"))
      #expect(original.body == Self.movie)
    }
  }
}
