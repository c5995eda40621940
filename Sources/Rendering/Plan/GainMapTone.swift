import Glibc
import SafelightAdjustments
import SafelightMetadata
import SafelightVips

// What an edit makes of the light above white.
//
// The map of a render leads from the edited picture to the edit of the original's HDR rendition. An adjustment that
// multiplies or mixes light means the same above white as below, but for the shoulder that leads to white, which only the
// picture has. Of all others the ratio of the two renditions stays: what they do to a place of the picture they do to its light
// above white.

/// An adjustment, or an earlier version of one, that multiplies or mixes light, but for what leads colors to white.
protocol LightRenderable: ColorRenderable {
  /// What it does to linear light with the primaries of sRGB, as if there was no white.
  var light: ColorMatrix { get }
}

extension PlanItem {
  /// What the item does to linear light with the primaries of sRGB, where that is all it does; otherwise `nil`.
  fileprivate func light(in context: StepContext) -> ColorMatrix? {
    guard case .color(let adjustment) = self else { return nil }
    if let mixing = adjustment as? any LightRenderable { return mixing.light }
    guard let steps = try? adjustment.colorSteps(in: context), !steps.isEmpty else { return nil }
    var product = ColorMatrix.identity
    for step in steps {
      guard case .matrix(let matrix, .linear) = step else { return nil }
      product = matrix * product
    }
    return product
  }
}

extension ColorMatrix {
  /// Whether white stays as it is.
  fileprivate var keepsWhite: Bool { times([1, 1, 1]).allSatisfy { abs($0 - 1) < 1e-6 } }
}

extension GainMapPlane {
  /// The map after the colors of an edit, over the same places.
  ///
  /// - Parameters:
  ///   - plan: The edit.
  ///   - opened: The photo.
  ///   - coding: What the codes of the edited picture mean; `nil` for those of the photo.
  ///   - isGray: Whether the edited picture has no color; then the map has none.
  func edited(
    by plan: RenderPlan, of opened: OpenedPhoto, in coding: PixelCoding? = nil, isGray: Bool
  ) throws -> GainMapPlane {
    let items = plan.items.filter { !$0.movesPixels }
    let context = StepContext(size: image.size, scale: 1)
    let light = items.map { $0.light(in: context) }
    let makesGray = isGray && image.bands == 3
    // What leaves gray light as it is keeps the ratio that all channels have.
    let changes = light.contains { $0 != nil && (image.bands == 3 || !$0!.keepsWhite) }
    guard meaning.alternateHeadroom > meaning.baseHeadroom,
      makesGray || changes || (image.bands == 3 && coding != nil)
    else {
      return self
    }
    var renditions = try Renditions(self, under: opened)
    var start = 0
    while let first = light[start...].firstIndex(where: { $0 != nil }) {
      let end = light[first...].firstIndex(where: { $0 == nil }) ?? items.endIndex
      let matrix = light[first..<end].compactMap(\.self).reduce(ColorMatrix.identity) { $1 * $0 }
      try renditions.mix(by: matrix, from: Array(items[..<first]), to: Array(items[..<end]))
      start = end
    }
    if makesGray {
      renditions.makeGray()
    } else if let coding, image.bands == 3 {
      try renditions.convert(to: coding, after: items)
    }
    return try renditions.plane(like: self)
  }
}

/// A photo's picture at the size of its map, and the stops from it to its HDR rendition.
private struct Renditions {
  private let photo: DecodedPhoto
  private let opened: OpenedPhoto
  private let size: PixelSize
  /// From the primaries of the picture to those of sRGB.
  private let toSRGB: ColorMatrix
  /// The stops of red, green and blue of each pixel.
  private var stops: [[Float]]
  /// What is added to the light of the picture, and taken from that of the HDR rendition, for each channel.
  private var offsets: [(base: Double, alternate: Double)]
  /// The brightest light of the HDR rendition.
  private var brightest = 0.0

  /// Light and sums of light below this have no ratio.
  private static let least: Float = 1e-5

