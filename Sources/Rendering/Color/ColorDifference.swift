import Glibc

/// How different two colors look.
enum ColorDifference {
  /// A color in CIELAB, with D65 as white.
  struct Lab {
    let light, a, b: Double

    init(light: Double, a: Double, b: Double) { (self.light, self.a, self.b) = (light, a, b) }

    /// - Parameter color: Encoded sRGB.
    init(sRGB color: SIMD3<Double>) {
      let linear = (0..<3).map { SRGBTransfer.linear(color[$0]) }
      let xyz = ColorMatrix.sRGBToXYZOfD65.times(linear)
      let white = ColorMatrix.sRGBToXYZOfD65.times([1, 1, 1])
      let f = zip(xyz, white).map { value, white -> Double in
        let share = value / white
        return share > 216.0 / 24389 ? cbrt(share) : (24389.0 / 27 * share + 16) / 116
      }
      (light, a, b) = (116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2]))
    }
  }

  /// CIEDE2000. Source: Sharma, Wu and Dalal, "The CIEDE2000 Color-Difference Formula", Color Research and Application
  /// 30, 2005.
  static func ciede2000(_ one: Lab, _ other: Lab) -> Double {
    let degree = Double.pi / 180
    func power7(_ value: Double) -> Double { pow(value, 7) }
    let meanChroma = (hypot(one.a, one.b) + hypot(other.a, other.b)) / 2
    let g = 0.5 * (1 - (power7(meanChroma) / (power7(meanChroma) + power7(25))).squareRoot())
    let (a1, a2) = (one.a * (1 + g), other.a * (1 + g))
    let (c1, c2) = (hypot(a1, one.b), hypot(a2, other.b))
    func hue(_ a: Double, _ b: Double) -> Double {
      if a == 0, b == 0 { return 0 }
      let hue = atan2(b, a) / degree
      return hue < 0 ? hue + 360 : hue
    }
    let (h1, h2) = (hue(a1, one.b), hue(a2, other.b))
    var turn = h2 - h1
    if c1 * c2 == 0 {
      turn = 0
    } else if turn > 180 {
      turn -= 360
    } else if turn < -180 {
      turn += 360
    }
    let (lightDelta, chromaDelta) = (other.light - one.light, c2 - c1)
    let hueDelta = 2 * (c1 * c2).squareRoot() * sin(turn / 2 * degree)
    let (light, chroma) = ((one.light + other.light) / 2, (c1 + c2) / 2)
    var mean = h1 + h2
    if c1 * c2 != 0 {
      if abs(h1 - h2) > 180 { mean += mean < 360 ? 360 : -360 }
      mean /= 2
    }
    let t =
      1 - 0.17 * cos((mean - 30) * degree) + 0.24 * cos(2 * mean * degree)
      + 0.32 * cos((3 * mean + 6) * degree) - 0.20 * cos((4 * mean - 63) * degree)
    let offset = (light - 50) * (light - 50)
    let sl = 1 + 0.015 * offset / (20 + offset).squareRoot()
    let sc = 1 + 0.045 * chroma
    let sh = 1 + 0.015 * chroma * t
    let rotation = 30 * exp(-pow((mean - 275) / 25, 2))
    let rc = 2 * (power7(chroma) / (power7(chroma) + power7(25))).squareRoot()
    let rt = -sin(2 * rotation * degree) * rc
    let (l, c, h) = (lightDelta / sl, chromaDelta / sc, hueDelta / sh)
    return (l * l + c * c + h * h + rt * c * h).squareRoot()
  }
}
