import Foundation
import SafelightAdjustments
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

/// Local and detail adjustments against whole-picture arithmetic in double precision.
@Suite struct LocalReferenceTests {
  /// Small pictures, which are not reduced, and long pictures, whose reduced pictures are half as
  /// wide.
  private static let pictures: [String: @Sendable () throws -> LocalPicture] = [
    "chart": { try LocalPicture(Fixture.url("gradients/chart.png")) },
    "ramps": { try LocalPicture(Fixture.url("gradients/rgb-ramps.png")) },
    "saturated": { try LocalPicture(Fixture.url("gradients/saturated.png")) },
    "small beach": { try LocalPicture(Fixture.url("goldens/beach.png")) },
    "strip of beach": {
      try LocalPicture(Fixture.url("beach.jpg"), top: 380, width: 1100, height: 20)
    },
    "long ramps": {
      LocalPicture(width: 1031, height: 13) { x, y in
        let place = Double(x) / 1030
        return [place, 1 - place * place, Double(y) / 12]
      }
    },
  ]

  private func worst(_ sample: LocalCase, _ picture: LocalPicture) throws -> Double {
    worst(
      try picture.adjusted(sample.adjustments), picture,
      ReferenceLocal.apply(
        sample.adjustments, to: picture.reference, noise: ReferenceNoise(try picture.noise())))
  }

  private func worst(_ found: [Int], _ picture: LocalPicture, _ expected: ReferencePicture)
    -> Double
  {
    var worst = 0.0
    for index in 0..<(picture.width * picture.height) {
      let pixel = picture.codes[(3 * index)..<(3 * index + 3)].map { Double($0) / 255 }
      guard !ReferenceSeenHues.isHollow(pixel) else { continue }
      for channel in 0..<3 {
        let value = min(max(expected.planes[channel].values[index], 0), 1) * 255
        worst = max(worst, abs(Double(found[3 * index + channel]) - value))
      }
    }
    return worst
  }

  @Test(arguments: zip(LocalCase.all.indices, LocalCase.all))
  func picturesAreAtMostOneCodeFromTheReference(_ number: Int, _ sample: LocalCase) throws {
    for (place, name) in Self.pictures.keys.sorted().enumerated() {
      // A third of the pictures for each case, and all of them in the gate's long checks.
      guard Rounds.areLong || (number + place) % 3 == 0 else { continue }
      // Rounding alone makes up to half a code, so only half a code is left for other errors.
      let difference = try worst(sample, try #require(try Self.pictures[name]?()))
      #expect(difference < 1, "\(difference) codes in \(name)")
    }
  }

  @Test(
    .enabled(if: SharedData.isThere, SharedData.absence),
    arguments: LocalCase.all.enumerated().filter { Rounds.areLong || $0.offset % 3 == 0 }.map(
      \.element))
  func aRealPhotoIsAtMostOneCodeFromTheReference(_ sample: LocalCase) throws {
    let picture = try LocalPicture(
      SharedData.url("photos/HTC_One.jpg"), left: 300, top: 700, width: 1100, height: 48)
    let difference = try worst(sample, picture)
    #expect(difference < 1, "\(difference) codes")
  }
}

/// Local and detail adjustments at a setting, in pipeline order.
struct LocalCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let adjustments: [any Adjustment]

  private init(_ name: String, _ adjustments: [any Adjustment]) {
    testDescription = name
    self.adjustments = adjustments
  }

  static func highlightsShadows(_ highlights: Double, _ shadows: Double) -> HighlightsShadows {
    var value = HighlightsShadows()
    (value.highlights, value.shadows) = (highlights, shadows)
    return value
  }

  static func clarity(_ amount: Double) -> Clarity {
    var value = Clarity()
    value.amount = amount
    return value
  }

  /// - Parameter zones: The stops of the nine zones, from dark to light.
  static func toneEqualizer(_ zones: [Double]) -> ToneEqualizer {
    let paths: [WritableKeyPath<ToneEqualizer, Double>] = [
      \.blacks, \.deepShadows, \.shadows, \.lightShadows, \.midtones, \.darkHighlights,
      \.highlights, \.whites, \.speculars,
    ]
    var value = ToneEqualizer()
    for (path, stops) in zip(paths, zones) { value[keyPath: path] = stops }
    return value
  }

