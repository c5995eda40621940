import Glibc
import SafelightMetadata
import SafelightVips

/// Codes of a high dynamic range, and the curve that brings their light into standard range.
///
/// The curve is the EETF of ITU-R BT.2390-10, 5.4.1. It acts on the largest of red, green and blue;
/// the other two are multiplied by the same factor, so that hues stay. Its target is a display of
/// 203 nits, the reference white of ITU-R BT.2408-7, which becomes the largest code; black is 0.
/// Its source is the brightest light that the file states. PQ and HLG are those of ITU-R BT.2100-2,
/// HLG with its system gamma of 1.2 on a display of 1,000 nits.
struct HDRCoding: Sendable {
  /// Reference white, in nits.
  static let white = 203.0
  /// The peak of HLG's display, and of a PQ picture that states none, in nits.
  static let usualPeak = 1000.0

  /// What the numbers mean.
  let transfer: HDRTransfer
  /// The brightest light, in nits.
  let peak: Double
  /// The standard profile with the picture's primaries.
  let standard: StandardProfile
  /// Matrices and curves of ``standard``; `nil` for sRGB.
  private let profile: MatrixProfile?
  /// The codes of 0 and 1 of the transfer function, as shares of the largest number. Decoders shift numbers
  /// of 10 and 12 bits to the left, so that their largest falls short of 16 bits.
  private var range = 0.0...1.0

  /// The coding that a file declares; `nil` for standard dynamic range.
  init?(_ color: CodedColor) {
    guard let transfer = color.hdrTransfer else { return nil }
    self.transfer = transfer
    // A peak below white would only make the picture brighter than it was meant.
    let stated = transfer == .pq ? color.peak ?? Self.usualPeak : Self.usualPeak
    peak = min(max(stated, Self.white), 10_000)
    // The primaries of BT.2100 are those of BT.2020.
    standard = StandardProfile(primaries: ColorPrimaries(color) ?? .rec2020, curve: .sRGB)
    if case .matrix(let matrix)? = ColorProfile(standard.bytes)?.model {
      profile = matrix
    } else {
      profile = nil
    }
  }

  /// The coding of a picture whose decoder gave numbers of some bits in 16.
  func shifted(from bits: Int) -> HDRCoding {
    var coding = self
    if (9..<16).contains(bits) {
      coding.range = 0...Double(((1 << bits) - 1) << (16 - bits)) / 65_535
    }
    return coding
  }

  /// The coding of whole numbers of video.
  func between(_ range: ClosedRange<Double>) -> HDRCoding {
    var coding = self
    coding.range = range
    return coding
  }

  /// How the codes of a finished render are meant.
  var output: PixelCoding { profile.map { .matrix($0) } ?? .sRGB }

  /// Stops above white of the brightest light.
  var headroom: Double { log2(peak / Self.white) }

  /// From codes to linear light; 1 is white.
  var decoding: [ColorStep] {
    [
      .curves(light, in: .linear), .kernel(toneMapping { factor($0) }),
      .matrix(profile?.toSRGB ?? .identity, in: .linear),
    ]
  }

  /// From codes to light: of a display, or of a scene for HLG.
  private var light: ChannelCurves {
    ChannelCurves { [transfer, range] code in
      let share = (code - range.lowerBound) / (range.upperBound - range.lowerBound)
      let code = min(max(share, 0), 1)
      return transfer == .pq ? PQ.nits(code) / Self.white : Self.sceneLight(ofHLG: code)
    }
  }

  /// Finds a number by the largest channel of each color.
  private func toneMapping(_ factor: (Double) -> Double) -> ToneMapping {
    // The middle row of the matrix to XYZ gives luminance.
    let weights = (ColorMatrix.sRGBToXYZOfD65 * (profile?.toSRGB ?? .identity)).elements[3..<6]
      .map { Float($0) }
    return ToneMapping(
      factors: CurveTable(negatives: false, factor),
      systemGamma: transfer == .pq ? nil : (weights, CurveTable(negatives: false, Self.systemGain)))
  }

