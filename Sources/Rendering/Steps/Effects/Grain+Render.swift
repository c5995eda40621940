import SafelightAdjustments
import SafelightColorKernels

extension Grain: ColorRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    guard amount > 0 else { return [] }
    let fields = octaves.map { octave in
      GrainField(
        octave, across: context.size.width, down: context.size.height, pixel: pixel(in: context))
    }
    return [.kernel(GrainKernel(fields: fields))]
  }

  /// The width of a render's pixel in a picture of the reference size.
  private func pixel(in context: StepContext) -> Double {
    // Whole pixels of the full-size photo, so that previews have the lattice of the full size.
    let side = (Double(context.size.longestSide) / context.scale).rounded()
    return Self.referenceSide / (side * context.scale)
  }

  /// The two noises, with their share of the strength.
  private var octaves: [GrainOctave] {
    let roughness = roughness / 100
    // Includes the factor 4 of 4 Y' (1 − Y').
    let strength = 4 * 0.08 * amount / 100 / (1 + roughness * roughness).squareRoot()
    let seed = UInt32(truncatingIfNeeded: seed)
    let octaves: [(width: Int, strength: Double)] = [(1, strength), (2, strength * roughness)]
    return octaves.filter { $0.strength > 0 }.map { width, strength in
      GrainOctave(
        cell: size * Double(width), strength: strength,
        key: seed &+ 0x9E37_79B9 &* UInt32(width))
    }
  }
}

/// One of the noises that grain is made of.
struct GrainOctave: Sendable {
  /// The lattice's width in pixels of the reference size.
  let cell: Double
  /// The deviation, four times what it is in mid-gray.
  let strength: Double
  /// Identifies the noise; another key gives another noise.
  let key: UInt32
}

/// Adds the same noise to all channels, most in the mid-tones.
private struct GrainKernel: ColorKernel {
  let space = ColorSpace.encoded
  let keepsGray = true
  // Grain is noise itself.
  let makesGradients = false
  let fields: [GrainField]

  func apply(to tile: ColorTile) {
    withFloats(tile.count) { memory in
      let noise = memory.baseAddress!
      noise.update(repeating: 0, count: tile.count)
      for field in fields { field.add(to: noise, count: tile.count, x: tile.x, y: tile.y) }
      for index in 0..<tile.count {
        let (r, g, b) = (tile.red[index], tile.green[index], tile.blue[index])
        let luma = min(max(Luma.of(red: r, green: g, blue: b), 0), 1)
        let grain = noise[index] * (luma * (1 - luma))
        tile.red[index] = r + grain
        tile.green[index] = g + grain
        tile.blue[index] = b + grain
      }
    }
  }
}

/// Random numbers on a lattice, blurred by a cubic B-spline, and their means over the pixels of a render.
///
/// The means are exact, so a pixel of a small render is the mean of the pixels that it stands for in a
/// large one. Places and random numbers do not depend on the machine. For the formula see ``Grain``.
struct GrainField: Sendable {
  private let across: Weights
  private let down: Weights
  private let key: UInt32

  /// The weights of the lattice's points for pixels along a side.
  private struct Weights: Sendable {
    /// The first pixel.
    let start: Int
    /// The first point that counts, for each pixel.
    private(set) var first: [Int32] = []
    /// As many weights for each pixel as there are ``points``.
    private(set) var weights: [Float] = []
    /// The number of points that count for a pixel.
    let points: Int
    /// The width of a pixel in cells.
    private let pixel: Double
    /// What all weights are multiplied by.
    private let factor: Double

    init(_ pixels: Range<Int>, pixel: Double, factor: Double) {
      (self.pixel, self.factor) = (pixel, factor)
      start = pixels.lowerBound
      points = Int((4 + pixel).rounded(.up))
      first.reserveCapacity(pixels.count)
      weights.reserveCapacity(pixels.count * points)
      for index in pixels {
        let place = (Double(index) + 0.5) * pixel
        let nearest = (place - 2 - pixel / 2).rounded(.up)
        first.append(Int32(nearest))
        for point in 0..<points {
          let distance = place - nearest - Double(point)
          weights.append(Float(factor * GrainField.weight(distance, pixel: pixel)))
        }
      }
    }

