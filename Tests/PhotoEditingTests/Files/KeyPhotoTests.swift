import Foundation
import PhotoEditing
import SafelightFiles
import SafelightTestSupport
import Testing

/// Photos whose picture is a frame of their video.
@Suite(.enabled(if: FFmpeg.isInstalled)) struct KeyPhotoTests {
  private let folder = PhotoFolder()

  private func editor(path: String? = nil) -> PhotoEditor { LivePair.editor(path: path) }
  private func pair() throws -> Photo { try LivePair.put(into: folder) }

  private func pixels(_ name: FilePath, frame: Int = 0) throws -> [UInt8] {
    try FFmpeg.pixels(of: folder.path.appending(name).string, frame: frame)
  }

  /// The mean difference of two pictures in codes.
  private func difference(_ one: [UInt8], _ other: [UInt8]) throws -> Double {
    try #require(one.count == other.count)
    return Double(zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(one.count)
  }

  @Test func aFrameBecomesThePicture() async throws {
    let photo = try pair()
    let before = try folder.traces
    let editor = editor()
    let result = try await editor.perform(.keyPhoto(at: 0.25), on: photo)
    #expect(result.status == .edited)
    // The third of ten frames for a second, which begins after 0.2 s; coded twice as a JPEG.
    #expect(
      try difference(pixels("IMG_1_edited.jpg"), pixels("IMG_1.MOV", frame: 2)) < 2)
    let state = try await editor.state(of: photo)
    #expect(abs((state.keyPhotoTime ?? 0) - 0.2) < 0.001)
    #expect(try await editor.verify(photo).isSound)

    // Adjustments go on from it, for the video too.
    let noir = try await editor.apply(.named("noir"), to: photo)
    #expect(noir.ownWarnings.isEmpty)
    #expect(try pixels("IMG_1_edited.jpg").count == 3 * 192 * 144)
    let gray = try pixels("IMG_1_edited.mov", frame: 2)
    #expect(try difference(pixels("IMG_1_edited.jpg"), gray) < 4)
    try await editor.undo(photo)
    #expect(
      try difference(pixels("IMG_1_edited.jpg"), pixels("IMG_1.MOV", frame: 2)) < 2)
    try await editor.redo(photo)

    // Another frame keeps the adjustments, and so does the camera's still.
    let later = try await editor.perform(.keyPhoto(at: 0.4), on: photo)
    #expect(later.status == .edited && later.edit?.filters.map(\.name) == ["noir"])
    #expect(
      try difference(pixels("IMG_1_edited.jpg"), pixels("IMG_1_edited.mov", frame: 4)) < 4)
    try await editor.perform(.keyPhoto(at: nil), on: photo)
    #expect(try await editor.state(of: photo).keyPhotoTime == nil)
    #expect(try await editor.state(of: photo).edit?.stack?.filters.map(\.name) == ["noir"])
    #expect(try pixels("IMG_1_edited.jpg").count != 3 * 192 * 144)
    #expect(try await editor.perform(.keyPhoto(at: nil), on: photo).status == .unchanged)
    try await editor.revertAssetContentToOriginal(photo)
    #expect(try folder.traces == before)
  }

  @Test func theMomentOfTheStillIsThatOfTheFrame() async throws {
    let made = folder.path.appending("made.mov")
    try FFmpeg.makeMovie(at: made.string, identifier: LivePair.identifier)
    folder.put(
      SampleMovie.motionPhoto(
        try Fixtures.bytes("beach.jpg"), video: try #require(folder.bytes("made.mov")),
        microseconds: 400_000), as: "PXL_1.MP.jpg")
    let photo = Photo(path: folder.path.appending("PXL_1.MP.jpg"))
    try await editor().perform(EditOperation("key-photo", [.init("frame", .number(1))]), on: photo)
    let other = PhotoFolder()
    other.put(try #require(folder.bytes("PXL_1.MP_edited.jpg")), as: "a.jpg")
    let video = try await editor().state(of: Photo(path: other.path.appending("a.jpg"))).video
    #expect(abs((video?.stillImageTime ?? 0) - 0.1) < 0.001)
  }

  @Test func whatIsNoFrameIsRefused() async throws {
    let photo = try pair()
    let before = try folder.traces
    await #expect(throws: EditError.self) {
      try await editor().perform(.keyPhoto(at: 7), on: photo)
    }
    await #expect(throws: EditError.self) {
      try await editor(path: "").perform(.keyPhoto(at: 0.1), on: photo)
    }
    let dry = try await editor().perform(.keyPhoto(at: 0.1), on: photo, dryRun: true)
    #expect(dry.status == .edited)
    #expect(try folder.traces == before)
    folder.put(try Fixtures.bytes("beach.jpg"), as: "alone.jpg")
    let alone = Photo(path: folder.path.appending("alone.jpg"))
    await #expect(throws: EditError.noVideo(alone.path)) {
      try await editor().perform(.keyPhoto(at: 0.1), on: alone)
    }
  }
}
