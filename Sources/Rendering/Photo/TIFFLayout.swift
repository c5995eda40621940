import SafelightFormats
import SafelightMetadata
import SafelightVips

/// How the samples of a TIFF are laid out, and what they mean.
///
/// Every layout is judged before a decoder sees the file: it is read as it is meant, or refused with what it is. Common
/// layouts are left to the decoder. Of others the decoder gets a view in which each sample is a plain channel
/// (``view``), and ``picture(of:)`` makes colors of the samples. Source: TIFF 6.0; Adobe Photoshop TIFF technical notes
/// (floating point, ICC Lab); libtiff 4.5; libvips 8.14 (`tiff2vips.c`).
struct TIFFLayout: Sendable {
  /// What the color channels of a pixel are.
  enum Color: Sendable, Hashable {
    case gray(whiteIsZero: Bool)
    case rgb, palette, cmyk, cieLab, iccLab, yCbCr
    /// Light, by the logarithm of its luminance (LogL, LogLuv).
    case light

    /// Channels of a pixel.
    var channels: Int {
      switch self {
      case .gray, .palette: 1
      case .rgb, .cieLab, .iccLab, .yCbCr, .light: 3
      case .cmyk: 4
      }
    }
  }

  /// How a sample is stored.
  enum Sample: Sendable, Hashable {
    case whole(bits: Int)
    case float(bits: Int)
  }

  let color: Color
  let sample: Sample
  /// The channel of the transparency, counted from the first, and whether the colors are multiplied by it.
  private(set) var alpha: (channel: Int, isAssociated: Bool)?
  /// Channels that are neither color nor transparency, such as spot colors and masks.
  private(set) var others = 0
  /// What the decoder reads in place of the directory; `nil` when it reads the file as it is.
  private(set) var view: BytePatch?
  /// What makes colors of luma and chroma; `nil` where the decoder does that.
  private(set) var lumaChroma: LumaChroma?

  /// Whether the samples are ICC Lab, which ``picture(of:)`` also makes of CIE Lab.
  var isICCLab: Bool { color == .iccLab || color == .cieLab && view != nil }

  private var isLab: Bool { color == .iccLab || color == .cieLab }

  /// What the render leaves out or narrows.
  var warnings: [RenderWarning] {
    var warnings: [RenderWarning] = []
    if case .float(let bits) = sample, color != .light, !isLab {
      warnings.append(.floatingPoint(bits: bits))
    }
    if others > 0 { warnings.append(.channelsLeftOut(others)) }
    return warnings
  }

  /// Judges the picture that a TIFF shows.
  ///
  /// - Returns: `nil` when the directories cannot be read; the decoder then says what is wrong.
  /// - Throws: What the file is, when its layout is not read.
  init?(_ file: PhotoBytes) throws(UnsupportedPhoto) {
    guard let tiff = file.tiff, let photo = tiff.photo else { return nil }
    try Self.checkCompression(photo)
    let samples = photo.number(277) ?? 1
    sample = try Self.sample(photo)
    color = try Self.color(photo, samples)
    try Self.check(sample, color, samples)
    let isJPEG = [6, 7].contains(photo.number(259) ?? 1)
    let isSeparate = photo.number(284) == 2 && samples > 1
    if isSeparate, !photo.numbers(322).isEmpty { throw .tiff("of tiles in separate planes") }
    if color == .light { return }
    findChannels(photo, samples)
    if color == .palette, samples > 1 {
      let isAlpha = samples == 2 && [[], [2]].contains(photo.numbers(338)) && !isSeparate
      guard isAlpha else { throw .tiff("of a palette with further channels") }
      return
    }

    var tags: [Int: [Int]?] = [:]
    if color == .yCbCr {
      guard !isJPEG else { return }
      let found = try LumaChroma(photo, samples)
      lumaChroma = found
      tags = found.tags(photo)
    }
    if sample == .float(bits: 16) {
      // libtiff undoes this predictor of floating-point samples alone, of which the decoder knows none so short.
      if photo.number(317) == 3 { throw .tiff("of 16-bit floating-point samples with a predictor") }
      tags[339] = .some(nil)
    }
    if photo.numbers(339).contains(2) { tags[339] = .some(nil) }
    if case (.float, .gray) = (sample, color) { tags[262] = [2] }
    // Channels of color, and those that the decoder neither multiplies nor mixes up, it hands out as they are.
    let isGray = color == .gray(whiteIsZero: true) || color == .gray(whiteIsZero: false)
    let hasMore = samples > color.channels
    let isMixed =
      hasMore && (isGray && (others > 0 || isSeparate) || isLab || alpha?.isAssociated == true)
      || isLab && isSeparate
    guard isMixed || !tags.isEmpty else { return }
    if hasMore {
      tags[338] = .some(samples > 3 ? [Int](repeating: 0, count: samples - 3) : nil)
    }
    tags[262] = [2]
    view = tiff.view(of: photo, replacing: tags) { file.bytes(at: $0, count: $1) }
    if view == nil { throw .tiff("of a layout that leaves its decoder no room") }
  }

