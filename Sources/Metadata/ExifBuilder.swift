import FoundationEssentials

/// Writes an Exif block from the directories of another TIFF structure.
///
/// Values stay as they are, and maker notes stay at their offset where there is room, since they
/// hold offsets of their own.
struct ExifBuilder {
  struct Field {
    var tag: Int
    var type: Int
    var count: Int
    var bytes: [UInt8]
    /// Offset that the value had.
    var offset: Int
  }

  /// Bytes that fit an APP1 behind its `Exif` header.
  static let largestBlock = JPEGSegments.largestPayload - 6
  /// Entries of a directory beyond which it is taken for damaged.
  private static let mostEntries = 1000

  let order: ByteOrder
  /// Fields of IFD0, Exif, GPS and interoperability, links between them left out.
  var fields: [[Field]] = []
  /// Tags whose values are too large for a JPEG.
  private(set) var dropped: [UInt16] = []

  private static let links = [
    ExifBlock.Tag.exifDirectory, ExifBlock.Tag.gpsDirectory, ExifBlock.Tag.interoperability,
  ]

  /// Gathers the fields of a structure.
  init(_ bytes: UnsafeRawBufferPointer, _ order: ByteOrder, _ main: TIFFDirectory) {
    self.order = order
    func directory(_ tag: Int, in parent: TIFFDirectory?) -> TIFFDirectory? {
      guard let entry = parent?[tag], [4, 9, 13].contains(entry.type), let value = entry.value,
        let offset = bytes.uint32(at: value.lowerBound, order), offset != main.offset
      else { return nil }
      return TIFFDirectory(bytes, at: offset, order)
    }
    let exif = directory(ExifBlock.Tag.exifDirectory, in: main)
    let gps = directory(ExifBlock.Tag.gpsDirectory, in: main)
    let interoperability = directory(ExifBlock.Tag.interoperability, in: exif)
    // Overlapping values could claim far more than the file holds.
    var budget = 1 << 20
    for directory in [main, exif, gps, interoperability] {
      var list: [Field] = []
      for entry in (directory?.entries ?? []).prefix(Self.mostEntries)
      where !Self.links.contains(entry.tag) {
        guard let value = entry.value else { continue }
        guard value.count <= Self.largestBlock, value.count <= budget else {
          if !Self.isElsewhere(entry.tag) { dropped.append(UInt16(entry.tag)) }
          continue
        }
        budget -= value.count
        list.append(
          Field(
            tag: entry.tag, type: entry.type, count: entry.count, bytes: [UInt8](bytes[value]),
            offset: value.lowerBound))
      }
      fields.append(list)
    }
  }

  /// Large values that are pixels or travel in segments of their own: nothing to warn about.
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
    if !fields[3].isEmpty { lists[1].append(link(ExifBlock.Tag.interoperability)) }
    if !lists[1].isEmpty { lists[0].append(link(ExifBlock.Tag.exifDirectory)) }
    if !lists[2].isEmpty { lists[0].append(link(ExifBlock.Tag.gpsDirectory)) }
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
        if let target = Self.links.firstIndex(of: field.tag) {
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
