import SafelightAdjustments
import Testing

@testable import SafelightRendering

@Suite struct ComparisonTests {
  /// A size of an upright fixture with an edit.
  private static func size(_ photo: borrowing OpenFixture, _ edit: EditStack = EditStack()) throws
    -> PixelSize
  {
    try Renderer().open(photo.source()).size(with: edit)
  }

  /// Where a picture lies in a panel.
  private static func place(_ panel: ComparisonLayout.Panel) -> PictureFrame {
    panel.picture.middle(width: panel.size.width, height: panel.size.height)
  }

  @Test(
    arguments: ["beach.jpg", "orientation/6.jpg", "profiles/p3.jpg", "gradients/chart.png"],
    [nil, 300])
  func itsHalvesAreThePreviewsOfOriginalAndEdit(fixture: String, longestSide: Int?) throws {
    let photo = OpenFixture(fixture)
    let edit = try EditStack.saturation(-50)
    let size = try Self.size(photo)
    let layout = ComparisonLayout(
      .automatic, before: size, after: size, longestSide: longestSide ?? 16_383,
      isLabeled: Lettering.hasFont)
    let picture = try photo.comparison(edit, longestSide: longestSide)
    #expect((picture.width, picture.height) == (layout.width, layout.height))
    let side = layout.before.size.longestSide
    let (before, after) = (Self.place(layout.before), Self.place(layout.after))
    #expect(
      picture.hasCodes(try photo.pixels(longestSide: side).codes, of: before, in: before))
    #expect(
      picture.hasCodes(try photo.pixels(edit, longestSide: side).codes, of: after, in: after))
    #expect(picture.profile == OpenFixture(fixture).profile)
  }

  @Test(.enabled(if: Lettering.hasFont, "There is no font."), arguments: [300, 1200])
  func itIsLabeled(longestSide: Int) throws {
    let photo = OpenFixture("beach.jpg")
    let size = try Self.size(photo)
    let layout = ComparisonLayout(
      .automatic, before: size, after: size, longestSide: longestSide, isLabeled: true)
    let picture = try photo.comparison(EditStack.saturation(10), longestSide: longestSide)
    #expect(picture.hasInk(layout.before.label) && picture.hasInk(layout.after.label))
    let other = try photo.comparison(
      EditStack.saturation(10), longestSide: longestSide, label: "other")
    let (before, after) = (layout.before.label, layout.after.label)
    #expect(picture.hasCodes(other.codes(before), of: before, in: before))
    #expect(!picture.hasCodes(other.codes(after), of: after, in: after))
  }

  @Test(arguments: [0, 0.3, 0.5, 1])
  func splitTheHalvesShowTheSamePart(share: Double) throws {
    let photo = OpenFixture("beach.jpg")
    var crop = Crop()
    (crop.x, crop.width) = (0.25, 0.5)
    var desaturated = Saturation()
    desaturated.amount = -100
    let edit = try EditStack([desaturated, crop])
    let picture = try photo.comparison(edit, .split(at: share), longestSide: 400)
    let layout = ComparisonLayout(
      splitting: try Self.size(photo, edit), longestSide: 400, isLabeled: Lettering.hasFont)
    let side = layout.after.size.longestSide
    let before = try photo.pixels(EditStack([crop]), longestSide: side)
    let after = try photo.pixels(edit, longestSide: side)
    let whole = layout.before.picture.middle(
      width: after.image.width, height: after.image.height)
    let column = Int((Double(whole.width) * share).rounded())
    // The line between the halves takes a column of each, and one more.
    let left = whole.columns(0..<max(column - 2, 0))
    let right = whole.columns(min(column + 2, whole.width)..<whole.width)
    #expect(picture.hasCodes(before.codes, of: whole, in: left))
    #expect(picture.hasCodes(after.codes, of: whole, in: right))
    #expect(left.width + right.width > whole.width - 5)
  }

  @Test func picturesOfTwoShapesAreNotSplit() throws {
    let one = OpenFixture("beach.jpg")
    let other = OpenFixture("orientation/6.jpg")
    let (first, second) = (one.source(), other.source())
    let picture = try DrawnPicture(longestSide: 600) { output, sink in
      try Renderer().comparison(
        of: LabeledEdit(first, edit: EditStack(), label: "Original"),
        and: LabeledEdit(second, edit: EditStack(), label: "com.example.a"),
        .split(at: 0.5), as: output, derivedFrom: .test, to: sink)
    }
    #expect(picture.report.warnings.contains(.shapesDiffer))
    #expect(picture.width > picture.height)
  }

  @Test func twoProfilesMeetInSRGB() throws {
    let wide = OpenFixture("profiles/p3.jpg")
    let plain = OpenFixture("orientation/1.jpg")
    let (first, second) = (wide.source(), plain.source())
    let picture = try DrawnPicture(longestSide: nil) { output, sink in
      try Renderer().comparison(
        of: LabeledEdit(first, edit: EditStack(), label: "Original"),
        and: LabeledEdit(second, edit: EditStack(), label: "com.example.a"), .automatic,
        as: output, derivedFrom: .test, to: sink)
    }
    #expect(picture.profile == StandardProfile.sRGB.bytes)
  }

  @Test(arguments: [
    ("cmyk.jpg", RenderWarning.convertedToSRGB(from: "CMYK")), ("alpha.png", .alphaFlattened),
    ("profiles/grey-profile.jpg", .convertedToSRGB(from: "a gray profile")),
  ])
  func whatCannotBeKeptIsSaidOnce(fixture: String, warning: RenderWarning) throws {
    let report = try OpenFixture(fixture).comparison(EditStack.saturation(-50)).report
    #expect(report.warnings.filter { $0 == warning }.count == 1)
  }

  @Test(arguments: [
    "beach.jpg", "gradients/grey.jpg", "sixteen-bit.png", "photo.heic", "lossless-alpha.webp",
  ])
  func everyPhotoCanBeComparedBothWays(fixture: String) throws {
    for arrangement in [ComparisonArrangement.automatic, .split(at: 0.5)] {
      let picture = try OpenFixture(fixture).comparison(
        EditStack.saturation(-100), arrangement, longestSide: 400)
      #expect(max(picture.width, picture.height) <= 400)
      #expect(picture.report.pixelWidth == picture.width)
    }
  }
}

