import Glibc
import SafelightMetadata
import SafelightVips
import Synchronization

// The map of a photo whose own pixels are PQ or HLG.
//
// Such a photo is rendered in standard range, by one factor for each color. The map has the stops that the factor took, so
// that the render beside the map is as bright as the photo was. It is made from the photo's pixels, and then goes the way of
// every other map.

extension GainMapPlane {
  /// Photos of up to so many pixels have a map of their own size, larger ones one of half the sides.
  private static let mostPixels = 1 << 20

  /// Makes the map of a photo whose own pixels are PQ or HLG; `nil` for other photos, and for one without light above white.
  ///
  /// - Parameter source: The photo's picture in memory, as the decoder gave it.
  init?(restoring opened: OpenedPhoto, _ source: Picture) throws(VipsError) {
    guard opened.hasHDRPixels else { return nil }
    let photo = try DecodedPhoto(
      opened, source, for: DecodedPhoto.Purpose(keepsAlpha: true, mixesNeighbors: false))
    guard case .hdr(let coding) = photo.coding else { return nil }
    let brightest = Mutex<Float>(0)
    var lost = try coding.lostStops(of: photo.image) { light in
      brightest.withLock { $0 = max($0, light) }
    }
    // What shines through is white.
    if let alpha = photo.picture.others[.alpha] { lost = try lost.weighed(by: alpha) }
    let size = photo.image.size
    let small =
      size.width * size.height > Self.mostPixels
      ? try PictureResizing(
        to: size.scaled(by: 0.5), from: size, coding: .gray(ToneResponse([0, 1])!)
      ).applied(to: lost) : try lost.inMemory()
    let light = brightest.withLock { $0 }
    // A hundredth above white is nothing that anybody sees.
    guard light > 1.01 else { return nil }
    let range = try small.codes16 { codes in
      codes.reduce(into: (least: UInt16.max, most: UInt16(0))) { range, code in
        range = (min(range.least, code), max(range.most, code))
      }
    }
    let (least, most) = (Double(range.least), Double(max(range.most, range.least)))
    let stops = HDRCoding.mostStops / 65_535
    guard
      let meaning = GainMapMeaning(
        channels: [
          GainMapMeaning.Channel(
            minimum: least * stops, maximum: most * stops, baseOffset: 0, alternateOffset: 0)
        ], baseHeadroom: 0, alternateHeadroom: Double(log2(light)))
    else { return nil }
    let factor = 65_535 / max(most - least, 1)
    let whole = try small.mapping(to: 1) { ($0 - least) * factor }
    self.init(try whole.inMemory(turned: opened.orientation), meaning)
  }
}

extension OpenedPhoto {
  /// Whether the photo's own pixels are those of a high dynamic range.
  var hasHDRPixels: Bool { stored.codedColor?.hdrTransfer != nil }

  /// The picture in memory, where a render needs it twice, for its own pixels and for its gain map, and no decoder makes it
  /// smaller; otherwise `nil`.
  func source(of plan: RenderPlan, as output: RenderOutput) throws(VipsError) -> Picture? {
    guard output.canHaveGainMap,
      hasHDRPixels
        || metadata.gainMap != nil && !format.decoder.shrinks
          && !plan.items.allSatisfy(\.movesPixels)
    else { return nil }
    var (picture, _) = try picture()
    picture.color = try picture.color.inMemory()
    return picture
  }
}

extension Image {
  /// Calls a function with the numbers of a picture of 16 bits in memory.
  fileprivate func codes16<Result>(
    _ body: (UnsafeBufferPointer<UInt16>) -> Result
  ) throws(VipsError) -> Result {
    try pixelBytes().withUnsafeBytes { body($0.assumingMemoryBound(to: UInt16.self)) }
  }

  /// One band of 16 bits with each number multiplied by the share of another picture.
  fileprivate func weighed(by shares: Image) throws(VipsError) -> Image {
    let isWide = shares.sampleFormat == .uint16
    return try Image.computed(from: [self, shares], like: self, width: width, height: height) {
      inputs, output in
      for y in output.top..<(output.top + output.height) {
        let numbers = inputs[0].address(row: y).assumingMemoryBound(to: UInt16.self)
        let weights = inputs[1].address(row: y)
        let results = output.address(row: y).assumingMemoryBound(to: UInt16.self)
        for x in 0..<output.width {
          let weight =
            isWide
            ? UInt32(weights.assumingMemoryBound(to: UInt16.self)[x])
            : UInt32(weights.assumingMemoryBound(to: UInt8.self)[x]) * 257
          results[x] = UInt16((UInt32(numbers[x]) * weight + 32_767) / 65_535)
        }
      }
      return true
    }
  }
}