  static func mixer(_ set: (inout ColorMixer) -> Void) -> ColorMixer {
    var value = ColorMixer()
    set(&value)
    return value
  }

  static let darkBlue = mixer { ($0.blue.luminance, $0.aqua.luminance) = (-100, -60) }

  static let gray: BlackAndWhite = {
    var value = BlackAndWhite()
    (value.amount, value.blue, value.green, value.orange) = (100, -100, 60, 40)
    return value
  }()

  static func dehaze(_ amount: Double) -> Dehaze {
    var value = Dehaze()
    value.amount = amount
    return value
  }

  static func glow(_ amount: Double, radius: Double = 2, threshold: Double = 50) -> Glow {
    var value = Glow()
    (value.amount, value.radius, value.threshold) = (amount, radius, threshold)
    return value
  }

  static func sharpen(_ amount: Double, radius: Double = 1, threshold: Double = 2) -> Sharpen {
    var value = Sharpen()
    (value.amount, value.radius, value.threshold) = (amount, radius, threshold)
    return value
  }

  static func noiseReduction(_ luminance: Double, _ color: Double, detail: Double = 50)
    -> NoiseReduction
  {
    var value = NoiseReduction()
    (value.luminance, value.color, value.detail) = (luminance, color, detail)
    return value
  }

  static func deblur(_ amount: Double, radius: Double = 1, damping: Double = 1) -> Deblur {
    var value = Deblur()
    (value.amount, value.radius, value.damping) = (amount, radius, damping)
    return value
  }

  static func blur(_ radius: Double) -> Blur {
    var value = Blur()
    value.radius = radius
    return value
  }

  static let all: [LocalCase] =
    [(-100, 0), (100, -100), (-100, 100), (60, -40), (0, 100)].map {
      LocalCase("highlights \($0.0), shadows \($0.1)", [highlightsShadows($0.0, $0.1)])
    } + [-100, 40, 100].map { LocalCase("clarity \($0)", [clarity($0)]) }
    + [
      [2, 2, 1.5, 1, 0.5, 0, -0.3, -0.6, -1], [0, 0, 0, 0, 1, 0, 0, 0, 0],
      [-2, -1, 0, 0, 0.5, 1, 1, 0.5, 2],
    ].map { LocalCase("zones \($0)", [toneEqualizer($0)]) }
    + [-100, 50, 100].map { LocalCase("dehaze \($0)", [dehaze($0)]) }
    + [
      LocalCase(
        "zones and shadows",
        [toneEqualizer([1, 1, 1, 0.5, 0, 0, 0, -0.3, -0.5]), highlightsShadows(-40, 40)]),
      LocalCase("glow", [glow(100)]),
      LocalCase("wide glow", [glow(60, radius: 5, threshold: 20)]),
      LocalCase("narrow glow", [glow(100, radius: 0.3, threshold: 0)]),
      LocalCase("sharpen", [sharpen(100)]),
      LocalCase("sharpen widely", [sharpen(150, radius: 3, threshold: 0)]),
      LocalCase("sharpen edges", [sharpen(80, radius: 0.5, threshold: 12)]),
      LocalCase("less noise", [noiseReduction(50, 50)]),
      LocalCase("least noise", [noiseReduction(100, 100, detail: 0)]),
      LocalCase("less noise of color", [noiseReduction(0, 60)]),
      LocalCase("less noise of brightness", [noiseReduction(70, 0, detail: 80)]),
      LocalCase("dark blue", [darkBlue]),
      LocalCase("a gray mix", [gray]),
      LocalCase("half calm", [mixer { ($0.red.hue, $0.green.saturation) = (28, -30) }]),
      LocalCase("mixer and gray mix", [mixer { $0.yellow.saturation = 80 }, gray]),
      LocalCase("deblur", [deblur(100)]),
      LocalCase("deblur widely", [deblur(60, radius: 2.2, damping: 0)]),
      LocalCase("deblur narrowly", [deblur(100, radius: 0.5, damping: 5)]),
      LocalCase(
        "shadows, clarity and sharpening",
        [highlightsShadows(-60, 70), clarity(60), sharpen(80)]),
      LocalCase(
        "all but blur",
        [
          noiseReduction(40, 40), deblur(50), dehaze(60), highlightsShadows(40, 50), clarity(-50),
          sharpen(60), glow(40),
        ]),
    ] + [0.4, 2, 7.5, 9, 20].map { LocalCase("blur \($0)", [blur($0)]) }
}

