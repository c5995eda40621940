import SafelightAdjustments

extension ToneCurve: ToneRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    guard !isNeutral else { return [] }
    guard mode == .channels else { return luminanceSteps(in: context) }
    let composite = MonotoneCubic(all)
    func channel(_ curve: ToneCurve.Curve) -> ChannelCurves.Function {
      let own = MonotoneCubic(curve)
      return Self.extended { own(composite($0)) }
    }
    let isShared = [red, green, blue].allSatisfy(\.isStraight)
    let curves =
      isShared
      ? ChannelCurves(Self.extended { composite($0) })
      : ChannelCurves(red: channel(red), green: channel(green), blue: channel(blue))
    return [.curves(curves, in: .encoded)]
  }

  /// The curve on luminance without what keeps colors below white.
  var stepsOnLight: [ColorStep]? {
    guard mode != .channels, !isNeutral else { return nil }
    let composite = MonotoneCubic(all)
    let curve = ChannelCurves(Self.extended { composite($0) }).aboveWhite(in: .encoded)
    var channels = self
    (channels.all, channels.mode) = (Curve(), .channels)
    let inner = channels.colorSteps(in: StepContext(size: PixelSize(width: 1, height: 1), scale: 1))
    return (all.isStraight ? [] : [.kernel(LightCurveKernel(curve.red))])
      + inner.compactMap { step in
        guard case .curves(let curves, let space) = step else { return nil }
        return .curves(curves.aboveWhite(in: space), in: .linear)
      }
  }

  /// The first curve on luminance, then those of the channels.
  private func luminanceSteps(in context: StepContext) -> [ColorStep] {
    let composite = MonotoneCubic(all)
    var channels = self
    (channels.all, channels.mode) = (Curve(), .channels)
    let curve = ColorStep.kernel(LuminanceCurveKernel(Self.extended { composite($0) }))
    return (all.isStraight ? [] : [curve]) + channels.colorSteps(in: context)
  }

  /// Extends a curve for 0 to 1 to every number. Beyond an end the curve continues straight with
  /// the slope at that end, at most 4, so that colors outside sRGB keep their order and stay near.
  private static func extended(
    _ curve: @escaping ChannelCurves.Function
  ) -> ChannelCurves.Function {
    let step = 1.0 / 4096
    let (black, white) = (curve(0), curve(1))
    let below = min(max((curve(step) - black) / step, 0), 4)
    let above = min(max((white - curve(1 - step)) / step, 0), 4)
    return { input in
      if input < 0 { return black + below * input }
      return input > 1 ? white + above * (input - 1) : curve(input)
    }
  }
}

/// Maps the luminance of colors through a curve of encoded tones; see `ToneCurve`.
private struct LuminanceCurveKernel: ColorKernel {
  let space = ColorSpace.linear
  let keepsGray = true
  let dependsOnPlace = false
  /// What a color less its black is multiplied by, by its luminance.
  private let factors: CurveTable
  private let black: Float

  init(_ curve: @escaping ChannelCurves.Function) {
    let black = SRGBTransfer.linear(curve(0))
    self.black = Float(black)
    factors = CurveTable { light in
      // Next to black the quotient is the slope of the curve there.
      let light = abs(light) < 1e-5 ? 1e-5 : light
      return (SRGBTransfer.linear(curve(SRGBTransfer.encoded(light))) - black) / light
    }
  }

