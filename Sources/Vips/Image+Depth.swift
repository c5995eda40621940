extension Image {
  /// A 16-bit image in 8 bits, each code rounded to the nearest.
  public func roundedToEightBits() throws(VipsError) -> Image {
    try mappingScanlines(bands: bands, format: .uint8) { [bands] line in
      let input = line.input.assumingMemoryBound(to: UInt16.self)
      let output = line.output.assumingMemoryBound(to: UInt8.self)
      for index in 0..<(line.count * bands) {
        // 65,535 is 255 times 257, so the nearest code needs no fractions.
        output[index] = UInt8((Int(input[index]) + 128) / 257)
      }
    }
  }
}
