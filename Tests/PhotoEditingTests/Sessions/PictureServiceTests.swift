import SafelightStorage
import SafelightTestSupport
import Testing

@testable import PhotoEditing
@testable import SafelightFiles

/// What pictures are kept, and which of them wins.
@Suite struct PictureServiceTests {
  @Test func theLeastRecentlyUsedGo() {
    var kept = RecentlyUsed<Int, [UInt8]>(limit: 8)
    for number in 0..<4 { kept.insert([0, 0], bytes: 2, for: number) }
    #expect(kept.value(0) != nil)
    kept.insert([0, 0], bytes: 2, for: 4)
    #expect(kept.value(0) != nil, "It was used last but one.")
    #expect(kept.value(1) == nil)
    #expect(kept.bytes == 8)
    kept.insert([0], bytes: 1, for: 0)
    #expect(kept.bytes == 7)
    kept.limit = 3
    #expect(kept.value(4) != nil && kept.value(0) != nil && kept.bytes == 3)
  }

  @Test func largePicturesAreNotKept() throws {
    let folder = TemporaryFolder()
    let service = PictureService(PictureDisk(in: folder.path))
    var request = PictureRequest()
    request.look = .jpeg(quality: 90)
    service.keep([UInt8](repeating: 1, count: PictureService.largestKept + 1), request, as: "a")
    #expect(service.kept(request, as: "a") == nil && service.memoryUse == 0)
    service.keep([1, 2], request, as: "a")
    #expect(service.kept(request, as: "a") == [1, 2])
    #expect(service.kept(request, as: "b") == nil)
    request.look = .jpeg(quality: 89)
    #expect(service.kept(request, as: "a") == nil)
  }

  /// All that decides the bytes is in the words by which they are kept.
  @Test func everyPictureHasItsOwnWords() throws {
    let part = NormalizedRect(x: 0, y: 0, width: 0.5, height: 1)
    var requests: [PictureRequest] = []
    for state in [
      .present, .original, .filter(try Filter.named("noir"), intensity: 1),
      .filter(try Filter.named("noir"), intensity: 0.5),
      .filter(try Filter.named("sepia"), intensity: 1),
    ] as [PictureRequest.State] {
      for fit in [
        PictureFit(), PictureFit(longestSide: 100), PictureFit(longestSide: 100, part: part),
        PictureFit(longestSide: 100, part: part, .exact), PictureFit(longestSide: nil, part: part),
      ] {
        for quality in [80, 90] {
          var request = PictureRequest(state)
          (request.fit, request.look) = (fit, .jpeg(quality: quality))
          requests.append(request)
        }
      }
    }
    #expect(Set(requests.map(\.text)).count == requests.count)
  }

  /// A part that is met exactly has as many pixels as its share of the whole.
  @Test(
    arguments: [
      (nil, 6000, 4000, 1500, 2000), (3000, 6000, 4000, 750, 1000), (9000, 600, 400, 150, 200),
    ] as [(Int?, Int, Int, Int, Int)])
  func aPartHasItsShareOfPixels(side: Int?, width: Int, height: Int, wide: Int, high: Int) {
    let part = NormalizedRect(x: 0.5, y: 0.5, width: 0.25, height: 0.5)
    let photo = PixelSize(width: width, height: height)
    let exact = PictureFit(longestSide: side, part: part, .exact).layout(of: photo)
    #expect(exact.size == PixelSize(width: wide, height: high))
    let close = PictureFit(longestSide: side, part: part).layout(of: photo)
    #expect(close.size == nil)
    #expect(close.longestSide == side.flatMap { $0 < max(width, height) ? $0 : nil })
  }
}