    /// The weights of other pixels: these, when they are among them.
    func covering(_ pixels: Range<Int>) -> Weights {
      start <= pixels.lowerBound && pixels.upperBound <= start + first.count
        ? self : Weights(pixels, pixel: pixel, factor: factor)
    }
  }

  /// Noise for a render.
  ///
  /// - Parameters:
  ///   - across: Pixels from left to right of the render.
  ///   - down: Pixels from top to bottom of the render.
  ///   - pixel: The width of one of them in a picture of the reference size.
  init(_ octave: GrainOctave, across: Int, down: Int, pixel: Double) {
    let factor = octave.strength * 6.0.squareRoot() / Self.energy(ofPixel: 1 / octave.cell)
    self.across = Weights(0..<across, pixel: pixel / octave.cell, factor: factor)
    self.down = Weights(0..<down, pixel: pixel / octave.cell, factor: 1)
    key = Self.mix(octave.key)
  }

  /// Adds the noise of `count` pixels of row `y`, from column `x` on, to `line`.
  func add(to line: UnsafeMutablePointer<Float>, count: Int, x: Int, y: Int) {
    let (across, down) = (across.covering(x..<x + count), down.covering(y..<y + 1))
    let (column, row) = (x - across.start, y - down.start)
    let start = across.first[column]
    let length = Int(across.first[column + count - 1] - start) + across.points
    withFloats(2 * length + count) { memory in
      let (points, sums) = (memory.baseAddress!, memory.baseAddress! + length)
      let result = sums + length
      sums.update(repeating: 0, count: length)
      for point in 0..<down.points {
        let weight = down.weights[row * down.points + point]
        guard weight != 0 else { continue }
        let place = UInt32(bitPattern: down.first[row] + Int32(point))
        kernels.randomize(
          Self.mix(key &+ place) &+ UInt32(bitPattern: start), points, Int32(length))
        for index in 0..<length { sums[index] += weight * points[index] }
      }
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: count) { places in
        for index in 0..<count { places[index] = across.first[column + index] - start }
        across.weights.withUnsafeBufferPointer { weights in
          kernels.sum_columns(
            sums, 1, places.baseAddress!, weights.baseAddress! + column * across.points,
            Int32(across.points), result, Int32(count))
        }
      }
      for index in 0..<count { line[index] += result[index] }
    }
  }

  /// C. Wellons' "lowbias32".
  @inline(__always)
  static func mix(_ number: UInt32) -> UInt32 {
    var mixed = number
    mixed = (mixed ^ (mixed >> 16)) &* 0x7FEB_352D
    mixed = (mixed ^ (mixed >> 15)) &* 0x846C_A68B
    return mixed ^ (mixed >> 16)
  }

  /// The mean of the cubic B-spline over a pixel.
  ///
  /// - Parameters:
  ///   - distance: From the middle of the spline to the middle of the pixel, in cells.
  ///   - pixel: The width of the pixel in cells.
  static func weight(_ distance: Double, pixel: Double) -> Double {
    (share(below: distance + pixel / 2) - share(below: distance - pixel / 2)) / pixel
  }

  /// The integral of the cubic B-spline from −∞ to `place`, by its truncated powers
  /// (I. J. Schoenberg, 1946).
  private static func share(below place: Double) -> Double {
    // The spline is symmetric, and below the middle the powers do not cancel each other.
    if place > 0 { return 1 - share(below: -place) }
    func power(_ base: Double) -> Double {
      let base = max(base, 0)
      return base * base * (base * base)
    }
    return (power(place + 2) - 4 * power(place + 1)) / 24
  }

  /// The mean variance, along one side, of noise whose lattice has variance 1.
  private static func energy(ofPixel pixel: Double) -> Double {
    let steps = 64
    let end = Int((2 + pixel / 2) * Double(steps)) + 1
    return (-end...end).reduce(0) { sum, step in
      let weight = weight(Double(step) / Double(steps), pixel: pixel)
      return sum + weight * weight / Double(steps)
    }
  }
}
