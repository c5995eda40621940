import SafelightAdjustments
import SafelightFilters
import Testing

@testable import SafelightRendering

@Suite struct ContactSheetTests {
  private static func edits() throws -> [(label: String, edit: EditStack)] {
    [(label: "Original", edit: EditStack())]
      + (try ShippedFilters.all.map { ($0.name, try EditStack([$0.applied()])) })
  }

  private static func sheet(
    _ photo: borrowing OpenFixture, _ edits: [(label: String, edit: EditStack)],
    columns: Int? = nil, longestSide: Int? = nil
  ) throws -> DrawnPicture {
    let source = photo.source()
    return try DrawnPicture(longestSide: longestSide) { output, sink in
      try Renderer().contactSheet(
        of: source, with: edits, columns: columns, as: output, derivedFrom: .test, to: sink)
    }
  }

  @Test(arguments: ["beach.jpg", "orientation/8.jpg"])
  func eachThumbnailIsThePreviewOfItsEdit(fixture: String) throws {
    let photo = OpenFixture(fixture)
    let edits = try Self.edits()
    let sheet = try Self.sheet(photo, edits, longestSide: 120)
    let first = try photo.pixels(longestSide: 120).image
    let layout = ContactSheetLayout(
      count: edits.count, thumbnail: PixelSize(width: first.width, height: first.height),
      columns: nil, longestSide: 120, isLabeled: Lettering.hasFont)
    #expect((sheet.width, sheet.height) == (layout.width, layout.height))
    for (index, edit) in edits.enumerated() {
      let place = layout.picture(index).middle(width: first.width, height: first.height)
      #expect(
        sheet.hasCodes(
          try photo.pixels(edit.edit, longestSide: 120).codes, of: place, in: place),
        "\(edit.label) differs from its preview.")
      #expect(sheet.hasInk(layout.label(index)) == Lettering.hasFont)
    }
  }

  @Test func editsMayCropAndTurn() throws {
    var rotate = Rotate()
    rotate.amount = .right
    var crop = Crop()
    crop.height = 0.5
    let photo = OpenFixture("beach.jpg")
    let edits = [
      (label: "Original", edit: EditStack()), (label: "turned", edit: try EditStack([rotate])),
      (label: "cropped", edit: try EditStack([crop])),
    ]
    let sheet = try Self.sheet(photo, edits, columns: 3, longestSide: 100)
    let turned = try photo.pixels(EditStack([rotate]), longestSide: 100)
    let layout = ContactSheetLayout(
      count: 3, thumbnail: PixelSize(width: 100, height: turned.image.height), columns: 3,
      longestSide: 100, isLabeled: Lettering.hasFont)
    let place = layout.picture(1).middle(
      width: turned.image.width, height: turned.image.height)
    #expect(sheet.hasCodes(turned.codes, of: place, in: place))
  }

  @Test(arguments: ["cmyk.jpg", "alpha-16.png", "gradients/grey.jpg", "profiles/p3.jpg"])
  func everyPhotoHasASheet(fixture: String) throws {
    let sheet = try Self.sheet(OpenFixture(fixture), Array(Self.edits().prefix(4)))
    #expect(sheet.report.pixelWidth == sheet.width && sheet.report.pixelHeight == sheet.height)
  }

  @Test func aSheetOfNothingIsRefused() throws {
    #expect(throws: RenderError.cannotEncode(detail: "a contact sheet needs a thumbnail")) {
      try Self.sheet(OpenFixture("beach.jpg"), [])
    }
  }

  @Test func aSheetTooLargeForItsFormatIsRefused() throws {
    let edits = try Self.edits()
    let photo = OpenFixture("beach.jpg")
    #expect(throws: RenderError.self) {
      try Renderer().contactSheet(
        of: photo.source(), with: Array(repeating: edits, count: 30).flatMap(\.self), columns: 510,
        as: RenderOutput(format: .webp, longestSide: 40), derivedFrom: .test, to: { _ in })
    }
  }
}

@Suite struct ContactSheetLayoutTests {
  private static func layout(
    _ count: Int, _ thumbnail: (Int, Int) = (360, 240), columns: Int? = nil
  ) -> ContactSheetLayout {
    ContactSheetLayout(
      count: count, thumbnail: PixelSize(width: thumbnail.0, height: thumbnail.1),
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
