import FoundationEssentials
import Glibc
import SafelightFiles
import SafelightFormats

extension FileFormat {
  /// TIFF and BigTIFF. Its header needs a decoder, which knows what libtiff makes of the tags.
  /// Source: TIFF 6.0.
  static let tiff = FileFormat(
    title: "TIFF", contentType: "public.tiff", mediaType: "image/tiff",
    fileExtensions: ["tif", "tiff"],
    hasExactSize: false,
    begins: { file in
      let marks: [StaticString] = ["II*\0", "II+\0", "MM\0*", "MM\0+"]
      return marks.contains { file.beginning.has($0) } && !file.isRawTIFF
    },
    size: { file in
      guard let photo = file.tiff?.photo, let width = photo.number(0x100),
        let height = photo.number(0x101)
      else { return nil }
      return (width, height)
    },
    header: { _, _, _ in false },
    metadata: { metadata, file in metadata.read(tiff: file) },
    digest: { (picture: inout PictureDigest) throws(FileSystemError) in try picture.addTIFF() },
    fingerprint: { $0.find(tiff: $1) })
}

// MARK: - Carried metadata

extension CarriedMetadata {
  /// Builds an Exif block from the directory of a TIFF's photo and takes XMP, IPTC and Photoshop resources
  /// out to their own segments.
  ///
  /// Source: TIFF 6.0; Adobe PageMaker 6.0 and Photoshop TIFF technical notes; XMP part 3.
  mutating func read(tiff file: PhotoBytes) {
    guard let structure = TIFFStructure(file, at: file.tiff?.photo?.directory) else {
      warn(.tiffUnreadable)
      return
    }
    func data(_ tag: Int) -> [UInt8]? {
      structure.main[tag]?.value.flatMap { $0.isEmpty ? nil : block($0, of: file) }
    }
    if let packet = data(700) { xmpPackets.append(packet) }
    profile = data(34_675).map { Data($0) }
    codedColor = CodedColor(
      white: data(318), primaries: data(319), curve: data(301), structure.order)
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
    photoshop?.digestPlain()
    var builder = ExifBuilder(structure, in: file.bytes(at:count:))
    builder.keepDescription()
    guard !builder.isEmpty else { return }
    add(built: builder)
  }
}

extension CodedColor {
  /// The colors that the directory of a TIFF states: x and y of white and of the primaries as fractions, and the light of
  /// each code of the curve, once or for each channel. `nil` when it states none, or those of sRGB.
  ///
  /// A curve that is neither a power nor that of sRGB, to a hundredth of white, is one that cannot be used. Source: TIFF
  /// 6.0, section 20.
  fileprivate init?(white: [UInt8]?, primaries: [UInt8]?, curve: [UInt8]?, _ order: ByteOrder) {
    func fractions(_ bytes: [UInt8]?, _ count: Int) -> [Double]? {
      guard let bytes, bytes.count == 8 * count else { return nil }
      return (0..<count).map { index in
        let (number, divisor) = (
          bytes.uint32(at: 8 * index, order) ?? 0, bytes.uint32(at: 8 * index + 4, order) ?? 0
        )
        return divisor == 0 ? 0 : Double(number) / Double(divisor)
      }
    }
    let usual = CodedColor.chromaticitiesOfSRGB
    let stated = fractions(primaries, 6).map { (fractions(white, 2) ?? Array(usual[..<2])) + $0 }
    let isUsual = stated.map { zip($0, usual).allSatisfy { abs($0 - $1) < 0.001 } } ?? true
    let power = curve.flatMap { Self.exponent(ofCurve: $0, order) }
    if isUsual, power == nil { return nil }
    self.init(
      primaries: isUsual ? 1 : CodedColor.unspecified,
      transfer: power == nil ? 13 : CodedColor.unspecified)
    if !isUsual { chromaticities = stated }
    exponent = power
  }

