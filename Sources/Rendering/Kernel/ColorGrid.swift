import SafelightColorKernels
import SafelightVips

/// The results of a pass for a grid of colors; those of other colors are found between them.
///
/// For pictures that are looked at while a slider moves. Ten adjustments take 130 ns for a pixel, and
/// finding a place between results a small part of that; the grid has 36,000 colors, the pictures have
/// millions of pixels. Its colors lie 8 codes apart; between them a pass is nearly straight. Renders
/// never go through a grid.
struct ColorGrid: Sendable {
  /// Colors of the grid along a side.
  static let size = Int(SAFELIGHT_GRID)
  /// Codes from one color of the grid to the next.
  private static let step = 8
  /// Passes that take fewer nanoseconds for a pixel are as fast themselves.
  private static let leastCost = 8.0

  /// What the pass makes of the colors, red fastest: encoded, not limited, the fourth numbers 0.
  let nodes: [SIMD4<Float>]
  /// Whether finding pixels in the grid is faster than doing the pass.
  let isFaster: Bool

  /// Computes the grid on all cores; `nil` for a pass that looks at more than a color, or that is not one
  /// from 8-bit codes to 8-bit codes.
  init?(_ pass: ColorPass) {
    guard pass.maps8BitColors else { return nil }
    isFaster = pass.cost > Self.leastCost
    nodes = Self.extended(Self.results(of: pass))
  }

  /// Where a color is in ``nodes``.
  func index(of color: SIMD3<Int>) -> Int {
    (color.z * Self.size + color.y) * Self.size + color.x
  }

  /// What a pass makes of the colors of the grid. There is no code 256; the last colors are those of 255.
  private static func results(of pass: ColorPass) -> [SIMD4<Float>] {
    let sheet = size * size
    let row = pass.floatRowFunction
    @Sendable func code(_ place: Int) -> UInt8 { UInt8(min(place * step, 255)) }
    return onAllThreads(mapping: size) { blue in
      let colors = (0..<sheet).flatMap { [code($0 % size), code($0 / size), code(blue)] }
      let results = [Float](unsafeUninitializedCapacity: 3 * sheet) { results, count in
        colors.withUnsafeBytes { colors in
          row(
            Scanline(
              input: colors.baseAddress!, output: results.baseAddress!, count: sheet, x: 0, y: 0))
        }
        count = 3 * sheet
      }
      return (0..<sheet).map {
        SIMD4(results[3 * $0], results[3 * $0 + 1], results[3 * $0 + 2], 0)
      }
    }.flatMap(\.self)
  }

  /// Goes on from the code 255 to 256, as straight as from 248 to 255, where all channels that end there
  /// change together: colors of the code 255 then get what the pass makes of them.
  private static func extended(_ nodes: [SIMD4<Float>]) -> [SIMD4<Float>] {
    nodes.indices.map { index in
      let back = [1, size, size * size].filter { index / $0 % size == size - 1 }.reduce(0, +)
      return nodes[index] + (nodes[index] - nodes[index - back]) / Float(step - 1)
    }
  }

  /// What the pass does to pixels of three codes, nearly.
  var rowFunction: ColorPass.RowFunction {
    { [nodes] line in
      nodes.withUnsafeBytes { nodes in
        kernels.find8(
          nodes.baseAddress!.assumingMemoryBound(to: Float.self),
          line.input.assumingMemoryBound(to: UInt8.self),
          line.output.assumingMemoryBound(to: UInt8.self), Int32(line.count))
      }
    }
  }
}
