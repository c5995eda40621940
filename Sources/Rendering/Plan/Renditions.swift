import Glibc
import SafelightMetadata
import SafelightVips
import Synchronization

/// A photo's picture at the size of its map, and what multiplies its light in the HDR rendition.
struct Renditions {
  private let photo: DecodedPhoto
  private let opened: OpenedPhoto
  private let size: PixelSize
  /// From the primaries of the picture to those of sRGB.
  private let toSRGB: ColorMatrix
  /// What multiplies the light of red, green and blue of each pixel.
  private var gains: [[Float]]
  /// What is added to the light of the picture, and taken from that of the HDR rendition, for each channel.
  private var offsets: [(base: Double, alternate: Double)]
  /// The brightest light of the HDR rendition.
  private var brightest: Float = 0

  /// Light and sums of light below this have no ratio.
  private static let least: Float = 1e-5
  /// Rows that a thread changes at a time.
  private static let band = 16
  /// The stops of gains, which have no tables below 2⁻²⁰ and above 2⁶.
  private static let table = CurveTable(negatives: false) { log2(max($0, 0x1p-20) * 64) }

  /// - Parameters:
  ///   - map: The photo's map.
  ///   - opened: The photo.
  ///   - source: The photo's picture; `nil` to have it decoded in fewer pixels.
  init(_ map: GainMapPlane, under opened: OpenedPhoto, from source: PictureSource?) throws {
    self.opened = opened
    size = map.image.size
    let (scale, shrink) = Self.scale(of: size, under: opened.uprightSize)
    let (picture, shrunk) =
      try source.map { ($0.picture, $0.shrunk) } ?? opened.picture(shrink: shrink)
    let photo = try DecodedPhoto(
      opened, picture, shrunk: shrunk,
      for: DecodedPhoto.Purpose(orientation: opened.orientation, scale: scale, inAnyOrder: true))
    self.photo = photo.image.size == size ? photo : try photo.reduced(to: size)
    toSRGB = if case .matrix(let profile) = photo.outputCoding { profile.toSRGB } else { .identity }
    (gains, offsets) = (
      try map.gains(), map.meaning.eachChannel.map { ($0.baseOffset, $0.alternateOffset) }
    )
  }

  /// How large a photo is for its map, and how much smaller a decoder may make it before. Means of codes do: what the map
  /// says of a place hardly depends on the light there.
  static func scale(
    of map: PixelSize, under upright: PixelSize
  ) -> (scale: Double, shrink: Int) {
    let scale = min(
      max(Double(map.width) / Double(upright.width), Double(map.height) / Double(upright.height)), 1
    )
    return (scale, [8, 4, 2].first { Double($0) * scale <= 1 } ?? 1)
  }

  /// The picture after some items of the edit, as floats of encoded sRGB.
  private func picture(after items: [PlanItem]) throws -> Image {
    // Noise is averaged away at this size.
    let kept = items.filter { if case .noise = $0 { false } else { true } }
    return try RenderPlan(items: kept).floats(of: photo, opened)
  }

  /// Has the light of both renditions changed: that of the HDR rendition by steps on light, that of the picture as the edit
  /// does.
  ///
  /// - Parameters:
  ///   - steps: Steps on linear light with the primaries of sRGB.
  ///   - matrix: The matrix that the steps are; `nil` when they are more than one.
  mutating func change(
    by steps: [ColorStep], scaling matrix: ColorMatrix?, from earlier: [PlanItem],
    to later: [PlanItem]
  ) throws {
    guard let fromSRGB = toSRGB.inverse else { return }
    try change(
      by: [.matrix(toSRGB, in: .linear)] + steps + [.matrix(fromSRGB, in: .linear)],
      scaling: matrix.map { fromSRGB * $0 * toSRGB }, from: (earlier, fromSRGB),
      to: (later, fromSRGB))
  }

  /// Converts the light of both renditions after all items to other primaries.
  mutating func convert(to coding: PixelCoding, after items: [PlanItem]) throws {
    let target: ColorMatrix
    switch coding {
    case .matrix(let profile): target = profile.fromSRGB
    case .sRGB: target = .identity
    case .gray, .hdr: return
    }
    let matrix = target * toSRGB
    guard matrix.distanceFromIdentity > 0.002, let fromSRGB = toSRGB.inverse else { return }
    try change(
      by: [.matrix(matrix, in: .linear)], scaling: matrix, from: (items, fromSRGB),
      to: (items, target))
  }

