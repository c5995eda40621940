import Foundation
import SafelightFormats
import SafelightTestSupport
import Testing

@testable import SafelightMetadata

@Suite struct ContainedVideoTests {
  private let still = try! [UInt8](Data(contentsOf: Fixture.url("beach.jpg")))
  private let video: [UInt8] = {
    var movie = SampleMovie()
    movie.isQuickTime = false
    return movie.bytes
  }()

  private func find(_ file: [UInt8]) -> ContainedVideo? {
    ContainedVideo(in: PhotoBytes(Data(file)))
  }

  @Test(arguments: [0, 37])
  func theContainerSaysWhereItIs(padding: Int) throws {
    let file = SampleMovie.motionPhoto(still, video: video, padding: padding)
    let found = try #require(find(file))
    #expect(found.movie.range == file.count - video.count..<file.count)
    #expect(found.stillImageTime == 0.8)
    #expect(PhotoHeader(PhotoBytes(Data(file)))?.signs.contains(.motionPhoto) == true)
  }

  /// A length that is wrong is no place; the video is found behind the picture.
  @Test func wrongLengthsAreNotFollowed() throws {
    for length in [video.count + 100_000, video.count - 8, 0, -5] {
      let file = SampleMovie.motionPhoto(still, video: video, length: length)
      #expect(try #require(find(file)).movie.range == file.count - video.count..<file.count)
    }
    #expect(find(SampleMovie.motionPhoto(still, video: Array(video.dropLast(9)))) == nil)
  }

  @Test func aVideoNeedsNoMetadata() throws {
    let file = still + video
    let found = try #require(find(file))
    #expect(found.movie.range == still.count..<file.count && found.stillImageTime == nil)
    #expect(find(still) == nil)
  }

  @Test func samsungsTrailerSaysWhereItIs() throws {
    func little(_ number: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    let kind: [UInt8] = [0, 0, 0x30, 0x0A]
    let block = [kind, little(16), Array("MotionPhoto_Data".utf8), video].flatMap { $0 }
    let directory = [
      Array("SEFH".utf8), little(107), little(1), kind, little(block.count), little(block.count),
    ].flatMap { $0 }
    let file = [still, block, directory, little(directory.count), Array("SEFT".utf8)]
      .flatMap { $0 }
    let found = try #require(find(file))
    #expect(found.movie.range == still.count + 24..<still.count + 24 + video.count)
    #expect(PhotoHeader(PhotoBytes(Data(file)))?.signs.contains(.motionPhoto) == true)
  }

  @Test func boxesOfHEIFHaveIt() throws {
    let photo = try [UInt8](Data(contentsOf: Fixture.url("photo.heic")))
    let file = photo + box("mpvd", video) + box("sefd", [1, 2, 3])
    let start = photo.count + 8
    #expect(try #require(find(file)).movie.range == start..<start + video.count)
    #expect(find(photo) == nil)
  }

  @Test func stillsOfLivePhotosNameTheirVideo() {
    let file = SampleMovie.still(still, identifier: "A1B2")
    #expect(PhotoHeader(PhotoBytes(Data(file)))?.contentIdentifier == "A1B2")
    #expect(PhotoHeader(PhotoBytes(Data(still)))?.contentIdentifier == nil)
  }

  /// One UI 6 writes a box in the box: the length in the packet counts a trailer too.
  @Test(.enabled(if: SharedData.isThere, SharedData.absence))
  func samsungsHEICIsRead() throws {
    let file = PhotoBytes(try SharedData.data("motion/samsung-one-ui-6.heic"))
    let found = try #require(ContainedVideo(in: file))
    #expect(found.movie.range == 452_284..<3_678_753 && found.stillImageTime == 3)
  }
}
