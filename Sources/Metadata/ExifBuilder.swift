import FoundationEssentials
import SafelightFormats

/// Writes an Exif block from the directories of another TIFF structure.
///
/// Values stay as they are. Maker notes stay at their offset where there is room, because they have
/// offsets of their own.
struct ExifBuilder {
  struct Field {
    var tag: Int
    var type: Int
    var count: Int
    var bytes: [UInt8]
    /// Offset that the value had.
    var offset: Int
  }

  /// The most bytes of a block in an APP1 segment, after its `Exif` header.
  static let largestBlock = JPEGSegments.largestPayload - 6
  /// A directory with more entries than this is damaged.
  private static let mostEntries = 1000

  let order: ByteOrder
  /// Fields of IFD0, Exif, GPS and interoperability, without the links between them.
  var fields: [[Field]] = []
  /// Tags whose values are too large for a JPEG.
  private(set) var dropped: [UInt16] = []

  /// Gathers the fields of a structure.
  ///
  /// - Parameter read: Reads bytes of the file; `nil` when they are not all there.
  init(_ structure: TIFFStructure, in read: (_ offset: Int, _ count: Int) -> [UInt8]?) {
    order = structure.order
    // Overlapping values could take far more memory than the file has bytes.
    var budget = 1 << 20
    for directory in [
      structure.main, structure.exif, structure.gps, structure.interoperability,
    ] {
      var list: [Field] = []
      for entry in (directory?.entries ?? []).prefix(Self.mostEntries)
      where !TIFFStructure.links.contains(entry.tag) {
        guard let value = entry.value else { continue }
        guard value.count <= Self.largestBlock, value.count <= budget else {
          if !Self.isElsewhere(entry.tag) { dropped.append(UInt16(entry.tag)) }
          continue
        }
        guard let bytes = read(value.lowerBound, value.count) else { continue }
        budget -= value.count
        list.append(
          Field(
            tag: entry.tag, type: entry.type, count: entry.count, bytes: bytes,
            offset: value.lowerBound))
      }
      fields.append(list)
    }
  }

  /// Large values that need no warning: pixels, and data that a render carries in other segments.
  private static func isElsewhere(_ tag: Int) -> Bool {
    tag < 0x8000 || [0x83BB, 0x8649, 0x8773, 0x935C].contains(tag)
  }

  var isEmpty: Bool { fields.allSatisfy(\.isEmpty) }

  /// Writes the block, leaving out the largest values until it fits.
  mutating func build() -> (bytes: [UInt8], isMakerNoteMoved: Bool) {
    while true {
      let note = fields[1].first { $0.tag == ExifBlock.Tag.makerNote && $0.bytes.count > 4 }
      if let note, note.offset + note.bytes.count <= Self.largestBlock,
        let bytes = written(keeping: note)
      {
        return (bytes, false)
      }
      if let bytes = written(keeping: nil) { return (bytes, note != nil) }
      dropLargest()
    }
  }

  private mutating func dropLargest() {
    var largest = (list: 0, index: 0, size: -1)
    for list in fields.indices {
      for index in fields[list].indices where fields[list][index].bytes.count > largest.size {
        largest = (list, index, fields[list][index].bytes.count)
      }
    }
    dropped.append(UInt16(fields[largest.list].remove(at: largest.index).tag))
  }

  /// The block, or nil when it is too large.
  private func written(keeping note: Field?) -> [UInt8]? {
    let reserved = note.map { $0.offset..<($0.offset + $0.bytes.count) } ?? 0..<0
    var lists = fields
    func link(_ tag: Int) -> Field {
      Field(tag: tag, type: 4, count: 1, bytes: [0, 0, 0, 0], offset: 0)
    }
    if !fields[3].isEmpty { lists[1].append(link(TIFFStructure.links[2])) }
    if !lists[1].isEmpty { lists[0].append(link(TIFFStructure.links[0])) }
    if !lists[2].isEmpty { lists[0].append(link(TIFFStructure.links[1])) }
    for index in lists.indices { lists[index].sort { $0.tag < $1.tag } }

    var cursor = 8
    func place(_ size: Int) -> Int {
      cursor += cursor & 1
      if cursor < reserved.upperBound, cursor + size > reserved.lowerBound {
        cursor = reserved.upperBound + reserved.upperBound & 1
      }
      defer { cursor += size }
      return cursor
    }
    // Directories come first, so that their links are known when they are written.
    let offsets = lists.map { $0.isEmpty ? 0 : place(6 + 12 * $0.count) }
    guard cursor <= Self.largestBlock else { return nil }
    var bytes = [UInt8](repeating: 0, count: Self.largestBlock)
    for (list, offset) in zip(lists, offsets) where !list.isEmpty {
      bytes.set(uint16: list.count, at: offset, order)
      for (index, field) in list.enumerated() {
        let entry = offset + 2 + 12 * index
        bytes.set(uint16: field.tag, at: entry, order)
        bytes.set(uint16: field.type, at: entry + 2, order)
        bytes.set(uint32: field.count, at: entry + 4, order)
        if let target = TIFFStructure.links.firstIndex(of: field.tag) {
          bytes.set(uint32: offsets[target + 1], at: entry + 8, order)
          continue
        }
        var start = entry + 8
        if field.bytes.count > 4 {
          let isNote = note != nil && field.tag == ExifBlock.Tag.makerNote
          start = isNote ? reserved.lowerBound : place(field.bytes.count)
          bytes.set(uint32: start, at: entry + 8, order)
        }
        guard start + field.bytes.count <= bytes.count else { return nil }
        bytes.replaceSubrange(start..<start + field.bytes.count, with: field.bytes)
      }
    }
    let header: [UInt8] = order == .little ? [0x49, 0x49, 42, 0] : [0x4D, 0x4D, 0, 42]
    bytes.replaceSubrange(0..<4, with: header)
    bytes.set(uint32: offsets[0], at: 4, order)
    return Array(bytes[..<max(cursor, reserved.upperBound)])
  }
}

extension ExifBuilder {
  /// Removes the fields of the first directory that describe how pixels are stored.
  mutating func keepDescription() {
    fields[0].removeAll { field in
      switch field.tag {
      case Self.description: false
      // Most tags below 0x8000 and most tags of digital negatives describe the coding.
      case ..<0x8000, 0xC612...0xC7FF: true
      default: Self.storage.contains(field.tag)
      }
    }
  }

  /// Baseline and extension tags that describe the picture.
  private static let description = DescriptionTags()

  private struct DescriptionTags {
    let tags: Set<Int> = [
      0x10D, 0x10E, 0x10F, 0x110, 0x112, 0x11A, 0x11B, 0x11D, 0x128, 0x129, 0x131, 0x132, 0x13B,
      0x13C, 0x4746, 0x4749, 0xC614, 0xC62F, 0xC630, 0xC68B, 0xC789, 0xC7A1,
    ]

    static func ~= (tags: DescriptionTags, tag: Int) -> Bool { tags.tags.contains(tag) }
  }

  /// Private tags with pixels, profiles, or data that a JPEG has in other segments.
  private static let storage: Set<Int> = [
    0x80A3, 0x80A4, 0x80A5, 0x80A6, 0x80B9, 0x80BA, 0x80BB, 0x80BC, 0x80BD, 0x80BE, 0x80BF, 0x80C0,
    0x80E3, 0x80E4, 0x80E5, 0x80E6, 0x828D, 0x828E, 0x83BB, 0x8606, 0x8649, 0x8773, 0x87BE, 0x935C,
    0xC427, 0xC428, 0xC429, 0xC42A, 0xC580,
  ]
}