/// Codes of 8 bits, three to a pixel, for whole-picture tests.
struct LocalPicture {
  let width: Int
  let height: Int
  let codes: [UInt8]

  init(width: Int, height: Int, codes: [UInt8]) {
    (self.width, self.height, self.codes) = (width, height, codes)
  }

  /// A picture from encoded values.
  init(width: Int, height: Int, _ value: (Int, Int) -> [Double]) {
    self.init(
      width: width, height: height,
      codes: (0..<(width * height)).flatMap { index in
        value(index % width, index / width).map { UInt8((min(max($0, 0), 1) * 255).rounded()) }
      })
  }

  /// A part of a picture file.
  init(_ url: URL, left: Int = 0, top: Int = 0, width: Int? = nil, height: Int? = nil) throws {
    let fixture = OpenFixture(url)
    let image = try OpenedPhoto(fixture.source()).image.inMemory()
    let part = try image.part(
      left: left, top: top, width: width ?? image.width, height: height ?? image.height)
    self.init(width: part.width, height: part.height, codes: try part.pixelBytes())
  }

  var reference: ReferencePicture {
    ReferencePicture(codes: codes.map(Int.init), width: width, height: height)
  }

  /// The noise that is measured in the picture.
  func noise() throws -> NoiseProfile {
    try withFile { NoiseProfile(try PhotoSamples.reading(OpenedPhoto($0.source()))) }
  }

  /// The picture in a file without loss, for as long as `body` runs.
  func withFile<Result>(_ body: (borrowing OpenFixture) throws -> Result) throws -> Result {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("safelight-\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: file) }
    var bytes = Data()
    try withUnsafeMutablePointer(to: &bytes) { bytes in
      nonisolated(unsafe) let bytes = bytes
      try Image.fromMemory(codes, width: width, height: height, bands: 3, format: .uint8)
        .writePNG(to: Target { bytes.pointee.append(contentsOf: $0) })
    }
    try bytes.write(to: file)
    return try body(OpenFixture(file))
  }

  /// The picture with adjustments, through the whole renderer.
  func adjusted(_ adjustments: [any Adjustment]) throws -> [Int] {
    let stack = try EditStack(adjustments)
    return try withFile { try $0.pixels(stack).codes }
  }
}

extension ReferenceNoise {
  init(_ profile: NoiseProfile) {
    self.init(brightness: Spectrum(profile.brightness), color: Spectrum(profile.color))
  }
}

extension ReferenceNoise.Spectrum {
  init(_ spectrum: NoiseProfile.Spectrum) {
    self.init(
      energies: spectrum.energies.map(Double.init), factors: spectrum.factors.map(Double.init))
  }
}

extension OpenFixture {
  /// The codes of a render in the strips in which a JPEG or PNG is encoded, or as other formats are.
  borrowing func codes(_ adjustments: [any Adjustment], as format: RenderOutput.Format) throws
    -> [UInt8]
  {
    let plan = try RenderPlan(EditStack(adjustments))
    let opened = try OpenedPhoto(source())
    let photo = try DecodedPhoto(
      opened,
      for: DecodedPhoto.Purpose(
        isNeutral: plan.isNeutral, orientation: opened.orientation,
        inAnyOrder: plan.needsAnyOrder(as: format)))
    let picture = try plan.picture(of: photo, opened, as: format)
    guard format.file.isEncodedInStrips else { return try picture.image.pixelBytes() }
    var codes: [UInt8] = []
    try picture.forEachStrip(rows: 64, unless: nil) {
      { rows in
        var strip: [UInt8] = []
        for row in 0..<rows.count {
          strip += UnsafeRawBufferPointer(
            start: rows.start + row * rows.stride, count: 3 * rows.width)
        }
        return strip
      }
    } deliver: {
      codes += $0
    }
    return codes
  }
}
