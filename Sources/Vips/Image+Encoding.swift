import SafelightCVips

extension Image {
  /// What an encoded file becomes.
  package struct Completion {
    /// Other first bytes.
    let beginning: [UInt8]
    /// The bytes of the file behind them.
    let middle: Range<Int>
    /// What stands behind these.
    let end: [UInt8]

    /// - Parameters:
    ///   - beginning: Other first bytes.
    ///   - middle: The bytes of the file behind them; `nil` for all behind as many first bytes.
    ///   - end: What stands behind these.
    package init(beginning: [UInt8], middle: Range<Int>, end: [UInt8]) {
      (self.beginning, self.middle, self.end) = (beginning, middle, end)
    }

    /// The file with as many first bytes replaced as there are new ones.
    package init(replacing beginning: [UInt8], kept: Int, end: [UInt8]) {
      self.init(
        beginning: beginning, middle: beginning.count..<max(kept, beginning.count), end: end)
    }
  }

  /// Encodes an AVIF of quality 1 to 100 with the image's attachments. Like most encoders of AVIF it loses something at
  /// 100, too.
  ///
  /// - Parameters:
  ///   - depth: 8 bits a channel, or 12 of an image of 16.
  ///   - halvesColor: Whether four pixels share one color.
  ///   - effort: 0 to 9. Of a photo of 12 megapixels, 0 takes 1 s, 2 takes 3 s and 4 takes 25 s; files become hardly
  ///     smaller above 2.
  ///   - completing: Completes the encoded file; `nil` leaves it as it is.
  package func writeAVIF(
    to target: Target, quality: Int, depth: Int, halvesColor: Bool, effort: Int?,
    completing: (UnsafeRawBufferPointer) -> Completion? = { _ in nil }
  ) throws(VipsError) {
    try Library.load(.heif)
    let memory = try Target()
    try Operation.run(
      "heifsave_target",
      [
        "in": .image(depth == 8 ? self : roundedForShift(to: depth)), "target": .target(memory),
        "compression": .named("av1"), "Q": .whole(quality), "bitdepth": .whole(depth),
        "subsample_mode": .named(halvesColor ? "on" : "off"), "effort": .whole(effort ?? 2),
      ])
    try target.write(contentOf: memory, completing: completing)
  }

  /// Encodes a JPEG XL of quality 1 to 100 with the image's profile, 8 or 16 bits as the image is; 100 is lossless.
  ///
  /// - Parameters:
  ///   - effort: 3 to 9; less is 3, too. Of a photo of 12 megapixels, 3 takes 1 s, 5 takes 3 s and 7 takes 9 s.
  ///   - completing: Completes the encoded file; `nil` leaves it as it is.
  package func writeJPEGXL(
    to target: Target, quality: Int, effort: Int?,
    completing: (UnsafeRawBufferPointer) -> Completion? = { _ in nil }
  ) throws(VipsError) {
    try Library.load(.jpegXL)
    let memory = try Target()
    try Operation.run(
      "jxlsave_target",
      [
        "in": .image(self), "target": .target(memory), "Q": .whole(quality),
        "lossless": .flag(quality == 100), "effort": .whole(max(effort ?? 5, 3)),
      ])
    try target.write(contentOf: memory, completing: completing)
  }

  /// Codes of 16 bits whose first bits are the nearest codes of fewer bits, for an encoder that cuts the others off.
  private func roundedForShift(to depth: Int) throws(VipsError) -> Image {
    let (largest, shift) = ((1 << depth) - 1, 16 - depth)
    return try mappingScanlines(bands: bands, format: .uint16) { [bands] line in
      let input = line.input.assumingMemoryBound(to: UInt16.self)
      let output = line.output.assumingMemoryBound(to: UInt16.self)
      for index in 0..<(line.count * bands) {
        output[index] = UInt16(((Int(input[index]) * largest + 32_767) / 65_535) << shift)
      }
    }
  }
}
