import FoundationEssentials
import SafelightFiles
import SafelightFormats

extension FileFormat {
  /// PNG. Source: PNG specification, third edition.
  static let png = FileFormat(
    title: "PNG", contentType: "public.png", mediaType: "image/png", fileExtensions: ["png"],
    hasExactSize: true,
    begins: { $0.beginning.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) },
    header: { header, blocks, file in header.read(png: file, &blocks) },
    metadata: { metadata, file in metadata.read(png: file) },
    digest: { (picture: inout PictureDigest) throws(FileSystemError) in try picture.addPNG() },
    fingerprint: { $0.find(png: $1) })
}

// MARK: - Header

extension PhotoHeader {
  /// Reads the chunks of a PNG, also those after the pixels.
  ///
  /// - Returns: Whether all metadata could be read; compressed metadata need a decoder.
  mutating func read(png file: PhotoBytes, _ blocks: inout Blocks) -> Bool {
    // Pixels come in chunks of some kilobytes. Metadata after very many of them are not read.
    var reader = ChunkReader(.png, limit: 1024)
    while let chunk = reader.next(file.bytes(at:count:)) {
      if chunk.type == "IDAT" { continue }
      guard let data = file.bytes(at: chunk.content.lowerBound, count: chunk.content.count) else {
        break
      }
      switch chunk.type {
      case "IHDR": (width, height) = (data.uint32(at: 0) ?? 0, data.uint32(at: 4) ?? 0)
      case "eXIf": blocks.exif = data
      case "cICP":
        if let transfer = data.byte(at: 1), HDRTransfer(code: Int(transfer)) != nil {
          signs.insert(.hdr)
        }
      case "zTXt": return false
      case _ where data.has("Raw profile type ") || data.has("XML:com.adobe.xmp\0\u{01}"):
        return false
      case "iTXt" where data.has("XML:com.adobe.xmp\0\0"):
        blocks.packets.append(
          data.firstIndex(of: UInt8(ascii: "<")).map { Array(data[$0...]) } ?? [])
      case "tEXt" where data.has("Software\0"):
        if data.offset(of: "creenshot", in: 0..<data.count) != nil { signs.insert(.screenshot) }
      default: break
      }
    }
    return true
  }
}

// MARK: - Carried metadata

extension CarriedMetadata {
  private static let chunks: Set = [
    "eXIf", "iCCP", "cICP", "sRGB", "gAMA", "cHRM", "cLLI", "mDCV", "pHYs", "tEXt", "zTXt", "iTXt",
    "acTL",
  ]

  /// Gathers Exif, XMP, ImageMagick's raw profiles, the colors and the pixel density.
  ///
  /// Source: PNG specification, third edition; ImageMagick's documentation for raw profiles.
  mutating func read(png file: PhotoBytes) {
    var reader = ChunkReader(.png)
    var colors = PNGColors()
    var frames = 0
    var (content, display): (Double?, Double?)
    // The most bytes of unpacked metadata, in all texts together.
    var budget = 16 << 20
    // The still picture of an animation is its first frame when a frame's chunk stands before it.
    var (hasPixels, isFrame) = (false, false)
    while let chunk = reader.next(file.bytes(at:count:)) {
      if chunk.type == "IDAT" { hasPixels = true }
      if chunk.type == "fcTL", !hasPixels { isFrame = true }
      guard Self.chunks.contains(chunk.type), let data = block(chunk.content, of: file) else {
        continue
      }
      switch chunk.type {
      case "eXIf": add(exif: data)
      case "acTL": frames = min(data.uint32(at: 0) ?? 0, 1 << 24)
      case "iCCP": read(profile: data, budget: &budget)
      case "cICP", "sRGB", "gAMA", "cHRM": colors.take(chunk.type, data)
      case "cLLI": content = data.uint32(at: 0).map { Double($0) * 0.0001 }
      case "mDCV": display = data.uint32(at: 16).map { Double($0) * 0.0001 }
      case "pHYs": read(density: data)
      case "tEXt", "zTXt", "iTXt":
        guard let text = PNGText(data, type: chunk.type), !read(text: text, budget: &budget) else {
          break
        }
        if data.count <= budget {
          budget -= data.count
          texts.append(text)
        } else {
          warn(.textNotCarried(keywords: [text.keyword]))
        }
      default: break
      }
    }
    if frames > 0 { frameCount = frames + (isFrame ? 0 : 1) }
    var color = colors.color
    color?.peak = CodedColor.peak(content: content, display: display)
    take(color)
  }

