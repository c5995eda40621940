import SafelightColorKernels
import SafelightVips

/// How far the tones around each pixel draw it away from its own tone.
///
/// This is the local Laplacian filter (Paris, Hasinoff and Kautz, "Local Laplacian Filters", ACM
/// TOG 30, 2011) in its fast form with two levels (Aubry et al., "Fast Local Laplacian Filters",
/// ACM TOG 33, 2014, section 4). For a pixel with tone t the picture is remapped around t and
/// blurred; the pull at the pixel is
///
///     p(t) = Gaussian of φ(T − t)
///     φ(d) = sign(d) min(|d|, max(σ − fall (|d| − σ), 0))
///
/// where T are the tones of the reduced picture around it. Tones nearer than σ count as details,
/// which draw fully. Tones farther than σ + σ / fall lie beyond an edge and do not draw at all, so
/// that there are no halos. With t, t + p(t) never falls, and t − p(t) rises where fall < 1.
///
/// p is computed for ``toneCount`` sampled tones in cells of the reduced picture. It is smooth, so
/// straight lines between cells and between tones are enough. The pixel's own tone chooses between
/// the samples at full size: a twig that is thinner than a reduced pixel gets what a large area of
/// its tone gets.
struct LocalLaplacian: Sendable {
  /// The sampled tones, evenly from 0 to 1. They lie nearer to each other than σ, so that p is 0 in
  /// a flat area of any tone.
  static let toneCount = Int(SAFELIGHT_TONES)

  /// Which differences of tones are details.
  struct Range: Sendable {
    /// σ: the largest difference that is a detail and nothing else; above 1/15.
    let detail: Double
    /// How much less a tone draws for each step that it lies farther away than ``detail``.
    let fall: Double
  }

  /// Columns of cells.
  let width: Int
  /// Rows of cells.
  let height: Int
  /// Pixels of the picture for one cell, along a side: a power of two.
  private(set) var factor: Int
  /// For each cell, row after row, the pull at each sampled tone.
  private let values: [Float]

  /// - Parameters:
  ///   - tones: The tones of the reduced picture, 0 to 1.
  ///   - deviation: The standard deviation of the Gaussian, as a share of the longer side.
  ///   - range: Which differences of tones are details.
  ///   - cells: The most cells along the longer side.
  init(_ tones: ReducedMap, deviation: Double, range: Range, cells: Int) {
    let side = max(tones.width, tones.height)
    var cell = 1
    while side > cells * cell { cell *= 2 }
    let size = (
      width: (tones.width + cell - 1) / cell, height: (tones.height + cell - 1) / cell
    )
    // Means of squares and the straight lines between them blur by a quarter together.
    let own = deviation * Double(side) / Double(cell)
    let rest = max(own * own - (tones.factor * cell > 1 ? 0.25 : 0), 0).squareRoot()
    let maps = onAllThreads(mapping: Self.toneCount) { [cell] index in
      let tone = Float(index) / Float(Self.toneCount - 1)
      return Self.pull(of: tones, to: tone, range: range, cell: cell).gaussian(rest).values
    }
    let count = size.width * size.height
    values = [Float](unsafeUninitializedCapacity: count * Self.toneCount) { values, filled in
      for (index, map) in maps.enumerated() {
        for place in 0..<count { values[place * Self.toneCount + index] = map[place] }
      }
      filled = count * Self.toneCount
    }
    (width, height) = size
    factor = tones.factor * cell
  }

  /// The same for a picture that has more or fewer pixels for one tone.
  ///
  /// - Parameters:
  ///   - tones: Pixels of the picture for one tone, along a side.
  ///   - before: The same of the picture that this is for.
  func scaled(to tones: Int, from before: Int) -> LocalLaplacian {
    var scaled = self
    scaled.factor = factor / before * tones
    return scaled
  }

