import SafelightColorKernels

/// A short run of pixels of one row in float, one plane for each channel, small enough for the L1
/// cache.
///
/// Values are extended sRGB, linear or encoded as the step that works on them asks.
struct ColorTile {
  /// Most pixels a tile has: three planes of 4 KB each, and room for a filter's copy.
  static let capacity = Int(SAFELIGHT_TILE)

  /// Red; the other planes follow ``capacity`` numbers apart.
  let red: UnsafeMutablePointer<Float>
  /// Pixels in the tile, at most ``capacity``.
  let count: Int
  /// The column of the first pixel, in the picture that the pass works on.
  let x: Int
  /// The row of all of them.
  let y: Int

  var green: UnsafeMutablePointer<Float> { red + Self.capacity }
  var blue: UnsafeMutablePointer<Float> { red + 2 * Self.capacity }

  /// A tile over memory for three times ``capacity`` numbers.
  init(_ memory: UnsafeMutablePointer<Float>, count: Int, x: Int = 0, y: Int = 0) {
    red = memory
    self.count = count
    self.x = x
    self.y = y
  }

  /// Calls `body` with memory for the planes of a tile.
  static func withMemory(_ body: (UnsafeMutablePointer<Float>) -> Void) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * capacity) { memory in
      body(memory.baseAddress!)
    }
  }

  /// Calls `body` for red, green and blue, in this order.
  @inline(__always)
  func forEachPlane(_ body: (Int, UnsafeMutablePointer<Float>) -> Void) {
    body(0, red)
    body(1, green)
    body(2, blue)
  }

  /// Calls `body` with a tile that starts as a copy of this one.
  func withCopy(_ body: (ColorTile) -> Void) {
    Self.withMemory { memory in
      let copy = ColorTile(memory, count: count, x: x, y: y)
      copy.red.update(from: red, count: count)
      copy.green.update(from: green, count: count)
      copy.blue.update(from: blue, count: count)
      body(copy)
    }
  }
}

/// The innermost loops for the instructions that this processor has.
let kernels = safelight_kernels(safelight_kernel_levels() - 1).pointee
