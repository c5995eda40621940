import SafelightCLCMS

/// A profile's curve from codes (0 to 1) to linear light (0 to 1).
struct ToneResponse: Sendable {
  /// Linear light for each of 4,097 codes, evenly spaced.
  private let samples: [Double]

  /// Reads a curve from an open profile; `nil` when it is missing or does not rise from dark to
  /// light.
  init?(_ profile: cmsHPROFILE, _ tag: cmsTagSignature) {
    guard let raw = cmsReadTag(profile, tag) else { return nil }
    let curve = OpaquePointer(raw)
    self.init((0...4096).map { Double(cmsEvalToneCurveFloat(curve, Float($0) / 4096)) })
  }

  init?(_ samples: [Double]) {
    guard samples.allSatisfy(\.isFinite), let first = samples.first, let last = samples.last,
      last - first > 0.5, zip(samples, samples.dropFirst()).allSatisfy({ $0 <= $1 })
    else { return nil }
    self.samples = samples
  }

  /// Linear light of a code; codes beyond 0 and 1 count as these.
  func linear(_ code: Double) -> Double {
    let position = min(max(code, 0), 1) * Double(samples.count - 1)
    let index = min(Int(position), samples.count - 2)
    let share = position - Double(index)
    return samples[index] + (samples[index + 1] - samples[index]) * share
  }

  /// Whether the curve is sRGB's to within half a code of 255.
  var isSRGB: Bool {
    (0...255).allSatisfy { code in
      let encoded = Double(code) / 255
      return abs(SRGBTransfer.encoded(linear(encoded)) - encoded) < 0.5 / 255
    }
  }

  /// The code whose linear light is `linear`, by halving the interval and a straight line within;
  /// 0 or 1 for light beyond the curve's ends.
  func code(_ linear: Double) -> Double {
    var (low, high) = (0, samples.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if samples[middle] <= linear { low = middle } else { high = middle }
    }
    let step = samples[high] - samples[low]
    let share = step > 0 ? min(max((linear - samples[low]) / step, 0), 1) : 0
    return (Double(low) + share) / Double(samples.count - 1)
  }
}
