/// A number for every pixel of a ``ReducedPicture``, which can be read at any place of the picture.
struct ReducedMap: Sendable {
  let width: Int
  let height: Int
  /// Pixels of the picture for one number, along a side: a power of two.
  let factor: Int
  private(set) var values: [Float]

  init(_ values: [Float], width: Int, height: Int, factor: Int) {
    self.values = values
    self.width = width
    self.height = height
    self.factor = factor
  }

  /// A map of the same shape with other numbers.
  func with(_ values: [Float]) -> ReducedMap {
    ReducedMap(values, width: width, height: height, factor: factor)
  }

  /// Fills `row` with the map's numbers at `count` pixels of the picture, from the pixel (`x`, `y`)
  /// on.
  ///
  /// Between the middles of the reduced pixels the numbers follow straight lines, first down and
  /// then across. Beyond the outermost middles they are constant.
  func sample(_ row: UnsafeMutablePointer<Float>, count: Int, x: Int, y: Int) {
    values.withUnsafeBufferPointer { values in
      let values = values.baseAddress!
      guard factor > 1 else {
        let line = values + min(max(y, 0), height - 1) * width
        for index in 0..<count { row[index] = line[min(max(x &+ index, 0), width &- 1)] }
        return
      }
      // In half pixels, two middles are 2 × factor apart; every other place is the middle of a
      // pixel.
      let (down, across) = (2 * y + 1 - factor, 2 * x + 1 - factor)
      let top = down >> (factor.trailingZeroBitCount + 1)
      let share = Float(down - top * 2 * factor) / Float(2 * factor)
      let upper = values + min(max(top, 0), height - 1) * width
      let lower = values + min(max(top + 1, 0), height - 1) * width
      let first = across >> (factor.trailingZeroBitCount + 1)
      let skipped = (across - first * 2 * factor) / 2
      let pieces = (skipped + count + factor - 1) / factor + 1
      let last = width - 1
      withFloats(pieces) { memory in
        let line = memory.baseAddress!
        for index in 0..<pieces {
          let column = min(max(first &+ index, 0), last)
          line[index] = upper[column] + (lower[column] - upper[column]) * share
        }
        kernels.stretch(line, Int32(factor), Int32(skipped), row, Int32(count))
      }
    }
  }
}

extension ReducedMap {
  /// The mean of the numbers at most `radius` columns and rows away, of fewer numbers at the edges.
  func boxMean(radius: Int) -> ReducedMap { meanOfRows(radius).meanOfRows(radius) }

  /// The mean along each row, transposed.
  private func meanOfRows(_ radius: Int) -> ReducedMap {
    let (width, radius) = (width, min(radius, width))
    return transposed { row, result in
      var sum = 0.0
      for x in 0..<min(radius, width) { sum += Double(row[x]) }
      for x in 0..<width {
        if x + radius < width { sum += Double(row[x + radius]) }
        if x - radius > 0 { sum -= Double(row[x - radius - 1]) }
        let count = min(x + radius, width - 1) - max(x - radius, 0) + 1
        result[x] = Float(sum / Double(count))
      }
    }
  }

  /// The smallest of the numbers at most `radius` columns and rows away.
  func minimum(radius: Int) -> ReducedMap { minimumOfRows(radius).minimumOfRows(radius) }

  /// The smallest number along each row, transposed.
  private func minimumOfRows(_ radius: Int) -> ReducedMap {
    let width = width
    return transposed { row, result in
      result.update(from: row, count: width)
      for distance in stride(from: 1, through: min(radius, width - 1), by: 1) {
        for x in 0..<(width - distance) { result[x] = min(result[x], row[x + distance]) }
        for x in distance..<width { result[x] = min(result[x], row[x - distance]) }
      }
    }
  }

  /// The numbers blurred by a Gaussian with a standard deviation in reduced pixels. Beyond its
  /// edges the map is mirrored.
  func gaussian(_ deviation: Double) -> ReducedMap {
    gaussian(deviation, extent: (Double(width), Double(height)))
  }

  /// The numbers blurred so that, sampled, they are those of the picture blurred by a Gaussian with
  /// a standard deviation in pixels of the picture.
  ///
  /// The means of squares have a variance of (factor² − 1) / 12 themselves, and the straight lines
  /// between them factor² / 6 + 1 / 12 on average: factor² / 4 together.
  ///
  /// - Parameter size: The size of the picture; its mirror image begins at its edges.
  func gaussian(inPicture deviation: Double, of size: PixelSize) -> ReducedMap {
    let pixel = 1 / Double(factor)
    let variance = deviation * pixel * (deviation * pixel) - (factor > 1 ? 0.25 : 0)
    return gaussian(
      max(variance, 0).squareRoot(),
      extent: (Double(size.width) * pixel, Double(size.height) * pixel))
  }

