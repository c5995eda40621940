/// A 3 × 3 matrix on linear red, green and blue.
struct ColourMatrix: Sendable, Equatable {
  /// The nine numbers, row after row.
  let elements: [Double]

  static let identity = ColourMatrix([1, 0, 0, 0, 1, 0, 0, 0, 1])

  /// Linear sRGB to CIE XYZ relative to D50, as ICC profiles state colours.
  ///
  /// Source: the primaries and white of IEC 61966-2-1, adapted to D50 by Bradford (ICC.1:2022,
  /// annex E).
  static let sRGBToXYZ = ColourMatrix([
    0.436_074_7, 0.385_064_9, 0.143_080_4,
    0.222_504_5, 0.716_878_6, 0.060_616_9,
    0.013_932_2, 0.097_104_5, 0.714_173_3,
  ])

  init(_ elements: [Double]) {
    self.elements = elements
  }

  /// The rows in the precision that pixels are computed in.
  var rows: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>) {
    let floats = elements.map { Float($0) }
    return (
      SIMD3(floats[0], floats[1], floats[2]), SIMD3(floats[3], floats[4], floats[5]),
      SIMD3(floats[6], floats[7], floats[8])
    )
  }

  static func * (left: ColourMatrix, right: ColourMatrix) -> ColourMatrix {
    var product = [Double](repeating: 0, count: 9)
    for row in 0..<3 {
      for column in 0..<3 {
        for inner in 0..<3 {
          product[row * 3 + column] +=
            left.elements[row * 3 + inner] * right.elements[inner * 3 + column]
        }
      }
    }
    return ColourMatrix(product)
  }

  /// The matrix that undoes this one; `nil` when there is none.
  var inverse: ColourMatrix? {
    let m = elements
    /// The 2 × 2 determinant of four of the numbers.
    func minor(_ a: Int, _ b: Int, _ c: Int, _ d: Int) -> Double { m[a] * m[b] - m[c] * m[d] }
    let cofactors = [
      minor(4, 8, 5, 7), minor(2, 7, 1, 8), minor(1, 5, 2, 4),
      minor(5, 6, 3, 8), minor(0, 8, 2, 6), minor(2, 3, 0, 5),
      minor(3, 7, 4, 6), minor(1, 6, 0, 7), minor(0, 4, 1, 3),
    ]
    let determinant = m[0] * cofactors[0] + m[1] * cofactors[3] + m[2] * cofactors[6]
    guard abs(determinant) > 1e-9 else { return nil }
    return ColourMatrix(cofactors.map { $0 / determinant })
  }

  /// The matrix with each row scaled to a sum of exactly 1, so that grey stays grey: profiles
  /// round their colours to 16 bits, which would tint it by a fraction of a code.
  var keepingWhite: ColourMatrix? {
    let sums = stride(from: 0, to: 9, by: 3).map { elements[$0..<($0 + 3)].reduce(0, +) }
    guard sums.allSatisfy({ (0.9...1.1).contains($0) }) else { return nil }
    return ColourMatrix((0..<9).map { elements[$0] / sums[$0 / 3] })
  }

  /// The largest difference from the identity in any number.
  var distanceFromIdentity: Double {
    zip(elements, ColourMatrix.identity.elements).map { abs($0 - $1) }.max() ?? 0
  }
}
