import Glibc

/// How different two colors look.
enum ReferenceDifference {
  /// CIEDE2000 between two pictures in codes of sRGB: the mean, and the share of pixels below 2.
  static func between(_ first: [Double], _ second: [Double]) -> (mean: Double, close: Double) {
    let count = first.count / 3
    var (sum, close) = (0.0, 0)
    for start in stride(from: 0, to: 3 * count, by: 3) {
      let difference = ciede2000(
        Array(first[start..<(start + 3)]), Array(second[start..<(start + 3)]))
      sum += difference
      if difference < 2 { close += 1 }
    }
    return (sum / Double(count), Double(close) / Double(count))
  }

  /// CIEDE2000 of two colors in codes of sRGB, 0 to 255, under D65.
  ///
  /// Source: CIE 142-2001, as in G. Sharma, W. Wu and E. N. Dalal, "The CIEDE2000 Color-Difference
  /// Formula", 2005.
  static func ciede2000(_ first: [Double], _ second: [Double]) -> Double {
    first == second ? 0 : ciede2000(lab: lab(first), lab(second))
  }

  /// CIE Lab of codes of sRGB.
  static func lab(_ codes: [Double]) -> [Double] {
    let light = codes.map { ReferenceColor.linear($0 / 255) }
    let rows = [
      [0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
      [0.0193339, 0.1191920, 0.9503041],
    ]
    let white = [0.95047, 1, 1.08883]
    let f = zip(rows, white).map { row, white -> Double in
      let t = zip(row, light).reduce(0) { $0 + $1.0 * $1.1 } / white
      return t > 216 / 24389 ? cbrt(t) : (24389 / 27 * t + 16) / 116
    }
    return [116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])]
  }

  static func ciede2000(lab first: [Double], _ second: [Double]) -> Double {
    let seventh: Double = pow(25, 7)
    func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    let chroma = (hypot(first[1], first[2]) + hypot(second[1], second[2])) / 2
    let g = 0.5 * (1 - sqrt(pow(chroma, 7) / (pow(chroma, 7) + seventh)))
    let (a1, a2) = (first[1] * (1 + g), second[1] * (1 + g))
    let (c1, c2) = (hypot(a1, first[2]), hypot(a2, second[2]))
    func hue(_ a: Double, _ b: Double) -> Double {
      if a == 0, b == 0 { return 0 }
      let angle = degrees(atan2(b, a))
      return angle < 0 ? angle + 360 : angle
    }
    let (h1, h2) = (hue(a1, first[2]), hue(a2, second[2]))
    var turn = h2 - h1
    if c1 * c2 == 0 {
      turn = 0
    } else if turn > 180 {
      turn -= 360
    } else if turn < -180 {
      turn += 360
    }
    let (dL, dC) = (second[0] - first[0], c2 - c1)
    let dH = 2 * sqrt(c1 * c2) * sin(radians(turn / 2))
    let (meanL, meanC) = ((first[0] + second[0]) / 2, (c1 + c2) / 2)
    var meanH = h1 + h2
    if c1 * c2 != 0 {
      if abs(h1 - h2) <= 180 {
        meanH /= 2
      } else {
        meanH = (meanH + (meanH < 360 ? 360 : -360)) / 2
      }
    }
    func share(_ factor: Double, _ times: Double, _ shift: Double) -> Double {
      factor * cos(radians(times * meanH + shift))
    }
    let high: Double = share(0.32, 3, 6) - share(0.2, 4, -63)
    let t: Double = 1 - share(0.17, 1, -30) + share(0.24, 2, 0) + high
    let turned: Double = 30 * exp(-pow((meanH - 275) / 25, 2))
    let rC = 2 * sqrt(pow(meanC, 7) / (pow(meanC, 7) + seventh))
    let sL = 1 + 0.015 * pow(meanL - 50, 2) / sqrt(20 + pow(meanL - 50, 2))
    let (sC, sH) = (1 + 0.045 * meanC, 1 + 0.015 * meanC * t)
    let rT = -sin(radians(2 * turned)) * rC
    let (light, chromaShare, hueShare) = (dL / sL, dC / sC, dH / sH)
    let squares: Double = light * light + chromaShare * chromaShare + hueShare * hueShare
    return sqrt(squares + rT * chromaShare * hueShare)
  }
}
