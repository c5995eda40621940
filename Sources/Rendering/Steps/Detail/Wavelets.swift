import SafelightColorKernels

/// The levels of a Haar wavelet over a block of a picture, for `NoiseReduction`.
///
/// The two finest levels have all the block's rows and columns, and each coarser one every second of the level before:
/// those with even numbers in the picture. What a coarser level takes away lies on straight lines between them. What a
/// level cannot know at the edges of its planes is not used.
struct Wavelets {
  typealias Plane = UnsafeMutablePointer<Float>

  /// Rows and columns of a level, and which of them its result needs.
  private struct Grid {
    /// Columns and rows of its planes.
    var width, height: Int
    /// Where the first number lies in the picture, counted in rows and columns of the grid.
    var left, top: Int
    /// Where it lies in the grid of the level before.
    var offset = (x: 0, y: 0)
    /// How far the numbers of its squares lie apart.
    var step: Int
    /// The first row and column that are needed, and the ends of the needed ones.
    var first: Int, endColumn: Int, endRow: Int
    /// The noise's factors at the middles of the squares.
    var factors: Plane

    var level: SafelightLevel {
      SafelightLevel(
        stride: Int64(width), width: Int32(width), height: Int32(height), step: Int32(step),
        first: Int32(first), end_column: Int32(endColumn), end_row: Int32(endRow))
    }
  }

  private var grids: [Grid] = []
  /// Memory for planes that are not taken yet.
  private var free: Plane
  /// The means of 4 × 4 numbers of brightness, at the places of their upper left numbers.
  private let tones: Plane
  /// The means of the first level of brightness.
  private let halfTones: Plane
  /// Memory for some rows.
  let rows: Plane

  /// How many columns and rows beyond a result of the finest level are read.
  static func reach(of levels: Int) -> Int { levels < 3 ? 1 << levels : 14 << (levels - 3) - 3 }

  /// The floats of memory for a block of so many pixels in a row and in a column.
  static func room(width: Int, height: Int) -> Int {
    // Tones and factors, four planes of each of the two finest levels, and eight of each coarser one.
    14 * width * height + Int(SAFELIGHT_LEVEL_ROOM) * width
  }

  /// - Parameters:
  ///   - levels: How many levels, at least 1.
  ///   - input: The block, for its place.
  ///   - brightness: A plane of it.
  ///   - margin: Rows and columns at its edges that the results do not need.
  ///   - memory: As much as ``room(width:height:)`` says.
  init(
    _ levels: Int, of input: PlanarPixels, brightness: Plane, margin: Int, memory: Plane
  ) {
    let (width, height) = (input.width, input.height)
    let all = width * height
    (halfTones, tones, rows) = (memory, memory + all, memory + 3 * all)
    free = rows + Int(SAFELIGHT_LEVEL_ROOM) * width
    var grid = Grid(
      width: width, height: height, left: input.left, top: input.top, step: 1, first: margin,
      endColumn: width - margin, endRow: height - margin, factors: memory + 2 * all)
    grids.append(grid)
    /// The columns and rows that a level's means have less than the picture's grid.
    var lost = 3
    if levels > 1 {
      grid.first -= 1
      grid.step = 2
      grids.append(grid)
    }
    for _ in stride(from: 2, to: levels, by: 1) {
      let before = grid
      grid.offset = (before.left & 1, before.top & 1)
      grid.width = (before.width - lost - grid.offset.x + 1) / 2
      grid.height = (before.height - lost - grid.offset.y + 1) / 2
      (grid.left, grid.top) = ((before.left + 1) >> 1, (before.top + 1) >> 1)
      grid.first = (before.first - before.step - max(grid.offset.x, grid.offset.y)) >> 1
      grid.endColumn = (before.endColumn - grid.offset.x + 1) >> 1 + 1
      grid.endRow = (before.endRow - grid.offset.y + 1) >> 1 + 1
      grid.factors = take(grid)
      grids.append(grid)
      lost = 2
    }
    average(brightness, grids[0], to: halfTones)
    kernels.average_squares(
      halfTones, width, Int32(width - 1), Int32(height - 1), 2, tones)
    // The last rows and columns are not measured, and not needed, but must be numbers.
    for y in 0..<height {
      let start = y < height - 3 ? width - 3 : 0
      (tones + y * width + start).update(repeating: 0, count: width - start)
    }
  }

  private mutating func take(_ grid: Grid) -> Plane {
    let plane = free
    free += grid.width * grid.height
    return plane
  }

  private func average(_ input: UnsafePointer<Float>, _ grid: Grid, to means: Plane) {
    kernels.average_squares(
      input, grid.width, Int32(grid.width), Int32(grid.height), Int32(grid.step), means)
  }