  /// The stops by which the picture in standard range is darker than its light, as shares of ``mostStops``.
  ///
  /// - Parameters:
  ///   - image: One or three bands of codes.
  ///   - isBrightest: Called with the largest light in a run of pixels, from several threads; white is 1.
  /// - Returns: One band of 16 bits, computed when it is read.
  func lostStops(
    of image: Image, brightest isBrightest: @escaping @Sendable (Float) -> Void
  ) throws(VipsError) -> Image {
    let decoder = PixelDecoder(image.sampleFormat, bands: image.bands, through: light)
    let mapping = toneMapping { light in
      65_535 * min(max(-log2(factor(light)) / Self.mostStops, 0), 1)
    }
    return try image.mappingScanlines(bands: 1, format: .uint16) { line in
      let output = line.output.assumingMemoryBound(to: UInt16.self)
      ColorTile.withMemory { memory in
        withFloats(ColorTile.capacity) { numbers in
          let shares = numbers.baseAddress!
          for start in stride(from: 0, to: line.count, by: ColorTile.capacity) {
            let tile = ColorTile(memory, count: min(ColorTile.capacity, line.count - start))
            decoder.decode(line.input, from: start, into: tile)
            mapping.findLargest(of: tile, shares)
            isBrightest((0..<tile.count).reduce(0) { max($0, shares[$1]) })
            mapping.factors.map(shares, count: tile.count)
            for index in 0..<tile.count { output[start + index] = UInt16(shares[index] + 0.5) }
          }
        }
      }
    }
  }

  /// The most stops between a picture in standard range and its light.
  static let mostStops = log2(10_000 / white)

  /// What the channels of a color are multiplied by, when `light` is the largest; white is 1.
  private func factor(_ light: Double) -> Double {
    guard light > 0 else { return 1 }
    let top = PQ.code(peak)
    let input = min(PQ.code(light * Self.white) / top, 1)
    let white = PQ.code(Self.white) / top
    let knee = 1.5 * white - 0.5
    guard input >= knee, knee < 1 else { return min(1, 1 / light) }
    let t = (input - knee) / (1 - knee)
    let (square, cube) = (t * t, t * t * t)
    let mapped =
      (2 * cube - 3 * square + 1) * knee + (cube - 2 * square + t) * (1 - knee)
      + (3 * square - 2 * cube) * white
    return PQ.nits(mapped * top) / Self.white / light
  }

  /// The light of the scene, 0 to 1, of a code of HLG.
  private static func sceneLight(ofHLG code: Double) -> Double {
    let a = 0.178_832_77
    let (b, c) = (1 - 4 * a, 0.5 - a * log(4 * a))
    return code <= 0.5 ? code * code / 3 : (exp((code - c) / a) + b) / 12
  }

  /// What HLG's display multiplies a color of the scene by, by the color's luminance; white is 1.
  private static func systemGain(_ luminance: Double) -> Double {
    usualPeak / white * pow(luminance, 0.2)
  }
}

/// The perceptual quantizer of SMPTE ST 2084.
private enum PQ {
  private static let m1 = 1305.0 / 8192
  private static let m2 = 2523.0 / 32
  private static let c1 = 107.0 / 128
  private static let c2 = 2413.0 / 128
  private static let c3 = 2392.0 / 128

  /// The light of a code from 0 to 1, in nits.
  static func nits(_ code: Double) -> Double {
    let power = pow(code, 1 / m2)
    return 10_000 * pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
  }

  /// The code of light in nits.
  static func code(_ nits: Double) -> Double {
    let power = pow(nits / 10_000, m1)
    return pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }
}

/// Brings light into standard range; see ``HDRCoding``.
private struct ToneMapping: ColorKernel {
  let space = ColorSpace.linear
  let dependsOnPlace = false
  /// What a color is multiplied by, by its largest channel.
  let factors: CurveTable
  /// For light of a scene: the weights of luminance, and what a color is multiplied by, by its
  /// luminance.
  let systemGamma: (weights: [Float], gains: CurveTable)?

  func apply(to tile: ColorTile) {
    withFloats(ColorTile.capacity) { memory in
      let numbers = memory.baseAddress!
      findLargest(of: tile, numbers)
      factors.map(numbers, count: tile.count)
      tile.multiply(by: numbers)
    }
  }

  /// Makes light of a display of light of a scene, and finds the largest channel of each color.
  func findLargest(of tile: ColorTile, _ numbers: UnsafeMutablePointer<Float>) {
    if let systemGamma {
      let (red, green, blue) = (
        systemGamma.weights[0], systemGamma.weights[1], systemGamma.weights[2]
      )
      for index in 0..<tile.count {
        numbers[index] =
          red * tile.red[index] + green * tile.green[index] + blue * tile.blue[index]
      }
      systemGamma.gains.map(numbers, count: tile.count)
      tile.multiply(by: numbers)
    }
    for index in 0..<tile.count {
      numbers[index] = max(tile.red[index], tile.green[index], tile.blue[index])
    }
  }
}

extension ColorTile {
  /// Multiplies each pixel by a number of its own.
  fileprivate func multiply(by factors: UnsafePointer<Float>) {
    forEachPlane { _, plane in
      for index in 0..<count { plane[index] *= factors[index] }
    }
  }
}
