import SafelightAdjustments
import SafelightColorKernels
import SafelightTestSupport
import Testing

@testable import SafelightRendering

/// Every instruction set gives the same bits as the plain one.
@Suite struct KernelVersionTests {
  private static let count = 1013
  private static let tile = Int(SAFELIGHT_TILE)

  private static func numbers(_ count: Int, seed: UInt64) -> [Float] {
    var random = SeededGenerator(seed: seed)
    let odd: [Float] = [.nan, .infinity, -.infinity, 0, -0.0, 1, 0.5, 0x1p-20, -0x1p-21, 64, 1e30]
    return odd
      + (odd.count..<count).map { index in
        index % 7 == 0
          ? Float.random(in: -70...70, using: &random)
          : Float.random(in: -0.2...1.2, using: &random)
      }
  }

  private static func bits(_ numbers: [Float]) -> [UInt32] {
    numbers.map { $0.isNaN ? Float.nan.bitPattern : $0.bitPattern }
  }

  /// The results of each loop of a version for the same numbers.
  private static func results(_ kernels: SafelightKernels) -> [[UInt32]] {
    let count = Int32(count)
    let table = numbers(2 * Int(SAFELIGHT_CURVE_ENTRIES), seed: 2)
    var random = SeededGenerator(seed: 3)
    let codes8 = (0..<(3 * tile)).map { _ in UInt8.random(in: 0...255, using: &random) }
    let codes16 = (0..<(3 * tile)).map { _ in UInt16.random(in: 0...65_535, using: &random) }
    let colors = numbers(3 * tile, seed: 1)
    let rows: [Float] = [0.3, 0.6, 0.1, 0.01, -0.2, 1.1, 0.1, 0, 0.05, 0.05, 0.9, -0.02]
    var results: [[UInt32]] = []
    func planes(_ body: (UnsafeMutablePointer<Float>) -> Void) {
      var planes = colors
      planes.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
      results.append(bits(planes))
    }
    planes { kernels.matrix($0, rows, count) }
    planes { kernels.mix($0, rows, count) }
    planes { kernels.curve($0, table, 0.25, count) }
    planes { kernels.vibrance($0, 0.6, count) }
    planes { kernels.vibrance($0, -0.6, count) }
    var grading = SafelightGrading(
      midtones: (0.1, -0.05, 0.02, 0.2), shadows: (-0.1, 0.1, 0.2, -0.3),
      highlights: (0.2, 0.1, -0.2, 0.4), shadows_end: 0.1, highlights_start: 0.4, steepness: 2)
    planes { kernels.grade($0, &grading, count) }
    let bands = numbers(12 * 32, seed: 6).map { $0.isFinite && abs($0) < 1 ? $0 : 0.5 }
    planes { kernels.gray_hues($0, bands, table, [0.1, -0.1, 0.05], nil, count) }
    table.withUnsafeBufferPointer { rows in
      var calm = SafelightCalm(rows: rows.baseAddress!, share: 0.6, noise: 1e-3)
      planes { kernels.gray_hues($0, bands, table, [0.1, -0.1, 0.05], &calm, count) }
      planes { kernels.mix_seen_hues($0, bands, &calm, count) }
    }
    planes { kernels.saturate($0, 1.4, count) }
    planes { kernels.saturate($0, 0.4, count) }
    var air = SafelightAir(lightness: 0.9, a: -0.01, b: -0.04, strength: 0.65)
    planes { kernels.clear_air($0, table, &air, count) }
    var sums = [Float](repeating: 1, count: 9 * tile)
    kernels.add_products(colors, &sums, tile, count)
    results.append(bits(sums))
    var shoulder = SafelightShoulder(gain: 2, knee: 0.5, bend: 4 / 3)
    planes { kernels.expose($0, &shoulder, count) }
    var balance = SafelightBalance(
      rows: (0.6, 0.05, 0.02, -0.1, 1.1, 0.03, 0.01, -0.04, 1.6), start: 0.7)
    planes { kernels.balance($0, &balance, count) }
    planes { kernels.turn_hues($0, 0.6, 0.8, count) }
    planes { kernels.mix_seen_hues($0, bands, nil, count) }
    for size: Int32 in [2, 5] {
      let nodes = (0..<Int(size * size * size)).map { _ in
        SIMD4<Float>.random(in: -1...2, using: &random)
      }
      nodes.withUnsafeBytes { bytes in
        let nodes = bytes.baseAddress!.assumingMemoryBound(to: Float.self)
        planes { kernels.cube($0, nodes, size, [-0.1, 0, 0.1], [1, 2, Float(size - 1)], count) }
      }
    }
    planes { kernels.scale8(codes8, $0, count) }
    planes { kernels.scale16(codes16, $0, count) }
    planes { kernels.spread(table, $0, tile, count) }
    let wide = numbers(3 * 65_536, seed: 4)
    for bands: Int32 in [1, 3] {
      planes { kernels.decode8(codes8, bands, wide, Array(wide[300...]), wide, $0, count) }
      planes {
        kernels.decode16(codes16, bands, wide, Array(wide[65_536...]), wide, $0, count)
      }
    }
    var eight = [UInt8](repeating: 0, count: 3 * tile)
    kernels.encode8(colors, &eight, count)
    results.append(eight.map { UInt32($0) })
    var sixteen = [UInt16](repeating: 0, count: 3 * tile)
    kernels.encode16(colors, &sixteen, count)
    results.append(sixteen.map { UInt32($0) })
    for (x, row) in [(0, 0), (37, 9), (512, 4000)] as [(Int32, UInt32)] {
      kernels.encode8_dithered(colors, x, row, &eight, count)
      results.append(eight.map { UInt32($0) })
    }
    planes { kernels.randomize(0xFFFF_FF00, $0, count) }
    kernels.take_first(codes8, &eight, count)
    results.append(eight.map { UInt32($0) })
    var floats = [Float](repeating: 0, count: 3 * tile)
    kernels.gather(colors, tile, &floats, count)
    results.append(bits(floats))
    for factor: Int32 in [2, 4, 8, 16, 32] {
      for skipped in [0, 1, factor - 1] {
        planes { kernels.stretch(table, factor, skipped, $0, count) }
      }
    }
    planes { kernels.pull(table, 0.4, 0.1, 0.3, $0, count) }
    planes { kernels.gain_areas($0, table, 1.5, -0.3, 1, count) }
    planes { kernels.find_luma(colors, tile, $0, count) }
    planes { kernels.clarify($0, table, 0.7, count) }
    planes { kernels.find_edges(table, 0.8, 1e-4, $0, count) }
    results += remembered(kernels, codes8)
    let grid = numbers(4 * 33 * 33 * 33, seed: 8)
    for step: Int32 in [8, 16] {
      var found = [UInt8](repeating: 0, count: 3 * tile)
      kernels.find8(grid, step, codes8, &found, count)
      results.append(found.map(UInt32.init))
    }
    // Columns for all pixels, even where each pixel is a column.
    let columns = numbers(16 * 1100, seed: 10)
    for (factor, skipped) in [(1, 0), (2, 1), (8, 0), (8, 7), (128, 100)] {
      planes {
        kernels.between_tones(columns, Int32(factor), Int32(skipped), table, $0, count)
      }
    }
    let weights: [Float] = [0.4, 0.2, 0.07, 0.03]
    for (step, reach) in [(1, 3), (tile, 1), (37, 2)] {
      planes { planes in
        colors.withUnsafeBufferPointer {
          kernels.convolve($0.baseAddress! + tile, step, weights, Int32(reach), planes, count)
        }
      }
    }
    return results + interpolated(kernels) + resized(kernels) + packed(kernels) + levelled(kernels)
  }

