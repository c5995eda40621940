import SafelightAdjustments

/// A curve through points that never overshoots them: piecewise cubic, monotone where they are.
///
/// Source: F. N. Fritsch and R. E. Carlson, "Monotone Piecewise Cubic Interpolation", SIAM
/// J. Numer. Anal. 17 (1980), with slopes limited to a circle of radius 3 (their method 2).
struct MonotoneCubic: Sendable {
  private let inputs: [Double]
  private let outputs: [Double]
  private let slopes: [Double]

  init(_ curve: Curve) {
    inputs = curve.points.map(\.input)
    outputs = curve.points.map(\.output)
    let secants = zip(curve.points, curve.points.dropFirst()).map {
      ($1.output - $0.output) / ($1.input - $0.input)
    }
    var slopes = [secants[0]]
    for (left, right) in zip(secants, secants.dropFirst()) {
      // At a local extreme the curve must be level, or it would overshoot.
      slopes.append(left * right <= 0 ? 0 : (left + right) / 2)
    }
    slopes.append(secants[secants.count - 1])
    for (index, secant) in secants.enumerated() {
      guard secant != 0 else {
        (slopes[index], slopes[index + 1]) = (0, 0)
        continue
      }
      let (left, right) = (slopes[index] / secant, slopes[index + 1] / secant)
      let size = left * left + right * right
      if size > 9 {
        let scale = 3 / size.squareRoot()
        slopes[index] = scale * left * secant
        slopes[index + 1] = scale * right * secant
      }
    }
    self.slopes = slopes
  }

  /// The output for `input`; before the first point and after the last it stays level.
  func callAsFunction(_ input: Double) -> Double {
    guard input > inputs[0] else { return outputs[0] }
    guard let right = inputs.firstIndex(where: { input < $0 }) else {
      return outputs[outputs.count - 1]
    }
    let left = right - 1
    let width = inputs[right] - inputs[left]
    let t = (input - inputs[left]) / width
    let (t2, t3) = (t * t, t * t * t)
    return (2 * t3 - 3 * t2 + 1) * outputs[left] + (t3 - 2 * t2 + t) * width * slopes[left]
      + (3 * t2 - 2 * t3) * outputs[right] + (t3 - t2) * width * slopes[right]
  }
}
