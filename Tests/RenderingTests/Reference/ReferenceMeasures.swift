import Glibc
import SafelightTestSupport

/// Noise for whole pictures and measures of them.
enum ReferenceMeasures {
  /// Codes with white noise of a deviation in codes.
  static func noisy(_ codes: [UInt8], _ deviation: Double) -> [UInt8] {
    var random = SeededGenerator(seed: 31)
    return codes.map { (code: UInt8) -> UInt8 in
      UInt8(min(max(Double(code) + deviation * gaussian(&random), 0), 255).rounded())
    }
  }

  /// A random number of deviation 1.
  static func gaussian(_ random: inout SeededGenerator) -> Double {
    (-2 * log(Double.random(in: 1e-12...1, using: &random))).squareRoot()
      * cos(2 * .pi * Double.random(in: 0..<1, using: &random))
  }

  /// The standard deviation.
  static func deviation(_ values: [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(values.count)).squareRoot()
  }

  /// The standard deviation.
  static func deviation(_ codes: [Int]) -> Double { deviation(codes.map { Double($0) }) }

  /// The peak signal-to-noise ratio in decibels.
  static func decibels(_ codes: [Int], _ truth: [Int]) -> Double {
    let squares = zip(codes, truth).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    return 10 * log10(255 * 255 * Double(codes.count) / Double(squares))
  }

  /// The power of each of the lowest frequencies, the mean over rows: of waves as long as a row, half as long, and
  /// so on.
  static func spectrum(_ rows: [[Double]], waves: Int) -> [Double] {
    let count = rows[0].count
    return (1...waves).map { wave in
      let angles = (0..<count).map { 2 * Double.pi * Double(wave * $0) / Double(count) }
      let (cosines, sines) = (angles.map { cos($0) }, angles.map { sin($0) })
      return rows.map { row -> Double in
        var (real, imaginary) = (0.0, 0.0)
        for (x, value) in row.enumerated() {
          real += value * cosines[x]
          imaginary += value * sines[x]
        }
        return (real * real + imaginary * imaginary) / Double(count * count)
      }.reduce(0, +) / Double(rows.count)
    }
  }
}
