import Foundation
import PhotoEditing
import SafelightFiles
import SafelightTestSupport
import Synchronization
import Testing

/// Live Photos that a program edits frame by frame.
@Suite struct LivePhotoEditingTests {
  private let folder = PhotoFolder()
  private let identifier = "A1B2C3D4-0001-4A00-8B00-000000009001"
  private let program = ThirdParty.a

  private struct Refusal: Error {}

  private func pair() throws -> Photo {
    folder.put(
      SampleMovie.still(try Fixtures.bytes("beach.jpg"), identifier: identifier), as: "IMG_1.JPG")
    folder.put(try movie(), as: "IMG_1.MOV")
    return Photo(path: folder.path.appending("IMG_1.JPG"))
  }

  private func movie() throws -> [UInt8] {
    let folder = PhotoFolder()
    try FFmpeg.makeMovie(at: folder.path.appending("made.mov").string, identifier: identifier)
    return try #require(folder.bytes("made.mov"))
  }

  private func context(
    _ photo: Photo
  ) async throws -> (LivePhotoEditingContext, ContentEditingOutput) {
    let input = try await program.input(photo)
    let output = ContentEditingOutput(
      contentEditingInput: input, editorBundleIdentifier: "com.example.a.app")
    output.adjustmentData = program.data("inverted")
    return (try #require(LivePhotoEditingContext(livePhotoEditingInput: input)), output)
  }

  @Sendable private static func inverted(_ frame: LivePhotoFrame) -> DisplayImage? {
    let image = frame.image
    return DisplayImage(
      width: image.width, height: image.height, pixels: image.pixels.map { 255 - $0 })
  }

  /// How far a picture is from another one turned into its negative, in codes in the mean.
  private func distance(_ path: FilePath, fromNegativeOf other: FilePath) throws -> Double {
    let (first, second) = (
      try FFmpeg.pixels(of: path.string), try FFmpeg.pixels(of: other.string)
    )
    try #require(first.count == second.count)
    let sum = zip(first, second).reduce(0) { $0 + abs(255 - Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(first.count)
  }

  @Test(.enabled(if: FFmpeg.isInstalled))
  func stillAndVideoAreEditedInOneStep() async throws {
    let photo = try pair()
    let before = try folder.traces
    let (context, output) = try await context(photo)
    #expect(context.photoTime == nil && abs(context.duration - 0.7) < 0.05)
    let full = try await context.fullSizeImage()
    let seen = Mutex<[LivePhotoFrame]>([])
    context.frameProcessor = { frame in
      seen.withLock { $0.append(frame) }
      return Self.inverted(frame)
    }
    try await context.saveLivePhoto(to: output)
    let frames = seen.withLock { $0 }
    #expect(frames.map(\.type) == [.photo, .video, .video, .video, .video, .video])
    #expect(frames[0].image == full && frames[0].renderScale == 1)
    let share = 192 / Double(max(full.width, full.height))
    #expect(frames.dropFirst().allSatisfy { abs($0.renderScale - share) < 1e-9 })
    #expect(frames.dropFirst().map { ($0.time * 10).rounded() } == [0, 1, 2, 3, 4])
    // Nothing of the photo has changed yet.
    #expect(try folder.traces == before)

    let editor = program.editor
    let result = try await editor.commit(output)
    #expect(result.status == .edited && result.ownWarnings.isEmpty)
    #expect(
      folder.names == [
        "IMG_1.JPG", "IMG_1.JPG.aae", "IMG_1.MOV", "IMG_1_edited.jpg", "IMG_1_edited.mov",
      ])
    let at = folder.path
    #expect(
      try distance(at.appending("IMG_1_edited.mov"), fromNegativeOf: at.appending("IMG_1.MOV")) < 3)
    #expect(
      try distance(at.appending("IMG_1_edited.jpg"), fromNegativeOf: at.appending("IMG_1.JPG")) < 3)
    #expect(try await editor.verify(photo).isSound)
    let live = try #require(try await editor.livePhoto(of: photo))
    #expect(live.video.contentIdentifier == identifier && live.video.hasSound)
    #expect(live.video.path.lastComponent == "IMG_1_edited.mov" && live.video.frameCount == 5)
    let state = try await editor.state(of: photo)
    #expect(state.resources.map(\.type).contains(.fullSizePairedVideo))
    // Both files belong together, also for programs that know nothing of the edit.
    let resources = [at.appending("IMG_1_edited.mov"), at.appending("IMG_1_edited.jpg")]
    #expect(try LivePhoto(resourcePaths: resources).video.contentIdentifier == identifier)
    try await editor.revertAssetContentToOriginal(photo)
    #expect(try folder.traces == before)
  }