  func apply(to tile: ColorTile) {
    withFloats(2 * ColorTile.capacity) { memory in
      let factor = memory.baseAddress!
      let luminance = factor + ColorTile.capacity
      let (red, green, blue) = (tile.red, tile.green, tile.blue)
      tile.luma(to: luminance)
      factor.update(from: luminance, count: tile.count)
      factors.map(factor, count: tile.count)
      for index in 0..<tile.count {
        let (r, g, b) = (red[index], green[index], blue[index])
        let gain = factor[index]
        let gray = gain * luminance[index] + black
        let before = Hexagon.larger(r, Hexagon.larger(g, b))
        let top = gain * before + black
        let limit = Hexagon.larger(before, 1)
        // Where the largest channel would rise above the limit, neutral colors get paler and strong
        // ones dimmer.
        let rises = top > limit && gray < limit
        let low = Hexagon.larger(Hexagon.smaller(r, Hexagon.smaller(g, b)), 0)
        let evenness = low / (rises ? before : 1)
        let paling = evenness * (2 - evenness)
        let pale = rises ? (limit - gray) / (top - gray) : 1
        let dim = rises ? limit / top : 1
        let share = dim + paling * (pale - dim)
        let rest = paling * (1 - pale) * gray
        red[index] = share * (gain * r + black) + (rises ? rest : 0)
        green[index] = share * (gain * g + black) + (rises ? rest : 0)
        blue[index] = share * (gain * b + black) + (rises ? rest : 0)
      }
    }
  }
}

/// Maps the luminance of light through a curve, and multiplies the channels alike.
private struct LightCurveKernel: ColorKernel {
  let space = ColorSpace.linear
  let keepsGray = true
  let dependsOnPlace = false
  /// What a color less its black is multiplied by, by its luminance.
  private let factors: CurveTable
  private let black: Float

  init(_ light: @escaping ChannelCurves.Function) {
    let black = light(0)
    self.black = Float(black)
    factors = CurveTable(negatives: false) { luminance in
      let luminance = max(luminance, 1e-5)
      return (light(luminance) - black) / luminance
    }
  }

  func apply(to tile: ColorTile) {
    withFloats(ColorTile.capacity) { memory in
      let factor = memory.baseAddress!
      tile.luma(to: factor)
      factors.map(factor, count: tile.count)
      let (black, count) = (black, tile.count)
      tile.forEachPlane { _, plane in
        for index in 0..<count { plane[index] = factor[index] * plane[index] + black }
      }
    }
  }
}

/// A piecewise cubic curve through points. It never overshoots, and it is monotone where the points
/// are.
///
/// Source: F. N. Fritsch and R. E. Carlson, "Monotone Piecewise Cubic Interpolation", SIAM
/// J. Numer. Anal. 17 (1980), with slopes limited to a circle of radius 3 (their method 2).
struct MonotoneCubic: Sendable {
  private let inputs: [Double]
  private let outputs: [Double]
  private let slopes: [Double]

  init(_ curve: ToneCurve.Curve) {
    inputs = curve.points.map(\.input)
    outputs = curve.points.map(\.output)
    let secants = zip(curve.points, curve.points.dropFirst()).map {
      ($1.output - $0.output) / ($1.input - $0.input)
    }
    var slopes = [secants[0]]
    for (left, right) in zip(secants, secants.dropFirst()) {
      // At a local extreme the curve must be level, or it would overshoot.
      slopes.append(left * right <= 0 ? 0 : (left + right) / 2)
    }
    slopes.append(secants[secants.count - 1])
    for (index, secant) in secants.enumerated() {
      guard secant != 0 else {
        (slopes[index], slopes[index + 1]) = (0, 0)
        continue
      }
      let (left, right) = (slopes[index] / secant, slopes[index + 1] / secant)
      let size = left * left + right * right
      if size > 9 {
        let scale = 3 / size.squareRoot()
        slopes[index] = scale * left * secant
        slopes[index + 1] = scale * right * secant
      }
    }
    self.slopes = slopes
  }

  /// The output for `input`; the curve is level before the first point and after the last.
  func callAsFunction(_ input: Double) -> Double {
    guard input > inputs[0] else { return outputs[0] }
    guard let right = inputs.firstIndex(where: { input < $0 }) else {
      return outputs[outputs.count - 1]
    }
    let left = right - 1
    let width = inputs[right] - inputs[left]
    let t = (input - inputs[left]) / width
    let (t2, t3) = (t * t, t * t * t)
    return (2 * t3 - 3 * t2 + 1) * outputs[left] + (t3 - 2 * t2 + t) * width * slopes[left]
      + (3 * t2 - 2 * t3) * outputs[right] + (t3 - t2) * width * slopes[right]
  }
}
