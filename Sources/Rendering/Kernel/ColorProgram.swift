/// Steps compiled for tiles: conversions stand only where two neighbors disagree about the space,
/// runs of curves are one table, runs of matrices one matrix.
struct ColorProgram: Sendable {
  private enum Instruction: Sendable {
    case table(CurveTable)
    case tables(CurveTable, CurveTable, CurveTable)
    /// The table of a picture whose channels are equal by now.
    case grayTable(CurveTable)
    case matrix(ColorMatrix.Rows)
    /// A matrix of three equal rows: black and white.
    case gray(SIMD4<Float>)
    case kernel(any ColorKernel)
  }

  private let instructions: [Instruction]

  /// Whether a result depends on where a pixel lies, and not on its color alone.
  var dependsOnPlace: Bool {
    instructions.contains {
      if case .kernel(let kernel) = $0 { kernel.dependsOnPlace } else { false }
    }
  }

  /// About how many nanoseconds a pixel takes, as measured with AVX.
  var cost: Double {
    instructions.reduce(0) { sum, instruction in
      switch instruction {
      case .table, .tables: sum + 3
      case .grayTable: sum + 1
      case .matrix, .gray: sum + 0.2
      case .kernel: sum + 1.5
      }
    }
  }

  /// Compiles steps.
  ///
  /// - Parameters:
  ///   - steps: What to do, in this order, with every conversion between spaces among them.
  ///   - negatives: Whether numbers below zero can come in.
  init(_ steps: [ColorStep], negatives: Bool = true) {
    var instructions: [Instruction] = []
    var negatives = negatives
    var isGray = false
    for step in steps {
      switch step {
      case .curves(let curves, _) where curves.isShared:
        let table = CurveTable(negatives: negatives, curves.red)
        instructions.append(isGray ? .grayTable(table) : .table(table))
        negatives = !table.outputIsNeverNegative
      case .curves(let curves, _):
        let tables = curves.functions.map { CurveTable(negatives: negatives, $0) }
        instructions.append(.tables(tables[0], tables[1], tables[2]))
        negatives = !tables.allSatisfy(\.outputIsNeverNegative)
        isGray = false
      case .matrix(let matrix, _):
        isGray = matrix.rowsAreEqual
        instructions.append(isGray ? .gray(matrix.rows.red) : .matrix(matrix.rows))
        negatives = negatives || !matrix.isNeverNegative
      case .kernel(let kernel):
        instructions.append(.kernel(kernel))
        (negatives, isGray) = (true, false)
      }
    }
    self.instructions = instructions
  }

  /// Runs every instruction on a tile, in place.
  func run(on tile: ColorTile) {
    for instruction in instructions {
      switch instruction {
      case .table(let table): tile.forEachPlane { _, plane in table.map(plane, count: tile.count) }
      case .tables(let red, let green, let blue):
        red.map(tile.red, count: tile.count)
        green.map(tile.green, count: tile.count)
        blue.map(tile.blue, count: tile.count)
      case .grayTable(let table):
        table.map(tile.red, count: tile.count)
        tile.green.update(from: tile.red, count: tile.count)
        tile.blue.update(from: tile.red, count: tile.count)
      case .matrix(let rows): tile.multiply(by: rows)
      case .gray(let row): tile.mixToGray(row)
      case .kernel(let kernel): kernel.apply(to: tile)
      }
    }
  }
}

extension ColorProgram {
  /// Joins neighboring curves and neighboring matrices, and puts conversions where two
  /// neighbors disagree about the space.
  ///
  /// - Parameters:
  ///   - steps: What to do.
  ///   - input: The space of the numbers that come in.
  ///   - output: The space of the numbers that go out.
  static func fused(_ steps: [ColorStep], from input: ColorSpace, to output: ColorSpace)
    -> [ColorStep]
  {
    var space = input
    var fused: [ColorStep] = []
    func move(to wanted: ColorSpace) {
      if wanted != space {
        append(.curves(wanted == .linear ? .linearizing : .encoding, in: wanted), to: &fused)
      }
      space = wanted
    }
    for step in steps {
      move(to: step.space)
      append(step, to: &fused)
    }
    move(to: output)
    return fused
  }

  private static func append(_ step: ColorStep, to steps: inout [ColorStep]) {
    switch (steps.last, step) {
    case (.curves(let before, _)?, .curves(let next, let space)):
      steps[steps.count - 1] = .curves(before.followed(by: next), in: space)
    case (.matrix(let before, _)?, .matrix(let next, let space)):
      steps[steps.count - 1] = .matrix(next * before, in: space)
    default: steps.append(step)
    }
  }
}

extension ColorTile {
  /// Multiplies every pixel with a matrix.
  fileprivate func multiply(by rows: ColorMatrix.Rows) {
    withUnsafeBytes(of: rows) { bytes in
      kernels.matrix(red, bytes.baseAddress!.assumingMemoryBound(to: Float.self), Int32(count))
    }
  }

  /// Gives all channels the same mix of the three.
  fileprivate func mixToGray(_ row: SIMD4<Float>) {
    withUnsafeBytes(of: row) { bytes in
      kernels.mix(red, bytes.baseAddress!.assumingMemoryBound(to: Float.self), Int32(count))
    }
    green.update(from: red, count: count)
    blue.update(from: red, count: count)
  }
}
