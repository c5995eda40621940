import Foundation
import SafelightAdjustments
import SafelightMetadata
import SafelightVips
import Testing

@testable import SafelightRendering

/// Layouts of TIFFs against their meaning, by a writer of their own.
@Suite struct TIFFLayoutTests {
  private static let colors: [[Double]] = [
    [0, 0, 0], [1, 1, 1], [0.2, 0.4, 0.8], [0.9, 0.5, 0.1], [0.33, 0.66, 0.5], [0.7, 0.7, 0.7],
  ]
  private static let alphas = [1, 1, 0.25, 0.5, 1, 0.75]

  /// The color as a share of white that a render shows for each pixel.
  private func expect(
    _ tiff: TIFFFile, _ colors: [[Double]], within tolerance: Double,
    warning: RenderWarning? = nil
  ) throws {
    try TemporaryFile.holding(tiff.bytes) { file in
      let rendered = try file.pixels()
      let channels = rendered.codes.count / colors.count
      let white = rendered.image.sampleFormat == .uint16 ? 65_535.0 : 255
      for (place, color) in colors.enumerated() {
        for channel in 0..<channels {
          let code = Double(rendered.codes[channels * place + channel]) / white
          #expect(abs(code - color[channel]) <= tolerance, "\(tiff) \(place) \(channel): \(code)")
        }
      }
      let warnings = try file.render(as: .jpeg).report.warnings
      if let warning { #expect(warnings.contains(warning)) }
    }
  }

  private func linear(_ code: Double) -> Double {
    code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
  }

  private func onWhite(_ color: [Double], _ alpha: Double) -> [Double] {
    color.map { $0 * alpha + 1 - alpha }
  }

  @Test(arguments: [16, 32]) func floatsWithoutAProfileAreLight(bits: Int) throws {
    let colors = Self.colors.map { $0.map(linear) }
    for isBig in [false, true] {
      let tiff = TIFFFile(
        colors, .float(bits), [258: [bits, bits, bits], 339: [3, 3, 3]], isBig: isBig)
      try expect(
        tiff, Self.colors, within: bits == 16 ? 0.001 : 0.0001, warning: .floatingPoint(bits: bits))
    }
    let gray = Self.colors.map { [linear($0[2])] }
    for whiteIsZero in [false, true] {
      let tiff = TIFFFile(
        whiteIsZero ? gray.map { [1 - $0[0]] } : gray, .float(bits),
        [258: [bits], 262: [whiteIsZero ? 0 : 1], 277: [1], 339: [3]])
      try expect(
        tiff, Self.colors.map { [$0[2], $0[2], $0[2]] }, within: bits == 16 ? 0.003 : 0.0001)
    }
  }

  @Test func numbersBeyondBlackAndWhiteAreCutOff() throws {
    let tiff = TIFFFile(
      [[-3, 2, .nan], [.infinity, -.infinity, 1]], .float(32),
      [258: [32, 32, 32], 339: [3, 3, 3]])
    try expect(tiff, [[0, 1, 0], [1, 0, 1]], within: 0)
  }

  @Test(arguments: [8, 16]) func spotColorsAreLeftOutAndSaid(bits: Int) throws {
    let pixels = Self.colors.map { $0 + [0.3] }
    let tiff = TIFFFile(
      pixels, .whole(bits), [258: [bits, bits, bits, bits], 277: [4], 338: [0]])
    try expect(
      tiff, Self.colors, within: 0.51 / Double(1 << bits - 1), warning: .channelsLeftOut(1))
    let gray = TIFFFile(
      Self.colors.map { [$0[0], 0.1, 0.9] }, .whole(bits),
      [258: [bits, bits, bits], 262: [1], 277: [3], 338: [0, 0]])
    try expect(
      gray, Self.colors.map { [$0[0], $0[0], $0[0]] }, within: 0.51 / Double(1 << bits - 1))
  }

  /// By the place of the transparency among the further channels, and whether colors are multiplied by it.
  @Test(arguments: [[2], [1], [2, 0], [0, 2], [0, 1]]) func transparencyIsFound(
    kinds: [Int]
  ) throws {
    let shown = zip(Self.colors, Self.alphas).map { onWhite($0, $1) }
    for bits in [8, 16] {
      let pixels = zip(Self.colors, Self.alphas).map { color, alpha in
        color.map { kinds.contains(1) ? $0 * alpha : $0 } + kinds.map { $0 == 0 ? 0.3 : alpha }
      }
      let tiff = TIFFFile(
        pixels, .whole(bits),
        [258: [Int](repeating: bits, count: 3 + kinds.count), 277: [3 + kinds.count], 338: kinds])
      try expect(tiff, shown, within: bits == 8 ? 0.009 : 0.0001, warning: .alphaFlattened)
    }
  }

  @Test(arguments: [(0.299, 0.587, 0.114), (0.2126, 0.7152, 0.0722)])
  func lumaAndChromaBecomeColors(shares: (Double, Double, Double)) throws {
    let pixels = Self.colors.map { color -> [Double] in
      let luma = color[0] * shares.0 + color[1] * shares.1 + color[2] * shares.2
      return [
        luma, (color[2] - luma) / (2 - 2 * shares.2) + 128.0 / 255,
        (color[0] - luma) / (2 - 2 * shares.0) + 128.0 / 255,
      ]
    }
    let coefficients = [shares.0, shares.1, shares.2].map { Int(($0 * 10_000).rounded()) }
    let tiff = TIFFFile(
      pixels, .whole(8), [262: [6], 530: [1, 1]],
      fractions: [529: coefficients.map { ($0, 10_000) }])
    try expect(tiff, Self.colors, within: 0.009)
  }

  /// Blocks of two pixels: their luma, then their chroma.
  @Test func chromaOfSeveralPixelsIsRead() throws {
    let pixels: [[Double]] = [[50, 200, 128, 128], [10, 20, 90, 240], [255, 0, 128, 128]]
    let tiff = TIFFFile(
      pixels.map { $0.map { $0 / 255 } }, .whole(8), [256: [6], 262: [6], 530: [2, 1]])
    let shown = pixels.flatMap { block -> [[Double]] in
      block[..<2].map { luma in
        let (blue, red) = (block[2] - 128, block[3] - 128)
        let r = luma + 1.402 * red
        let b = luma + 1.772 * blue
        return [r, (luma - 0.299 * r - 0.114 * b) / 0.587, b].map { min(max($0, 0), 255) / 255 }
      }
    }
    try expect(tiff, shown, within: 0.003)
  }

  @Test(
    arguments: [
      ([339: [2, 2, 2]], "a TIFF of 8-bit samples with signs"),
      ([258: [64, 64, 64], 339: [3, 3, 3]], "a TIFF of 64-bit floating-point samples"),
      ([262: [4]], "a TIFF of a mask"), ([262: [10]], "a TIFF of ITU Lab"),
      ([262: [5]], "a TIFF of 3 of the 4 channels that its colors have"),
      ([262: [5], 332: [2]], "a TIFF of other inks than cyan, magenta, yellow and black"),
      ([262: [6]], "a TIFF of YCbCr that does not say how its colors are subsampled"),
      ([262: [6], 530: [3, 1]], "a TIFF of subsampled colors (YCbCr)"),
      ([262: [3]], "a TIFF of a palette that is not there"),
      ([262: [777]], "a TIFF of colors of kind 777"),
      ([284: [2], 322: [16], 323: [16]], "a TIFF of tiles in separate planes"),
    ] as [([Int: [Int]], String)])
  func whatIsNotReadIsNamed(tags: [Int: [Int]], kind: String) throws {
    let tiff = TIFFFile(Self.colors, .whole(8), tags)
    try TemporaryFile.holding(tiff.bytes) { file in
      do {
        _ = try file.render()
        Issue.record("It was read.")
      } catch RenderError.unsupportedFormat(let found, _) {
        #expect(found == kind)
      }
    }
  }

  @Test func theOrientationIsThatOfThePhotosDirectory() throws {
    let tiff = TIFFFile(Self.colors, .whole(8), [274: [6]])
    try TemporaryFile.holding(tiff.bytes) { file in
      let report = try file.render().report
      #expect((report.pixelWidth, report.pixelHeight) == (1, Self.colors.count))
    }
  }
}

/// A TIFF of one strip, without compression. Source: TIFF 6.0.
private struct TIFFFile: CustomStringConvertible {
  enum Sample {
    case whole(Int)
    case float(Int)
  }

