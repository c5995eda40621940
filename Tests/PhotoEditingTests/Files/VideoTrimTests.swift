import Foundation
import PhotoEditing
import SafelightFiles
import SafelightTestSupport
import Testing

/// Videos that an edit mutes and trims.
@Suite(.enabled(if: FFmpeg.isInstalled)) struct VideoTrimTests {
  private let folder = PhotoFolder()

  private func editor(path: String? = nil) -> PhotoEditor { LivePair.editor(path: path) }
  private func pair() throws -> Photo { try LivePair.put(into: folder) }

  private var edited: String { folder.path.appending("IMG_1_edited.mov").string }

  /// What ffprobe says of the edited video.
  private func facts(_ stream: String, _ entries: String) throws -> [String] {
    try FinishedProcess([
      "ffprobe", "-v", "error", "-select_streams", stream, "-show_data_hash", "md5",
      "-show_entries", entries, "-of", "csv=p=0", edited,
    ]).text.split(separator: "\n").map(String.init)
  }

  @Test(arguments: [false, true])
  func mutingAndTrimmingAreDataOfTheEdit(hasProgram: Bool) async throws {
    let photo = try pair()
    let before = try folder.traces
    let movie = try #require(folder.bytes("IMG_1.MOV"))
    // No frame is coded again, so ffmpeg is not needed.
    let editor = editor(path: hasProgram ? nil : "")
    let trimmed = try await editor.perform(
      EditOperation(
        "adjust",
        [
          .init(
            "values",
            .object([.init("video-start", .number(0.1)), .init("video-end", .number(0.4))]))
        ]), on: photo)
    #expect(trimmed.status == .edited && trimmed.ownWarnings.isEmpty)
    #expect(try facts("v", "format=duration").first.flatMap { Double($0) } == 0.3)
    #expect(try facts("v", "frame=pict_type").count == 3)
    // The first frame that is shown is the second of the camera's.
    #expect(
      try FFmpeg.pixels(of: edited)
        == FFmpeg.pixels(of: folder.path.appending("IMG_1.MOV").string, frame: 1))
    #expect(try !facts("a", "stream=codec_name").isEmpty)
    let muted = try await editor.adjust(photo) { (stack) throws(AdjustmentError) in
      try stack.adjust(Adjustments.Video.self) { $0.muted = true }
    }
    #expect(muted.ownWarnings.isEmpty)
    #expect(try facts("a", "stream=codec_name").isEmpty && facts("v", "frame=pict_type").count == 3)
    let length = try #require(folder.bytes("IMG_1_edited.mov")).count
    #expect(length < movie.count)
    // The still has no new pixels but those of its own coding; undoing brings the sound back.
    try await editor.undo(photo)
    #expect(try !facts("a", "stream=codec_name").isEmpty)
    #expect(try await editor.verify(photo).isSound)
    try await editor.revertAssetContentToOriginal(photo)
    #expect(try folder.traces == before && folder.bytes("IMG_1.MOV") == movie)
  }

  /// The sound of a muted video comes back byte for byte, and colors and trims go together.
  @Test func trimsStandBesideColors() async throws {
    let photo = try pair()
    try await editor().apply(.named("noir"), to: photo)
    let sound = try facts("a", "packet=data_hash")
    try await editor().adjust(photo) { (stack) throws(AdjustmentError) in
      try stack.adjust(Adjustments.Video.self) { $0.start = 0.2 }
    }
    #expect(try facts("v", "format=duration").first.flatMap { Double($0) } ?? 0 > 0.29)
    let colors = try FFmpeg.pixels(of: edited)
    #expect(colors.indices.allSatisfy { abs(Int(colors[$0]) - Int(colors[$0 - $0 % 3])) < 8 })
    #expect(Set(try facts("a", "packet=data_hash")).isSubset(of: Set(sound)))
  }

  @Test func aMotionPhotoIsTrimmedInside() async throws {
    let made = folder.path.appending("made.mov")
    try FFmpeg.makeMovie(at: made.string, identifier: LivePair.identifier)
    let movie = try #require(folder.bytes("made.mov"))
    folder.put(
      SampleMovie.motionPhoto(
        try Fixtures.bytes("beach.jpg"), video: movie, microseconds: 300_000), as: "PXL_1.MP.jpg")
    let photo = Photo(path: folder.path.appending("PXL_1.MP.jpg"))
    try await editor(path: "").adjust(photo) { (stack) throws(AdjustmentError) in
      try stack.adjust(Adjustments.Video.self) { ($0.start, $0.end, $0.muted) = (0.2, 0.5, true) }
    }
    let other = PhotoFolder()
    other.put(try #require(folder.bytes("PXL_1.MP_edited.jpg")), as: "a.jpg")
    let alone = Photo(path: other.path.appending("a.jpg"))
    let video = try #require(try await editor().state(of: alone).video)
    #expect(!video.hasSound && abs(video.duration - 0.3) < 0.001)
    #expect(abs((video.stillImageTime ?? 0) - 0.1) < 0.001)
    // A moment that is trimmed is said.
    let late = try await editor().adjust(photo) { (stack) throws(AdjustmentError) in
      try stack.adjust(Adjustments.Video.self) { $0.start = 0.4 }
    }
    #expect(late.ownWarnings.contains { $0.contains("moment of the still is trimmed") })
  }

  @Test func whatCannotBeTrimmedIsSaid() async throws {
    let photo = try pair()
    let result = try await editor().adjust(photo) { (stack) throws(AdjustmentError) in
      try stack.adjust(Adjustments.Video.self) { $0.start = 5 }
    }
    #expect(
      result.ownWarnings == [
        "The Live Photo's video IMG_1.MOV stays as it was taken: nothing would be left between its trimmed ends."
      ])
    folder.put(try Fixtures.bytes("beach.jpg"), as: "alone.jpg")
    let alone = Photo(path: folder.path.appending("alone.jpg"))
    let without = try await editor().adjust(alone) { (stack) throws(AdjustmentError) in
      try stack.adjust(Adjustments.Video.self) { $0.muted = true }
    }
    #expect(
      without.ownWarnings == ["The photo has no video: muting and trimming change nothing."])
  }
}
