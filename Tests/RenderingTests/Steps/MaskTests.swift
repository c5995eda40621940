import Foundation
import SafelightAdjustments
import SafelightMetadata
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

/// Masks in double precision, from their formulas alone.
private enum ReferenceMask {
  static func fade(_ t: Double) -> Double {
    t <= 0 ? 1 : t >= 1 ? 0 : 1 - 3 * t * t + 2 * t * t * t
  }

  /// - Parameters:
  ///   - x: In pixels.
  ///   - size: The photo.
  static func value(
    _ mask: any MaskRenderable, _ x: Double, _ y: Double, of size: PixelSize
  ) -> Double {
    let (wide, high) = (Double(size.width), Double(size.height))
    switch mask {
    case let line as LinearGradient:
      // In polar form: the way to the place, turned onto the line.
      let (dx, dy) = ((line.endX - line.startX) * wide, (line.endY - line.startY) * high)
      let (px, py) = (x - line.startX * wide, y - line.startY * high)
      return fade(hypot(px, py) * cos(atan2(py, px) - atan2(dy, dx)) / hypot(dx, dy))
    case let ellipse as RadialGradient:
      let distance = hypot(
        (x - ellipse.x * wide) / (ellipse.width * wide),
        (y - ellipse.y * high) / (ellipse.height * high))
      if ellipse.feather == 0 { return distance <= 1 ? 1 : 0 }
      return fade((distance - 1 + ellipse.feather) / ellipse.feather)
    default: return .nan
    }
  }
}

@Suite struct MaskTests {
  private static let line = LinearGradient(from: (0.1, 0.2), to: (0.7, 0.9))
  private static let ellipse = RadialGradient(at: (0.3, 0.6), radii: (0.4, 0.25), feather: 0.6)
  private static let masks: [any MaskRenderable & TurnsWithPhoto] = [
    line, ellipse, LinearGradient(), RadialGradient(),
    RadialGradient(at: (0.5, 0.5), radii: (0.3, 0.3), feather: 0),
  ]
  private static let size = PixelSize(width: 60, height: 40)

  private func layer(
    _ mask: some TurnsWithPhoto, opacity: Double = 0.8, _ adjustments: any Adjustment...
  ) throws -> Layer {
    try Layer(name: "part", opacity: opacity, mask: Mask(mask), adjustments)
  }

  /// Turns contrast and saturation up, pixel by pixel.
  private var bright: [any Adjustment] {
    var (saturation, contrast) = (Saturation(), Contrast())
    (saturation.amount, contrast.amount) = (60, 30)
    return [contrast, saturation]
  }

  @Test(arguments: masks.indices)
  func numbersMatchTheReference(index: Int) {
    let mask = Self.masks[index]
    for row in 0..<40 {
      for column in 0..<60 {
        let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
        let value = mask.value(at: (x / 60, y / 40), aspect: 1.5)
        let expected = ReferenceMask.value(mask, x, y, of: Self.size)
        #expect(abs(value - expected) < 1e-12)
      }
    }
  }

  @Test func aLineWithoutALengthFadesNowhere() {
    let point = LinearGradient(from: (0.5, 0.5), to: (0.5, 0.5))
    #expect(point.value(at: (0.9, 0.9), aspect: 1) == 1)
  }

