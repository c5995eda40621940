import Vips

/// A pass that moves pixels, from floats to floats.
///
/// Between the source's pixels it interpolates with cubic convolution over 4 × 4 of them (R. G.
/// Keys, "Cubic Convolution Interpolation for Digital Image Processing", IEEE TASSP 29, 1981, with
/// a = −1/2), on encoded values; beyond the picture the pixels of its edge are repeated.
struct WarpPass: Sendable {
  /// What a block of a turned picture is made from is little more than the block; for whole rows it
  /// would be much of the picture.
  private static let block = (width: 128, height: 64)

  let transform: PictureTransform

  /// The image with its pixels moved: three bands of encoded floats. The image must be readable in
  /// any order.
  func applied(to image: Image) throws(VipsError) -> Image {
    let transform = transform
    let (width, height) = (image.width, image.height)
    return try Image.computed(
      from: [image], like: image, width: transform.width, height: transform.height,
      blocks: Self.block
    ) { area in
      transform.source(of: area)
    } _: { inputs, output in
      for y in output.top..<(output.top + output.height) {
        let row = output.address(row: y).assumingMemoryBound(to: Float.self)
        for column in 0..<output.width {
          let place = transform.source(Double(output.left + column) + 0.5, Double(y) + 0.5)
          Self.interpolate(
            inputs[0], at: place.x - 0.5, place.y - 0.5, width, height, into: row + column * 3)
        }
      }
      return true
    }
  }

  /// Keys's kernel at the four pixels around a place that lies `share` after the second.
  @inline(__always)
  private static func weights(_ share: Float) -> SIMD4<Float> {
    let (s1, s2) = (share, share * share)
    let s3 = s2 * share
    return SIMD4(
      -0.5 * s3 + s2 - 0.5 * s1, 1.5 * s3 - 2.5 * s2 + 1, -1.5 * s3 + 2 * s2 + 0.5 * s1,
      0.5 * s3 - 0.5 * s2)
  }

  /// Four pixels beside each other, or sums of such, as they lie in memory.
  private struct Four {
    var first, second, third: SIMD4<Float>

    @inline(__always)
    init(_ source: UnsafePointer<Float>) {
      let bytes = UnsafeRawPointer(source)
      first = bytes.loadUnaligned(as: SIMD4<Float>.self)
      second = bytes.loadUnaligned(fromByteOffset: 16, as: SIMD4<Float>.self)
      third = bytes.loadUnaligned(fromByteOffset: 32, as: SIMD4<Float>.self)
    }

    /// The pixels at four columns of a row.
    init(_ row: UnsafePointer<Float>, _ columns: SIMD4<Int>) {
      let (a, b, c, d) = (
        row + columns[0] * 3, row + columns[1] * 3, row + columns[2] * 3, row + columns[3] * 3
      )
      first = SIMD4(a[0], a[1], a[2], b[0])
      second = SIMD4(b[1], b[2], c[0], c[1])
      third = SIMD4(c[2], d[0], d[1], d[2])
    }

    @inline(__always)
    static func * (four: Four, weight: Float) -> Four {
      var four = four
      four.first *= weight
      four.second *= weight
      four.third *= weight
      return four
    }

    @inline(__always)
    static func + (one: Four, other: Four) -> Four {
      var sum = one
      sum.first += other.first
      sum.second += other.second
      sum.third += other.third
      return sum
    }

    /// The sum of the four pixels, each with its weight.
    @inline(__always)
    func sum(_ weights: SIMD4<Float>) -> (Float, Float, Float) {
      let one = first * SIMD4(weights.x, weights.x, weights.x, weights.y)
      let two = second * SIMD4(weights.y, weights.y, weights.z, weights.z)
      let three = third * SIMD4(weights.z, weights.w, weights.w, weights.w)
      return (
        one.x + one.w + two.z + three.y, one.y + two.x + two.w + three.z,
        one.z + two.y + three.x + three.w
      )
    }
  }

  @inline(__always)
  private static func interpolate(
    _ input: PixelArea, at x: Double, _ y: Double, _ width: Int, _ height: Int,
    into pixel: UnsafeMutablePointer<Float>
  ) {
    // Places far outside repeat the edge too, and no number of theirs may trap.
    let x = min(max(x, -2), Double(width) + 1)
    let y = min(max(y, -2), Double(height) + 1)
    let (left, top) = (x.rounded(.down), y.rounded(.down))
    let across = weights(Float(x - left))
    let down = weights(Float(y - top))
    let (column, row) = (Int(left) &- 1, Int(top) &- 1)
    func line(_ y: Int) -> UnsafePointer<Float> {
      UnsafePointer(input.address(row: y).assumingMemoryBound(to: Float.self)) - input.left &* 3
    }
    let sum: Four
    if column >= 0, row >= 0, column &+ 3 < width, row &+ 3 < height {
      let start = line(row) + column &* 3
      let next = input.stride / MemoryLayout<Float>.stride
      sum =
        Four(start) * down.x + Four(start + next) * down.y + Four(start + 2 &* next) * down.z
        + Four(start + 3 &* next) * down.w
    } else {
      let columns = SIMD4(column, column &+ 1, column &+ 2, column &+ 3)
        .clamped(lowerBound: .zero, upperBound: SIMD4(repeating: width &- 1))
      func four(_ y: Int) -> Four { Four(line(min(max(y, 0), height &- 1)), columns) }
      sum =
        four(row) * down.x + four(row &+ 1) * down.y + four(row &+ 2) * down.z
        + four(row &+ 3) * down.w
    }
    (pixel[0], pixel[1], pixel[2]) = sum.sum(across)
  }
}

extension PictureTransform {
  /// The part of the source that a part of the result is interpolated from.
  fileprivate func source(of area: PixelArea.Bounds) -> PixelArea.Bounds {
    let (left, top) = (Double(area.left), Double(area.top))
    let (right, bottom) = (left + Double(area.width), top + Double(area.height))
    // A projective map takes the inside of a rectangle to the inside of its corners' hull.
    let corners = [(left, top), (right, top), (left, bottom), (right, bottom)].map(source)
    let limit = 1e6
    let xs = corners.map { min(max($0.x, -limit), limit) }
    let ys = corners.map { min(max($0.y, -limit), limit) }
    let first = (Int(xs.min()!.rounded(.down)) - 3, Int(ys.min()!.rounded(.down)) - 3)
    let last = (Int(xs.max()!.rounded(.up)) + 3, Int(ys.max()!.rounded(.up)) + 3)
    return PixelArea.Bounds(
      left: first.0, top: first.1, width: last.0 - first.0, height: last.1 - first.1)
  }
}
