import SafelightColorKernels
import SafelightVips

/// The chroma of pixels without noise, blocks and bled edges, for adjustments that judge pixels by their hue.
///
/// This is the guided filter for colors (He, Sun and Tang, "Guided Image Filtering", IEEE TPAMI 35, 2013, section 3.5) on a
/// and b of OKLab, guided by the color (L, a, b) itself: at each place the calm a and b are linear functions of a pixel's
/// own color. The functions are found in windows of the reduced picture (He and Sun, "Fast Guided Filter", 2015). With the
/// means m and the covariances S of a window's colors, and D = diag(ε, ε + κ S_LL, ε + κ S_LL),
///
///     calm = m + S (S + D)⁻¹ (color − m)
///
/// Differences of chroma below √ε are noise. What lightness explains as well as chroma does, lightness explains, by κ: it
/// has sharp edges where the chroma of a JPEG has half the pixels and runs over. Windows of a hard edge between two colors
/// give both of them exactly, so that there are no halos.
///
/// A window is a square of cells, each the mean of some reduced pixels. The functions of all windows around a place are
/// averaged. These are fewer by one cell to each side than the cells of a window, so that each of them has seen the place,
/// also between the middles of two cells.
struct CalmChroma: Sendable {
  /// The most cells along the longer side.
  private static let cells = 256
  /// The reach of a window, as a share of the longer side.
  private static let reach = 1 / 64.0
  /// κ: measured on skies above rock, as JPEG of 60 to 90 %; 0.1 is no better, and 0 leaves bright outlines.
  private static let bleeding = 0.03

  /// What L, a and b of a pixel and 1 count for the calm a, then the same for the calm b.
  private let coefficients: [ReducedMap]
  /// ε: the square of the chroma below which differences are noise.
  let noise: Float

  private init(_ coefficients: [ReducedMap], noise: Float) {
    self.coefficients = coefficients
    self.noise = noise
  }

  /// Finds the functions for a picture.
  init(_ guide: ReducedPicture) {
    let side = max(guide.width, guide.height)
    var cell = 1
    while side > Self.cells * cell { cell *= 2 }
    let means = Self.means(of: guide, cell: cell)
    let length = Double(max(means[0].width, means[0].height))
    let radius = max(Int((length * Self.reach).rounded()), 2)
    let windows = onAllThreads(mapping: means.count) { means[$0].boxMean(radius: radius).values }
    let noise = Self.noise(in: windows)
    let functions = Self.functions(of: windows, noise: Double(noise))
    self.noise = noise
    coefficients = onAllThreads(mapping: functions.count) {
      means[0].with(functions[$0]).boxMean(radius: radius - 1)
    }
  }

  /// The same for a picture that has more or fewer pixels for one reduced pixel.
  func scaled(to factor: Int, from before: Int) -> CalmChroma {
    guard factor != before else { return self }
    let scaled = coefficients.map {
      ReducedMap(
        $0.values, width: $0.width, height: $0.height, factor: $0.factor / before * factor)
    }
    return CalmChroma(scaled, noise: noise)
  }

  /// Calls `body` with eight rows for the pixels of a tile, as far apart as its planes; see `SafelightCalm`.
  func withRows(on tile: ColorTile, _ body: (UnsafePointer<Float>) -> Void) {
    withFloats(coefficients.count * ColorTile.capacity) { memory in
      let rows = memory.baseAddress!
      for (index, map) in coefficients.enumerated() {
        map.sample(
          rows + index * ColorTile.capacity, count: tile.count, x: tile.x, y: tile.y)
      }
      body(rows)
    }
  }

