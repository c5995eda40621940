import SafelightAdjustments
import SafelightColorKernels
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering

/// The pass of an edit whose adjustments look at a color alone.
private func colorPass(of settings: [String: String]) throws -> ColorPass {
  var stack = EditStack()
  for (option, value) in settings.sorted(by: <) { try stack.set(option, to: value) }
  let context = StepContext(size: PixelSize(width: 100, height: 100), scale: 1)
  let steps = try RenderPlan(stack).items.flatMap { item -> [ColorStep] in
    guard case .color(let adjustment) = item else { return [] }
    return try adjustment.colorSteps(in: context)
  }
  let codes = ColorPass.Pixels.codes(.sRGB, isWide: false)
  return ColorPass(steps, from: codes, to: codes)
}

/// Results between those of a grid, against the pass itself.
@Suite struct ColorGridTests {
  /// The most codes that a result may be wrong, on average.
  private static let edits: [(settings: [String: String], mean: Double)] = [
    (["exposure": "0.6"], 0.3),
    (["contrast": "60", "gamma": "1.3"], 0.3),
    (
      [
        "temperature": "7000", "exposure": "0.3", "whites": "10", "blacks": "-8", "contrast": "15",
        "tone-curve": "0,0.02 0.25,0.22 0.75,0.79 1,1", "color-mixer-blue-luminance": "-10",
        "vibrance": "20", "saturation": "10", "hue": "5",
      ], 0.6
    ),
    (["saturation": "-100", "contrast": "40"], 0.3),
    (["hue": "60", "vibrance": "80", "blacks": "-30"], 1.2),
  ]

  private static func results(_ row: ColorPass.RowFunction, of colors: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: colors.count) { output, count in
      colors.withUnsafeBytes { input in
        row(
          Scanline(
            input: input.baseAddress!, output: UnsafeMutableRawPointer(output.baseAddress!),
            count: colors.count / 3, x: 0, y: 0))
      }
      count = colors.count
    }
  }

  /// How many codes a grid is wrong by, for each channel of 10,000 colors.
  private static func errors(of grid: ColorGrid, for pass: ColorPass) -> [Int] {
    var random = SeededGenerator(seed: 7)
    let colors = (0..<30_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    return zip(
      results(pass.rowFunction(bands: 3), of: colors), results(grid.rowFunction, of: colors)
    ).map { abs(Int($0) - Int($1)) }
  }

  @Test(arguments: edits.indices)
  func colorsBetweenThoseOfTheGridAreNearlyRight(_ index: Int) throws {
    let (settings, most) = Self.edits[index]
    let pass = try colorPass(of: settings)
    let grid = try #require(ColorGrid(pass))
    let errors = Self.errors(of: grid, for: pass)
    let mean = Double(errors.reduce(0, +)) / Double(errors.count)
    #expect(mean < most, "\(mean), at worst \(errors.max()!)")
    #expect(Double(errors.count { $0 > 6 }) < 0.02 * Double(errors.count))
  }

  @Test(arguments: edits.indices)
  func theColorsOfTheGridAreRight(_ index: Int) throws {
    let pass = try colorPass(of: Self.edits[index].settings)
    let grid = try #require(ColorGrid(pass))
    let codes: [UInt8] = [0, 8, 64, 120, 200, 248, 255]
    let colors = codes.flatMap { red in
      codes.flatMap { green in codes.flatMap { [red, green, $0] } }
    }
    let exact = Self.results(pass.rowFunction(bands: 3), of: colors)
    let found = Self.results(grid.rowFunction, of: colors)
    // A float may round the other way.
    let worst = zip(exact, found).map { abs(Int($0) - Int($1)) }.max()!
    #expect(worst <= 1, "\(worst)")
  }

  @Test(arguments: edits.indices)
  func aGridForDraftsIsNearlyAsGood(_ index: Int) throws {
    let (settings, most) = Self.edits[index]
    let pass = try colorPass(of: settings)
    let grid = try #require(ColorGrid(pass, step: 16))
    #expect(grid.nodes.count == 17 * 17 * 17)
    let errors = Self.errors(of: grid, for: pass)
    let mean = Double(errors.reduce(0, +)) / Double(errors.count)
    // The error between colors grows with the square of their distance.
    #expect(mean < 4 * most, "\(mean), at worst \(errors.max()!)")
  }

  /// The tetrahedra from their definition: fractions in falling order.
  @Test(arguments: [8, 16]) func theLoopFindsWhatTheDefinitionSays(_ step: Int) {
    var random = SeededGenerator(seed: 11)
    let size = 256 / step + 1
    let nodes = (0..<(size * size * size)).map { _ in
      SIMD4<Float>(
        .random(in: -0.2...1.2, using: &random), .random(in: -0.2...1.2, using: &random),
        .random(in: -0.2...1.2, using: &random), 0)
    }
    let colors = (0..<3000).map { _ in UInt8.random(in: 0...255, using: &random) }
    var found = [UInt8](repeating: 0, count: colors.count)
    nodes.withUnsafeBytes {
      kernels.find8(
        $0.bindMemory(to: Float.self).baseAddress!, Int32(step), colors, &found, 1000)
    }
    for pixel in 0..<1000 {
      let color = (0..<3).map { Int(colors[3 * pixel + $0]) }
      var place = color.map { $0 / step }
      func node() -> SIMD4<Float> { nodes[(place[2] * size + place[1]) * size + place[0]] }
      var (sum, last) = (SIMD4<Float>.zero, step)
      for channel in (0..<3).sorted(by: { (color[$0] % step, $1) > (color[$1] % step, $0) }) {
        sum += node() * Float(last - color[channel] % step) / Float(step)
        last = color[channel] % step
        place[channel] += 1
      }
      sum += node() * Float(last) / Float(step)
      for channel in 0..<3 {
        let expected = min(max(sum[channel] * 255, 0), 255)
        #expect(abs(Float(found[3 * pixel + channel]) - expected) < 0.51)
      }
    }
  }

  @Test func aPassThatLooksAtItsPlaceHasNoGrid() throws {
    let codes = ColorPass.Pixels.codes(.sRGB, isWide: false)
    #expect(ColorGrid(ColorPass([], from: codes, to: .codes(.sRGB, isWide: true))) == nil)
    #expect(ColorGrid(ColorPass([], from: .codes(.sRGB, isWide: true), to: codes)) == nil)
  }
}

