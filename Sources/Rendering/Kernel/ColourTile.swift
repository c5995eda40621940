/// A short run of pixels of one row in float, one plane for each channel, small enough for the L1
/// cache.
///
/// Values are extended sRGB, linear or encoded as the step that works on them asks.
struct ColourTile {
  /// Most pixels a tile has: three planes of 4 KB each, and room for a filter's copy.
  static let capacity = 1024

  let red: UnsafeMutablePointer<Float>
  let green: UnsafeMutablePointer<Float>
  let blue: UnsafeMutablePointer<Float>
  /// Pixels in the tile, at most ``capacity``.
  let count: Int
  /// The column of the first pixel, in the picture that the pass works on.
  let x: Int
  /// The row of all of them.
  let y: Int

  /// A tile over memory for three times `count` numbers.
  init(_ memory: UnsafeMutablePointer<Float>, count: Int, x: Int = 0, y: Int = 0) {
    red = memory
    green = memory + count
    blue = memory + 2 * count
    self.count = count
    self.x = x
    self.y = y
  }

  /// Calls `body` for red, green and blue, in this order.
  @inline(__always)
  func forEachPlane(_ body: (Int, UnsafeMutablePointer<Float>) -> Void) {
    body(0, red)
    body(1, green)
    body(2, blue)
  }

  /// Calls `body` with a tile that starts as a copy of this one.
  func withCopy(_ body: (ColourTile) -> Void) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * count) { memory in
      let copy = ColourTile(memory.baseAddress!, count: count, x: x, y: y)
      copy.red.update(from: red, count: count)
      copy.green.update(from: green, count: count)
      copy.blue.update(from: blue, count: count)
      body(copy)
    }
  }
}
