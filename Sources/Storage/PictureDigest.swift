import Glibc
import SafelightFiles
import SafelightFormats

/// Computes the SHA-256 of a photo's picture: of what decides its pixels, and of nothing else in the
/// file.
///
/// Other programs write ratings, keywords and places into originals. The picture stays the same then,
/// and so may its edit. The orientation and the color profile count as picture, because the render
/// depends on them. What stands behind the end of a JPEG, such as a motion photo's film, does not.
///
/// The digest is over the parts of the picture, each behind a label, in an order that does not depend
/// on where other programs put them. A change of this order needs another key in the record.
struct PictureDigest {
  private let fileSystem: FileSystem
  private let file: OpenFile
  private let size: Int
  /// One hash until the orientation is added; after it one for each orientation that is asked for.
  private var hashers = [SHA256()]
  /// Whether the digests for the other seven orientations are computed too.
  private let forAnyOrientation: Bool
  /// The orientation in the file's tag; `nil` for formats that turn their pixels themselves.
  private var orientation: Int?
  /// How many bytes may still be hashed. Parts may overlap or be shared, and whatever a file says of
  /// them, it costs no more than twice its size and a megabyte.
  private var budget: Int
  /// How many parts may still be read: far more than real photos have.
  private var partsLeft = 1 << 18

  private static let window = 256 << 10
  /// The most bytes of one block of metadata that are read: more than any real one.
  private static let largestBlock = 16 << 20

  /// The digest of the picture in an open file; `nil` for files whose parts are not known.
  ///
  /// Takes as long as reading the file once.
  static func digest(
    of file: OpenFile, size: Int64, _ fileSystem: FileSystem
  ) throws(FileSystemError) -> Digest? {
    let picture = try whole(
      PictureDigest(fileSystem, file, size: Int(size), forAnyOrientation: false))
    return picture?.hashers[0].finish()
  }

  /// The digests that the picture in an open file has with each orientation; `nil` for files whose
  /// parts are not known, or whose format has no tag for the orientation.
  static func digestsForAnyOrientation(
    of file: OpenFile, size: Int64, _ fileSystem: FileSystem
  ) throws(FileSystemError) -> TurnedDigests? {
    let picture = try whole(
      PictureDigest(fileSystem, file, size: Int(size), forAnyOrientation: true))
    guard let picture, let orientation = picture.orientation else { return nil }
    return TurnedDigests(
      orientation: orientation, digests: picture.hashers.map { $0.finish() })
  }

  /// The picture with all its parts hashed; `nil` when they are not known.
  private static func whole(
    _ unread: PictureDigest
  ) throws(FileSystemError) -> PictureDigest? {
    var picture = unread
    let head = try picture.bytes(at: 0, count: 12) ?? []
    let isKnown: Bool
    if head.uint16(at: 0) == 0xFFD8 {
      isKnown = try picture.addJPEG()
    } else if head.uint32(at: 0) == 0x8950_4E47 {
      isKnown = try picture.addPNG()
    } else if head.has("RIFF"), head.has("WEBP", at: 8) {
      isKnown = try picture.addWebP()
    } else if head.has("ftyp", at: 4) {
      isKnown = try picture.addISOMedia()
    } else {
      isKnown = try picture.addTIFF()
    }
    return isKnown ? picture : nil
  }

  private init(
    _ fileSystem: FileSystem, _ file: OpenFile, size: Int, forAnyOrientation: Bool
  ) {
    self.forAnyOrientation = forAnyOrientation
    self.fileSystem = fileSystem
    self.file = file
    self.size = size
    budget = 2 * size + (1 << 20)
  }

  /// Counts one more part of so many bytes; `false` when there are too many parts or bytes.
  private mutating func take(_ count: Int) -> Bool {
    partsLeft -= 1
    budget -= min(count, budget + 1)
    return partsLeft > 0 && budget >= 0
  }

  // MARK: - Bytes

  /// Bytes of the file; `nil` when they are not all there, or too many.
  private func bytes(at offset: Int, count: Int) throws(FileSystemError) -> [UInt8]? {
    guard offset >= 0, count >= 0, count <= Self.largestBlock, offset <= size - count else {
      return nil
    }
    let bytes = try fileSystem.bytes(of: file, from: Int64(offset), count: count)
    return bytes.count == count ? bytes : nil
  }