extension OpenFixture {
  /// The profile of the fixture's renders.
  var profile: [UInt8]? {
    guard let opened = try? OpenedPhoto(source()) else { return nil }
    return try? DecodedPhoto(opened, for: DecodedPhoto.Purpose()).outputProfile
  }
}

@Suite struct ComparisonLayoutTests {
  private static let photos = [
    PixelSize(width: 6000, height: 4000), PixelSize(width: 4000, height: 6000),
    PixelSize(width: 4000, height: 4000), PixelSize(width: 12_000, height: 900),
    PixelSize(width: 300, height: 9000), PixelSize(width: 640, height: 480),
    PixelSize(width: 1, height: 1), PixelSize(width: 5000, height: 1),
  ]

  private static func layout(
    _ before: PixelSize, _ after: PixelSize? = nil,
    arrangement: ComparisonArrangement = .automatic, longestSide: Int = 2400,
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
    let layout = Self.layout(PixelSize(width: width * 600, height: height * 600))
    #expect((layout.after.picture.top > layout.before.picture.top) == isStacked)
    #expect((layout.after.picture.left > layout.before.picture.left) == !isStacked)
  }

  @Test(arguments: photos, [200, 1000, 2400, 16_383])
  func everythingLiesApartWithinTheLongestSide(photo: PixelSize, longestSide: Int) {
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
  func picturesKeepTheirShapeAndAreNotEnlarged(photo: PixelSize) {
    let size = Self.layout(photo).after.size
    #expect(size.width <= photo.width && size.height <= photo.height)
    // Each side is rounded to whole pixels.
    let scale = Double(size.longestSide) / Double(photo.longestSide)
    #expect(abs(Double(size.width) - max(Double(photo.width) * scale, 1)) <= 0.51)
    #expect(abs(Double(size.height) - max(Double(photo.height) * scale, 1)) <= 0.51)
  }

  @Test func theLongestSideIsUsed() {
    let layout = Self.layout(PixelSize(width: 6000, height: 4000))
    #expect((2398...2400).contains(layout.width))
  }

  @Test func aCroppedPhotoIsAsHighAsTheWholeOriginal() {
    let layout = Self.layout(
      PixelSize(width: 6000, height: 4000), PixelSize(width: 3000, height: 3000))
    #expect(layout.before.size.height == layout.after.size.height)
    #expect(layout.before.size.width > layout.after.size.width)
    #expect(layout.before.picture.width == layout.before.size.width)
  }

  @Test func arrangementsCanBeChosen() {
    let photo = PixelSize(width: 4000, height: 3000)
    let beside = Self.layout(photo, arrangement: .sideBySide)
    let above = Self.layout(photo, arrangement: .stacked)
    #expect(beside.width > beside.height && above.width < above.height)
  }

  @Test(arguments: photos, [200, 2400])
  func aSplitPictureHasBothLabelsBelow(photo: PixelSize, longestSide: Int) {
    let layout = ComparisonLayout(splitting: photo, longestSide: longestSide, isLabeled: true)
    #expect(max(layout.width, layout.height) <= longestSide)
    #expect(layout.before.picture == layout.after.picture)
    #expect(layout.before.label.right < layout.after.label.left)
    #expect(layout.before.label.top == layout.before.picture.bottom)
    #expect(layout.after.label.right <= layout.width && layout.after.label.bottom <= layout.height)
  }

  @Test func aSplitPictureWithoutLabelsIsThePictureAlone() {
    let layout = ComparisonLayout(
      splitting: PixelSize(width: 6000, height: 4000), longestSide: 1200, isLabeled: false)
    #expect((layout.width, layout.height) == (1200, 800))
  }
}

extension PictureFrame {
  /// Whether two frames have a pixel in common.
  func overlaps(_ other: PictureFrame) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }
}
