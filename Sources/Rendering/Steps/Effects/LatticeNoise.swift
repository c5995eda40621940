/// Random numbers on a lattice, blurred by a quadratic B-spline, at the places of pixels: the noise of
/// version 1 of ``Grain``.
///
/// Places and random numbers are whole numbers, so the noise is the same on every machine.
struct LatticeNoise: GrainNoise {
  /// Identifies the noise; another key gives another noise.
  private let key: UInt32
  /// The distance between two pixels in cells, with 32 bits after the point.
  private let step: Int64
  /// The place of pixel 0, in the same unit.
  private let origin: Int64
  /// The factor of the noise.
  private let strength: Float

  /// Noise for a render.
  ///
  /// - Parameters:
  ///   - cell: The lattice's width in pixels of the full-size photo, at least 1.
  ///   - scale: The render's pixels for one of the full-size photo, at most 1.
  ///   - strength: The standard deviation in a full-size render; smaller in a preview.
  ///   - key: Identifies the noise.
  init(cell: Double, scale: Double, strength: Double, key: UInt32) {
    let pixel = 1 / scale
    if pixel < cell || pixel <= 1 {
      step = Self.fixed(pixel / cell)
      origin = Self.fixed((pixel - 1) / 2 / cell)
    } else {
      (step, origin) = (Self.fixed(1), 0)
    }
    let length = 1.75 * cell
    self.strength = Float(strength * length / (length + pixel - 1))
    self.key = Self.mix(key)
  }

  /// Adds the noise of `count` pixels of row `y`, from column `x` on, to `line`.
  func add(to line: UnsafeMutablePointer<Float>, count: Int, x: Int, y: Int) {
    let start = nearest(x)
    let first = (start >> 32) - 1
    let last = ((start &+ Int64(count - 1) &* step) >> 32) + 1
    let points = Int(last - first) + 1
    withFloats(points + 4 * count) { memory in
      let lattice = memory.baseAddress!
      fill(lattice, count: points, from: UInt32(truncatingIfNeeded: first), y: y)
      let strength = strength
      if step == 1 << 32 {
        let weights = Self.weights(Self.offset(UInt32(truncatingIfNeeded: start)))
        let (before, at, after) = (
          strength * weights.before, strength * weights.at, strength * weights.after
        )
        for index in 0..<count {
          line[index] +=
            before * lattice[index] + at * lattice[index &+ 1] + after * lattice[index &+ 2]
        }
        return
      }
      let before = lattice + points
      let (at, after, offsets) = (before + count, before + 2 * count, before + 3 * count)
      var place = start &- (first << 32)
      for index in 0..<count {
        let point = lattice + Int(place >> 32)
        before[index] = point[-1]
        at[index] = point[0]
        after[index] = point[1]
        offsets[index] = Self.offset(UInt32(truncatingIfNeeded: place))
        place &+= step
      }
      for index in 0..<count {
        let weights = Self.weights(offsets[index])
        line[index] +=
          strength
          * (weights.before * before[index] + weights.at * at[index] + weights.after * after[index])
      }
    }
  }

  /// The numbers of the lattice along a row of pixels, blurred across three rows of the lattice.
  private func fill(
    _ lattice: UnsafeMutablePointer<Float>, count: Int, from first: UInt32, y: Int
  ) {
    let place = nearest(y)
    let row = UInt32(truncatingIfNeeded: place >> 32)
    let weights = Self.weights(Self.offset(UInt32(truncatingIfNeeded: place)))
    let above = Self.mix(key &+ row &- 1) &+ first
    let middle = Self.mix(key &+ row) &+ first
    let below = Self.mix(key &+ row &+ 1) &+ first
    for index in 0..<count {
      let column = UInt32(truncatingIfNeeded: index)
      lattice[index] =
        weights.before * Self.value(above &+ column) + weights.at * Self.value(middle &+ column)
        + weights.after * Self.value(below &+ column)
    }
  }

  /// The place of a pixel plus half a cell; the whole part is the nearest lattice point.
  @inline(__always)
  private func nearest(_ pixel: Int) -> Int64 { origin &+ Int64(pixel) &* step &+ (1 << 31) }

  /// The distance of a pixel from the nearest lattice point, in cells: -½ to ½.
  @inline(__always)
  private static func offset(_ fraction: UInt32) -> Float {
    Float(Int32(truncatingIfNeeded: fraction >> 8) &- (1 << 23)) * 0x1p-24
  }

  /// The weights of three neighboring lattice points.
  @inline(__always)
  private static func weights(_ offset: Float) -> (before: Float, at: Float, after: Float) {
    let square = offset * offset
    let norm = 1.2978 + 0.4656 * square
    let (before, after) = (0.5 - offset, 0.5 + offset)
    let half = 0.5 * norm
    return (half * (before * before), norm * (0.75 - square), half * (after * after))
  }

  /// A number of variance 1 for a place: the sum of two halves of a hash, so that numbers near 0
  /// are more frequent.
  @inline(__always)
  private static func value(_ place: UInt32) -> Float {
    let bits = mix(place)
    let sum = Int32(truncatingIfNeeded: bits & 0xFFFF) &+ Int32(truncatingIfNeeded: bits >> 16)
    // √6 / 65,535: a triangle from -1 to 1 has a variance of a sixth.
    return Float(sum &- 65_535) * (2.449_489_7 / 65_535)
  }

  /// C. Wellons' "lowbias32".
  @inline(__always)
  static func mix(_ number: UInt32) -> UInt32 {
    var mixed = number
    mixed = (mixed ^ (mixed >> 16)) &* 0x7FEB_352D
    mixed = (mixed ^ (mixed >> 15)) &* 0x846C_A68B
    return mixed ^ (mixed >> 16)
  }

  private static func fixed(_ cells: Double) -> Int64 { Int64((cells * 0x1p32).rounded()) }
}
