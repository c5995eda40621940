/// A straight line from luma to an edge-preserving mean, different at every place.
///
/// The guided filter of He, Sun and Tang ("Guided Image Filtering", IEEE TPAMI 35, 2013), guided by
/// the picture's own luma, computed on the reduced picture and laid over the whole (He and Sun,
/// "Fast Guided Filter", 2015): base = slope × luma + offset.
struct GuidedBase: Sendable {
  let slope: ReducedMap
  let offset: ReducedMap

  /// The base of luma itself.
  ///
  /// - Parameters:
  ///   - luma: The reduced picture's luma.
  ///   - radius: How far the mean reaches, in reduced pixels.
  ///   - edge: Differences of luma well below this are smoothed over, well above kept.
  init(_ luma: ReducedMap, radius: Int, edge: Float) {
    self.init(of: luma, guidedBy: luma, radius: radius, edge: edge)
  }

  /// The base of another map, whose edges are those of luma.
  init(of map: ReducedMap, guidedBy luma: ReducedMap, radius: Int, edge: Float) {
    func products(_ left: ReducedMap, _ right: ReducedMap) -> ReducedMap {
      luma.with(zip(left.values, right.values).map { $0 * $1 }).boxMean(radius: radius)
    }
    let isOwn = map.values == luma.values
    let lumaMean = luma.boxMean(radius: radius)
    let squares = products(luma, luma)
    let mapMean = isOwn ? lumaMean : map.boxMean(radius: radius)
    let mixed = isOwn ? squares : products(luma, map)
    var slopes = [Float](repeating: 0, count: luma.values.count)
    var offsets = slopes
    for index in slopes.indices {
      let (lumaAverage, average) = (lumaMean.values[index], mapMean.values[index])
      let variance = max(squares.values[index] - lumaAverage * lumaAverage, 0)
      let covariance = isOwn ? variance : mixed.values[index] - lumaAverage * average
      slopes[index] = covariance / (variance + edge * edge)
      offsets[index] = average - slopes[index] * lumaAverage
    }
    slope = luma.with(slopes).boxMean(radius: radius)
    offset = luma.with(offsets).boxMean(radius: radius)
  }

  /// Calls `body` with the base at each pixel of a tile in encoded values.
  func withValues(on tile: ColorTile, _ body: (UnsafeMutablePointer<Float>) -> Void) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * ColorTile.capacity) { memory in
      let base = memory.baseAddress!
      let offsets = base + ColorTile.capacity
      slope.sample(base, count: tile.count, x: tile.x, y: tile.y)
      offset.sample(offsets, count: tile.count, x: tile.x, y: tile.y)
      let (red, green, blue) = (tile.red, tile.green, tile.blue)
      for index in 0..<tile.count {
        base[index] = base[index] * Luma.of(red[index], green[index], blue[index]) + offsets[index]
      }
      body(base)
    }
  }
}
