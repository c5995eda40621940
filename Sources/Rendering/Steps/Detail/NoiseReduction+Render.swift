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
    let luma = strengths(noise.brightness, Self.share(luminance), fine: [1.5, 1, 0.5, 0])
    let chroma = strengths(noise.color, Self.share(color), fine: [0, 0, 0, 0])
    guard luma.contains(where: { $0 > 0 }) || chroma.contains(where: { $0 > 0 }) else { return nil }
    return NoiseReductionStep(
      luma: luminance > 0
        ? .init(energies: luma, times: 9, ofPlanes: [1], factors: noise.brightness.factors) : nil,
      // Of six differences, times 16; the energies are means over three. White noise of the channels gives U four
      // sevenths of it.
      chroma: color > 0
        ? .init(
          energies: chroma, times: 0.75 * 16 * 27, ofPlanes: [4 / 7, 3 / 7],
          factors: noise.color.factors)
        : nil,
      levels: levels)
  }

  /// How much of the noise that is there counts in the wavelets of brightness, in its energy.
  private static func share(_ amount: Double) -> Double {
    amount <= 50 ? 1.75 * amount / 50 : 1.75 + 0.85 * (amount - 50) / 50
  }

  /// How many levels a picture at a scale has lost.
  private static func lost(at scale: Double) -> Double { max(-log2(scale), 0) }
}

/// Shrinks the differences of undecimated Haar wavelets, and weighs the waves of squares by what that gave.
private struct NoiseReductionStep: NeighborhoodStep {
  /// What is taken away.
  struct Noise: Sendable {
    /// What noise adds to the measured energy, by level.
    let strengths: [Float]
    /// The energy of noise by the waves of a square of 8 × 8 numbers, for each plane.
    let waves: [[Float]]
    /// Factors of it for equal parts of brightness from 0 to 1.
    let factors: [Float]

    /// - Parameters:
    ///   - energies: The energy of noise by level.
    ///   - count: How many of them are in the measured energy.
    ///   - planes: The share of each plane.
    ///   - factors: Factors for intervals of brightness, which hold in their middles.
    init(energies: [Float], times count: Float, ofPlanes planes: [Float], factors: [Float]) {
      strengths = energies.map { count * $0 }
      let waves = Self.waves(energies)
      self.waves = planes.map { share in waves.map { share * $0 } }
      let count = Int(SAFELIGHT_ENTRIES)
      self.factors = (0..<count).map { entry in
        let tone = (Float(entry) + 0.5) / Float(count) * Float(factors.count) - 0.5
        let place = min(max(tone, 0), Float(factors.count - 1))
        let first = min(Int(place), factors.count - 2)
        return factors[first] + (factors[first + 1] - factors[first]) * (place - Float(first))
      }
    }

    /// The energies of waves: of white noise with the energy of a level at the level's own frequency, and by straight
    /// lines between two levels.
    private static func waves(_ energies: [Float]) -> [Float] {
      (0..<64).map { index in
        let frequency = hypot(Double(index / 8), Double(index % 8)) / 8
        guard frequency > 0 else { return 0 }
        let place = min(max(log2(0.7 / frequency), 0), Double(energies.count - 1))
        let first = min(Int(place), max(energies.count - 2, 0))
        let next = min(first + 1, energies.count - 1)
        func white(_ level: Int) -> Double { Double(energies[level]) * exp2(2 * Double(level + 1)) }
        let energy = white(first) + (white(next) - white(first)) * (place - Double(first))
        return Float(0.55 * energy)
      }
    }
  }

  let luma: Noise?
  let chroma: Noise?
  let levels: Int

  /// The squares of a number lie half on either side, and so do those that made the number smooth;
  /// their energies reach one place farther. Squares of waves begin up to seven places before a number.
  var reach: Int { 1 << levels + Self.waveReach }

  private static let waveReach = 8

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
        let filtered = levelling.planes.means(of: 0)
        filter(brightness, smooth, luma.waves[0], factors, input, to: filtered, room: plane(planes))
        add(filtered, minus: brightness, of: input, to: output, (1, 1, 1))
      }
      if let chroma {
        chroma.factors.withUnsafeBufferPointer {
          kernels.take_entries(tones, $0.baseAddress!, factors, Int32(all))
        }
        let smooth = levelling.shrink(
          first, second, strengths: chroma.strengths, factors: factors)
        let filtered = levelling.planes.means(of: 0)
        let room = plane(planes)
        filter(first, smooth.first, chroma.waves[0], factors, input, to: filtered, room: room)
        add(filtered, minus: first, of: input, to: output, (1, 0, -1))
        filter(second, smooth.second, chroma.waves[1], factors, input, to: filtered, room: room)
        add(filtered, minus: second, of: input, to: output, (2 / 3, -4 / 3, 2 / 3))
      }
    }
  }

  /// Weighs the waves of a plane's squares by a first result. Squares begin at every fourth column and row of the
  /// picture.
  private func filter(
    _ plane: UnsafePointer<Float>, _ pilot: UnsafePointer<Float>, _ waves: [Float],
    _ factors: UnsafePointer<Float>, _ input: PlanarPixels,
    to output: UnsafeMutablePointer<Float>, room: UnsafeMutablePointer<Float>
  ) {
    /// Where the first square begins inside the input, and how many there are.
    func squares(_ start: Int, _ count: Int) -> (first: Int, count: Int) {
      let (first, last) = ((start + reach) & ~3, (start + count - reach - 1) & ~3)
      return (first - 4 - start, (last - first) / 4 + 2)
    }
    let across = squares(input.left, input.width)
    let down = squares(input.top, input.height)
    let place = down.first * input.width + across.first
    var squares = SafelightSquares(
      stride: Int64(input.width), across: Int32(across.count), down: Int32(down.count))
    kernels.filter_squares(
      plane + place, pilot + place, &squares, waves, factors + place, output + place, room)
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