  /// Looks up how much noise each brightness has, and returns the factors of the pixels.
  func look(up table: [Float]) -> Plane {
    let (grid, factors) = (grids[0], grids[0].factors)
    table.withUnsafeBufferPointer {
      kernels.take_entries(tones, $0.baseAddress!, factors, Int32(grid.width * grid.height))
    }
    for index in grids.indices.dropFirst(2) {
      // Sides of squares double, and so do the distances to their middles: two rows and columns of the level before.
      let (before, grid) = (grids[index - 1], grids[index])
      let (x, y) = (grid.offset.x + 2, grid.offset.y + 2)
      let rows = min(grid.height, (before.height - y) / 2)
      let columns = min(grid.width, (before.width - x) / 2)
      kernels.halve(
        before.factors + y * before.width + x, before.width, grid.factors, grid.width,
        Int32(columns),
        Int32(rows))
    }
    return factors
  }

  /// The factors at the middles of a level's squares.
  private func factors(_ index: Int) -> UnsafePointer<Float> {
    let grid = grids[index]
    // The tones are from squares of 4 × 4, those of the finest level have 2 × 2.
    return UnsafePointer(index == 0 ? grid.factors - grid.width - 1 : grid.factors)
  }

  /// The input of a level from the means of the level before.
  private mutating func halved(_ means: Plane, of before: Grid, for grid: Grid) -> Plane {
    let plane = take(grid)
    kernels.halve(
      means + grid.offset.y * before.width + grid.offset.x, before.width, plane, grid.width,
      Int32(grid.width), Int32(grid.height))
    return plane
  }

  /// The smooth means of a level by the result of the next.
  private mutating func lifted(
    _ plane: Plane, _ smooth: Plane, of grid: Grid, to means: Plane, of before: Grid
  ) -> Plane {
    let output = take(before)
    let start = grid.first * (grid.width + 1)
    let place =
      (2 * grid.first + grid.offset.y) * before.width + 2 * grid.first + grid.offset.x
    kernels.lift(
      plane + start, smooth + start, grid.width, Int32(grid.endColumn - grid.first - 1),
      Int32(grid.endRow - grid.first - 1), means + place, output + place, before.width)
    return output
  }

  /// Shrinks brightness.
  func shrunk(_ plane: Plane, strengths: [Float]) -> Plane {
    var memory = self
    return memory.shrink(plane, strengths)
  }

  private mutating func shrink(_ plane: Plane, _ strengths: [Float]) -> Plane {
    var inputs = [plane]
    var means: [Plane] = []
    for (index, grid) in grids.enumerated() {
      if index < 2 {
        means.append(index == 0 ? halfTones : tones)
      } else {
        means.append(take(grid))
        average(inputs[index], grid, to: means[index])
      }
      guard index + 1 < grids.count else { break }
      inputs.append(
        index == 0 ? means[0] : halved(means[index], of: grid, for: grids[index + 1]))
    }
    var smooth = means[grids.count - 1]
    /// The smooth means of two levels before, which are not needed any more.
    var spare: Plane?
    for (index, grid) in grids.enumerated().reversed() {
      if index > 0, index + 1 < grids.count {
        smooth = lifted(inputs[index + 1], smooth, of: grids[index + 1], to: means[index], of: grid)
        spare = nil
      }
      let result = spare ?? take(grid)
      spare = index == 1 && grids.count > 2 ? smooth : nil
      var level = grid.level
      kernels.shrink_level(inputs[index], &level, factors(index), strengths[index], result, rows)
      kernels.add_means(smooth, &level, result)
      smooth = result
    }
    return smooth
  }

  /// Shrinks both color differences by common shares.
  func shrunk(_ first: Plane, _ second: Plane, strengths: [Float]) -> (first: Plane, second: Plane)
  {
    var memory = self
    let smooth = memory.shrink([first, second], strengths)
    return (smooth[0], smooth[1])
  }

  private mutating func shrink(_ pair: [Plane], _ strengths: [Float]) -> [Plane] {
    var inputs = [pair]
    var means: [[Plane]] = []
    var shares: [Plane] = []
    for (index, grid) in grids.enumerated() {
      means.append([take(grid), take(grid)])
      shares.append(take(grid))
      var level = grid.level
      kernels.measure_pair(
        inputs[index][0], inputs[index][1], &level, factors(index), strengths[index],
        means[index][0], means[index][1], shares[index], rows)
      guard index + 1 < grids.count else { break }
      inputs.append(
        index == 0
          ? means[0] : means[index].map { halved($0, of: grid, for: grids[index + 1]) })
    }
    var smooth = means[grids.count - 1]
    for (index, grid) in grids.enumerated().reversed() {
      if index > 0, index + 1 < grids.count {
        smooth = (0..<2).map {
          lifted(
            inputs[index + 1][$0], smooth[$0], of: grids[index + 1], to: means[index][$0], of: grid)
        }
      }
      var level = grid.level
      func pointers(_ planes: [Plane]) -> [UnsafePointer<Float>?] {
        planes.map { UnsafePointer($0) }
      }
      // In place: a row of the result is written when that row of the smooth means has been read.
      kernels.smooth_pair(
        pointers(inputs[index]), pointers(means[index]), pointers(smooth), &level, shares[index],
        smooth.map { $0 }, rows)
    }
    return smooth
  }
}
