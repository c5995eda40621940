import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering

@Suite struct NeighborhoodPassTests {
  /// Shows what lies some pixels to the left and above.
  private struct Shift: NeighborhoodStep {
    let reach: Int
    let across: Int
    let down: Int

    func apply(_ input: PlanarPixels, to output: PlanarPixels) {
      for channel in 0..<3 {
        for y in 0..<output.height {
          for x in 0..<output.width {
            let place = (y + reach + down) * input.width + x + reach + across
            output.plane(channel)[y * output.width + x] = input.plane(channel)[place]
          }
        }
      }
    }
  }

  private func floats(_ image: Image) throws -> [Float] {
    try image.pixelBytes().withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  @Test(arguments: [(600, 150), (257, 65), (3, 2), (1, 40)], [(-3, 2), (5, -5), (0, 0), (-5, -4)])
  func stepsSeeThePictureAndItsMirrorImage(size: (Int, Int), shift: (Int, Int)) throws {
    let (width, height) = size
    let values = (0..<(width * height * 3)).map { Float($0) }
    let image = try Image.fromMemory(
      values.withUnsafeBytes { Array($0) }, width: width, height: height, bands: 3, format: .float)
    let step = Shift(reach: 5, across: shift.0, down: shift.1)
    let result = try floats(NeighborhoodPass(step: step).applied(to: image))
    func mirrored(_ index: Int, _ count: Int) -> Int {
      var index = index
      while index < 0 || index >= count { index = index < 0 ? -1 - index : 2 * count - 1 - index }
      return index
    }
    let expected = (0..<(width * height)).flatMap { index -> [Float] in
      let x = mirrored(index % width + shift.0, width)
      let y = mirrored(index / width + shift.1, height)
      return (0..<3).map { values[(y * width + x) * 3 + $0] }
    }
    #expect(result == expected)
  }

  @Test(arguments: [-7, -3, -1, 0, 2, 3, 5, 6, 11])
  func placesBeyondAnEdgeAreMirrored(index: Int) {
    let row = [0, 1, 2]
    let pattern = [0, 1, 2, 2, 1, 0]
    #expect(row[Mirror.place(index, of: 3)] == pattern[((index % 6) + 6) % 6])
  }
}
