import FoundationEssentials
import Glibc
import SafelightAdjustments
import SafelightColorKernels

extension NoiseReduction: NoiseRenderable {
  func isVisible(in context: StepContext) -> Bool {
    !isNeutral && Self.lost(at: context.scale) < Double(NoiseProfile.levels)
  }

  func neighborhoodStep(in context: StepContext, noise: NoiseProfile) -> (any NeighborhoodStep)? {
    guard isVisible(in: context) else { return nil }
    let lost = Self.lost(at: context.scale)
    let levels = Int((Double(NoiseProfile.levels) - lost).rounded(.up))
    let fineness = (detail - 50) / 50 * (detail < 50 ? 0.3 : 1)
    /// The strengths of the levels that the picture has. A preview has lost the finest ones; its
    /// size may lie between two levels.
    func strengths(_ spectrum: NoiseProfile.Spectrum, _ share: Double, fine: [Double]) -> [Float] {
      (0..<levels).map { level in
        let place = Double(level) + lost
        let first = Int(place)
        let next = min(first + 1, NoiseProfile.levels - 1)
        let between = place - Double(first)
        /// A square has the same numbers at every size, and so the energy of the coarser level.
        func strength(_ level: Int) -> Double {
          Double(spectrum.energies[level]) * share * exp2(-fine[level] * fineness)
        }
        // Beyond the coarsest level nothing is shrunk at full size.
        let rest = first + 1 < NoiseProfile.levels ? strength(next) : 0
        return Float(strength(first) * (1 - between) + rest * between)
      }
    }
    let luma = strengths(noise.brightness, 9 * luminanceStrength, fine: [1.5, 1, 0.5, 0])
    // Of six differences, times 16; the energies are means over three.
    let chroma = strengths(noise.color, 16 * 27 * 2.2 * color / 100, fine: [0, 0, 0, 0])
    guard luma.contains(where: { $0 > 0 }) || chroma.contains(where: { $0 > 0 }) else { return nil }
    return NoiseReductionStep(
      luma: luminance > 0 ? .init(strengths: luma, factors: noise.brightness.factors) : nil,
      chroma: color > 0 ? .init(strengths: chroma, factors: noise.color.factors) : nil,
      levels: levels)
  }

  /// How much of the brightness noise that is there is taken, in its energy.
  private var luminanceStrength: Double {
    luminance <= 50 ? 1.4 * luminance / 50 : 1.4 + 0.8 * (luminance - 50) / 50
  }

  /// How many levels a picture at a scale has lost.
  private static func lost(at scale: Double) -> Double { max(-log2(scale), 0) }
}

/// Shrinks the differences of undecimated Haar wavelets.
private struct NoiseReductionStep: NeighborhoodStep {
  /// What is taken away.
  struct Noise: Sendable {
    /// What noise adds to the measured energy, by level.
    let strengths: [Float]
    /// Factors of it for equal parts of brightness from 0 to 1.
    let factors: [Float]

    /// - Parameter factors: Factors for intervals of brightness, which hold in their middles.
    init(strengths: [Float], factors: [Float]) {
      self.strengths = strengths
      let count = Int(SAFELIGHT_ENTRIES)
      self.factors = (0..<count).map { entry in
        let tone = (Float(entry) + 0.5) / Float(count) * Float(factors.count) - 0.5
        let place = min(max(tone, 0), Float(factors.count - 1))
        let first = min(Int(place), factors.count - 2)
        return factors[first] + (factors[first + 1] - factors[first]) * (place - Float(first))
      }
    }
  }

  let luma: Noise?
  let chroma: Noise?
  let levels: Int

  /// The squares of a number lie half on either side, and so do those that made the number smooth;
  /// their energies reach one place farther.
  var reach: Int { 1 << levels }

