/// The luma of encoded red, green and blue, with the weights of ITU-R BT.709-6, item 3.2.
enum Luma {
  @inline(__always)
  static func of(_ red: Float, _ green: Float, _ blue: Float) -> Float {
    0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
}
