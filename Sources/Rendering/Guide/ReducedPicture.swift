/// A small version of the picture, from which local adjustments learn what surrounds a pixel.
///
/// Each pixel is the mean of a square of ``factor`` × ``factor`` codes of the photo, in encoded
/// sRGB; a JPEG's decoder makes the same means for eighths and less. It goes through the same
/// adjustments as the picture, so at every point of the pipeline it shows what the picture shows
/// there, but for sharpness and noise, for which it is too small.
struct ReducedPicture: Sendable {
  /// Most pixels along the longer side.
  static let longestSide = 1024

  /// Pixels from left to right.
  let width: Int
  /// Pixels from top to bottom.
  let height: Int
  /// The picture's pixels for one of these, along a side: a power of two.
  let factor: Int
  /// Red, green and blue of every pixel, row after row, encoded.
  private(set) var planes: [[Float]]

  /// - Parameter planes: Red, green and blue of `width × height` pixels.
  init(planes: [[Float]], width: Int, height: Int, factor: Int) {
    self.planes = planes
    self.width = width
    self.height = height
    self.factor = factor
  }

  /// How much a picture is reduced: the smallest power of two that makes it small enough.
  static func factor(width: Int, height: Int) -> Int {
    var factor = 1
    while max(width, height) > longestSide * factor { factor *= 2 }
    return factor
  }

  /// The luma of every pixel.
  var luma: ReducedMap {
    let values = planes[0].indices.map { Luma.of(planes[0][$0], planes[1][$0], planes[2][$0]) }
    return map(values)
  }

  /// Red, green and blue as maps.
  var channels: [ReducedMap] { planes.map { map($0) } }

  /// A part of the longer side in whole reduced pixels, at least 1.
  func radius(_ share: Double) -> Int {
    max(Int((Double(max(width, height)) * share).rounded()), 1)
  }

  /// A map of this picture's shape.
  func map(_ values: [Float]) -> ReducedMap {
    ReducedMap(values, width: width, height: height, factor: factor)
  }

  /// The picture as if it were the whole: its maps have a value for each of its own pixels.
  var atOwnSize: ReducedPicture {
    ReducedPicture(planes: planes, width: width, height: height, factor: 1)
  }

  /// Lays steps over every pixel.
  mutating func apply(_ steps: [ColorStep]) {
    apply(steps, from: .encoded)
  }

  /// Makes colors of codes, as shares of the largest.
  mutating func apply(decoding coding: PixelCoding) {
    let steps = coding.decoding
    apply(steps, from: steps.first?.space ?? .encoded)
  }

  private mutating func apply(_ steps: [ColorStep], from space: ColorSpace) {
    guard !steps.isEmpty else { return }
    let program = ColorProgram(ColorProgram.fused(steps, from: space, to: .encoded))
    let (width, height) = (width, height)
    ColorTile.withMemory { memory in
      for y in 0..<height {
        for x in stride(from: 0, to: width, by: ColorTile.capacity) {
          let count = min(ColorTile.capacity, width - x)
          let tile = ColorTile(memory, count: count, x: x, y: y)
          tile.forEachPlane { channel, plane in
            for index in 0..<count { plane[index] = planes[channel][y * width + x + index] }
          }
          program.run(on: tile)
          tile.forEachPlane { channel, plane in
            for index in 0..<count { planes[channel][y * width + x + index] = plane[index] }
          }
        }
      }
    }
  }
}
