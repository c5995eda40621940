import Glibc
import PhotoEditing

/// How light, contrasty and colorful a picture is, as numbers that a language model can compare.
struct PictureStatistics: Sendable {
  private let histogram: PhotoHistogram
  /// The standard deviation of the luma codes, 0 to 127.5.
  let contrast: Double
  /// The mean chroma of CIELAB, D65; 0 is gray, vivid photos have 20 to 40.
  let meanChroma: Double

  /// Measures the pixels of a picture in 8-bit sRGB.
  init(_ image: DisplayImage) {
    histogram = PhotoHistogram(pixels: image.pixels)
    let mean = histogram.mean(.luma)
    let counts = histogram.counts(.luma)
    let squares = counts.enumerated().reduce(0.0) { sum, code in
      sum + Double(code.element) * (Double(code.offset) - mean) * (Double(code.offset) - mean)
    }
    contrast = (squares / Double(max(histogram.pixelCount, 1))).squareRoot()
    meanChroma = Self.chroma(of: image)
  }

  /// What JSON says: the members of `edit show --histogram`, with `contrast`, `meanChroma` and sixteen `bins` of luma.
  var json: JSONValue {
    let counts = histogram.counts(.luma)
    let bins = stride(from: 0, to: 256, by: 16).map { start in
      let share = Double(counts[start..<(start + 16)].reduce(0, +)) / Double(histogram.pixelCount)
      return (share * 10_000).rounded() / 10_000
    }
    return .object(
      HistogramDescription.members(of: histogram)
        + JSONValue.members([
          "contrast": rounded(contrast), "meanChroma": rounded(meanChroma), "bins": bins,
        ]))
  }

  /// One line.
  var text: String {
    "mean \(Int(histogram.mean(.luma).rounded())), median \(histogram.percentile(0.5, .luma)) of 255, clipped: "
      + "shadows \(PhotoHistogram.Share(histogram.clippedShadows)), "
      + "highlights \(PhotoHistogram.Share(histogram.clippedHighlights)), "
      + "contrast \(Int(contrast.rounded())), mean chroma \(Int(meanChroma.rounded()))"
  }

  private func rounded(_ number: Double) -> Double { (number * 100).rounded() / 100 }

  /// The light of each sRGB code (IEC 61966-2-1).
  private static let light: [Double] = (0..<256).map { code in
    let value = Double(code) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  /// The mean of √(a² + b²) of CIELAB (CIE 15:2004), over at most some 65,000 pixels in even steps.
  private static func chroma(of image: DisplayImage) -> Double {
    let count = image.width * image.height
    let step = max(count / 65_536, 1)
    var sum = 0.0
    var counted = 0
    image.pixels.withUnsafeBufferPointer { pixels in
      for pixel in stride(from: 0, to: count, by: step) {
        let (red, green, blue) = (
          light[Int(pixels[3 * pixel])], light[Int(pixels[3 * pixel + 1])],
          light[Int(pixels[3 * pixel + 2])]
        )
        // Each over its value for white; sRGB's primaries with D65, from IEC 61966-2-1.
        let x = root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505)
        let y = root(0.2126 * red + 0.7152 * green + 0.0722 * blue)
        let z = root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089)
        sum += hypot(500 * (x - y), 200 * (y - z))
        counted += 1
      }
    }
    return sum / Double(max(counted, 1))
  }

  private static func root(_ share: Double) -> Double {
    share > 216.0 / 24_389 ? cbrt(share) : (24_389.0 / 27 * share + 16) / 116
  }
}
