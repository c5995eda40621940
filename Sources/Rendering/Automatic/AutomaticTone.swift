import FoundationEssentials
import Glibc
import SafelightAdjustments

/// Exposure, shadows and the black and white points by the picture's histograms of encoded values, 0 to 1.
///
/// What is done takes back a fault that can be told: light that nowhere reaches white, and a veil over everything. A
/// photo that reaches both ends stays as it is, whatever lies between. The numbers are Safelight's own, tuned on
/// 82 photos and tried on 132 others. The black b of a picture is the 0.05th percentile of the smallest channels, its
/// white w the 99.95th of the largest; so no color is cut off. S(x) is 3x² − 2x³, with x limited to 0…1. An amount x
/// with a limit m becomes x / √(1 + (x / m)²), so that it comes near the limit and never stands at it. The key of a
/// picture is the mean of (luma + largest channel) / 2, because a deep blue sky is not dark.
///
/// - Exposure: the stops from w to white, with the limit 2, times S((0.95 − w) / 0.09). Only where black is black,
///   times 1 − S((b − 0.02) / 0.04): a veil is no lack of light. Less in a picture whose key k would become bright, times
///   1 − 0.6 S((k − 0.55) / 0.25): a sky or a wall that fills the picture need not reach white. A key that is still below
///   0.28 is raised by half of its distance, by less than 1.5 stops (the limit), and by at most those that bring the 98th
///   percentile of the largest channel to 0.95.
/// - Levels: black becomes b S((b − 0.03) / 0.05), and white 1 − l S((l − 0.03) / 0.05), with l what w lacks from 1
///   after the exposure. Contrast, whites and blacks are not used: a veil is a straight line, which they are not. With
///   light from behind black stays, because it would darken what is dark already.
/// - Shadows: only with light from behind, when a third of the picture is dark, a seventh is bright (a base above 0.6),
///   and at most a tenth is neither. Dark is a base of 0.03 to 0.3, and the base of a pixel is the brightness around it,
///   as ``HighlightsShadows`` sees it. The mean of the dark parts is raised by half its distance from 0.25, with a limit
///   of 25. Less is done the more of it is below 0.08, which is meant to be black, and nothing up to 10 % dark parts or
///   with a quarter between dark and bright.
///
/// Highlights are left alone: what a JPEG has lost does not come back, and bright subjects get dull.
struct AutomaticTone {
  private(set) var exposure = Exposure()
  private(set) var local = HighlightsShadows()
  private(set) var levels = Levels()

  init(_ picture: ReducedPicture) {
    let planes = picture.planes
    let bright = planes[0].indices.map { max(planes[0][$0], planes[1][$0], planes[2][$0]) }
    let luma = picture.luma
    let base = zip(luma.values, LocalLaplacian(areasOf: luma).pull(at: luma)).map { $0 + $1 }
    let keys = Histogram(zip(luma.values, bright).map { ($0 + $1) / 2 })
    let range = ToneRange(picture)

    // Without light, or with one color alone, nothing says how bright the picture should be.
    guard range.span > 0.1 else { return }
    expose(keys, Histogram(bright), range)
    let fromBehind = openShadows(Histogram(base))
    levels = range.levels(after: exposed)
    levels.all.black = (levels.all.black * max(1 - 2 * fromBehind, 0)).rounded()
  }

  private mutating func expose(_ keys: Histogram, _ largest: Histogram, _ range: ToneRange) {
    let room = -log2(SRGBTransfer.linear(max(range.white, 0.05)))
    let lacking = smoothStep((0.95 - range.white) / 0.09)
    let isBlack = 1 - smoothStep((range.black - 0.02) / 0.04)
    exposure.amount = Self.limited(room, to: 2) * lacking * isBlack
    let isBright = smoothStep((keys.mean(of: exposed) - 0.55) / 0.25)
    let stops = exposure.amount * (1 - 0.6 * isBright)
    exposure.amount = stops
    let key = keys.mean(of: exposed)
    if key < 0.28 {
      let wanted = key + 0.5 * (0.28 - key)
      let bright = SRGBTransfer.linear(max(largest.percentile(98), 0.02))
      let most = min(3, max(log2(SRGBTransfer.linear(0.95) / bright), stops))
      let more = Self.root(in: stops...most) { stops in
        exposure.amount = stops
        return keys.mean(of: exposed) - wanted
      }
      exposure.amount = max(stops, Self.limited(more, to: 1.5))
    }
    exposure.amount = (exposure.amount * 20).rounded() / 20
  }

