import SafelightVips

/// A picture that is put together in memory: 8-bit red, green and blue.
struct Canvas {
  /// Gray that neither picture nor text competes with.
  static let background: UInt8 = 28
  /// The gray of text.
  static let ink: [UInt8] = [232, 232, 232]

  let width: Int
  let height: Int
  private(set) var pixels: [UInt8]

  /// A canvas of one gray.
  init(width: Int, height: Int, gray: UInt8 = Canvas.background) {
    self.width = width
    self.height = height
    pixels = [UInt8](repeating: gray, count: width * height * 3)
  }

  /// Lays columns of a proof on the canvas, where its first pixel is at a place.
  ///
  /// - Parameter columns: The proof's own columns; `nil` takes all.
  mutating func draw(_ proof: Proof, left: Int, top: Int, columns: Range<Int>? = nil) {
    let columns = (columns ?? 0..<proof.width)
      .clamped(to: max(-left, 0)..<max(min(proof.width, width - left), max(-left, 0)))
    guard !columns.isEmpty else { return }
    for y in max(-top, 0)..<max(min(proof.height, height - top), max(-top, 0)) {
      let source = (y * proof.width + columns.lowerBound) * 3
      let target = ((top + y) * width + left + columns.lowerBound) * 3
      let row = proof.pixels[source..<(source + columns.count * 3)]
      pixels.replaceSubrange(target..<(target + columns.count * 3), with: row)
    }
  }

  /// Fills a part with a color; what lies outside is left out.
  mutating func fill(_ frame: PictureFrame, with color: [UInt8]) {
    for y in max(frame.top, 0)..<max(min(frame.bottom, height), max(frame.top, 0)) {
      for x in max(frame.left, 0)..<max(min(frame.right, width), max(frame.left, 0)) {
        for channel in 0..<3 { pixels[(y * width + x) * 3 + channel] = color[channel] }
      }
    }
  }

  /// Mixes a pixel with a color, 0 leaving it and 255 replacing it.
  mutating func blend(_ x: Int, _ y: Int, with color: [UInt8], share: UInt8) {
    guard share > 0, (0..<width).contains(x), (0..<height).contains(y) else { return }
    for channel in 0..<3 {
      let index = (y * width + x) * 3 + channel
      let (old, new, part) = (Int(pixels[index]), Int(color[channel]), Int(share))
      pixels[index] = UInt8((old * (255 - part) + new * part + 127) / 255)
    }
  }

  /// Writes a line of text, its left and its line's top at a place.
  mutating func write(
    _ line: Lettering.Line, left: Int, top: Int, in color: [UInt8] = Canvas.ink
  ) {
    for y in 0..<line.height {
      for x in 0..<line.width {
        blend(left + x, top + line.top + y, with: color, share: line.mask[y * line.width + x])
      }
    }
  }

  /// The canvas as an image.
  func image() throws(VipsError) -> Image {
    try Image.fromMemory(pixels, width: width, height: height, bands: 3, format: .uint8)
  }
}