  /// What a memory says that knows the first third of the colors, and others by accident.
  private static func remembered(_ kernels: SafelightKernels, _ codes: [UInt8]) -> [[UInt32]] {
    var memory = [UInt32](repeating: 0, count: 1 << 20)
    var output = [UInt8](repeating: 0, count: codes.count)
    kernels.learn(codes, Array(codes.reversed()), &memory, (0..<400).map { $0 }, &output, 400)
    return [1, 15, 16, 17, 1000].map { count in
      var unknown = [Int32](repeating: 0, count: count + 15)
      var output = [UInt8](repeating: 0, count: codes.count)
      let missing = kernels.recall(codes, &output, &memory, &unknown, Int32(count))
      let places = unknown[..<Int(missing)]
      // What is written for unknown colors is any.
      for place in places { for channel in 0..<3 { output[3 * Int(place) + channel] = 0 } }
      return [UInt32(missing)] + places.map { UInt32($0) } + output.map { UInt32($0) }
    }
  }

  /// Planes through a level of wavelets and back.
  private static func levelled(_ kernels: SafelightKernels) -> [[UInt32]] {
    let (width, height, step) = (71, 45, 4)
    var random = SeededGenerator(seed: 7)
    let planes = (0..<3).map { _ in
      (0..<(width * height)).map { _ in Float.random(in: -0.1...1.1, using: &random) }
    }
    var room = [Float](repeating: 0, count: Int(SAFELIGHT_LEVEL_ROOM) * width)
    var level = SafelightLevel(
      stride: Int64(width), width: Int32(width), height: Int32(height), step: Int32(step),
      first: 6, end_column: Int32(width - 6), end_row: Int32(height - 6))
    let size = width * height
    var outputs = [Float](repeating: 0, count: 15 * size)
    outputs.withUnsafeMutableBufferPointer { outputs in
      let output = (0..<15).map { outputs.baseAddress! + $0 * size }
      kernels.average_squares(planes[0], width, Int32(width), Int32(height), 4, output[0])
      kernels.take_entries(planes[0], planes[1], output[1], Int32(size))
      kernels.shrink_level(planes[0], &level, planes[2], 3, output[2], &room)
      kernels.add_means(planes[1], &level, output[2])
      kernels.measure_pair(
        planes[0], planes[1], &level, planes[2], 90, output[4], output[5], output[6], &room)
      let shares: [UnsafePointer<Float>?] = [UnsafePointer(output[4]), UnsafePointer(output[5])]
      planes[0].withUnsafeBufferPointer { left in
        planes[1].withUnsafeBufferPointer { right in
          kernels.smooth_pair(
            [left.baseAddress, right.baseAddress], shares, shares, &level, output[6],
            [output[7], output[8]], &room)
        }
      }
      kernels.halve(planes[0], width, output[3], width, 35, 22)
      kernels.lift(planes[0], planes[1], width, 35, 22, planes[2], output[10], width)
      for index in 0..<3 { output[11 + index].update(from: planes[index], count: size) }
      kernels.to_opponents(output[11], output[12], output[13], Int32(size))
      kernels.from_opponents(
        planes[0], planes[1], planes[2], output[14], output[14] + size / 3,
        output[14] + 2 * (size / 3), Int32(size / 3))
      let noise = (0..<64).map { 0.01 * Float($0) }
      for across in [2, 15] {
        var squares = SafelightSquares(
          stride: Int64(width), across: Int32(across), down: across == 2 ? 4 : 3, smooth: 0.5)
        kernels.filter_squares(
          planes[0], planes[1], &squares, noise, planes[2],
          output[9] + (across == 2 ? 0 : 20 * width),
          &room)
      }
    }
    return [bits(outputs)]
  }