  /// Sets the shadows.
  ///
  /// - Parameter bases: The bases before the exposure.
  /// - Returns: How sure it is that the light comes from behind, 0 to 1.
  private mutating func openShadows(_ bases: Histogram) -> Double {
    let exposed = exposed
    func mean(_ function: (Double) -> Double) -> Double { bases.mean { function(exposed($0)) } }
    func isDark(_ base: Double) -> Bool { base > 0.03 && base < 0.3 }
    let share = mean { isDark($0) ? 1 : 0 }
    let bright = min(mean { $0 > 0.6 ? 1 : 0 } / 0.15, 1)
    let between = mean { $0 >= 0.3 && $0 <= 0.6 ? 1 : 0 }
    guard share > 0.1 else { return 0 }
    /// The mean of the dark parts with shadows of `amount`, by the formula of the adjustment.
    func opened(_ amount: Double) -> Double {
      mean { base in
        guard isDark(base) else { return 0 }
        let gain = 3 * amount / 100 * pow(max(1 - base / 0.6, 0), 3)
        return base * (1 + gain) / (1 + gain * base)
      } / share
    }
    let now = opened(0)
    let wanted = now + 0.5 * max(0.25 - now, 0)
    let amount = Self.root(in: 0...100) { opened($0) - wanted }
    let isSplit = min(max((0.25 - between) / 0.15, 0), 1)
    let fromBehind = bright * isSplit * min((share - 0.1) / 0.25, 1)
    let deep = mean { $0 < 0.08 ? 1 : 0 } / mean { $0 < 0.3 ? 1 : 0 }
    local.shadows = (Self.limited(amount, to: 25) * fromBehind * (1 - deep)).rounded()
    return fromBehind
  }

  /// What the exposure makes of a gray.
  private var exposed: (Double) -> Double {
    let exposure = exposure
    return { SRGBTransfer.encoded(exposure.light(ofGray: SRGBTransfer.linear($0))) }
  }

  /// An amount that stays below a limit.
  private static func limited(_ amount: Double, to limit: Double) -> Double {
    amount / (1 + amount / limit * (amount / limit)).squareRoot()
  }

  /// The value at which `excess`, a rising function, is 0; an end of the range when no value inside
  /// gives 0.
  private static func root(in range: ClosedRange<Double>, _ excess: (Double) -> Double) -> Double {
    var (low, high) = (range.lowerBound, range.upperBound)
    for _ in 0..<24 {
      let middle = (low + high) / 2
      if excess(middle) < 0 { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}

/// The darkest and the brightest numbers that a picture has, but for a few pixels; see ``AutomaticTone``.
struct ToneRange {
  /// The 0.05th percentile of the smallest channels.
  let black: Double
  /// The 99.95th percentile of the largest channels.
  let white: Double

  /// The distance between them.
  var span: Double { white - black }

  init(_ picture: ReducedPicture) {
    let planes = picture.planes
    let pixels = planes[0].indices
    black = Histogram(pixels.map { min(planes[0][$0], planes[1][$0], planes[2][$0]) })
      .percentile(0.05)
    white = Histogram(pixels.map { max(planes[0][$0], planes[1][$0], planes[2][$0]) })
      .percentile(99.95)
  }

  /// The levels that take a veil away.
  ///
  /// - Parameter exposed: What acts before the levels.
  func levels(after exposed: (Double) -> Double = { $0 }) -> Levels {
    var levels = Levels()
    let (black, lack) = (exposed(black), 1 - exposed(white))
    guard 1 - lack - black > 0.1 else { return levels }
    levels.all.black = (255 * black * smoothStep((black - 0.03) / 0.05)).rounded()
    levels.all.white = (255 * (1 - lack * smoothStep((lack - 0.03) / 0.05))).rounded()
    return levels
  }
}

/// How often each of 1024 values from 0 to 1 occurs.
struct Histogram {
  private var counts = [Int](repeating: 0, count: 1024)
  private let total: Int

  init(_ values: [Float]) {
    let last = Float(counts.count - 1)
    for value in values { counts[Int((min(max(value, 0), 1) * last).rounded())] += 1 }
    total = max(values.count, 1)
  }

  private func value(_ index: Int) -> Double { Double(index) / Double(counts.count - 1) }

  /// The smallest value that at least `percent` percent of all values do not exceed.
  func percentile(_ percent: Double) -> Double {
    let wanted = percent / 100 * Double(total)
    var sum = 0
    for (index, count) in counts.enumerated() {
      sum += count
      if Double(sum) >= wanted, sum > 0 { return value(index) }
    }
    return 1
  }

  /// The mean of a function of the values.
  func mean(of function: (Double) -> Double) -> Double {
    var sum = 0.0
    for (index, count) in counts.enumerated() where count > 0 {
      sum += Double(count) * function(value(index))
    }
    return sum / Double(total)
  }

  /// The mean of the values.
  var mean: Double { mean { $0 } }
}
