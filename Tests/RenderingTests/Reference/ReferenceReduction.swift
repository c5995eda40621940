import Foundation

/// Smaller pictures by Lanczos's kernel in linear light, straight from the definition.
enum ReferenceReduction {
  /// The codes of a picture of another size, in codes of 8 bits, rounded.
  static func reduced(
    _ codes: [Int], from size: (width: Int, height: Int), to new: (width: Int, height: Int)
  ) -> [Double] {
    let linear = (0...255).map { ReferenceColor.linear(Double($0) / 255) }
    let light = codes.map { linear[$0] }
    let (across, down) = (weights(size.width, new.width), weights(size.height, new.height))
    var rows = [Double](repeating: 0, count: new.width * size.height * 3)
    for y in 0..<size.height {
      for x in 0..<new.width {
        for (place, weight) in across[x] {
          for band in 0..<3 {
            rows[(y * new.width + x) * 3 + band] +=
              weight * light[(y * size.width + place) * 3 + band]
          }
        }
      }
    }
    var result = [Double](repeating: 0, count: new.width * new.height * 3)
    for y in 0..<new.height {
      for (place, weight) in down[y] {
        for x in 0..<(new.width * 3) {
          result[y * new.width * 3 + x] += weight * rows[place * new.width * 3 + x]
        }
      }
    }
    return result.map { (ReferenceColor.encoded(min(max($0, 0), 1)) * 255).rounded() }
  }

  private static func weights(_ count: Int, _ results: Int) -> [[(place: Int, weight: Double)]] {
    let ratio = Double(count) / Double(results)
    return (0..<results).map { result in
      let middle = (Double(result) + 0.5) * ratio
      let all = Int(middle - 3 * ratio - 1)...Int(middle + 3 * ratio + 1)
      let found = all.map {
        (min(max($0, 0), count - 1), lanczos((Double($0) + 0.5 - middle) / ratio))
      }
      let total = found.reduce(0) { $0 + $1.1 }
      return found.map { ($0.0, $0.1 / total) }
    }
  }

  private static func lanczos(_ x: Double) -> Double {
    func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }
    return abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0
  }
}
