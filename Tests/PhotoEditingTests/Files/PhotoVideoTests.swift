import Foundation
import PhotoEditing
import SafelightFiles
import SafelightTestSupport
import Testing

/// Which video belongs to which photo.
@Suite struct PhotoVideoTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor()
  private let identifier = "A1B2C3D4-0001-4A00-8B00-000000009001"

  private func still(_ identifier: String?) throws -> [UInt8] {
    let jpeg = try Fixtures.bytes("beach.jpg")
    return identifier.map { SampleMovie.still(jpeg, identifier: $0) } ?? jpeg
  }

  private func movie(_ identifier: String?) -> [UInt8] {
    var movie = SampleMovie()
    movie.contentIdentifier = identifier
    movie.stillImageTime = 800
    return movie.bytes
  }

  private func video(of name: FilePath) async throws -> PhotoVideo? {
    try await editor.state(of: Photo(path: folder.path.appending(name))).video
  }

  /// Identifiers decide; names only where neither has one.
  @Test(arguments: ["IMG_1.MOV", "IMG_1.mov", "IMG_1.Mov", "IMG_1.MP4", "beach at noon.mov"])
  func identifiersJoinStillsAndVideos(name: FilePath) async throws {
    folder.put(try still(identifier), as: "IMG_1.JPG")
    folder.put(movie("another"), as: "IMG_2.MOV")
    #expect(try await video(of: "IMG_1.JPG") == nil)
    folder.put(movie(identifier), as: name)
    let found = try #require(try await video(of: "IMG_1.JPG"))
    #expect(found.kind == .live && found.path == folder.path.appending(name))
    #expect(found.duration == 1.5 && found.codec == "H.264" && found.frameCount == 45)
    #expect((found.pixelWidth, found.pixelHeight) == (480, 360))
    #expect(found.stillImageTime == 0.8 && found.contentIdentifier == identifier)
    #expect(found.contentType == "com.apple.quicktime-movie" && found.hasSound)
  }

  @Test(
    arguments: [
      (nil, nil, true), ("AAAA", nil, false), (nil, "AAAA", false), ("AAAA", "BBBB", false),
      ("AAAA", "AAAA", true),
    ] as [(String?, String?, Bool)])
  func namesCountWhereBothLackOne(still: String?, video: String?, isPair: Bool) async throws {
    folder.put(try self.still(still), as: "IMG_1.JPG")
    folder.put(movie(video), as: "IMG_1.MOV")
    #expect(try await (self.video(of: "IMG_1.JPG") != nil) == isPair)
  }

  @Test func aFileThatIsNoMovieIsNoVideo() async throws {
    folder.put(try still(nil), as: "IMG_1.JPG")
    folder.put(Array("no movie".utf8), as: "IMG_1.MOV")
    #expect(try await video(of: "IMG_1.JPG") == nil)
  }

  /// Both forms come out byte for byte, and nothing else in the folder changes.
  @Test func videosAreWrittenAsTheyAre() async throws {
    folder.put(try still(identifier), as: "IMG_1.JPG")
    folder.put(movie(identifier), as: "IMG_1.MOV")
    var inner = SampleMovie()
    inner.isQuickTime = false
    folder.put(SampleMovie.motionPhoto(try still(nil), video: inner.bytes), as: "PXL_1.MP.jpg")
    let before = try folder.traces
    for (name, bytes, resource) in [
      ("IMG_1.JPG", movie(identifier), "IMG_1.MOV"), ("PXL_1.MP.jpg", inner.bytes, "PXL_1.MP.jpg"),
    ] {
      let photo = Photo(path: folder.path.appending(name))
      let target = folder.path.appending("out.mov")
      let video = try await editor.exportVideo(of: photo, to: target)
      #expect(folder.bytes("out.mov") == bytes)
      #expect(video.video.byteRange.count == bytes.count && !video.isEdited)
      await #expect(throws: EditError.destinationTaken(target, .original)) {
        try await editor.exportVideo(of: photo, to: target)
      }
      folder.remove("out.mov")
      let resources = try await editor.state(of: photo).resources
      #expect(resources.map(\.type) == [.photo, .pairedVideo])
      #expect(resources[1].path == folder.path.appending(resource))
      #expect((resources[1].byteRange == nil) == (name == "IMG_1.JPG"))
    }
    #expect(try folder.traces == before)
    let plain = try folder.add("photo.heic")
    await #expect(throws: EditError.noVideo(plain.path)) {
      try await editor.exportVideo(of: plain, to: folder.path.appending("out.mov"))
    }
    #expect(try await editor.video(of: plain) == nil)
  }

  /// An edit of the still alone says so: here because the movie has no frames that could be decoded.
  @Test func anEditSaysThatTheVideoHasNone() async throws {
    folder.put(try still(identifier), as: "IMG_1.JPG")
    folder.put(movie(identifier), as: "IMG_1.MOV")
    let photo = Photo(path: folder.path.appending("IMG_1.JPG"))
    let warning = "The Live Photo's video IMG_1.MOV stays as it was taken: "
    let edited = try await editor.apply(.named("noir"), to: photo)
    #expect(edited.warnings.contains { $0.hasPrefix(warning) })
    #expect(folder.bytes("IMG_1.MOV") == movie(identifier))
    let plain = try folder.add("beach.jpg")
    let other = try await editor.apply(.named("noir"), to: plain)
    #expect(!other.warnings.contains { $0.contains("video") })
  }
}
