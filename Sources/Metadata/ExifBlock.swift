import FoundationEssentials
import Glibc
import SafelightFormats

/// An Exif block: a TIFF structure as it stands in a JPEG's APP1, without the `Exif` header.
///
/// The bytes stay as they were read. Reading never leaves their bounds. Changes are made in place,
/// because maker notes have offsets that only their maker understands.
/// Source: CIPA DC-008 (Exif 2.32), TIFF 6.0.
package struct ExifBlock: Sendable {
  /// The block from its byte-order mark on.
  package internal(set) var bytes: [UInt8]
  var structure: TIFFStructure

  var order: ByteOrder { structure.order }
  var main: TIFFDirectory { structure.main }
  var exif: TIFFDirectory? { structure.exif }
  var gps: TIFFDirectory? { structure.gps }

  enum Tag {
    static let imageWidth = 0x100
    static let imageLength = 0x101
    static let stripOffsets = 0x111
    static let stripByteCounts = 0x117
    static let orientation = 0x112
    static let xResolution = 0x11A
    static let yResolution = 0x11B
    static let resolutionUnit = 0x128
    static let thumbnailOffset = 0x201
    static let thumbnailLength = 0x202
    static let makerNote = 0x927C
    static let colorSpace = 0xA001
    static let subjectArea = 0x9214
    static let subjectLocation = 0xA214
    static let pixelWidth = 0xA002
    static let pixelHeight = 0xA003
  }

  /// Reads a block; nil when it has no TIFF header or no first directory.
  ///
  /// - Parameter block: The TIFF structure, with or without the `Exif` header before it, or
  ///   HEIF's offset before that.
  package init?(_ block: some RandomAccessCollection<UInt8>) {
    var bytes = [UInt8](block)
    if let start = [6, 4, 10].first(where: { TIFFHeader(bytes.dropFirst($0)) != nil }),
      TIFFHeader(bytes) == nil
    {
      bytes.removeFirst(start)
    }
    guard let structure = TIFFStructure(bytes) else { return nil }
    self.bytes = bytes
    self.structure = structure
  }

  /// The first whole number of an entry; nil unless it has one.
  func integer(_ entry: TIFFEntry?) -> Int? {
    guard let entry, entry.count > 0, let start = entry.value?.lowerBound else { return nil }
    switch entry.type {
    case 1, 6, 7: return bytes.byte(at: start).map(Int.init)
    case 3, 8: return bytes.uint16(at: start, order)
    case 4, 9, 13: return bytes.uint32(at: start, order)
    default: return nil
    }
  }

  /// One fraction of an entry. 0/0 counts as 0, because cameras write it for unused seconds.
  func rational(_ entry: TIFFEntry?, _ index: Int = 0) -> Double? {
    guard let entry, entry.type == 5 || entry.type == 10, index < entry.count,
      let start = entry.value?.lowerBound,
      let above = bytes.uint32(at: start + 8 * index, order),
      let below = bytes.uint32(at: start + 8 * index + 4, order)
    else { return nil }
    let isSigned = entry.type == 10
    let numerator = isSigned ? Double(Int32(truncatingIfNeeded: above)) : Double(above)
    let denominator = isSigned ? Double(Int32(truncatingIfNeeded: below)) : Double(below)
    guard denominator != 0 else { return numerator == 0 ? 0 : nil }
    return numerator / denominator
  }

  /// The text of an entry up to its first NUL, without surrounding white space; nil when empty.
  func text(_ entry: TIFFEntry?) -> String? {
    guard let entry, entry.type == 2 || entry.type == 7 || entry.type == 1,
      let value = entry.value
    else { return nil }
    let characters = bytes[value].prefix { $0 != 0 }
    // Exif says ASCII; cameras and people also write UTF-8 and Latin-1.
    let trimmed = String(utf8OrLatin1: characters).withoutOuterSpaces
    return trimmed.isEmpty ? nil : trimmed
  }
}

// MARK: - Values of the block

extension ExifBlock {
  /// How the stored pixels are turned, 1 to 8; anything else in the file counts as 1.
  package var orientation: Int {
    guard let value = integer(main[Tag.orientation]), (1...8).contains(value) else { return 1 }
    return value
  }

  /// Maker of the camera; nil when absent or empty.
  package var make: String? { text(main[0x10F]) }

  /// Model of the camera; nil when absent or empty.
  package var model: String? { text(main[0x110]) }

