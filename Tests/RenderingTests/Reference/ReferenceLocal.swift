import Foundation
import SafelightAdjustments

/// A plane of numbers in double precision, for whole-picture references.
struct ReferencePlane {
  let width: Int
  let height: Int
  var values: [Double]

  init(width: Int, height: Int, _ value: (Int, Int) -> Double) {
    (self.width, self.height) = (width, height)
    values = []
    values.reserveCapacity(width * height)
    for y in 0..<height { for x in 0..<width { values.append(value(x, y)) } }
  }

  subscript(x: Int, y: Int) -> Double { values[y * width + x] }

  func mapped(_ body: (Double) -> Double) -> ReferencePlane {
    var result = self
    result.values = values.map(body)
    return result
  }

  func with(_ other: ReferencePlane, _ body: (Double, Double) -> Double) -> ReferencePlane {
    var result = self
    result.values = zip(values, other.values).map(body)
    return result
  }

  /// Means of squares; squares at the right and lower edge may be smaller.
  func reduced(by factor: Int) -> ReferencePlane {
    ReferencePlane(
      width: (width + factor - 1) / factor, height: (height + factor - 1) / factor
    ) { x, y in
      var (sum, count) = (0.0, 0.0)
      for row in (y * factor)..<Swift.min(y * factor + factor, height) {
        for column in (x * factor)..<Swift.min(x * factor + factor, width) {
          sum += self[column, row]
          count += 1
        }
      }
      return sum / count
    }
  }

  /// The number at every pixel of a picture `factor` times as large, by bilinear interpolation.
  func sampled(_ factor: Int, width: Int, height: Int) -> ReferencePlane {
    func pieces(_ count: Int, _ places: Int) -> [(Int, Int, Double)] {
      (0..<places).map { place in
        let exact = (Double(place) + 0.5) / Double(factor) - 0.5
        let inside = Swift.min(Swift.max(exact, 0), Double(count - 1))
        let first = Int(inside)
        return (first, Swift.min(first + 1, count - 1), inside - Double(first))
      }
    }
    let (columns, rows) = (pieces(self.width, width), pieces(self.height, height))
    return ReferencePlane(width: width, height: height) { x, y in
      let (left, right, across) = columns[x]
      let (top, bottom, down) = rows[y]
      return (self[left, top] * (1 - across) + self[right, top] * across) * (1 - down)
        + (self[left, bottom] * (1 - across) + self[right, bottom] * across) * down
    }
  }

  /// Means of the numbers at most `radius` away, inside the plane, from a table of sums.
  func boxMean(_ radius: Int) -> ReferencePlane {
    var sums = [Double](repeating: 0, count: (width + 1) * (height + 1))
    for y in 0..<height {
      for x in 0..<width {
        sums[(y + 1) * (width + 1) + x + 1] =
          self[x, y] + sums[y * (width + 1) + x + 1] + sums[(y + 1) * (width + 1) + x]
          - sums[y * (width + 1) + x]
      }
    }
    return ReferencePlane(width: width, height: height) { x, y in
      let (left, right) = (Swift.max(x - radius, 0), Swift.min(x + radius + 1, width))
      let (top, bottom) = (Swift.max(y - radius, 0), Swift.min(y + radius + 1, height))
      let sum =
        sums[bottom * (width + 1) + right] - sums[top * (width + 1) + right]
        - sums[bottom * (width + 1) + left] + sums[top * (width + 1) + left]
      return sum / Double((right - left) * (bottom - top))
    }
  }

  /// The smallest of the numbers at most `radius` away, inside the plane.
  func minimum(_ radius: Int) -> ReferencePlane {
    let across = ReferencePlane(width: width, height: height) { x, y in
      (Swift.max(x - radius, 0)...Swift.min(x + radius, width - 1)).map { self[$0, y] }.min()!
    }
    return ReferencePlane(width: width, height: height) { x, y in
      (Swift.max(y - radius, 0)...Swift.min(y + radius, height - 1)).map { across[x, $0] }.min()!
    }
  }

  /// A Gaussian of six deviations, or up to a radius, on the picture and its mirror images.
  func gaussian(_ deviation: Double, radius: Double? = nil) -> ReferencePlane {
    guard deviation > 0 else { return self }
    return convolved(radius: radius ?? 6 * deviation) { exp(-0.5 * pow($0 / deviation, 2)) }
  }

  /// The place in a row that stands for any place, also outside of the row.
  static func mirrored(_ index: Int, of count: Int) -> Int {
    var index = index
    while index < 0 || index >= count { index = index < 0 ? -1 - index : 2 * count - 1 - index }
    return index
  }

  private func convolved(radius: Double, _ weight: (Double) -> Double) -> ReferencePlane {
    let reach = Int(radius.rounded(.up))
    let weights = (-reach...reach).map { weight(Double(abs($0))) }
    let total = weights.reduce(0, +)
    func along(_ values: [Double], count: Int, step: Int, lines: Int, lineStep: Int)
      -> [Double]
    {
      var result = values
      let places = (-reach..<(count + reach)).map { Self.mirrored($0, of: count) * step }
      values.withUnsafeBufferPointer { values in
        for line in 0..<lines {
          for index in 0..<count {
            var sum = 0.0
            for near in weights.indices {
              sum += weights[near] * values[line * lineStep + places[index + near]]
            }
            result[line * lineStep + index * step] = sum / total
          }
        }
      }
      return result
    }
    var result = self
    result.values = along(values, count: width, step: 1, lines: height, lineStep: width)
    result.values = along(
      result.values, count: height, step: width, lines: width, lineStep: 1)
    return result
  }
}

