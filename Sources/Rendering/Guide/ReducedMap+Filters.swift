import Foundation

extension ReducedMap {
  /// The mean of the numbers at most `radius` columns and rows away, fewer at the edges.
  func boxMean(radius: Int) -> ReducedMap {
    with(Self.meanOfRows(Self.meanOfRows(values, width, height, radius), height, width, radius))
  }

  /// The mean along each row, transposed: columns come out as rows.
  private static func meanOfRows(_ values: [Float], _ width: Int, _ height: Int, _ radius: Int)
    -> [Float]
  {
    var result = [Float](repeating: 0, count: values.count)
    values.withUnsafeBufferPointer { values in
      result.withUnsafeMutableBufferPointer { result in
        for y in 0..<height {
          let row = values.baseAddress! + y * width
          var sum = 0.0
          for x in 0..<min(radius, width) { sum += Double(row[x]) }
          for x in 0..<width {
            if x + radius < width { sum += Double(row[x + radius]) }
            if x - radius > 0 { sum -= Double(row[x - radius - 1]) }
            let count = min(x + radius, width - 1) - max(x - radius, 0) + 1
            result[x * height + y] = Float(sum / Double(count))
          }
        }
      }
    }
    return result
  }

  /// The numbers blurred with a Gaussian of a standard deviation in reduced pixels, cut off at three
  /// of them and at the edges.
  func gaussian(_ deviation: Double) -> ReducedMap {
    guard deviation > 0 else { return self }
    let reach = max(Int((3 * deviation).rounded(.up)), 1)
    let weights = (0...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
    let once = Self.blurRows(values, width, height, weights)
    return with(Self.blurRows(once, height, width, weights))
  }

  /// Blurs along each row, transposed: columns come out as rows.
  private static func blurRows(
    _ values: [Float], _ width: Int, _ height: Int, _ weights: [Double]
  ) -> [Float] {
    var result = [Float](repeating: 0, count: values.count)
    for y in 0..<height {
      for x in 0..<width {
        var (sum, total) = (0.0, 0.0)
        for near in max(x - weights.count + 1, 0)...min(x + weights.count - 1, width - 1) {
          let weight = weights[abs(near - x)]
          sum += weight * Double(values[y * width + near])
          total += weight
        }
        result[x * height + y] = Float(sum / total)
      }
    }
    return result
  }
}

/// A straight line from a value to its edge-preserving mean, different at every place.
///
/// The guided filter of He, Sun and Tang ("Guided Image Filtering", IEEE TPAMI 35, 2013), guided by
/// the picture's own luma, computed on the reduced picture and laid over the whole (He and Sun,
/// "Fast Guided Filter", 2015): base = slope × luma + offset.
struct GuidedBase: Sendable {
  let slope: ReducedMap
  let offset: ReducedMap

  /// - Parameters:
  ///   - luma: The reduced picture's luma.
  ///   - radius: How far the mean reaches, in reduced pixels.
  ///   - edge: Differences of luma well below this are smoothed over, well above kept.
  init(_ luma: ReducedMap, radius: Int, edge: Float) {
    let mean = luma.boxMean(radius: radius)
    let meanOfSquares = luma.with(luma.values.map { $0 * $0 }).boxMean(radius: radius)
    var slopes = [Float](repeating: 0, count: luma.values.count)
    var offsets = slopes
    for index in slopes.indices {
      let average = mean.values[index]
      let variance = max(meanOfSquares.values[index] - average * average, 0)
      slopes[index] = variance / (variance + edge * edge)
      offsets[index] = average * (1 - slopes[index])
    }
    slope = luma.with(slopes).boxMean(radius: radius)
    offset = luma.with(offsets).boxMean(radius: radius)
  }
}
