import SafelightVips

extension PlaneRole {
  /// How much of a pixel is there: nothing at 0, all at the largest number. It has the size of the color.
  static let alpha = PlaneRole(name: "alpha")
}

/// The transparency of a picture, for steps that mix the colors of neighboring pixels: a color counts there for as much
/// of it as is seen, so that edges become neither darker nor lighter.
///
/// Source: T. Porter and T. Duff, "Compositing Digital Images", 1984 (premultiplied colors).
struct Transparency: Sendable {
  /// One band of 8 or 16 bits.
  let alpha: Image

  /// What a pixel that is not seen counts for; its own color stays where nothing else is.
  private static let least: Float = 1 / 1024
  /// Below this sum of weights a resampled pixel is not seen, and what the weights give is noise.
  private static let smallest: Float = 1 / 64

  private var largest: Float { alpha.sampleFormat == .uint16 ? 65_535 : 255 }

  /// Whether all pixels are wholly there.
  func isOpaque() throws(VipsError) -> Bool {
    try alpha.minimum() >= Double(largest)
  }

  /// Weights for three bands of floats.
  func weights() throws(VipsError) -> Image {
    let (largest, isWide) = (largest, alpha.sampleFormat == .uint16)
    return try alpha.mappingScanlines(bands: 3, format: .float) { line in
      let output = line.output.assumingMemoryBound(to: Float.self)
      for pixel in 0..<line.count {
        let code =
          isWide
          ? Float(line.input.assumingMemoryBound(to: UInt16.self)[pixel])
          : Float(line.input.assumingMemoryBound(to: UInt8.self)[pixel])
        let weight = max(code / largest, Self.least)
        for band in 0..<3 { output[3 * pixel + band] = weight }
      }
    }
  }

  /// Floats moved, each color counting for as much as is seen of it.
  ///
  /// - Parameters:
  ///   - color: Three bands of floats.
  ///   - move: Moves a picture of three bands of floats.
  func moving(
    _ color: Image, by move: (Image) throws(VipsError) -> Image
  ) throws(VipsError) -> Image {
    let weights = try weights()
    let product = try Image.combined([color, weights]) { $0[0] * $0[1] }
    return try Image.combined([move(product), move(weights), move(color)]) {
      $0[1] < Self.smallest ? $0[2] : $0[0] / $0[1]
    }
  }
}

extension Image {
  /// Three bands of floats, each a function of those of some images of the same size at the same place.
  fileprivate static func combined(
    _ images: [Image], _ body: @escaping @Sendable ([Float]) -> Float
  ) throws(VipsError) -> Image {
    try computed(from: images, like: images[0], width: images[0].width, height: images[0].height) {
      inputs, output in
      var values = [Float](repeating: 0, count: inputs.count)
      for y in output.top..<(output.top + output.height) {
        let rows = inputs.map { $0.address(row: y).assumingMemoryBound(to: Float.self) }
        let result = output.address(row: y).assumingMemoryBound(to: Float.self)
        for index in 0..<(3 * output.width) {
          for input in rows.indices { values[input] = rows[input][index] }
          result[index] = body(values)
        }
      }
      return true
    }
  }

  /// The bands of two images of the same size side by side, in the sample format of the first.
  ///
  /// - Parameter plane: One band of 8 or 16 bits.
  func joined(with plane: Image) throws(VipsError) -> Image {
    let (bands, isWide) = (bands, sampleFormat == .uint16)
    let planeIsWide = plane.sampleFormat == .uint16
    let size = isWide ? 2 : 1
    return try Image.computed(
      from: [self, plane], like: self, format: sampleFormat, bands: bands + 1, width: width,
      height: height
    ) { inputs, output in
      for y in output.top..<(output.top + output.height) {
        let (color, extra) = (inputs[0].address(row: y), inputs[1].address(row: y))
        let result = output.address(row: y)
        for pixel in 0..<output.width {
          (result + pixel * (bands + 1) * size).copyMemory(
            from: color + pixel * bands * size, byteCount: bands * size)
          let code =
            planeIsWide
            ? Int(extra.assumingMemoryBound(to: UInt16.self)[pixel])
            : 257 * Int(extra.assumingMemoryBound(to: UInt8.self)[pixel])
          let place = pixel * (bands + 1) + bands
          if isWide {
            result.assumingMemoryBound(to: UInt16.self)[place] = UInt16(code)
          } else {
            result.assumingMemoryBound(to: UInt8.self)[place] = UInt8((code + 128) / 257)
          }
        }
      }
      return true
    }
  }
}