/// Red, green and blue in double precision, encoded.
struct ReferencePicture {
  var planes: [ReferencePlane]

  var width: Int { planes[0].width }
  var height: Int { planes[0].height }
  var longerSide: Int { max(width, height) }

  var luma: ReferencePlane {
    ReferencePlane(width: width, height: height) { x, y in
      0.2126 * planes[0][x, y] + 0.7152 * planes[1][x, y] + 0.0722 * planes[2][x, y]
    }
  }

  /// A picture of 8-bit codes, three to a pixel.
  init(codes: [Int], width: Int, height: Int) {
    planes = (0..<3).map { channel in
      ReferencePlane(width: width, height: height) { x, y in
        Double(codes[3 * (y * width + x) + channel]) / 255
      }
    }
  }

  /// New pixels, from the channels of each pixel and its index in row-major order.
  func mapped(_ body: ([Double], Int) -> [Double]) -> ReferencePicture {
    var result = self
    for index in 0..<(width * height) {
      let pixel = body(planes.map { $0.values[index] }, index)
      for channel in 0..<3 { result.planes[channel].values[index] = pixel[channel] }
    }
    return result
  }

  func eachPlane(_ body: (ReferencePlane) -> ReferencePlane) -> ReferencePicture {
    var result = self
    result.planes = planes.map(body)
    return result
  }

  /// The smallest power of two that leaves 1024 pixels.
  var factor: Int {
    var factor = 1
    while longerSide > factor * 1024 { factor *= 2 }
    return factor
  }
}

/// The local and detail adjustments on whole pictures, in double precision.
enum ReferenceLocal {
  /// A picture, the reduced one at the same point of the pipeline, and how much that is reduced.
  struct State {
    var picture: ReferencePicture
    var guide: ReferencePicture
    let factor: Int
    /// Pixels of `picture` for one of the photo.
    let scale: Double
    var noise = ReferenceNoise()

    init(_ picture: ReferencePicture) {
      self.picture = picture
      let factor = picture.factor
      self.factor = factor
      guide = picture.eachPlane { $0.reduced(by: factor) }
      scale = 1
    }

    private init(_ picture: ReferencePicture, guide: ReferencePicture, scale: Double) {
      (self.picture, self.guide, self.scale) = (picture, guide, scale)
      factor = 1
    }

    /// The reduced picture as if it were the whole.
    var small: State { State(guide, guide: guide, scale: scale / Double(factor)) }

    func sampled(_ plane: ReferencePlane) -> ReferencePlane {
      plane.sampled(factor, width: picture.width, height: picture.height)
    }
  }

  /// The picture after adjustments, in this order.
  ///
  /// - Parameter noise: What noise reduction finds in the photo.
  static func apply(
    _ adjustments: [any Adjustment], to picture: ReferencePicture,
    noise: ReferenceNoise = ReferenceNoise()
  ) -> ReferencePicture {
    var state = State(picture)
    state.noise = noise
    for adjustment in adjustments {
      let next = apply(adjustment, in: state)
      // The reduced picture is too small to show sharpness and noise.
      if !(adjustment is Sharpen || adjustment is NoiseReduction || adjustment is Deblur) {
        state.guide = apply(adjustment, in: state.small)
      }
      state.picture = next
    }
    return state.picture
  }

  private static func apply(_ adjustment: any Adjustment, in state: State) -> ReferencePicture {
    switch adjustment {
    case let value as ToneEqualizer: toneEqualizer(value, state)
    case let value as HighlightsShadows: highlightsShadows(value, state)
    case let value as Clarity: clarity(value, state)
    case let value as Dehaze: dehaze(value, state)
    case let value as ColorMixer:
      ReferenceCalm.judged(state, by: ReferenceCalm.strongest(value)) {
        ReferenceSeenHues.mixed($0, value, $1)
      }
    case let value as BlackAndWhite:
      ReferenceCalm.judged(state, by: ReferenceCalm.strongest(value)) {
        ReferenceSeenHues.blackAndWhite($0, value, $1)
      }
    case let value as Glow: glow(value, state)
    case let value as Sharpen: sharpen(value, state.picture)
    case let value as NoiseReduction:
      ReferenceDetail.noiseReduction(value, state.picture, state.noise)
    case let value as Deblur: ReferenceDetail.deblur(value, state.picture)
    case let value as Blur: state.picture.eachPlane { $0.gaussian(value.radius) }
    default: state.picture
    }
  }

  /// The guided filter: q = a Y' + b, with the means of a and b over the windows of a pixel.
  static func guided(
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

  static func limited(_ value: Double) -> Double { min(max(value, 0), 1) }

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
    let seen = ReferenceOKLab.lab(air.map(ReferenceColor.linear))
    return state.picture.mapped { pixel, index in
      let d = limited(haze.values[index])
      guard a > 0 else {
        return zip(pixel, air).map { $0 + ($1 - $0) * 0.6 * -a * (0.35 + 0.65 * d) }
      }
      let lab = ReferenceOKLab.lab(pixel.map(ReferenceColor.linear))
      let t = 1 - 0.68 * a * d
      let square = lab[1] * lab[1] + lab[2] * lab[2]
      let likeness = max((lab[1] * seen[1] + lab[2] * seen[2]) / (square + 0.000025), 0)
      return ReferenceSeenHues.fitted(
        max(seen[0] + (lab[0] - seen[0]) * (lab[0] > seen[0] ? (1 + t) / (2 * t) : 1 / t), 0),
        max((1 - (1 - t) * likeness) / t, 1) * square.squareRoot(), atan2(lab[2], lab[1]),
        instead: pixel)
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
}
