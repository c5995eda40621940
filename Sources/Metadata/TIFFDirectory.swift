import FoundationEssentials

/// One entry of a TIFF directory.
struct TIFFEntry: Sendable {
  var tag: Int
  var type: Int
  /// Number of values, not bytes.
  var count: Int
  /// Offset of the entry itself.
  var position: Int
  /// Where the values stand: inside the entry when they fit its four bytes; nil when they lie
  /// outside the file.
  var value: Range<Int>?

  /// Bytes of one value by type code, 1 to 13. Source: TIFF 6.0, section 2; TIFF technical note 1.
  static let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
}

/// A directory (IFD) of a TIFF structure.
///
/// Only entries inside the bounds are kept, so that every offset may be used unchecked.
struct TIFFDirectory: Sendable {
  /// Offset of the entry count.
  let offset: Int
  let entries: [TIFFEntry]
  /// Offset of the field that links to the next directory; nil when the directory is cut short.
  let linkPosition: Int?
  /// The next directory; 0 when there is none.
  let next: Int

  /// Reads the directory at an offset; nil when there can be none.
  init?<Bytes: RandomAccessCollection>(_ bytes: Bytes, at offset: Int, _ order: ByteOrder)
  where Bytes.Element == UInt8, Bytes.Index == Int {
    guard offset >= 8, let count = bytes.uint16(at: offset, order) else { return nil }
    self.offset = offset
    var entries: [TIFFEntry] = []
    for index in 0..<count {
      let position = offset + 2 + 12 * index
      guard let tag = bytes.uint16(at: position, order),
        let type = bytes.uint16(at: position + 2, order),
        let values = bytes.uint32(at: position + 4, order),
        let pointer = bytes.uint32(at: position + 8, order)
      else { break }
      guard TIFFEntry.sizes.indices.contains(type), type > 0 else { continue }
      let length = TIFFEntry.sizes[type] * values
      let start = length <= 4 ? position + 8 : pointer
      let isInside = start + length <= bytes.count
      entries.append(
        TIFFEntry(
          tag: tag, type: type, count: values, position: position,
          value: isInside ? start..<start + length : nil))
    }
    // Random bytes are no directory: most of its entries would have no known type.
    guard entries.count * 2 >= count else { return nil }
    self.entries = entries
    let end = offset + 2 + 12 * count
    let link = bytes.uint32(at: end, order)
    linkPosition = link == nil ? nil : end
    next = link ?? 0
  }

  /// The first entry with a tag.
  subscript(tag: Int) -> TIFFEntry? { entries.first { $0.tag == tag } }

  /// Bytes of the directory itself.
  var range: Range<Int> {
    offset..<(linkPosition.map { $0 + 4 } ?? entries.last.map { $0.position + 12 } ?? offset + 2)
  }
}

/// The byte order and first directory that a TIFF header names.
struct TIFFHeader: Sendable {
  let order: ByteOrder
  let firstDirectory: Int

  /// Reads the eight bytes of a classic TIFF header; nil for anything else, BigTIFF included.
  init?<Bytes: RandomAccessCollection>(_ bytes: Bytes)
  where Bytes.Element == UInt8, Bytes.Index == Int {
    if bytes.has("II*\0") {
      order = .little
    } else if bytes.has("MM\0*") {
      order = .big
    } else {
      return nil
    }
    guard let first = bytes.uint32(at: 4, order) else { return nil }
    firstDirectory = first
  }
}
