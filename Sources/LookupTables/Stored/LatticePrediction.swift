/// Replaces codes by how far they are from what their lower neighbors predict, and back.
///
/// In a cube the prediction is `a(x−1) + a(y−1) + a(z−1) − a(xy) − a(xz) − a(yz) + a(xyz)`, exact
/// for every sum of functions of two channels (Ibarria, Lindstrom, Rossignac and Szymczak,
/// "Out-of-core compression and decompression of large n-dimensional scalar fields", Computer
/// Graphics Forum 22, 2003); along curves it is the code before. Both are differences along one
/// axis after the other.
enum LatticePrediction {
  /// Turns codes into residuals, small numbers of either sign as small numbers without: 0, −1, 1,
  /// −2 … as 0, 1, 2, 3 ….
  static func fold(_ codes: inout [UInt32], _ shape: Lattice.Shape, bits: UInt32) {
    eachRun(shape) { run, step in
      for index in run.reversed() { codes[index] &-= codes[index - step] }
    }
    let mask = UInt32.max >> (32 - bits)
    for index in codes.indices {
      let residual = codes[index]
      let isNegative = residual >> (bits - 1) & 1 == 1
      codes[index] = (residual << 1 ^ (isNegative ? mask : 0)) & mask
    }
  }

  /// Turns residuals into codes again.
  static func unfold(_ codes: inout [UInt32], _ shape: Lattice.Shape, bits: UInt32) {
    let mask = UInt32.max >> (32 - bits)
    for index in codes.indices {
      let folded = codes[index]
      codes[index] = folded >> 1 ^ (0 &- (folded & 1))
    }
    eachRun(shape) { run, step in
      for index in run { codes[index] &+= codes[index - step] }
    }
    for index in codes.indices { codes[index] &= mask }
  }

  /// For each axis, the places that have a neighbor below at `step` places, in runs.
  private static func eachRun(_ shape: Lattice.Shape, _ body: (Range<Int>, Int) -> Void) {
    let (size, axes): (Int, Int) =
      switch shape {
      case .curves(let size): (size, 1)
      case .cube(let size): (size, 3)
      }
    var step = 1
    for _ in 0..<axes {
      for start in stride(from: 0, to: shape.count, by: step * size) {
        body((start + step)..<(start + step * size), step)
      }
      step *= size
    }
  }
}