  /// A mask means the same places of the scene before and after all turns and mirrors of the edit, and of the photo's tag.
  @Test(arguments: masks.indices)
  func masksTurnWithThePhoto(index: Int) throws {
    let mask = Self.masks[index]
    let edit = try EditStack([layer(mask, Saturation())])
    func value(_ edit: EditStack, _ place: (x: Double, y: Double), aspect: Double) throws -> Double
    {
      let entry = try #require(edit.layers.first?.mask?.entry)
      return try #require(entry.adjustment as? any MaskRenderable).value(at: place, aspect: aspect)
    }
    for turn in QuarterTurns.allCases {
      for mirrored in [false, true] {
        var turned = edit
        try turned.turn { rotate, flip in (rotate.amount, flip.horizontal) = (turn, mirrored) }
        var copied = EditStack()
        try copied.turn { rotate, flip in (rotate.amount, flip.horizontal) = (turn, mirrored) }
        try copied.copy(from: edit)
        for step in 0..<100 {
          let place = (x: Double(step % 10) / 9, y: Double(step / 10) / 9)
          var moved = place
          for _ in 0..<(turn.rawValue / 90) { moved = (1 - moved.y, moved.x) }
          if mirrored { moved.x = 1 - moved.x }
          let aspect = turn.rawValue % 180 == 0 ? 1.5 : 1 / 1.5
          let expected = mask.value(at: place, aspect: 1.5)
          #expect(try abs(value(turned, moved, aspect: aspect) - expected) < 1e-12)
          #expect(try abs(value(copied, moved, aspect: aspect) - expected) < 1e-12)
        }
      }
    }
    let tagged = try #require(try edit.turned(from: 1, to: 6, startsFromOriginal: true))
    #expect(
      try abs(value(tagged, (0.7, 0.2), aspect: 1 / 1.5) - mask.value(at: (0.2, 0.3), aspect: 1.5))
        < 1e-12)
  }

  /// The mix against double arithmetic on a row of a picture that begins anywhere, in a pass of color steps.
  @Test(arguments: masks.indices)
  func colorStepsAreMixedByTheMask(index: Int) throws {
    let mask = Self.masks[index]
    let context = StepContext(size: Self.size, scale: 1)
    let invert = Invert.whole.colorSteps(in: context)
    let kernel = MixKernel(invert, share: .mask(mask, opacity: 0.7), in: context)
    #expect(kernel.dependsOnPlace)
    let pixels = (0..<50).map { [Double($0) / 50, 0.3, 0.9] }
    let result = [ColorStep.kernel(kernel)].run(on: pixels, x: 7, y: 23)
    for (index, pixel) in pixels.enumerated() {
      let share = 0.7 * ReferenceMask.value(mask, 7.5 + Double(index), 23.5, of: Self.size)
      for channel in 0..<3 {
        let expected = pixel[channel] + share * (1 - 2 * pixel[channel])
        #expect(abs(result[index][channel] - expected) < 1e-5)
      }
    }
  }

  /// Renders of a layer lie between the picture without it and the picture that it makes everywhere, as its mask says.
  @Test(arguments: masks.indices, [false, true])
  func rendersAreMixedByTheMask(index: Int, isBlurred: Bool) throws {
    let fixture = OpenFixture("goldens/beach.png")
    let mask = Self.masks[index]
    var blur = Blur()
    blur.radius = 3
    let adjustments = bright + (isBlurred ? [blur] : [])
    let below = try fixture.raster()
    let above = try fixture.raster(of: EditStack(adjustments))
    let mixed = try fixture.raster(
      Layer(name: "part", opacity: 0.8, mask: Mask(mask), adjustments))
    let size = PixelSize(width: below.width, height: below.height)
    var worst = 0.0
    for place in stride(from: 0, to: below.width * below.height, by: 7) {
      let (x, y) = (place % below.width, place / below.width)
      let share = 0.8 * ReferenceMask.value(mask, Double(x) + 0.5, Double(y) + 0.5, of: size)
      for channel in 0..<3 {
        let (low, high) = (below.codes[3 * place + channel], above.codes[3 * place + channel])
        // A code that was limited to 0 or 255 does not tell what is mixed.
        guard high > 0, high < 255 else { continue }
        let expected = Double(low) + share * Double(high - low)
        worst = max(worst, abs(expected - Double(mixed.codes[3 * place + channel])))
      }
    }
    // Both pictures were rounded before the mix here, and the result there.
    #expect(worst <= 1.01)
  }

  @Test func withoutAMaskALayerIsAFilter() throws {
    let fixture = OpenFixture("goldens/beach.png")
    let filter = try Filter(name: "part", title: "T", summary: "S.", steps: bright)
    let layer = try Layer(name: "part", opacity: 0.4, bright)
    #expect(try fixture.raster(layer) == fixture.raster(filter.applied(intensity: 0.4)))
    #expect(
      try fixture.raster(Layer(name: "part", bright)) == fixture.raster(of: EditStack(bright)))
    let none = try Layer(name: "part", opacity: 0, mask: Mask(Self.line), bright)
    #expect(try fixture.raster(none) == fixture.raster())
  }

  /// A crop keeps the mask at the same part of the photo, and turns take it along.
  @Test func geometryMovesTheMaskWithThePixels() throws {
    let fixture = OpenFixture("orientation/6.jpg")
    let layer = try Layer(name: "part", mask: Mask(Self.ellipse), bright)
    let whole = try fixture.raster(layer)
    let crop = Crop(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
    let (left, top) = (whole.width / 4, whole.height / 2)
    #expect(
      try fixture.raster(crop, layer)
        == whole.part(left: left, top: top, width: whole.width / 2, height: whole.height / 4))
    var edit = try EditStack([layer])
    try edit.turn { rotate, _ in rotate.amount = .right }
    let turned = try fixture.raster(of: edit)
    let worst = zip(turned.codes, whole.turnedRight.codes).map { abs($0 - $1) }.max()
    #expect(try #require(worst) <= 1)
  }

  /// A vignette of a layer acts after the crop and still finds the mask's place in the photo.
  @Test func whatActsAfterGeometryFindsTheMask() throws {
    let fixture = OpenFixture("goldens/beach.png")
    var vignette = Vignette()
    vignette.amount = -100
    let geometry: [any Adjustment] = [
      Straighten(4), Crop(x: 0.25, y: 0.25, width: 0.5, height: 0.625),
    ]
    let below = try fixture.raster(of: EditStack(geometry))
    let above = try fixture.raster(of: EditStack(geometry + [vignette]))
    let mixed = try fixture.raster(
      of: EditStack(geometry + [layer(Self.line, opacity: 1, vignette)]))
    let photo = try OpenedPhoto(fixture.source()).uprightSize
    let places = try PlaceMapping(EditStack(geometry), of: photo)
    var worst = 0.0
    for place in stride(from: 0, to: below.width * below.height, by: 11) {
      let (x, y) = (place % below.width, place / below.width)
      let shareX = (Double(x) + 0.5) / Double(below.width)
      let shareY = (Double(y) + 0.5) / Double(below.height)
      let origin = places.photoPlace(x: shareX, y: shareY)
      let found = try #require(origin)
      let share = ReferenceMask.value(
        Self.line, found.x * Double(photo.width), found.y * Double(photo.height), of: photo)
      let (low, high) = (below.codes[3 * place], above.codes[3 * place])
      worst = max(
        worst, abs(Double(low) + share * Double(high - low) - Double(mixed.codes[3 * place])))
    }
    #expect(worst <= 1.01)
  }

  @Test func aMaskOfANewerVersionIsNotRendered() throws {
    let json = try EditStack([layer(Self.line, Invert.whole)]).adjustmentData.data
    let newer = String(decoding: json, as: UTF8.self).replacing("linear-gradient", with: "brush")
    let edit = try EditStack(
      AdjustmentData(
        formatIdentifier: EditStack.formatIdentifier, formatVersion: "1.0", data: Data(newer.utf8)))
    #expect(throws: RenderError.unknownAdjustment(id: "brush", version: 1)) {
      try RenderPlan(edit)
    }
  }
}

