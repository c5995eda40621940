/// The luma of encoded red, green and blue, with the weights of ITU-R BT.709-6, item 3.2.
enum Luma {
  /// How much red, green and blue count.
  static let weights = [0.2126, 0.7152, 0.0722]

  @inline(__always)
  static func of(_ red: Float, _ green: Float, _ blue: Float) -> Float {
    0.2126 * red + 0.7152 * green + 0.0722 * blue
  }

  /// The matrix that multiplies the distance from gray with `factor`.
  static func saturating(by factor: Double) -> ColorMatrix {
    ColorMatrix(
      (0..<9).map { index in
        (1 - factor) * weights[index % 3] + (index % 3 == index / 3 ? factor : 0)
      })
  }
}