// MARK: - Colors that nobody sees

extension RenderPlan {
  /// Whether colors of several pixels are mixed, so that those of transparent pixels may come into view.
  var mixesNeighbors: Bool { !items.allSatisfy(\.keepsPixelsApart) }
}

extension PlanItem {
  /// Whether each pixel is made from itself alone.
  fileprivate var keepsPixelsApart: Bool {
    switch self {
    case .color, .turn: true
    case .guided, .neighborhood, .noise, .far, .geometry: false
    case .mixed(let items, _): items.allSatisfy(\.keepsPixelsApart)
    }
  }
}

extension Transparency {
  /// The picture with the colors around them where it is wholly transparent, so that nothing of what stands there by
  /// chance, often black, comes into view by blurring and sharpening.
  ///
  /// Source: the push and pull of S. J. Gortler and others, "The Lumigraph", 1996, 3.4.
  ///
  /// - Parameter color: One or three bands of 8 or 16 bits in memory, of the size of the alpha.
  func withColorsBehind(_ color: Image) throws(VipsError) -> Image {
    let (width, height, bands) = (color.width, color.height, color.bands)
    let isWide = color.sampleFormat == .uint16
    let (codes, shares) = (try color.pixelBytes(), try alpha.pixelBytes())
    let alphaIsWide = alpha.sampleFormat == .uint16
    func number(_ bytes: [UInt8], _ index: Int, _ isWide: Bool) -> Float {
      isWide
        ? Float(UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8)
        : Float(bytes[index])
    }
    // Sums of weighted colors, and the weights, of squares of 2, 4, 8, … pixels.
    var levels: [Level] = [Level(width: (width + 1) / 2, height: (height + 1) / 2, bands: bands)]
    for y in 0..<height {
      for x in 0..<width {
        let weight = number(shares, y * width + x, alphaIsWide) / largest
        guard weight > 0 else { continue }
        let place = ((y / 2) * levels[0].width + x / 2) * (bands + 1)
        for band in 0..<bands {
          levels[0].sums[place + band] +=
            weight * number(codes, (y * width + x) * bands + band, isWide)
        }
        levels[0].sums[place + bands] += weight
      }
    }
    while let last = levels.last, last.width > 1 || last.height > 1 { levels.append(last.halved()) }
    guard let whole = levels.last, whole.sums[bands] > 0 else { return color }
    for index in levels.indices.dropLast().reversed() {
      levels[index].fill(from: levels[index + 1])
    }
    let first = levels[0]
    var filled = codes
    for y in 0..<height {
      for x in 0..<width where number(shares, y * width + x, alphaIsWide) == 0 {
        for band in 0..<bands {
          let code = UInt16(first.color(x / 2, y / 2, band).rounded())
          let place = (y * width + x) * bands + band
          if isWide {
            (filled[2 * place], filled[2 * place + 1]) = (
              UInt8(code & 255), UInt8(code >> 8)
            )
          } else {
            filled[place] = UInt8(code)
          }
        }
      }
    }
    return try VipsError.thrown(by: "fill") {
      try Image.filled(like: color, width: width, height: height) { memory in
        memory.copyMemory(from: filled, byteCount: filled.count)
      }
    }
  }

  /// Means of squares of pixels.
  private struct Level {
    let width, height, bands: Int
    /// For each square the sum of its weighted colors, then that of the weights.
    var sums: [Float]

