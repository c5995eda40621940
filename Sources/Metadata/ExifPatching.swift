import FoundationEssentials
import SafelightFormats

extension ExifBlock {
  /// Writes the size and orientation of a render into the block, in place: no byte moves.
  ///
  /// - Parameters:
  ///   - size: Width and height of the render in pixels; fields that are absent stay absent.
  ///   - orientation: The orientation, 1 to 8, that was applied to the pixels. A quarter turn
  ///     swaps unequal resolutions.
  ///   - resolution: Pixels per inch to write; nil keeps the number in the block.
  mutating func patch(
    size: (width: Int, height: Int), baked orientation: Int, resolution: Double? = nil
  ) {
    if let entry = main[Tag.orientation] { setOrientation(entry) }
    set(main[Tag.imageWidth], to: size.width)
    set(main[Tag.imageLength], to: size.height)
    set(exif?[Tag.pixelWidth], to: size.width)
    set(exif?[Tag.pixelHeight], to: size.height)
    if (5...8).contains(orientation) { swapResolutions() }
    if let resolution { set(resolution: resolution) }
    removeThumbnail()
  }

  private mutating func setOrientation(_ entry: TIFFEntry) {
    switch (entry.type, entry.value) {
    case (1, let value?), (6, let value?), (7, let value?):
      if !value.isEmpty { bytes[value.lowerBound] = 1 }
    case (3, let value?) where !value.isEmpty, (8, let value?) where !value.isEmpty:
      bytes.set(uint16: 1, at: value.lowerBound, order)
    case (4, let value?) where !value.isEmpty, (9, let value?) where !value.isEmpty:
      bytes.set(uint32: 1, at: value.lowerBound, order)
    default:
      // A text or fraction is no orientation, but lenient readers take it for one.
      bytes.set(uint16: 3, at: entry.position + 2, order)
      bytes.set(uint32: 1, at: entry.position + 4, order)
      bytes.set(uint32: 0, at: entry.position + 8, order)
      bytes.set(uint16: 1, at: entry.position + 8, order)
    }
  }

  private mutating func set(_ entry: TIFFEntry?, to value: Int) {
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
    bytes.withUnsafeBytes { bytes in
      let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
      return JPEGSegments(rest)?.endOfImage(in: rest).map { offset + $0 } ?? offset
    }
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
