import SafelightVips

/// Steps on encoded values, mixed with what came in.
struct MixKernel: ColorKernel {
  let space = ColorSpace.encoded
  private let program: ColorProgram
  private let share: Float

  /// - Parameter share: How much of the result is the steps': 0 to 1.
  init(_ steps: [ColorStep], share: Double) {
    program = ColorProgram(ColorProgram.fused(steps, from: .encoded, to: .encoded))
    self.share = Float(share)
  }

  var dependsOnPlace: Bool { program.dependsOnPlace }

  func apply(to tile: ColorTile) {
    tile.withCopy { filtered in
      program.run(on: filtered)
      Self.mix(tile.red, filtered.red, tile.count, share)
      Self.mix(tile.green, filtered.green, tile.count, share)
      Self.mix(tile.blue, filtered.blue, tile.count, share)
    }
  }

  /// Moves numbers a part of the way to others.
  static func mix(
    _ numbers: UnsafeMutablePointer<Float>, _ others: UnsafePointer<Float>, _ count: Int,
    _ share: Float
  ) {
    for index in 0..<count { numbers[index] += share * (others[index] - numbers[index]) }
  }
}

/// Mixes two pictures in encoded floats.
struct MixPass: Sendable {
  /// How much of the result is the second's: 0 to 1.
  let share: Float

  func applied(to first: Image, _ second: Image) throws(VipsError) -> Image {
    let share = share
    return try Image.computed(
      from: [first, second], like: first, width: first.width, height: first.height
    ) { inputs, output in
      for y in output.top..<(output.top + output.height) {
        let row = output.address(row: y).assumingMemoryBound(to: Float.self)
        let count = output.width * 3
        row.update(
          from: inputs[0].address(row: y).assumingMemoryBound(to: Float.self), count: count)
        MixKernel.mix(
          row, inputs[1].address(row: y).assumingMemoryBound(to: Float.self), count, share)
      }
      return true
    }
  }
}
