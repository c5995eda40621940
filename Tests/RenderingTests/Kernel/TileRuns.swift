import SafelightAdjustments
import SafelightTestSupport

@testable import SafelightRendering

extension ColorRenderable {
  /// The adjustment laid over encoded pixels, as a full-size render does it.
  func run(on pixels: [[Double]]) -> [[Double]] {
    // Only a damaged lookup table throws.
    try! colorSteps(in: .wholePhoto).run(on: pixels)
  }
}

extension AppliedFilter {
  /// The filter laid over encoded pixels, as the plan of a photo with it says.
  func run(on pixels: [[Double]]) throws -> [[Double]] {
    try RenderPlan(EditStack([self])).items.flatMap(Self.steps).run(on: pixels)
  }

  private static func steps(of item: PlanItem) -> [ColorStep] {
    switch item {
    case .color(let adjustment): try! adjustment.colorSteps(in: .wholePhoto)
    case .mixed(let items, let share): [.kernel(MixKernel(items.flatMap(steps), share: share))]
    default: []
    }
  }
}

extension StepContext {
  /// A full-size photo of no special shape.
  static let wholePhoto = StepContext(width: 600, height: 400, scale: 1)
}

extension [ColorStep] {
  /// The steps compiled for encoded pixels.
  var program: ColorProgram {
    ColorProgram(ColorProgram.fused(self, from: .encoded, to: .encoded))
  }

  /// The steps laid over encoded pixels of any number.
  func run(on pixels: [[Double]], x: Int = 0, y: Int = 0) -> [[Double]] {
    program.run(on: pixels, x: x, y: y)
  }
}

extension ColorProgram {
  /// The program laid over pixels of any number, through tiles as the kernel uses them: a row that
  /// begins at (x, y).
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
    let noise = (0..<4000).map { _ in (0..<3).map { _ in Double.random(in: 0...1, using: &random) }
    }
    return gray + lattice + noise
  }()
}

/// The largest difference between two lists of pixels, in codes of 255.
func largestDifference(_ left: [[Double]], _ right: [[Double]]) -> Double {
  zip(left, right).flatMap { zip($0, $1).map { abs($0 - $1) } }.max()! * 255
}
