import Testing

@testable import SafelightRendering

@Suite struct ContactSheetLayoutTests {
  private static func layout(
    _ count: Int, _ thumbnail: (Int, Int) = (360, 240), columns: Int? = nil
  ) -> ContactSheetLayout {
    ContactSheetLayout(
      count: count, thumbnail: PixelDimensions(width: thumbnail.0, height: thumbnail.1),
      columns: columns, longestSide: 360, isLabeled: true)
  }

  @Test(arguments: [1, 2, 5, 17, 100], [(360, 240), (240, 360), (360, 20), (20, 360), (1, 1)])
  func thumbnailsAndLabelsLieApartOnTheSheet(count: Int, thumbnail: (Int, Int)) {
    let layout = Self.layout(count, thumbnail)
    let frames = (0..<count).flatMap { [layout.picture($0), layout.label($0)] }
    for (index, frame) in frames.enumerated() {
      #expect(frame.left > 0 && frame.right < layout.width)
      #expect(frame.top > 0 && frame.bottom < layout.height)
      #expect(frames[(index + 1)...].allSatisfy { !frame.overlaps($0) })
    }
    #expect(frames[0].width >= thumbnail.0 && frames[0].height == thumbnail.1)
  }

  @Test(arguments: [(1, 1), (4, 4), (17, 17), (40, 17)])
  func theNumberOfColumnsCanBeChosen(asked: Int, columns: Int) {
    #expect(Self.layout(17, columns: asked).columns == columns)
  }

  @Test(arguments: [(360, 240), (240, 360), (360, 360)])
  func aSheetOfManyIsAboutAsWideAsAPhoto(thumbnail: (Int, Int)) {
    let layout = Self.layout(17, thumbnail)
    #expect((1.0...2.2).contains(Double(layout.width) / Double(layout.height)))
  }

  @Test func labelsFollowTheirThumbnails() {
    let layout = Self.layout(17)
    #expect(layout.label(6).top == layout.picture(6).bottom)
    #expect(layout.label(6).left == layout.picture(6).left)
    #expect(layout.picture(layout.columns).left == layout.picture(0).left)
    #expect(layout.picture(layout.columns).top >= layout.label(0).bottom)
  }
}
