import FoundationEssentials
import Glibc

/// How much noise a photo has, by the levels of a wavelet and by brightness.
///
/// The squares of ``PhotoSamples`` go through the wavelet of `NoiseReduction`, and each
/// is cut into nine cells of 16 × 16 places. A cell's energy is the mean of its squared differences,
/// by level, for brightness and for the two color differences together. Flat cells show noise alone,
/// so of the cells of similar brightness, in eight intervals, the energy counts that 8 percent of
/// the cells do not reach; how much that is below the mean of noise is known from noise itself. Of
/// the intervals, which texture may fill, the lower third counts, and an interval may have at most
/// 1.25 times as much energy.
///
/// Texture and slopes have more energy in coarse levels than noise. Noise is white, or has lost its
/// finest part to the camera's and the JPEG's own smoothing; so the rise from one level to the next
/// limits the next rise. The limits are from photos of 15 cameras. Slopes have no crosswise
/// differences, and edges few. Those of white noise are as strong as its others; smoothed noise has
/// fewer of them, the more the steeper its deviation rises to the next level, by measurement of noise
/// in JPEGs and of photos. So brightness has at most what its crosswise differences tell, and by them
/// its intervals are compared. White noise of 5 to 25 codes over twelve photos is measured 5 percent
/// too low to 19 percent too high, in the median of each level.
struct NoiseProfile: Sendable, Equatable {
  /// The number of levels: squares of 2, 4, 8 and 16 pixels.
  static let levels = 4
  /// The number of intervals of brightness.
  static let intervals = 8

  /// The noise of one kind.
  struct Spectrum: Sendable, Equatable {
    /// The mean square of a difference by level, from the finest; differences are quarters of sums
    /// and differences of four numbers.
    var energies: [Float]
    /// What an interval of brightness has, as a factor of ``energies``.
    var factors: [Float]

    /// No noise.
    static let none = Spectrum(
      energies: [Float](repeating: 0, count: levels),
      factors: [Float](repeating: 1, count: intervals))

    /// The standard deviation of white noise that has the energy of a level.
    func deviation(level: Int) -> Float { energies[level].squareRoot() * Float(2 << level) }
  }

  /// The noise of brightness, the mean of red, green and blue.
  var brightness = Spectrum.none
  /// The noise of both color differences: the sum of their energies.
  var color = Spectrum.none

  /// No noise.
  init() {}

  /// Measures the noise of a photo.
  init(_ samples: PhotoSamples) {
    var cells: [Cell] = []
    for planes in samples.pixels { Cell.append(of: planes, to: &cells) }
    // A cell without any difference was drawn, or is clipped; noise would show at the ends of the
    // tones only in part.
    cells.removeAll { cell in
      cell.tone < 0.02 || cell.tone > 0.98 || cell.brightness.x + cell.brightness.y < 1e-9
    }
    brightness = Self.spectrum(
      cells.map { ($0.tone, $0.brightness) }, expected: [0.871, 0.837, 0.751, 0.642],
      rises: Rises(first: 2.2, second: 0.4, third: 0.5), crosswise: cells.map(\.crosswise))
    color = Self.spectrum(
      cells.map { ($0.tone, $0.color) }, expected: [0.906, 0.878, 0.816, 0.727],
      rises: Rises(first: 2.9, second: 0.75, third: 0.45))
  }

  /// How much more deviation, as of white noise, a level may have than the level before.
  private struct Rises {
    /// The most for the second level.
    let first: Double
    /// The shares of a rise that the next rise may have; see ``limit(_:)``.
    let second, third: Double

    /// The deviations of white noise that has the energies, with limited rises.
    func limit(_ energies: [Double]) -> [Double] {
      var white = energies.indices.map { energies[$0].squareRoot() * Double(2 << $0) }
      var rise = min(white[1] / white[0], first)
      white[1] = white[0] * rise
      rise = min(white[2] / white[1], 1.03 + second * max(rise - 1, 0))
      white[2] = white[1] * rise
      rise = min(white[3] / white[2], 1 + third * max(rise - 1, 0))
      white[3] = white[2] * rise
      return white
    }
  }

  /// The deviations of noise with crosswise differences of these deviations.
  private static func all(ofCrosswise white: [Double]) -> [Double] {
    let rises = (1..<levels).map { white[$0] / white[$0 - 1] }
    // Beyond the last level half as much as before it.
    let next = rises + [1 + 0.5 * (rises[levels - 2] - 1)]
    return zip(white, next).map { $0 * (1 + 0.45 * max($1 - 1, 0)) }
  }