  /// An edit of Safelight's before it comes back with its own video.
  @Test(.enabled(if: FFmpeg.isInstalled))
  func undoingBringsTheVideoOfTheEditBefore() async throws {
    let photo = try pair()
    let editor = program.editor
    try await editor.apply(.named("noir"), to: photo)
    let (render, video) = (folder.bytes("IMG_1_edited.jpg"), folder.bytes("IMG_1_edited.mov"))
    // The program goes on from the picture of that edit, and so from its video.
    let (context, output) = try await context(photo)
    let isGray = Mutex<[Bool]>([])
    context.frameProcessor = { frame in
      let pixels = frame.image.pixels
      let apart = pixels.indices.reduce(0) { $0 + abs(Int(pixels[$1]) - Int(pixels[$1 - $1 % 3])) }
      isGray.withLock { $0.append(Double(apart) / Double(pixels.count) < 3) }
      return Self.inverted(frame)
    }
    try await context.saveLivePhoto(to: output)
    #expect(isGray.withLock { $0 } == [Bool](repeating: true, count: 6))
    try await editor.commit(output)
    #expect(folder.bytes("IMG_1_edited.mov") != video)
    #expect(try await editor.verify(photo).isSound)
    // Its own edit again, as it was.
    let (again, second) = try await self.context(photo)
    again.frameProcessor = { $0.image }
    try await again.saveLivePhoto(to: second)
    second.adjustmentData = program.data("again")
    try await editor.commit(second)
    #expect(try await editor.verify(photo).isSound)
    try await editor.revertAssetContentToOriginal(photo)
    try await editor.apply(.named("noir"), to: photo)
    #expect(folder.bytes("IMG_1_edited.jpg") == render && folder.bytes("IMG_1_edited.mov") == video)
  }

  @Test(.enabled(if: FFmpeg.isInstalled))
  func aMotionPhotoStaysOne() async throws {
    let name: FilePath = "PXL_1.MP.jpg"
    folder.put(
      SampleMovie.motionPhoto(try Fixtures.bytes("beach.jpg"), video: try movie()), as: name)
    let before = try folder.traces
    let photo = Photo(path: folder.path.appending(name))
    let (context, output) = try await context(photo)
    #expect(context.photoTime == 0.8)
    context.frameProcessor = Self.inverted
    let warnings = try await context.saveLivePhoto(to: output)
    #expect(!warnings.contains { $0.contains("not carried") })
    let result = try await program.editor.commit(output)
    #expect(result.ownWarnings.isEmpty)
    let live = try #require(try await program.editor.livePhoto(of: photo))
    #expect(live.video.kind == .motion && live.video.frameCount == 5 && live.video.hasSound)
    #expect(live.video.stillImageTime == 0.8)
    #expect(live.imagePath.lastComponent == "PXL_1.MP_edited.jpg")
    // Its frames are those of the camera, inverted.
    let other = PhotoFolder()
    other.put(try #require(folder.bytes("PXL_1.MP_edited.jpg")), as: "a.jpg")
    let paths = (other.path.appending("a.mov"), other.path.appending("b.mov"))
    let alone = Photo(path: other.path.appending("a.jpg"))
    try await program.editor.exportVideo(of: alone, to: paths.0)
    try await program.editor.exportVideo(of: photo, to: paths.1, original: true)
    #expect(try distance(paths.0, fromNegativeOf: paths.1) < 3)
    #expect(try await program.editor.verify(photo).isSound)
    try await program.editor.revertAssetContentToOriginal(photo)
    #expect(try folder.traces == before)
  }

  @Test(.enabled(if: FFmpeg.isInstalled))
  func aLivePhotoIsPreparedForPlayback() async throws {
    let photo = try pair()
    let before = try folder.traces
    var (context, _): (LivePhotoEditingContext?, ContentEditingOutput) = try await context(photo)
    context?.frameProcessor = Self.inverted
    let live = try #require(
      try await context?.prepareLivePhotoForPlayback(targetSize: PixelSize(width: 60, height: 60)))
    #expect(max(live.pixelWidth, live.pixelHeight) == 60)
    #expect((live.video.pixelWidth, live.video.pixelHeight) == (60, 44))
    #expect(live.imageContentType == "public.jpeg" && live.video.frameCount == 5)
    #expect(try LivePhoto(resourcePaths: [live.imagePath, live.video.path]) == live)
    #expect(try folder.traces == before)
    context = nil
    #expect(!FileManager.default.fileExists(atPath: live.imagePath.string))
  }

