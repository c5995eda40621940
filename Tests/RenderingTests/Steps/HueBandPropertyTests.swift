import Foundation
import SafelightAdjustments
import SafelightTestSupport
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

/// What adjustments of bands of hues promise to photographers, and dehazing of hues.
@Suite struct HueBandPropertyTests {
  private static let sky = [0.45, 0.6, 0.82]
  private static let strong: [any Adjustment & ColorRenderable] = [
    LocalCase.darkBlue, LocalCase.gray, LocalCase.mixer { $0.blue.saturation = -100 },
    LocalCase.mixer { ($0.blue.hue, $0.blue.saturation) = (100, 100) },
  ]

  /// The gray of the lightness of a color.
  private static func gray(as color: [Double]) -> [Double] {
    let lightness = ReferenceOKLab.lab(color.map(ReferenceColor.linear))[0]
    return [Double](repeating: ReferenceColor.encoded(pow(lightness, 3)), count: 3)
  }

  @Test(arguments: strong)
  func aFlatFieldGetsTheFullEffect(_ adjustment: any Adjustment & ColorRenderable) throws {
    let field = LocalPicture(width: 120, height: 80) { _, _ in Self.sky }
    let codes = try field.adjusted([adjustment])
    let color = field.codes[0..<3].map { Double($0) / 255 }
    let expected = adjustment.run(on: [color])[0]
    for (index, code) in codes.enumerated() {
      #expect(abs(Double(code) - 255 * min(max(expected[index % 3], 0), 1)) <= 1)
    }
  }

  /// Blue beside gray that is darker, as light or lighter, with the edge anywhere between reduced pixels and cells.
  @Test(arguments: strong, [1, 2, 3])
  func thereAreNoHalosBesideAHardEdge(
    _ adjustment: any Adjustment & ColorRenderable, tone: Int
  ) throws {
    let gray = [[0.3, 0.3, 0.3], Self.gray(as: Self.sky), [0.9, 0.9, 0.9]][tone - 1]
    for (width, edge) in [(400, 203), (1100, 550)] {
      let picture = LocalPicture(width: width, height: 24) { x, _ in x < edge ? Self.sky : gray }
      let codes = try picture.adjusted([adjustment])
      for channel in 0..<3 {
        let row = (0..<width).map { codes[(12 * width + $0) * 3 + channel] }
        let (blue, rest) = (row[20], row[width - 20])
        let worst = (row[..<edge].map { abs($0 - blue) } + row[edge...].map { abs($0 - rest) })
          .max()!
        #expect(worst <= 1)
      }
    }
  }

  /// Half a sky with noise of photos, above rock.
  private static let noisySky = {
    var random = SeededGenerator(seed: 5)
    let (width, height) = (600, 400)
    return LocalPicture(width: width, height: height) { x, y in
      let isSky = Double(y) < 250 + 30 * sin(Double(x) / 40)
      let base =
        isSky ? [0.45, 0.6, 0.82].map { $0 + 0.15 * Double(y) / 250 } : [0.36, 0.34, 0.31]
      return base.map { color in
        color + (0..<6).map { _ in Double.random(in: -0.02...0.02, using: &random) }.reduce(0, +)
      }
    }
  }()

  /// The deviation of luma from the mean of neighbors, in a part of the sky.
  private func noise(_ codes: [Int]) -> Double {
    var differences: [Double] = []
    for y in 20..<180 {
      for x in 20..<580 {
        func luma(_ x: Int, _ y: Int) -> Double {
          ReferenceColor.luma((0..<3).map { Double(codes[(y * 600 + x) * 3 + $0]) })
        }
        differences.append(luma(x, y) - (luma(x - 1, y) + luma(x + 1, y)) / 2)
      }
    }
    let squares = differences.map { $0 * $0 }.reduce(0, +)
    return (squares / Double(differences.count)).squareRoot()
  }

  @Test(arguments: strong)
  func aDarkenedSkyHasItsOwnNoise(_ adjustment: any Adjustment & ColorRenderable) throws {
    let before = noise(Self.noisySky.codes.map(Int.init))
    #expect(noise(try Self.noisySky.adjusted([adjustment])) < 1.2 * before)
  }

  /// From one setting to the next nothing jumps, whether pixels are judged alone or not.
  @Test func settingsOfBandsFollowEachOther() throws {
    let picture = try LocalPicture(Fixture.url("goldens/beach.png"))
    var before = try picture.adjusted([LocalCase.mixer { $0.blue.luminance = -18 }])
    for setting in [-20.0, -22, -24, -30, -32, -39, -41] {
      let after = try picture.adjusted([LocalCase.mixer { $0.blue.luminance = setting }])
      let worst = zip(before, after).map { abs($0 - $1) }.max()!
      #expect(worst <= Int(setting == -30 || setting == -39 ? 20 : 8), "\(setting): \(worst)")
      before = after
    }
  }

  @Test func weakBandsLookAtSingleColors() throws {
    for (setting, looksAround) in [(20.0, false), (21, true), (-20, false), (-21, true)] {
      let plan = try RenderPlan(EditStack([LocalCase.mixer { $0.blue.luminance = setting }]))
      #expect(plan.items[0].isGuided == looksAround)
    }
  }

  @Test(arguments: [50.0, 100])
  func dehazingKeepsHue(amount: Double) throws {
    let clear = try LocalPicture(Fixture.url("goldens/beach.png"))
    // A veil of bluish air.
    let air = [0.72, 0.78, 0.86]
    let hazy = LocalPicture(width: clear.width, height: clear.height) { x, y in
      (0..<3).map {
        let code = Double(clear.codes[(y * clear.width + x) * 3 + $0]) / 255
        return 0.5 * code + 0.5 * air[$0]
      }
    }
    let result = try hazy.adjusted([LocalCase.dehaze(amount)])
    for start in stride(from: 0, to: result.count, by: 3) {
      let colors = [hazy.codes.map(Int.init)[start..<(start + 3)], result[start..<(start + 3)]].map
      {
        $0.map { Double($0) / 255 }
      }
      let labs = colors.map { ReferenceOKLab.lab($0.map(ReferenceColor.linear)) }
      // Codes are rounded, so that weak colors have rough hues.
      guard labs.allSatisfy({ hypot($0[1], $0[2]) > 0.04 }) else { continue }
      let hues = colors.map(ReferenceOKLab.hue(ofEncoded:))
      #expect(abs(ReferenceOKLab.turn(from: hues[0], to: hues[1])) < 5)
    }
  }
}