@Suite struct AsShotTests {
  /// Makes red as much brighter as the temperature is above the photo's own.
  private struct Warmth: Adjustment, ColorRenderable {
    static let id = "warmth"
    static let version = 1
    static let group = AdjustmentGroup.color
    static let summary = "For a test."
    static let parameters = [
      Parameter(\Self.kelvin, "kelvin", range: 2000...20_000, unit: .kelvin, summary: "S.")
    ]
    var kelvin = AsShotNumber.asShot

    func colorSteps(in context: StepContext) -> [ColorStep] {
      let neutral = context.number(.asShot, or: \.temperature, usual: 6500)
      let gain = context.number(kelvin, or: \.temperature, usual: 6500) / neutral
      return [
        .curves(ChannelCurves(red: { gain * $0 }, green: { $0 }, blue: { $0 }), in: .encoded)
      ]
    }
  }

  @Test(
    arguments: [
      (AsShotNumber.asShot, nil, 1.0), (.asShot, 4000, 1), (.number(6500), nil, 1),
      (.number(6500), 5000, 1.3), (.number(5000), 5000, 1),
    ] as [(AsShotNumber, Double?, Double)])
  func thePhotoSaysWhatIsNeutral(value: AsShotNumber, shot: Double?, gain: Double) throws {
    var warmth = Warmth()
    warmth.kelvin = value
    let fixture = OpenFixture("gradients/rgb-ramps.png")
    let opened = try OpenedPhoto(fixture.source())
    var photo = try DecodedPhoto(opened, for: DecodedPhoto.Purpose(inAnyOrder: true))
    photo.asShot.temperature = shot
    var builder = PictureBuilder(
      photo, photo.image, turnedBy: .upright, cancellation: nil
    ) {
      try ReducedPicture.reducing(photo, of: opened)
    } samples: {
      try PhotoSamples.reading(opened)
    }
    // Geometry does not forget it.
    try builder.add(.geometry(Crop(x: 0.5, y: 0, width: 0.5, height: 1)))
    try builder.add(.color(warmth))
    let last = try builder.finished(wide: false, dithers: false)
    let codes = try last.pass.applied(to: last.image).pixelBytes()
    let before = try photo.image.part(
      left: photo.image.width / 2, top: 0, width: photo.image.width - photo.image.width / 2,
      height: photo.image.height
    ).pixelBytes()
    for index in stride(from: 0, to: before.count, by: 3 * 31) {
      let expected = min(gain * Double(before[index]), 255).rounded()
      #expect(abs(Double(codes[index]) - expected) <= 1 && codes[index + 1] == before[index + 1])
    }
  }
}

extension LinearGradient {
  fileprivate init(from start: (Double, Double), to end: (Double, Double)) {
    self.init()
    (startX, startY, endX, endY) = (start.0, start.1, end.0, end.1)
  }
}

extension RadialGradient {
  fileprivate init(at middle: (Double, Double), radii: (Double, Double), feather: Double) {
    self.init()
    (x, y, width, height, self.feather) = (middle.0, middle.1, radii.0, radii.1, feather)
  }
}

extension Invert {
  fileprivate static var whole: Invert {
    var invert = Invert()
    invert.amount = 100
    return invert
  }
}