  /// Rows of bytes through filters, and turned.
  private static func packed(_ kernels: SafelightKernels) -> [[UInt32]] {
    var random = SeededGenerator(seed: 9)
    let bytes = (0..<6000).map { _ in UInt8.random(in: 0...255, using: &random) }
    var results: [[UInt32]] = []
    bytes.withUnsafeBufferPointer { bytes in
      let start = bytes.baseAddress!
      for (step, count) in [(1, 1), (3, 2), (3, 1001), (6, 606)] {
        for above in [nil, start + 2000] {
          var room = [UInt8](repeating: 0, count: 3 * count)
          let filter = kernels.filter(start, above, Int32(step), &room, Int32(count))
          results.append(room.map { UInt32($0) } + [UInt32(filter)])
        }
      }
      for (size, width, height) in [(1, 40, 9), (3, 37, 11), (3, 1, 5), (3, 5, 1), (6, 20, 7)] {
        var turned = [UInt8](repeating: 0, count: size * width * height)
        kernels.turn(
          start, 300, Int32(width), Int32(height), Int32(size), &turned, height * size, size)
        results.append(turned.map { UInt32($0) })
      }
    }
    return results
  }

  /// Rows and columns of other counts than a vector has.
  private static func resized(_ kernels: SafelightKernels) -> [[UInt32]] {
    var random = SeededGenerator(seed: 8)
    let input = (0..<40_000).map { _ in Float.random(in: -0.1...1.1, using: &random) }
    let weights = (0..<4000).map { _ in Float.random(in: -0.2...1, using: &random) }
    var results: [[UInt32]] = []
    for (rows, length) in [(1, 31), (7, 384), (22, 389)] {
      var output = [Float](repeating: 0, count: length)
      kernels.sum_rows(input, 1001, weights, Int32(rows), &output, Int32(length))
      results.append(bits(output))
    }
    for (bands, columns) in [(1, 7), (3, 1), (3, 6), (3, 23)] {
      let first = (0..<100).map { Int32($0 * 3) }
      var output = [Float](repeating: 0, count: 100 * bands)
      kernels.sum_columns(input, Int32(bands), first, weights, Int32(columns), &output, 100)
      results.append(bits(output))
    }
    let codes8 = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
    let codes16 = (0..<300).map { _ in UInt16.random(in: 0...999, using: &random) }
    for bands: Int32 in [1, 3] {
      var output = [Float](repeating: 0, count: 300)
      let table = [Float](input[..<1000])
      kernels.lighten8(codes8, bands, input, table, weights, &output, 300 / bands)
      results.append(bits(output))
      kernels.lighten16(codes16, bands, input, table, weights, &output, 300 / bands)
      results.append(bits(output))
    }
    return results
  }

