import SafelightCVips

extension Image {
  /// Text drawn by Pango: one band of 8 bits, 255 where there is ink, no larger than the ink.
  ///
  /// - Parameters:
  ///   - markup: The text in Pango's markup: `&`, `<` and `>` have to be escaped.
  ///   - font: A font as Pango describes it, such as `sans 24px`.
  /// - Throws: ``VipsError/operation(_:detail:)`` when there is no ink, or the markup is broken.
  public static func text(_ markup: String, font: String) throws(VipsError) -> Image {
    try Operation.image("text", ["text": .named(markup), "font": .named(font)])
  }

  /// Where the first pixel belongs; for ``text(_:font:)`` how far the ink lies from the left and the
  /// top of its line.
  public var offset: (x: Int, y: Int) {
    (Int(vips_image_get_xoffset(pointer)), Int(vips_image_get_yoffset(pointer)))
  }
}
