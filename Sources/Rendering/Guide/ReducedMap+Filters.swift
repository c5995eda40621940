extension ReducedMap {
  /// The mean of the numbers at most `radius` columns and rows away, fewer at the edges.
  func boxMean(radius: Int) -> ReducedMap {
    with(Self.meanOfRows(Self.meanOfRows(values, width, height, radius), height, width, radius))
  }

  /// The mean along each row, transposed: columns come out as rows.
  private static func meanOfRows(_ values: [Float], _ width: Int, _ height: Int, _ radius: Int)
    -> [Float]
  {
    let radius = min(radius, width)
    return transposing(values, width, height) { row, result in
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
  func minimum(radius: Int) -> ReducedMap {
    with(
      Self.minimumOfRows(Self.minimumOfRows(values, width, height, radius), height, width, radius))
  }

  private static func minimumOfRows(_ values: [Float], _ width: Int, _ height: Int, _ radius: Int)
    -> [Float]
  {
    transposing(values, width, height) { row, result in
      result.update(from: row, count: width)
      for distance in stride(from: 1, through: min(radius, width - 1), by: 1) {
        for x in 0..<(width - distance) { result[x] = min(result[x], row[x + distance]) }
        for x in distance..<width { result[x] = min(result[x], row[x - distance]) }
      }
    }
  }

  /// The numbers blurred with a Gaussian of a standard deviation in reduced pixels; beyond its edges
  /// the map is mirrored.
  func gaussian(_ deviation: Double) -> ReducedMap {
    gaussian(deviation, extent: (Double(width), Double(height)))
  }

  /// The numbers blurred so that, sampled, they are the picture's own blurred with a Gaussian of a
  /// standard deviation in pixels of the picture.
  ///
  /// What the means of squares and the straight lines between them blur by themselves has a
  /// variance of (factor² − 1) / 12 and, on average, factor² / 6 + 1 / 12: factor² / 4 together.
  ///
  /// - Parameter size: Pixels of the picture, whose mirror image begins where they end.
  func gaussian(inPicture deviation: Double, of size: (width: Int, height: Int)) -> ReducedMap {
    let pixel = 1 / Double(factor)
    let variance = deviation * pixel * (deviation * pixel) - (factor > 1 ? 0.25 : 0)
    return gaussian(
      max(variance, 0).squareRoot(),
      extent: (Double(size.width) * pixel, Double(size.height) * pixel))
  }

  private func gaussian(_ deviation: Double, extent: (across: Double, down: Double)) -> ReducedMap {
    guard deviation > 0 else { return self }
    let convolution = Convolution.gaussian(deviation)
    let rows = Self.blurRows(values, width, height, convolution, extent.across)
    return with(Self.blurRows(rows, height, width, convolution, extent.down))
  }

  /// Blurs along each row, transposed: columns come out as rows.
  ///
  /// - Parameter extent: Where a row ends and its mirror image begins; the last number may stand for
  ///   less than a whole square.
  private static func blurRows(
    _ values: [Float], _ width: Int, _ height: Int, _ convolution: Convolution, _ extent: Double
  ) -> [Float] {
    let reach = convolution.reach
    /// The place in the row that stands for another one: its middle, mirrored at both ends.
    func mirrored(_ index: Int) -> Double {
      let place = (Double(index) + 0.5).truncatingRemainder(dividingBy: 2 * extent)
      let inPair = place < 0 ? place + 2 * extent : place
      return min(max(min(inPair, 2 * extent - inPair) - 0.5, 0), Double(width - 1))
    }
    let whole = Double(width) - 0.5 > extent ? width - 1 : width
    let beyond = (Array(-reach..<0) + Array(whole..<(width + reach))).map { ($0, mirrored($0)) }
    return withUnsafeTemporaryAllocation(of: Float.self, capacity: width + 2 * reach) { memory in
      let line = memory.baseAddress!
      return transposing(values, width, height) { row, result in
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

  /// Works on each row and puts the results into columns.
  private static func transposing(
    _ values: [Float], _ width: Int, _ height: Int,
    _ body: (UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> Void
  ) -> [Float] {
    [Float](unsafeUninitializedCapacity: values.count) { result, count in
      let columns = result.baseAddress!
      values.withUnsafeBufferPointer { values in
        withUnsafeTemporaryAllocation(of: Float.self, capacity: width) { memory in
          let row = memory.baseAddress!
          for y in 0..<height {
            body(values.baseAddress! + y * width, row)
            for x in 0..<width { columns[x * height + y] = row[x] }
          }
        }
      }
      count = values.count
    }
  }
}
