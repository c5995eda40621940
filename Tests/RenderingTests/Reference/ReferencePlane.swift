import Foundation

/// A plane of numbers in double precision, for whole-picture references.
struct ReferencePlane {
  let width: Int
  let height: Int
  var values: [Double]

  init(width: Int, height: Int, _ value: (Int, Int) -> Double) {
    (self.width, self.height) = (width, height)
    values = []
    values.reserveCapacity(width * height)
    for y in 0..<height { for x in 0..<width { values.append(value(x, y)) } }
  }

  subscript(x: Int, y: Int) -> Double { values[y * width + x] }

  func mapped(_ body: (Double) -> Double) -> ReferencePlane {
    var result = self
    result.values = values.map(body)
    return result
  }

  func with(_ other: ReferencePlane, _ body: (Double, Double) -> Double) -> ReferencePlane {
    var result = self
    result.values = zip(values, other.values).map(body)
    return result
  }

  /// Means of squares; those at the right and lower edge have what is there.
  func reduced(by factor: Int) -> ReferencePlane {
    ReferencePlane(
      width: (width + factor - 1) / factor, height: (height + factor - 1) / factor
    ) { x, y in
      var (sum, count) = (0.0, 0.0)
      for row in (y * factor)..<Swift.min(y * factor + factor, height) {
        for column in (x * factor)..<Swift.min(x * factor + factor, width) {
          sum += self[column, row]
          count += 1
        }
      }
      return sum / count
    }
  }

  /// The number at every pixel of a picture `factor` times as large, by bilinear interpolation.
  func sampled(_ factor: Int, width: Int, height: Int) -> ReferencePlane {
    func pieces(_ count: Int, _ places: Int) -> [(Int, Int, Double)] {
      (0..<places).map { place in
        let exact = (Double(place) + 0.5) / Double(factor) - 0.5
        let inside = Swift.min(Swift.max(exact, 0), Double(count - 1))
        let first = Int(inside)
        return (first, Swift.min(first + 1, count - 1), inside - Double(first))
      }
    }
    let (columns, rows) = (pieces(self.width, width), pieces(self.height, height))
    return ReferencePlane(width: width, height: height) { x, y in
      let (left, right, across) = columns[x]
      let (top, bottom, down) = rows[y]
      return (self[left, top] * (1 - across) + self[right, top] * across) * (1 - down)
        + (self[left, bottom] * (1 - across) + self[right, bottom] * across) * down
    }
  }

  /// Means of what lies at most `radius` away and inside, from a table of sums.
  func boxMean(_ radius: Int) -> ReferencePlane {
    var sums = [Double](repeating: 0, count: (width + 1) * (height + 1))
    for y in 0..<height {
      for x in 0..<width {
        sums[(y + 1) * (width + 1) + x + 1] =
          self[x, y] + sums[y * (width + 1) + x + 1] + sums[(y + 1) * (width + 1) + x]
          - sums[y * (width + 1) + x]
      }
    }
    return ReferencePlane(width: width, height: height) { x, y in
      let (left, right) = (Swift.max(x - radius, 0), Swift.min(x + radius + 1, width))
      let (top, bottom) = (Swift.max(y - radius, 0), Swift.min(y + radius + 1, height))
      let sum =
        sums[bottom * (width + 1) + right] - sums[top * (width + 1) + right]
        - sums[bottom * (width + 1) + left] + sums[top * (width + 1) + left]
      return sum / Double((right - left) * (bottom - top))
    }
  }

  /// The smallest of what lies at most `radius` away and inside.
  func minimum(_ radius: Int) -> ReferencePlane {
    let across = ReferencePlane(width: width, height: height) { x, y in
      (Swift.max(x - radius, 0)...Swift.min(x + radius, width - 1)).map { self[$0, y] }.min()!
    }
    return ReferencePlane(width: width, height: height) { x, y in
      (Swift.max(y - radius, 0)...Swift.min(y + radius, height - 1)).map { across[x, $0] }.min()!
    }
  }

  /// A Gaussian as good as whole, on the picture and its mirror images.
  func gaussian(_ deviation: Double) -> ReferencePlane {
    guard deviation > 0 else { return self }
    return convolved(radius: 6 * deviation) { exp(-0.5 * pow($0 / deviation, 2)) }
  }

  /// A window that reaches `radius` to each side, its outermost pixels covered in part.
  func windowMean(_ radius: Double) -> ReferencePlane {
    convolved(radius: radius) { $0 <= radius ? 1 : radius - radius.rounded(.down) }
  }

  private func convolved(radius: Double, _ weight: (Double) -> Double) -> ReferencePlane {
    let reach = Int(radius.rounded(.up))
    let weights = (-reach...reach).map { weight(Double(abs($0))) }
    let total = weights.reduce(0, +)
    func mirrored(_ index: Int, _ count: Int) -> Int {
      var index = index
      while index < 0 || index >= count { index = index < 0 ? -1 - index : 2 * count - 1 - index }
      return index
    }
    func along(_ values: [Double], _ count: Int, _ lines: Int, _ step: Int, _ lineStep: Int)
      -> [Double]
    {
      var result = values
      let places = (-reach..<(count + reach)).map { mirrored($0, count) * step }
      values.withUnsafeBufferPointer { values in
        for line in 0..<lines {
          for index in 0..<count {
            var sum = 0.0
            for near in weights.indices {
              sum += weights[near] * values[line * lineStep + places[index + near]]
            }
            result[line * lineStep + index * step] = sum / total
          }
        }
      }
      return result
    }
    var result = self
    result.values = along(values, width, height, 1, width)
    result.values = along(result.values, height, width, width, 1)
    return result
  }
}

/// Red, green and blue in double precision, encoded.
struct ReferencePicture {
  var planes: [ReferencePlane]

  var width: Int { planes[0].width }
  var height: Int { planes[0].height }
  var longerSide: Int { max(width, height) }

  var luma: ReferencePlane {
    ReferencePlane(width: width, height: height) { x, y in
      0.2126 * planes[0][x, y] + 0.7152 * planes[1][x, y] + 0.0722 * planes[2][x, y]
    }
  }

  /// A picture of 8-bit codes, three to a pixel.
  init(codes: [Int], width: Int, height: Int) {
    planes = (0..<3).map { channel in
      ReferencePlane(width: width, height: height) { x, y in
        Double(codes[3 * (y * width + x) + channel]) / 255
      }
    }
  }

  /// Every pixel anew, from its channels and its place in row-major order.
  func mapped(_ body: ([Double], Int) -> [Double]) -> ReferencePicture {
    var result = self
    for index in 0..<(width * height) {
      let pixel = body(planes.map { $0.values[index] }, index)
      for channel in 0..<3 { result.planes[channel].values[index] = pixel[channel] }
    }
    return result
  }

  func eachPlane(_ body: (ReferencePlane) -> ReferencePlane) -> ReferencePicture {
    var result = self
    result.planes = planes.map(body)
    return result
  }

  /// The smallest power of two that leaves 1024 pixels.
  var factor: Int {
    var factor = 1
    while longerSide > factor * 1024 { factor *= 2 }
    return factor
  }
}
