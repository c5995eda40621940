import Foundation
import SafelightVips
import Testing

@testable import SafelightRendering

@Suite struct OutputSharpeningTests {
  /// A row of gray codes, with one hue, in 40 equal rows, through the sharpening.
  private func sharpened(
    _ row: [Float], _ kind: RenderOutput.Sharpening, hue: (Float, Float, Float) = (0, 0, 0)
  ) throws -> [Float] {
    let pixels = (0..<40).flatMap { _ in row.flatMap { [$0 + hue.0, $0 + hue.1, $0 + hue.2] } }
    let image = try pixels.withUnsafeBytes { bytes in
      try Image.fromMemory([UInt8](bytes), width: row.count, height: 40, bands: 3, format: .float)
    }
    let context = StepContext(size: image.size, scale: 1)
    guard let step = OutputSharpening(kind: kind).neighborhoodStep(in: context) else {
      return pixels
    }
    let bytes = try NeighborhoodPass(step: step).applied(to: image).pixelBytes()
    return bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  private static let edge: [Float] = (0..<40).map { x in
    x < 18 ? 0.2 : x > 22 ? 0.8 : 0.2 + 0.6 * Float(x - 17) / 6
  }

  @Test(arguments: [RenderOutput.Sharpening.screen, .glossy, .matte])
  func anEdgeBecomesSteeperWithoutAHalo(kind: RenderOutput.Sharpening) throws {
    let row = Self.edge
    let result = try sharpened(row, kind)
    let middle = Array(result[(20 * 120)..<(21 * 120)])
    let red = (0..<40).map { middle[3 * $0] }
    func slope(_ row: [Float]) -> Float { (1..<40).map { abs(row[$0] - row[$0 - 1]) }.max() ?? 0 }
    #expect(slope(red) > slope(row) * 1.005)
    for x in 1..<39 {
      let around = row[(x - 1)...(x + 1)]
      let (low, high) = (around.min() ?? 0, around.max() ?? 0)
      let room = 0.02 * (high - low) + 1e-5
      #expect(red[x] >= low - room && red[x] <= high + room, "\(x)")
    }
    #expect(result.allSatisfy { $0 >= 0.2 - 0.003 && $0 <= 0.8 + 0.003 })
  }

  @Test(arguments: [RenderOutput.Sharpening.screen, .glossy, .matte])
  func colorsKeepTheirDifferencesAndFlatPartsTheirCodes(kind: RenderOutput.Sharpening) throws {
    let result = try sharpened(Self.edge, kind, hue: (0.1, 0, -0.05))
    for pixel in stride(from: 0, to: result.count, by: 3) {
      #expect(abs(result[pixel] - result[pixel + 1] - 0.1) < 1e-5)
      #expect(abs(result[pixel + 1] - result[pixel + 2] - 0.05) < 1e-5)
    }
    #expect(abs(result[0] - 0.3) < 1e-5 && abs(result[117] - 0.9) < 1e-5)
  }

  /// Against the same arithmetic in double precision, at one pixel of a grid of points.
  @Test func aPointIsThatOfTheFormula() throws {
    let row: [Float] = (0..<40).map { $0 == 20 ? 0.6 : 0.4 }
    let result = try sharpened(row, .matte)
    // A column of points: the Gaussian acts along the row alone.
    let weights = (0...3).map { exp(-Double($0 * $0) / (2 * 0.8 * 0.8)) }
    let middle = weights[0] / (weights[0] + 2 * weights[1...].reduce(0, +))
    let wanted = 0.6 + 1.4 * (0.2 * (1 - middle))
    let expected = min(wanted, 0.6 + 0.02 * 0.2)
    #expect(abs(Double(result[20 * 120 + 60]) - expected) < 1e-5)
  }
}
