import Foundation
import PhotoEditing
import SafelightFiles
import SafelightTestSupport
import Testing

/// Live Photos whose video gets the edit of its still.
@Suite struct LiveEditTests {
  private let folder = PhotoFolder()
  private let identifier = "A1B2C3D4-0001-4A00-8B00-000000009001"

  private func editor(_ change: (inout PhotoEditor.Configuration) -> Void = { _ in }) -> PhotoEditor
  {
    var configuration = PhotoEditor.Configuration()
    configuration.now = { .test }
    change(&configuration)
    return PhotoEditor(configuration)
  }

  /// A pair; the video's frames can only be decoded where ffmpeg made them.
  private func pair() throws -> Photo {
    folder.put(
      SampleMovie.still(try Fixtures.bytes("beach.jpg"), identifier: identifier), as: "IMG_1.JPG")
    if FFmpeg.isInstalled {
      folder.put(try movie(), as: "IMG_1.MOV")
    } else {
      var movie = SampleMovie()
      movie.contentIdentifier = identifier
      folder.put(movie.bytes, as: "IMG_1.MOV")
    }
    return Photo(path: folder.path.appending("IMG_1.JPG"))
  }

  /// A movie whose frames can be decoded.
  private func movie() throws -> [UInt8] {
    let folder = PhotoFolder()
    try FFmpeg.makeMovie(at: folder.path.appending("made.mov").string, identifier: identifier)
    return try #require(folder.bytes("made.mov"))
  }

