import Testing

@testable import SafelightRendering

@Suite struct ComparisonLayoutTests {
  private static let photos = [
    PixelDimensions(width: 6000, height: 4000), PixelDimensions(width: 4000, height: 6000),
    PixelDimensions(width: 4000, height: 4000), PixelDimensions(width: 12_000, height: 900),
    PixelDimensions(width: 300, height: 9000), PixelDimensions(width: 640, height: 480),
    PixelDimensions(width: 1, height: 1), PixelDimensions(width: 5000, height: 1),
  ]

  private static func layout(
    _ before: PixelDimensions, _ after: PixelDimensions? = nil,
    _ arrangement: ComparisonArrangement = .automatic, longestSide: Int = 2400,
    isLabeled: Bool = true
  ) -> ComparisonLayout {
    ComparisonLayout(
      arrangement, before: before, after: after ?? before, longestSide: longestSide,
      isLabeled: isLabeled)
  }

  @Test(arguments: [
    (3, 2, false), (2, 3, false), (4, 3, false), (1, 1, false), (16, 9, true), (5, 1, true),
    (1, 5, false),
  ])
  func wideOnesLieAboveEachOtherAndOthersSideBySide(width: Int, height: Int, isStacked: Bool) {
    let layout = Self.layout(PixelDimensions(width: width * 600, height: height * 600))
    #expect((layout.after.picture.top > layout.before.picture.top) == isStacked)
    #expect((layout.after.picture.left > layout.before.picture.left) == !isStacked)
  }

  @Test(arguments: photos, [200, 1000, 2400, 16_383])
  func everythingLiesApartWithinTheLongestSide(photo: PixelDimensions, longestSide: Int) {
    for isLabeled in [true, false] {
      let layout = Self.layout(photo, longestSide: longestSide, isLabeled: isLabeled)
      #expect(max(layout.width, layout.height) <= longestSide)
      let frames = [
        layout.before.picture, layout.before.label, layout.after.picture, layout.after.label,
      ]
      for (index, frame) in frames.enumerated() {
        #expect(frame.left >= 0 && frame.right <= layout.width)
        #expect(frame.top >= 0 && frame.bottom <= layout.height)
        #expect(frames[(index + 1)...].allSatisfy { !frame.overlaps($0) })
      }
    }
  }

  @Test(arguments: photos)
  func picturesKeepTheirShapeAndAreNotEnlarged(photo: PixelDimensions) {
    let size = Self.layout(photo).after.size
    #expect(size.width <= photo.width && size.height <= photo.height)
    // Each side is rounded to whole pixels.
    let scale = Double(size.longestSide) / Double(photo.longestSide)
    #expect(abs(Double(size.width) - max(Double(photo.width) * scale, 1)) <= 0.51)
    #expect(abs(Double(size.height) - max(Double(photo.height) * scale, 1)) <= 0.51)
  }

  @Test func theLongestSideIsUsed() {
    let layout = Self.layout(PixelDimensions(width: 6000, height: 4000))
    #expect((2398...2400).contains(layout.width))
  }

  @Test func aCroppedPhotoIsAsHighAsTheWholeOriginal() {
    let layout = Self.layout(
      PixelDimensions(width: 6000, height: 4000), PixelDimensions(width: 3000, height: 3000))
    #expect(layout.before.size.height == layout.after.size.height)
    #expect(layout.before.size.width > layout.after.size.width)
    #expect(layout.before.picture.width == layout.before.size.width)
  }

  @Test func arrangementsCanBeChosen() {
    let photo = PixelDimensions(width: 4000, height: 3000)
    let beside = Self.layout(photo, nil, .sideBySide)
    let above = Self.layout(photo, nil, .stacked)
    #expect(beside.width > beside.height && above.width < above.height)
  }

  @Test(arguments: photos, [200, 2400])
  func aSplitPictureHasBothLabelsBelow(photo: PixelDimensions, longestSide: Int) {
    let layout = ComparisonLayout(splitting: photo, longestSide: longestSide, isLabeled: true)
    #expect(max(layout.width, layout.height) <= longestSide)
    #expect(layout.before.picture == layout.after.picture)
    #expect(layout.before.label.right < layout.after.label.left)
    #expect(layout.before.label.top == layout.before.picture.bottom)
    #expect(layout.after.label.right <= layout.width && layout.after.label.bottom <= layout.height)
  }

  @Test func aSplitPictureWithoutLabelsIsThePictureAlone() {
    let layout = ComparisonLayout(
      splitting: PixelDimensions(width: 6000, height: 4000), longestSide: 1200, isLabeled: false)
    #expect((layout.width, layout.height) == (1200, 800))
  }
}

extension PictureFrame {
  /// Whether two frames have a pixel in common.
  func overlaps(_ other: PictureFrame) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }
}
