import FoundationEssentials

/// One entry of a TIFF directory.
package struct TIFFEntry: Sendable {
  package var tag: Int
  package var type: Int
  /// Number of values, not bytes.
  package var count: Int
  /// Offset of the entry itself.
  package var position: Int
  /// Where the values stand: inside the entry when they fit its four bytes; nil when they lie
  /// outside the file.
  package var value: Range<Int>?
  /// Whether the entry says another number of letters than the text has that it links to.
  package private(set) var isMiscounted = false

  /// Bytes of one value by type code, 1 to 13. Source: TIFF 6.0, section 2; TIFF technical note 1.
  package static let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]

  /// Reads the twelve bytes of an entry; `nil` when they are cut short or their type is unknown.
  ///
  /// - Parameters:
  ///   - position: Where the entry begins in `bytes`.
  ///   - start: Where `bytes` begin in the file.
  ///   - size: The number of bytes of the file.
  package init?<Bytes: RandomAccessCollection>(
    _ bytes: Bytes, at position: Int, _ order: ByteOrder, startingAt start: Int = 0,
    ofFile size: Int
  ) where Bytes.Element == UInt8, Bytes.Index == Int {
    guard let tag = bytes.uint16(at: position, order),
      let type = bytes.uint16(at: position + 2, order),
      let count = bytes.uint32(at: position + 4, order),
      let pointer = bytes.uint32(at: position + 8, order),
      Self.sizes.indices.contains(type), type > 0
    else { return nil }
    (self.tag, self.type, self.count, self.position) = (tag, type, count, start + position)
    let length = Self.sizes[type] * count
    let place = length <= 4 ? start + position + 8 : pointer
    value = place + length <= size ? place..<place + length : nil
    // A text that is said to be longer than the file ends where it ends.
    if value == nil, type == 2, let begin = Optional(place - start), begin >= 0, begin < bytes.count
    {
      let letters = bytes.dropFirst(begin).prefix(Self.longestMiscounted).prefix { $0 != 0 }.count
      guard letters > 0, bytes.byte(at: begin + letters) == 0 else { return }
      (value, self.count, isMiscounted) = (place..<place + letters + 1, letters + 1, true)
    }
  }

  /// The most letters of a text without a number of letters.
  private static let longestMiscounted = 1024
}

/// A directory (IFD) of a TIFF structure.
///
/// Only entries inside the bounds are kept, so that every offset may be used unchecked.
package struct TIFFDirectory: Sendable {
  /// Offset of the entry count.
  package let offset: Int
  package let entries: [TIFFEntry]
  /// Tags whose type is unknown, or whose values lie outside of the file.
  package let damaged: [Int]
  /// Whether all entries are as they should be.
  package var isWhole: Bool { damaged.isEmpty && !entries.contains(where: \.isMiscounted) }
  /// Offset of the field that links to the next directory; nil when the directory is cut short.
  package let linkPosition: Int?
  /// The next directory; 0 when there is none.
  package let next: Int

  /// Reads the directory at an offset; nil when there can be none.
  ///
  /// - Parameter isMain: Whether a header links to the directory, so that one entry that can be read is enough.
  package init?<Bytes: RandomAccessCollection>(
    _ bytes: Bytes, at offset: Int, _ order: ByteOrder, isMain: Bool = false
  ) where Bytes.Element == UInt8, Bytes.Index == Int {
    guard offset >= 8, let count = bytes.uint16(at: offset, order) else { return nil }
    self.offset = offset
    entries = (0..<count).compactMap {
      TIFFEntry(bytes, at: offset + 2 + 12 * $0, order, ofFile: bytes.count)
    }
    // Random bytes are no directory: most of its entries would have no known type.
    guard isMain ? count == 0 || !entries.isEmpty : entries.count * 2 >= count else { return nil }
    damaged = (0..<count).compactMap { place in
      let position = offset + 2 + 12 * place
      guard position <= bytes.count - 12, let tag = bytes.uint16(at: position, order),
        // Some writers leave room for entries.
        bytes.uint16(at: position + 2, order) != 0 || bytes.uint32(at: position + 4, order) != 0
      else { return nil }
      let entry = TIFFEntry(bytes, at: position, order, ofFile: bytes.count)
      return entry?.value == nil ? tag : nil
    }
    let end = offset + 2 + 12 * count
    let link = bytes.uint32(at: end, order)
    linkPosition = link == nil ? nil : end
    next = link ?? 0
  }

  /// The first entry with a tag.
  package subscript(tag: Int) -> TIFFEntry? { entries.first { $0.tag == tag } }

  /// Bytes of the directory itself.
  package var range: Range<Int> {
    offset..<(linkPosition.map { $0 + 4 } ?? entries.last.map { $0.position + 12 } ?? offset + 2)
  }
}

/// The byte order and first directory that a TIFF header names.
package struct TIFFHeader: Sendable {
  package let order: ByteOrder
  package let firstDirectory: Int

  /// Reads the eight bytes of a classic TIFF header; nil for anything else, BigTIFF included.
  package init?<Bytes: RandomAccessCollection>(_ bytes: Bytes)
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

/// The directories of a TIFF structure that describe a photo, by the links between them.
///
/// Exif blocks, TIFF files and camera thumbnails are all read through it. Source: CIPA DC-008
/// (Exif 2.32).
package struct TIFFStructure: Sendable {
  package let order: ByteOrder
  /// IFD0: the picture.
  package let main: TIFFDirectory
  /// The Exif directory; `nil` when there is none.
  package let exif: TIFFDirectory?
  /// The GPS directory; `nil` when there is none.
  package let gps: TIFFDirectory?
  /// The interoperability directory; `nil` when there is none.
  package let interoperability: TIFFDirectory?

  /// Tags that link to the Exif, the GPS and the interoperability directory.
  package static let links = [0x8769, 0x8825, 0xA005]

  /// Reads the directories; `nil` when there is no TIFF header or no first directory.
  ///
  /// - Parameter place: Where the picture's directory is; `nil` for the first one.
  package init?<Bytes: RandomAccessCollection>(_ bytes: Bytes, at place: Int? = nil)
  where Bytes.Element == UInt8, Bytes.Index == Int {
    guard let header = TIFFHeader(bytes),
      let main = TIFFDirectory(
        bytes, at: place ?? header.firstDirectory, header.order, isMain: true)
    else { return nil }
    func directory(_ tag: Int, in parent: TIFFDirectory?) -> TIFFDirectory? {
      // Some writers link with signed numbers.
      guard let entry = parent?[tag], [4, 9, 13].contains(entry.type),
        let value = entry.value, let offset = bytes.uint32(at: value.lowerBound, header.order),
        // A link back to its parent is a loop, not a directory of its own.
        offset != main.offset, offset != parent?.offset
      else { return nil }
      return TIFFDirectory(bytes, at: offset, header.order)
    }
    order = header.order
    self.main = main
    exif = directory(Self.links[0], in: main)
    gps = directory(Self.links[1], in: main)
    interoperability = directory(Self.links[2], in: exif)
  }

  /// IFD0, Exif, GPS and interoperability, as many as there are.
  package var directories: [TIFFDirectory] {
    [main, exif, gps, interoperability].compactMap(\.self)
  }
}
