import Foundation
import SafelightAdjustments

/// The local and detail adjustments once more, on whole pictures in double precision.
enum ReferenceLocal {
  /// A picture, the reduced one at the same point of the pipeline, and how much that is reduced.
  struct State {
    var picture: ReferencePicture
    var guide: ReferencePicture
    let factor: Int

    init(_ picture: ReferencePicture) {
      self.picture = picture
      let factor = picture.factor
      self.factor = factor
      guide = picture.eachPlane { $0.reduced(by: factor) }
    }

    private init(_ picture: ReferencePicture, _ guide: ReferencePicture, _ factor: Int) {
      (self.picture, self.guide, self.factor) = (picture, guide, factor)
    }

    /// The reduced picture as if it were the whole.
    var small: State { State(guide, guide, 1) }

    func sampled(_ plane: ReferencePlane) -> ReferencePlane {
      plane.sampled(factor, width: picture.width, height: picture.height)
    }
  }

  /// The picture with adjustments laid over it, in this order.
  static func apply(_ adjustments: [any Adjustment], to picture: ReferencePicture)
    -> ReferencePicture
  {
    var state = State(picture)
    for adjustment in adjustments {
      let next = apply(adjustment, in: state)
      // The reduced picture is too small to show sharpness and noise.
      if !(adjustment is Sharpen || adjustment is NoiseReduction) {
        state.guide = apply(adjustment, in: state.small)
      }
      state.picture = next
    }
    return state.picture
  }

  private static func apply(_ adjustment: any Adjustment, in state: State) -> ReferencePicture {
    switch adjustment {
    case let value as HighlightsShadows: highlightsShadows(value, state)
    case let value as Clarity: clarity(value, state)
    case let value as Dehaze: dehaze(value, state)
    case let value as Glow: glow(value, state)
    case let value as Sharpen: sharpen(value, state.picture)
    case let value as NoiseReduction: noiseReduction(value, state.picture)
    case let value as Blur: state.picture.eachPlane { $0.gaussian(value.radius) }
    default: state.picture
    }
  }

  /// The guided filter's q = a Y' + b, where a and b are means of those of every window.
  private static func guided(
    _ input: ReferencePlane, by state: State, share: Double, edge: Double
  ) -> ReferencePlane {
    let guide = state.guide.luma
    let radius = max(1, Int((share * Double(state.guide.longerSide)).rounded()))
    let (meanI, meanP) = (guide.boxMean(radius), input.boxMean(radius))
    let correlation = guide.with(input, *).boxMean(radius)
    let variance = guide.with(guide, *).boxMean(radius).with(meanI) { max($0 - $1 * $1, 0) }
    let covariance = correlation.with(meanI.with(meanP, *), -)
    let a = covariance.with(variance) { $0 / ($1 + edge * edge) }
    let b = meanP.with(a.with(meanI, *), -)
    return state.sampled(a.boxMean(radius)).with(state.picture.luma, *)
      .with(state.sampled(b.boxMean(radius)), +)
  }

  private static func limited(_ value: Double) -> Double { min(max(value, 0), 1) }

  static func gain(_ value: HighlightsShadows, base: Double) -> Double {
    let (h, s) = (value.highlights / 100, value.shadows / 100)
    let dark = max(1 - base / 0.6, 0)
    let bright = max((base - 0.4) / 0.6, 0)
    return 1 + (s < 0 ? 0.7 : 3) * s * pow(dark, 3)
      + (h < 0 ? 0.3 : 1.5) * h * (3.2 * pow(bright, 2) - 2.6 * pow(bright, 3))
  }

  private static func highlightsShadows(_ value: HighlightsShadows, _ state: State)
    -> ReferencePicture
  {
    let base = guided(state.guide.luma, by: state, share: 1 / 40.0, edge: 0.1)
    return state.picture.mapped { pixel, index in
      let gain = gain(value, base: limited(base.values[index]))
      let divisor = gain > 1 ? 1 + (gain - 1) * limited(pixel.max()!) : 1
      return pixel.map { $0 * gain / divisor }
    }
  }