  /// Runs of a turned and tilted picture that reach beyond the edges.
  private static func interpolated(_ kernels: SafelightKernels) -> [[UInt32]] {
    var random = SeededGenerator(seed: 5)
    let (width, height) = (200, 40)
    let pixels = (0..<(width * height * 3)).map { _ in Float.random(in: -0.1...1.1, using: &random)
    }
    let run = Int(SAFELIGHT_RUN)
    return (-5..<45).flatMap { row in
      var output = [Float](repeating: 0, count: 3 * run)
      var sinc = output
      pixels.withUnsafeBufferPointer { pixels in
        var part = SafelightPart(
          start: pixels.baseAddress!, stride: Int64(width * 3), left: 0, top: 0,
          width: Int32(width), height: Int32(height))
        kernels.interpolate(
          &part, [-3.2, Double(row) + 0.31, 1], [1.07, 0.06, 1e-4], 3, &output, Int32(run))
        kernels.resample(
          &part, WindowedSinc.table, [-3.2, Double(row) + 0.31, 1], [1.07, 0.06, 1e-4], 3, &sinc,
          Int32(run))
      }
      return [bits(output), bits(sinc)]
    }
  }

  @Test func allVersionsGiveTheSameBits() {
    let plain = Self.results(safelight_kernels(0).pointee)
    for level in 1..<max(safelight_kernel_levels(), 1) {
      let other = Self.results(safelight_kernels(level).pointee)
      for (loop, (expected, found)) in zip(plain, other).enumerated() {
        #expect(expected == found, "loop \(loop) at level \(level)")
      }
    }
  }
}

extension ColorRenderable {
  /// The encoded pixels after the adjustment, as in a full-size render.
  func run(on pixels: [[Double]]) -> [[Double]] {
    // Only a damaged lookup table throws.
    try! colorSteps(in: .wholePhoto).run(on: pixels)
  }
}

extension AppliedFilter {
  /// The encoded pixels after the filter, as in the plan of a photo.
  func run(on pixels: [[Double]]) throws -> [[Double]] {
    try RenderPlan(EditStack([self])).items.flatMap(Self.steps).run(on: pixels)
  }

  private static func steps(of item: PlanItem) -> [ColorStep] {
    switch item {
    case .color(let adjustment): try! adjustment.colorSteps(in: .wholePhoto)
    case .mixed(let items, let share):
      [.kernel(MixKernel(items.flatMap(steps), share: share, in: .wholePhoto))]
    default: []
    }
  }
}

extension StepContext {
  /// A full-size photo of no special shape.
  static let wholePhoto = StepContext(size: PixelSize(width: 600, height: 400), scale: 1)
}

extension [ColorStep] {
  /// The steps compiled for encoded pixels.
  var program: ColorProgram {
    ColorProgram(ColorProgram.fused(self, from: .encoded, to: .encoded))
  }

  /// Any number of encoded pixels after the steps.
  func run(on pixels: [[Double]], x: Int = 0, y: Int = 0) -> [[Double]] {
    program.run(on: pixels, x: x, y: y)
  }
}

extension ColorProgram {
  /// Any number of pixels after the program, in tiles as the kernel uses them: a row that begins at
  /// (x, y).
  func run(on pixels: [[Double]], x: Int = 0, y: Int = 0) -> [[Double]] {
    var results: [[Double]] = []
    for start in stride(from: 0, to: pixels.count, by: ColorTile.capacity) {
      let part = pixels[start..<min(start + ColorTile.capacity, pixels.count)]
      ColorTile.withMemory { memory in
        let tile = ColorTile(memory, count: part.count, x: x + start, y: y)
        for (index, pixel) in part.enumerated() {
          tile.forEachPlane { channel, plane in plane[index] = Float(pixel[channel]) }
        }
        run(on: tile)
        for index in 0..<part.count {
          results.append([tile.red, tile.green, tile.blue].map { Double($0[index]) })
        }
      }
    }
    return results
  }
}

/// Pixels to try adjustments on: gray, the edges and corners of the cube, and noise.
enum SamplePixels {
  static let all: [[Double]] = {
    var random = SeededGenerator(seed: 20_240_601)
    let gray = (0...255).map { [Double](repeating: Double($0) / 255, count: 3) }
    let lattice = (0..<729).map { index in
      [index / 81, index / 9 % 9, index % 9].map { Double($0) / 8 }
    }
    let noise = (0..<1000).map { _ in (0..<3).map { _ in Double.random(in: 0...1, using: &random) }
    }
    return gray + lattice + noise
  }()
}

/// The largest difference between two lists of pixels, in codes of 255.
func largestDifference(_ left: [[Double]], _ right: [[Double]]) -> Double {
  zip(left, right).flatMap { zip($0, $1).map { abs($0 - $1) } }.max()! * 255
}
