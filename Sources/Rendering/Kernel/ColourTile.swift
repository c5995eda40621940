/// A short run of pixels in float, one plane for each channel, small enough for the L1 cache.
///
/// Values are extended sRGB, linear or encoded as the step that works on them asks.
struct ColourTile {
  /// Most pixels a tile has: three planes of 4 KB each, and room for a filter's copy.
  static let capacity = 1024

  let red: UnsafeMutableBufferPointer<Float>
  let green: UnsafeMutableBufferPointer<Float>
  let blue: UnsafeMutableBufferPointer<Float>

  /// A tile over memory for three times `count` numbers.
  init(_ memory: UnsafeMutableBufferPointer<Float>, count: Int) {
    red = UnsafeMutableBufferPointer(rebasing: memory[0..<count])
    green = UnsafeMutableBufferPointer(rebasing: memory[count..<(2 * count)])
    blue = UnsafeMutableBufferPointer(rebasing: memory[(2 * count)..<(3 * count)])
  }

  var count: Int { red.count }
  var planes: [UnsafeMutableBufferPointer<Float>] { [red, green, blue] }

  /// Calls `body` with a tile that starts as a copy of this one.
  func withCopy(_ body: (ColourTile) -> Void) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * count) { memory in
      let copy = ColourTile(memory, count: count)
      for index in 0..<count {
        copy.red[index] = red[index]
        copy.green[index] = green[index]
        copy.blue[index] = blue[index]
      }
      body(copy)
    }
  }

  /// Multiplies every pixel with a matrix.
  func multiply(by matrix: ColourMatrix) {
    let rows = matrix.rows
    for index in 0..<count {
      let (r, g, b) = (red[index], green[index], blue[index])
      red[index] = rows.0.x * r + rows.0.y * g + rows.0.z * b
      green[index] = rows.1.x * r + rows.1.y * g + rows.1.z * b
      blue[index] = rows.2.x * r + rows.2.y * g + rows.2.z * b
    }
  }
}