  /// Width and height in pixels by the block; nil unless both are there.
  package var pixelSize: (width: Int, height: Int)? {
    guard let width = integer(exif?[Tag.pixelWidth]), width > 0,
      let height = integer(exif?[Tag.pixelHeight]), height > 0
    else { return nil }
    return (width, height)
  }

  /// Maker and model of the camera as one name; nil when the block names neither.
  package var camera: String? { Self.camera(make: make, model: model) }

  /// One name for a camera. Most makers repeat their name in the model.
  package static func camera(make: String?, model: String?) -> String? {
    guard let make, let model else { return make ?? model }
    return model.hasPrefix(make) ? model : make + " " + model
  }

  /// When the picture was taken, by the camera's clock; nil when absent.
  package var captureTime: ClockTime? { time(0x9003, subSeconds: 0x9291, offset: 0x9011) }

  /// When the picture was stored as digital data, by the clock of the camera or scanner; nil when absent.
  package var digitizedTime: ClockTime? { time(0x9004, subSeconds: 0x9292, offset: 0x9012) }

  /// The time of the satellites, in UTC; nil when absent or impossible.
  package var gpsTime: ClockTime? {
    guard let date = text(gps?[0x1D]), let entry = gps?[7], entry.count == 3,
      let hours = rational(entry), let minutes = rational(entry, 1),
      let seconds = rational(entry, 2), let day = ClockTime(exif: date + " 00:00:00")
    else { return nil }
    let time = hours * 3600 + minutes * 60 + seconds
    guard (0..<86_401).contains(time) else { return nil }
    return ClockTime(reading: day.reading.addingTimeInterval(time), secondsFromUTC: 0)
  }

  /// A time with the offset of its own tag, or else with that of another time of the same camera.
  private func time(_ tag: Int, subSeconds: Int, offset: Int) -> ClockTime? {
    text(exif?[tag]).flatMap { time in
      ClockTime(
        exif: time, subSeconds: text(exif?[subSeconds]),
        offsets: [offset, 0x9010, 0x9011, 0x9012].compactMap { text(exif?[$0]) })
    }
  }

  /// Model of the lens; nil when absent or empty.
  package var lens: String? { text(exif?[0xA434]).flatMap { $0.contains { $0 != "-" } ? $0 : nil } }