  /// The means of L, a, b and their six products over the pixels of each cell.
  private static func means(of guide: ReducedPicture, cell: Int) -> [ReducedMap] {
    let (width, height) = ((guide.width + cell - 1) / cell, (guide.height + cell - 1) / cell)
    let rows = onAllThreads(mapping: height) { row in
      let lines = (row * cell)..<min((row + 1) * cell, guide.height)
      return withFloats(9 * guide.width) { memory in
        let sums = memory.baseAddress!
        sums.update(repeating: 0, count: 9 * guide.width)
        for y in lines { add(guide, row: y, to: sums) }
        return (0..<9).map { kind in
          (0..<width).map { column in
            let columns = (column * cell)..<min((column + 1) * cell, guide.width)
            var sum: Float = 0
            for x in columns { sum += sums[kind * guide.width + x] }
            return sum / Float(columns.count * lines.count)
          }
        }
      }
    }
    return (0..<9).map { kind in
      ReducedMap(
        rows.flatMap { $0[kind] }, width: width, height: height, factor: guide.factor * cell)
    }
  }

  private static func add(
    _ guide: ReducedPicture, row y: Int, to sums: UnsafeMutablePointer<Float>
  ) {
    ColorTile.withMemory { memory in
      for x in stride(from: 0, to: guide.width, by: ColorTile.capacity) {
        let tile = ColorTile(memory, count: min(ColorTile.capacity, guide.width - x), x: x, y: y)
        tile.forEachPlane { channel, plane in
          guide.planes[channel].withUnsafeBufferPointer {
            plane.update(from: $0.baseAddress! + y * guide.width + x, count: tile.count)
          }
        }
        tile.linearize()
        kernels.add_products(tile.red, sums + x, guide.width, Int32(tile.count))
      }
    }
  }

  /// Twice the variance of chroma that a fifth of the windows do not exceed, from 0.001² to 0.01²: flat windows show noise
  /// alone.
  private static func noise(in windows: [[Float]]) -> Float {
    let variances = windows[0].indices.map { index in
      let (a, b) = (windows[1][index], windows[2][index])
      return windows[6][index] - a * a + windows[8][index] - b * b
    }.sorted()
    return min(max(2 * variances[variances.count / 5], 1e-6), 1e-4)
  }

  /// The linear function of each window.
  private static func functions(of windows: [[Float]], noise: Double) -> [[Float]] {
    var functions = [[Float]](repeating: [], count: 8)
    for kind in functions.indices { functions[kind].reserveCapacity(windows[0].count) }
    for index in windows[0].indices {
      func mean(_ kind: Int) -> Double { Double(windows[kind][index]) }
      let (l, a, b) = (mean(0), mean(1), mean(2))
      let (ll, la, lb) = (max(mean(3) - l * l, 0), mean(4) - l * a, mean(5) - l * b)
      let (aa, ab, bb) = (max(mean(6) - a * a, 0), mean(7) - a * b, max(mean(8) - b * b, 0))
      let spread = noise + bleeding * ll
      let shares = solve(
        (ll + noise, la, lb, aa + spread, ab, bb + spread), (la, aa, ab), (lb, ab, bb))
      for (kind, share) in [(0, shares.0), (4, shares.1)] {
        functions[kind].append(Float(share.x))
        functions[kind + 1].append(Float(share.y))
        functions[kind + 2].append(Float(share.z))
        let middle = kind == 0 ? a : b
        functions[kind + 3].append(
          Float(middle - share.x * l - share.y * a - share.z * b))
      }
    }
    return functions
  }

  /// Solves a symmetric system for two right sides, by Cramer's rule.
  ///
  /// - Parameter matrix: The upper triangle, row after row.
  private static func solve(
    _ matrix: (Double, Double, Double, Double, Double, Double),
    _ first: (Double, Double, Double), _ second: (Double, Double, Double)
  ) -> (SIMD3<Double>, SIMD3<Double>) {
    let (p, q, r, s, t, u) = matrix
    let (top, middle, low) = (
      SIMD3(s * u - t * t, r * t - q * u, q * t - r * s),
      SIMD3(r * t - q * u, p * u - r * r, q * r - p * t),
      SIMD3(q * t - r * s, q * r - p * t, p * s - q * q)
    )
    let size = p * top.x + q * top.y + r * top.z
    func solution(_ right: (Double, Double, Double)) -> SIMD3<Double> {
      (right.0 * top + right.1 * middle + right.2 * low) / size
    }
    return (solution(first), solution(second))
  }
}