  /// Has the light of both renditions changed.
  ///
  /// - Parameters:
  ///   - steps: Steps on linear light with the primaries of the picture.
  ///   - matrix: The matrix that the steps are; `nil` when they are more than one.
  ///   - before: Items of the edit, and what leads from sRGB to the primaries of their picture.
  ///   - after: The same of what the new gains are for.
  private mutating func change(
    by steps: [ColorStep], scaling matrix: ColorMatrix?, from before: ([PlanItem], ColorMatrix),
    to after: ([PlanItem], ColorMatrix)
  ) throws {
    // Offsets that grow as the light keep the gains of all places where nothing else happens.
    let factors = matrix?.times([1, 1, 1]) ?? [1, 1, 1]
    let mixed = offsets.indices.map {
      (base: offsets[$0].base * factors[$0], alternate: offsets[$0].alternate * factors[$0])
    }
    let change = LightChange(
      light: ColorProgram(ColorProgram.fused(steps, from: .linear, to: .linear)),
      before: Self.toLight(before.1), after: Self.toLight(after.1),
      offsets: offsets.map { (Float($0.base), Float($0.alternate)) },
      mixed: mixed.map { (Float($0.base), Float($0.alternate)) }, least: Self.least)
    let images = (try picture(after: before.0), try picture(after: after.0))
    let (width, height) = (size.width, size.height)
    let found = Mutex((brightest: Float(0), failure: VipsError?.none))
    Self.withPlanes(&gains) { planes in
      let planes = UnsafeTransfer(planes)
      onAllThreads((height + Self.band - 1) / Self.band) { band in
        let rows = (band * Self.band)..<min((band + 1) * Self.band, height)
        let result = Result { () throws(VipsError) in
          try change.apply(to: planes.value, rows, width: width, from: images)
        }
        found.withLock { found in
          switch result {
          case .success(let most): found.brightest = max(found.brightest, most)
          case .failure(let error): found.failure = error
          }
        }
      }
    }
    let (most, failure) = found.withLock { $0 }
    if let failure { throw failure }
    (offsets, brightest) = (mixed, most)
  }

  /// From encoded sRGB to light with other primaries.
  private static func toLight(_ fromSRGB: ColorMatrix) -> ColorProgram {
    ColorProgram(
      ColorProgram.fused([.matrix(fromSRGB, in: .linear)], from: .encoded, to: .linear))
  }

  private static func withPlanes(
    _ planes: inout [[Float]], _ body: ([UnsafeMutablePointer<Float>]) -> Void
  ) {
    var (red, green, blue) = (planes[0], planes[1], planes[2])
    // Otherwise the changes would be made in copies.
    planes = []
    red.withUnsafeMutableBufferPointer { red in
      green.withUnsafeMutableBufferPointer { green in
        blue.withUnsafeMutableBufferPointer { blue in
          body([red.baseAddress!, green.baseAddress!, blue.baseAddress!])
        }
      }
    }
    planes = [red, green, blue]
  }

  /// Gives all channels the gain of the light without color.
  mutating func makeGray() {
    // Source: ITU-R BT.709.
    let weights = SIMD3<Float>(0.2126, 0.7152, 0.0722)
    let count = gains[0].count
    Self.withPlanes(&gains) { planes in
      let (red, green, blue) = (planes[0], planes[1], planes[2])
      for pixel in 0..<count {
        red[pixel] = weights.x * red[pixel] + weights.y * green[pixel] + weights.z * blue[pixel]
      }
    }
    gains = [gains[0], gains[0], gains[0]]
    let mean = (
      base: (0..<3).reduce(0) { $0 + Double(weights[$1]) * offsets[$1].base },
      alternate: (0..<3).reduce(0) { $0 + Double(weights[$1]) * offsets[$1].alternate }
    )
    offsets = [mean, mean, mean]
  }

  /// The map of the two.
  func plane(like map: GainMapPlane) throws -> GainMapPlane {
    let stops = (hasOneChannel ? [gains[0]] : gains).map(Self.stops(of:))
    let channels = stops.enumerated().map { channel, stops in
      let range = Self.range(of: stops)
      return GainMapMeaning.Channel(
        minimum: Double(range.lowerBound), maximum: Double(range.upperBound),
        baseOffset: offsets[channel].base, alternateOffset: offsets[channel].alternate)
    }
    let headroom = max(
      map.meaning.alternateHeadroom, brightest > 1 ? log2(Double(brightest)) : 0)
    guard
      let meaning = GainMapMeaning(
        channels: channels, baseHeadroom: map.meaning.baseHeadroom, alternateHeadroom: headroom,
        isInBaseColors: map.meaning.isInBaseColors)
    else { return map }
    let count = size.width * size.height
    let bytes = [UInt8](unsafeUninitializedCapacity: 2 * channels.count * count) { bytes, filled in
      bytes.withMemoryRebound(to: UInt16.self) { codes in
        for (channel, one) in channels.enumerated() {
          let least = Float(one.minimum)
          let factor = 65_535 / Float(max(one.maximum - one.minimum, 1e-6))
          stops[channel].withUnsafeBufferPointer { stops in
            for pixel in 0..<count {
              let code = min(max((stops[pixel] - least) * factor + 0.5, 0), 65_535)
              codes[pixel &* channels.count &+ channel] = UInt16(truncatingIfNeeded: Int32(code))
            }
          }
        }
      }
      filled = 2 * channels.count * count
    }
    return GainMapPlane(
      try Image.fromMemory(
        bytes, width: size.width, height: size.height, bands: channels.count, format: .uint16),
      meaning, profile: map.profile)
  }

