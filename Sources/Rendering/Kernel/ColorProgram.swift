import FoundationEssentials
import Glibc
import SafelightColorKernels
import SafelightVips

/// Steps compiled for tiles.
///
/// A run of curves is one table, a run of matrices one matrix, and colors are converted between
/// linear and encoded only where two neighboring steps need different spaces.
struct ColorProgram: Sendable {
  private enum Instruction: Sendable {
    case table(CurveTable)
    case tables(CurveTable, CurveTable, CurveTable)
    /// One table for all channels, where red, green and blue are equal.
    case grayTable(CurveTable)
    case matrix(ColorMatrix.Rows)
    /// A matrix of three equal rows, which makes black and white.
    case gray(SIMD4<Float>)
    case kernel(any ColorKernel)
  }

  private let instructions: [Instruction]

  /// Whether the result depends on the place of a pixel, and not on its color alone.
  var dependsOnPlace: Bool {
    instructions.contains {
      if case .kernel(let kernel) = $0 { kernel.dependsOnPlace } else { false }
    }
  }

  /// The time for a pixel in nanoseconds, roughly, as measured with AVX.
  var cost: Double {
    instructions.reduce(0) { sum, instruction in
      switch instruction {
      case .table, .tables: sum + 3
      case .grayTable: sum + 1
      case .matrix, .gray: sum + 0.2
      case .kernel(let kernel): sum + kernel.cost
      }
    }
  }

  /// Compiles steps.
  ///
  /// - Parameters:
  ///   - steps: The steps in order, with all conversions between spaces.
  ///   - negatives: Whether the input can have numbers below zero.
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
  /// Joins neighboring curves and neighboring matrices, and inserts a conversion where two
  /// neighboring steps need different spaces.
  ///
  /// - Parameters:
  ///   - steps: The steps in order.
  ///   - input: The space of the input.
  ///   - output: The space of the output.
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

  /// Gives all channels the same mix of red, green and blue.
  fileprivate func mixToGray(_ row: SIMD4<Float>) {
    withUnsafeBytes(of: row) { bytes in
      kernels.mix(red, bytes.baseAddress!.assumingMemoryBound(to: Float.self), Int32(count))
    }
    green.update(from: red, count: count)
    blue.update(from: red, count: count)
  }
}

extension ColorTile {
  private static let linearizing = CurveTable { SRGBTransfer.linear($0) }
  /// From light to encoded values.
  static let encoding = CurveTable { SRGBTransfer.encoded($0) }

  /// Converts encoded colors to linear light.
  func linearize() { forEachPlane { _, plane in Self.linearizing.map(plane, count: count) } }

  /// Converts linear light to encoded colors.
  func encode() { forEachPlane { _, plane in Self.encoding.map(plane, count: count) } }
}

/// A function of one number, tabulated with the same relative step everywhere.
///
/// A float's exponent and the first nine bits of its fraction choose the entry, and the other bits
/// interpolate: 512 straight pieces for each doubling, from 2⁻²⁰ to 2⁶, on either side of zero.
/// Where the slope of a curve changes by 1 in one place, as where a level clips, the error is below
/// a tenth of a code of 255. Elsewhere the error is far smaller, and power laws keep their relative
/// precision in the shadows. The arithmetic is the same on every processor.
struct CurveTable: Sendable {
  private static let lowest: Float = 0x1p-20
  private static let firstIndex = lowest.bitPattern >> 14
  private static let entries = Int(SAFELIGHT_CURVE_ENTRIES)

  /// The function from 2⁻²⁰ up, then the function from −2⁻²⁰ down.
  private let values: [Float]
  private let atZero: Float
  /// Whether no input gives a negative number.
  let outputIsNeverNegative: Bool

