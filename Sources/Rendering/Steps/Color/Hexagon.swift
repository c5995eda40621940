/// The hexagon that the RGB cube shows when it is seen along its grays. It gives the colors of tints
/// without trigonometry.
///
/// Hues run from 0 (red) over 1 (yellow), 2 (green), 3 (cyan) and 4 (blue) to 5 (magenta) and 6
/// (red again). Nothing here branches, so that loops over pixels become vector instructions.
enum Hexagon {
  /// The red of a hue with chroma 1, from 0 to 1. Here and below, hues from -1 to 7 are allowed.
  @inline(__always)
  static func red(_ hue: Float) -> Float { limited(abs(hue - 3) - 1) }

  /// The green of a hue with chroma 1, from 0 to 1.
  @inline(__always)
  static func green(_ hue: Float) -> Float { limited(larger(2 - abs(hue - 2), hue - 6)) }

  /// The blue of a hue with chroma 1, from 0 to 1.
  @inline(__always)
  static func blue(_ hue: Float) -> Float { limited(larger(2 - abs(hue - 4), -hue)) }

  /// The color of a hue with luma 0, which tints a gray and keeps its luma.
  ///
  /// - Parameters:
  ///   - degrees: The hue, 60 for each side of the hexagon.
  ///   - strength: The chroma.
  static func tint(degrees: Double, strength: Double) -> (red: Float, green: Float, blue: Float) {
    let hue = Float(degrees / 60)
    let (r, g, b) = (red(hue), green(hue), blue(hue))
    let (luma, strength) = (Luma.of(red: r, green: g, blue: b), Float(strength))
    return (strength * (r - luma), strength * (g - luma), strength * (b - luma))
  }

  /// The number limited to 0…1.
  @inline(__always)
  static func limited(_ value: Float) -> Float { smaller(larger(value, 0), 1) }

  /// The larger of two numbers, as one instruction.
  @inline(__always)
  static func larger(_ a: Float, _ b: Float) -> Float { a > b ? a : b }

  /// The smaller of two numbers, as one instruction.
  @inline(__always)
  static func smaller(_ a: Float, _ b: Float) -> Float { a < b ? a : b }
}