  init(_ map: GainMapPlane, under opened: OpenedPhoto) throws {
    self.opened = opened
    size = map.image.size
    let upright = opened.uprightSize
    let scale = min(
      max(
        Double(size.width) / Double(upright.width), Double(size.height) / Double(upright.height)), 1
    )
    // The decoder's means of codes do: what the map says of a place hardly depends on the light there.
    let shrink = [8, 4, 2].first { Double($0) * scale <= 1 } ?? 1
    let (picture, shrunk) = try opened.picture(shrink: shrink)
    let photo = try DecodedPhoto(
      opened, picture, shrunk: shrunk,
      for: DecodedPhoto.Purpose(orientation: opened.orientation, scale: scale, inAnyOrder: true))
    self.photo = photo.image.size == size ? photo : try photo.reduced(to: size)
    toSRGB = if case .matrix(let profile) = photo.outputCoding { profile.toSRGB } else { .identity }
    (stops, offsets) = (
      try map.stops(), map.meaning.eachChannel.map { ($0.baseOffset, $0.alternateOffset) }
    )
  }

  /// The light of the picture in its own primaries, after some items of the edit.
  private func light(after items: [PlanItem]) throws -> [[Float]] {
    // Noise is averaged away at this size.
    let kept = items.filter { if case .noise = $0 { false } else { true } }
    let picture = try RenderPlan(items: kept).picture(
      of: photo, opened, as: .tiff, in: photo.outputCoding, wide: true)
    let codes = try picture.image.pixelBytes()
    let bands = picture.image.bands
    let curves = photo.outputCoding.light.fromCodes
    return try (0..<3).map { channel in
      let table = (0...65_535).map { Float(curves.functions[channel](Double($0) / 65_535)) }
      return (0..<(size.width * size.height)).map { pixel in
        let place = 2 * (pixel * bands + min(channel, bands - 1))
        return table[Int(codes[place]) | Int(codes[place + 1]) << 8]
      }
    }
  }

  /// Has the light of both renditions mixed: that of the HDR rendition by a matrix, that of the picture as the edit does.
  mutating func mix(
    by matrix: ColorMatrix, from earlier: [PlanItem], to later: [PlanItem]
  ) throws {
    guard let fromSRGB = toSRGB.inverse else { return }
    mix(
      by: fromSRGB * matrix * toSRGB, from: try light(after: earlier),
      to: try light(after: later))
  }

  /// Converts the light of both renditions after all items to other primaries.
  mutating func convert(to coding: PixelCoding, after items: [PlanItem]) throws {
    let fromSRGB: ColorMatrix
    switch coding {
    case .matrix(let profile): fromSRGB = profile.fromSRGB
    case .sRGB: fromSRGB = .identity
    case .gray, .hdr: return
    }
    let matrix = fromSRGB * toSRGB
    guard matrix.distanceFromIdentity > 0.002 else { return }
    let before = try light(after: items)
    var after = before
    for pixel in before[0].indices {
      let color = matrix.times((0..<3).map { Double(before[$0][pixel]) })
      for channel in 0..<3 { after[channel][pixel] = Float(min(max(color[channel], 0), 1)) }
    }
    mix(by: matrix, from: before, to: after)
  }

