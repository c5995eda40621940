import SafelightColorKernels
import SafelightVips

/// A turned or tilted picture that is made smaller at the same time, as light.
///
/// Each pixel is a mean of 12 × 12 pixels with the weights of Lanczos's kernel of three lobes, as wide as
/// the picture is made smaller, at most twice. Where it is made smaller than that, it is moved at a multiple
/// of the size and reduced then. A render is interpolated at full size first and reduced then; both come to
/// the same, but for what the full size loses by interpolation.
struct ReducingWarp {
  private let size: PixelSize
  private let pass: WarpPass

  /// - Parameters:
  ///   - movement: From the render at full size to the photo at full size.
  ///   - size: The size of the result.
  ///   - across: Pixels of the picture for one of the photo at full size, along a row.
  ///   - down: The same along a column.
  ///   - interpolation: With `cubic` a pixel is made of 4 × 4 pixels instead, which is faster, and right
  ///     for a picture that is not made smaller.
  init(
    _ movement: any Warp, to size: PixelSize, across: Double, down: Double,
    interpolation: WarpPass.Interpolation = .sinc
  ) {
    self.size = size
    let whole = movement.size
    let ratio = Double(whole.longestSide) / Double(size.longestSide) * max(across, down)
    // The kernel reaches six pixels, which is enough for a half of the size.
    let times = max(Int((ratio / 2 - 0.01).rounded(.up)), 1)
    let moved = PixelSize(width: size.width * times, height: size.height * times)
    let wide = Double(whole.width) / Double(moved.width)
    let stretch = min(max(wide * across, 1), 2)
    pass = WarpPass(
      warp: movement.scaled(to: moved, across: across, down: down), interpolation: interpolation,
      table: WindowedSinc.table { ResizingWeights.lanczos($0 / stretch) })
  }

  /// The picture moved; 8-bit sRGB in and out, computed when it is read unless it is reduced once more.
  func applied(to image: Image) throws(VipsError) -> Image {
    let moved = try moved(image)
    guard moved.size != size else { return moved }
    return try PictureResizing(to: size, from: moved.size, coding: .sRGB).applied(to: moved)
  }

  private func moved(_ image: Image) throws(VipsError) -> Image {
    let light = LightTables.sRGB
    let codes = light.tables(for: .uint8)[0]
    let source = try image.mappingScanlines(bands: 3, format: .float) { line in
      codes.withUnsafeBufferPointer { codes in
        let codes = codes.baseAddress!
        kernels.lighten8(
          line.input.assumingMemoryBound(to: UInt8.self), 3, codes, codes, codes,
          line.output.assumingMemoryBound(to: Float.self), Int32(line.count))
      }
    }
    return try pass.applied(to: source)
      .mappingScanlines(bands: 3, format: .uint8) { line in
        ColorTile.withMemory { memory in
          let input = line.input.assumingMemoryBound(to: Float.self)
          for left in stride(from: 0, to: line.count, by: ColorTile.capacity) {
            let tile = ColorTile(memory, count: min(ColorTile.capacity, line.count - left))
            kernels.spread(input + 3 * left, tile.red, ColorTile.capacity, Int32(tile.count))
            light.encode(tile)
            PixelEncoder(format: .uint8).encode(tile, to: line.output, from: left)
          }
        }
      }
  }
}