  /// Sensitivity (ISO 12232); nil when absent.
  package var sensitivity: Int? {
    let value = integer(exif?[0x8827])
    // Sensitivities beyond 16 bits stand in tags of their own (Exif 2.3).
    let large = value == nil || value == 65_535
    let known = large ? integer(exif?[0x8832]) ?? integer(exif?[0x8833]) ?? value : value
    return known.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Seconds of exposure; nil when absent.
  package var exposureTime: Double? {
    positive(rational(exif?[0x829A])) ?? positive(rational(exif?[0x9201]).map { exp2(-$0) })
  }

  /// The f-number; nil when absent. A lens without an aperture that the camera knows has 0.
  package var aperture: Double? {
    positive(rational(exif?[0x829D])) ?? positive(rational(exif?[0x9202]).map { exp2($0 / 2) })
  }

  /// Millimeters of focal length; nil when absent or unknown.
  package var focalLength: Double? { positive(rational(exif?[0x920A])) }

  private func positive(_ number: Double?) -> Double? {
    number.flatMap { $0 > 0 && $0 < 1e9 ? $0 : nil }
  }

  /// The user's comment; nil when absent or empty. Eight letters before it say how its letters are stored (Exif 2.32,
  /// 4.6.5).
  var userComment: String? {
    guard let value = exif?[0x9286]?.value, value.count > 8 else { return nil }
    let letters = bytes[value].dropFirst(8)
    let text: String
    if bytes.has("UNICODE", at: value.lowerBound) {
      let units = stride(from: letters.startIndex, to: letters.endIndex - 1, by: 2).compactMap {
        bytes.uint16(at: $0, order).map { UInt16($0) }
      }
      text = String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    } else {
      text = String(utf8OrLatin1: letters.prefix { $0 != 0 })
    }
    let trimmed = text.withoutOuterSpaces
    return trimmed.isEmpty ? nil : trimmed
  }

  /// What Windows writes for a text: UTF-16 with its low byte first. Nil when absent or empty.
  func windowsText(_ tag: Int) -> String? {
    guard let value = main[tag]?.value else { return nil }
    let units = stride(from: value.lowerBound, to: value.upperBound - 1, by: 2).map {
      UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
    }
    let text = String(decoding: units.prefix { $0 != 0 }, as: UTF16.self).withoutOuterSpaces
    return text.isEmpty ? nil : text
  }

  /// Degrees north of the equator, -90 to 90; nil when absent or impossible.
  package var latitude: Double? {
    degrees(2, reference: 1, positive: "N", negative: "S", limit: 90)
  }

  /// Degrees east of Greenwich, -180 to 180; nil when absent or impossible.
  package var longitude: Double? {
    degrees(4, reference: 3, positive: "E", negative: "W", limit: 180)
  }

  /// Meters above sea level, negative below; nil when absent or beyond 100 km.
  package var altitude: Double? {
    guard let meters = rational(gps?[6]), meters <= 100_000 else { return nil }
    return integer(gps?[5]) == 1 ? -meters : meters
  }

  private func degrees(
    _ tag: Int, reference: Int, positive: String, negative: String, limit: Double
  ) -> Double? {
    guard let entry = gps?[tag], entry.count > 0,
      let side = text(gps?[reference])?.prefix(1).uppercased(),
      side == positive || side == negative
    else { return nil }
    var sum = 0.0
    for index in 0..<min(entry.count, 3) {
      guard let part = rational(entry, index), part >= 0 else { return nil }
      sum += part / [1, 60, 3600][index]
    }
    // 0/0 degrees is how cameras without a fix fill the field.
    guard sum <= limit, denominator(entry) != 0 else { return nil }
    return side == negative ? -sum : sum
  }

  private func denominator(_ entry: TIFFEntry) -> Int? {
    entry.value.flatMap { bytes.uint32(at: $0.lowerBound + 4, order) }
  }
}

extension ExifBlock {
  /// Writes the size and orientation of a render into the block, in place: no byte moves.
  ///
  /// - Parameters:
  ///   - size: Width and height of the render in pixels; fields that are absent stay absent.
  ///   - orientation: The orientation, 1 to 8, that was applied to the pixels. A quarter turn
  ///     swaps unequal resolutions.
  ///   - resolution: Pixels per inch to write; nil keeps the number in the block.
  ///   - colors: What the colors of the render are; nil keeps what the block says.
  ///   - places: Where places of the original are in the render; nil when nothing moves.
  mutating func patch(
    size: (width: Int, height: Int), baked orientation: Int, resolution: Double? = nil,
    colors: ExifColors? = nil, moving places: MetadataPlaces? = nil
  ) {
    if let colors { set(colors) }
    if let places { move(places) }
    if let entry = main[Tag.orientation] { setOrientation(entry) }
    set(main[Tag.imageWidth], to: size.width)
    set(main[Tag.imageLength], to: size.height)
    set(exif?[Tag.pixelWidth], to: size.width)
    set(exif?[Tag.pixelHeight], to: size.height)
    if (5...8).contains(orientation) { swapResolutions() }
    if let resolution { set(resolution: resolution) }
    removeThumbnail()
    blankPreviews()
  }

  private mutating func setOrientation(_ entry: TIFFEntry) {
    switch (entry.type, entry.count == 1 ? entry.value : nil) {
    case (1, let value?), (6, let value?), (7, let value?):
      if !value.isEmpty { bytes[value.lowerBound] = 1 }
    case (3, let value?) where !value.isEmpty, (8, let value?) where !value.isEmpty:
      bytes.set(uint16: 1, at: value.lowerBound, order)
    case (4, let value?) where !value.isEmpty, (9, let value?) where !value.isEmpty:
      bytes.set(uint32: 1, at: value.lowerBound, order)
    default:
      // A text, a fraction or a list is no orientation, but lenient readers take it for one.
      bytes.set(uint16: 3, at: entry.position + 2, order)
      bytes.set(uint32: 1, at: entry.position + 4, order)
      bytes.set(uint32: 0, at: entry.position + 8, order)
      bytes.set(uint16: 1, at: entry.position + 8, order)
    }
  }

  /// Writes a number into a field that is there.
  mutating func set(_ entry: TIFFEntry?, to value: Int) {
    guard let entry, entry.count > 0, let start = entry.value?.lowerBound else { return }
    switch entry.type {
    case 3, 8: bytes.set(uint16: min(value, 0xFFFF), at: start, order)
    case 4, 9: bytes.set(uint32: value, at: start, order)
    default: break
    }
  }

