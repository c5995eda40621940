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
  func sample(_ row: UnsafeMutablePointer<Float>, count: Int, x: Int, y: Int) {
    let share = 1 / Float(factor)
    let down = min(max((Float(y) + 0.5) * share - 0.5, 0), Float(height - 1))
    let top = min(Int(down), max(height - 2, 0))
    let downShare = down - Float(top)
    let last = Float(width - 1)
    let lastPiece = max(width - 2, 0)
    values.withUnsafeBufferPointer { values in
      let upper = values.baseAddress! + top * width
      let lower = values.baseAddress! + min(top + 1, height - 1) * width
      for index in 0..<count {
        let across = min(max((Float(x &+ index) + 0.5) * share - 0.5, 0), last)
        let left = min(Int(across), lastPiece)
        let right = min(left &+ 1, width &- 1)
        let start = upper[left] + (lower[left] - upper[left]) * downShare
        let end = upper[right] + (lower[right] - upper[right]) * downShare
        row[index] = start + (end - start) * (across - Float(left))
      }
    }
  }
}