/// Which differences of colors are harmless.
@Suite struct ColorBendTests {
  /// The share of 16-code colors whose pixels are marked when they differ by so many codes.
  private func marked(_ settings: [String: String], differing: UInt8) throws -> Double {
    let bend = ColorBend(of: try #require(ColorGrid(colorPass(of: settings))))
    let colors = (0..<4096).flatMap { (place: Int) -> [UInt8] in
      [place % 16, place / 16 % 16, place / 256].map { UInt8(16 * $0 + 8) }
    }
    var marks = [UInt8](repeating: 0, count: 4096)
    bend.mark(colors, [UInt8](repeating: differing, count: 4096), &marks, count: 4096)
    return marks.reduce(0) { $0 + Double($1) } / 4096
  }

  @Test func whatBendsNothingMarksNothing() throws {
    let share = try marked(["exposure": "0.0001"], differing: 128)
    #expect(share == 0, "\(share)")
  }

  @Test func aStrongerEditMarksMore() throws {
    let shares = try ["10", "40", "80"].map { try marked(["contrast": $0], differing: 64) }
    #expect(shares == shares.sorted() && shares[0] < shares[2], "\(shares)")
  }

  @Test func largerDifferencesAreMarkedMore() throws {
    let shares = try [4, 16, 64, 255].map { try marked(["contrast": "60"], differing: $0) }
    #expect(shares == shares.sorted() && shares[0] < 0.05 && shares[3] > 0.9, "\(shares)")
  }

  @Test func oneLimitHoldsForAllColors() {
    let bend = ColorBend(limit: 32)
    var marks: [UInt8] = [9, 9]
    bend.mark([0, 0, 0, 255, 255, 255], [32, 33], &marks, count: 2)
    #expect(marks == [0, 1])
  }
}
