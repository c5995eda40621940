import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering

@Suite struct WarpPassTests {
  /// Keys's cubic convolution in double precision, written from the paper's piecewise polynomial.
  private func keys(_ distance: Double) -> Double {
    let s = abs(distance)
    if s < 1 { return 1.5 * s * s * s - 2.5 * s * s + 1 }
    return s < 2 ? -0.5 * s * s * s + 2.5 * s * s - 4 * s + 2 : 0
  }

  private func floats(_ image: Image) throws -> [Float] {
    try image.pixelBytes().withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  private func noise(width: Int, height: Int) throws -> (image: Image, values: [Float]) {
    var random = SeededGenerator(seed: 5)
    let values = (0..<(width * height * 3)).map { _ in Float.random(in: 0...1, using: &random) }
    let bytes = values.withUnsafeBytes { Array($0) }
    let image = try Image.fromMemory(bytes, width: width, height: height, bands: 3, format: .float)
    return (image, values)
  }

  @Test(arguments: [
    [0.96, -0.2, 3.1, 0.2, 0.96, -1.7, 0, 0, 1], [1, 0, 0.5, 0, 1, 0.25, 0, 0, 1],
    [1.1, 0.05, -2, 0.02, 0.9, 1, 0.001, -0.002, 1], [0.5, 0, 0, 0, 0.5, 0, 0, 0, 1],
  ])
  func pixelsAreInterpolatedAsKeysSays(matrix: [Double]) throws {
    let (width, height) = (41, 29)
    let (image, values) = try noise(width: width, height: height)
    let transform = PictureTransform(width: 37, height: 31, matrix: matrix)
    let result = try floats(WarpPass(transform: transform).applied(to: image))
    var worst = 0.0
    for y in 0..<transform.height {
      for x in 0..<transform.width {
        let (px, py) = (Double(x) + 0.5, Double(y) + 0.5)
        let w = matrix[6] * px + matrix[7] * py + matrix[8]
        let u = (matrix[0] * px + matrix[1] * py + matrix[2]) / w - 0.5
        let v = (matrix[3] * px + matrix[4] * py + matrix[5]) / w - 0.5
        for channel in 0..<3 {
          var sum = 0.0
          for row in Int(v.rounded(.down)) - 1...Int(v.rounded(.down)) + 2 {
            for column in Int(u.rounded(.down)) - 1...Int(u.rounded(.down)) + 2 {
              let place = min(max(row, 0), height - 1) * width + min(max(column, 0), width - 1)
              sum +=
                keys(Double(row) - v) * keys(Double(column) - u)
                * Double(values[place * 3 + channel])
            }
          }
          worst = max(worst, abs(sum - Double(result[(y * transform.width + x) * 3 + channel])))
        }
      }
    }
    #expect(worst < 1e-5)
  }

  @Test func theIdentityChangesNothing() throws {
    let (image, values) = try noise(width: 20, height: 10)
    let transform = PictureTransform(left: 0, top: 0, width: 20, height: 10)
    #expect(transform.shift.map { [$0.left, $0.top] } == [0, 0])
    #expect(try floats(WarpPass(transform: transform).applied(to: image)) == values)
  }

  @Test func transformsFollowEachOther() {
    let first = PictureTransform(
      width: 50, height: 40, matrix: [0.9, 0.1, 2, -0.1, 0.9, 3, 0.001, 0, 1])
    let second = PictureTransform(left: 4, top: 6, width: 20, height: 10)
    let both = first.followed(by: second)
    let (direct, joined) = (first.source(4 + 3.5, 6 + 7.5), both.source(3.5, 7.5))
    #expect(abs(direct.x - joined.x) < 1e-9 && abs(direct.y - joined.y) < 1e-9)
    #expect([both.width, both.height] == [20, 10])
  }
}
