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
    amount <= 50 ? 2 * amount / 50 : 2 + (amount - 50) / 50
  }

  /// How many levels a picture at a scale has lost.
  private static func lost(at scale: Double) -> Double { max(-log2(scale), 0) }
}

/// Shrinks the differences of Haar wavelets, and weighs the waves of squares by what that gave.
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
        return Float(0.5 * energy)
      }
    }
  }

  let luma: Noise?
  let chroma: Noise?
  let levels: Int

  var reach: Int { Wavelets.reach(of: levels) + Self.waveReach }

  /// Squares of waves begin up to seven places before a number.
  private static let waveReach = 8

  func apply(_ input: PlanarPixels, to output: PlanarPixels) {
    let (width, height) = (input.width, input.height)
    let all = width * height
    // The input is not needed any more, and its memory serves.
    let (brightness, first, second) = (input.red, input.green, input.blue)
    kernels.to_opponents(brightness, first, second, Int32(all))
    withFloats(3 * all + Wavelets.room(width: width, height: height)) { memory in
      func plane(_ index: Int) -> UnsafeMutablePointer<Float> { memory.baseAddress! + index * all }
      let wavelets = Wavelets(
        levels, of: input, brightness: brightness, margin: reach - Self.waveReach, memory: plane(3))
      var planes = [brightness, first, second]
      if let luma {
        let factors = wavelets.look(up: luma.factors)
        let smooth = wavelets.shrunk(brightness, strengths: luma.strengths)
        // A square's mean is nearer to the truth where more than the square was looked at, and less sharp.
        filter(
          brightness, smooth, smoothMeans: 0.5, luma.waves[0], factors, input, to: plane(0),
          rows: wavelets.rows)
        planes[0] = plane(0)
      }
      if let chroma {
        let factors = wavelets.look(up: chroma.factors)
        let smooth = wavelets.shrunk(first, second, strengths: chroma.strengths)
        for (index, pilot) in [smooth.first, smooth.second].enumerated() {
          filter(
            planes[index + 1], pilot, smoothMeans: 1, chroma.waves[index], factors, input,
            to: plane(index + 1), rows: wavelets.rows)
          planes[index + 1] = plane(index + 1)
        }
      }
      for y in 0..<output.height {
        let place = (y + reach) * width + reach
        let row = y * output.width
        kernels.from_opponents(
          planes[0] + place, planes[1] + place, planes[2] + place, output.red + row,
          output.green + row, output.blue + row, Int32(output.width))
      }
    }
  }

  /// Weighs the waves of a plane's squares by a first result. Squares begin at every fourth column and row of the
  /// picture.
  private func filter(
    _ plane: UnsafePointer<Float>, _ pilot: UnsafePointer<Float>, smoothMeans: Float,
    _ waves: [Float], _ factors: UnsafePointer<Float>, _ input: PlanarPixels,
    to output: UnsafeMutablePointer<Float>, rows: UnsafeMutablePointer<Float>
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
      stride: Int64(input.width), across: Int32(across.count), down: Int32(down.count),
      smooth: smoothMeans)
    kernels.filter_squares(
      plane + place, pilot + place, &squares, waves, factors + place, output + place, rows)
  }
}
