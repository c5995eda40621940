import SafelightVips

/// How far a pass bends light at each color: what it makes of a mean of two colors, beside the mean of what
/// it makes of the two.
///
/// Where both are the same, a picture can be reduced before the pass as well as after it. Exposure bends
/// nothing but what it clips, contrast bends the more the stronger it is, and saturation bends grays little.
struct ColorBend: Sendable, Hashable {
  /// Colors along a side for which limits are kept: each stands for 16 codes.
  private static let size = 16
  /// How many colors of the grid two colors lie on each side of the one between them.
  private static let distances = [1, 2, 4, 8]
  /// Which channels change between two colors.
  private static let directions: [SIMD3<Int>] = [[1, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
  /// The error in codes that is let pass: less than 1 in CIEDE2000.
  private static let tolerance: Float = 2

  /// The largest difference between codes, of 255, at which the order makes no difference that is seen; for
  /// each color, red fastest.
  private let limits: [UInt8]

  /// The same limit for all colors, for what cannot be tried on single colors because it looks around a
  /// pixel.
  ///
  /// With 12 instead of 32, highlights, shadows and clarity left 0.1 to 0.5 % fewer pixels of three photos wrong by
  /// 2 in CIEDE2000, but for one of them half of the pixels came from the large photo instead of an eighth.
  init(limit: UInt8 = 32) {
    limits = [UInt8](repeating: limit, count: Self.size * Self.size * Self.size)
  }

  /// Tries pairs of colors of a grid with a color for every eighth code.
  init(of grid: ColorGrid) {
    let nodes = LightOfNodes(grid)
    limits = onAllThreads(mapping: Self.size) { blue in
      (0..<(Self.size * Self.size)).map { place in
        nodes.limit(at: 1 &+ 2 &* SIMD3(place % Self.size, place / Self.size, blue))
      }
    }.flatMap(\.self)
  }

  /// Marks the pixels that differ by more than the limit of their color from those around them.
  ///
  /// - Parameters:
  ///   - codes: Red, green and blue of each pixel.
  ///   - differences: How far the codes around each pixel lie apart.
  ///   - marks: Becomes 1 for the pixels that differ, and 0 for others.
  func mark(
    _ codes: UnsafePointer<UInt8>, _ differences: UnsafePointer<UInt8>,
    _ marks: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    limits.withUnsafeBufferPointer { limits in
      let limits = limits.baseAddress!
      for pixel in 0..<count {
        let color = codes + 3 &* pixel
        let place = Int(color[0] >> 4) | Int(color[1] & 0xF0) | Int(color[2] & 0xF0) << 4
        marks[pixel] = differences[pixel] > limits[place] ? 1 : 0
      }
    }
  }

  /// The results of a grid, as codes and as light.
  private struct LightOfNodes: Sendable {
    private let grid: ColorGrid
    private let light: [SIMD4<Float>]

    init(_ grid: ColorGrid) {
      self.grid = grid
      light = grid.nodes.map { node in
        SIMD4(DisplayLight.of(node.x), DisplayLight.of(node.y), DisplayLight.of(node.z), 0)
      }
    }

    /// The largest difference that is harmless around a color of the grid.
    func limit(at color: SIMD3<Int>) -> UInt8 {
      var limit: Float = 255
      for direction in ColorBend.directions {
        for distance in ColorBend.distances {
          let difference = Float(16 * distance)
          guard difference < limit else { break }
          let bend = bend(at: color, along: direction, by: distance)
          // A bend grows with the square of the difference.
          if bend > ColorBend.tolerance {
            limit = min(limit, difference * (ColorBend.tolerance / bend).squareRoot())
            break
          }
        }
      }
      return UInt8(limit)
    }

    /// The error in codes where two colors are mixed before the pass; colors outside the grid count as the
    /// nearest inside.
    private func bend(at color: SIMD3<Int>, along direction: SIMD3<Int>, by distance: Int) -> Float
    {
      let last = grid.size - 1
      func end(_ steps: Int) -> SIMD3<Int> {
        (color &+ direction &* steps).clamped(
          lowerBound: .zero, upperBound: SIMD3(repeating: last))
      }
      let (low, high) = (end(-distance), end(distance))
      var mean = SIMD3<Float>.zero
      for channel in 0..<3 {
        let scale = 8 / Float(255)
        let light =
          (DisplayLight.of(Float(low[channel]) * scale)
            + DisplayLight.of(Float(high[channel]) * scale)) / 2
        mean[channel] = DisplayLight.code(light) / scale
      }
      let (before, after) = (
        result(at: mean), (light[grid.index(of: low)] + light[grid.index(of: high)]) / 2
      )
      var most: Float = 0
      for channel in 0..<3 {
        let code = min(max(before[channel], 0), 1)
        most = max(most, abs(255 * (DisplayLight.code(after[channel]) - code)))
      }
      return most
    }

    /// The result between the eight colors of the grid around a place.
    private func result(at place: SIMD3<Float>) -> SIMD4<Float> {
      let first = SIMD3<Int>(place, rounding: .down)
        .clamped(lowerBound: .zero, upperBound: SIMD3(repeating: grid.size - 2))
      let share = place - SIMD3<Float>(first)
      var sum = SIMD4<Float>.zero
      for corner in 0..<8 {
        let steps = SIMD3(corner & 1, corner >> 1 & 1, corner >> 2)
        var weight: Float = 1
        for channel in 0..<3 {
          weight *= steps[channel] == 1 ? share[channel] : 1 - share[channel]
        }
        sum += grid.nodes[grid.index(of: first &+ steps)] * weight
      }
      return sum
    }
  }
}

/// The light of codes of sRGB from 0 to 1 and back, from tables.
private enum DisplayLight {
  private static let steps = 4096
  private static let lights = (0...steps).map {
    Float(SRGBTransfer.linear(Double($0) / Double(steps)))
  }
  /// By the square root of light, in which codes are nearly straight.
  private static let codes = (0...steps).map { step in
    let root = Double(step) / Double(steps)
    return Float(SRGBTransfer.encoded(root * root))
  }

  static func of(_ code: Float) -> Float { entry(code, of: lights) }

  static func code(_ light: Float) -> Float { entry(max(light, 0).squareRoot(), of: codes) }

  /// What lies beyond 0 and 1 is cut off, and not-a-number is 0.
  private static func entry(_ share: Float, of table: [Float]) -> Float {
    table[share > 0 ? Int(min(share, 1) * Float(steps) + 0.5) : 0]
  }
}
