import FoundationEssentials
import Glibc
import SafelightAdjustments

/// Exposure, contrast, highlights, shadows, whites and blacks by the picture's histograms of encoded
/// values, 0 to 1.
///
/// An adjustment stays neutral when the tones are already as most photographers leave them;
/// otherwise it goes only part of the way. The numbers are Safelight's own, tuned on photos. The
/// key of a picture is the mean of (luma + largest channel) / 2, because a deep blue sky is not
/// dark. The base of a pixel is the brightness around it, as ``HighlightsShadows`` sees it. An
/// amount x with a limit m becomes x / √(1 + (x / m)²), so that it comes near the limit and
/// never stands at it.
///
/// - Exposure: a key below 0.42 is raised by 60 % of its distance from 0.42. The exposure rises by
///   less than 1.5 stops (the limit), and by at most the stops that bring the 98th percentile of the
///   largest channel to 0.95 (the room). With a key below 0.38, the exposure rises by at least 60 %
///   of the room beyond a third of a stop; this share falls to 0 at a key of 0.5. A key above 0.62
///   is lowered by 40 % of its distance from 0.58, by at most half a stop, only when more than 2 %
///   of the pixels are nearly white, because snow and paper are meant to be bright, and only when
///   less than 5 % of the picture is dark: somebody before a bright window does not get darker.
/// - Shadows: dark is a base of 0.03 to 0.3; what is darker is meant to be black. The mean of the
///   dark parts is raised by half its distance from 0.25, with a limit of 40. All of this is done
///   with light from behind: when a third of the picture is dark, a seventh is bright (a base above
///   0.6), and the key is at most 0.47 or at most a tenth is neither dark nor bright. Nothing is
///   done up to 10 % dark parts, or with a key from 0.62 on and a quarter between dark and bright,
///   and a fifth when nothing is bright, because night is dark.
/// - Highlights: recovered by 4 for each percent of the picture that is bright and has lost one
///   channel, above 0.97, but not the smallest, below 0.92; the limit is 40.
/// - Contrast: the 5th percentile of the smallest channel and the 95th of the largest should be at
///   least 0.58 apart. Otherwise contrast rises until their distance has grown by 70 % of what it
///   lacks from 0.68, with a limit of 35.
/// - Whites and blacks: when the 99.7th percentile of the largest channel lacks d > 0.02 from 0.97,
///   the whites rise by 50 d / (d + 0.2). When the 0.3rd percentile of the smallest channel is
///   d > 0.02 above 0.02, the blacks sink by 40 d / (d + 0.15).
/// - Contrast and blacks darken dark parts. With light from behind they are left out.
///
/// Amounts are found by bisection through the curves of the adjustments, highlights and shadows left
/// out, so that the others do not take back what these two give.
struct AutomaticTone {
  private(set) var exposure = Exposure()
  private(set) var contrast = Contrast()
  private(set) var local = HighlightsShadows()
  private(set) var ends = WhitesBlacks()

  init(_ picture: ReducedPicture) {
    let planes = picture.planes
    let pixels = planes[0].indices
    let bright = pixels.map { max(planes[0][$0], planes[1][$0], planes[2][$0]) }
    let dark = pixels.map { min(planes[0][$0], planes[1][$0], planes[2][$0]) }
    let luma = picture.luma
    let base = zip(luma.values, LocalLaplacian(areasOf: luma).pull(at: luma)).map { $0 + $1 }
    let keys = Histogram(zip(luma.values, bright).map { ($0 + $1) / 2 })
    let (largest, smallest, bases) = (Histogram(bright), Histogram(dark), Histogram(base))

    expose(keys, largest, bases)
    let fromBehind = openShadows(bases, key: keys.mean(of: exposed))
    let (lost, kept, high) = (
      Float(unexposed(0.97)), Float(unexposed(0.92)), Float(unexposed(0.6))
    )
    let blown = pixels.count(where: { bright[$0] > lost && dark[$0] < kept && base[$0] > high })
    local.highlights = -Self.limited(
      400 * Double(blown) / Double(max(pixels.count, 1)), to: 40
    ).rounded()
    addContrast(
      from: smallest.percentile(5), to: largest.percentile(95), share: 1 - fromBehind)
    let (black, white) = (smallest.percentile(0.3), largest.percentile(99.7))
    let (toWhite, toBlack) = (0.97 - through(white), through(black) - 0.02)
    if toWhite > 0.02 { ends.whites = (50 * toWhite / (toWhite + 0.2)).rounded() }
    if toBlack > 0.02 {
      ends.blacks = -(40 * toBlack / (toBlack + 0.15) * (1 - fromBehind)).rounded()
    }
  }

