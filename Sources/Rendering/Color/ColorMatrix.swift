/// A 3 × 3 matrix on red, green and blue, and a constant for each.
struct ColorMatrix: Sendable, Equatable {
  /// The nine numbers, row after row.
  let elements: [Double]
  /// The constants that are added to red, green and blue after the multiplication.
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

  /// CIE XYZ to the cone-like responses in which Bradford adapts to another white.
  ///
  /// Source: ICC.1:2022, annex E.
  static let bradford = ColorMatrix([
    0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296,
  ])

  /// Linear sRGB to CIE XYZ as it is, with the white D65.
  ///
  /// Source: the primaries and white of IEC 61966-2-1, to ten digits.
  static let sRGBToXYZOfD65 = ColorMatrix([
    0.412_390_799_3, 0.357_584_339_4, 0.180_480_788_4,
    0.212_639_005_9, 0.715_168_678_8, 0.072_192_315_4,
    0.019_330_818_7, 0.119_194_779_8, 0.950_532_152_2,
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

  /// Whether equal channels stay equal, but for rounding.
  var keepsGray: Bool {
    let sums = (0..<3).map { (row: Int) -> Double in
      elements[(row * 3)..<(row * 3 + 3)].reduce(offset[row], +)
    }
    return sums.allSatisfy { abs($0 - sums[0]) < 1e-6 } && offset.allSatisfy { $0 == offset[0] }
  }

  /// Whether colors without negative numbers give colors without negative numbers.
  var isNeverNegative: Bool { (elements + offset).allSatisfy { $0 >= 0 } }

  /// The matrix on the right, then the matrix on the left.
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

  /// The product with three numbers.
  func times(_ vector: [Double]) -> [Double] {
    (0..<3).map { row in
      elements[row * 3] * vector[0] + elements[row * 3 + 1] * vector[1]
        + elements[row * 3 + 2] * vector[2] + offset[row]
    }
  }

  /// The inverse of this matrix, whose constants must be 0; `nil` when there is none.
  var inverse: ColorMatrix? {
    let m = elements
    // Each cofactor is a 2 × 2 determinant of four of the numbers.
    let cofactors = [
      m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
      m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
      m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
    ]
    let determinant = m[0] * cofactors[0] + m[1] * cofactors[3] + m[2] * cofactors[6]
    guard abs(determinant) > 1e-9 else { return nil }
    return ColorMatrix(cofactors.map { $0 / determinant })
  }

  /// The matrix with each row scaled to a sum of exactly 1, so that gray stays gray; `nil` when a
  /// row is too far from that. Profiles round their colors to 16 bits, which would tint gray by a
  /// fraction of a code.
  ///
  /// - Parameter tolerance: How far that is.
  func keepingWhite(within tolerance: Double = 0.1) -> ColorMatrix? {
    let sums = stride(from: 0, to: 9, by: 3).map { elements[$0..<($0 + 3)].reduce(0, +) }
    guard sums.allSatisfy({ abs($0 - 1) <= tolerance }) else { return nil }
    return ColorMatrix((0..<9).map { elements[$0] / sums[$0 / 3] })
  }

  /// The largest difference from the identity in any number.
  var distanceFromIdentity: Double {
    zip(elements, ColorMatrix.identity.elements).map { abs($0 - $1) }.max() ?? 0
  }
}

/// The luma of encoded red, green and blue, with the weights of ITU-R BT.709-6, item 3.2. On linear
/// light the same weights give luminance.
enum Luma {
  /// The weights of red, green and blue.
  static let weights = [0.2126, 0.7152, 0.0722]

  @inline(__always)
  static func of(red: Float, green: Float, blue: Float) -> Float {
    0.2126 * red + 0.7152 * green + 0.0722 * blue
  }

  /// The matrix that multiplies the distance from gray by `factor`.
  static func saturating(by factor: Double) -> ColorMatrix {
    ColorMatrix(
      (0..<9).map { index in
        (1 - factor) * weights[index % 3] + (index % 3 == index / 3 ? factor : 0)
      })
  }
}
