extension Image {
  /// The picture turned and mirrored as an EXIF orientation from 1 to 8 asks; others change nothing.
  ///
  /// Source: CIPA DC-008 (Exif 2.32), tag 0x0112.
  public func upright(from orientation: Int) throws(VipsError) -> Image {
    switch orientation {
    case 2: try flipped("horizontal")
    case 3: try turned("d180")
    case 4: try flipped("vertical")
    case 5: try turned("d90").flipped("horizontal")
    case 6: try turned("d90")
    case 7: try turned("d270").flipped("horizontal")
    case 8: try turned("d270")
    default: self
    }
  }

  /// A part of the picture, which must lie inside it.
  public func part(left: Int, top: Int, width: Int, height: Int) throws(VipsError) -> Image {
    try Operation.image(
      "extract_area",
      [
        "input": .image(self), "left": .whole(left), "top": .whole(top), "width": .whole(width),
        "height": .whole(height),
      ])
  }

  /// The picture made smaller or larger, with libvips's Lanczos kernel.
  public func resized(width: Int, height: Int) throws(VipsError) -> Image {
    try Operation.image(
      "resize",
      [
        "in": .image(self), "scale": .number(Double(width) / Double(self.width)),
        "vscale": .number(Double(height) / Double(self.height)),
      ])
  }

  private func turned(_ angle: String) throws(VipsError) -> Image {
    try Operation.image("rot", ["in": .image(self), "angle": .named(angle)])
  }

  private func flipped(_ direction: String) throws(VipsError) -> Image {
    try Operation.image("flip", ["in": .image(self), "direction": .named(direction)])
  }
}