  /// Tabulates `function`. Beyond ±64 the table keeps its last value.
  ///
  /// - Parameter negatives: Whether the input can have numbers below zero; otherwise they count as
  ///   zero.
  init(negatives: Bool = true, _ function: (Double) -> Double) {
    let atZero = Float(function(0))
    let entries = Self.entries
    values = [Float](unsafeUninitializedCapacity: 2 * entries) { buffer, count in
      let values = buffer.baseAddress!
      func fill(_ places: Range<Int>) {
        for index in places {
          let input = Double(Float(bitPattern: (Self.firstIndex + UInt32(index)) << 14))
          values[index] = Float(function(input))
          values[entries + index] = negatives ? Float(function(-input)) : atZero
        }
      }
      // Ten adjustments have tables that take 10 ms on one thread, as long as a preview's pixels.
      onTwoThreads {
        fill(0..<(entries / 2))
      } and: {
        fill((entries / 2)..<entries)
      }
      count = 2 * entries
    }
    self.atZero = atZero
    outputIsNeverNegative = atZero >= 0 && values.allSatisfy { $0 >= 0 }
  }

  /// Replaces each of `count` numbers.
  func map(_ row: UnsafeMutablePointer<Float>, count: Int) {
    values.withUnsafeBufferPointer {
      kernels.curve(row, $0.baseAddress!, atZero, Int32(count))
    }
  }
}

/// One thing that the pipeline does to the color of each pixel, by that color and the pixel's
/// place.
///
/// ``ColorProgram`` compiles runs of steps into one pass over the picture: neighboring curves
/// become one table and neighboring matrices one matrix. An adjustment should therefore be a curve
/// or a matrix where it can.
enum ColorStep: Sendable {
  /// Each channel through a curve of its own.
  case curves(ChannelCurves, in: ColorSpace)
  /// Each channel from a mix of all three.
  case matrix(ColorMatrix, in: ColorSpace)
  /// Anything else.
  case kernel(any ColorKernel)

  /// What the step's numbers mean, going in and coming out.
  var space: ColorSpace {
    switch self {
    case .curves(_, let space), .matrix(_, let space): space
    case .kernel(let kernel): kernel.space
    }
  }

  /// Whether all pixels have equal channels after the step.
  ///
  /// - Parameter isGray: Whether they have equal channels before the step.
  func leavesGray(_ isGray: Bool) -> Bool {
    switch self {
    case .curves(let curves, _): isGray && curves.isShared
    case .matrix(let matrix, _): matrix.rowsAreEqual || isGray && matrix.keepsGray
    case .kernel(let kernel): kernel.makesGray || isGray && kernel.keepsGray
    }
  }

  /// Whether pixels of equal color at two places get colors that differ little.
  var makesGradients: Bool {
    if case .kernel(let kernel) = self { kernel.makesGradients } else { false }
  }

  /// The step for a part of its picture that begins at the pixel (`left`, `top`).
  func moved(left: Int, top: Int) -> ColorStep {
    guard case .kernel(let kernel) = self else { return self }
    return .kernel(MovedKernel(kernel: kernel, left: left, top: top))
  }
}

extension Sequence<ColorStep> {
  /// Whether all pixels have equal channels after the steps.
  ///
  /// - Parameter isGray: Whether they have equal channels before.
  func leaveGray(_ isGray: Bool) -> Bool { reduce(isGray) { $1.leavesGray($0) } }
}

/// A kernel whose picture was cropped after the kernel was made.
private struct MovedKernel: ColorKernel {
  let kernel: any ColorKernel
  let left: Int
  let top: Int

  var space: ColorSpace { kernel.space }
  var dependsOnPlace: Bool { kernel.dependsOnPlace }
  var cost: Double { kernel.cost }
  var keepsGray: Bool { kernel.keepsGray }
  var makesGray: Bool { kernel.makesGray }
  var makesGradients: Bool { kernel.makesGradients }

  func apply(to tile: ColorTile) {
    kernel.apply(to: ColorTile(tile.red, count: tile.count, x: tile.x + left, y: tile.y + top))
  }
}

/// A loop over a tile, for a step that is neither a curve nor a matrix.
protocol ColorKernel: Sendable {
  /// What the numbers mean, going in and coming out.
  var space: ColorSpace { get }
  /// Whether the result depends on the place of a pixel, and not on its color alone.
  var dependsOnPlace: Bool { get }
  /// The time for a pixel in nanoseconds, roughly, as measured with AVX.
  var cost: Double { get }
  /// Whether pixels whose channels are equal have equal channels afterwards.
  var keepsGray: Bool { get }
  /// Whether all pixels have equal channels afterwards.
  var makesGray: Bool { get }
  /// Whether pixels of equal color at two places get colors that differ little.
  var makesGradients: Bool { get }
  /// Works on a tile in place. Called from several threads at once, for different tiles; the
  /// result for a pixel must depend on its color and place alone, never on where the tile begins.
  func apply(to tile: ColorTile)
}

