import Glibc
import SafelightVips

extension Image {
  /// A picture in CIE Lab relative to D50, as TIFF and ICC profiles mean it, in 16-bit sRGB. Colors
  /// outside sRGB become the nearest code in each channel.
  ///
  /// libvips takes the white of Lab for D65, and through profiles it shifts a* and b* by half a
  /// unit. Source: ISO 11664-4 (formulas), ICC.1:2022, annex A (white).
  func sRGB16FromLab() throws(VipsError) -> Image {
    let toXYZ = ColorMatrix.sRGBToXYZ
    guard let fromXYZ = toXYZ.inverse?.elements else { return try inSRGB16() }
    // The white that the matrix gives, so that L* 100 is exactly white.
    let white = toXYZ.times([1, 1, 1])
    let columns = (0..<3).map {
      SIMD3(fromXYZ[$0], fromXYZ[3 + $0], fromXYZ[6 + $0]) * white[$0]
    }
    let (x, y, z) = (columns[0], columns[1], columns[2])
    return try unpackedLab().mappingScanlines(bands: 3, format: .uint16) { line in
      let input = line.input.assumingMemoryBound(to: Float.self)
      let output = line.output.assumingMemoryBound(to: UInt16.self)
      for pixel in stride(from: 0, to: 3 * line.count, by: 3) {
        let lightness = (Double(input[pixel]) + 16) / 116
        let (a, b) = (Double(input[pixel + 1]), Double(input[pixel + 2]))
        let light =
          x * Self.lightRatio(lightness + a / 500) + y * Self.lightRatio(lightness)
          + z * Self.lightRatio(lightness - b / 200)
        for channel in 0..<3 {
          let code = SRGBTransfer.encoded(min(max(light[channel], 0), 1)) * 65_535
          output[pixel + channel] = UInt16(code.rounded())
        }
      }
    }
  }

  /// Light as a share of white's, from its term in the formulas of Lab.
  private static func lightRatio(_ term: Double) -> Double {
    let limit = 6.0 / 29
    return term > limit ? term * term * term : 3 * limit * limit * (term - 4.0 / 29)
  }
}
