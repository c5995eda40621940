/// A number for every pixel of a ``ReducedPicture``, to be looked up at any place of the picture.
struct ReducedMap: Sendable {
  let width: Int
  let height: Int
  /// The picture's pixels for one number, along a side: a power of two.
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

  /// Fills `row` with the map's numbers at `count` pixels of the picture from (`x`, `y`), by
  /// straight lines between the middles of the reduced pixels, first down and then across.
  ///
  /// Outside the outermost middles the numbers stay as they are there.
  func sample(_ row: UnsafeMutablePointer<Float>, count: Int, x: Int, y: Int) {
    values.withUnsafeBufferPointer { values in
      let values = values.baseAddress!
      guard factor > 1 else {
        let line = values + min(max(y, 0), height - 1) * width
        for index in 0..<count { row[index] = line[min(max(x &+ index, 0), width &- 1)] }
        return
      }
      // Twice the factor of places lie between two middles, every other one a pixel's own middle.
      let (down, across) = (2 * y + 1 - factor, 2 * x + 1 - factor)
      let top = down >> (factor.trailingZeroBitCount + 1)
      let share = Float(down - top * 2 * factor) / Float(2 * factor)
      let upper = values + min(max(top, 0), height - 1) * width
      let lower = values + min(max(top + 1, 0), height - 1) * width
      let first = across >> (factor.trailingZeroBitCount + 1)
      let skipped = (across - first * 2 * factor) / 2
      let pieces = (skipped + count + factor - 1) / factor + 1
      let last = width - 1
      withUnsafeTemporaryAllocation(of: Float.self, capacity: pieces) { memory in
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
