import Testing

@testable import SafelightRendering

@Suite struct CanvasTests {
  private static let proof = Proof(
    width: 2, height: 2, pixels: [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4])

  /// The red codes of a canvas of 4 × 3 pixels, row after row.
  private static func codes(_ draw: (inout Canvas) -> Void) -> [UInt8] {
    var canvas = Canvas(width: 4, height: 3, gray: 9)
    draw(&canvas)
    return stride(from: 0, to: canvas.pixels.count, by: 3).map { canvas.pixels[$0] }
  }

  @Test(arguments: [
    (0, 0, [1, 2, 9, 9, 3, 4, 9, 9, 9, 9, 9, 9]), (2, 1, [9, 9, 9, 9, 9, 9, 1, 2, 9, 9, 3, 4]),
    (-1, -1, [4, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9]), (3, 2, [9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 1]),
    (4, 3, [UInt8](repeating: 9, count: 12)), (-2, 0, [UInt8](repeating: 9, count: 12)),
  ])
  func aProofIsCutOffAtTheEdges(left: Int, top: Int, expected: [UInt8]) {
    #expect(Self.codes { $0.draw(Self.proof, left: left, top: top) } == expected)
  }

  @Test func columnsOfAProofAreDrawnWhereTheyAre() {
    #expect(
      Self.codes { $0.draw(Self.proof, left: 1, top: 0, columns: 1..<2) }
        == [9, 9, 2, 9, 9, 9, 4, 9, 9, 9, 9, 9])
  }

  @Test(arguments: [(0, 9), (255, 209), (128, 109)] as [(UInt8, UInt8)])
  func blendingIsAShare(share: UInt8, expected: UInt8) {
    let codes = Self.codes { $0.blend(0, 0, with: [209, 209, 209], share: share) }
    #expect(codes[0] == expected)
  }

  @Test func fillingIsCutOffAtTheEdges() {
    let frame = PictureFrame(left: 3, top: -5, width: 10, height: 7)
    #expect(
      Self.codes { $0.fill(frame, with: [7, 7, 7]) } == [9, 9, 9, 7, 9, 9, 9, 7, 9, 9, 9, 9])
  }
}