  private(set) var bytes: [UInt8] = []
  let description: String

  /// - Parameters:
  ///   - pixels: The samples of the pixels of one row, 1 being the largest number.
  ///   - tags: What differs from a picture in red, green and blue of 8 bits.
  init(
    _ pixels: [[Double]], _ sample: Sample, _ tags: [Int: [Int]],
    fractions: [Int: [(Int, Int)]] = [:], isBig: Bool = false
  ) {
    description = "\(sample) \(tags)"
    func number(_ value: Int, _ width: Int) -> [UInt8] {
      let little = (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return isBig ? little.reversed() : little
    }
    let samples = pixels.joined().flatMap { value -> [UInt8] in
      switch sample {
      case .whole(let bits):
        number(Int((min(max(value, 0), 1) * Double(1 << bits - 1)).rounded()), bits / 8)
      case .float(16): number(Int(Float16(value).bitPattern), 2)
      case .float: number(Int(Float(value).bitPattern), 4)
      }
    }
    var all: [Int: [Int]] = [
      256: [pixels.count], 257: [1], 258: [8, 8, 8], 259: [1], 262: [2], 273: [8], 277: [3],
      278: [1], 279: [samples.count],
    ]
    all.merge(tags) { $1 }
    let start = 8 + samples.count + samples.count % 2
    var values: [UInt8] = []
    let count = all.count + fractions.count
    var entries: [(Int, [UInt8])] = []
    func add(_ tag: Int, _ type: Int, _ numbers: Int, _ data: [UInt8]) {
      var entry = number(tag, 2) + number(type, 2) + number(numbers, 4)
      if data.count > 4 {
        entry += number(start + 6 + 12 * count + values.count, 4)
        values += data
      } else {
        entry += data + [UInt8](repeating: 0, count: 4 - data.count)
      }
      entries.append((tag, entry))
    }
    for (tag, numbers) in all { add(tag, 3, numbers.count, numbers.flatMap { number($0, 2) }) }
    for (tag, pairs) in fractions {
      add(tag, 5, pairs.count, pairs.flatMap { number($0.0, 4) + number($0.1, 4) })
    }
    bytes = isBig ? Array("MM\0*".utf8) : Array("II*\0".utf8)
    bytes += number(start, 4) + samples + [UInt8](repeating: 0, count: samples.count % 2)
    bytes += number(count, 2) + entries.sorted { $0.0 < $1.0 }.flatMap(\.1) + number(0, 4) + values
  }
}
