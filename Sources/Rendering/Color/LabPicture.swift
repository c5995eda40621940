import Glibc
import SafelightVips

extension Image {
  /// A picture in CIE Lab relative to D50, as TIFF and ICC profiles mean it, in 16-bit sRGB. Colors
  /// outside sRGB become the nearest code in each channel.
  ///
  /// libvips takes the white of Lab for D65, and through profiles it shifts a* and b* by half a
  /// unit.
  func sRGB16FromLab() throws(VipsError) -> Image {
    let converter = LabConverter()
    return try unpackedLab().mappingScanlines(bands: 3, format: .uint16) { line in
      let input = line.input.assumingMemoryBound(to: Float.self)
      let output = line.output.assumingMemoryBound(to: UInt16.self)
      for pixel in stride(from: 0, to: 3 * line.count, by: 3) {
        converter.convert(
          Double(input[pixel]), Double(input[pixel + 1]), Double(input[pixel + 2]),
          to: output + pixel)
      }
    }
  }

  /// The same of a picture in ICC Lab, whose numbers libvips hands on as they are: L* from 0 to 255
  /// and a*, b* from 128 in 8 bits; in 16 bits L* from 0 to 65,280 and a*, b* in 256ths, from
  /// 32,768.
  ///
  /// Source: photometric interpretation 9 of Adobe's TIFF technical notes, with the 16 bits of
  /// ICC.1:2001-04 (version 2), 6.5.8.
  ///
  /// A fourth channel is the transparency, which stays.
  func sRGB16FromICCLab() throws(VipsError) -> Image {
    let converter = LabConverter()
    let isWide = sampleFormat == .uint16
    let bands = min(bands, 4)
    return try firstBands(bands).mappingScanlines(bands: bands, format: .uint16) { line in
      let output = line.output.assumingMemoryBound(to: UInt16.self)
      let narrow = line.input.assumingMemoryBound(to: UInt8.self)
      let wide = line.input.assumingMemoryBound(to: UInt16.self)
      for pixel in stride(from: 0, to: bands * line.count, by: bands) {
        if isWide {
          converter.convert(
            Double(wide[pixel]) / 652.8, Double(wide[pixel + 1]) / 256 - 128,
            Double(wide[pixel + 2]) / 256 - 128, to: output + pixel)
          if bands == 4 { output[pixel + 3] = wide[pixel + 3] }
        } else {
          converter.convert(
            Double(narrow[pixel]) / 2.55, Double(narrow[pixel + 1]) - 128,
            Double(narrow[pixel + 2]) - 128, to: output + pixel)
          if bands == 4 { output[pixel + 3] = UInt16(narrow[pixel + 3]) * 257 }
        }
      }
    }
  }
}

/// Converts CIE Lab relative to D50 to 16-bit sRGB.
///
/// Source: ISO 11664-4 (formulas), ICC.1:2022, annex A (white).
private struct LabConverter: Sendable {
  /// What the light of white's X, Y and Z adds to red, green and blue.
  private let x, y, z: SIMD3<Double>

  init() {
    let toXYZ = ColorMatrix.sRGBToXYZ
    // The matrix is a constant that has an inverse.
    let fromXYZ = (toXYZ.inverse ?? .identity).elements
    // The white that the matrix gives, so that L* 100 is exactly white.
    let white = toXYZ.times([1, 1, 1])
    let columns = (0..<3).map {
      SIMD3(fromXYZ[$0], fromXYZ[3 + $0], fromXYZ[6 + $0]) * white[$0]
    }
    (x, y, z) = (columns[0], columns[1], columns[2])
  }

  /// Writes the codes of a color.
  func convert(_ l: Double, _ a: Double, _ b: Double, to output: UnsafeMutablePointer<UInt16>) {
    let lightness = (l + 16) / 116
    let light =
      x * Self.lightRatio(lightness + a / 500) + y * Self.lightRatio(lightness)
      + z * Self.lightRatio(lightness - b / 200)
    for channel in 0..<3 {
      let code = SRGBTransfer.encoded(min(max(light[channel], 0), 1)) * 65_535
      output[channel] = UInt16(code.rounded())
    }
  }

  /// Light as a share of white's, from its term in the formulas of Lab.
  private static func lightRatio(_ term: Double) -> Double {
    let limit = 6.0 / 29
    return term > limit ? term * term * term : 3 * limit * limit * (term - 4.0 / 29)
  }
}
