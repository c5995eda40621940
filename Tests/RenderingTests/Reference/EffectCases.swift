import SafelightAdjustments

extension ReferenceCase {
  /// The effects at settings from end to end.
  static let effects: [ReferenceCase] =
    amounts(\Fade.amount, [1, 35, 100]) { ReferenceLight.fade($0, amount: $1) }
    + amounts(\Invert.amount, [20, 50, 100]) { ReferenceLight.invert($0, amount: $1) }
    + [2, 3, 8, 100, 255].map(posterize)
    + vignettes.map(vignette)
    + grains.map(grain)

  private static func posterize(_ levels: Int) -> ReferenceCase {
    var adjustment = Posterize()
    adjustment.levels = levels
    return ReferenceCase("posterize \(levels)", adjustment) { pixel, _ in
      ReferenceLight.posterize(pixel, levels: levels)
    }
  }

  /// Amount, midpoint, roundness and feather.
  private static let vignettes: [(Double, Double, Double, Double)] = [
    (-100, 50, 0, 50), (100, 50, 0, 50), (-40, 0, 100, 100), (-100, 100, -100, 20),
    (60, 20, 35, 0), (-75, 70, -40, 80),
  ]

  private static func vignette(
    _ amount: Double, _ midpoint: Double, _ roundness: Double, _ feather: Double
  ) -> ReferenceCase {
    var vignette = Vignette()
    (vignette.amount, vignette.midpoint) = (amount, midpoint)
    (vignette.roundness, vignette.feather) = (roundness, feather)
    let adjustment = vignette
    return ReferenceCase(
      "vignette \(amount), \(midpoint), \(roundness), \(feather)", adjustment
    ) { pixel, place in
      ReferenceEffects.vignette(
        pixel, adjustment, x: place.x, y: place.y, width: place.width, height: place.height)
    }
  }

  /// Amount, size, roughness and seed.
  private static let grains: [(Double, Double, Double, Int)] = [
    (100, 1, 0, 0), (50, 1.5, 50, 1), (100, 2.3, 100, 4_294_967_295), (30, 20, 20, 7),
  ]

  private static func grain(
    _ amount: Double, _ size: Double, _ roughness: Double, _ seed: Int
  ) -> ReferenceCase {
    var grain = Grain()
    (grain.amount, grain.size, grain.roughness, grain.seed) = (amount, size, roughness, seed)
    let adjustment = grain
    return ReferenceCase(
      "grain \(amount), \(size), \(roughness), \(seed)", adjustment
    ) { pixel, place in
      ReferenceEffects.grain(pixel, adjustment, x: place.x, y: place.y)
    }
  }
}
