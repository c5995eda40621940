import FoundationEssentials
import Glibc
import SafelightFormats
import SafelightMetadata
import SafelightVips

extension PlaneRole {
  /// How much brighter a place is on a screen that shows more light than white. It has a size of its own.
  static let gainMap = PlaneRole(name: "gainMap")
}

/// The gain map of a photo: a plane that shows all of the upright photo in pixels of its own.
struct GainMapPlane {
  /// One band, or three that differ, of 8 or 16 bits, in memory.
  private(set) var image: Image
  /// What its codes mean.
  private(set) var meaning: GainMapMeaning
  /// The code that stands for 1.
  private var whole: Double
  /// The profile of the brighter rendition, where the map's file has one.
  let profile: [UInt8]?
  /// The map's own JPEG without metadata, and what turns it upright, where ``image`` shows that as it is.
  private var coded: (jpeg: [UInt8], turn: Orientation)?

  /// The most bytes of a map's JPEG.
  private static let mostCodedBytes = 64 << 20

  /// Decodes the map of a photo as the photo itself is decoded.
  ///
  /// - Returns: `nil` for a photo without a map, for a map that is damaged or has more pixels than a photo may have, and for a
  ///   photo whose own pixels are of a high dynamic range.
  init?(_ opened: OpenedPhoto) {
    guard let map = opened.metadata.gainMap, map.pixelWidth > 0,
      !opened.hasHDRPixels,
      map.pixelWidth <= opened.file.source.pixelLimit / max(map.pixelHeight, 1)
    else { return nil }
    meaning = map.meaning
    do {
      let (found, turn): (Image, Orientation)
      switch map.place {
      case .part(let place):
        guard place.count <= Self.mostCodedBytes else { return nil }
        var bytes: [UInt8] = []
        guard opened.file.bytes.copy(place, to: { bytes += $0 }) else { return nil }
        found = try Image.open(try Source(bytes), as: .jpeg)
        // A map lies as the photo's stored pixels do.
        turn = opened.orientation
        let file = PhotoBytes(Data(bytes))
        coded = CodedPicture(jpeg: file).map { ([0xFF, 0xD8] + bytes[$0.range], turn) }
      case .item(let item):
        guard let media = PhotoDecoder.media(opened.file.bytes),
          let view = media.pictureOnly(ofFile: opened.file.bytes.count, showing: item)
        else { return nil }
        found = try opened.file.picture(as: .heif, replacing: view).color
        turn = .upright
      }
      guard found.width <= opened.file.source.pixelLimit / max(found.height, 1),
        [.uint8, .uint16].contains(found.sampleFormat)
      else { return nil }
      let bits = found.number("heif-bitdepth") ?? 16
      whole = found.sampleFormat == .uint8 ? 255 : Double(((1 << bits) - 1) << (16 - bits))
      profile = found.attachment(.profile)
      image = try found.firstBands(found.bands < 3 ? 1 : 3).inMemory(turned: turn)
      if image.bands == 3, try image.hasEqualBands() { image = try image.band(0).inMemory() }
    } catch {
      return nil
    }
    if meaning.channels.count == 3, image.bands == 1 {
      image = (try? image.mapping(to: 3) { $0 }) ?? image
    }
  }

  /// A map of codes of 16 bits in memory.
  init(_ image: Image, _ meaning: GainMapMeaning, profile: [UInt8]? = nil) {
    (self.image, self.meaning, self.profile) = (image, meaning, profile)
    (whole, coded) = (65_535, nil)
  }

  /// What multiplies the light of red, green and blue at each pixel, row after row.
  func gains() throws(VipsError) -> [[Float]] {
    let map = meaning.isLight ? try inStops() : self
    let (bands, isWide) = (map.image.bands, map.image.sampleFormat == .uint16)
    let count = map.image.width * map.image.height
    let tables = map.meaning.channels.map { one in
      (0...(isWide ? 65_535 : 255)).map { code in
        let share = pow(min(Double(code) / map.whole, 1), 1 / one.gamma)
        return Float(exp2(one.minimum + (one.maximum - one.minimum) * share))
      }
    }
    let planes = try map.image.pixelBytes().withUnsafeBytes { bytes in
      (0..<bands).map { band in
        tables[min(band, tables.count - 1)].withUnsafeBufferPointer { table in
          [Float](unsafeUninitializedCapacity: count) { plane, filled in
            if isWide {
              let codes = bytes.assumingMemoryBound(to: UInt16.self)
              for pixel in 0..<count { plane[pixel] = table[Int(codes[pixel &* bands &+ band])] }
            } else {
              for pixel in 0..<count { plane[pixel] = table[Int(bytes[pixel &* bands &+ band])] }
            }
            filled = count
          }
        }
      }
    }
    return planes.count == 3 ? planes : [planes[0], planes[0], planes[0]]
  }

