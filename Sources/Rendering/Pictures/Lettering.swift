import SafelightVips

/// Writes lines of text in a sans font of one size.
struct Lettering: Sendable {
  /// The font's size in pixels.
  let size: Int

  /// A line of text, drawn.
  struct Line: Sendable, Hashable {
    /// 255 where there is ink, row after row.
    let mask: [UInt8]
    let width: Int
    let height: Int
    /// How far the ink lies below the line's top, so that lines share a baseline.
    let top: Int
  }

  /// The height of a line with its letters' ascenders and descenders.
  var lineHeight: Int { size * 5 / 4 }

  /// Whether there is a font to write with.
  ///
  /// Without any, Pango draws the same box for every letter instead of failing.
  static let hasFont: Bool = {
    let size = Lettering(size: 20)
    guard let thin = try? size.line("i"), let wide = try? size.line("m") else { return false }
    return thin != wide
  }()

  /// A line of text; `nil` when there is nothing to draw.
  func line(_ text: String) throws(VipsError) -> Line? {
    guard !text.allSatisfy(\.isWhitespace) else { return nil }
    let image: Image
    do {
      image = try Image.text(Self.markup(text), font: "sans \(size)px")
    } catch .operation {
      // Some letters have no ink.
      return nil
    }
    return Line(
      mask: try image.pixelBytes(), width: image.width, height: image.height, top: image.offset.y)
  }

  /// A line of text no wider than `width`, its end replaced by “…” where it has to be; `nil` when not
  /// even a letter fits.
  func line(_ text: String, fitting width: Int) throws(VipsError) -> Line? {
    guard let whole = try line(text) else { return nil }
    if whole.width <= width { return whole }
    // Letters differ in width, so the length that fits is looked for, from the likely one down.
    var count = min(text.count - 1, (text.count * width + whole.width - 1) / whole.width)
    while count > 0 {
      if let short = try line(text.prefix(count) + "…"), short.width <= width { return short }
      count -= 1
    }
    return nil
  }

  /// The text as Pango's markup. What cannot stand in markup, or would break the line, becomes the
  /// mark for an unknown letter.
  static func markup(_ text: String) -> String {
    var markup = ""
    for scalar in text.unicodeScalars {
      switch (scalar, scalar.properties.generalCategory) {
      case ("&", _): markup += "&amp;"
      case ("<", _): markup += "&lt;"
      case (">", _): markup += "&gt;"
      case (_, .control), (_, .lineSeparator), (_, .paragraphSeparator): markup += "\u{FFFD}"
      default: markup.unicodeScalars.append(scalar)
      }
    }
    return markup
  }
}
