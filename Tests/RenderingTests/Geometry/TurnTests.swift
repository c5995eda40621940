import Foundation
import SafelightAdjustments
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

@Suite struct TurnTests {
  /// Every stored orientation, turned and mirrored by the edit, against arrays turned by hand.
  @Test(arguments: 1...8, QuarterTurns.allCases)
  func turnsAndMirrorsJoinThePhotosOrientation(orientation: Int, turns: QuarterTurns) throws {
    let fixture = OpenFixture("orientation/\(orientation).jpg")
    let upright = try fixture.raster()
    var turned = upright
    for _ in 0..<(turns.rawValue / 90) { turned = turned.turnedRight }
    var rotate = Rotate()
    rotate.amount = turns
    for (horizontal, vertical) in [(false, false), (true, false), (false, true), (true, true)] {
      var flip = Flip()
      (flip.horizontal, flip.vertical) = (horizontal, vertical)
      var expected = turned
      if horizontal { expected = expected.mirrored }
      if vertical { expected = expected.upsideDown }
      #expect(try fixture.raster(rotate, flip) == expected)
      // The order in which an edit lists them does not matter.
      #expect(try fixture.raster(flip, rotate) == expected)
    }
  }

  @Test func aCropFollowsTheTurn() throws {
    let fixture = OpenFixture("orientation/6.jpg")
    var rotate = Rotate()
    rotate.amount = .left
    let turned = try fixture.raster(rotate)
    #expect(
      try fixture.raster(Crop(x: 0.25, y: 0.5, width: 0.5, height: 0.25), rotate)
        == turned.part(left: 16, top: 48, width: 32, height: 24))
  }

  @Test func aTurnKeepsTheCodesOfAnyProfile() throws {
    let fixture = OpenFixture("cmyk.jpg")
    var rotate = Rotate()
    rotate.amount = .half
    #expect(try fixture.raster(rotate) == fixture.raster().upsideDown.mirrored)
  }
}

@Suite struct OrientationTests {
  /// Two orientations one after the other turn pixels as libvips turns them one after the other.
  @Test(arguments: 1...8, 1...8)
  func oneAfterAnotherIsOne(first: Int, second: Int) throws {
    let codes = (0..<18).map { UInt8($0) }
    let picture = try Image.fromMemory(codes, width: 3, height: 2, bands: 3, format: .uint8)
    let twice = try picture.upright(from: first).inMemory().upright(from: second)
    let joined = Orientation(exif: first).followed(by: Orientation(exif: second))
    let once = try picture.upright(from: joined.exif)
    #expect(try once.pixelBytes() == twice.pixelBytes())
    #expect(once.width == twice.width)
  }

  /// Pixels that are turned while they are read lie where libvips puts them.
  @Test(arguments: 1...8, [(1, 1), (3, 2), (130, 67), (33, 200)])
  func turningInMemoryIsTheTurnOfLibvips(exif: Int, size: (Int, Int)) throws {
    var random = SeededGenerator(seed: UInt64(exif))
    for (bands, format) in [(1, Image.SampleFormat.uint8), (3, .uint8), (1, .uint16), (3, .uint16)]
    {
      let count = size.0 * size.1 * bands * (format == .uint16 ? 2 : 1)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let picture = try Image.fromMemory(
        bytes, width: size.0, height: size.1, bands: bands, format: format)
      let found = try picture.inMemory(turned: Orientation(exif: exif))
      let expected = try picture.upright(from: exif)
      #expect(found.size == expected.size && found.bands == bands)
      #expect(found.sampleFormat == format && found.interpretation == expected.interpretation)
      #expect(try found.pixelBytes() == expected.pixelBytes())
    }
  }

  @Test func turningInMemoryKeepsTheResolution() throws {
    let fixture = OpenFixture("orientation/6.jpg")
    let photo = try Image.open(Source(fixture.file), as: .jpeg)
    let turned = try photo.inMemory(turned: Orientation(exif: 6))
    #expect(photo.resolutionUnit == "in")
    #expect(turned.resolution == photo.resolution)
    #expect(turned.resolutionUnit == "in")
  }

  @Test func turnsAndMirrorsHaveTheirExifValues() {
    #expect((0..<4).map { Orientation(mirrored: false, quarters: $0).exif } == [1, 6, 3, 8])
    #expect((0..<4).map { Orientation(mirrored: true, quarters: $0).exif } == [2, 5, 4, 7])
    #expect(Orientation(mirrored: false, quarters: -1).exif == 8)
    #expect(Orientation(exif: 9) == .upright)
  }
}

@Suite struct ChangedOrientationTests {
  private static let crop = Crop(x: 0.25, y: 0.125, width: 0.5, height: 0.75)

