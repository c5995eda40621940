import SafelightAdjustments
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering

@Suite struct CropTests {
  @Test(arguments: ["beach.jpg", "rgb.tif", "lossy.webp", "photo.heic", "progressive.jpg"])
  func whatStaysIsExact(name: String) throws {
    let fixture = OpenFixture(name)
    let whole = try fixture.raster()
    let (wide, high) = (Double(whole.width), Double(whole.height))
    let crop = Crop(7 / wide, 11 / high, 31 / wide, 23 / high)
    #expect(try fixture.raster(crop) == whole.part(7, 11, 31, 23))
    let bottom = Crop(0, 0.5, 1, 0.5)
    let top = Int((0.5 * high).rounded())
    #expect(try fixture.raster(bottom) == whole.part(0, top, whole.width, whole.height - top))
  }

  /// Edges are rounded one by one, as the table says, and nothing is ever empty.
  @Test(arguments: [
    (Crop(0.3, 0.3, 0.4, 0.4), [29, 19, 38, 26]), (Crop(0.5, 0.5, 1, 1), [48, 32, 48, 32]),
    (Crop(0, 0, 0, 0), [0, 0, 1, 1]), (Crop(1, 1, 0, 0), [95, 63, 1, 1]),
    (Crop(0.999, 0, 0.001, 1), [95, 0, 1, 64]), (Crop(0.1, 0, 0.005, 1), [10, 0, 1, 64]),
  ])
  func edgesAreRoundedToPixels(crop: Crop, expected: [Int]) throws {
    let context = StepContext(width: 96, height: 64, scale: 1)
    let transform = try #require(crop.transform(in: context))
    let shift = try #require(transform.shift)
    #expect([shift.left, shift.top, transform.width, transform.height] == expected)
  }

  @Test func theWholePictureIsNoCrop() {
    let context = StepContext(width: 96, height: 64, scale: 1)
    #expect(Crop().transform(in: context) == nil)
    #expect(Crop(0, 0, 0.999, 0.999).transform(in: context) == nil)
  }

  /// A vignette lies around the middle of what is left, and adjustments before the crop do not see
  /// it.
  @Test func aVignetteFollowsTheCrop() throws {
    let fixture = OpenFixture("gradients/chart.png")
    var vignette = Vignette()
    vignette.amount = -80
    let crop = Crop(0.5, 0, 0.5, 1)
    let both = try fixture.raster(vignette, crop)
    let alone = try fixture.raster(vignette)
    #expect(both != alone.part(alone.width - both.width, 0, both.width, both.height))
    let cropped = try fixture.raster(crop)
    let middle = (both.width / 2, both.height / 2)
    #expect(zip(both.pixel(middle), cropped.pixel(middle)).allSatisfy { abs($0 - $1) <= 1 })
  }

  @Test(arguments: [RenderOutput.Format.tiff, .webp, .jpeg])
  func allFormatsShowTheSamePart(format: RenderOutput.Format) throws {
    let fixture = OpenFixture("beach.jpg")
    let stack = try EditStack([Crop(0.2, 0.3, 0.5, 0.4), EditStack.vivid])
    let expected = try fixture.pixels(stack)
    let rendered = try fixture.render(stack, as: format, quality: 100)
    let codes = try decoded(rendered.bytes, as: format)
    #expect(codes.count == expected.codes.count)
    let apart = zip(codes, expected.codes).map { abs($0 - $1) }
    let limit = format == .jpeg ? 6 : 0
    #expect(apart.max()! <= limit)
  }

  private func decoded(_ bytes: [UInt8], as format: RenderOutput.Format) throws -> [Int] {
    let kind: Image.FileFormat = format == .jpeg ? .jpeg : format == .webp ? .webp : .tiff
    return try TemporaryFile.holding(bytes) { file in
      try Image.open(Source(descriptor: file.descriptor), as: kind).pixelBytes().map(Int.init)
    }
  }
}

extension EditStack {
  fileprivate static var vivid: Saturation {
    var saturation = Saturation()
    saturation.amount = 30
    return saturation
  }
}