  /// The power of a curve; `nil` for the curve of sRGB, and 0 for others.
  private static func exponent(ofCurve bytes: [UInt8], _ order: ByteOrder) -> Double? {
    let entries = bytes.count / 2
    // The channels follow each other, each with a power of two of codes.
    let count = entries.nonzeroBitCount == 1 ? entries : entries / 3
    guard count >= 16, count.nonzeroBitCount == 1, entries == count || entries == 3 * count else {
      return 0
    }
    func light(_ index: Int) -> Double {
      Double(bytes.uint16(at: 2 * index, order) ?? 0) / 65_535
    }
    func code(_ index: Int) -> Double { Double(index % count) / Double(count - 1) }
    let middle = light(count / 2)
    guard (0.001..<1).contains(middle) else { return 0 }
    let power = log(middle) / log(code(count / 2))
    func fits(_ curve: (Double) -> Double) -> Bool {
      (0..<entries).allSatisfy { abs(light($0) - curve(code($0))) < 0.01 }
    }
    if fits({ $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }) { return nil }
    return fits { pow($0, power) } ? power : 0
  }
}

extension PhotoBytes {
  /// Compressions that no file but a camera's has: Nikon, Sony, Samsung, Kodak, Pentax, Epson, DNG.
  /// Source: ExifTool's documentation of TIFF's tag 259.
  private static let rawCompressions: Set = [
    262, 32_767, 32_769, 32_770, 32_772, 34_713, 34_892, 52_546, 65_000, 65_535,
  ]
  /// What the samples of a raw file mean: a color filter array, linear raw.
  private static let rawMeanings: Set = [32_803, 34_892]

  /// Whether a file with the directories of a TIFF is a camera raw file.
  ///
  /// A DNG says so by its version. The others have Canon's or Phase One's mark, or a picture whose
  /// meaning or compression only raw files have; it may stand behind a thumbnail, or below it.
  package var isRawTIFF: Bool {
    guard let tiff else { return false }
    return ["CR", "IIII", "MMMM"].contains { (mark: StaticString) in beginning.has(mark, at: 8) }
      || tiff.pictures.contains { picture in
        picture.number(50_706) != nil
          || picture.number(262).map(Self.rawMeanings.contains) == true
          || picture.number(259).map(Self.rawCompressions.contains) == true
      }
  }
}

// MARK: - Picture

extension PictureDigest {
  /// Tags that decide the pixels beside the orientation: size, coding, order, color. Source: TIFF 6.0.
  private static let tags = [
    256, 257, 258, 259, 262, 266, 277, 278, 284, 292, 293, 301, 317, 318, 319, 320, 322, 323,
    332, 333, 334, 336, 338, 339, 340, 341, 347, 529, 530, 531, 532, 34_675,
  ]

  /// Adds the photo, as its directory describes it: the first page, unless that is a thumbnail.
  mutating func addTIFF() throws(FileSystemError) -> Bool {
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
}

extension PictureFingerprint {
  /// The strips or tiles of the photo, which is the first page unless that is a thumbnail.
  mutating func find(tiff file: PhotoBytes) {
    guard let order = TIFFHeader(file.beginning)?.order, let photo = file.tiff?.photo,
      let count = file.bytes(at: photo.directory, count: 2)?.uint16(at: 0, order),
      let directory = file.bytes(at: photo.directory + 2, count: 12 * count)
    else { return }
    func numbers(_ tag: Int) -> [Int]? {
      for position in stride(from: 0, to: directory.count, by: 12) {
        guard
          let entry = TIFFEntry(
            directory, at: position, order, startingAt: photo.directory + 2, ofFile: file.count),
          entry.tag == tag
        else { continue }
        guard let value = entry.value?.prefix(4 * Self.mostStrips),
          let bytes = file.bytes(at: value.lowerBound, count: value.count)
        else { return nil }
        return (0..<min(entry.count, Self.mostStrips)).compactMap {
          entry.type == 3 ? bytes.uint16(at: 2 * $0, order) : bytes.uint32(at: 4 * $0, order)
        }
      }
      return nil
    }
    guard let offsets = numbers(273) ?? numbers(324), let counts = numbers(279) ?? numbers(325),
      offsets.count == counts.count
    else { return }
    // Width, height, coding and the length of each strip.
    for number in [256, 257, 258, 259, 262, 277].flatMap(photo.numbers) + counts {
      head.append(uint32: number)
    }
    if photo.number(259) ?? 1 == 1 {
      let (bits, samples) = (photo.number(258) ?? 1, photo.number(277) ?? 1)
      pixelLength = max(min(bits, 64) * min(samples, 64) / 8, 1)
    }
    pixels = zip(offsets, counts).map { $0..<$0 + $1 }
  }
}
