import SafelightVips

// A gain map needs the photo's pixels beside the render. Decoding them once more would take most of the time, so they are kept,
// or their means are taken while the render reads them.

/// A photo's picture as a decoder would give it, to be read as often as it takes.
struct PictureSource {
  let picture: Picture
  /// How much smaller than the photo it is, along each side.
  let shrunk: Int
}

extension OpenedPhoto {
  /// Whether the photo's own pixels are those of a high dynamic range.
  var hasHDRPixels: Bool { stored.codedColor?.hdrTransfer != nil }

  /// The picture in memory, where a render needs it twice, for its own pixels and for its gain map, and no decoder makes it
  /// smaller; otherwise `nil`.
  func source(of plan: RenderPlan, as output: RenderOutput) throws(VipsError) -> Picture? {
    let changesColor = !plan.items.allSatisfy(\.movesPixels)
    guard output.canHaveGainMap,
      hasHDRPixels
        || (metadata.gainMap != nil || output.hdr) && changesColor && !format.decoder.shrinks
    else { return nil }
    var (picture, _) = try self.picture()
    let isMade = metadata.gainMap == nil && !hasHDRPixels
    if isMade, picture.color.sampleFormat != .uint16 { return nil }
    picture.color = try picture.color.inMemory()
    return picture
  }

  /// The picture whose means are taken while it is decoded, where a gain map needs them; otherwise `nil`.
  func watched(
    for plan: RenderPlan, scale: Double, as output: RenderOutput
  ) throws(VipsError) -> (picture: Picture, means: PassingMeans)? {
    guard scale == 1, format.decoder.shrinks, output.canHaveGainMap, let map = metadata.gainMap,
      plan.changesLight(of: size)
    else { return nil }
    let upright = PixelSize(width: map.pixelWidth, height: map.pixelHeight)
    let (_, shrink) = Renditions.scale(of: upright, under: size)
    var (picture, _) = try self.picture()
    guard shrink > 1, let means = PassingMeans(of: picture.color, factor: shrink) else {
      return nil
    }
    picture.color = try means.watching(picture.color)
    return (picture, means)
  }
}
