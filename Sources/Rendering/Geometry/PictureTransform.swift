/// Where the pixels of a turned, straightened or cropped picture come from.
struct PictureTransform: Sendable, Equatable {
  /// Pixels from left to right of the result.
  let width: Int
  /// Pixels from top to bottom of the result.
  let height: Int
  /// Row after row, the nine numbers that take a place of the result, with (0.5, 0.5) as the middle
  /// of the first pixel, to the place of the source: (x, y, 1) to (x', y', w'), at (x'/w', y'/w').
  let matrix: [Double]

  /// A transform with a matrix.
  init(width: Int, height: Int, matrix: [Double]) {
    self.width = width
    self.height = height
    self.matrix = matrix
  }

  /// The part of a picture from a pixel on.
  init(left: Int, top: Int, width: Int, height: Int) {
    self.init(
      width: width, height: height, matrix: [1, 0, Double(left), 0, 1, Double(top), 0, 0, 1])
  }

  /// The whole pixels by which the result is moved, where it is moved by such and nothing else.
  var shift: (left: Int, top: Int)? {
    let (left, top) = (matrix[2], matrix[5])
    guard matrix == [1, 0, left.rounded(), 0, 1, top.rounded(), 0, 0, 1] else { return nil }
    return (Int(left), Int(top))
  }

  /// The place of the source for a place of the result.
  func source(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let w = matrix[6] * x + matrix[7] * y + matrix[8]
    return (
      (matrix[0] * x + matrix[1] * y + matrix[2]) / w,
      (matrix[3] * x + matrix[4] * y + matrix[5]) / w
    )
  }

  /// First this transform, then another of its result.
  func followed(by next: PictureTransform) -> PictureTransform {
    var product = [Double](repeating: 0, count: 9)
    for row in 0..<3 {
      for column in 0..<3 {
        for inner in 0..<3 {
          product[row * 3 + column] += matrix[row * 3 + inner] * next.matrix[inner * 3 + column]
        }
      }
    }
    return PictureTransform(
      width: next.width, height: next.height, matrix: product.map { $0 / product[8] })
  }
}
