import SafelightAdjustments
import Testing

@testable import SafelightRendering

@Suite struct ComparisonTests {
  /// A size of an upright fixture with an edit.
  private static func size(_ photo: borrowing OpenFixture, _ edit: EditStack = EditStack()) throws
    -> PixelDimensions
  {
    let size = try Renderer().size(of: photo.source(), edit: edit)
    return PixelDimensions(width: size.width, height: size.height)
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