  /// - Parameters:
  ///   - cells: Brightness and energies of each cell.
  ///   - expected: The low energy of cells of white noise, as a share of the mean, by level.
  ///   - crosswise: The energies of each cell's crosswise differences alone.
  private static func spectrum(
    _ cells: [(tone: Float, energies: SIMD4<Float>)], expected: [Double], rises: Rises,
    crosswise: [SIMD4<Float>]? = nil
  ) -> Spectrum {
    var members = [[Int]](repeating: [], count: intervals)
    for (index, cell) in cells.enumerated() {
      members[min(Int(cell.tone * Float(intervals)), intervals - 1)].append(index)
    }
    // A small photo has too few cells to tell intervals apart.
    var known = members.indices.filter { members[$0].count >= 16 }
    if known.isEmpty {
      guard cells.count >= 8 else { return .none }
      members = [Array(cells.indices)]
      known = [0]
    }
    /// The logarithms of the low energies of each interval, by level.
    func low(_ energies: [SIMD4<Float>], _ expected: [Double]) -> [[Double]] {
      known.map { interval in
        (0..<levels).map { level -> Double in
          let sorted = members[interval].map { energies[$0][level] }.sorted()
          return log(max(Double(sorted[sorted.count * 8 / 100]), 1e-9) / expected[level])
        }
      }
    }
    let weights = known.map { Double(min(members[$0].count, 200)) }
    let all = low(cells.map(\.energies), expected)
    let cross = crosswise.map { low($0, [0.827, 0.809, 0.719, 0.576]) }
    let fine = (cross ?? all).map { ($0[0] + $0[1]) / 2 }
    let usual = lowerThird(fine, weights)
    let limited = fine.map { min(max($0 - usual, -log(6)), log(1.25)) }
    let curve = smoothed(known, limited)
    func energies(_ low: [[Double]]) -> [Double] {
      (0..<levels).map { level in
        exp(lowerThird(low.indices.map { low[$0][level] - curve[known[$0]] }, weights))
      }
    }
    var white = rises.limit(energies(all))
    if let cross {
      // The rises of smoothed noise are steeper than those of all differences.
      let steeper = Rises(first: 3, second: rises.second, third: rises.third)
      let most = Self.all(ofCrosswise: steeper.limit(energies(cross)))
      white = zip(white, most).map { min($0, $1) }
    }
    return Spectrum(
      energies: white.indices.map { Float(pow(white[$0] / Double(2 << $0), 2)) },
      factors: curve.map { Float(exp($0)) })
  }

  /// The value that 35 percent of the weight do not exceed.
  private static func lowerThird(_ values: [Double], _ weights: [Double]) -> Double {
    let order = values.indices.sorted { values[$0] < values[$1] }
    let limit = 0.35 * weights.reduce(0, +)
    var sum = 0.0
    for index in order {
      sum += weights[index]
      if sum >= limit { return values[index] }
    }
    return values[order[order.count - 1]]
  }

  /// The value of every interval: by straight lines between the known ones, then a mean with the
  /// neighbors.
  private static func smoothed(_ known: [Int], _ values: [Double]) -> [Double] {
    let all = (0..<intervals).map { interval -> Double in
      guard let next = known.firstIndex(where: { $0 >= interval }) else {
        return values[values.count - 1]
      }
      guard known[next] > interval, next > 0 else { return values[next] }
      let share = Double(interval - known[next - 1]) / Double(known[next] - known[next - 1])
      return values[next - 1] + (values[next] - values[next - 1]) * share
    }
    return all.indices.map { index in
      let (before, after) = (all[max(index - 1, 0)], all[min(index + 1, intervals - 1)])
      return (before + 2 * all[index] + after) / 4
    }
  }

  /// A part of a square.
  private struct Cell {
    var tone: Float = 0
    /// Mean squares of differences by level.
    var brightness = SIMD4<Float>.zero
    var color = SIMD4<Float>.zero
    /// Mean squares of the crosswise differences of brightness.
    var crosswise = SIMD4<Float>.zero

    /// Cells along a side, and places along the side of a cell.
    static let count = 3
    static let side = 16