  func apply(_ input: PlanarPixels, to output: PlanarPixels) {
    let (all, width) = (input.width * input.height, input.width)
    let planes = 5 + LevelPlanes.count(for: levels)
    withFloats(planes * all + Int(SAFELIGHT_LEVEL_ROOM) * width) { memory in
      func plane(_ index: Int) -> UnsafeMutablePointer<Float> { memory.baseAddress! + index * all }
      let (brightness, first, second) = (plane(0), plane(1), plane(2))
      let (tones, factors) = (plane(3), plane(4))
      let (red, green, blue) = (input.red, input.green, input.blue)
      for index in 0..<all {
        let (r, g, b) = (red[index], green[index], blue[index])
        brightness[index] = (r + g + b) * (1 / 3)
        first[index] = (r - b) * 0.5
        second[index] = (r - 2 * g + b) * 0.25
      }
      let levelling = Levelling(
        width: width, height: input.height, levels: levels,
        planes: LevelPlanes(plane(5), size: all, levels: levels), room: plane(planes))
      levelling.tones(of: brightness, to: tones, using: factors)
      copy(input, to: output)
      if let luma {
        luma.factors.withUnsafeBufferPointer {
          kernels.take_entries(tones, $0.baseAddress!, factors, Int32(all))
        }
        let smooth = levelling.shrink(brightness, strengths: luma.strengths, factors: factors)
        add(smooth, minus: brightness, of: input, to: output, (1, 1, 1))
      }
      if let chroma {
        chroma.factors.withUnsafeBufferPointer {
          kernels.take_entries(tones, $0.baseAddress!, factors, Int32(all))
        }
        let smooth = levelling.shrink(
          first, second, strengths: chroma.strengths, factors: factors)
        add(smooth.first, minus: first, of: input, to: output, (1, 0, -1))
        add(smooth.second, minus: second, of: input, to: output, (2 / 3, -4 / 3, 2 / 3))
      }
    }
  }

  private func copy(_ input: PlanarPixels, to output: PlanarPixels) {
    for channel in 0..<3 {
      for y in 0..<output.height {
        (output.plane(channel) + y * output.width).update(
          from: input.plane(channel) + (y + reach) * input.width + reach, count: output.width)
      }
    }
  }

  /// Adds the change of a plane to red, green and blue, each by a factor.
  private func add(
    _ smooth: UnsafePointer<Float>, minus plane: UnsafePointer<Float>, of input: PlanarPixels,
    to output: PlanarPixels, _ factors: (red: Float, green: Float, blue: Float)
  ) {
    for y in 0..<output.height {
      let start = (y + reach) * input.width + reach
      let (new, old) = (smooth + start, plane + start)
      let row = y * output.width
      let (red, green, blue) = (output.red + row, output.green + row, output.blue + row)
      for x in 0..<output.width {
        let change = new[x] - old[x]
        red[x] += factors.red * change
        green[x] += factors.green * change
        blue[x] += factors.blue * change
      }
    }
  }
}

/// The planes of the levels, for one plane at a time or for two together.
private struct LevelPlanes {
  typealias Pair = [UnsafeMutablePointer<Float>?]

  private let memory: UnsafeMutablePointer<Float>
  private let size: Int
  private let levels: Int

  /// Three for each level and two pairs.
  static func count(for levels: Int) -> Int { 3 * levels + 4 }

  init(_ memory: UnsafeMutablePointer<Float>, size: Int, levels: Int) {
    (self.memory, self.size, self.levels) = (memory, size, levels)
  }

  private func plane(_ index: Int) -> UnsafeMutablePointer<Float> { memory + index * size }

  /// Of one plane: the means that go on to the next level.
  func means(of level: Int) -> UnsafeMutablePointer<Float> { plane(2 * level) }
  /// Of one plane: the level's result, at first without the means.
  func result(of level: Int) -> UnsafeMutablePointer<Float> { plane(2 * level + 1) }

