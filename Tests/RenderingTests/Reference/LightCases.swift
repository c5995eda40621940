import SafelightAdjustments

extension ReferenceCase {
  /// The tone adjustments at settings from end to end.
  static let light: [ReferenceCase] =
    amounts(\Exposure.amount, [-5, -1.3, 0.5, 1, 5]) { ReferenceLight.exposure($0, stops: $1) }
    + amounts(\Brightness.amount, slider) { ReferenceLight.brightness($0, amount: $1) }
    + amounts(\Contrast.amount, slider + [0.01, -0.01]) { ReferenceLight.contrast($0, amount: $1) }
    + amounts(\Gamma.amount, [0.1, 0.45, 1.8, 10]) { ReferenceLight.gamma($0, amount: $1) }
    + amounts(\WhitesBlacks.whites, slider) {
      ReferenceLight.whitesBlacks($0, whites: $1, blacks: 0)
    }
    + [(-100, -100), (-100, 100), (100, -100), (100, 100), (30, -20)].map {
      whitesBlacks($0.0, $0.1)
    }
    + [spread, tinted, squeezed, reversed, bent].map(levels)

  private static let slider: [Double] = [-100, -50, -7, 12, 50, 100]

  private static func whitesBlacks(_ whites: Double, _ blacks: Double) -> ReferenceCase {
    var adjustment = WhitesBlacks()
    (adjustment.whites, adjustment.blacks) = (whites, blacks)
    return ReferenceCase("whites \(whites), blacks \(blacks)", adjustment) { pixel, _ in
      ReferenceLight.whitesBlacks(pixel, whites: whites, blacks: blacks)
    }
  }

  private static func levels(_ description: String, _ levels: Levels) -> ReferenceCase {
    // Tables bend where a level clips.
    ReferenceCase("levels \(description)", levels, within: 0.15) { pixel, _ in
      ReferenceLight.levels(pixel, levels)
    }
  }

  private static var spread: (String, Levels) {
    var levels = Levels()
    (levels.all.black, levels.all.white, levels.all.gamma) = (20, 230, 1.2)
    return ("spread", levels)
  }

  private static var tinted: (String, Levels) {
    var levels = Levels()
    (levels.red.black, levels.green.gamma, levels.blue.outputBlack) = (30, 0.6, 40)
    (levels.red.outputWhite, levels.green.white, levels.blue.white) = (200, 210.5, 190)
    return ("for each channel", levels)
  }

  private static var squeezed: (String, Levels) {
    var levels = Levels()
    (levels.all.outputBlack, levels.all.outputWhite, levels.red.gamma) = (60, 200, 2)
    return ("squeezed", levels)
  }

  private static var reversed: (String, Levels) {
    var levels = Levels()
    (levels.all.outputBlack, levels.all.outputWhite) = (255, 0)
    return ("reversed", levels)
  }

  private static var bent: (String, Levels) {
    var levels = Levels()
    (levels.all.gamma, levels.blue.gamma) = (1.7, 0.5)
    return ("bent", levels)
  }
}