  private mutating func swapResolutions() {
    guard let x = main[Tag.xResolution]?.value, let y = main[Tag.yResolution]?.value,
      x.count == 8, y.count == 8
    else { return }
    let (across, down) = (Array(bytes[x]), Array(bytes[y]))
    bytes.replaceSubrange(x, with: down)
    bytes.replaceSubrange(y, with: across)
  }

  private mutating func set(resolution: Double) {
    let isCentimeters = integer(main[Tag.resolutionUnit]) == 3
    let value = isCentimeters ? resolution / 2.54 : resolution
    guard value > 0, value < 4_000_000 else { return }
    for tag in [Tag.xResolution, Tag.yResolution] {
      guard let entry = main[tag], entry.type == 5, let range = entry.value, range.count >= 8
      else { continue }
      let isWhole = value == value.rounded()
      bytes.set(
        uint32: Int((isWhole ? value : value * 1000).rounded()), at: range.lowerBound, order)
      bytes.set(uint32: isWhole ? 1 : 1000, at: range.lowerBound + 4, order)
    }
  }

  /// Removes the thumbnail, because it shows the unedited picture: its link goes, and its bytes
  /// become zeros.
  ///
  /// Bytes that another entry also uses stay. Zeros at the end of the block are cut off.
  mutating func removeThumbnail() {
    guard let link = main.linkPosition, main.next != 0,
      // Some writers have no link: values follow the entries at once.
      !main.entries.contains(where: { $0.value?.overlaps(link..<link + 4) ?? false })
    else { return }
    let mine = thumbnailRanges()
    bytes.set(uint32: 0, at: link, order)
    var isKept = [Bool](repeating: false, count: bytes.count)
    for range in Self.merged(ownedRanges()) {
      for index in range { isKept[index] = true }
    }
    var isWiped = [Bool](repeating: false, count: bytes.count)
    for range in Self.merged(mine) {
      for index in range where !isKept[index] {
        isWiped[index] = true
        bytes[index] = 0
      }
    }
    // Padding after the thumbnail is cut off too.
    var end = bytes.count
    while end > 8, !isKept[end - 1], !isWiped[end - 1], bytes[end - 1] == 0 { end -= 1 }
    guard isWiped[end - 1] else { return }
    while end > 8, isWiped[end - 1] { end -= 1 }
    bytes.removeSubrange(end...)
  }

  /// The bytes that the directories after IFD0 use: themselves, their values and their pictures.
  private func thumbnailRanges() -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var visited: Set<Int> = [main.offset]
    var next = main.next
    while next != 0, visited.insert(next).inserted, visited.count < 16,
      let directory = TIFFDirectory(bytes, at: next, order)
    {
      ranges.append(directory.range)
      ranges += directory.entries.compactMap(\.value)
      ranges += picture(directory[Tag.thumbnailOffset], directory[Tag.thumbnailLength])
      ranges += picture(directory[Tag.stripOffsets], directory[Tag.stripByteCounts])
      next = directory.next
    }
    return ranges
  }

  private func picture(_ offsets: TIFFEntry?, _ lengths: TIFFEntry?) -> [Range<Int>] {
    guard let offsets, let lengths else { return [] }
    return (0..<min(offsets.count, lengths.count, 4096)).compactMap { index in
      guard let offset = element(offsets, index), let length = element(lengths, index),
        offset >= 8, offset < bytes.count
      else { return nil }
      let end = min(offset + length, bytes.count)
      return offset..<(index == 0 ? max(end, endOfJPEG(at: offset)) : end)
    }
  }

  /// Where a JPEG thumbnail really ends, for blocks that understate its length.
  private func endOfJPEG(at offset: Int) -> Int {
    let rest = PhotoBytes(Data(bytes[offset...]))
    return JPEGSegments(rest)?.endOfImage(in: rest).map { offset + $0 } ?? offset
  }

  private func element(_ entry: TIFFEntry, _ index: Int) -> Int? {
    guard let value = entry.value else { return nil }
    switch entry.type {
    case 3: return bytes.uint16(at: value.lowerBound + 2 * index, order)
    case 4, 9, 13: return bytes.uint32(at: value.lowerBound + 4 * index, order)
    default: return nil
    }
  }

  /// The same bytes without overlaps, so that many overlapping ranges cost no time.
  private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }

  /// The bytes of the directories that stay.
  private func ownedRanges() -> [Range<Int>] {
    [0..<8] + structure.directories.flatMap { [$0.range] + $0.entries.compactMap(\.value) }
  }
}
