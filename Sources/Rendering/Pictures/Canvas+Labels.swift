import SafelightVips

extension Canvas {
  /// Where a label lies within its frame.
  enum Alignment {
    case left, middle, right
  }

  /// Writes a label into its frame, shortened to the frame's width; nothing where that has no height.
  mutating func write(
    _ text: String, in frame: PictureFrame, size: Int, _ alignment: Alignment = .middle,
    color: [UInt8] = Canvas.ink
  ) throws(VipsError) {
    let lettering = Lettering(size: size)
    guard frame.height > 0, let line = try lettering.line(text, fitting: frame.width) else {
      return
    }
    let free = frame.width - line.width
    let left =
      switch alignment {
      case .left: frame.left
      case .middle: frame.left + free / 2
      case .right: frame.left + free
      }
    write(
      line, left: left, top: frame.top + (frame.height - lettering.lineHeight) / 2,
      in: color)
  }

  /// Lays a proof in the middle of its frame.
  mutating func draw(_ proof: Proof, in frame: PictureFrame) {
    let place = frame.middle(width: proof.width, height: proof.height)
    draw(proof, left: place.left, top: place.top)
  }
}