    /// Adds the cells of a square.
    static func append(of planes: [Float], to cells: inout [Cell]) {
      let side = PhotoSamples.side
      var found = [Cell](repeating: Cell(), count: count * count)
      var sums = [Float](repeating: 0, count: count * count)
      let share = 1 / Float(Cell.side * Cell.side)
      withFloats(side * side) { memory in
        let input = memory.baseAddress!
        for (kind, plane) in OpponentColors.planes(of: planes).enumerated() {
          plane.withUnsafeBufferPointer { input.update(from: $0.baseAddress!, count: side * side) }
          if kind == 0 {
            add(input, to: &sums)
            for index in found.indices { found[index].tone = sums[index] * share }
          }
          for level in 0..<levels {
            if kind == 0 {
              measureCrosswise(input, step: 1 << level, to: &sums)
              for index in found.indices { found[index].crosswise[level] = sums[index] * share }
            }
            measure(input, step: 1 << level, to: &sums)
            for index in found.indices {
              if kind == 0 {
                found[index].brightness[level] = sums[index] * share
              } else {
                found[index].color[level] += sums[index] * share
              }
            }
          }
        }
      }
      cells += found
    }

    /// The sums of the numbers of each cell.
    private static func add(_ input: UnsafePointer<Float>, to sums: inout [Float]) {
      eachCellRow(&sums) { y, columns in
        let row = input + y * PhotoSamples.side
        for x in 0..<(count * side) { columns[x] += row[x] }
      }
    }

    /// The sums of the energies of each cell's crosswise differences.
    private static func measureCrosswise(
      _ input: UnsafePointer<Float>, step: Int, to sums: inout [Float]
    ) {
      let width = PhotoSamples.side
      eachCellRow(&sums) { y, columns in
        let (upper, lower) = (input + y * width, input + (y + step) * width)
        for x in 0..<(count * side) {
          let cross = (upper[x] - upper[x + step]) - (lower[x] - lower[x + step])
          columns[x] += cross * cross * (1 / 16)
        }
      }
    }

    /// The sums of the energies of each cell; the numbers become the means of the level.
    private static func measure(
      _ input: UnsafeMutablePointer<Float>, step: Int, to sums: inout [Float]
    ) {
      let width = PhotoSamples.side
      eachCellRow(&sums) { y, columns in
        let (upper, lower) = (input + y * width, input + (y + step) * width)
        for x in 0..<(count * side) {
          let (a, b, c, d) = (upper[x], upper[x + step], lower[x], lower[x + step])
          let (top, bottom, left, right) = (a + b, c + d, a - b, c - d)
          let (down, across, cross) = (top - bottom, left + right, left - right)
          columns[x] += (down * down + across * across + cross * cross) * (1 / 48)
        }
      }
      // In place: a mean is written where no later mean reads.
      for y in 0..<(width - 2 * step + 1) {
        let (upper, lower) = (input + y * width, input + (y + step) * width)
        for x in 0..<(width - 2 * step + 1) {
          upper[x] = ((upper[x] + upper[x + step]) + (lower[x] + lower[x + step])) * 0.25
        }
      }
    }

    /// Calls `body` for each row of the cells with sums for each column, and adds them up to cells.
    private static func eachCellRow(
      _ sums: inout [Float], _ body: (Int, UnsafeMutablePointer<Float>) -> Void
    ) {
      withFloats(count * side) { columns in
        let columns = columns.baseAddress!
        for band in 0..<count {
          for x in 0..<(count * side) { columns[x] = 0 }
          for y in (band * side)..<((band + 1) * side) { body(y, columns) }
          for cell in 0..<count {
            var sum: Float = 0
            for x in (cell * side)..<((cell + 1) * side) { sum += columns[x] }
            sums[band * count + cell] = sum
          }
        }
      }
    }
  }
}

/// Brightness and two color differences that are 0 for gray.
enum OpponentColors {
  /// The three planes of red, green and blue that follow each other.
  static func planes(of colors: [Float]) -> [[Float]] {
    let count = colors.count / 3
    var planes = [[Float]](repeating: [Float](repeating: 0, count: count), count: 3)
    for index in 0..<count {
      let (red, green, blue) = (colors[index], colors[count + index], colors[2 * count + index])
      planes[0][index] = (red + green + blue) / 3
      planes[1][index] = (red - blue) / 2
      planes[2][index] = (red - 2 * green + blue) / 4
    }
    return planes
  }
}