  /// Takes a color profile. libpng leaves out profiles that it finds flaws in, which lcms2 can use.
  private mutating func read(profile bytes: [UInt8], budget: inout Int) {
    guard profile == nil else { return }
    // The name, at most 79 letters, a zero byte, the method of compression, and the packed profile.
    guard let end = bytes.prefix(80).firstIndex(of: 0),
      let unpacked = Zlib.unpacked(Array(bytes.dropFirst(end + 2)), limit: budget)
    else { return warn(.profileIncomplete) }
    budget -= unpacked.count
    profile = Data(unpacked)
  }

  /// Takes a text with metadata; false for any other text.
  private mutating func read(text: PNGText, budget: inout Int) -> Bool {
    let isXMP = text.keyword == "XML:com.adobe.xmp"
    let rawProfile = "Raw profile type "
    guard isXMP || text.keyword.hasPrefix(rawProfile) else { return false }
    guard let contents = text.contents(limit: budget) else {
      budget = 0
      warn(.compressedMetadataNotCarried(keyword: text.keyword))
      return true
    }
    budget -= contents.count
    if isXMP {
      xmpPackets.append(contents)
      return true
    }
    guard let profile = Self.rawProfile(contents) else { return false }
    switch text.keyword.dropFirst(rawProfile.count).lowercased() {
    case "exif", "app1":
      if profile.has("http://ns.adobe.com/xap/1.0/\0") {
        xmpPackets.append(Array(profile.dropFirst(Self.xmpHeader.count)))
      } else if exifBlocks.isEmpty {
        add(exif: profile)
      }
    case "xmp": if xmpPackets.isEmpty { xmpPackets.append(profile) }
    case "iptc", "8bim":
      var resources =
        profile.first == 0x1C ? PhotoshopResources(iptc: profile) : PhotoshopResources(profile)
      resources.removeThumbnails()
      if photoshop == nil { photoshop = resources }
    // The color profile comes from the decoder.
    case "icc", "icm": break
    default: return false
    }
    return true
  }

  /// ImageMagick's form: a line with the name, one with the length, then hexadecimal digits.
  private static func rawProfile(_ text: [UInt8]) -> [UInt8]? {
    let lines = text.split(separator: 0x0A, maxSplits: 2)
    guard lines.count == 3,
      let length = Int(
        String(decoding: lines[1].filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self))
    else { return nil }
    let digits = lines[2].compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard length > 0, length <= digits.count / 2 else { return nil }
    return (0..<length).map { (place: Int) -> UInt8 in
      UInt8(digits[2 * place] << 4 | digits[2 * place + 1])
    }
  }

  private mutating func read(density bytes: [UInt8]) {
    guard let x = bytes.uint32(at: 0), let y = bytes.uint32(at: 4), bytes.byte(at: 8) == 1 else {
      return
    }
    let (across, down) = ((Double(x) * 0.0254).rounded(), (Double(y) * 0.0254).rounded())
    guard (1...65_535).contains(across), (1...65_535).contains(down) else { return }
    var payload = Self.plainJFIF
    payload[7] = 1
    payload.set(uint16: Int(across), at: 8, .big)
    payload.set(uint16: Int(down), at: 10, .big)
    jfif = payload
  }
}

/// The chunks in which a PNG declares its colors by numbers.
///
/// Source: PNG specification, third edition: cICP counts before iCCP, that before sRGB, and that before gAMA and cHRM
/// (4.3). Like libpng, it takes the gamma of 45,455 for sRGB, which encoders of sRGB are told to write beside it (11.3.2.5).
private struct PNGColors {
  private var coded: CodedColor?
  private var isSRGB = false
  private var gamma: Double?
  private var chromaticities: [Double]?

  mutating func take(_ chunk: String, _ data: [UInt8]) {
    switch chunk {
    case "cICP" where coded == nil:
      guard data.count == 4, data[2] == 0, data[0] != 2 || data[1] != 2 else { return }
      coded = CodedColor(primaries: Int(data[0]), transfer: Int(data[1]))
      coded?.isVideoRange = data[3] == 0
      coded?.comesBeforeProfile = true
    case "sRGB": isSRGB = true
    case "gAMA" where gamma == nil:
      gamma = data.uint32(at: 0).flatMap { $0 > 0 ? Double($0) / 100_000 : nil }
    case "cHRM" where chromaticities == nil && data.count == 32:
      chromaticities = (0..<8).compactMap { data.uint32(at: 4 * $0).map { Double($0) / 100_000 } }
    default: break
    }
  }

