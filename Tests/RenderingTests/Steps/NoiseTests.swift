import Foundation
import SafelightAdjustments
import SafelightTestSupport
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

/// What noise reduction and deblurring promise, on pictures whose truth is known.
@Suite struct NoiseTests {
  /// A piece of a photo with grass, water and sky.
  private static func clean() throws -> LocalPicture {
    try LocalPicture(Fixture.url("beach.jpg"), left: 200, top: 300, width: 480, height: 320)
  }

  /// A picture with white noise in every channel, of a deviation in codes.
  private static func noisy(_ picture: LocalPicture, _ deviation: Double) -> LocalPicture {
    LocalPicture(
      width: picture.width, height: picture.height,
      codes: ReferenceMeasures.noisy(picture.codes, deviation))
  }

  /// The peak signal-to-noise ratio in decibels.
  private static func decibels(_ codes: [Int], _ truth: LocalPicture) -> Double {
    ReferenceMeasures.decibels(codes, truth.codes.map(Int.init))
  }

  @Test(arguments: [(4.0, 1.2), (8, 3), (16, 5)])
  func noiseReductionComesNearerToTheCleanPhoto(deviation: Double, gain: Double) throws {
    let clean = try Self.clean()
    let noisy = Self.noisy(clean, deviation)
    let before = Self.decibels(noisy.codes.map(Int.init), clean)
    let after = Self.decibels(try noisy.adjusted([LocalCase.noiseReduction(50, 50)]), clean)
    #expect(after > before + gain, "\(before) became \(after)")
  }

  /// Foliage and tiles, whose textures are as strong as the noise, and a face.
  @Test(
    .enabled(if: SharedData.isThere, SharedData.absence),
    arguments: [("china.jpg", 0, 40), ("astronaut.png", 60, 0)], Rounds.areLong ? [8.0, 16] : [16])
  func noSettingIsFartherFromTheCleanPhotoThanItsNoise(
    photo: (name: String, left: Int, top: Int), deviation: Double
  ) throws {
    let clean = try LocalPicture(
      SharedData.url("photos/\(photo.name)"), left: photo.left, top: photo.top, width: 440,
      height: 380)
    let noisy = Self.noisy(clean, deviation)
    let before = Self.decibels(noisy.codes.map(Int.init), clean)
    for (luminance, color) in [(25.0, 0.0), (100, 0), (0, 25), (0, 100), (100, 100)] {
      for detail in [0.0, 100] {
        let adjusted = try noisy.adjusted([
          LocalCase.noiseReduction(luminance, color, detail: detail)
        ])
        let after = Self.decibels(adjusted, clean)
        #expect(after > before, "\(luminance), \(color), \(detail): \(before) became \(after)")
      }
    }
  }

  /// White noise of deviation s in each channel has s² / 3 in the mean of three, and in the two color
  /// differences 2 s² / 4 and 6 s² / 16, together 7 s² / 8.
  @Test(arguments: [4.0, 8, 16])
  func theNoiseOfASlopeIsMeasured(deviation: Double) throws {
    let slope = LocalPicture(width: 640, height: 480) { x, y in
      [Double](repeating: 0.25 + 0.5 * Double(x + y) / 1120, count: 3)
    }
    let profile = try Self.noisy(slope, deviation).noise()
    for level in 0..<NoiseProfile.levels {
      let brightness = 255 * Double(profile.brightness.deviation(level: level))
      #expect(abs(brightness / (deviation / 3.0.squareRoot()) - 1) < 0.12, "\(brightness)")
      let color = 255 * Double(profile.color.deviation(level: level))
      #expect(abs(color / (deviation * 0.875.squareRoot()) - 1) < 0.12, "\(color)")
    }
  }

  /// Grass and water have more energy in coarse levels than noise of 16 codes.
  @Test func textureHardlyCountsAsNoise() throws {
    let profile = try Self.noisy(Self.clean(), 16).noise()
    for level in 0..<NoiseProfile.levels {
      let brightness = 255 * Double(profile.brightness.deviation(level: level))
      #expect((0.95..<1.5).contains(brightness / (16 / 3.0.squareRoot())), "\(brightness)")
      let color = 255 * Double(profile.color.deviation(level: level))
      #expect((0.95..<1.1).contains(color / (16 * 0.875.squareRoot())), "\(color)")
    }
  }

