/// A 3 × 3 matrix on red, green and blue, and a constant for each.
struct ColorMatrix: Sendable, Equatable {
  /// The nine numbers, row after row.
  let elements: [Double]
  /// What is added to red, green and blue afterwards.
  let offset: [Double]

  static let identity = ColorMatrix([1, 0, 0, 0, 1, 0, 0, 0, 1])

  /// Linear sRGB to CIE XYZ relative to D50, as ICC profiles state colors.
  ///
  /// Source: the primaries and white of IEC 61966-2-1, adapted to D50 by Bradford (ICC.1:2022,
  /// annex E).
  static let sRGBToXYZ = ColorMatrix([
    0.436_074_7, 0.385_064_9, 0.143_080_4,
    0.222_504_5, 0.716_878_6, 0.060_616_9,
    0.013_932_2, 0.097_104_5, 0.714_173_3,
  ])

  init(_ elements: [Double], offset: [Double] = [0, 0, 0]) {
    self.elements = elements
    self.offset = offset
  }

  /// The same factor for each channel.
  static func scale(_ factor: Double) -> ColorMatrix {
    ColorMatrix(identity.elements.map { $0 * factor })
  }

  /// The rows in the precision that pixels are computed in, the constant last.
  struct Rows: Sendable {
    let red, green, blue: SIMD4<Float>
  }

  /// The rows in the precision that pixels are computed in.
  var rows: Rows {
    func row(_ index: Int) -> SIMD4<Float> {
      SIMD4(
        Float(elements[index * 3]), Float(elements[index * 3 + 1]), Float(elements[index * 3 + 2]),
        Float(offset[index]))
    }
    return Rows(red: row(0), green: row(1), blue: row(2))
  }

  /// Whether the three channels come out equal.
  var rowsAreEqual: Bool {
    elements[0..<3] == elements[3..<6] && elements[0..<3] == elements[6..<9]
      && offset.allSatisfy { $0 == offset[0] }
  }

  /// Whether colors without negative numbers stay so.
  var isNeverNegative: Bool { (elements + offset).allSatisfy { $0 >= 0 } }

  /// First the matrix on the right, then the one on the left.
  static func * (left: ColorMatrix, right: ColorMatrix) -> ColorMatrix {
    var product = [Double](repeating: 0, count: 9)
    var offset = left.offset
    for row in 0..<3 {
      for column in 0..<3 {
        for inner in 0..<3 {
          product[row * 3 + column] +=
            left.elements[row * 3 + inner] * right.elements[inner * 3 + column]
        }
        offset[row] += left.elements[row * 3 + column] * right.offset[column]
      }
    }
    return ColorMatrix(product, offset: offset)
  }

  /// The matrix that undoes this one, both without constants; `nil` when there is none.
  var inverse: ColorMatrix? {
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
    return ColorMatrix(cofactors.map { $0 / determinant })
  }

  /// The matrix with each row scaled to a sum of exactly 1, so that gray stays gray: profiles
  /// round their colors to 16 bits, which would tint it by a fraction of a code.
  var keepingWhite: ColorMatrix? {
    let sums = stride(from: 0, to: 9, by: 3).map { elements[$0..<($0 + 3)].reduce(0, +) }
    guard sums.allSatisfy({ (0.9...1.1).contains($0) }) else { return nil }
    return ColorMatrix((0..<9).map { elements[$0] / sums[$0 / 3] })
  }

  /// The largest difference from the identity in any number.
  var distanceFromIdentity: Double {
    zip(elements, ColorMatrix.identity.elements).map { abs($0 - $1) }.max() ?? 0
  }
}
