// What is known of Apple's adjustments. Names and values are those of the published sidecars that the tests have; strengths
// are fitted to pictures that Apple rendered, by `Tests/Apple/compare.py`, where a note says so.

extension AppleTranslation {
  /// What is known of each of Apple's adjustments.
  public static let table: [Row] = geometry + filters + light + color + curves + detail + others

  private static let geometry: [Row] = [
    Row(
      "Crop", "xOrigin, yOrigin, width, height", "crop", .exact,
      "Counts from the bottom left corner. Exact for originals that lie upright; near for turned ones, whose corner is not measured."
    ) { crop, draft in
      guard let x = crop.number("xOrigin"), let y = crop.number("yOrigin"),
        let width = crop.number("width"), let height = crop.number("height"), width > 0, height > 0
      else { return nil }
      let isStraight = straightening.allSatisfy { crop.number($0) ?? 0 == 0 }
      if isStraight, x == 0, y == 0, width == draft.width, height == draft.height { return nil }
      // The rectangle of a straightened picture lies in one whose size is not known.
      guard isStraight, x >= 0, y >= 0, x + width <= draft.width + 0.5,
        y + height <= draft.height + 0.5
      else { return .unknown }
      let (w, h) = (draft.width, draft.height)
      let grade = draft.add(Crop.self) { ours in
        (ours.x, ours.y) = (x / w, max(h - y - height, 0) / h)
        (ours.width, ours.height) = (min(width / w, 1 - ours.x), min(height / h, 1 - ours.y))
      }
      return grade == .near && draft.orientation == 1 ? .exact : grade
    },
    Row(
      "Crop", "straightenAngle, angle", nil, .unknown,
      "No published recipe with a picture tells which way is positive."
    ) { crop, _ in isSet(crop, "straightenAngle", "angle") },
    Row(
      "Crop", "pitch, yaw", nil, .unknown,
      "The scale of the angles, and which way is positive, are not measured."
    ) { crop, _ in isSet(crop, "pitch", "yaw") },
    Row(
      "Orientation", "value", "rotate, flip", .near,
      "Taken as Exif's number of the turned picture. Not measured."
    ) { turn, draft in
      guard let value = turn.number("value"), value != 1 else { return nil }
      guard draft.orientation == 1, let turned = turns[Int(value.limited(to: 0...9))] else {
        return .unknown
      }
      let rotated = draft.add(Rotate.self) { $0.amount = turned.0 }
      return max(rotated, draft.add(Flip.self) { $0.horizontal = turned.1 })
    },
  ]

  private static let straightening = ["straightenAngle", "angle", "pitch", "yaw"]

  /// The turn and whether it is mirrored after it, by Exif's orientation.
  private static let turns: [Int: (QuarterTurns, Bool)] = [
    2: (.none, true), 3: (.half, false), 4: (.half, true), 5: (.right, true), 6: (.right, false),
    7: (.left, true), 8: (.left, false),
  ]

  private static let filters = ["Effect", "Effect3D"].map { name in
    Row(
      name, "effectName", "filter", .near,
      "The filter of the same name; Dramatic Cool is measured."
    ) { effect, draft in
      guard let name = effect.settings["effectName"]?.string, name != "None" else { return nil }
      guard let filter = filterNames[AppleAdjustment.filterTitle(name)] else { return .unknown }
      draft.filter = filter
      return .near
    }
  }

  /// Our filters by the names that people know.
  private static let filterNames = [
    "Vivid": "vivid", "Vivid Warm": "vivid-warm", "Vivid Cool": "vivid-cool",
    "Dramatic": "dramatic", "Dramatic Warm": "dramatic-warm", "Dramatic Cool": "dramatic-cool",
    "Mono": "mono", "Silverplate": "silvertone", "Silvertone": "silvertone", "Noir": "noir",
    "Tonal": "tonal", "Fade": "fade", "Chrome": "chrome", "Process": "process",
    "Transfer": "transfer", "Instant": "instant",
  ]

  private static let light: [Row] = [
    Row(
      "SmartTone", "inputLight", "brightness, blacks", .near,
      "Measured: 0.19 is brightness 15, -0.28 is blacks -30."
    ) { tone, draft in
      guard let light = value(tone, "inputLight") else { return nil }
      return light > 0
        ? draft.add(Brightness.self) { $0.amount = ($0.amount + 80 * light).limited(to: percent) }
        : draft.add(WhitesBlacks.self) {
          $0.blacks = ($0.blacks + 105 * light).limited(to: percent)
        }
    },
    Row("SmartTone", "offsetExposure", "exposure", .near, "In stops; not measured.") {
      tone, draft in
      value(tone, "offsetExposure").map { amount in
        draft.add(Exposure.self) { $0.amount = ($0.amount + amount).limited(to: -5...5) }
      }
    },
    row("SmartTone", "offsetBrightness", "brightness", Brightness.self, \.amount, 100),
    row("SmartTone", "offsetContrast", "contrast", Contrast.self, \.amount, 50),
    row("SmartTone", "offsetHighlights", "highlights", HighlightsShadows.self, \.highlights, 100),
    row("SmartTone", "offsetShadows", "shadows", HighlightsShadows.self, \.shadows, 100),
    row("SmartTone", "offsetBlackPoint", "blacks", WhitesBlacks.self, \.blacks, -100),
    row("SmartTone", "offsetLocalLight", "shadows", HighlightsShadows.self, \.shadows, 50),
  ]

