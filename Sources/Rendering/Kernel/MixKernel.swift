import SafelightVips

/// Steps on encoded values whose result is mixed with their input.
struct MixKernel: ColorKernel {
  let space = ColorSpace.encoded
  let keepsGray: Bool
  private let program: ColorProgram
  private let share: Float

  /// - Parameter share: How much the steps count, 0 to 1; the input counts the rest.
  init(_ steps: [ColorStep], share: Double) {
    program = ColorProgram(ColorProgram.fused(steps, from: .encoded, to: .encoded))
    self.share = Float(share)
    keepsGray = steps.leaveGray(true)
  }

  var dependsOnPlace: Bool { program.dependsOnPlace }
  var cost: Double { program.cost }

  func apply(to tile: ColorTile) {
    tile.withCopy { filtered in
      program.run(on: filtered)
      Self.move(tile.red, towards: filtered.red, by: share, count: tile.count)
      Self.move(tile.green, towards: filtered.green, by: share, count: tile.count)
      Self.move(tile.blue, towards: filtered.blue, by: share, count: tile.count)
    }
  }

  /// Moves numbers a part of the way to others.
  static func move(
    _ numbers: UnsafeMutablePointer<Float>, towards others: UnsafePointer<Float>, by share: Float,
    count: Int
  ) {
    for index in 0..<count { numbers[index] += share * (others[index] - numbers[index]) }
  }
}

/// Mixes two pictures in encoded floats.
struct MixPass: Sendable {
  /// How much the second picture counts, 0 to 1; the first counts the rest.
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
        MixKernel.move(
          row, towards: inputs[1].address(row: y).assumingMemoryBound(to: Float.self), by: share,
          count: count)
      }
      return true
    }
  }
}
