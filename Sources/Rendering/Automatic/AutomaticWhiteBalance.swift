import FoundationEssentials
import Glibc
import SafelightAdjustments

/// Temperature and tint of the light in a picture.
///
/// The light is estimated twice from linear light, without the clipped and the darkest pixels. The
/// first estimate is by Shades of Gray, the Minkowski mean of the colors with p = 6 (G. D.
/// Finlayson and E. Trezzi, "Shades of Gray and Color Constancy", CIC 12, 2004). The second is by
/// the Gray Edge hypothesis, the same mean of the differences between neighbors (J. van de Weijer,
/// T. Gevers and A. Gijsenij, "Edge-Based Color Constancy", IEEE TIP 16, 2007). The two are
/// averaged in logarithms.
///
/// Newton's method through the matrix of the adjustment gives the temperature and tint that make
/// this light neutral. The photo is moved only a part of the way: at most 75 %. The part is smaller
/// when the two estimates differ (none when a channel differs by half), when the light is far from
/// 6500 K (all up to 60 mired, none from 180 on), and when its tint is strong (all up to 15, none
/// from 60 on). So a wall of red brick stays red: no light for photos has such a color.
struct AutomaticWhiteBalance {
  private(set) var adjustment = WhiteBalance()

  private static let neutral = 1e6 / WhiteBalance().temperature

  init(_ picture: ReducedPicture) {
    guard let (colors, edges) = Self.estimates(picture) else { return }
    let light = zip(colors, edges).map { ($0 * $1).squareRoot() }
    let apart = zip(Self.chromaticity(colors), Self.chromaticity(edges)).map { abs($0 - $1) }
    guard let (mired, tint) = Self.solved(light) else { return }
    let shift = mired - Self.neutral
    let trust =
      0.75 * Self.falling(apart.max()!, from: 0.08, to: log(1.5))
      * Self.falling(abs(shift), from: 60, to: 180) * Self.falling(abs(tint), from: 15, to: 60)
    // A smaller change is not visible.
    if abs(shift * trust) >= 3 {
      let kelvin = 1e6 / (Self.neutral + shift * trust)
      adjustment.temperature = (kelvin / 50).rounded() * 50
    }
    if abs(tint * trust) >= 1 { adjustment.tint = (tint * trust).rounded() }
  }

  /// 1 up to `start`, 0 from `end` on, and a straight line between.
  private static func falling(_ value: Double, from start: Double, to end: Double) -> Double {
    min(max((end - value) / (end - start), 0), 1)
  }

  /// The logarithms of red / green and blue / green.
  private static func chromaticity(_ color: [Double]) -> [Double] {
    [log(color[0] / color[1]), log(color[2] / color[1])]
  }

  /// The light by the colors and by their edges, in linear light; `nil` when too few pixels are
  /// usable.
  private static func estimates(_ picture: ReducedPicture) -> ([Double], [Double])? {
    let (width, height) = (picture.width, picture.height)
    let table = (0...1024).map { Float(SRGBTransfer.linear(Double($0) / 1024)) }
    let linear = picture.planes.map { plane in
      plane.map { table[Int((min(max($0, 0), 1) * 1024).rounded())] }
    }
    let usable = picture.planes[0].indices.map { index in
      let channels = picture.planes.map { $0[index] }
      return channels.max()! < 0.97 && channels.max()! > 0.05
    }
    guard usable.count(where: { $0 }) * 20 > usable.count else { return nil }
    var (colors, edges) = ([0.0, 0, 0], [0.0, 0, 0])
    for channel in 0..<3 {
      linear[channel].withUnsafeBufferPointer { light in
        for y in 1..<max(height - 1, 1) {
          for x in 1..<max(width - 1, 1) {
            let index = y * width + x
            guard usable[index], usable[index - 1], usable[index + 1], usable[index - width],
              usable[index + width]
            else { continue }
            let value = Double(light[index])
            let (across, down) = (
              Double(light[index + 1] - light[index - 1]),
              Double(light[index + width] - light[index - width])
            )
            let square = across * across + down * down
            colors[channel] += value * value * value * value * value * value
            edges[channel] += square * square * square
          }
        }
      }
    }
    guard (colors + edges).allSatisfy({ $0 > 0 }) else { return nil }
    return (colors.map { pow($0, 1.0 / 6) }, edges.map { pow($0, 1.0 / 6) })
  }

  /// The light's temperature in mired, and its tint; `nil` when there is no such light.
  private static func solved(_ light: [Double]) -> (mired: Double, tint: Double)? {
    /// The chromaticity of the light after a white balance.
    func left(_ mired: Double, _ tint: Double) -> [Double] {
      var balance = WhiteBalance()
      (balance.temperature, balance.tint) = (1e6 / mired, tint)
      let context = StepContext(size: PixelSize(width: 1, height: 1), scale: 1)
      guard case .matrix(let matrix, _)? = balance.colorSteps(in: context).first else {
        return chromaticity(light)
      }
      return chromaticity(
        (0..<3).map { row in
          max((0..<3).reduce(0) { $0 + matrix.elements[row * 3 + $1] * light[$1] }, 1e-6)
        })
    }
    var (mired, tint) = (neutral, 0.0)
    for _ in 0..<20 {
      let now = left(mired, tint)
      let byMired = zip(left(mired + 0.5, tint), now).map { ($0 - $1) / 0.5 }
      let byTint = zip(left(mired, tint + 0.5), now).map { ($0 - $1) / 0.5 }
      let determinant = byMired[0] * byTint[1] - byMired[1] * byTint[0]
      guard abs(determinant) > 1e-12 else { return nil }
      mired -= (now[0] * byTint[1] - now[1] * byTint[0]) / determinant
      tint -= (byMired[0] * now[1] - byMired[1] * now[0]) / determinant
      (mired, tint) = (min(max(mired, 40), 500), min(max(tint, -100), 100))
    }
    return left(mired, tint).allSatisfy { abs($0) < 0.01 } ? (mired, tint) : nil
  }
}
