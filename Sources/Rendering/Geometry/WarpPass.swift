import SafelightColorKernels
import SafelightVips

/// A pass that moves pixels, from floats to floats.
///
/// Between the source's pixels it interpolates with cubic convolution over 4 × 4 of them (R. G.
/// Keys, "Cubic Convolution Interpolation for Digital Image Processing", IEEE TASSP 29, 1981, with
/// a = −1/2), on encoded values; beyond the picture the pixels of its edge are repeated.
struct WarpPass: Sendable {
  /// What a block of a turned picture is made from is little more than the block; for whole rows it
  /// would be much of the picture.
  private static let block = (width: Int(SAFELIGHT_RUN), height: 64)

  let transform: PictureTransform

  /// The image with its pixels moved: three bands of encoded floats. The image must be readable in
  /// any order.
  func applied(to image: Image) throws(VipsError) -> Image {
    let transform = transform
    let (width, height) = (Int32(image.width), Int32(image.height))
    return try Image.computed(
      from: [image], like: image, width: transform.width, height: transform.height,
      blocks: Self.block
    ) { area in
      transform.source(of: area)
    } _: { inputs, output in
      let input = inputs[0]
      var part = SafelightPart(
        start: input.address(row: input.top).assumingMemoryBound(to: Float.self),
        stride: Int64(input.stride / MemoryLayout<Float>.stride), left: Int32(input.left),
        top: Int32(input.top), width: width, height: height)
      let matrix = transform.matrix
      let step = [matrix[0], matrix[3], matrix[6]]
      for y in output.top..<(output.top + output.height) {
        let middle = Double(y) + 0.5
        let start = (0..<3).map { matrix[3 * $0 + 1] * middle + matrix[3 * $0 + 2] }
        kernels.interpolate(
          &part, start, step, Int32(output.left),
          output.address(row: y).assumingMemoryBound(to: Float.self), Int32(output.width))
      }
      return true
    }
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
