extension Image {
  /// Encodes a PNG, 8 or 16 bits as the image is, with the image's attachments.
  public func writePNG(to target: Target) throws(VipsError) {
    try Operation.run("pngsave_target", ["in": .image(self), "target": .target(target)])
  }

  /// Encodes a TIFF, Deflate with a predictor, with the image's attachments.
  ///
  /// The whole file is in memory until it is done: libtiff goes back to fill in its directory, and
  /// a target only goes forward.
  public func writeTIFF(to target: Target) throws(VipsError) {
    let memory = try Target()
    try Operation.run(
      "tiffsave_target",
      [
        "in": .image(self), "target": .target(memory), "compression": .named("deflate"),
        "predictor": .named("horizontal"),
      ])
    try target.write(contentOf: memory)
  }

  /// Encodes a WebP with the image's attachments; `quality` from 1 to 100, 100 being lossless.
  public func writeWebP(to target: Target, quality: Int) throws(VipsError) {
    try Operation.run(
      "webpsave_target",
      [
        "in": .image(self), "target": .target(target), "Q": .whole(quality),
        "lossless": .flag(quality == 100),
      ])
  }
}