  /// Finds which channels are transparency and which mean nothing here.
  private mutating func findChannels(_ photo: TIFFPictures.Picture, _ samples: Int) {
    let extra = samples - color.channels
    guard extra > 0 else { return }
    let kinds = photo.numbers(338)
    // One more channel of a file that does not say what it is has always been taken for transparency.
    let place =
      kinds.isEmpty && extra == 1 ? 0 : kinds.prefix(extra).firstIndex { $0 == 1 || $0 == 2 }
    alpha = place.map { (color.channels + $0, kinds.indices.contains($0) && kinds[$0] == 1) }
    others = extra - (alpha == nil ? 0 : 1)
  }

  // MARK: - Judging

  /// What libtiff unpacks. Source: TIFF 6.0, libtiff 4.5 (`tif_codec.c`) as Debian builds it.
  private static let compressions: Set = [
    1, 2, 3, 4, 5, 6, 7, 8, 32_771, 32_773, 32_809, 32_895, 32_908, 32_909, 32_946, 34_661, 34_676,
    34_677, 34_887, 34_925, 50_000, 50_001,
  ]
  private static let compressionNames = [
    33_003: "as JPEG 2000", 33_004: "as JPEG 2000", 33_005: "as JPEG 2000", 34_712: "as JPEG 2000",
    33_007: "as JPEG", 34_892: "as JPEG", 33_933: "as PNG", 34_933: "as PNG", 34_934: "as JPEG XR",
    22_610: "as JPEG XR", 50_002: "as JPEG XL", 52_546: "as JPEG XL",
  ]

  private static func checkCompression(_ photo: TIFFPictures.Picture) throws(UnsupportedPhoto) {
    let method = photo.number(259) ?? 1
    guard compressions.contains(method) else {
      throw .tiff("compressed " + (compressionNames[method] ?? "by method \(method)"))
    }
  }

  /// How samples are stored: all in the same way.
  private static func sample(_ photo: TIFFPictures.Picture) throws(UnsupportedPhoto) -> Sample {
    let widths = Set(photo.numbers(258).isEmpty ? [1] : photo.numbers(258))
    guard widths.count == 1, let bits = widths.first else {
      throw .tiff("of channels of different widths")
    }
    let formats = Set(photo.numbers(339))
    guard formats.count < 2 else { throw .tiff("of channels of different kinds of numbers") }
    switch formats.first ?? 1 {
    // 4 says that the kind is not known.
    case 1, 4: return .whole(bits: bits)
    case 2:
      // The a* and b* of CIE Lab have signs, and some writers say so of all three.
      guard photo.number(262) == 8 else { throw .tiff("of \(bits)-bit samples with signs") }
      return .whole(bits: bits)
    case 3: return .float(bits: bits)
    case 5, 6: throw .tiff("of complex numbers")
    case let format: throw .tiff("of samples of kind \(format)")
    }
  }