  private static func stops(of gains: [Float]) -> [Float] {
    var stops = gains
    stops.withUnsafeMutableBufferPointer { stops in
      for pixel in stops.indices { stops[pixel] *= 1.0 / 64 }
      table.map(stops.baseAddress!, count: stops.count)
    }
    return stops
  }

  private static func range(of numbers: [Float]) -> ClosedRange<Float> {
    var least = SIMD8<Float>(repeating: .infinity)
    var most = SIMD8<Float>(repeating: -.infinity)
    numbers.withUnsafeBufferPointer { numbers in
      for start in stride(from: 0, to: numbers.count, by: 8) {
        // The last eight may have been looked at.
        let first = max(min(start, numbers.count - 8), 0)
        var eight = SIMD8<Float>(repeating: numbers[first])
        for index in 0..<min(8, numbers.count) { eight[index] = numbers[first &+ index] }
        least = pointwiseMin(least, eight)
        most = pointwiseMax(most, eight)
      }
    }
    let range = (least.min(), most.max())
    return range.0 <= range.1 ? range.0...range.1 : 0...0
  }

  /// Whether the channels differ by less than what anybody sees, about a hundredth of the light.
  private var hasOneChannel: Bool {
    let isOne = offsets.allSatisfy {
      abs($0.base - offsets[0].base) < 1e-6 && abs($0.alternate - offsets[0].alternate) < 1e-6
    }
    guard isOne else { return false }
    let count = gains[0].count
    let most = count / 500
    return gains[0].withUnsafeBufferPointer { red in
      gains[1].withUnsafeBufferPointer { green in
        gains[2].withUnsafeBufferPointer { blue in
          var others = 0
          for start in stride(from: 0, to: count, by: 1024) where others <= most {
            for pixel in start..<min(start + 1024, count) {
              let room = 0.0104 * red[pixel]
              let isOther =
                abs(green[pixel] - red[pixel]) > room || abs(blue[pixel] - red[pixel]) > room
              others &+= isOther ? 1 : 0
            }
          }
          return others <= most
        }
      }
    }
  }
}

/// What an edit does to the light of a picture and of its HDR rendition.
private struct LightChange: Sendable {
  /// What it does to the HDR rendition.
  let light: ColorProgram
  /// From encoded sRGB to the light of the picture before it and after it.
  let before, after: ColorProgram
  /// What is added to the light of the picture before, and taken from that of the HDR rendition.
  let offsets: [(base: Float, alternate: Float)]
  /// The same after the change.
  let mixed: [(base: Float, alternate: Float)]
  /// Light and sums of light below this have no ratio.
  let least: Float

  /// Finds the gains after the change, in place of those before it.
  ///
  /// - Parameters:
  ///   - gains: Those of red, green and blue.
  ///   - images: The picture before the change and after it, as floats of encoded sRGB.
  /// - Returns: The brightest light of the changed HDR rendition in these rows.
  func apply(
    to gains: [UnsafeMutablePointer<Float>], _ rows: Range<Int>, width: Int,
    from images: (Image, Image)
  ) throws(VipsError) -> Float {
    let readers = (try RowReader(images.0), try RowReader(images.1))
    var most: Float = 0
    let inner = try readers.0.read(rows) { old in
      Result { () throws(VipsError) in
        try readers.1.read(rows) { new in
          for y in rows {
            most = max(
              most,
              apply(
                to: gains.map { $0 + y * width }, y, width: width,
                from: old.start + (y - old.top) * old.stride,
                new.start + (y - new.top) * new.stride))
          }
        }
      }
    }
    try inner.get()
    return most
  }

  private func apply(
    to gains: [UnsafeMutablePointer<Float>], _ y: Int, width: Int,
    from old: UnsafeRawPointer, _ new: UnsafeRawPointer
  ) -> Float {
    let decoder = PixelDecoder(.float, bands: 3, through: nil)
    var most: Float = 0
    ColorTile.withMemory { first in
      ColorTile.withMemory { second in
        for start in stride(from: 0, to: width, by: ColorTile.capacity) {
          let count = min(ColorTile.capacity, width - start)
          let (above, below) = (
            ColorTile(first, count: count, x: start, y: y),
            ColorTile(second, count: count, x: start, y: y)
          )
          decoder.decode(old, from: start, into: above)
          before.run(on: above)
          above.forEachPlane { channel, plane in
            let (gain, offset) = (gains[channel] + start, offsets[channel])
            for index in 0..<count {
              let base = min(max(plane[index], 0), 1)
              plane[index] = (base + offset.base) * gain[index] - offset.alternate
            }
          }
          light.run(on: above)
          decoder.decode(new, from: start, into: below)
          after.run(on: below)
          above.forEachPlane { channel, plane in
            let (gain, offset) = (gains[channel] + start, mixed[channel])
            let picture = below.red + channel * ColorTile.capacity
            for index in 0..<count {
              most = max(most, plane[index])
              let over = plane[index] + offset.alternate
              let under = min(max(picture[index], 0), 1) + offset.base
              let ratio = over / max(under, least)
              gain[index] = min(over, under) > least ? ratio : gain[index]
            }
          }
        }
      }
    }
    return most
  }
}
