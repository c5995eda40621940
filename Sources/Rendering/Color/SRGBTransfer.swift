import FoundationEssentials
import Glibc

/// The sRGB transfer functions, extended to negative values by symmetry and above 1 by going on.
///
/// Source: IEC 61966-2-1:1999; the extension is that of IEC 61966-2-1 Amendment 1 (scRGB).
enum SRGBTransfer {
  /// Linear light from an encoded value, in double precision.
  static func linear(_ encoded: Double) -> Double {
    let size = abs(encoded)
    let linear = size <= 0.04045 ? size / 12.92 : pow((size + 0.055) / 1.055, 2.4)
    return encoded < 0 ? -linear : linear
  }

  /// The encoded value of linear light, in double precision.
  static func encoded(_ linear: Double) -> Double {
    let size = abs(linear)
    let encoded = size <= 0.003_130_8 ? size * 12.92 : 1.055 * pow(size, 1 / 2.4) - 0.055
    return linear < 0 ? -encoded : encoded
  }
}