  private mutating func expose(_ keys: Histogram, _ largest: Histogram, _ bases: Histogram) {
    let key = keys.mean
    var range = 0.0...0.0
    var wanted = key
    if key < 0.5 {
      wanted = max(key + 0.6 * (0.42 - key), key)
      let bright = SRGBTransfer.linear(max(largest.percentile(98), 0.02))
      let room = min(3, max(log2(SRGBTransfer.linear(0.95) / bright), 0))
      let share = min((0.5 - key) / 0.12, 1)
      range = min(0.6 * share * max(room - 1.0 / 3, 0), room)...room
    } else if key > 0.62, largest.share(above: 0.985) > 0.02,
      Self.dark({ bases.mean(of: $0) }) < 0.05
    {
      wanted = key + 0.4 * (0.58 - key)
      range = -0.5...0
    }
    guard range.lowerBound < range.upperBound else { return }
    let stops = Self.root(in: range) { stops in
      exposure.amount = stops
      return keys.mean(of: exposed) - wanted
    }
    exposure.amount = (Self.limited(stops, to: 1.5) * 20).rounded() / 20
  }

  /// Sets the shadows.
  ///
  /// - Parameters:
  ///   - bases: The bases before the exposure.
  ///   - key: The key after the exposure.
  /// - Returns: How sure it is that the light comes from behind, 0 to 1.
  private mutating func openShadows(_ bases: Histogram, key: Double) -> Double {
    let exposed = exposed
    func mean(_ function: (Double) -> Double) -> Double { bases.mean { function(exposed($0)) } }
    let share = Self.dark(mean)
    let bright = min(mean { $0 > 0.6 ? 1 : 0 } / 0.15, 1)
    let between = mean { $0 >= 0.3 && $0 <= 0.6 ? 1 : 0 }
    guard share > 0.1 else { return 0 }
    /// The mean of the dark parts with shadows of `amount`, by the formula of the adjustment.
    func opened(_ amount: Double) -> Double {
      mean { base in
        guard Self.isDark(base) else { return 0 }
        let gain = 3 * amount / 100 * pow(max(1 - base / 0.6, 0), 3)
        return base * (1 + gain) / (1 + gain * base)
      } / share
    }
    let now = opened(0)
    let wanted = now + 0.5 * max(0.25 - now, 0)
    let amount = Self.root(in: 0...100) { opened($0) - wanted }
    let isSplit = min(max((0.62 - key) / 0.15, (0.25 - between) / 0.15, 0), 1)
    let isDark = min((share - 0.1) / 0.25, 1) * isSplit
    local.shadows = (Self.limited(amount, to: 40) * (0.2 + 0.8 * bright) * isDark).rounded()
    return bright * isDark
  }

  private static func isDark(_ base: Double) -> Bool { base > 0.03 && base < 0.3 }

  /// The share of dark parts.
  ///
  /// - Parameter mean: The mean of a function of the bases.
  private static func dark(_ mean: ((Double) -> Double) -> Double) -> Double {
    mean { isDark($0) ? 1 : 0 }
  }

  /// What the exposure makes of a gray.
  private var exposed: (Double) -> Double {
    let gain = exp2(exposure.amount)
    return { min(SRGBTransfer.encoded(SRGBTransfer.linear($0) * gain), 1) }
  }

  /// The gray of which the exposure makes a gray.
  private func unexposed(_ value: Double) -> Double {
    SRGBTransfer.encoded(SRGBTransfer.linear(value) / exp2(exposure.amount))
  }

  /// An amount that stays below a limit.
  private static func limited(_ amount: Double, to limit: Double) -> Double {
    amount / (1 + amount / limit * (amount / limit)).squareRoot()
  }

  /// - Parameter share: How much of the contrast is added.
  private mutating func addContrast(from dark: Double, to bright: Double, share: Double) {
    let spread = through(bright) - through(dark)
    guard spread < 0.58 else { return }
    let wanted = spread + 0.7 * (0.68 - spread)
    let amount = Self.root(in: 0...100) { amount in
      contrast.amount = amount
      return through(bright) - through(dark) - wanted
    }
    contrast.amount = (Self.limited(amount, to: 35) * share).rounded()
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

  /// The gray that the adjustments found so far make of a gray, highlights and shadows left out.
  private func through(_ value: Double) -> Double {
    var gray = ReducedPicture(
      planes: [[Float]](repeating: [Float(value)], count: 3), width: 1, height: 1, factor: 1)
    let context = StepContext(size: PixelSize(width: 1, height: 1), scale: 1)
    gray.apply(
      exposure.colorSteps(in: context) + ends.colorSteps(in: context)
        + contrast.colorSteps(in: context))
    return Double(gray.planes[1][0])
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

  /// The share of values above a limit.
  func share(above limit: Double) -> Double { mean { $0 > limit ? 1 : 0 } }
}
