import SafelightAdjustments
import Testing

@testable import SafelightRendering

@Suite struct HistogramTests {
  /// A histogram of single pixels.
  private static func counted(_ pixels: [UInt8]...) -> PhotoHistogram {
    var counts = PhotoHistogram.Counts()
    for pixel in pixels { counts.add(pixel, count: 1) }
    return PhotoHistogram(counts)
  }

  @Test func everyCodeIsCounted() {
    let histogram = Self.counted([10, 20, 30], [10, 0, 255])
    #expect(histogram.pixelCount == 2)
    #expect(histogram.counts(.red)[10] == 2)
    #expect(histogram.counts(.green)[20] == 1 && histogram.counts(.green)[0] == 1)
    #expect(histogram.mean(.blue) == 142.5)
    #expect(histogram.clippedShadows == 0.5 && histogram.clippedHighlights == 0.5)
    #expect(histogram.share(of: 255, .blue) == 0.5)
  }

  @Test(
    arguments: [
      ([255, 0, 0], 54), ([0, 255, 0], 182), ([0, 0, 255], 18), ([255, 255, 255], 255),
      ([100, 100, 100], 100),
    ] as [([UInt8], Int)])
  func lumaIsWeighted(pixel: [UInt8], luma: Int) {
    #expect(Self.counted(pixel).counts(.luma)[luma] == 1)
  }

  @Test(arguments: [(0, 10), (0.25, 10), (0.5, 10), (0.51, 20), (0.75, 20), (0.76, 30), (1, 30)])
  func percentilesAreCodesThatOccur(share: Double, code: Int) {
    let pixels = ([10, 10, 20, 30] as [UInt8]).map { [$0, $0, $0] }
    let histogram = Self.counted(pixels[0], pixels[1], pixels[2], pixels[3])
    #expect(histogram.percentile(share, .luma) == code)
  }

  @Test(arguments: ["gradients/chart.png", "orientation/6.jpg", "profiles/p3.jpg", "alpha.png"])
  func itCountsTheRenderedCodes(fixture: String) throws {
    let photo = OpenFixture(fixture)
    // An edited PNG keeps its transparency; what is counted lies on white.
    let stack = fixture == "alpha.png" ? EditStack() : try EditStack.saturation(-40)
    let codes = try photo.pixels(stack).codes
    let histogram = try Renderer().histogram(of: photo.source(), edit: stack)
    #expect(histogram.pixelCount * 3 == codes.count)
    let reds = stride(from: 0, to: codes.count, by: 3).map { codes[$0] }
    let expected = (0..<256).map { code in reds.count { $0 == code } }
    #expect(histogram.counts(.red) == expected)
  }

  @Test func aGrayPhotoCountsForEveryColor() throws {
    let photo = OpenFixture("gradients/grey.jpg")
    let histogram = try Renderer().histogram(of: photo.source(), edit: EditStack())
    #expect(histogram.counts(.red) == histogram.counts(.blue))
    #expect(histogram.counts(.red) == histogram.counts(.luma))
  }

  @Test(arguments: [true, false])
  func drawingShowsClippingAtTheEnd(isClipped: Bool) throws {
    let histogram = Self.counted(isClipped ? [255, 255, 255] : [250, 250, 250])
    let canvas = try HistogramDrawing(histogram, before: nil).canvas
    // The middle of the last code's columns, halfway up.
    let index = (256 * canvas.width + canvas.width - 32 - 3) * 3
    #expect((canvas.pixels[index] > 100) == isClipped)
  }

  @Test(arguments: [(0, "0.0 %"), (0.0004, "under 0.1 %"), (0.0251, "2.5 %"), (1, "100.0 %")])
  func sharesAreInPercent(share: Double, text: String) {
    #expect(PhotoHistogram.Share(share).description == text)
  }
}