  /// The means of φ over squares of `cell` × `cell` tones.
  private static func pull(of tones: ReducedMap, to tone: Float, range: Range, cell: Int)
    -> ReducedMap
  {
    let (width, height) = ((tones.width + cell - 1) / cell, (tones.height + cell - 1) / cell)
    var means = [Float](repeating: 0, count: width * height)
    let (reach, fall) = (Float(range.detail), Float(range.fall))
    tones.values.withUnsafeBufferPointer { values in
      withFloats(tones.width) { memory in
        let sums = memory.baseAddress!
        for y in 0..<height {
          let rows = (y * cell)..<min((y + 1) * cell, tones.height)
          sums.update(repeating: 0, count: tones.width)
          for row in rows {
            let start = values.baseAddress! + row * tones.width
            kernels.pull(start, tone, reach, fall, sums, Int32(tones.width))
          }
          for x in 0..<width {
            var sum: Float = 0
            let (first, end) = (x &* cell, min((x &+ 1) &* cell, tones.width))
            var column = first
            while column < end {
              sum += sums[column]
              column &+= 1
            }
            means[y &* width &+ x] = sum / Float((end &- first) &* rows.count)
          }
        }
      }
    }
    return ReducedMap(means, width: width, height: height, factor: tones.factor * cell)
  }

  /// Fills `row` with the pull at `count` pixels of the picture, from the pixel (`x`, `y`) on.
  ///
  /// - Parameter tones: The tone of each of these pixels; outside 0 to 1 it counts as the end.
  func sample(
    _ tones: UnsafePointer<Float>, to row: UnsafeMutablePointer<Float>, count: Int, x: Int, y: Int
  ) {
    // In half pixels, two middles are 2 × factor apart; every other place is the middle of a pixel.
    let (down, across) = (2 * y + 1 - factor, 2 * x + 1 - factor)
    let top = down >> (factor.trailingZeroBitCount + 1)
    let share = Float(down - top * 2 * factor) / Float(2 * factor)
    let first = across >> (factor.trailingZeroBitCount + 1)
    let skipped = (across - first * 2 * factor) / 2
    let columns = (skipped + count - 1) / factor + 2
    let (last, tall) = (width - 1, Self.toneCount)
    values.withUnsafeBufferPointer { values in
      let upper = values.baseAddress! + min(max(top, 0), height - 1) * width * tall
      let lower = values.baseAddress! + min(max(top + 1, 0), height - 1) * width * tall
      withFloats(columns * tall) { memory in
        let line = memory.baseAddress!
        for index in 0..<columns {
          let start = min(max(first &+ index, 0), last) * tall
          let (high, low, cell) = (upper + start, lower + start, line + index * tall)
          for tone in 0..<tall { cell[tone] = high[tone] + (low[tone] - high[tone]) * share }
        }
        kernels.between_tones(line, Int32(factor), Int32(skipped), tones, row, Int32(count))
      }
    }
  }
}

extension LocalLaplacian {
  /// What is a detail to adjustments that make areas brighter or darker: differences up to 25 codes
  /// of 255. Beyond 102 codes there is an edge.
  ///
  /// Both were chosen together. A larger ``Range/fall`` would let tones of soft surroundings change
  /// places in opened shadows; a larger ``Range/detail`` would give soft edges halos.
  static let area = Range(detail: 0.1, fall: 1 / 3.0)

  /// For adjustments that make areas brighter or darker: the Gaussian is 1/40 of the longer side.
  init(areasOf tones: ReducedMap) {
    self.init(tones, deviation: 1 / 40.0, range: Self.area, cells: 128)
  }

  /// Adds its pull to the tone of each pixel of a tile, which gives the pixel's base.
  func draw(_ tones: UnsafeMutablePointer<Float>, of tile: ColorTile) {
    withFloats(ColorTile.capacity) { memory in
      let pull = memory.baseAddress!
      sample(tones, to: pull, count: tile.count, x: tile.x, y: tile.y)
      for index in 0..<tile.count { tones[index] += pull[index] }
    }
  }

  /// The pull at every tone of a map that has a number for each pixel.
  func pull(at tones: ReducedMap) -> [Float] {
    let (width, height) = (tones.width, tones.height)
    return [Float](unsafeUninitializedCapacity: width * height) { result, count in
      tones.values.withUnsafeBufferPointer { values in
        let rows = UnsafeTransfer((values.baseAddress!, result.baseAddress!))
        onAllThreads(height) { y in
          sample(rows.value.0 + y * width, to: rows.value.1 + y * width, count: width, x: 0, y: y)
        }
      }
      count = width * height
    }
  }
}

extension ColorTile {
  /// Writes the luma of every pixel, or its luminance where the tile is linear.
  func luma(to luma: UnsafeMutablePointer<Float>) {
    kernels.find_luma(red, Self.capacity, luma, Int32(count))
  }
}
