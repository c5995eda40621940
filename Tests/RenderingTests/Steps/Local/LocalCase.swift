import SafelightAdjustments
import Testing

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

  static func blur(_ radius: Double) -> Blur {
    var value = Blur()
    value.radius = radius
    return value
  }

  static let all: [LocalCase] =
    [(-100, 0), (100, -100), (-100, 100), (60, -40), (0, 100)].map {
      LocalCase("highlights \($0.0), shadows \($0.1)", [highlightsShadows($0.0, $0.1)])
    } + [-100, 40, 100].map { LocalCase("clarity \($0)", [clarity($0)]) }
    + [-100, 50, 100].map { LocalCase("dehaze \($0)", [dehaze($0)]) }
    + [
      LocalCase("glow", [glow(100)]),
      LocalCase("wide glow", [glow(60, radius: 5, threshold: 20)]),
      LocalCase("narrow glow", [glow(100, radius: 0.3, threshold: 0)]),
      LocalCase("sharpen", [sharpen(100)]),
      LocalCase("sharpen widely", [sharpen(150, radius: 3, threshold: 0)]),
      LocalCase("sharpen edges", [sharpen(80, radius: 0.5, threshold: 12)]),
      LocalCase("less noise", [noiseReduction(50, 50)]),
      LocalCase("least noise", [noiseReduction(100, 100, detail: 0)]),
      LocalCase("less noise of color", [noiseReduction(0, 60)]),
      LocalCase("less noise of brightness", [noiseReduction(70, 0)]),
      LocalCase(
        "shadows, clarity and sharpening",
        [highlightsShadows(-60, 70), clarity(60), sharpen(80)]),
      LocalCase(
        "all but blur",
        [
          noiseReduction(40, 40), dehaze(60), highlightsShadows(40, 50), clarity(-50),
          sharpen(60), glow(40),
        ]),
    ] + [0.4, 2, 7.5, 9, 20].map { LocalCase("blur \($0)", [blur($0)]) }
}