  private static func rotate(_ amount: QuarterTurns) -> Rotate {
    var rotate = Rotate()
    rotate.amount = amount
    return rotate
  }

  private static func flip(horizontal: Bool, vertical: Bool) -> Flip {
    var flip = Flip()
    (flip.horizontal, flip.vertical) = (horizontal, vertical)
    return flip
  }

  /// A fixture whose orientation tag has another value.
  private func tagged(_ orientation: Int) throws -> URL {
    var bytes = [UInt8](try Data(contentsOf: Fixture.url("orientation/1.jpg")))
    let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 1]
    let place = try #require(
      (0..<bytes.count - 10).first { bytes[$0..<$0 + 10].elementsEqual(entry) })
    bytes[place + 9] = UInt8(orientation)
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("safelight-\(UUID().uuidString).jpg")
    try Data(bytes).write(to: file)
    return file
  }

  /// Each tag becomes upright and was upright, and some become others; all do in the gate's long checks.
  private static let tags: [(former: Int, now: Int)] = (1...8).flatMap { former in
    (1...8).filter { Rounds.areLong || former == 1 || $0 == 1 || (former + $0) % 4 == 0 }
      .map { (former, $0) }
  }

  /// Whatever an orientation tag was and is, the render of the turned photo is the turned render.
  @Test(arguments: tags)
  func theRenderOfTheTurnedPhotoIsTheTurnedRender(former: Int, now: Int) throws {
    let files = try (tagged(former), tagged(now))
    defer { for file in [files.0, files.1] { try? FileManager.default.removeItem(at: file) } }
    let before = OpenFixture(files.0)
    let after = OpenFixture(files.1)
    let exact: [[any Adjustment]] = [
      [], [Self.crop], [Self.rotate(.left), Self.crop],
      [Self.flip(horizontal: true, vertical: false), Self.crop],
      [Self.rotate(.right), Self.flip(horizontal: false, vertical: true), Self.crop],
    ]
    let interpolated: [[any Adjustment]] = [
      [Straighten(7)], [Perspective(vertical: 20, horizontal: 0)],
      [
        Self.rotate(.right), Self.flip(horizontal: true, vertical: false),
        Perspective(vertical: 0, horizontal: 10), Straighten(-3),
        // No edge lies in the middle of a pixel, where it could be rounded to either side.
        Crop(x: 0.2613, y: 0.1317, width: 0.4871, height: 0.7309),
      ],
    ]
    for (number, adjustments) in (exact + interpolated).enumerated() {
      let stack = try EditStack(adjustments)
      let turned = try #require(
        try stack.turned(from: former, to: now, startsFromOriginal: true))
      let expected = try before.raster(of: stack).turned(from: former, to: now)
      let render = try after.raster(of: turned)
      if number < exact.count {
        #expect(render == expected)
      } else {
        #expect(render.width == expected.width && render.height == expected.height)
        let worst = zip(render.codes, expected.codes).map { abs($0 - $1) }.max() ?? 0
        // Rounding in the last digits may fall on either side of a code.
        #expect(worst <= 1, "edit \(number)")
      }
      // Of pixels that do not turn with the photo, such as another program's render, too.
      let onTop = try #require(
        try stack.turned(from: former, to: now, startsFromOriginal: false))
      let rest = try before.raster(of: onTop)
      let apart = zip(rest.codes, expected.codes).map { abs($0 - $1) }.max() ?? 0
      #expect(rest.width == expected.width && apart <= 1)
      // Turning it back gives the same edit again, but for rounding.
      let back = try #require(try turned.turned(from: now, to: former, startsFromOriginal: true))
      #expect(try back.adjustment(Rotate.self) == stack.adjustment(Rotate.self))
      #expect(try back.adjustment(Flip.self) == stack.adjustment(Flip.self))
    }
  }

  @Test func anEditWithoutGeometryStaysByteForByte() throws {
    let stack = try EditStack.saturation(0.5)
    let turned = try stack.turned(from: 1, to: 6, startsFromOriginal: true)
    #expect(turned?.adjustmentData == stack.adjustmentData)
  }

  @Test func aTiltInBothDirectionsFollowsOnlyWhereSidesStay() throws {
    let stack = try EditStack([Perspective(vertical: 50, horizontal: 50)])
    for (now, follows) in [(3, true), (2, true), (6, false), (5, false)] {
      let turned = try stack.turned(from: 1, to: now, startsFromOriginal: true)
      #expect((turned != nil) == follows)
    }
  }

  @Test func geometryThatHasNoEqualDoesNotFollow() throws {
    func data(_ adjustments: String) -> AdjustmentData {
      AdjustmentData(
        formatIdentifier: EditStack.formatIdentifier, formatVersion: EditStack.formatVersion,
        data: Data("{\"adjustments\":[\(adjustments)]}".utf8))
    }
    let crop = #"{"id":"crop","version":1,"x":0.1,"width":0.5}"#
    let filter =
      #"{"id":"filter","version":1,"name":"a","title":"A","filterVersion":1,"steps":[\#(crop)]}"#
    for adjustments in [
      "\(crop),\(crop)", filter, #"{"id":"warp","version":1}"#, #"{"id":"crop","version":2}"#,
      #"{"id":"crop","version":1,"x":0.1,"width":0.5,"tilt":3}"#,
    ] {
      let stack = try EditStack(data(adjustments))
      #expect(try stack.turned(from: 1, to: 6, startsFromOriginal: true) == nil)
    }
  }
}

