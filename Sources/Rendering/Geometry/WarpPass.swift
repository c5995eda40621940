import Vips

/// A pass that moves pixels, from floats to floats.
///
/// Between the source's pixels it interpolates with cubic convolution over 4 × 4 of them (R. G.
/// Keys, "Cubic Convolution Interpolation for Digital Image Processing", IEEE TASSP 29, 1981, with
/// a = −1/2), on encoded values; beyond the picture the pixels of its edge are repeated.
struct WarpPass: Sendable {
  let transform: PictureTransform

  /// The image with its pixels moved: three bands of encoded floats. The image must be readable in
  /// any order.
  func applied(to image: Image) throws(VipsError) -> Image {
    let transform = transform
    let (width, height) = (image.width, image.height)
    return try Image.computed(
      from: [image], like: image, width: transform.width, height: transform.height
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
    var sum = SIMD4<Float>.zero
    for row in 0..<4 {
      let line = input.address(row: min(max(Int(top) - 1 + row, 0), height - 1))
        .assumingMemoryBound(to: Float.self)
      var part = SIMD4<Float>.zero
      for column in 0..<4 {
        let source = line + (min(max(Int(left) - 1 + column, 0), width - 1) - input.left) * 3
        part += across[column] * SIMD4(source[0], source[1], source[2], 0)
      }
      sum += down[row] * part
    }
    (pixel[0], pixel[1], pixel[2]) = (sum.x, sum.y, sum.z)
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
