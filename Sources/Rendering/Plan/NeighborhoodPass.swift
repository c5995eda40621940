import SafelightVips

/// A pass in which each pixel is made from those around it, from floats to floats.
struct NeighborhoodPass: Sendable {
  /// Blocks small enough for the second level cache, with some border.
  private static let blockWidth = 256
  private static let blockHeight = 64

  let step: any NeighborhoodStep

  /// The image with the pass laid over it: three bands of encoded floats.
  func applied(to image: Image) throws(VipsError) -> Image {
    let (reach, width, height) = (step.reach, image.width, image.height)
    return try Image.computed(from: [image], like: image, width: width, height: height) { area in
      PixelArea.Bounds(
        left: area.left - reach, top: area.top - reach, width: area.width + 2 * reach,
        height: area.height + 2 * reach)
    } _: { inputs, output in
      for top in stride(from: output.top, to: output.top + output.height, by: Self.blockHeight) {
        for left in stride(from: output.left, to: output.left + output.width, by: Self.blockWidth) {
          let block = PixelArea.Bounds(
            left: left, top: top, width: min(Self.blockWidth, output.left + output.width - left),
            height: min(Self.blockHeight, output.top + output.height - top))
          fill(block, of: output, from: inputs[0], width: width, height: height)
        }
      }
      return true
    }
  }

  private func fill(
    _ block: PixelArea.Bounds, of output: PixelArea, from input: PixelArea, width: Int, height: Int
  ) {
    let reach = step.reach
    let (wide, high) = (block.width + 2 * reach, block.height + 2 * reach)
    let (bordered, plain) = (3 * wide * high, 3 * block.width * block.height)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: bordered + plain) { memory in
      let source = PlanarPixels(memory.baseAddress!, width: wide, height: high)
      let result = PlanarPixels(
        memory.baseAddress! + bordered, width: block.width, height: block.height)
      let (first, last) = (max(block.left - reach, 0), min(block.left - reach + wide, width))
      for row in 0..<high {
        let y = Mirror.place(block.top - reach + row, of: height)
        let pixels = input.address(row: y).assumingMemoryBound(to: Float.self)
        let start = source.red + row * wide
        kernels.spread(
          pixels + (first - input.left) * 3, start + (first - block.left + reach), wide * high,
          Int32(last - first))
        // Beyond the picture's sides.
        for column in (0..<wide) where !(first..<last).contains(block.left - reach + column) {
          let x = Mirror.place(block.left - reach + column, of: width)
          for channel in 0..<3 {
            start[channel * wide * high + column] = pixels[(x - input.left) * 3 + channel]
          }
        }
      }
      step.apply(source, to: result)
      for row in 0..<block.height {
        let start = (block.left - output.left) * 3
        let pixels =
          output.address(row: block.top + row).assumingMemoryBound(to: Float.self) + start
        kernels.gather(
          result.red + row * block.width, block.width * block.height, pixels, Int32(block.width))
      }
    }
  }
}
