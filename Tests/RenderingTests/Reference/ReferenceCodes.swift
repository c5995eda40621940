import Foundation

/// What H.273's numbers mean, in double precision: the standard's curves from light to codes, inverted by bisection, and
/// matrices from chromaticities.
enum ReferenceCodes {
  /// The code of light by a transfer characteristic (ITU-T H.273, table 3).
  static func code(_ light: Double, transfer: Int) -> Double {
    let (alpha, beta) = (1.099_296_826_809_442, 0.018_053_968_510_807)
    switch transfer {
    case 1, 6, 11, 12, 14, 15:
      return light >= beta ? alpha * pow(light, 0.45) - (alpha - 1) : 4.5 * light
    case 4: return pow(light, 1 / 2.2)
    case 5: return pow(light, 1 / 2.8)
    case 7: return light >= 0.0228 ? 1.1115 * pow(light, 0.45) - 0.1115 : 4 * light
    case 8: return light
    case 9: return light >= 0.01 ? 1 + log10(light) / 2 : 0
    case 10: return light >= pow(10, -2.5) ? 1 + log10(light) / 2.5 : 0
    case 17: return pow(48 * light / 52.37, 1 / 2.6)
    default: return ReferenceColor.encoded(light)
    }
  }

  /// The light of a code.
  static func light(_ code: Double, transfer: Int) -> Double {
    guard code > 0 else { return 0 }
    var (low, high) = (0.0, 1.2)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if self.code(middle, transfer: transfer) < code { low = middle } else { high = middle }
    }
    return high
  }

  /// White, red, green and blue of color primaries (ITU-T H.273, table 2).
  static func chromaticities(_ primaries: Int) -> [[Double]] {
    let d65 = [0.3127, 0.3290]
    switch primaries {
    case 4: return [[0.310, 0.316], [0.67, 0.33], [0.21, 0.71], [0.14, 0.08]]
    case 5: return [d65, [0.64, 0.33], [0.29, 0.60], [0.15, 0.06]]
    case 6, 7: return [d65, [0.630, 0.340], [0.310, 0.595], [0.155, 0.070]]
    case 8: return [[0.310, 0.316], [0.681, 0.319], [0.243, 0.692], [0.145, 0.049]]
    case 9: return [d65, [0.708, 0.292], [0.170, 0.797], [0.131, 0.046]]
    case 10: return [[1 / 3.0, 1 / 3.0], [1, 0], [0, 1], [0, 0]]
    case 11: return [[0.314, 0.351], [0.680, 0.320], [0.265, 0.690], [0.150, 0.060]]
    case 12: return [d65, [0.680, 0.320], [0.265, 0.690], [0.150, 0.060]]
    case 22: return [d65, [0.630, 0.340], [0.295, 0.605], [0.155, 0.077]]
    default: return [d65, [0.64, 0.33], [0.30, 0.60], [0.15, 0.06]]
    }
  }

  typealias Matrix = [[Double]]

  /// The color in sRGB's codes, from 0 to 1, of linear light in other primaries; their whites are adapted by Bradford.
  static func sRGB(_ light: [Double], from chromaticities: [[Double]]) -> [Double] {
    let bradford = [
      [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
    ]
    let usual = self.chromaticities(1)
    let cones = (
      product(bradford, xyz(chromaticities[0])), product(bradford, xyz(usual[0]))
    )
    let adapted = product(bradford, product(toXYZ(chromaticities), light)).indices.map { index in
      product(bradford, product(toXYZ(chromaticities), light))[index] * cones.1[index]
        / cones.0[index]
    }
    let linear = solved(toXYZ(usual), solved(bradford, adapted))
    return linear.map { ReferenceColor.encoded(min(max($0, 0), 1)) }
  }

  private static func xyz(_ chromaticity: [Double]) -> [Double] {
    let (x, y) = (chromaticity[0], chromaticity[1])
    return [x / y, 1, (1 - x - y) / y]
  }

  private static func toXYZ(_ chromaticities: [[Double]]) -> Matrix {
    let columns = chromaticities[1...].map { [$0[0], $0[1], 1 - $0[0] - $0[1]] }
    let directions = (0..<3).map { row in columns.map { $0[row] } }
    let amounts = solved(directions, xyz(chromaticities[0]))
    return directions.map { row in (0..<3).map { row[$0] * amounts[$0] } }
  }

  private static func product(_ matrix: Matrix, _ vector: [Double]) -> [Double] {
    matrix.map { row in row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2] }
  }

  /// The vector that the matrix makes `result` of, by Cramer's rule.
  private static func solved(_ matrix: Matrix, _ result: [Double]) -> [Double] {
    func determinant(_ m: Matrix) -> Double {
      m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
        - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
        + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    }
    let whole = determinant(matrix)
    return (0..<3).map { column in
      var replaced = matrix
      for row in 0..<3 { replaced[row][column] = result[row] }
      return determinant(replaced) / whole
    }
  }
}
