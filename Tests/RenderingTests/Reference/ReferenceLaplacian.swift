import Foundation
import SafelightAdjustments

/// The adjustments of local tone on whole pictures, in double precision.
extension ReferenceLocal {
  /// The pull at each pixel of `tones`, from the tones of the reduced picture: for each of sixteen
  /// tones a whole plane, weighted by how near it is.
  ///
  /// - Parameters:
  ///   - factor: Pixels of `tones` for one of the reduced picture.
  ///   - share: The Gaussian's deviation as a share of the longer side.
  private static func pull(
    at tones: ReferencePlane, from reduced: ReferencePlane, factor: Int, share: Double, cells: Int,
    detail: Double, fall: Double
  ) -> ReferencePlane {
    let side = max(reduced.width, reduced.height)
    var cell = 1
    while Double(side) / Double(cell) > Double(cells) { cell *= 2 }
    let whole = pow(share * Double(side) / Double(cell), 2)
    let deviation = max(whole - (cell * factor == 1 ? 0 : 0.25), 0).squareRoot()
    var result = tones.mapped { _ in 0 }
    for index in 0...15 {
      let tone = Double(index) / 15
      let plane = reduced.mapped { other -> Double in
        let distance = abs(other - tone)
        let size =
          distance < detail ? distance : max(detail - fall * (distance - detail), 0)
        return other < tone ? -size : size
      }.reduced(by: cell).gaussian(deviation)
        .sampled(cell * factor, width: tones.width, height: tones.height)
      for place in result.values.indices {
        let distance = abs(limited(tones.values[place]) * 15 - Double(index))
        if distance < 1 { result.values[place] += (1 - distance) * plane.values[place] }
      }
    }
    return result
  }

  /// The bases of pixels with some tones.
  private static func bases(
    of tones: ReferencePlane, reduced: ReferencePlane, factor: Int
  ) -> ReferencePlane {
    pull(
      at: tones, from: reduced, factor: factor, share: 1 / 40.0, cells: 128, detail: 0.1,
      fall: 1 / 3.0
    ).with(tones, +)
  }

  /// - Parameter luma: The luma of the pixel.
  private static func gain(_ value: HighlightsShadows, base: Double, luma: Double) -> Double {
    let (h, s) = (value.highlights / 100, value.shadows / 100)
    let dark = max(1 - base / 0.6, 0)
    let bright = max((base - 0.4) / 0.6, 0)
    return 1 + (s < 0 ? 0.7 : 3) * s * pow(dark, 3)
      + (h < 0 ? 0.45 * (1 - pow(limited(luma), 2)) : 1.5) * h
      * (3.2 * pow(bright, 2) - 2.6 * pow(bright, 3))
  }

  /// How much of a color becomes gray in opened blacks.
  private static func fading(_ value: HighlightsShadows, base: Double, chroma: Double) -> Double {
    func step(_ x: Double) -> Double {
      let x = limited(x)
      return 3 * pow(x, 2) - 2 * pow(x, 3)
    }
    let opening = 1 + 3 * max(value.shadows, 0) / 100 * pow(max(1 - base / 0.6, 0), 3)
    return (1 - pow(opening, -2)) * (1 - step(base / 0.2)) * (1 - step((chroma - 0.05) / 0.1))
  }

  static func highlightsShadows(_ value: HighlightsShadows, _ state: State) -> ReferencePicture {
    let base = bases(
      of: state.picture.luma, reduced: state.guide.luma, factor: state.factor)
    return state.picture.mapped { pixel, index in
      let base = limited(base.values[index])
      let gain = gain(value, base: base, luma: ReferenceColor.luma(pixel))
      let divisor = gain > 1 ? 1 + (gain - 1) * limited(pixel.max()!) : 1
      let result = pixel.map { $0 * gain / divisor }
      let share = fading(value, base: base, chroma: pixel.max()! - pixel.min()!)
      let gray = ReferenceColor.luma(result)
      return result.map { share * gray + (1 - share) * $0 }
    }
  }

  static func clarity(_ value: Clarity, _ state: State) -> ReferencePicture {
    let guide = state.guide.luma
    let size = 0.9 * state.scale / Double(state.factor)
    let calm = guide.gaussian(
      max(size * size - (state.factor == 1 ? 0 : 0.25), 0).squareRoot())
    func away(_ share: Double, _ cells: Int) -> ReferencePlane {
      pull(
        at: calm, from: guide, factor: 1, share: share, cells: cells, detail: 0.08, fall: 0.75)
    }
    let detail = away(1 / 200.0, 512).with(away(1 / 60.0, 128)) { -($0 + $1) / 2 }
    let shown = state.sampled(detail)
    let a = value.amount / 100
    return state.picture.mapped { pixel, index in
      let rest = limited(1 - ReferenceColor.luma(pixel))
      let x = 4 * a * (a < 0 ? 0.8 : 1.2) * rest * shown.values[index]
      return pixel.map { x < 0 ? $0 / (1 - x) : $0 * (1 + x) }
    }
  }
}

extension ReferenceLocal {
  static func toneEqualizer(_ value: ToneEqualizer, _ state: State) -> ReferencePicture {
    func tones(_ picture: ReferencePicture) -> ReferencePlane {
      let light = picture.eachPlane { $0.mapped(ReferenceColor.linear) }.luma
      return light.mapped(ReferenceColor.encoded)
    }
    let base = bases(
      of: tones(state.picture), reduced: tones(state.guide), factor: state.factor)
    let stops = orderedStops(value)
    let points = stops.enumerated().map { ToneCurve.Curve.Point(Double($0) - 8, $1) }
    return state.picture.mapped { pixel, index in
      let light = max(ReferenceColor.linear(max(base.values[index], 0)), 1e-9)
      let gain = pow(2, ReferenceColor.curve(log2(light), points))
      let linear = pixel.map(ReferenceColor.linear)
      let top = linear.max()! * gain
      var scale = gain
      if gain > 1, top > 0.5 {
        let (above, bend) = (top - 0.5, 2 - 1 / (gain - 0.5))
        scale *= (0.5 + above / (1 + bend * above)) / top
      }
      return linear.map { ReferenceColor.encoded($0 * scale) }
    }
  }

  /// Isotonic regression by its formula of means: the largest, over all beginnings up to a zone, of
  /// the smallest mean up to all ends from the zone on.
  static func orderedStops(_ value: ToneEqualizer) -> [Double] {
    let risen = value.zones.enumerated().map { $1 + 0.45 * Double($0) }
    func mean(_ zones: ClosedRange<Int>) -> Double {
      risen[zones].reduce(0, +) / Double(zones.count)
    }
    return risen.indices.map { zone in
      let best = (0...zone).map { first in
        (zone..<risen.count).map { mean(first...$0) }.min()!
      }
      return best.max()! - 0.45 * Double(zone)
    }
  }
}
