import Foundation
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

/// Live Photos in PhotoKit's terms.
@Suite struct LivePhotoTests {
  private let tree = PhotoTree()
  private let identifier = "0A1B2C3D-0000-4000-8000-000000000001"

  private func movie(_ identifier: String?) -> [UInt8] {
    var movie = SampleMovie()
    (movie.contentIdentifier, movie.stillImageTime) = (identifier, 700)
    return movie.bytes
  }

  /// A library with a Live Photo and a photo without a video.
  private func library() async throws -> PhotoLibrary {
    let still = SampleMovie.still(
      [UInt8](try Data(contentsOf: Fixture.url("beach.jpg"))), identifier: identifier)
    tree.put(still, "IMG_1.JPG")
    tree.put(movie(identifier), "IMG_1.MOV")
    try tree.fixture("beach.jpg", as: "IMG_2.JPG")
    let library = try tree.open()
    try await library.add([tree.photos])
    return library
  }

  private func asset(_ name: String, of library: PhotoLibrary) throws -> Asset {
    try #require(try library.fetchAssets().first { $0.path.lastComponent?.string == name })
  }

  @Test func anAssetWithAVideoIsALivePhoto() async throws {
    let library = try await library()
    let (live, still) = (try asset("IMG_1.JPG", of: library), try asset("IMG_2.JPG", of: library))
    #expect(live.playbackStyle == .livePhoto && still.playbackStyle == .image)
    #expect(live.playbackStyle.rawValue == 3)
    let found = try #require(try await live.livePhoto())
    #expect(found.imagePath == live.path && found.imageContentType == "public.jpeg")
    #expect((found.pixelWidth, found.pixelHeight) == (live.pixelWidth, live.pixelHeight))
    #expect(found.video.path.lastComponent == "IMG_1.MOV")
    #expect(found.video.stillImageTime == 0.7)
    #expect(try await still.livePhoto() == nil)
    #expect(AssetResource.assetResources(for: found).map(\.type) == [.photo, .pairedVideo])
  }

  /// A quarter turn needs no ffmpeg.
  @Test func anEditedLivePhotoHasItsEditedVideo() async throws {
    let library = try await library()
    let live = try asset("IMG_1.JPG", of: library)
    try await PhotoEditor().adjust(live.photo) { (stack) throws(AdjustmentError) in
      try stack.set("rotate", to: "90")
    }
    let edited = try #require(try await live.livePhoto(showsEdit: true))
    #expect(edited.imagePath.lastComponent == "IMG_1_edited.jpg")
    #expect(edited.video.path.lastComponent == "IMG_1_edited.mov")
    #expect((edited.video.pixelWidth, edited.video.pixelHeight) == (360, 480))
    #expect(edited.video.contentIdentifier == identifier)
    let original = try #require(try await live.livePhoto(showsEdit: false))
    #expect(original.imagePath == live.path)
    #expect(original.video.path.lastComponent == "IMG_1.MOV")
    #expect((original.video.pixelWidth, original.video.pixelHeight) == (480, 360))
    #expect((original.pixelWidth, original.pixelHeight) == (edited.pixelHeight, edited.pixelWidth))
  }

  @Test func aRequestGivesTheLivePhotoOrTheReason() async throws {
    let library = try await library()
    let manager = ImageManager(library)
    func request(_ name: String) async throws -> (LivePhoto?, ImageRequestInfo) {
      let asset = try asset(name, of: library)
      return await withCheckedContinuation { done in
        manager.requestLivePhoto(for: asset) { live, info in done.resume(returning: (live, info)) }
      }
    }
    let (live, info) = try await request("IMG_1.JPG")
    #expect(live?.video.contentIdentifier == identifier && info.error == nil)
    let (none, why) = try await request("IMG_2.JPG")
    #expect(none == nil)
    guard case .missingResource = why.error else {
      Issue.record("The reason is \(String(describing: why.error)).")
      return
    }
  }

  @Test func anInputHasTheLivePhotoThatAnEditStartsFrom() async throws {
    let library = try await library()
    let live = try asset("IMG_1.JPG", of: library)
    let input = try await live.contentEditingInput()
    #expect(input.playbackStyle == .livePhoto)
    #expect(input.livePhoto?.imagePath == live.path)
    #expect(try await asset("IMG_2.JPG", of: library).contentEditingInput().livePhoto == nil)
  }

  @Test func twoFilesAreALivePhotoWhenTheyBelongTogether() async throws {
    _ = try await library()
    let (still, video) = (tree.photos.appending("IMG_1.JPG"), tree.photos.appending("IMG_1.MOV"))
    let live = try LivePhoto(resourcePaths: [video, still])
    #expect(live.imagePath == still && live.video.path == video)
    let other = tree.put(movie("another"), "other.mov")
    for paths in [[still, other], [still], [video], [], [video, other], [still, video, other]] {
      #expect(throws: EditError.self) { try LivePhoto(resourcePaths: paths) }
    }
    var inner = SampleMovie()
    inner.isQuickTime = false
    let motion = tree.put(
      SampleMovie.motionPhoto(
        [UInt8](try Data(contentsOf: Fixture.url("beach.jpg"))), video: inner.bytes), "PXL_1.jpg")
    let found = try LivePhoto(resourcePaths: [motion])
    #expect(found.video.kind == .motion && found.video.path == motion)
  }
}