  private mutating func mix(by own: ColorMatrix, from before: [[Float]], to after: [[Float]]) {
    // Offsets that grow as the light keep the stops of all places where nothing else happens.
    let gains = own.times([1, 1, 1])
    let mixed = offsets.indices.map {
      (base: offsets[$0].base * gains[$0], alternate: offsets[$0].alternate * gains[$0])
    }
    let rows = (0..<3).map { row in
      SIMD3((0..<3).map { Float(own.elements[3 * row + $0]) })
    }
    func triple(_ number: (Int) -> Double) -> SIMD3<Float> {
      SIMD3((0..<3).map { Float(number($0)) })
    }
    let (base, alternate) = (triple { offsets[$0].base }, triple { offsets[$0].alternate })
    let (newBase, newAlternate) = (triple { mixed[$0].base }, triple { mixed[$0].alternate })
    var (red, green, blue) = (stops[0], stops[1], stops[2])
    var most: Float = 0
    for pixel in red.indices {
      let gain = SIMD3(exp2(red[pixel]), exp2(green[pixel]), exp2(blue[pixel]))
      let bright =
        (SIMD3(before[0][pixel], before[1][pixel], before[2][pixel]) + base) * gain - alternate
      let result = SIMD3(
        (rows[0] * bright).sum(), (rows[1] * bright).sum(), (rows[2] * bright).sum())
      most = max(most, result.max())
      let above = result + newAlternate
      let below = SIMD3(after[0][pixel], after[1][pixel], after[2][pixel]) + newBase
      if min(above.x, below.x) > Self.least { red[pixel] = log2(above.x / below.x) }
      if min(above.y, below.y) > Self.least { green[pixel] = log2(above.y / below.y) }
      if min(above.z, below.z) > Self.least { blue[pixel] = log2(above.z / below.z) }
    }
    (stops, offsets, brightest) = ([red, green, blue], mixed, Double(most))
  }

  /// Gives all channels the stops of the light without color.
  mutating func makeGray() {
    let weights = [0.2126, 0.7152, 0.0722]
    for pixel in stops[0].indices {
      let mean = (0..<3).reduce(0) { $0 + weights[$1] * exp2(Double(stops[$1][pixel])) }
      for channel in 0..<3 { stops[channel][pixel] = Float(log2(mean)) }
    }
    let mean = (
      base: zip(weights, offsets).reduce(0) { $0 + $1.0 * $1.1.base },
      alternate: zip(weights, offsets).reduce(0) { $0 + $1.0 * $1.1.alternate }
    )
    offsets = [mean, mean, mean]
  }

  /// The map of the two.
  func plane(like map: GainMapPlane) throws -> GainMapPlane {
    let isOne = hasOneChannel
    let channels = (isOne ? [0] : [0, 1, 2]).map { channel in
      GainMapMeaning.Channel(
        minimum: Double(stops[channel].min() ?? 0), maximum: Double(stops[channel].max() ?? 0),
        baseOffset: offsets[channel].base, alternateOffset: offsets[channel].alternate)
    }
    let headroom = max(map.meaning.alternateHeadroom, brightest > 1 ? log2(brightest) : 0)
    guard
      let meaning = GainMapMeaning(
        channels: channels, baseHeadroom: map.meaning.baseHeadroom, alternateHeadroom: headroom,
        isInBaseColors: map.meaning.isInBaseColors)
    else { return map }
    var bytes = [UInt8](repeating: 0, count: 2 * channels.count * size.width * size.height)
    for (channel, one) in channels.enumerated() {
      let (least, range) = (Float(one.minimum), Float(max(one.maximum - one.minimum, 1e-6)))
      for pixel in stops[channel].indices {
        let share = (stops[channel][pixel] - least) / range
        let code = UInt16((65_535 * min(max(share, 0), 1)).rounded())
        let place = 2 * (pixel * channels.count + channel)
        (bytes[place], bytes[place + 1]) = (UInt8(code & 255), UInt8(code >> 8))
      }
    }
    return GainMapPlane(
      try Image.fromMemory(
        bytes, width: size.width, height: size.height, bands: channels.count, format: .uint16),
      meaning, like: map)
  }

  /// Whether the channels differ by less than what anybody sees, about a hundredth of the light.
  private var hasOneChannel: Bool {
    let isOne = offsets.allSatisfy {
      abs($0.base - offsets[0].base) < 1e-6 && abs($0.alternate - offsets[0].alternate) < 1e-6
    }
    guard isOne else { return false }
    let others = stops[0].indices.count { pixel in
      abs(stops[1][pixel] - stops[0][pixel]) > 0.015
        || abs(stops[2][pixel] - stops[0][pixel]) > 0.015
    }
    return others * 500 < stops[0].count
  }
}