    init(width: Int, height: Int, bands: Int) {
      (self.width, self.height, self.bands) = (width, height, bands)
      sums = [Float](repeating: 0, count: width * height * (bands + 1))
    }

    func color(_ x: Int, _ y: Int, _ band: Int) -> Float {
      let place = (y * width + x) * (bands + 1)
      return sums[place + band] / sums[place + bands]
    }

    func halved() -> Level {
      var half = Level(width: (width + 1) / 2, height: (height + 1) / 2, bands: bands)
      for y in 0..<height {
        for x in 0..<width {
          let (place, target) = (
            (y * width + x) * (bands + 1), ((y / 2) * half.width + x / 2) * (bands + 1)
          )
          for index in 0...bands { half.sums[target + index] += sums[place + index] }
        }
      }
      return half
    }

    /// Takes the color of the larger square where nothing is seen in a smaller one.
    mutating func fill(from larger: Level) {
      for y in 0..<height {
        for x in 0..<width {
          let place = (y * width + x) * (bands + 1)
          guard sums[place + bands] == 0 else { continue }
          for band in 0..<bands { sums[place + band] = larger.color(x / 2, y / 2, band) }
          sums[place + bands] = 1
        }
      }
    }
  }
}

// MARK: - Other sizes

extension Transparency {
  /// A picture and its alpha in fewer or more pixels, each color counting for as much light as is seen of it.
  ///
  /// - Parameters:
  ///   - color: One or three bands of 8 or 16 bits in memory, of the size of the alpha.
  ///   - coding: What its codes mean.
  ///   - resize: Gives a picture of codes of a coding its new size.
  func resizing(
    _ color: Image, _ coding: PixelCoding,
    by resize: (Image, PixelCoding) throws(VipsError) -> Image
  ) throws(VipsError) -> (color: Image, alpha: Image) {
    let curves = WeightedLight(coding)
    let weighted = try color.weighted(by: alpha, curves, Self.share)
    let weights = try resize(alpha.asSixteenBits(by: Self.share), .gray(Self.straight))
    let plain = try resize(color, coding)
    let moved = try resize(weighted, coding)
    let isWide = color.sampleFormat == .uint16
    let whole = Self.whole
    let result = try Image.computed(
      from: [plain, moved, weights], like: plain, width: plain.width, height: plain.height
    ) { [bands = color.bands] inputs, output in
      for y in output.top..<(output.top + output.height) {
        let sums = inputs[1].address(row: y).assumingMemoryBound(to: UInt16.self)
        let weights = inputs[2].address(row: y).assumingMemoryBound(to: UInt16.self)
        output.address(row: y).copyMemory(
          from: inputs[0].address(row: y), byteCount: output.width * bands * (isWide ? 2 : 1))
        for pixel in 0..<output.width {
          // Of whole pixels alone each weight is the whole, to the last bit.
          guard weights[pixel] != whole else { continue }
          let weight = Float(weights[pixel]) / 65_535
          guard weight >= Self.smallest * Self.share else { continue }
          for band in 0..<bands {
            let place = pixel * bands + band
            let light = curves.light(Float(sums[place]) / 65_535, band) / weight
            let code = curves.code(min(light, 1), band)
            if isWide {
              output.address(row: y).assumingMemoryBound(to: UInt16.self)[place] = UInt16(
                (code * 65_535).rounded())
            } else {
              output.address(row: y).assumingMemoryBound(to: UInt8.self)[place] = UInt8(
                (code * 255).rounded())
            }
          }
        }
      }
      return true
    }
    let shares = try weights.mappingScanlines(bands: 1, format: .uint16) { line in
      for pixel in 0..<line.count {
        let weight = line.input.assumingMemoryBound(to: UInt16.self)[pixel]
        line.output.assumingMemoryBound(to: UInt16.self)[pixel] =
          weight >= whole ? 65_535 : UInt16((Float(weight) / Self.share).rounded())
      }
    }
    return (try result.inMemory(), try shares.inMemory())
  }
}