  private func label(_ label: String, _ count: Int) {
    hash(Array("\(label) \(count)\n".utf8))
  }

  private func hash(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      for hasher in hashers { hasher.update(bytes) }
    }
  }

  private func add(_ name: String, _ bytes: [UInt8]) {
    label(name, bytes.count)
    hash(bytes)
  }

  /// Adds bytes of the file, however many; `false` when they are not all there.
  private mutating func add(range: Range<Int>) throws(FileSystemError) -> Bool {
    guard take(range.count) else { return false }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let count = min(Self.window, range.upperBound - offset)
      guard let part = try bytes(at: offset, count: count) else { return false }
      hash(part)
      offset += count
    }
    return true
  }

  /// Adds the file's orientation, 1 to 8.
  private mutating func add(orientation: Int) {
    self.orientation = orientation
    guard forAnyOrientation else { return add("orientation", [UInt8(orientation)]) }
    let bytes = Array("orientation 1\n".utf8)
    let before = hashers[0]
    hashers = (1...8).map { orientation in
      let hasher = before.copy()
      (bytes + [UInt8(orientation)]).withUnsafeBytes { hasher.update($0) }
      return hasher
    }
  }

  /// Adds the orientation in an Exif block; a block without one stands for an upright picture.
  private mutating func add(orientationIn exif: [UInt8]?) {
    let block = exif.map { $0.has("Exif\0\0") ? Array($0.dropFirst(6)) : $0 }
    var orientation = 1
    if let block, let structure = TIFFStructure(block), let entry = structure.main[0x0112],
      let value = entry.value
    {
      orientation = Self.orientation(block[value], type: entry.type, structure.order)
    }
    add(orientation: orientation)
  }

  /// The orientation in a tag's value, 1 to 8, whatever type of number a program wrote it as.
  private static func orientation(_ value: ArraySlice<UInt8>, type: Int, _ order: ByteOrder) -> Int
  {
    let bytes = Array(value)
    let number =
      switch type {
      case 1, 6: bytes.byte(at: 0).map { Int($0) }
      case 4, 9: bytes.uint32(at: 0, order)
      default: bytes.uint16(at: 0, order)
      }
    return number.map { (1...8).contains($0) ? $0 : 1 } ?? 1
  }

  // MARK: - JPEG

  /// Adds frame, tables and scans, in file order. Source: ITU-T T.81, annex B.
  ///
  /// - Returns: Whether the picture is whole.
  private mutating func addJPEG() throws(FileSystemError) -> Bool {
    var reader = JPEGReader(size: size)
    var exif: [UInt8]?
    var header = JPEGColor()
    while let segment = try reader.next(bytes(at:count:)),
      let payload = try bytes(at: segment.payload.lowerBound, count: segment.payload.count)
    {
      switch segment.marker {
      case 0xE1 where payload.has("Exif\0") && exif == nil: exif = Array(payload.dropFirst(6))
      case 0xE2 where payload.has("ICC_PROFILE\0"): add("profile", payload)
      case 0xE0, 0xEE: header.read(segment, payload)
      case 0xE0...0xEF, 0xF0...0xFE: break
      default:
        header.read(segment, payload)
        add("segment \(segment.marker)", payload)
      }
      if segment.isScan { reader.offset = try addScan(at: reader.offset) }
    }
    add(orientationIn: exif)
    add("color", header.decided)
    return reader.isAtEnd && header.hasScan
  }

  /// What decoders go by when they choose the color space of a JPEG. Source: libjpeg,
  /// `default_decompress_parms`.
  private struct JPEGColor {
    private var hasJFIF = false
    private var adobe: [UInt8]?
    private var components: [UInt8] = []
    /// Whether a scan has begun; what comes later decides nothing.
    private(set) var hasScan = false

    mutating func read(_ segment: JPEGReader.Segment, _ payload: [UInt8]) {
      guard !hasScan else { return }
      switch segment.marker {
      case 0xE0: hasJFIF = hasJFIF || payload.has("JFIF\0")
      case 0xEE: if payload.has("Adobe") { adobe = Array(payload.dropFirst(11).prefix(1)) }
      case _ where segment.isFrame:
        components = stride(from: 6, to: payload.count, by: 3).map { payload[$0] }
      default: hasScan = segment.isScan
      }
    }

    /// Different for headers that may lead to different colors.
    var decided: [UInt8] {
      guard components.count == 3 else { return adobe.map { [UInt8(ascii: "A")] + $0 } ?? [] }
      if hasJFIF { return [1] }
      if let adobe { return adobe }
      return components == [1, 2, 3] ? [1] : Array("guessed".utf8)
    }
  }

  /// Adds the coded data of a scan.
  ///
  /// - Returns: Where the next marker is, or the file's end.
  private func addScan(at start: Int) throws(FileSystemError) -> Int {
    var offset = start
    while offset < size {
      guard let part = try bytes(at: offset, count: min(Self.window, size - offset)) else { break }
      var end = part.count
      var isOver = false
      part.withUnsafeBytes { part in
        var index = 0
        while index < part.count,
          let found = memchr(part.baseAddress! + index, 0xFF, part.count - index)
        {
          index = UnsafeRawPointer(found) - part.baseAddress!
          guard index + 1 < part.count else {
            // What follows is in the next window, unless this is the file's last byte.
            if index > 0 { end = index }
            break
          }
          // Stuffed zeros, fill bytes and restart markers belong to the scan.
          let next = part[index + 1]
          if next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) {
            (end, isOver) = (index, true)
            break
          }
          index += next == 0xFF ? 1 : 2
        }
        for hasher in hashers { hasher.update(UnsafeRawBufferPointer(rebasing: part[..<end])) }
      }
      offset += end
      if isOver { break }
    }
    label("scan", offset - start)
    return offset
  }

  // MARK: - PNG and WebP

  /// Source: PNG specification, third edition, clause 11.
  private mutating func addPNG() throws(FileSystemError) -> Bool {
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

  /// Source: RFC 9649.
  private mutating func addWebP() throws(FileSystemError) -> Bool {
    var exif: [UInt8]?
    var (hasPixels, hasAlpha): (Bool, Bool?) = (false, nil)
    var reader = ChunkReader(.webP)
    while let chunk = try reader.next(bytes(at:count:)) {
      let start = chunk.content.lowerBound
      switch chunk.type {
      case "VP8 ", "VP8L", "ALPH", "ICCP", "ANIM", "ANMF":
        label(chunk.type, chunk.content.count)
        guard try add(range: chunk.content) else { return false }
        hasPixels = hasPixels || chunk.type != "ICCP"
        // A lossless picture says in its fifth byte whether it has alpha.
        if chunk.type == "VP8L", hasAlpha == nil, let head = try bytes(at: start, count: 5) {
          hasAlpha = head[4] & 0x10 != 0
        }
      case "VP8X":
        // The file's flags count more than those of its picture.
        if let flags = try bytes(at: start, count: 1) { hasAlpha = flags[0] & 0x10 != 0 }
      case "EXIF" where exif == nil: exif = try bytes(at: start, count: chunk.content.count)
      default: break
      }
    }
    add("alpha", [hasAlpha == true ? 1 : 0])
    add(orientationIn: exif)
    return hasPixels
  }

  // MARK: - TIFF

  /// Tags that decide the pixels beside the orientation: size, coding, order, color. Source: TIFF 6.0.
  private static let tags = [
    256, 257, 258, 259, 262, 266, 277, 278, 284, 292, 293, 301, 317, 318, 319, 320, 322, 323,
    332, 333, 334, 336, 338, 339, 340, 341, 347, 529, 530, 531, 532, 34_675,
  ]

  /// Adds the photo, as its directory describes it: the first page, unless that is a thumbnail.
  private mutating func addTIFF() throws(FileSystemError) -> Bool {
    let reader = self
    guard let head = try bytes(at: 0, count: 8), let order = TIFFHeader(head)?.order,
      let photo = TIFFPictures({ try? reader.bytes(at: $0, count: $1) })?.photo,
      let count = try bytes(at: photo.directory, count: 2)?.uint16(at: 0, order),
      let entries = try bytes(at: photo.directory + 2, count: 12 * count)
    else { return false }
    let start = photo.directory + 2
    add("TIFF", Array(head[..<4]))
    var fields: [Int: (type: Int, bytes: [UInt8])] = [:]
    for position in stride(from: 0, to: entries.count, by: 12) {
      guard let entry = TIFFEntry(entries, at: position, order, startingAt: start, ofFile: size),
        fields[entry.tag] == nil,
        Self.tags.contains(entry.tag) || [273, 274, 279, 324, 325].contains(entry.tag)
      else { continue }
      guard let value = entry.value, take(value.count),
        let bytes = try bytes(at: value.lowerBound, count: value.count)
      else { return false }
      fields[entry.tag] = (entry.type, bytes)
    }
    for tag in Self.tags {
      if let field = fields[tag] { add("tag \(tag)", field.bytes) }
    }
    let orientation = fields[274].map { Self.orientation($0.bytes[...], type: $0.type, order) }
    add(orientation: orientation ?? 1)
    func numbers(_ tag: Int) -> [Int]? {
      fields[tag].map { field in
        field.type == 3
          ? stride(from: 0, to: field.bytes.count, by: 2)
            .compactMap { field.bytes.uint16(at: $0, order) }
          : stride(from: 0, to: field.bytes.count, by: 4)
            .compactMap { field.bytes.uint32(at: $0, order) }
      }
    }
    guard let offsets = numbers(273) ?? numbers(324), let counts = numbers(279) ?? numbers(325),
      offsets.count == counts.count, !offsets.isEmpty
    else { return false }
    for (offset, count) in zip(offsets, counts) {
      label("strip", count)
      guard try add(range: offset..<offset + count) else { return false }
    }
    return true
  }

  // MARK: - HEIF and AVIF

  /// Adds the coded items and their properties. Source: ISO/IEC 23008-12.
  private mutating func addISOMedia() throws(FileSystemError) -> Bool {
    let reader = self
    guard let media = ISOMediaFile({ try? reader.bytes(at: $0, count: $1) }),
      let primary = media.primaryItem
    else { return false }
    add("primary", Array(String(primary).utf8))
    media.bytes.withUnsafeBytes { bytes in
      // Which items a grid is made of, and which is the alpha of which.
      for box in ISOMediaBox.list(bytes, 4..<bytes.count)
      where box.type == ISOMediaBox.type("iref") && box.content.count > 4 {
        let references = box.content.lowerBound + 4..<box.content.upperBound
        for reference in ISOMediaBox.list(bytes, references)
        where reference.type != ISOMediaBox.type("cdsc") {
          add("reference \(reference.type)", Array(bytes[reference.content]))
        }
      }
    }
    var hasPixels = false
    for item in media.items.sorted(by: { $0.id < $1.id })
    where !["Exif", "mime", "uri "].contains(item.type) {
      add("item \(item.id)", Array(item.type.utf8))
      for property in media.properties(of: item.id) {
        guard take(property.content.count) else { return false }
        add("property \(property.type)", Array(media.bytes[property.content]))
      }
      if let ranges = media.ranges(of: item.id) {
        for range in ranges {
          label("extent", range.count)
          guard try add(range: range) else { return false }
          hasPixels = true
        }
      } else if let content = media.content(of: item.id) {
        guard take(content.count) else { return false }
        add("inside", content)
      }
    }
    return hasPixels
  }
}

/// The digests of one picture, whatever its orientation tag says.
struct TurnedDigests: Sendable {
  /// The orientation in the file's tag, 1 to 8.
  let orientation: Int
  /// The digests with the orientations 1 to 8.
  let digests: [Digest]

  /// The orientation with which the picture has a digest; `nil` when it has none of them.
  func orientation(of digest: Digest) -> Int? {
    digests.firstIndex(of: digest).map { $0 + 1 }
  }
}

extension FileSystem {
  /// The digests of the picture in a file: one, or one for each orientation that its tag may have.
  /// Empty for files whose parts are not known.
  package func pictureDigests(at path: FilePath) throws(FileSystemError) -> [Digest] {
    let file = try openForReading(path)
    let size = try status(of: file).size
    if let turned = try PictureDigest.digestsForAnyOrientation(of: file, size: size, self) {
      return turned.digests
    }
    return try PictureDigest.digest(of: file, size: size, self).map { [$0] } ?? []
  }
}
