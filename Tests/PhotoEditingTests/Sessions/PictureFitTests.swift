import PhotoEditing
import Testing

@testable import SafelightFiles

@Suite struct PictureFitTests {
  private func layout(
    _ exactness: PictureFit.Exactness, _ target: (Int, Int)?, fills: Bool = false,
    crop: NormalizedRect = .whole, of size: (Int, Int) = (6000, 4000)
  ) -> (longestSide: Int?, part: [Double], size: [Int]?) {
    var fit = PictureFit()
    fit.target = target.map { PixelSize(width: $0.0, height: $0.1) }
    fit.fills = fills
    fit.exactness = exactness
    fit.crop = crop
    let layout = fit.layout(of: PixelSize(width: size.0, height: size.1))
    let part = layout.part
    return (
      layout.longestSide,
      [part.left, part.top, part.width, part.height].map { ($0 * 1e6).rounded() / 1e6 },
      layout.size.map { [$0.width, $0.height] }
    )
  }

  @Test(arguments: [
    (200, 200, false, 200), (200, 200, true, 300), (400, 100, false, 150), (400, 100, true, 400),
    (6000, 4000, false, nil), (9000, 9000, false, nil), (5999, 5999, false, 5999),
  ])
  func aPictureIsMadeAsLargeAsAskedFor(width: Int, height: Int, fills: Bool, longest: Int?) {
    #expect(layout(.close, (width, height), fills: fills).longestSide == longest)
    #expect(layout(.close, (width, height), fills: fills).size == nil)
  }

  @Test(arguments: [
    (200, 750), (750, 750), (751, 1500), (1500, 1500), (1501, 3000), (3001, nil), (9000, nil),
  ])
  func withoutResizingAPictureIsAPowerOfTwoSmaller(target: Int, longest: Int?) {
    #expect(layout(.powersOfTwo, (target, target)).longestSide == longest)
  }

  @Test func anExactPictureThatFitsHasTheSizeAlongOneSide() {
    #expect(layout(.exact, (200, 200)).size == [200, 133])
    #expect(layout(.exact, (200, 200), of: (4000, 6000)).size == [133, 200])
    #expect(layout(.exact, (200, 200), of: (30, 20)).size == [200, 133])
    #expect(layout(.exact, (10, 10), of: (9000, 3)).size == [10, 1])
  }

  @Test func anExactPictureThatFillsLosesTheSameOnBothSides() {
    let square = layout(.exact, (200, 200), fills: true)
    #expect(square.longestSide == 300 && square.size == [200, 200])
    #expect(square.part == [0.166667, 0, 0.666667, 1])
    let wide = layout(.exact, (300, 100), fills: true)
    #expect(wide.part == [0, 0.25, 1, 0.5] && wide.size == [300, 100])
  }

  @Test func aCropIsBroughtToTheSize() {
    let quarter = NormalizedRect(x: 0.5, y: 0.5, width: 0.5, height: 0.5)
    let fitted = layout(.exact, (300, 300), crop: quarter)
    #expect(fitted.part == [0.5, 0.5, 0.5, 0.5])
    #expect(fitted.longestSide == 600 && fitted.size == [300, 200])
    let filled = layout(.exact, (200, 200), fills: true, crop: quarter)
    #expect(filled.part == [0.583333, 0.5, 0.333333, 0.5] && filled.longestSide == 600)
  }

  @Test func aCropIsKeptAtFullSize() {
    let half = NormalizedRect(x: 0, y: 0, width: 0.5, height: 1)
    #expect(layout(.exact, nil, crop: half) == (nil, [0, 0, 0.5, 1], nil))
  }

  @Test func whatLiesOutsideOfThePictureIsCutOff() {
    let rect = NormalizedRect(x: -0.5, y: 0.75, width: 1, height: 1)
    #expect(rect == NormalizedRect(x: 0, y: 0.75, width: 0.5, height: 0.25))
  }

  @Test(arguments: [
    (160, 120, 200, true), (160, 120, 320, true), (160, 120, 321, false), (160, 120, 80, true),
  ])
  func aThumbnailServesUpToTwiceItsSize(width: Int, height: Int, target: Int, serves: Bool) {
    var fit = PictureFit()
    fit.target = PixelSize(width: target, height: target)
    #expect(fit.isServed(byWidth: width, height: height) == serves)
  }
}
