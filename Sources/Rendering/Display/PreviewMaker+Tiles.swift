import SafelightVips

extension PreviewMaker {
  /// A part of the picture at full size, or with at most so many pixels along the longer side of the whole.
  func part(
    _ part: DisplayLayout.Part, of plan: RenderPlan, side: Int?,
    unless cancellation: RenderCancellation?
  ) throws -> RenderedPicture {
    guard part.width > 0, part.height > 0 else {
      throw RenderError.failed(detail: "the tile has no part of the picture")
    }
    let full = plan.size(of: opened.uprightSize)
    let limit = Double(max(side ?? full.longestSide, 1))
    let size = full.fitting(width: limit, height: limit)
    var layout = DisplayLayout()
    layout.part = part
    let frame = layout.frame(in: size)
    guard frame.width <= Self.mostTilePixels / frame.height else {
      throw RenderError.tooManyPixels(
        width: frame.width, height: frame.height, limit: Self.mostTilePixels)
    }
    let photo = try photo(for: Double(size.longestSide) / Double(full.longestSide))
    let whole = try rendered(plan, photo.turned(plan.turn), unless: cancellation)
    guard whole.image.size == size else {
      return try reducedPart(frame, of: size, from: whole, unless: cancellation)
    }
    var picture = RenderedPicture(
      try whole.image.part(
        left: frame.left, top: frame.top, width: frame.width, height: frame.height))
    picture.isTiled = whole.isTiled
    return picture
  }

  /// A part of a picture of some size, made from one with more pixels, of which only the part is computed.
  private func reducedPart(
    _ frame: PictureFrame, of size: PixelSize, from whole: RenderedPicture,
    unless cancellation: RenderCancellation?
  ) throws -> RenderedPicture {
    /// Where the part lies along a side, and which whole pixels Lanczos's kernel of three lobes needs.
    func span(_ first: Int, _ count: Int, of length: Int, in pixels: Int) -> (
      start: Double, extent: Double, needed: Range<Int>
    ) {
      let ratio = Double(pixels) / Double(length)
      let (start, extent) = (Double(first) * ratio, Double(count) * ratio)
      let reach = 3 * max(ratio, 1) + 1
      let needed = max(Int(start - reach), 0)..<min(Int(start + extent + reach) + 1, pixels)
      return (start - Double(needed.lowerBound), extent, needed)
    }
    let across = span(frame.left, frame.width, of: size.width, in: whole.image.width)
    let down = span(frame.top, frame.height, of: size.height, in: whole.image.height)
    var part = RenderedPicture(
      try whole.image.part(
        left: across.needed.lowerBound, top: down.needed.lowerBound, width: across.needed.count,
        height: down.needed.count))
    part.isTiled = whole.isTiled
    let pixels = try part.inMemory(unless: cancellation)
    let resizing = PictureResizing(
      to: frame.size, from: pixels.size,
      frame: (across.start, down.start, across.extent, down.extent), coding: .sRGB)
    return RenderedPicture(try resizing.applied(to: pixels))
  }
}