  private static func clarity(_ value: Clarity, _ state: State) -> ReferencePicture {
    let base = guided(state.guide.luma, by: state, share: 1 / 60.0, edge: 0.15)
    let a = value.amount / 100
    return state.picture.mapped { pixel, index in
      let luma = ReferenceColor.luma(pixel)
      let x = 4 * a * (a < 0 ? 0.8 : 1.2) * limited(1 - luma) * (luma - base.values[index])
      return pixel.map { x < 0 ? $0 / (1 - x) : $0 * (1 + x) }
    }
  }

  private static func dehaze(_ value: Dehaze, _ state: State) -> ReferencePicture {
    let guide = state.guide
    let radius = max(1, Int((Double(guide.longerSide) / 80).rounded()))
    func dark(_ air: [Double]) -> ReferencePlane {
      ReferencePlane(width: guide.width, height: guide.height) { x, y in
        limited((0..<3).map { guide.planes[$0][x, y] / air[$0] }.min()!)
      }.minimum(radius)
    }
    let first = dark([1, 1, 1])
    let steps = first.values.map { min(1023, Int($0 * 1024)) }
    // The step at which a thousandth of the pixels is reached, from the top.
    let ranked = steps.sorted(by: >)
    let lowest = ranked[(ranked.count + 999) / 1000 - 1]
    let found = steps.indices.filter { steps[$0] >= lowest }
    let air = (0..<3).map { channel in
      max(found.map { guide.planes[channel].values[$0] }.reduce(0, +) / Double(found.count), 0.25)
    }
    let haze = guided(dark(air), by: state, share: 1 / 20.0, edge: 0.05)
    let a = value.amount / 100
    return state.picture.mapped { pixel, index in
      let d = limited(haze.values[index])
      return zip(pixel, air).map { value, air in
        a > 0
          ? air + (value - air) / (1 - 0.65 * a * d)
          : value + (air - value) * 0.6 * -a * (0.35 + 0.65 * d)
      }
    }
  }

  private static func glow(_ value: Glow, _ state: State) -> ReferencePicture {
    let luma = state.guide.luma
    let t = value.threshold / 100
    let weight = luma.mapped {
      let s = limited(($0 - t) / (1 - t))
      return 3 * s * s - 2 * s * s * s
    }
    let deviation =
      value.radius / 100 * Double(state.picture.longerSide) / Double(state.factor)
    let variance = max(deviation * deviation - (state.factor == 1 ? 0 : 0.25), 0)
    let light = state.guide.planes.map {
      state.sampled($0.mapped(limited).with(weight, *).gaussian(variance.squareRoot()))
    }
    return state.picture.mapped { pixel, index in
      (0..<3).map {
        pixel[$0] + value.amount / 100 * light[$0].values[index] * max(1 - pixel[$0], 0)
      }
    }
  }

  private static func sharpen(_ value: Sharpen, _ picture: ReferencePicture) -> ReferencePicture {
    let luma = picture.luma
    let detail = luma.with(luma.gaussian(value.radius), -)
    let t = value.threshold / 255
    return picture.mapped { pixel, index in
      let d = detail.values[index]
      let share = d == 0 ? 0 : d * d / (d * d + t * t)
      return pixel.map { $0 + value.amount / 100 * d * share }
    }
  }

  private static func noiseReduction(_ value: NoiseReduction, _ picture: ReferencePicture)
    -> ReferencePicture
  {
    func smoothed(_ plane: ReferencePlane, _ radius: Double, _ edge: Double) -> ReferencePlane {
      guard edge > 0 else { return plane }
      let mean = plane.windowMean(radius)
      let variance = plane.with(plane, *).windowMean(radius).with(mean) { max($0 - $1 * $1, 0) }
      let a = variance.mapped { $0 / ($0 + edge * edge) }
      let c = mean.with(a) { $0 * (1 - $1) }
      return a.windowMean(radius).with(plane, *).with(c.windowMean(radius), +)
    }
    let luma = picture.luma
    let own = 0.07 * value.luminance / 100 * (1 - 0.8 * value.detail / 100)
    let color = 0.12 * value.color / 100
    let y = smoothed(luma, 4, own)
    let red = smoothed(picture.planes[0].with(luma, -), 8, color)
    let blue = smoothed(picture.planes[2].with(luma, -), 8, color)
    return picture.mapped { _, index in
      let (r, b) = (y.values[index] + red.values[index], y.values[index] + blue.values[index])
      // Green is what makes luma come out.
      return [r, (y.values[index] - 0.2126 * r - 0.0722 * b) / 0.7152, b]
    }
  }
}
