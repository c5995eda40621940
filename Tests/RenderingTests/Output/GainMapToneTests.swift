import Foundation
import SafelightAdjustments
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightMetadata
@testable import SafelightRendering
@testable import SafelightRenderingReference

/// What adjustments make of the light above white.
extension GainMapRenderTests {
  /// The light of the HDR rendition under each pixel of the map, red, green and blue: the picture's, as a mean of its light, and
  /// what the map makes of it.
  private static func light(_ rendered: Rendered) throws -> [[Double]] {
    let (color, codes) = (rendered.color, try #require(rendered.codes))
    let meaning = try #require(rendered.map).meaning
    let (fine, coarse) = (try color.pixelBytes(), try codes.pixelBytes())
    let across = color.width / codes.width
    return (0..<(codes.width * codes.height)).map { pixel in
      let (x, y) = (pixel % codes.width, pixel / codes.width)
      return (0..<3).map { channel in
        var sum = 0.0
        for row in (y * across)..<((y + 1) * across) {
          for column in (x * across)..<((x + 1) * across) {
            let band = min(channel, color.bands - 1)
            let code = Double(fine[(row * color.width + column) * color.bands + band]) / 255
            sum += code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
          }
        }
        let one = meaning.channels[min(channel, meaning.channels.count - 1)]
        let code = Double(coarse[pixel * codes.bands + min(channel, codes.bands - 1)]) / 255
        let stops = one.minimum + (one.maximum - one.minimum) * pow(code, 1 / one.gamma)
        return (sum / Double(across * across) + one.baseOffset) * exp2(stops) - one.alternateOffset
      }
    }
  }

  static let nothing = Renderer.Report(pixelWidth: 0, pixelHeight: 0, warnings: [])

  /// A stop doubles the light of both renditions, but for the shoulder of the picture.
  @Test(arguments: [-1.0, 1, 2], [1, 3])
  func exposureMultipliesTheLightAboveWhite(stops: Double, bands: Int) throws {
    var exposure = Exposure()
    exposure.amount = stops
    let photo = try Self.photo(bands: bands)
    let before = try Self.light(try Self.read(photo, Self.nothing))
    let rendered = try Self.render(photo, [exposure])
    let after = try Self.light(rendered)
    #expect(!Self.mentionsMap(rendered.report) && rendered.codes?.bands == bands)
    #expect(rendered.map?.headroom ?? 0 >= Self.meaning.alternateHeadroom)
    var errors: [Double] = []
    for (one, other) in zip(before, after) {
      for channel in 0..<3 {
        let wanted = one[channel] * exp2(stops)
        errors.append(abs(other[channel] - wanted) / max(wanted, 0.05))
      }
    }
    errors.sort()
    #expect(errors[errors.count / 2] < 0.01 && errors[errors.count * 95 / 100] < 0.03)
  }

  /// White balance mixes the light of both renditions by one matrix.
  @Test func whiteBalanceMixesTheLightAboveWhite() throws {
    var balance = WhiteBalance()
    balance.temperature = 5200
    let photo = try Self.photo(bands: 3)
    let before = try Self.light(try Self.read(photo, Self.nothing))
    let after = try Self.light(try Self.render(photo, [balance]))
    let matrix = try #require(balance.matrix).elements
    var errors: [Double] = []
    for (one, other) in zip(before, after) {
      for channel in 0..<3 {
        let wanted = (0..<3).reduce(0) { $0 + matrix[3 * channel + $1] * one[$1] }
        errors.append(abs(other[channel] - wanted) / max(wanted, 0.05))
      }
    }
    errors.sort()
    #expect(errors[errors.count / 2] < 0.01 && errors[errors.count * 95 / 100] < 0.03)
  }

  /// A map of three channels acts in the primaries of the picture, whatever they become.
  @Test func anotherProfileHasTheSameLight() throws {
    let photo = try Self.photo(bands: 3)
    let before = try Self.light(try Self.read(photo, Self.nothing))
    var output = RenderOutput(format: .jpeg, quality: 100)
    output.profile = .displayP3
    let after = try Self.light(try Self.render(photo, [], as: output))
    // From the primaries of IEC 61966-2-1 to those of SMPTE EG 432-1.
    let matrix = [
      0.822_462, 0.177_538, 0, 0.033_194, 0.966_806, 0, 0.017_083, 0.072_397, 0.910_520,
    ]
    var errors: [Double] = []
    for (one, other) in zip(before, after) {
      for channel in 0..<3 {
        let wanted = (0..<3).reduce(0) { $0 + matrix[3 * channel + $1] * one[$1] }
        errors.append(abs(other[channel] - wanted) / max(wanted, 0.05))
      }
    }
    errors.sort()
    #expect(errors[errors.count / 2] < 0.01 && errors[errors.count * 95 / 100] < 0.03)
  }

  /// Without color the map has one channel, and the HDR rendition is gray.
  @Test func blackAndWhiteHasANeutralMap() throws {
    let photo = try Self.photo(bands: 3)
    let before = try Self.light(try Self.read(photo, Self.nothing))
    var gray = BlackAndWhite()
    gray.amount = 100
    let rendered = try Self.render(photo, [gray])
    let after = try Self.light(rendered)
    #expect(rendered.codes?.bands == 1 && rendered.map?.channelCount == 1)
    let errors = zip(before, after).map { one, other in
      let wanted = 0.2126 * one[0] + 0.7152 * one[1] + 0.0722 * one[2]
      return abs(other[1] - wanted) / max(wanted, 0.05)
    }.sorted()
    #expect(errors[errors.count / 2] < 0.01 && errors[errors.count * 95 / 100] < 0.03)
  }

  /// A curve of tones of encoded values, and where it reaches white.
  struct Tones: Sendable, CustomStringConvertible {
    let description: String
    let adjustment: any Adjustment
    var white = 1.0
    let curve: @Sendable (Double) -> Double

    /// What becomes of light: by the curve up to white, and from there straight on.
    func light(_ light: Double) -> Double {
      func inside(_ light: Double) -> Double {
        ReferenceColor.linear(curve(ReferenceColor.encoded(light)))
      }
      let top = ReferenceColor.linear(white)
      guard light > top else { return inside(light) }
      let slope = (inside(top) - inside(top - 1e-6)) / 1e-6
      return inside(top) + max(slope, 0) * (light - top)
    }
  }

  private static let tones: [Tones] = {
    func made<Kind: Adjustment>(_ change: (inout Kind) -> Void) -> Kind {
      var adjustment = Kind()
      change(&adjustment)
      return adjustment
    }
    let levels: Levels = made { ($0.all.black, $0.all.white, $0.all.gamma) = (10, 200, 1.2) }
    let curve: ToneCurve = made {
      $0.all = ToneCurve.Curve([.init(0, 0), .init(0.4, 0.3), .init(1, 1)])
    }
    let gray: @Sendable (Double) -> [Double] = { [$0, $0, $0] }
    return [
      Tones(description: "contrast 40", adjustment: made { (it: inout Contrast) in it.amount = 40 })
      {
        ReferenceLight.contrast(gray($0), amount: 40)[0]
      },
      Tones(
        description: "contrast −40", adjustment: made { (it: inout Contrast) in it.amount = -40 }
      ) {
        ReferenceLight.contrast(gray($0), amount: -40)[0]
      },
      Tones(
        description: "brightness", adjustment: made { (it: inout Brightness) in it.amount = 30 }
      ) {
        ReferenceLight.brightness(gray($0), amount: 30)[0]
      },
      Tones(description: "gamma", adjustment: made { (it: inout Gamma) in it.amount = 0.8 }) {
        ReferenceLight.gamma(gray($0), amount: 0.8)[0]
      },
      Tones(description: "fade", adjustment: made { (it: inout Fade) in it.amount = 50 }) {
        ReferenceLight.fade(gray($0), amount: 50)[0]
      },
      Tones(
        description: "whites",
        adjustment: made { (it: inout WhitesBlacks) in (it.whites, it.blacks) = (50, -30) }
      ) { ReferenceLight.whitesBlacks(gray($0), whites: 50, blacks: -30)[0] },
      Tones(description: "levels", adjustment: levels, white: 200 / 255) {
        ReferenceLight.levels(gray($0), levels)[0]
      },
      Tones(description: "tone curve", adjustment: curve) {
        ReferenceColor.toneCurve(gray($0), curve)[0]
      },
    ]
  }()

  /// Curves of tones go on above white as straight lines in light.
  @Test(arguments: tones.indices, [1, 3]) func tonesGoOnAboveWhite(index: Int, bands: Int) throws {
    let tones = Self.tones[index]
    let photo = try Self.photo(bands: bands)
    let before = try Self.light(try Self.read(photo, Self.nothing))
    let after = try Self.light(try Self.render(photo, [tones.adjustment]))
    var errors: [Double] = []
    for (one, other) in zip(before, after) {
      for channel in 0..<3 {
        let wanted = tones.light(one[channel])
        errors.append(abs(other[channel] - wanted) / max(wanted, 0.05))
      }
    }
    errors.sort()
    #expect(
      errors[errors.count / 2] < 0.01 && errors[errors.count * 95 / 100] < 0.03, "\(tones)")
  }