  /// The map of a render, over the same places as its picture, as a JPEG of its own; `nil` where the render has none.
  ///
  /// The pixels of the map are made from those of the photo's map once. The places come from the photo's own movement, so that
  /// no border of a crop is rounded to the map's pixels.
  ///
  /// - Parameters:
  ///   - plan: What is done to the photo at the size that is asked for.
  ///   - opened: The photo.
  ///   - source: The photo's picture; `nil` to have it decoded where it is needed.
  ///   - isGray: Whether the picture has no color.
  func attached(
    to plan: RenderPlan, of opened: OpenedPhoto, from source: PictureSource? = nil,
    as output: RenderOutput, isGray: Bool = false
  ) -> AttachedGainMap? {
    guard output.canHaveGainMap,
      let (_, scale) = try? plan.sized(for: output, of: opened.uprightSize)
    else { return nil }
    guard
      let edited = try? edited(
        by: plan, of: opened, from: source, in: output.profile.coding, isGray: isGray)
    else { return nil }
    guard !edited.hasNoLight else { return nil }
    return edited.limited(to: output.hdrHeadroom)?.moved(as: plan, of: opened, scale)
  }

  /// The map as a screen of less headroom would use it: with a part of its stops.
  ///
  /// - Parameter headroom: Stops above white; `nil` for all.
  /// - Returns: `nil` for a map of which nothing is left.
  func limited(to headroom: Double?) -> GainMapPlane? {
    let (base, all) = (meaning.baseHeadroom, meaning.alternateHeadroom)
    guard let headroom, all > base, headroom < all else { return self }
    guard headroom > base, var map = meaning.isLight ? try? inStops() : self else { return nil }
    let share = (headroom - base) / (all - base)
    map.meaning.channels = map.meaning.channels.map { channel in
      var channel = channel
      channel.minimum *= share
      channel.maximum *= share
      return channel
    }
    map.meaning.alternateHeadroom = headroom
    return map
  }

  /// The map over the places of a render.
  private func moved(
    as plan: RenderPlan, of opened: OpenedPhoto, _ scale: Double
  ) -> AttachedGainMap? {
    let turn = plan.turn
    if let coded = turnedJPEG(plan, opened, scale) {
      return AttachedGainMap(coded: coded, meaning: meaning, profile: profile)
    }
    do {
      let map = meaning.isLight ? try inStops() : self
      let turned = try map.image.inMemory(turned: turn)
      let moved = try map.moved(turned, by: plan, of: opened.uprightSize, scale: scale)
      let codes = try moved.mapping(to: moved.bands, wide: false) { $0 * 255 / map.whole }
      var jpeg: [UInt8] = []
      try JPEGStripEncoder(codes, quality: map.meaning.jpegQuality, chroma: .full)
        .encode(RenderedPicture(codes), unless: nil) { jpeg += $0 }
      return AttachedGainMap(coded: jpeg, meaning: map.meaning, profile: profile)
    } catch {
      return nil
    }
  }

  /// The map's own coefficients, where the picture is no more than turned.
  private func turnedJPEG(_ plan: RenderPlan, _ opened: OpenedPhoto, _ scale: Double) -> [UInt8]? {
    guard let coded, !meaning.isLight, scale == 1, plan.movement(of: opened.uprightSize) == nil
    else { return nil }
    let turn = coded.turn.followed(by: plan.turn)
    return turn == .upright ? coded.jpeg : LosslessMove.turned(coded.jpeg, turn)
  }

  /// The map with stops in place of light, in 16 bits.
  private func inStops() throws(VipsError) -> GainMapPlane {
    var map = self
    let headroom = meaning.alternateHeadroom
    let most = exp2(headroom) - 1
    map.image = try image.mapping(to: image.bands, wide: true) { [whole] code in
      65_535 * log2(1 + most * TransferCurve.bt709.light(code / whole)) / headroom
    }
    (map.whole, map.coded, map.meaning.isLight) = (65_535, nil, false)
    return map
  }