  /// What the chunks say together; nil when they say nothing.
  var color: CodedColor? {
    if let coded { return coded }
    if isSRGB { return .sRGB }
    guard gamma != nil || chromaticities != nil else { return nil }
    let isUsual = chromaticities.map { numbers in
      zip(numbers, CodedColor.chromaticitiesOfSRGB).allSatisfy { abs($0 - $1) < 0.001 }
    }
    let isSRGBGamma = gamma.map { abs($0 - 0.454_55) < 0.000_5 }
    if isUsual ?? true, isSRGBGamma ?? true { return .sRGB }
    var color = CodedColor(
      primaries: isUsual == false ? CodedColor.unspecified : 1,
      transfer: gamma == nil ? 13 : CodedColor.unspecified)
    if isUsual == false { color.chromaticities = chromaticities }
    color.exponent = gamma.map { 1 / $0 }
    return color
  }
}

/// A text chunk of a PNG: `tEXt`, `zTXt` or `iTXt`.
struct PNGText: Sendable {
  let keyword: String
  /// The type of the chunk.
  let type: String
  /// The chunk's content.
  let bytes: [UInt8]
  private let data: [UInt8]
  private let isCompressed: Bool

  /// Reads a chunk's content; nil when it has no keyword.
  init?(_ bytes: [UInt8], type: String) {
    guard let end = bytes.prefix(80).firstIndex(of: 0), end > 0 else { return nil }
    (self.type, self.bytes) = (type, bytes)
    keyword = String(String.UnicodeScalarView(bytes[..<end].map { Unicode.Scalar($0) }))
    switch type {
    case "zTXt":
      isCompressed = true
      data = Array(bytes.dropFirst(end + 2))
    case "iTXt":
      // Compression flag and method, then language and translated keyword, each up to a NUL.
      guard let flag = bytes.byte(at: end + 1) else { return nil }
      let fields = bytes.dropFirst(end + 3)
      guard let language = fields.firstIndex(of: 0),
        let translation = fields[(language + 1)...].firstIndex(of: 0)
      else { return nil }
      isCompressed = flag != 0
      data = Array(bytes[(translation + 1)...])
    default:
      isCompressed = false
      data = Array(bytes.dropFirst(end + 1))
    }
  }

  /// Whether it is a comment, which a JPEG has a segment for.
  var isComment: Bool { keyword.lowercased() == "comment" }

  /// The text without outer spaces; nil for one that is damaged or longer than `limit` bytes.
  func string(limit: Int) -> String? {
    guard let letters = contents(limit: limit)?.prefix(while: { $0 != 0 }) else { return nil }
    // Only the international form is UTF-8, but programs write UTF-8 into the others too.
    return String(utf8OrLatin1: letters).withoutOuterSpaces
  }

  /// The text, unpacked; nil when it is damaged or larger than `limit` bytes.
  func contents(limit: Int) -> [UInt8]? {
    isCompressed ? Zlib.unpacked(data, limit: limit) : data.count <= limit ? data : nil
  }
}

// MARK: - Picture

extension PictureDigest {
  /// Source: PNG specification, third edition, clause 11.
  mutating func addPNG() throws(FileSystemError) -> Bool {
    let kinds: Set = [
      "IHDR", "PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "sBIT",
    ]
    var parts: [String: [UInt8]] = [:]
    var exif: [UInt8]?
    var pixels = 0
    var reader = ChunkReader(.png)
    while let chunk = try reader.next(bytes(at:count:)) {
      let (start, count) = (chunk.content.lowerBound, chunk.content.count)
      switch chunk.type {
      case "IDAT":
        guard try add(range: chunk.content) else { return false }
        pixels += count
      case "eXIf" where exif == nil: exif = try bytes(at: start, count: count)
      case "tEXt", "zTXt", "iTXt":
        // Some programs keep Exif, and with it the orientation, as text.
        let name = try bytes(at: start, count: min(count, 21)) ?? []
        guard name.has("Raw profile type exif") || name.has("Raw profile type APP1") else { break }
        guard let text = try bytes(at: start, count: count) else { return false }
        add(chunk.type, text)
      case let type where kinds.contains(type) && parts[type] == nil:
        guard let part = try bytes(at: start, count: count) else { return false }
        parts[type] = part
      default: break
      }
    }
    label("pixels", pixels)
    for (kind, part) in parts.sorted(by: { $0.key < $1.key }) { add(kind, part) }
    add(orientationIn: exif)
    return pixels > 0
  }
}

extension PictureFingerprint {
  mutating func find(png file: PhotoBytes) {
    var reader = ChunkReader(.png)
    while let chunk = reader.next(file.bytes(at:count:)) {
      switch chunk.type {
      case "IHDR", "PLTE":
        head += file.bytes(at: chunk.content.lowerBound, count: chunk.content.count) ?? []
      case "IDAT": pixels.append(chunk.content)
      // The chunks of the pixels follow one another.
      default: if !pixels.isEmpty { return }
      }
      if pixels.count == Self.mostParts { return }
    }
  }
}