  /// Of two planes: the means that go on to the next level.
  func pairOfMeans(of level: Int) -> Pair { [plane(3 * level), plane(3 * level + 1)] }
  /// Of two planes: what their differences are multiplied by.
  func gains(of level: Int) -> UnsafeMutablePointer<Float> { plane(3 * level + 2) }
  /// Of two planes: the level's results, in two pairs by turns, so that none is read and written at once.
  func pairOfResults(of level: Int) -> Pair {
    let first = 3 * levels + (level % 2 == 0 ? 0 : 2)
    return [plane(first), plane(first + 1)]
  }
}

/// Takes planes through the levels of the wavelet and back.
///
/// All planes have the size of the input. What a level cannot know at its edges is not used.
private struct Levelling {
  let width: Int
  let height: Int
  let levels: Int
  let planes: LevelPlanes
  /// Memory for some rows.
  let room: UnsafeMutablePointer<Float>

  /// A level's sizes and the part of its result that is needed.
  private func level(_ index: Int) -> SafelightLevel {
    let (step, reach) = (1 << index, 1 << levels)
    let lost = step - 1
    return SafelightLevel(
      stride: Int64(width), width: Int32(width - lost), height: Int32(height - lost),
      step: Int32(step), first: Int32(reach - lost), end_column: Int32(width - reach),
      end_row: Int32(height - reach))
  }

  /// The means of 4 × 4 numbers, at the places of their upper left numbers.
  func tones(
    of plane: UnsafePointer<Float>, to tones: UnsafeMutablePointer<Float>,
    using memory: UnsafeMutablePointer<Float>
  ) {
    kernels.average_squares(plane, width, Int32(width), Int32(height), 1, memory)
    kernels.average_squares(memory, width, Int32(width - 1), Int32(height - 1), 2, tones)
    // The last rows and columns are not measured, and not needed, but must be numbers.
    for y in 0..<height {
      let start = y < height - 3 ? width - 3 : 0
      (tones + y * width + start).update(repeating: 0, count: width - start)
    }
  }

  /// The factors at the middles of a level's squares, whose sides are twice the step; the tones are
  /// from squares of 4 × 4.
  private func factors(_ factors: UnsafePointer<Float>, at index: Int) -> UnsafePointer<Float> {
    factors + (index == 0 ? -1 : (1 << index) - 2) * (width + 1)
  }

  /// Shrinks one plane; the result is one of ``planes``.
  func shrink(
    _ plane: UnsafePointer<Float>, strengths: [Float], factors: UnsafePointer<Float>
  ) -> UnsafePointer<Float> {
    var input = plane
    for index in 0..<levels {
      var level = level(index)
      kernels.shrink_level(
        input, &level, self.factors(factors, at: index), strengths[index],
        planes.means(of: index), planes.result(of: index), room)
      input = UnsafePointer(planes.means(of: index))
    }
    for index in (0..<levels).reversed() {
      var level = level(index)
      let coarse = index == levels - 1 ? planes.means(of: index) : planes.result(of: index + 1)
      kernels.add_means(coarse, &level, planes.result(of: index))
    }
    return UnsafePointer(planes.result(of: 0))
  }

  /// Shrinks two planes together; the results are two of ``planes``.
  func shrink(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, strengths: [Float],
    factors: UnsafePointer<Float>
  ) -> (first: UnsafePointer<Float>, second: UnsafePointer<Float>) {
    var inputs: [[UnsafePointer<Float>?]] = [[first, second]]
    for index in 0..<levels {
      var level = level(index)
      let (input, means) = (inputs[index], planes.pairOfMeans(of: index))
      kernels.measure_pair(
        input[0], input[1], &level, self.factors(factors, at: index), strengths[index],
        means[0], means[1], planes.gains(of: index), room)
      inputs.append(means.map { UnsafePointer($0) })
    }
    var smooth = inputs[levels]
    for index in (0..<levels).reversed() {
      var level = level(index)
      let results = planes.pairOfResults(of: index)
      kernels.smooth_pair(
        inputs[index], inputs[index + 1], smooth, &level, planes.gains(of: index), results, room)
      smooth = results.map { UnsafePointer($0) }
    }
    return (smooth[0]!, smooth[1]!)
  }
}