  /// The map over the places of a render.
  private func moved(
    _ map: Image, by plan: RenderPlan, of upright: PixelSize, scale: Double
  ) throws(VipsError) -> Image {
    let whole = plan.turn.swapsSides ? upright.turned : upright
    let (across, down) = (
      Double(map.width) / Double(whole.width), Double(map.height) / Double(whole.height)
    )
    let small = upright.scaled(by: scale)
    let photo = plan.turn.swapsSides ? small.turned : small
    let movement =
      plan.movement(of: small, scale: scale)
      ?? PictureTransform(left: 0, top: 0, width: photo.width, height: photo.height)
    func size(_ factor: Double) -> PixelSize {
      PixelSize(
        width: max(Int((Double(movement.size.width) * across * factor).rounded()), 1),
        height: max(Int((Double(movement.size.height) * down * factor).rounded()), 1))
    }
    // Pixels of the map for one of the photo, as small as it was before it was moved.
    let (wide, high) = (
      Double(map.width) / Double(photo.width), Double(map.height) / Double(photo.height)
    )
    let warp = movement.scaled(to: size(1), across: wide, down: high)
    if size(1) == map.size, warp.shift.map({ $0 == (0, 0) }) == true { return map }
    let matrix = warp.projection.matrix
    if warp.isProjective, [1, 3, 6, 7].allSatisfy({ matrix[$0] == 0 }) {
      return try PictureResizing(
        to: warp.size, from: map.size,
        frame: (
          matrix[2], matrix[5], matrix[0] * Double(warp.size.width),
          matrix[4] * Double(warp.size.height)
        ),
        coding: .gray(ToneResponse([0, 1])!)
      ).applied(to: map)
    }
    guard scale < 1 else { return try map.moved(by: warp).inMemory() }
    // Turned by a few degrees it is not averaged; so it keeps its pixels first.
    let fine = movement.scaled(to: size(1 / scale), across: wide, down: high)
    return try PictureResizing(
      to: warp.size, from: fine.size, coding: .gray(ToneResponse([0, 1])!)
    ).applied(to: try map.moved(by: fine).inMemory())
  }
}

extension RenderOutput {
  /// Whether the file has the gain map of a photo.
  var canHaveGainMap: Bool { format == .jpeg && !sdr && !hasWatermark }
}

extension GainMapMeaning {
  /// What red, green and blue mean.
  var eachChannel: [Channel] {
    channels.count == 3 ? channels : [channels[0], channels[0], channels[0]]
  }

  /// The quality of the map's JPEG: a code of a map of many stops is a larger share of light.
  fileprivate var jpegQuality: Int {
    let stops = channels.map { $0.maximum - $0.minimum }.max() ?? 0
    return stops > 3 ? 98 : 97
  }
}

extension Image {
  /// Whether the three bands of a picture in memory are equal.
  fileprivate func hasEqualBands() throws(VipsError) -> Bool {
    func areEqual<Code: Equatable>(_ codes: UnsafeBufferPointer<Code>) -> Bool {
      for red in stride(from: 0, to: codes.count, by: 3)
      where codes[red] != codes[red + 1] || codes[red] != codes[red + 2] { return false }
      return true
    }
    return try pixelBytes().withUnsafeBytes { bytes in
      sampleFormat == .uint16
        ? areEqual(bytes.assumingMemoryBound(to: UInt16.self))
        : areEqual(bytes.assumingMemoryBound(to: UInt8.self))
    }
  }

  /// The picture with each of its codes mapped to another one.
  ///
  /// - Parameters:
  ///   - count: The bands of the result: as many, or three of the same.
  ///   - isWide: Whether the result has 16 bits; `nil` keeps the bits.
  ///   - function: The new code, which is rounded and cut off to what there is room for.
  func mapping(
    to count: Int, wide isWide: Bool? = nil, by function: (Double) -> Double
  ) throws(VipsError) -> Image {
    let (bands, isSourceWide) = (bands, sampleFormat == .uint16)
    let isWide = isWide ?? isSourceWide
    let most = isWide ? 65_535.0 : 255
    let table = (0...(isSourceWide ? 65_535 : 255)).map { code in
      UInt16(min(max(function(Double(code)).rounded(), 0), most))
    }
    return try mappingScanlines(bands: count, format: isWide ? .uint16 : .uint8) { line in
      func map<Old: FixedWidthInteger, New: FixedWidthInteger>(_ old: Old.Type, _ new: New.Type) {
        let input = line.input.assumingMemoryBound(to: Old.self)
        let output = line.output.assumingMemoryBound(to: New.self)
        table.withUnsafeBufferPointer { table in
          for index in 0..<(line.count &* count) {
            let code = input[count == bands ? index : index / count]
            output[index] = New(truncatingIfNeeded: table[Int(code)])
          }
        }
      }
      switch (isSourceWide, isWide) {
      case (false, false): map(UInt8.self, UInt8.self)
      case (false, true): map(UInt8.self, UInt16.self)
      case (true, false): map(UInt16.self, UInt8.self)
      case (true, true): map(UInt16.self, UInt16.self)
      }
    }.inMemory()
  }
}