  /// What the photo's edited video is, beside a still of its own.
  private func editedVideo() async throws -> PhotoVideo? {
    let other = PhotoFolder()
    other.put(try #require(folder.bytes("IMG_1.JPG")), as: "IMG_1.JPG")
    other.put(try #require(folder.bytes("IMG_1_edited.mov")), as: "IMG_1.MOV")
    return try await editor().state(of: Photo(path: other.path.appending("IMG_1.JPG"))).video
  }

  @Test(.enabled(if: FFmpeg.isInstalled))
  func anEditOfTheStillIsOneOfTheVideo() async throws {
    let photo = try pair()
    let before = try folder.traces
    let editor = editor()
    let noir = try await editor.apply(.named("noir"), to: photo)
    #expect(noir.files.written.compactMap(\.lastComponent).contains("IMG_1_edited.mov"))
    let first = try #require(folder.bytes("IMG_1_edited.mov"))
    let video = try #require(try await editedVideo())
    #expect(video.contentIdentifier == identifier && video.hasSound && video.codec == "H.264")
    #expect((video.pixelWidth, video.pixelHeight) == (192, 144) && video.frameCount == 5)

    // The original's video stays the photo's, and the edited one is a resource of its own.
    let state = try await editor.state(of: photo)
    #expect(state.video?.path.lastComponent == "IMG_1.MOV")
    let resources = state.resources
    #expect(Set(resources.map(\.type)).isSuperset(of: [.pairedVideo, .fullSizePairedVideo]))
    let edited = try #require(resources.first { $0.type == .fullSizePairedVideo })
    #expect(edited.path.lastComponent == "IMG_1_edited.mov")
    #expect(edited.contentType == "com.apple.quicktime-movie")
    #expect(try await editor.verify(photo).isSound)

    // The same again changes nothing; another edit, its undoing and its redoing bring their videos.
    let names = folder.names
    let traces = try folder.traces
    #expect(try await editor.apply(.named("noir"), to: photo).status == .unchanged)
    #expect(try folder.traces == traces)
    try await editor.apply(.named("sepia"), to: photo)
    let second = try #require(folder.bytes("IMG_1_edited.mov"))
    #expect(second != first)
    try await editor.undo(photo)
    #expect(folder.names == names && folder.bytes("IMG_1_edited.mov") == first)
    try await editor.redo(photo)
    #expect(folder.bytes("IMG_1_edited.mov") == second)
    try await editor.revertAssetContentToOriginal(photo)
    #expect(try folder.traces == before)
  }

  @Test(.enabled(if: FFmpeg.isInstalled))
  func aMissingVideoIsMadeAgain() async throws {
    let photo = try pair()
    try await editor().apply(.named("noir"), to: photo)
    let video = folder.bytes("IMG_1_edited.mov")
    let render = folder.bytes("IMG_1_edited.jpg")
    folder.remove("IMG_1_edited.mov")
    #expect(try await !editor().verify(photo).isSound)
    #expect(try await editor().renderAgain(photo).status == .rendered)
    #expect(folder.bytes("IMG_1_edited.mov") == video && folder.bytes("IMG_1_edited.jpg") == render)
    #expect(try await editor().verify(photo).isSound)
    #expect(try await editor().renderAgain(photo).status == .unchanged)
  }

  /// A video that was left alone, or that was not there, is made once that is asked for.
  @Test(.enabled(if: FFmpeg.isInstalled), arguments: [false, true])
  func aVideoThatComesLaterIsMade(isMissing: Bool) async throws {
    let photo = try pair()
    let video = try #require(folder.bytes("IMG_1.MOV"))
    if isMissing { folder.remove("IMG_1.MOV") }
    try await editor { $0.rendersVideos = false }.apply(.named("noir"), to: photo)
    folder.put(video, as: "IMG_1.MOV")
    #expect(!folder.names.contains("IMG_1_edited.mov"))
    #expect(try await editor().renderAgain(photo).status == .rendered)
    #expect(folder.names.contains("IMG_1_edited.mov"))
    #expect(try await editor().renderAgain(photo).status == .unchanged)
    #expect(try await editor().verify(photo).isSound)
  }

  /// A new still takes no old video along, and says so where the original's is gone.
  @Test(.enabled(if: FFmpeg.isInstalled))
  func anEditedVideoWithoutItsOriginalGoesWithAWord() async throws {
    let photo = try pair()
    try await editor().apply(.named("noir"), to: photo)
    folder.remove("IMG_1.MOV")
    let result = try await editor().apply(.named("sepia"), to: photo)
    #expect(result.ownWarnings.count { $0.contains("is not beside it any more") } == 1)
    #expect(!folder.names.contains("IMG_1_edited.mov"))
  }

  /// A file that has the name of the photo's video and is not it is named with the reason.
  @Test func whatIsNotThePhotosVideoIsSaid() async throws {
    folder.put(try Fixtures.bytes("beach.jpg"), as: "IMG_1.JPG")
    let photo = Photo(path: folder.path.appending("IMG_1.JPG"))
    folder.put(Array("no movie".utf8), as: "IMG_1.MOV")
    let broken = try await editor().apply(.named("noir"), to: photo)
    #expect(
      broken.ownWarnings == [
        "IMG_1.MOV beside the photo cannot be read as its video, and stays as it is."
      ])
    var movie = SampleMovie()
    movie.contentIdentifier = identifier
    folder.put(movie.bytes, as: "IMG_1.MOV")
    let other = try await editor().apply(.named("sepia"), to: photo)
    #expect(other.ownWarnings.count { $0.contains("has another content identifier") } == 1)
  }

  @Test(.enabled(if: FFmpeg.isInstalled))
  func theVideoStaysAsItWasWhereThatIsWanted() async throws {
    let photo = try pair()
    let without = editor { $0.rendersVideos = false }
    let plain = try await without.apply(.named("noir"), to: photo)
    #expect(
      plain.ownWarnings == ["The Live Photo's video IMG_1.MOV stays as it was taken."])
    #expect(folder.names == ["IMG_1.JPG", "IMG_1.JPG.aae", "IMG_1.MOV", "IMG_1_edited.jpg"])
    try await editor().apply(.named("sepia"), to: photo)
    #expect(folder.names.contains("IMG_1_edited.mov"))
    // No video of an earlier edit stays beside a new still.
    try await without.apply(.named("chrome"), to: photo)
    #expect(!folder.names.contains("IMG_1_edited.mov"))
    #expect(try await editor().verify(photo).isSound)
  }

