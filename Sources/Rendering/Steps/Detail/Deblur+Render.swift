import SafelightAdjustments

extension Deblur: NeighborhoodRenderable {
  func neighborhoodStep(in context: StepContext) -> (any NeighborhoodStep)? {
    let deviation = radius * context.scale
    guard amount != 0, deviation >= 0.3 else { return nil }
    return DeblurStep(
      blur: .gaussian(deviation, cutOff: 2.5), amount: Float(amount / 100),
      damping: Float(damping / 255))
  }
}

/// Restores luma in rounds of Richardson and Lucy, and adds its change to every pixel.
private struct DeblurStep: NeighborhoodStep {
  private static let rounds = 6
  /// How much of the last change a round begins with.
  private static let momentum: Float = 0.8
  /// Luma below this number counts as this number, because it is divided by.
  private static let darkest: Float = 0.001
  /// How much is left of what lies beyond the values around a pixel.
  private static let overshoot: Float = 0.3

  let blur: Convolution
  let amount: Float
  let damping: Float

  /// Each round blurs twice.
  var reach: Int { 2 * Self.rounds * blur.reach }

  func apply(_ input: PlanarPixels, to output: PlanarPixels) {
    let all = input.width * input.height
    withFloats(Scratch.planes * all) { memory in
      let scratch = Scratch(memory.baseAddress!, size: all)
      let luma = Plane(scratch.luma, width: input.width, height: input.height)
      input.luma(to: luma.start)
      for index in 0..<all { luma.start[index] = max(luma.start[index], Self.darkest) }
      let sharp = restored(luma, using: scratch)
      let change = limited(sharp, by: luma, border: reach, using: scratch)
      for channel in 0..<3 {
        for y in 0..<output.height {
          let result = output.plane(channel) + y * output.width
          let source = input.plane(channel) + (y + reach) * input.width + reach
          let row = change + y * output.width
          for x in 0..<output.width { result[x] = source[x] + row[x] }
        }
      }
    }
  }

  /// Memory for planes as large as the input.
  private struct Scratch {
    static let planes = 6

    /// The luma of the input.
    let luma: UnsafeMutablePointer<Float>
    /// What each round begins with; after the last one the change of luma.
    let start: UnsafeMutablePointer<Float>
    /// How the input differs from the blurred start of a round.
    let ratio: UnsafeMutablePointer<Float>
    /// The results of three rounds, by turns: each round reads two and writes the third. After the last round the
    /// results of those before are free.
    private let results: [UnsafeMutablePointer<Float>]

    init(_ memory: UnsafeMutablePointer<Float>, size: Int) {
      (luma, start, ratio) = (memory, memory + size, memory + 2 * size)
      results = (3..<Self.planes).map { memory + $0 * size }
    }

    /// The result of a round.
    func result(of round: Int) -> UnsafeMutablePointer<Float> { results[round % 3] }
    /// The smallest luma around in each row.
    var lowest: UnsafeMutablePointer<Float> { result(of: DeblurStep.rounds) }
    /// The largest luma around in each row.
    var highest: UnsafeMutablePointer<Float> { result(of: DeblurStep.rounds + 1) }
  }

  /// Luma without the blur, ``reach`` smaller on every side.
  private func restored(_ luma: Plane, using scratch: Scratch) -> Plane {
    let step = blur.reach
    var (now, before) = (luma, luma)
    for round in 0..<Self.rounds {
      // The places of `now` in luma and in `before`.
      let border = 2 * step * round
      let started = Plane(scratch.start, width: now.width, height: now.height)
      let pace = round < 2 ? 0 : Self.momentum
      for y in 0..<now.height {
        let (result, row) = (started.row(y), now.row(y))
        let last = before.row(y + (before.width - now.width) / 2) + (before.width - now.width) / 2
        for x in 0..<now.width {
          result[x] = max(row[x] + pace * (row[x] - last[x]), Self.darkest)
        }
      }
      let ratio = Plane(
        scratch.ratio, width: now.width - 2 * step, height: now.height - 2 * step)
      blur.apply(
        started.start, stride: started.width, width: started.width, height: started.height,
        to: ratio.start)
      // At least a tiny number, because 0 must not be divided by 0.
      let limit = max(damping * damping, 1e-12)
      for y in 0..<ratio.height {
        let (row, seen) = (ratio.row(y), luma.row(y + border + step) + border + step)
        for x in 0..<ratio.width {
          let difference = seen[x] - row[x]
          let square = difference * difference
          row[x] = 1 + square / (square + limit) * (difference / row[x])
        }
      }
      let next = Plane(
        scratch.result(of: round), width: ratio.width - 2 * step, height: ratio.height - 2 * step)
      blur.apply(
        ratio.start, stride: ratio.width, width: ratio.width, height: ratio.height, to: next.start)
      for y in 0..<next.height {
        let (row, from) = (next.row(y), started.row(y + 2 * step) + 2 * step)
        for x in 0..<next.width { row[x] *= from[x] }
      }
      (before, now) = (now, next)
    }
    return now
  }

  /// The change of luma, with less of what lies beyond the smallest and largest luma around.
  private func limited(
    _ sharp: Plane, by luma: Plane, border: Int, using scratch: Scratch
  ) -> UnsafePointer<Float> {
    let (width, height, radius) = (sharp.width, sharp.height, blur.reach)
    let (lowest, highest, change) = (scratch.lowest, scratch.highest, scratch.start)
    let high = height + 2 * radius
    for y in 0..<high {
      let row = luma.row(y + border - radius) + border - radius
      let (low, top) = (lowest + y * width, highest + y * width)
      for x in 0..<width { (low[x], top[x]) = (row[x], row[x]) }
      for step in 1...(2 * radius) {
        for x in 0..<width {
          low[x] = min(low[x], row[x + step])
          top[x] = max(top[x], row[x + step])
        }
      }
    }
    let kept = Self.overshoot
    withFloats(2 * width) { ends in
      let (low, top) = (ends.baseAddress!, ends.baseAddress! + width)
      for y in 0..<height {
        low.update(from: lowest + y * width, count: width)
        top.update(from: highest + y * width, count: width)
        for step in 1...(2 * radius) {
          let (lower, higher) = (lowest + (y + step) * width, highest + (y + step) * width)
          for x in 0..<width {
            low[x] = min(low[x], lower[x])
            top[x] = max(top[x], higher[x])
          }
        }
        let (row, seen, result) = (sharp.row(y), luma.row(y + border) + border, change + y * width)
        for x in 0..<width {
          let inside = min(max(row[x], low[x]), top[x])
          result[x] = amount * (inside + kept * (row[x] - inside) - seen[x])
        }
      }
    }
    return UnsafePointer(change)
  }
}

/// A plane of numbers, row after row without gaps.
private struct Plane {
  let start: UnsafeMutablePointer<Float>
  let width: Int
  let height: Int

  init(_ start: UnsafeMutablePointer<Float>, width: Int, height: Int) {
    (self.start, self.width, self.height) = (start, width, height)
  }

  func row(_ y: Int) -> UnsafeMutablePointer<Float> { start + y * width }
}