extension Raster {
  /// The picture as it stands when its orientation tag is changed.
  fileprivate func turned(from former: Int, to now: Int) -> Raster {
    func right(_ raster: Raster, _ count: Int) -> Raster {
      (0..<count).reduce(raster) { raster, _ in raster.turnedRight }
    }
    let (old, new) = (Orientation(exif: former), Orientation(exif: now))
    let stored = right(old.isMirrored ? mirrored : self, (4 - old.quarters) % 4)
    let upright = right(stored, new.quarters)
    return new.isMirrored ? upright.mirrored : upright
  }
}

@Suite struct CropTests {
  @Test(arguments: ["beach.jpg", "rgb.tif", "lossy.webp", "photo.heic", "progressive.jpg"])
  func whatStaysIsExact(name: String) throws {
    let fixture = OpenFixture(name)
    let whole = try fixture.raster()
    let (wide, high) = (Double(whole.width), Double(whole.height))
    let crop = Crop(x: 7 / wide, y: 11 / high, width: 31 / wide, height: 23 / high)
    #expect(try fixture.raster(crop) == whole.part(left: 7, top: 11, width: 31, height: 23))
    let bottom = Crop(x: 0, y: 0.5, width: 1, height: 0.5)
    let top = Int((0.5 * high).rounded())
    #expect(
      try fixture.raster(bottom)
        == whole.part(left: 0, top: top, width: whole.width, height: whole.height - top))
  }

  /// Each edge is rounded by itself, and no crop is empty.
  @Test(arguments: [
    (Crop(x: 0.3, y: 0.3, width: 0.4, height: 0.4), [29, 19, 38, 26]),
    (Crop(x: 0.5, y: 0.5, width: 1, height: 1), [48, 32, 48, 32]),
    (Crop(x: 0, y: 0, width: 0, height: 0), [0, 0, 1, 1]),
    (Crop(x: 1, y: 1, width: 0, height: 0), [95, 63, 1, 1]),
    (Crop(x: 0.999, y: 0, width: 0.001, height: 1), [95, 0, 1, 64]),
    (Crop(x: 0.1, y: 0, width: 0.005, height: 1), [10, 0, 1, 64]),
  ])
  func edgesAreRoundedToPixels(crop: Crop, expected: [Int]) throws {
    let context = StepContext(size: PixelSize(width: 96, height: 64), scale: 1)
    let transform = try #require(crop.warp(in: context))
    let shift = try #require(transform.shift)
    #expect([shift.left, shift.top, transform.size.width, transform.size.height] == expected)
  }

  @Test func theWholePictureIsNoCrop() {
    let context = StepContext(size: PixelSize(width: 96, height: 64), scale: 1)
    #expect(Crop().warp(in: context) == nil)
    #expect(Crop(x: 0, y: 0, width: 0.999, height: 0.999).warp(in: context) == nil)
  }

  /// A vignette has its middle in the cropped picture. Adjustments before the crop act on the whole
  /// picture.
  @Test func aVignetteFollowsTheCrop() throws {
    let fixture = OpenFixture("gradients/chart.png")
    var vignette = Vignette()
    vignette.amount = -80
    let crop = Crop(x: 0.5, y: 0, width: 0.5, height: 1)
    let both = try fixture.raster(vignette, crop)
    let alone = try fixture.raster(vignette)
    #expect(
      both
        != alone.part(
          left: alone.width - both.width, top: 0, width: both.width, height: both.height))
    let cropped = try fixture.raster(crop)
    let middle = (both.width / 2, both.height / 2)
    #expect(zip(both.pixel(middle), cropped.pixel(middle)).allSatisfy { abs($0 - $1) <= 1 })
  }

  @Test(arguments: [RenderOutput.Format.tiff, .webp, .jpeg])
  func allFormatsShowTheSamePart(format: RenderOutput.Format) throws {
    let fixture = OpenFixture("beach.jpg")
    let stack = try EditStack([Crop(x: 0.2, y: 0.3, width: 0.5, height: 0.4), EditStack.vivid])
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
      try Image.open(Source(file.file), as: kind).pixelBytes().map(Int.init)
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
