import FoundationEssentials
import SafelightFormats

extension CarriedMetadata {
  /// Gathers Exif, XMP, ImageMagick's raw profiles and the pixel density.
  ///
  /// Source: PNG specification, third edition; ImageMagick's documentation for raw profiles.
  mutating func read(png bytes: UnsafeRawBufferPointer) {
    var reader = ChunkReader(.png)
    var texts: [String] = []
    var color: CodedColor?
    var (content, display): (Double?, Double?)
    // The most bytes of unpacked metadata, in all texts together.
    var budget = 16 << 20
    while let chunk = reader.next(bytes.bytes(at:count:)),
      chunk.content.upperBound <= bytes.count
    {
      let data = bytes[chunk.content]
      switch chunk.type {
      case "eXIf": add(exif: data)
      case "iCCP": read(profile: data, budget: &budget)
      case "cICP":
        if let primaries = data.byte(at: 0), let transfer = data.byte(at: 1) {
          color = CodedColor(primaries: Int(primaries), transfer: Int(transfer))
        }
      case "cLLI": content = data.uint32(at: 0).map { Double($0) * 0.0001 }
      case "mDCV": display = data.uint32(at: 16).map { Double($0) * 0.0001 }
      case "pHYs": read(density: data)
      case "tEXt", "zTXt", "iTXt":
        if let text = PNGText(data, type: chunk.type), !read(text: text, budget: &budget) {
          texts.append(text.keyword)
        }
      default: break
      }
    }
    color?.peak = CodedColor.peak(content: content, display: display)
    take(color)
    if !texts.isEmpty { warn(.textNotCarried(keywords: texts)) }
  }

  /// Takes a color profile. libpng leaves out profiles that it finds flaws in, which lcms2 can use.
  private mutating func read(profile chunk: Slice<UnsafeRawBufferPointer>, budget: inout Int) {
    // The name, at most 79 letters, a zero byte, the method of compression, and the packed profile.
    let bytes = [UInt8](chunk)
    guard profile == nil, let end = bytes.prefix(80).firstIndex(of: 0),
      let unpacked = Zlib.unpacked(Array(bytes.dropFirst(end + 2)), limit: budget)
    else { return }
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

  private mutating func read(density bytes: Slice<UnsafeRawBufferPointer>) {
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

/// A text chunk of a PNG: `tEXt`, `zTXt` or `iTXt`.
struct PNGText {
  let keyword: String
  private let data: [UInt8]
  private let isCompressed: Bool

  /// Reads a chunk's content; nil when it has no keyword.
  init?(_ chunk: Slice<UnsafeRawBufferPointer>, type: String) {
    let bytes = [UInt8](chunk)
    guard let end = bytes.prefix(80).firstIndex(of: 0), end > 0 else { return nil }
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

  /// The text, unpacked; nil when it is damaged or larger than `limit` bytes.
  func contents(limit: Int) -> [UInt8]? {
    isCompressed ? Zlib.unpacked(data, limit: limit) : data.count <= limit ? data : nil
  }
}

extension CarriedMetadata {
  /// Builds an Exif block from a TIFF's first page and takes XMP, IPTC and Photoshop resources
  /// out to their own segments.
  ///
  /// Source: TIFF 6.0; Adobe PageMaker 6.0 and Photoshop TIFF technical notes; XMP part 3.
  mutating func read(tiff bytes: UnsafeRawBufferPointer) {
    guard let structure = TIFFStructure(bytes) else {
      warn(.tiffUnreadable)
      return
    }
    func data(_ tag: Int) -> [UInt8]? {
      structure.main[tag]?.value.flatMap { $0.isEmpty ? nil : [UInt8](bytes[$0]) }
    }
    if let packet = data(700) { xmpPackets.append(packet) }
    if let data = data(34_377) {
      var resources = PhotoshopResources(data)
      resources.removeThumbnails()
      photoshop = resources
    }
    // Programs write the same records in both places; one is enough.
    if let records = data(33_723), !(photoshop?.hasIPTC ?? false) {
      let wrapped = PhotoshopResources(iptc: records).bytes
      photoshop = PhotoshopResources(wrapped + (photoshop?.bytes ?? []))
    }
    var builder = ExifBuilder(structure, in: bytes)
    builder.keepDescription()
    guard !builder.isEmpty else { return }
    add(built: builder)
  }

  /// Rebuilds a block from another format when it is too large for one segment.
  mutating func shrinkExif() {
    for index in exifBlocks.indices where exifBlocks[index].count > ExifBuilder.largestBlock {
      guard var block = ExifBlock(exifBlocks[index]) else { continue }
      block.removeThumbnail()
      exifBlocks[index] = block.bytes
      guard block.bytes.count > ExifBuilder.largestBlock else { continue }
      let builder = block.bytes.withUnsafeBytes { ExifBuilder(block.structure, in: $0) }
      exifBlocks.remove(at: index)
      add(built: builder)
      return
    }
  }

  private mutating func add(built builder: ExifBuilder) {
    var builder = builder
    let result = builder.build()
    exifBlocks.append(result.bytes)
    if result.isMakerNoteMoved { warn(.makerNoteMoved) }
    if !builder.dropped.isEmpty { warn(.exifTagsNotCarried(builder.dropped.sorted())) }
  }
}

extension CarriedMetadata {
  /// Gathers the `EXIF` and `XMP ` chunks.
  mutating func read(webP bytes: UnsafeRawBufferPointer) {
    var reader = ChunkReader(.webP)
    while let chunk = reader.next(bytes.bytes(at:count:)),
      chunk.content.upperBound <= bytes.count
    {
      if chunk.content.isEmpty { continue }
      if chunk.type == "EXIF" { add(exif: bytes[chunk.content]) }
      if chunk.type == "XMP " { xmpPackets.append([UInt8](bytes[chunk.content])) }
    }
  }
}