  /// A video that cannot be made is said, and no old one stays.
  @Test func withoutTheProgramTheStillIsEditedAlone() async throws {
    let photo = try pair()
    let before = try folder.traces
    let poor = editor { $0.searchPath = "" }
    if FFmpeg.isInstalled { try await editor().apply(.named("sepia"), to: photo) }
    let result = try await poor.apply(.named("noir"), to: photo)
    #expect(result.status == .edited)
    #expect(
      result.ownWarnings
        == [
          "The Live Photo's video IMG_1.MOV stays as it was taken: there is no ffmpeg on this computer."
        ])
    #expect(folder.names == ["IMG_1.JPG", "IMG_1.JPG.aae", "IMG_1.MOV", "IMG_1_edited.jpg"])
    try await poor.revertAssetContentToOriginal(photo)
    #expect(try folder.traces == before)
    // A quarter turn needs none.
    let turned = try await poor.adjust(photo) { (stack) throws(AdjustmentError) in
      try stack.set("rotate", to: "90")
    }
    #expect(turned.ownWarnings.isEmpty)
    #expect(try await editedVideo()?.pixelWidth == (FFmpeg.isInstalled ? 144 : 360))
  }

  /// Whatever fails, no new still stands beside an old video.
  @Test(.enabled(if: FFmpeg.isInstalled))
  func damagedVideosAreLeftAndSaid() async throws {
    let photo = try pair()
    let movie = try #require(folder.bytes("IMG_1.MOV"))
    try await editor().apply(.named("sepia"), to: photo)
    // The frames are damaged, the boxes are not.
    var damaged = movie
    for place in 48..<2000 { damaged[place] = 0x55 }
    folder.put(damaged, as: "IMG_1.MOV")
    let result = try await editor().apply(.named("noir"), to: photo)
    #expect(result.status == .edited)
    let warning = "The Live Photo's video IMG_1.MOV stays as it was taken: "
    #expect(result.ownWarnings.contains { $0.hasPrefix(warning) })
    #expect(!folder.names.contains("IMG_1_edited.mov"))
    #expect(folder.bytes("IMG_1.MOV") == damaged)
  }

  @Test func videosInsideOfPhotosAreSaidInEveryCase() async throws {
    var inner = SampleMovie()
    inner.isQuickTime = false
    let name: FilePath = "PXL_1.MP.jpg"
    folder.put(
      SampleMovie.motionPhoto(try Fixtures.bytes("beach.jpg"), video: inner.bytes), as: name)
    let photo = Photo(path: folder.path.appending(name))
    let editor = editor()
    func count(_ result: EditResult) -> Int {
      result.ownWarnings.count { $0.hasPrefix("The motion photo's video") }
    }
    #expect(try await count(editor.apply(.named("noir"), to: photo)) == 1)
    #expect(try await count(editor.apply(.named("sepia"), to: photo)) == 1)
    #expect(try await count(editor.undo(photo)) == 1)
    let target = folder.path.appending("out.jpg")
    #expect(try await count(editor.export(photo, to: target, as: RenderOutput(format: .jpeg))) == 1)
  }

  @Test(.enabled(if: FFmpeg.isInstalled))
  func theVideoInsideOfAPhotoIsEditedWithIt() async throws {
    let movie = try movie()
    folder.put(
      SampleMovie.motionPhoto(try Fixtures.bytes("beach.jpg"), video: movie), as: "PXL_1.MP.jpg")
    let before = try folder.traces
    let photo = Photo(path: folder.path.appending("PXL_1.MP.jpg"))
    let result = try await editor().apply(.named("noir"), to: photo)
    #expect(!result.ownWarnings.contains { $0.contains("not carried") })
    // The render is a motion photo of its own.
    let other = PhotoFolder()
    other.put(try #require(folder.bytes("PXL_1.MP_edited.jpg")), as: "a.jpg")
    let alone = Photo(path: other.path.appending("a.jpg"))
    let video = try #require(try await editor().state(of: alone).video)
    #expect(video.kind == .motion && video.frameCount == 5 && video.hasSound)
    #expect(video.stillImageTime == 0.8)
    // Both ways to write it give the same; the original's is another one.
    let (inside, edited) = (other.path.appending("a.mov"), other.path.appending("b.mov"))
    #expect(try await !editor().exportVideo(of: alone, to: inside).isEdited)
    #expect(try await editor().exportVideo(of: photo, to: edited).isEdited)
    #expect(other.bytes("a.mov") == other.bytes("b.mov"))
    let colors = try FFmpeg.pixels(of: edited.string)
    #expect(colors.indices.allSatisfy { abs(Int(colors[$0]) - Int(colors[$0 - $0 % 3])) < 8 })
    let camera = other.path.appending("c.mov")
    #expect(try await !editor().exportVideo(of: photo, to: camera, original: true).isEdited)
    #expect(other.bytes("c.mov") == movie)
    #expect(try await editor().verify(photo).isSound)
    try await editor().revertAssetContentToOriginal(photo)
    #expect(try folder.traces == before)
    // Where it is not to be rendered, the render has none.
    let still = try await editor { $0.rendersVideos = false }.apply(.named("noir"), to: photo)
    #expect(still.ownWarnings.contains { $0.contains("is not carried") })
  }

  /// A motion photo whose frames cannot be decoded.
  private func motionPhoto(microseconds: Int = 800_000) throws -> Photo {
    var inner = SampleMovie()
    inner.isQuickTime = false
    let jpeg = SampleMovie.motionPhoto(
      try Fixtures.bytes("beach.jpg"), video: inner.bytes, microseconds: microseconds)
    folder.put(jpeg, as: "PXL_1.MP.jpg")
    return Photo(path: folder.path.appending("PXL_1.MP.jpg"))
  }

  /// Edits a photo by a quarter turn, which needs no ffmpeg.
  @discardableResult
  private func turn(_ photo: Photo, by editor: PhotoEditor) async throws -> EditResult {
    try await editor.adjust(photo) { (stack) throws(AdjustmentError) in
      try stack.set("rotate", to: "90")
    }
  }

  /// The video inside of the motion photo's render.
  private func videoOfRender() async throws -> PhotoVideo? {
    let other = PhotoFolder()
    other.put(try #require(folder.bytes("PXL_1.MP_edited.jpg")), as: "a.jpg")
    return try await editor().state(of: Photo(path: other.path.appending("a.jpg"))).video
  }

  /// The picture and its edit are as before, so the video in the render is, too.
  @Test func otherMetadataKeepTheVideoOfARender() async throws {
    let photo = try motionPhoto()
    try await turn(photo, by: editor())
    let before = try #require(try await videoOfRender())
    #expect(before.pixelWidth == 360)
    _ = try motionPhoto(microseconds: 700_000)
    let without = editor { $0.rendersVideos = false }
    let result = try await without.renderAgain(photo)
    #expect(result.status == .rendered)
    #expect(!result.ownWarnings.contains { $0.contains("not carried") })
    let after = try #require(try await videoOfRender())
    #expect(after.pixelWidth == 360 && after.byteRange.count == before.byteRange.count)
    #expect(try await editor().verify(photo).isSound)
  }

  @Test func aVersionWithoutAVideoGetsItAsTheEdit() async throws {
    let photo = try motionPhoto()
    let without = editor { $0.rendersVideos = false }
    let turned = try await turn(photo, by: without)
    #expect(
      turned.ownWarnings.filter { $0.contains("motion photo") }
        == ["The motion photo's video is not carried."])
    try await without.saveVersion(named: "turned", of: photo)
    try await without.apply(.named("noir"), to: photo)
    #expect(try await videoOfRender() == nil)
    let version = folder.bytes("PXL_1.MP_edited-turned.jpg")
    let poor = editor { $0.searchPath = "" }
    let result = try await poor.useVersion(named: "turned", of: photo)
    #expect(!result.ownWarnings.contains { $0.contains("not carried") })
    let video = try #require(try await videoOfRender())
    #expect(video.kind == .motion && video.pixelWidth == 360 && video.stillImageTime == 0.8)
    #expect(folder.bytes("PXL_1.MP_edited-turned.jpg") == version)
    #expect(try await editor().verify(photo).isSound)
  }

  /// The video that is there has the edit already.
  @Test func anotherQualityKeepsTheVideoOfALivePhoto() async throws {
    let photo = try pair()
    try await turn(photo, by: editor())
    let video = try #require(folder.bytes("IMG_1_edited.mov"))
    let render = folder.bytes("IMG_1_edited.jpg")
    let without = editor { $0.rendersVideos = false }
    let result = try await without.adjust(photo, quality: 40) { (stack) throws(AdjustmentError) in
      try stack.set("rotate", to: "90")
    }
    #expect(result.ownWarnings.isEmpty)
    #expect(folder.bytes("IMG_1_edited.mov") == video && folder.bytes("IMG_1_edited.jpg") != render)
  }

  @Test func anEditedMP4IsReportedAsOne() async throws {
    folder.put(
      SampleMovie.still(try Fixtures.bytes("beach.jpg"), identifier: identifier), as: "IMG_1.JPG")
    var movie = SampleMovie()
    (movie.isQuickTime, movie.contentIdentifier) = (false, identifier)
    folder.put(movie.bytes, as: "IMG_1.MP4")
    let photo = Photo(path: folder.path.appending("IMG_1.JPG"))
    try await turn(photo, by: editor())
    let resources = try await editor().state(of: photo).resources
    let edited = try #require(resources.first { $0.type == .fullSizePairedVideo })
    #expect(edited.path.lastComponent == "IMG_1_edited.mov")
    #expect(edited.contentType == "public.mpeg-4")
  }

  /// Nothing is rendered to find out, and an edit that was undone is known to change nothing.
  @Test func aDryRunKnowsThatNoEditIsLeft() async throws {
    let photo = try motionPhoto()
    let target = folder.path.appending("out.mp4")
    try await turn(photo, by: editor())
    #expect(try await editor().exportVideo(of: photo, to: target, dryRun: true).isEdited)
    try await editor().undo(photo)
    #expect(try await !editor().exportVideo(of: photo, to: target, dryRun: true).isEdited)
    #expect(try await !editor().exportVideo(of: photo, to: target).isEdited)
  }

  @Test(.enabled(if: FFmpeg.isInstalled))
  func theEditedVideoOfALivePhotoIsWritten() async throws {
    let photo = try pair()
    try await editor().apply(.named("noir"), to: photo)
    let other = PhotoFolder()
    func write(_ name: FilePath, original: Bool = false) async throws -> [UInt8]? {
      let path = other.path.appending(name)
      let export = try await editor().exportVideo(of: photo, to: path, original: original)
      #expect(export.isEdited != original)
      return other.bytes(name)
    }
    let edited = try #require(folder.bytes("IMG_1_edited.mov"))
    #expect(try await write("a.mov") == edited)
    #expect(try await write("b.mov", original: true) == folder.bytes("IMG_1.MOV"))
    // It is made where it is not there.
    try await editor().revertAssetContentToOriginal(photo)
    try await editor { $0.rendersVideos = false }.apply(.named("noir"), to: photo)
    #expect(try await write("c.mov") == edited)
  }

  @Test func aPictureOfALivePhotoNeedsNoVideo() async throws {
    let photo = try pair()
    let result = try await editor().export(
      photo, to: folder.path.appending("out.jpg"), as: RenderOutput(format: .jpeg))
    #expect(result.ownWarnings.isEmpty && folder.names == ["IMG_1.JPG", "IMG_1.MOV", "out.jpg"])
  }
}
