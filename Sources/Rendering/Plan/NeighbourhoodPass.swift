import Vips

/// A pass in which each pixel is made from those around it, from floats to floats.
struct NeighbourhoodPass: Sendable {
  /// Blocks small enough for the second level cache, with some border.
  private static let blockWidth = 256
  private static let blockHeight = 64

  let step: any NeighbourhoodStep

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
      for row in 0..<high {
        let y = min(max(block.top - reach + row, 0), height - 1)
        let pixels = input.address(row: y).assumingMemoryBound(to: Float.self)
        for column in 0..<wide {
          let x = min(max(block.left - reach + column, 0), width - 1)
          let pixel = pixels + (x - input.left) * 3
          source.red[row * wide + column] = pixel[0]
          source.green[row * wide + column] = pixel[1]
          source.blue[row * wide + column] = pixel[2]
        }
      }
      step.apply(source, to: result)
      for row in 0..<block.height {
        let start = (block.left - output.left) * 3
        let pixels =
          output.address(row: block.top + row).assumingMemoryBound(to: Float.self) + start
        for column in 0..<block.width {
          pixels[column * 3] = result.red[row * block.width + column]
          pixels[column * 3 + 1] = result.green[row * block.width + column]
          pixels[column * 3 + 2] = result.blue[row * block.width + column]
        }
      }
    }
  }
}