  /// What the channels mean.
  private static func color(
    _ photo: TIFFPictures.Picture, _ samples: Int
  ) throws(UnsupportedPhoto) -> Color {
    let color: Color
    switch photo.number(262) ?? (samples < 3 ? 1 : 2) {
    case 0: color = .gray(whiteIsZero: true)
    case 1: color = .gray(whiteIsZero: false)
    case 2: color = .rgb
    case 3:
      guard !photo.numbers(320).isEmpty else { throw .tiff("of a palette that is not there") }
      color = .palette
    case 4: throw .tiff("of a mask")
    case 5:
      guard photo.number(332) ?? 1 == 1, photo.number(334) ?? 4 == 4 else {
        throw .tiff("of other inks than cyan, magenta, yellow and black")
      }
      color = .cmyk
    case 6: color = .yCbCr
    case 8: color = .cieLab
    case 9: color = .iccLab
    case 10: throw .tiff("of ITU Lab")
    case 32_844, 32_845:
      guard [34_676, 34_677].contains(photo.number(259) ?? 1) else {
        throw .tiff("of LogLuv that is not packed")
      }
      return .light
    case 51_177: throw .tiff("of depths")
    case let kind: throw .tiff("of colors of kind \(kind)")
    }
    guard samples >= color.channels else {
      throw .tiff("of \(samples) of the \(color.channels) channels that its colors have")
    }
    return color
  }

  /// Whether samples of this kind can stand for these colors.
  private static func check(
    _ sample: Sample, _ color: Color, _ samples: Int
  ) throws(UnsupportedPhoto) {
    guard samples <= 64 else { throw .tiff("of \(samples) channels") }
    switch (sample, color) {
    case (_, .light): return
    case (.whole(8), _): return
    case (.whole(let bits), .palette) where [1, 2, 4].contains(bits) && samples == 1: return
    case (.whole(let bits), .gray) where [1, 2, 4].contains(bits) && samples == 1: return
    case (.whole(16), .gray), (.whole(16), .rgb), (.whole(16), .cmyk), (.whole(16), .cieLab),
      (.whole(16), .iccLab):
      return
    case (.whole(32), .gray), (.whole(32), .rgb): return
    case (.float(16), .gray), (.float(16), .rgb), (.float(32), .gray), (.float(32), .rgb): return
    case (.float(32), .cieLab) where samples == 3: return
    case (.whole(let bits), .palette): throw .tiff("of a palette of \(bits) bits")
    case (.whole(let bits), _): throw .tiff("of \(bits)-bit samples")
    case (.float(let bits), _): throw .tiff("of \(bits)-bit floating-point samples")
    }
  }
}

extension UnsupportedPhoto {
  /// A kind of TIFF, whose name goes on with what it is of.
  static func tiff(_ what: String) -> UnsupportedPhoto {
    let kind = "a TIFF \(what)"
    return UnsupportedPhoto(
      kind, "which its decoder does not read", help: help(for: kind) ?? Help.export)
  }
}

/// Luma and chroma of a TIFF that is not compressed as JPEG, where libtiff hands them out as they are stored.
///
/// Chroma that is stored for several pixels comes in blocks: the luma of each pixel, row by row, then the two numbers of
/// chroma. The decoder sees each block as a pixel of as many channels. Source: TIFF 6.0, sections 20 and 21.
struct LumaChroma: Sendable {
  /// Pixels of a block, across and down.
  let across, down: Int
  private let width, height: Int
  /// Shares of red, green and blue in luma.
  private let shares: [Double]
  /// The codes of black and white for luma, and of no color and most color for both kinds of chroma.
  private let codes: [Double]

  private static let kind = "of subsampled colors (YCbCr)"