  private func gaussian(_ deviation: Double, extent: (across: Double, down: Double)) -> ReducedMap {
    guard deviation > 0 else { return self }
    let convolution = Convolution.gaussian(deviation)
    return blurredRows(convolution, extent: extent.across)
      .blurredRows(convolution, extent: extent.down)
  }

  /// Each row blurred, transposed.
  ///
  /// - Parameter extent: Where a row ends and its mirror image begins; the last number may stand
  ///   for less than a whole square.
  private func blurredRows(_ convolution: Convolution, extent: Double) -> ReducedMap {
    let (width, reach) = (width, convolution.reach)
    /// The place inside the row that stands for an index outside: the index mirrored at both ends.
    func mirrored(_ index: Int) -> Double {
      let place = (Double(index) + 0.5).truncatingRemainder(dividingBy: 2 * extent)
      let inPair = place < 0 ? place + 2 * extent : place
      return min(max(min(inPair, 2 * extent - inPair) - 0.5, 0), Double(width - 1))
    }
    let whole = Double(width) - 0.5 > extent ? width - 1 : width
    let beyond = (Array(-reach..<0) + Array(whole..<(width + reach))).map { ($0, mirrored($0)) }
    return withFloats(width + 2 * reach) { memory in
      let line = memory.baseAddress!
      return transposed { row, result in
        (line + reach).update(from: row, count: width)
        for (index, place) in beyond {
          let left = Int(place)
          let right = min(left + 1, width - 1)
          line[index + reach] = row[left] + (row[right] - row[left]) * Float(place - Double(left))
        }
        convolution.sum(line + reach, step: 1, to: result, count: width)
      }
    }
  }

  /// The results of a function of each row, as columns: doing it twice works on rows, then columns.
  private func transposed(
    _ body: (UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> Void
  ) -> ReducedMap {
    let columns = [Float](unsafeUninitializedCapacity: values.count) { result, count in
      let columns = result.baseAddress!
      values.withUnsafeBufferPointer { values in
        withFloats(width) { memory in
          let row = memory.baseAddress!
          for y in 0..<height {
            body(values.baseAddress! + y * width, row)
            for x in 0..<width { columns[x * height + y] = row[x] }
          }
        }
      }
      count = values.count
    }
    return ReducedMap(columns, width: height, height: width, factor: factor)
  }
}

/// An edge-preserving mean of a map, which at each place is a linear function of luma,
/// base = slope × luma + offset.
///
/// This is the guided filter of He, Sun and Tang ("Guided Image Filtering", IEEE TPAMI 35, 2013),
/// guided by the luma of the picture. Slope and offset are computed on the reduced picture (He and
/// Sun, "Fast Guided Filter", 2015).
struct GuidedBase: Sendable {
  let slope: ReducedMap
  let offset: ReducedMap

  /// The base of a map, with the edges of luma.
  ///
  /// - Parameters:
  ///   - map: What is averaged.
  ///   - luma: The reduced picture's luma.
  ///   - radius: The reach of the mean in reduced pixels.
  ///   - edge: Luma differences well below this number are smoothed, differences well above are
  ///     kept.
  init(of map: ReducedMap, guidedBy luma: ReducedMap, radius: Int, edge: Float) {
    func products(_ left: ReducedMap, _ right: ReducedMap) -> ReducedMap {
      luma.with(zip(left.values, right.values).map { $0 * $1 }).boxMean(radius: radius)
    }
    let lumaMean = luma.boxMean(radius: radius)
    let squares = products(luma, luma)
    let mapMean = map.boxMean(radius: radius)
    let mixed = products(luma, map)
    var slopes = [Float](repeating: 0, count: luma.values.count)
    var offsets = slopes
    for index in slopes.indices {
      let (lumaAverage, average) = (lumaMean.values[index], mapMean.values[index])
      let variance = max(squares.values[index] - lumaAverage * lumaAverage, 0)
      let covariance = mixed.values[index] - lumaAverage * average
      slopes[index] = covariance / (variance + edge * edge)
      offsets[index] = average - slopes[index] * lumaAverage
    }
    slope = luma.with(slopes).boxMean(radius: radius)
    offset = luma.with(offsets).boxMean(radius: radius)
  }

  /// Calls `body` with the base at each pixel of a tile in encoded values.
  func withValues(on tile: ColorTile, _ body: (UnsafeMutablePointer<Float>) -> Void) {
    withFloats(2 * ColorTile.capacity) { memory in
      let base = memory.baseAddress!
      let offsets = base + ColorTile.capacity
      slope.sample(base, count: tile.count, x: tile.x, y: tile.y)
      offset.sample(offsets, count: tile.count, x: tile.x, y: tile.y)
      let (red, green, blue) = (tile.red, tile.green, tile.blue)
      for index in 0..<tile.count {
        let luma = Luma.of(red: red[index], green: green[index], blue: blue[index])
        base[index] = base[index] * luma + offsets[index]
      }
      body(base)
    }
  }
}
