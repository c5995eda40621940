import FoundationEssentials
import Glibc
import SafelightAdjustments

/// Exposure, contrast, whites and blacks by the picture's histograms of encoded values, 0 to 1.
///
/// An adjustment stays neutral when the tones are already as most photographers leave them;
/// otherwise it goes only part of the way. The numbers are Safelight's own, tuned on photos. The
/// key of a picture is the mean of (luma + largest channel) / 2, because a deep blue sky is not
/// dark.
///
/// - Exposure: a key below 0.42 is raised by 60 % of its distance from 0.42. The exposure rises by
///   at most 1.5 stops, and by at most the stops that bring the 98th percentile of the largest
///   channel to 0.95 (the room). With a key below 0.38, the exposure rises by at least 60 % of the
///   room beyond a third of a stop; this share falls to 0 at a key of 0.5. A key above 0.62 is
///   lowered by 40 % of its distance from 0.58, by at most half a stop, and only when more than 2 %
///   of the pixels are nearly white: snow and paper are meant to be bright.
/// - Contrast: the 5th percentile of the smallest channel and the 95th of the largest should be at
///   least 0.58 apart. Otherwise contrast rises, to at most 35, until their distance has grown by
///   70 % of what it lacks from 0.68.
/// - Whites and blacks: the 99.7th percentile of the largest channel is brought to 0.97 when it is
///   below 0.95, and the 0.3rd percentile of the smallest channel to 0.02 when it is above 0.04.
///   Each adjustment is at most 30.
///
/// Amounts are found by bisection through the curves of the adjustments.
struct AutomaticTone {
  private(set) var exposure = Exposure()
  private(set) var contrast = Contrast()
  private(set) var ends = WhitesBlacks()

  init(_ picture: ReducedPicture) {
    let planes = picture.planes
    let pixels = planes[0].indices
    let bright = pixels.map { max(planes[0][$0], planes[1][$0], planes[2][$0]) }
    let dark = pixels.map { min(planes[0][$0], planes[1][$0], planes[2][$0]) }
    let keys = zip(picture.luma.values, bright).map { ($0 + $1) / 2 }
    let (largest, smallest) = (Histogram(bright), Histogram(dark))

    expose(Histogram(keys), largest)
    addContrast(from: smallest.percentile(5), to: largest.percentile(95))
    let (black, white) = (smallest.percentile(0.3), largest.percentile(99.7))
    if through(white) < 0.95 {
      ends.whites = Self.root(in: 0...30) { amount in
        ends.whites = amount
        return through(white) - 0.97
      }.rounded()
    }
    if through(black) > 0.04 {
      ends.blacks = -Self.root(in: 0...30) { amount in
        ends.blacks = -amount
        return 0.02 - through(black)
      }.rounded()
    }
  }

  private mutating func expose(_ keys: Histogram, _ largest: Histogram) {
    let key = keys.mean
    var range = 0.0...0.0
    var wanted = key
    if key < 0.5 {
      wanted = max(key + 0.6 * (0.42 - key), key)
      let bright = SRGBTransfer.linear(max(largest.percentile(98), 0.02))
      let room = min(1.5, max(log2(SRGBTransfer.linear(0.95) / bright), 0))
      let share = min((0.5 - key) / 0.12, 1)
      range = min(0.6 * share * max(room - 1.0 / 3, 0), room)...room
    } else if key > 0.62, largest.share(above: 0.985) > 0.02 {
      wanted = key + 0.4 * (0.58 - key)
      range = -0.5...0
    }
    guard range.lowerBound < range.upperBound else { return }
    let stops = Self.root(in: range) { stops in
      keys.mean { min(SRGBTransfer.encoded(SRGBTransfer.linear($0) * exp2(stops)), 1) } - wanted
    }
    exposure.amount = (stops * 20).rounded() / 20
  }

  private mutating func addContrast(from dark: Double, to bright: Double) {
    let spread = through(bright) - through(dark)
    guard spread < 0.58 else { return }
    let wanted = spread + 0.7 * (0.68 - spread)
    contrast.amount = Self.root(in: 0...35) { amount in
      contrast.amount = amount
      return through(bright) - through(dark) - wanted
    }.rounded()
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

  /// The gray that the adjustments found so far make of a gray.
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