extension Transparency {
  /// Shares are averaged as they are.
  private static let straight = ToneResponse([0, 1])!

  /// What weights and weighted light are multiplied by while they are moved. Near edges the kernel gives up to 1.19 times the
  /// whole, which 16 bits then have room for; cut off, the ratio of the two would be wrong.
  private static let share: Float = 0.8
  /// The code of a whole weight.
  private static let whole = UInt16((65_535 * share).rounded())
}

/// The curves of a coding from codes to light and back, for single numbers.
private struct WeightedLight: Sendable {
  private let fromCodes, toCodes: [@Sendable (Double) -> Double]

  init(_ coding: PixelCoding) {
    let light = coding.light
    fromCodes = light.fromCodes.functions
    toCodes = light.toCodes.functions
  }

  func light(_ code: Float, _ band: Int) -> Float {
    Float(fromCodes[min(band, fromCodes.count - 1)](Double(code)))
  }

  func code(_ light: Float, _ band: Int) -> Float {
    Float(min(max(toCodes[min(band, toCodes.count - 1)](Double(light)), 0), 1))
  }
}

extension Image {
  /// One band of 8 or 16 bits in 16, each number a share of itself.
  fileprivate func asSixteenBits(by share: Float) throws(VipsError) -> Image {
    let isWide = sampleFormat == .uint16
    return try mappingScanlines(bands: 1, format: .uint16) { line in
      for pixel in 0..<line.count {
        let number =
          isWide
          ? line.input.assumingMemoryBound(to: UInt16.self)[pixel]
          : 257 * UInt16(line.input.assumingMemoryBound(to: UInt8.self)[pixel])
        line.output.assumingMemoryBound(to: UInt16.self)[pixel] = UInt16(
          (Float(number) * share).rounded())
      }
    }
  }

  /// 16-bit codes of the light of a picture by the weights of its alpha and by a share of it.
  fileprivate func weighted(
    by alpha: Image, _ curves: WeightedLight, _ portion: Float
  ) throws(VipsError) -> Image {
    let (bands, isWide, alphaIsWide) = (
      bands, sampleFormat == .uint16, alpha.sampleFormat == .uint16
    )
    @Sendable func share(_ row: UnsafeMutableRawPointer, _ place: Int, _ isWide: Bool) -> Float {
      isWide
        ? Float(row.assumingMemoryBound(to: UInt16.self)[place]) / 65_535
        : Float(row.assumingMemoryBound(to: UInt8.self)[place]) / 255
    }
    @Sendable func code(_ color: Float, _ weight: Float, _ band: Int) -> UInt16 {
      UInt16((65_535 * curves.code(curves.light(color, band) * weight * portion, band)).rounded())
    }
    // Most pixels are wholly there.
    let largest = isWide ? 65_535 : 255
    let whole = (0..<bands).map { band in
      (0...largest).map { code(Float($0) / Float(largest), 1, band) }
    }
    return try Image.computed(
      from: [self, alpha], like: self, format: .uint16, bands: bands, width: width, height: height
    ) { inputs, output in
      for y in output.top..<(output.top + output.height) {
        let (color, shares) = (inputs[0].address(row: y), inputs[1].address(row: y))
        let result = output.address(row: y).assumingMemoryBound(to: UInt16.self)
        for pixel in 0..<output.width {
          let weight = share(shares, pixel, alphaIsWide)
          for band in 0..<bands {
            let place = pixel * bands + band
            if weight == 1 {
              let number =
                isWide
                ? Int(color.assumingMemoryBound(to: UInt16.self)[place])
                : Int(color.assumingMemoryBound(to: UInt8.self)[place])
              result[place] = whole[band][number]
            } else {
              result[place] = weight == 0 ? 0 : code(share(color, place, isWide), weight, band)
            }
          }
        }
      }
      return true
    }
  }
}