  /// A curve on luminance multiplies the channels alike.
  @Test func aCurveOnLuminanceKeepsColorsAboveWhite() throws {
    var curve = ToneCurve()
    (curve.all, curve.mode) = (
      ToneCurve.Curve([.init(0, 0), .init(0.4, 0.3), .init(1, 1)]), .luminance
    )
    var plain = curve
    plain.mode = .channels
    let tones = Tones(description: "luminance", adjustment: curve) { [plain] in
      ReferenceColor.toneCurve([$0, $0, $0], plain)[0]
    }
    let photo = try Self.photo(bands: 3)
    let before = try Self.light(try Self.read(photo, Self.nothing))
    let after = try Self.light(try Self.render(photo, [curve]))
    var errors: [Double] = []
    for (one, other) in zip(before, after) {
      let luminance = 0.2126 * one[0] + 0.7152 * one[1] + 0.0722 * one[2]
      for channel in 0..<3 {
        let wanted = one[channel] * tones.light(luminance) / luminance
        errors.append(abs(other[channel] - wanted) / max(wanted, 0.05))
      }
    }
    errors.sort()
    #expect(errors[errors.count / 2] < 0.01 && errors[errors.count * 95 / 100] < 0.03)
  }

  /// What has no meaning above white keeps the ratio of the two renditions.
  @Test func otherAdjustmentsKeepTheMap() throws {
    var posterize = Posterize()
    posterize.levels = 6
    let photo = try Self.photo()
    let before = try #require(Self.read(photo, Self.nothing).codes)
    let rendered = try Self.render(photo, [posterize])
    #expect(try before.pixelBytes() == rendered.codes?.pixelBytes())
    #expect(rendered.map?.meaning == Self.meaning)
  }

  /// A photo whose own pixels are the brighter ones keeps its map, whatever the edit.
  @Test func aBaseThatIsBrighterKeepsItsMap() throws {
    let meaning = GainMapMeaning(
      channels: [.init(minimum: 0, maximum: 2)], baseHeadroom: 2, alternateHeadroom: 0)!
    let photo = try Self.photo(meaning: meaning)
    var exposure = Exposure()
    exposure.amount = 1
    let before = try #require(Self.read(photo, Self.nothing).codes)
    let rendered = try Self.render(photo, [exposure])
    #expect(rendered.map?.meaning == meaning && rendered.map?.isBaseBrighter == true)
    #expect(try before.pixelBytes() == rendered.codes?.pixelBytes())
  }
}
