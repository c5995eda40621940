import Glibc
import SafelightMetadata
import SafelightVips
import Synchronization

// Maps of photos that have none.
//
// A photo whose own pixels are PQ or HLG is rendered in standard range: all channels of a pixel are made darker by one factor.
// The map has the stops that the factor took, so that the render with the map is as bright as the photo was. It is made from
// the photo's pixels, and then goes the way of every other map. A photo of 16 bits gets a map of zero stops where one is asked
// for, so that the light that an edit brings above white stays.

/// Why a picture has no gain map, though one was asked for.
public enum GainMapAbsence: String, Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The file is no JPEG.
  case format
  /// The picture has a watermark.
  case watermark
  /// The output is for standard range: it leaves out gain maps, or has no headroom.
  case unwanted
  /// The photo has 8 bits a channel.
  case bits
  /// Nothing in the picture is brighter than white.
  case light

  /// The reason, as the end of a sentence about the picture.
  public var description: String {
    switch self {
    case .format: "only JPEGs have one"
    case .watermark: "it has a watermark"
    case .unwanted: "the output is for standard range"
    case .bits: "the photo has 8 bits a channel, which end at white"
    case .light: "nothing in it is brighter than white"
    }
  }
}

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
    let size = Self.size(for: photo.image.size)
    let small =
      size != photo.image.size
      ? try PictureResizing(
        to: size, from: photo.image.size, coding: .gray(ToneResponse([0, 1])!)
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

extension GainMapPlane {
  /// Stops above white of a map without any, since each map must have some.
  private static let noStops = 1e-3
  /// The most stops of a map that is made where none was.
  fileprivate static let usualStops = 3.0

  /// A map of zero stops for a photo that has none.
  init(withoutStopsFor size: PixelSize) throws(VipsError) {
    let size = Self.size(for: size)
    let meaning = GainMapMeaning(
      channels: [.init(minimum: 0, maximum: 0)], baseHeadroom: 0, alternateHeadroom: Self.noStops)
    guard let meaning else { throw .outOfMemory }
    self.init(
      try Image.fromMemory(
        [UInt8](repeating: 0, count: 2 * size.width * size.height), width: size.width,
        height: size.height, bands: 1, format: .uint16), meaning)
  }

  /// The size of a map that is made for a photo of a size.
  private static func size(for photo: PixelSize) -> PixelSize {
    photo.width * photo.height > mostPixels ? photo.scaled(by: 0.5) : photo
  }

  /// Whether nothing is brighter than white.
  var hasNoLight: Bool {
    meaning.baseHeadroom == 0 && meaning.alternateHeadroom <= Self.noStops
  }
}

extension Renderer.FinishedPicture {
  /// The gain map of the picture, and why it has none that was asked for.
  func gainMap(
    of opened: OpenedPhoto, as output: RenderOutput
  ) throws -> (map: AttachedGainMap?, absence: GainMapAbsence?) {
    let isMade = output.hdr && opened.metadata.gainMap == nil && !opened.hasHDRPixels
    guard output.canHaveGainMap else {
      guard isMade else { return (nil, nil) }
      return (nil, output.format != .jpeg ? .format : output.sdr ? .unwanted : .watermark)
    }
    let plane =
      try source.flatMap { try GainMapPlane(restoring: opened, $0) } ?? GainMapPlane(opened)
    if let plane {
      return (attached(plane, of: opened, as: output), nil)
    }
    guard isMade else { return (nil, nil) }
    guard photo.isWide else { return (nil, .bits) }
    var bounded = output
    bounded.hdrHeadroom = output.hdrHeadroom ?? GainMapPlane.usualStops
    guard bounded.hdrHeadroom != 0 else { return (nil, .unwanted) }
    let flat = try GainMapPlane(withoutStopsFor: opened.uprightSize)
    let map = attached(flat, of: opened, as: bounded)
    return (map, map == nil ? .light : nil)
  }

  private func attached(
    _ plane: GainMapPlane, of opened: OpenedPhoto, as output: RenderOutput
  ) -> AttachedGainMap? {
    plane.attached(to: plan, of: opened, from: reduced, as: output, isGray: picture.isGray)
  }

  /// The photo's picture, as large as it is there.
  private var reduced: PictureSource? {
    if let source { return PictureSource(picture: source, shrunk: 1) }
    guard let means, let picture = try? means.picture() else { return nil }
    return PictureSource(picture: picture, shrunk: means.factor)
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
