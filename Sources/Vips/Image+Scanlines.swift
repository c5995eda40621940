/// One run of pixels from a row, as the body of ``Image/mappingScanlines(bands:format:body:)``
/// sees it.
public struct Scanline {
  /// The input's samples: `count` pixels, bands side by side, in the input's sample format.
  public let input: UnsafeRawPointer
  /// Where the output's samples go, in the output's format; every one must be written.
  public let output: UnsafeMutableRawPointer
  /// How many pixels there are.
  public let count: Int
  /// The column of the first.
  public let x: Int
  /// The row.
  public let y: Int
}

extension Image {
  /// An image of the same size whose pixels come from a function of the pixel in the same place.
  ///
  /// libvips calls `body` for parts of rows, from several threads at once and in any order; it
  /// must depend on nothing but its scanline.
  ///
  /// - Parameters:
  ///   - bands: Numbers in a pixel of the result; 1 is taken as gray and 3 as RGB.
  ///   - format: How the result's numbers are stored: `.uint8`, `.uint16` or `.float`.
  ///   - body: Fills one scanline.
  public func mappingScanlines(
    bands: Int, format: SampleFormat, body: @escaping @Sendable (Scanline) -> Void
  ) throws(VipsError) -> Image {
    try Image.computed(
      from: [self], like: self, format: format, bands: bands, width: width, height: height
    ) { inputs, output in
      for y in output.top..<(output.top + output.height) {
        body(
          Scanline(
            input: UnsafeRawPointer(inputs[0].address(row: y)), output: output.address(row: y),
            count: output.width, x: output.left, y: y))
      }
      return true
    }
  }
}