extension ColorKernel {
  /// True unless a kernel says otherwise: a wrong `true` is slow, a wrong `false` gives wrong
  /// pixels.
  var dependsOnPlace: Bool { true }

  /// 1.5, as of a short loop.
  var cost: Double { 1.5 }

  /// False unless a kernel says otherwise: a wrong `false` is a larger file, a wrong `true` loses color.
  var keepsGray: Bool { false }

  /// False unless a kernel says otherwise.
  var makesGray: Bool { false }

  /// As every kernel that depends on the place does, unless it says otherwise.
  var makesGradients: Bool { dependsOnPlace }
}

/// What the numbers of a tile mean between two steps.
enum ColorSpace: Sendable {
  /// Linear light with sRGB primaries; values below 0 and above 1 are colors outside sRGB.
  case linear
  /// The same colors through the sRGB transfer function, extended by symmetry.
  case encoded
}

/// Three functions of one number, for red, green and blue.
///
/// Each function is defined for every number, also below 0 and above 1, where colors outside sRGB
/// lie. Passes tabulate the functions, so a function may be slow.
struct ChannelCurves: Sendable {
  typealias Function = @Sendable (Double) -> Double

  let red: Function
  let green: Function
  let blue: Function
  /// Whether one function serves all channels.
  let isShared: Bool

  /// The same function for every channel.
  init(_ shared: @escaping Function) {
    (red, green, blue) = (shared, shared, shared)
    isShared = true
  }

  /// A function for each channel.
  init(red: @escaping Function, green: @escaping Function, blue: @escaping Function) {
    (self.red, self.green, self.blue) = (red, green, blue)
    isShared = false
  }

  /// The functions, for red, green and blue.
  var functions: [Function] { [red, green, blue] }

  /// These curves, then others.
  func followed(by next: ChannelCurves) -> ChannelCurves {
    func chain(_ first: @escaping Function, _ second: @escaping Function) -> Function {
      { second(first($0)) }
    }
    return isShared && next.isShared
      ? ChannelCurves(chain(red, next.red))
      : ChannelCurves(
        red: chain(red, next.red), green: chain(green, next.green), blue: chain(blue, next.blue))
  }

  /// One curve for every channel, made for tones from 0 to 1.
  ///
  /// Colors outside sRGB and light above white lie beyond 0 and 1. There the curve continues as a
  /// straight line, so that tones keep their order and the formula gets only numbers that it was
  /// made for.
  ///
  /// - Parameters:
  ///   - below: The slope of the line below 0.
  ///   - above: The slope of the line above 1.
  ///   - curve: The output for 0 to 1, both included.
  static func tones(below: Double, above: Double, _ curve: @escaping Function) -> ChannelCurves {
    let (black, white) = (curve(0), curve(1))
    return ChannelCurves { input in
      if input < 0 { return black + below * input }
      return input > 1 ? white + above * (input - 1) : curve(input)
    }
  }

  /// From encoded values to linear light.
  static let linearizing = ChannelCurves { SRGBTransfer.linear($0) }
  /// From linear light to encoded values.
  static let encoding = ChannelCurves { SRGBTransfer.encoded($0) }
}

/// The sRGB transfer functions, extended to negative values by symmetry and above 1 by the same
/// formula.
///
/// Source: IEC 61966-2-1:1999; the extension is that of IEC 61966-2-1 Amendment 1 (scRGB).
enum SRGBTransfer {
  /// Linear light from an encoded value, in double precision.
  static func linear(_ encoded: Double) -> Double {
    let size = abs(encoded)
    let linear = size <= 0.04045 ? size / 12.92 : pow((size + 0.055) / 1.055, 2.4)
    return encoded < 0 ? -linear : linear
  }

  /// The encoded value of linear light, in double precision.
  static func encoded(_ linear: Double) -> Double {
    let size = abs(linear)
    let encoded = size <= 0.003_130_8 ? size * 12.92 : 1.055 * pow(size, 1 / 2.4) - 0.055
    return linear < 0 ? -encoded : encoded
  }
}