  init(_ photo: TIFFPictures.Picture, _ samples: Int) throws(UnsupportedPhoto) {
    let sampling = photo.numbers(530)
    (width, height) = (photo.number(256) ?? 0, photo.number(257) ?? 0)
    guard sampling.count == 2, (1...1 << 26).contains(width), (1...1 << 26).contains(height) else {
      throw .tiff("of YCbCr that does not say how its colors are subsampled")
    }
    (across, down) = (sampling[0], sampling[1])
    let isWhole = across == 1 && down == 1
    guard [1, 2, 4].contains(across), [1, 2, 4].contains(down) else { throw .tiff(Self.kind) }
    // A predictor counts pixels, and the planes of chroma have another size than that of luma.
    guard isWhole || photo.number(284) ?? 1 == 1 && photo.number(317) ?? 1 == 1 && samples == 3
    else { throw .tiff(Self.kind) }
    // A strip that ends inside of a block has no picture of blocks.
    let rows = photo.number(278) ?? height
    let tile = (photo.number(322) ?? across, photo.number(323) ?? down)
    guard isWhole || rows >= height || rows % down == 0, tile.0 % across == 0, tile.1 % down == 0
    else { throw .tiff(Self.kind) }
    if !isWhole, photo.number(259) ?? 1 == 1, photo.numbers(322).isEmpty,
      let bytes = photo.number(279)
    {
      let blocks = (width + across - 1) / across * ((min(rows, height) + down - 1) / down)
      guard bytes == blocks * (across * down + 2) else { throw .tiff(Self.kind) }
    }
    let shares = photo.fractions(529)
    self.shares =
      shares.count == 3 && shares.allSatisfy({ $0 > 0 && $0 < 1 }) ? shares : [0.299, 0.587, 0.114]
    let codes = photo.fractions(532)
    let isUsable =
      codes.count == 6 && stride(from: 0, to: 6, by: 2).allSatisfy { codes[$0 + 1] > codes[$0] }
    self.codes = isUsable ? codes : [0, 255, 128, 255, 128, 255]
  }

  /// What a directory says in which luma and chroma are plain channels.
  func tags(_ photo: TIFFPictures.Picture) -> [Int: [Int]?] {
    var tags: [Int: [Int]?] = [:]
    for tag in [529, 530, 531, 532] { tags[tag] = .some(nil) }
    guard across > 1 || down > 1 else { return tags }
    let channels = across * down + 2
    tags[256] = [(width + across - 1) / across]
    tags[257] = [(height + down - 1) / down]
    tags[258] = [8]
    tags[277] = [channels]
    for tag in [280, 281, 284, 317, 339, 340, 341] { tags[tag] = .some(nil) }
    tags[338] = [Int](repeating: 0, count: channels - 3)
    if let rows = photo.number(278) { tags[278] = [(min(rows, height) + down - 1) / down] }
    if let side = photo.number(322) { tags[322] = [side / across] }
    if let side = photo.number(323) { tags[323] = [side / down] }
    return tags
  }

  /// Red, green and blue of the samples as they are stored.
  func picture(of stored: Image) throws(VipsError) -> Image {
    let (across, down, bands) = (across, down, stored.bands)
    let (red, blue) = (2 - 2 * shares[0], 2 - 2 * shares[2])
    let (shares, codes) = (shares, codes)
    let scale = (
      255 / (codes[1] - codes[0]), 127 / (codes[3] - codes[2]), 127 / (codes[5] - codes[4])
    )
    let blocks: @Sendable (PixelArea.Bounds) -> PixelArea.Bounds = { area in
      let (left, top) = (area.left / across, area.top / down)
      return PixelArea.Bounds(
        left: left, top: top, width: (area.left + area.width - 1) / across - left + 1,
        height: (area.top + area.height - 1) / down - top + 1)
    }
    return try Image.computed(
      from: [stored], like: stored, format: .uint8, bands: 3, width: width, height: height,
      needing: blocks
    ) { inputs, output in
      let input = inputs[0]
      for y in output.top..<(output.top + output.height) {
        let row = input.address(row: y / down).assumingMemoryBound(to: UInt8.self)
        let result = output.address(row: y).assumingMemoryBound(to: UInt8.self)
        for x in 0..<output.width {
          let place = output.left + x
          let block = row + (place / across - input.left) * bands
          let pixel = y % down * across + place % across
          let luma = (Double(block[pixel]) - codes[0]) * scale.0
          let chroma = across * down
          let toBlue = (Double(block[chroma]) - codes[2]) * scale.1
          let toRed = (Double(block[chroma + 1]) - codes[4]) * scale.2
          let r = luma + red * toRed
          let b = luma + blue * toBlue
          let g = (luma - shares[0] * r - shares[2] * b) / shares[1]
          for (channel, value) in [r, g, b].enumerated() {
            result[3 * x + channel] = UInt8(min(max(value.rounded(), 0), 255))
          }
        }
      }
      return true
    }
  }
}
