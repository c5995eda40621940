import Glibc

// Apple's adjustments that are lists of points or of colors.

extension AppleTranslation {
  /// Curves of brightness and of the three colors.
  mutating func bendCurves(_ curves: AppleAdjustment) -> Grade? {
    func curve(_ name: String) -> ToneCurve.Curve? {
      let points = (curves.settings[name]?.elements ?? []).compactMap { point in
        zip(point["x"]?.number, point["y"]?.number)
      }.sorted { $0.0 < $1.0 }
      var kept: [ToneCurve.Curve.Point] = []
      for (x, y) in points {
        let input = x.limited(to: 0...1)
        if let last = kept.last, input <= last.input { continue }
        kept.append(.init(input, y.limited(to: 0...1)))
      }
      return kept.count >= 2 ? ToneCurve.Curve(kept) : nil
    }
    let names = ["pointsL", "pointsR", "pointsG", "pointsB"]
    let found = names.map(curve)
    guard found.contains(where: { $0?.isStraight == false }) else { return nil }
    return add(ToneCurve.self) { ours in
      ours.all = found[0] ?? ours.all
      ours.red = found[1] ?? ours.red
      ours.green = found[2] ?? ours.green
      ours.blue = found[3] ?? ours.blue
    }
  }

  /// Levels of brightness and of the three colors.
  mutating func setLevels(_ levels: AppleAdjustment) -> Grade? {
    func points(_ channel: String, _ ours: inout Levels.Points) {
      func tone(_ name: String, _ neutral: Double) -> Double {
        (levels.number(name + channel) ?? neutral).limited(to: 0...1)
      }
      let (black, middle, white) = (tone("blackSrc", 0), tone("midSrc", 0.5), tone("whiteSrc", 1))
      guard black < middle, middle < white else { return }
      (ours.black, ours.white) = (
        (255 * black).limited(to: 0...255), (255 * white).limited(to: 0...255)
      )
      ours.outputBlack = (255 * tone("blackDst", 0)).limited(to: 0...255)
      ours.outputWhite = (255 * tone("whiteDst", 1)).limited(to: 0...255)
      // The tone in the middle of the source becomes that of the result.
      let place = (middle - black) / (white - black)
      let wanted = tone("midDst", 0.5)
      if place > 0, place < 1, wanted > 0, wanted < 1, abs(place - wanted) > 0.001 {
        ours.gamma = (log(place) / log(wanted)).limited(to: 0.1...10)
      }
    }
    let isSet = levels.settings.members?.contains { member in
      guard let number = member.value.number else { return false }
      let neutral: [(String, Double)] = [
        ("black", 0), ("shadow", 0.25), ("mid", 0.5), ("hilight", 0.75), ("white", 1),
      ]
      return neutral.contains { member.key.hasPrefix($0.0) && abs(number - $0.1) > 0.0001 }
    }
    guard isSet == true else { return nil }
    return add(Levels.self) { ours in
      points("RGB", &ours.all)
      points("Red", &ours.red)
      points("Green", &ours.green)
      points("Blue", &ours.blue)
    }
  }

  /// Corrections of colors that somebody pointed at.
  mutating func mixColors(_ selective: AppleAdjustment) -> Grade? {
    let corrections = selective.settings["corrections"]?.elements ?? []
    var grade: Grade?
    for correction in corrections {
      func value(_ name: String) -> Double { correction[name]?.number ?? 0 }
      let changes = [value("hueShift"), value("saturation"), value("luminance")]
      if changes.allSatisfy({ $0 == 0 }) { continue }
      guard let path = Self.band(value("red"), value("green"), value("blue")) else {
        grade = .unknown
        continue
      }
      let result = add(ColorMixer.self) { ours in
        ours[keyPath: path].hue = (100 * changes[0]).limited(to: -100...100)
        ours[keyPath: path].saturation = (100 * changes[1]).limited(to: -100...100)
        ours[keyPath: path].luminance = (100 * changes[2]).limited(to: -100...100)
      }
      grade = max(grade ?? .exact, result)
    }
    return grade
  }

  /// The band whose hue is nearest; `nil` for gray.
  private static func band(
    _ red: Double, _ green: Double, _ blue: Double
  ) -> (WritableKeyPath<ColorMixer, ColorMixer.Band> & Sendable)? {
    let (low, high) = (min(red, green, blue), max(red, green, blue))
    guard high > low, high.isFinite, low.isFinite else { return nil }
    let chroma = high - low
    let sixth =
      high == red
      ? (green - blue) / chroma
      : high == green ? 2 + (blue - red) / chroma : 4 + (red - green) / chroma
    let hue = (sixth < 0 ? sixth + 6 : sixth) * 60
    let bands: [(Double, WritableKeyPath<ColorMixer, ColorMixer.Band> & Sendable)] = [
      (0, \.red), (30, \.orange), (60, \.yellow), (120, \.green), (180, \.aqua), (240, \.blue),
      (275, \.purple), (310, \.magenta), (360, \.red),
    ]
    return bands.min { abs($0.0 - hue) < abs($1.0 - hue) }?.1
  }
}

private func zip(_ one: Double?, _ other: Double?) -> (Double, Double)? {
  guard let one, let other, one.isFinite, other.isFinite else { return nil }
  return (one, other)
}