  /// Without a processor the video is the camera's, byte for byte, and ffmpeg is not needed.
  @Test func withoutAProcessorNothingIsDrawnAnew() async throws {
    folder.put(
      SampleMovie.still(try Fixtures.bytes("beach.jpg"), identifier: identifier), as: "IMG_1.JPG")
    var movie = SampleMovie()
    (movie.contentIdentifier, movie.stillImageTime) = (identifier, 700)
    folder.put(movie.bytes, as: "IMG_1.MOV")
    let photo = Photo(path: folder.path.appending("IMG_1.JPG"))
    let (context, output) = try await context(photo)
    #expect(context.photoTime == 0.7 && context.duration == 1.5 && context.orientation == 1)
    try await context.saveLivePhoto(to: output)
    try await program.editor.commit(output)
    #expect(folder.bytes("IMG_1_edited.mov") == movie.bytes)
    #expect(try await program.editor.verify(photo).isSound)
    // Frames that cannot be decoded end a save, and leave no render to be committed.
    let (again, second) = try await self.context(photo)
    again.frameProcessor = Self.inverted
    let error = await #expect(throws: LivePhotoEditingError.self) {
      try await again.saveLivePhoto(to: second)
    }
    guard case .video(photo.path, _) = error else {
      Issue.record("The error is \(String(describing: error)).")
      return
    }
    await #expect(throws: EditError.outputRefused(path: photo.path, problem: .noRender)) {
      try await program.editor.commit(second)
    }
  }

  @Test(.enabled(if: FFmpeg.isInstalled))
  func whatAProcessorDoesWrongEndsTheSave() async throws {
    let photo = try pair()
    let before = try folder.traces
    let (context, output) = try await context(photo)
    func fails(
      _ processor: @escaping LivePhotoEditingContext.FrameProcessor
    ) async -> (any Error)? {
      context.frameProcessor = processor
      do {
        try await context.saveLivePhoto(to: output)
        return nil
      } catch {
        return error
      }
    }
    #expect(await fails { _ in throw Refusal() } is Refusal)
    #expect(await fails { if $0.type == .photo { $0.image } else { throw Refusal() } } is Refusal)
    let noStill = await fails { _ in nil } as? LivePhotoEditingError
    #expect(noStill == .noImage(type: .photo, time: 0))
    let noFrame = await fails { $0.time < 0.15 ? $0.image : nil } as? LivePhotoEditingError
    guard case .noImage(.video, let time) = noFrame else {
      Issue.record("The error is \(String(describing: noFrame)).")
      return
    }
    #expect(abs(time - 0.2) < 1e-6)
    let size =
      await fails { frame in
        guard frame.time > 0.15 else { return frame.image }
        return DisplayImage(width: 2, height: 1, pixels: [0, 1, 2, 3, 4, 5])
      } as? LivePhotoEditingError
    guard
      case .differentSize(PixelSize(width: 2, height: 1), PixelSize(width: 192, height: 144), _) =
        size
    else {
      Issue.record("The error is \(String(describing: size)).")
      return
    }
    context.audioVolume = 0.5
    #expect(await fails { $0.image } as? LivePhotoEditingError == .audioVolume(0.5))
    await #expect(throws: EditError.outputRefused(path: photo.path, problem: .noRender)) {
      try await program.editor.commit(output)
    }
    #expect(try folder.traces == before)
  }

  @Test(.enabled(if: FFmpeg.isInstalled)) func aSaveCanBeCancelled() async throws {
    let photo = try pair()
    let (context, output) = try await context(photo)
    context.frameProcessor = { [weak context] frame in
      if frame.type == .video { context?.cancel() }
      return frame.image
    }
    await #expect(throws: EditError.cancelled(path: photo.path)) {
      try await context.saveLivePhoto(to: output)
    }
    // And with the task that waits for it.
    let waiting = Task {
      context.frameProcessor = { frame in
        withUnsafeCurrentTask { _ in }
        while !Task.isCancelled { usleep(1000) }
        return frame.image
      }
      try await context.saveLivePhoto(to: output)
    }
    waiting.cancel()
    await #expect(throws: EditError.cancelled(path: photo.path)) { try await waiting.value }
    // The context works on.
    context.frameProcessor = { $0.image }
    try await context.saveLivePhoto(to: output)
    #expect(try await program.editor.commit(output).status == .edited)
  }

  @Test(.enabled(if: FFmpeg.isInstalled)) func soundIsLeftOut() async throws {
    let photo = try pair()
    let (context, output) = try await context(photo)
    context.frameProcessor = { $0.image }
    context.audioVolume = 0
    try await context.saveLivePhoto(to: output)
    try await program.editor.commit(output)
    let live = try #require(try await program.editor.livePhoto(of: photo))
    #expect(!live.video.hasSound && live.video.frameCount == 5)
    #expect(live.video.contentIdentifier == identifier)
  }

  @Test func whatIsNoLivePhotoHasNoContext() async throws {
    let photo = try folder.add("beach.jpg")
    let input = try await program.input(photo)
    #expect(LivePhotoEditingContext(livePhotoEditingInput: input) == nil)
  }

  @Test func anOutputOfAnotherPhotoIsRefused() async throws {
    var inner = SampleMovie()
    inner.isQuickTime = false
    folder.put(
      SampleMovie.motionPhoto(try Fixtures.bytes("beach.jpg"), video: inner.bytes), as: "PXL_1.jpg")
    let (context, _) = try await context(Photo(path: folder.path.appending("PXL_1.jpg")))
    let other = ContentEditingOutput(
      contentEditingInput: try await program.input(try folder.add("beach.jpg")))
    await #expect(throws: LivePhotoEditingError.otherPhoto) {
      try await context.saveLivePhoto(to: other)
    }
  }

  /// What somebody puts in the place of the saved video is looked at.
  @Test func aVideoOfAnotherPhotoIsRefused() async throws {
    folder.put(
      SampleMovie.still(try Fixtures.bytes("beach.jpg"), identifier: identifier), as: "IMG_1.JPG")
    var movie = SampleMovie()
    movie.contentIdentifier = identifier
    folder.put(movie.bytes, as: "IMG_1.MOV")
    let before = try folder.traces
    let photo = Photo(path: folder.path.appending("IMG_1.JPG"))
    let (context, output) = try await context(photo)
    try await context.saveLivePhoto(to: output)
    let path = output.renderedContentPath.removingLastComponent().appending("render.mov")
    movie.contentIdentifier = "another"
    for (bytes, reason) in [
      (movie.bytes, "it belongs to another photo"),
      (Array("text".utf8), "it is no movie that can be read"),
    ] {
      try Data(bytes).write(to: path.fileURL)
      await #expect(
        throws: EditError.outputRefused(path: photo.path, problem: .badVideo(reason))
      ) { try await program.editor.commit(output) }
    }
    #expect(try folder.traces == before)
  }
}