  @Test func aCleanPictureHardlyChanges() throws {
    let slope = LocalPicture(width: 640, height: 480) { x, y in
      [0.2 + 0.6 * Double(x) / 640, 0.5, 0.8 - 0.6 * Double(y) / 480]
    }
    let result = try slope.adjusted([LocalCase.noiseReduction(50, 50)])
    #expect(zip(result, slope.codes).allSatisfy { abs($0 - Int($1)) <= 1 })
  }

  @Test(arguments: [(50.0, 50.0), (100, 100)])
  func noiseGoesAndEdgesStay(luminance: Double, detail: Double) throws {
    let edge = LocalPicture(width: 640, height: 480) { x, _ in
      [Double](repeating: x < 320 ? 0.3 : 0.7, count: 3)
    }
    let noisy = Self.noisy(edge, 8)
    let result = try noisy.adjusted([LocalCase.noiseReduction(luminance, 100, detail: 50)])
    func column(_ x: Int) -> Double {
      (0..<480).reduce(0.0) { $0 + Double(result[($1 * 640 + x) * 3 + 1]) } / (480 * 255)
    }
    // The mean of a column has the noise of 8 codes divided by the root of 480.
    #expect(abs(column(319) - 0.3) < 0.01)
    #expect(abs(column(320) - 0.7) < 0.01)
    func spread(_ codes: [Int]) -> Double {
      let greens = (0..<480).flatMap { (y: Int) -> [Int] in
        (0..<200).map { codes[(y * 640 + $0) * 3 + 1] }
      }
      return ReferenceMeasures.deviation(greens)
    }
    #expect(spread(result) < 0.45 * spread(noisy.codes.map(Int.init)))
  }

  @Test func inAFilterBehindOtherStepsTheNoiseIsThatOfThePhoto() throws {
    let clean = try Self.clean()
    let noisy = Self.noisy(clean, 8)
    var exposure = Exposure()
    exposure.amount = -0.5
    func adjusted(_ steps: String, _ picture: LocalPicture) throws -> [Int] {
      let json = """
        {"name":"own","version":1,"title":"Own","summary":"Steps in this order.","steps":[\(steps)]}
        """
      return try picture.adjusted([try Filter(json: json.utf8).applied()])
    }
    let darker = #"{"id":"exposure","version":1,"amount":-0.5}"#
    let reduction = #"{"id":"noise-reduction","version":1,"luminance":50,"color":50}"#
    let truth = try clean.adjusted([exposure])
    let alone = ReferenceMeasures.decibels(try adjusted(darker, noisy), truth)
    let both = ReferenceMeasures.decibels(try adjusted(darker + "," + reduction, noisy), truth)
    #expect(both > alone + 2)
  }

  // MARK: Deblurring

  @Test(arguments: [1.0, 1.4])
  func deblurringComesNearerToTheSharpPhoto(radius: Double) throws {
    let sharp = try Self.clean()
    let blurred = try LocalPicture(blurring: sharp, by: radius)
    let before = Self.decibels(blurred.codes.map(Int.init), sharp)
    let after = Self.decibels(
      try blurred.adjusted([LocalCase.deblur(100, radius: radius)]), sharp)
    #expect(after > before + 1, "\(before) became \(after)")
  }

  @Test(arguments: [1.0, 1.4])
  func deblurringAnEdgeHardlyRings(radius: Double) throws {
    let edge = LocalPicture(width: 200, height: 60) { x, _ in
      [Double](repeating: x < 100 ? 0.2 : 0.7, count: 3)
    }
    let blurred = try LocalPicture(blurring: edge, by: radius)
    let codes = try blurred.adjusted([LocalCase.deblur(100, radius: radius)])
    let row = (0..<200).map { codes[(30 * 200 + $0) * 3] }
    // An edge of 127 codes: what lies beyond its sides is at most 5 percent of it.
    #expect(row.min()! >= 51 - 6 && row.max()! <= 179 + 6, "\(row[85..<115])")
    #expect(row[101] - row[98] > Int(blurred.codes[101 * 3]) - Int(blurred.codes[98 * 3]) + 10)
  }
}

extension LocalPicture {
  /// A picture behind a lens that blurs codes by a Gaussian.
  fileprivate init(blurring picture: LocalPicture, by deviation: Double) throws {
    let blurred = picture.reference.eachPlane { $0.gaussian(deviation) }
    self.init(width: picture.width, height: picture.height) { x, y in
      blurred.planes.map { min(max($0.values[y * picture.width + x], 0), 1) }
    }
  }
}
