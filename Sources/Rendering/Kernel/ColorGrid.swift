import SafelightColorKernels
import SafelightVips

/// The results of a pass for a grid of colors; those of other colors are found between them.
///
/// For pictures that are looked at while a slider moves. Ten adjustments take 130 ns for a pixel, and
/// finding a place between results a small part of that; the grid has 36,000 colors, the pictures have
/// millions of pixels. Its colors lie 8 codes apart; between them a pass is nearly straight. Drafts make do
/// with 16 codes and 5,000 colors. Renders never go through a grid.
struct ColorGrid: Sendable {
  /// Codes from one color of the grid to the next: 8 or 16.
  let step: Int
  /// Passes that take fewer nanoseconds for a pixel are as fast themselves.
  private static let leastCost = 8.0

  /// What the pass makes of the colors, red fastest: encoded, not limited, the fourth numbers 0.
  let nodes: [SIMD4<Float>]
  /// Whether finding pixels in the grid is faster than doing the pass.
  let isFaster: Bool

  /// Colors of the grid along a side.
  var size: Int { Self.size(step) }

  private static func size(_ step: Int) -> Int { 256 / step + 1 }

  /// Computes the grid on all cores; `nil` for a pass that looks at more than a color, or that is not one
  /// from 8-bit codes to 8-bit codes.
  init?(_ pass: ColorPass, step: Int = 8) {
    guard pass.maps8BitColors else { return nil }
    self.step = step
    isFaster = pass.cost > Self.leastCost
    nodes = Self.extended(Self.results(of: pass, step), step)
  }

  /// Where a color is in ``nodes``.
  func index(of color: SIMD3<Int>) -> Int {
    (color.z * size + color.y) * size + color.x
  }

  /// What a pass makes of the colors of the grid. There is no code 256; the last colors are those of 255.
  private static func results(of pass: ColorPass, _ step: Int) -> [SIMD4<Float>] {
    let size = size(step)
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

  /// Goes on from the code 255 to 256, as straight as from the color before it, where all channels that end
  /// there change together: colors of the code 255 then get what the pass makes of them.
  private static func extended(_ nodes: [SIMD4<Float>], _ step: Int) -> [SIMD4<Float>] {
    let size = size(step)
    return nodes.indices.map { index in
      let back = [1, size, size * size].filter { index / $0 % size == size - 1 }.reduce(0, +)
      return nodes[index] + (nodes[index] - nodes[index - back]) / Float(step - 1)
    }
  }

  /// What the pass does to pixels of three codes, nearly.
  var rowFunction: ColorPass.RowFunction {
    { [nodes, step = Int32(step)] line in
      nodes.withUnsafeBytes { nodes in
        kernels.find8(
          nodes.baseAddress!.assumingMemoryBound(to: Float.self), step,
          line.input.assumingMemoryBound(to: UInt8.self),
          line.output.assumingMemoryBound(to: UInt8.self), Int32(line.count))
      }
    }
  }
}
