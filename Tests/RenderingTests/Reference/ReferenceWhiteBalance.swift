import Foundation

/// White balance once more in double precision, from the formula alone.
enum ReferenceWhiteBalance {
  typealias Vector = [Double]
  typealias Matrix = [[Double]]

  /// Encoded sRGB before and after.
  static func balanced(_ pixel: Vector, temperature: Double, tint: Double) -> Vector {
    let matrix = matrix(temperature: temperature, tint: tint)
    return product(matrix, pixel.map(ReferenceColor.linear)).map(ReferenceColor.encoded)
  }

  /// The matrix on linear light.
  static func matrix(temperature: Double, tint: Double) -> Matrix {
    let target = product(bradford, tristimulus(locus(6500)))
    let light = product(bradford, tristimulus(locus(temperature)))
    let green = product(bradford, tristimulus(isotherm(6500, tint / 3000)))
    // Column by column: what becomes of pure red, green and blue.
    let columns = (0..<3).map { channel -> Vector in
      let primary = (0..<3).map { $0 == channel ? 1.0 : 0.0 }
      let responses = product(bradford, product(toXYZ, primary))
      let adapted = (0..<3).map {
        responses[$0] * target[$0] * target[$0] / light[$0] / green[$0]
      }
      return solve(toXYZ, solve(bradford, adapted))
    }
    let raw = (0..<3).map { row in columns.map { $0[row] } }
    let luminance = product(toXYZ, product(raw, [1, 1, 1]))[1]
    return raw.map { $0.map { $0 / luminance } }
  }

  /// CIE 1960 (u, v) of a black body by Krystek.
  static func locus(_ kelvin: Double) -> Vector {
    let powers = [1, kelvin, kelvin * kelvin]
    func ratio(_ above: Vector, _ below: Vector) -> Double {
      zip(above, powers).map(*).reduce(0, +) / zip(below, powers).map(*).reduce(0, +)
    }
    return [
      ratio([0.860117757, 1.54118254e-4, 1.28641212e-7], [1, 8.42420235e-4, 7.08145163e-7]),
      ratio([0.317398726, 4.22806245e-5, 4.20481691e-8], [1, -2.89741816e-5, 1.61456053e-7]),
    ]
  }

  /// The point at a distance from the locus, at right angles to it and towards larger v.
  private static func isotherm(_ kelvin: Double, _ distance: Double) -> Vector {
    let (here, there) = (locus(kelvin), locus(kelvin * 1.000_001))
    let angle = atan2(there[1] - here[1], there[0] - here[0]) - .pi / 2
    return [here[0] + distance * cos(angle), here[1] + distance * sin(angle)]
  }

  private static func tristimulus(_ uv: Vector) -> Vector {
    let scale = 2 * uv[0] - 8 * uv[1] + 4
    let (x, y) = (3 * uv[0] / scale, 2 * uv[1] / scale)
    return [x / y, 1, (1 - x - y) / y]
  }

  private static let bradford: Matrix = [
    [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
  ]

  /// Linear sRGB to XYZ from the chromaticities of IEC 61966-2-1.
  private static let toXYZ: Matrix = {
    func tristimulus(_ x: Double, _ y: Double) -> Vector { [x / y, 1, (1 - x - y) / y] }
    let primaries = [tristimulus(0.64, 0.33), tristimulus(0.30, 0.60), tristimulus(0.15, 0.06)]
    let unscaled = (0..<3).map { row in primaries.map { $0[row] } }
    let amounts = solve(unscaled, tristimulus(0.3127, 0.3290))
    return unscaled.map { row in zip(row, amounts).map(*) }
  }()

  private static func product(_ matrix: Matrix, _ vector: Vector) -> Vector {
    matrix.map { row in zip(row, vector).map(*).reduce(0, +) }
  }

  /// Cramer's rule.
  private static func solve(_ matrix: Matrix, _ right: Vector) -> Vector {
    func determinant(_ m: Matrix) -> Double {
      (0..<3).map { column -> Double in
        let (next, last) = ((column + 1) % 3, (column + 2) % 3)
        return m[0][column] * (m[1][next] * m[2][last] - m[1][last] * m[2][next])
      }.reduce(0, +)
    }
    let whole = determinant(matrix)
    return (0..<3).map { column in
      var replaced = matrix
      for row in 0..<3 { replaced[row][column] = right[row] }
      return determinant(replaced) / whole
    }
  }
}