  private static let color: [Row] = [
    row(
      "SmartColor", "inputColor", "saturation", Saturation.self, \.amount, 95,
      "Measured: 0.11 is saturation 10."),
    row("SmartColor", "offsetSaturation", "saturation", Saturation.self, \.amount, 100),
    row("SmartColor", "offsetContrast", "vibrance", Vibrance.self, \.amount, 100),
    Row("SmartColor", "offsetCast", nil, .unknown, "Which way is warm is not measured.") {
      color, _ in isSet(color, "offsetCast")
    },
    Row(
      "SmartBlackAndWhite", "inputBlackAndWhite", "black-and-white", .near,
      "Measured: 0.65 is black-and-white 100."
    ) { _, draft in draft.add(BlackAndWhite.self) { $0.amount = 100 } },
    Row(
      "SmartBlackAndWhite", "offsetNeutralGamma, offsetTone, offsetStrength, offsetHue", nil,
      .unknown, "Mixes of hues that are not measured."
    ) { gray, _ in
      isSet(gray, "offsetNeutralGamma", "offsetTone", "offsetStrength", "offsetHue")
    },
    row("SmartBlackAndWhite", "offsetGrain", "grain", Grain.self, \.amount, 100, range: 0...100),
    Row(
      "WhiteBalance", "temperature, tint", "temperature, tint", .near,
      "In kelvin, where the sidecar has them; not measured."
    ) { balance, draft in
      let kelvin = balance.number("temperature") ?? 0
      guard (2000...25_000).contains(kelvin) else { return .unknown }
      return draft.add(WhiteBalance.self) { ours in
        ours.temperature = kelvin
        ours.tint = (balance.number("tint") ?? 0).limited(to: percent)
      }
    },
    Row(
      "SelectiveColor", "corrections", "color-mixer", .near,
      "The band of ours that is nearest in hue; not measured."
    ) { selective, draft in draft.mixColors(selective) },
  ]

  private static let curves: [Row] = [
    Row(
      "Curves", "pointsL, pointsR, pointsG, pointsB", "tone-curve", .near,
      "The same points; the curve between them may bend otherwise. Not measured."
    ) { curves, draft in draft.bendCurves(curves) },
    Row(
      "Levels", "black…, mid…, whiteSrc and Dst", "levels", .near,
      "Black, middle and white; not measured."
    ) { levels, draft in draft.setLevels(levels) },
  ]

  private static let detail: [Row] = [
    Row("Vignette", "intensity, radius, falloff", "vignette", .near, "Not measured.") {
      vignette, draft in
      guard let intensity = value(vignette, "intensity") else { return nil }
      return draft.add(Vignette.self) { ours in
        ours.amount = (-100 * intensity).limited(to: percent)
        ours.midpoint = (50 * (vignette.number("radius") ?? 1)).limited(to: 0...100)
        ours.feather = (100 * (vignette.number("falloff") ?? 0.5)).limited(to: 0...100)
      }
    },
    row("Sharpen", "intensity", "sharpen", Sharpen.self, \.amount, 100, range: 0...150),
    row("Definition", "intensity", "clarity", Clarity.self, \.amount, 50),
    Row("NoiseReduction", "amount, edgeDetail", "noise-reduction", .near, "Not measured.") {
      noise, draft in
      guard let amount = value(noise, "amount") else { return nil }
      return draft.add(NoiseReduction.self) { ours in
        ours.luminance = (100 * amount).limited(to: 0...100)
        ours.color = ours.luminance
        ours.detail = (100 * (noise.number("edgeDetail") ?? 0.5)).limited(to: 0...100)
      }
    },
  ]

  private static let others: [Row] = [
    ("RedEye", "Pupils are painted."), ("Retouch", "Parts of the picture are painted anew."),
    ("DepthEffect", "A blur by the map of depths."),
    ("PortraitEffect", "Light by the map of depths."),
    ("LivePhotoKeyFrame", "Another frame of the video is the picture."),
    ("RKRawDecodeOperation", "How Apple develops a raw photo."),
  ].map { name, note in
    Row(name, "all", nil, .unknown, note) { _, _ in .unknown }
  }

  private static let percent = -100.0...100.0

  /// A value that is not at rest.
  private static func value(_ adjustment: AppleAdjustment, _ name: String) -> Double? {
    adjustment.number(name).flatMap { $0 == 0 || !$0.isFinite ? nil : $0 }
  }

  /// `unknown` when one of the values is not at rest.
  private static func isSet(_ adjustment: AppleAdjustment, _ names: String...) -> Grade? {
    names.contains { value(adjustment, $0) != nil } ? .unknown : nil
  }

  /// A row of one value that is a multiple of one of ours.
  private static func row<Value: Adjustment>(
    _ adjustment: String, _ setting: String, _ target: String, _ type: Value.Type,
    _ path: any WritableKeyPath<Value, Double> & Sendable, _ factor: Double,
    _ note: String = "Not measured.", range: ClosedRange<Double> = -100...100
  ) -> Row {
    Row(adjustment, setting, target, .near, note) { adjustment, draft in
      value(adjustment, setting).map { amount in
        draft.add(type) { ours in
          ours[keyPath: path] = (ours[keyPath: path] + factor * amount).limited(to: range)
        }
      }
    }
  }
}
