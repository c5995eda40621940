import FoundationEssentials

/// The items of a HEIF or AVIF file that are not pictures: Exif and XMP.
///
/// Source: ISO/IEC 14496-12, `iinf` and `iloc`; ISO/IEC 23008-12, annex A.
struct ISOMediaItems {
  private let file: Data
  private let children: [ISOMediaBox]

  /// Largest item that is read: 16 MB, more than any real metadata have.
  private static let largest = 16 << 20

  /// Finds the items of a file; nil when it is no such file.
  ///
  /// - Parameter file: The whole file, memory mapped if it is large.
  init?(_ file: Data) {
    let children = file.withUnsafeBytes { bytes -> [ISOMediaBox]? in
      guard bytes.has("ftyp", at: 4),
        let meta = ISOMediaBox.list(bytes, 0..<bytes.count).first(where: {
          $0.type == ISOMediaBox.type("meta")
        }), meta.content.count > 4
      else { return nil }
      // `meta` is a full box: version and flags stand before its children.
      return ISOMediaBox.list(bytes, meta.content.dropFirst(4))
    }
    guard let children else { return nil }
    self.file = file
    self.children = children
  }

  /// The XMP packet; nil when there is none.
  var xmp: [UInt8]? {
    file.withUnsafeBytes { bytes in
      guard let item = xmpItem(bytes) else { return nil }
      return content(of: item, bytes)
    }
  }

  private func box(_ letters: StaticString) -> Range<Int>? {
    children.first { $0.type == ISOMediaBox.type(letters) }?.content
  }

  /// The identifier of the XMP item that describes the primary picture. Depth maps and the like
  /// have packets of their own.
  private func xmpItem(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let items = xmpItems(bytes)
    guard items.count > 1, let primary = primaryItem(bytes) else { return items.first }
    let descriptions = references("cdsc", bytes)
    return items.first { item in
      descriptions.contains { $0.from == item && $0.to.contains(primary) }
    } ?? items.first { item in !descriptions.contains { $0.from == item } }
  }

  /// The identifiers of the items of type `mime` whose content is RDF.
  private func xmpItems(_ bytes: UnsafeRawBufferPointer) -> [Int] {
    guard let iinf = box("iinf"), let version = bytes.byte(at: iinf.lowerBound) else { return [] }
    let entries = ISOMediaBox.list(bytes, iinf.dropFirst(version == 0 ? 6 : 8))
    return entries.compactMap { entry in
      let start = entry.content.lowerBound
      guard entry.type == ISOMediaBox.type("infe"), let version = bytes.byte(at: start),
        version >= 2
      else { return nil }
      // Version 3 has identifiers of four bytes; two bytes of protection index follow either.
      let type = start + 4 + (version == 2 ? 2 : 4) + 2
      guard type + 4 <= entry.content.upperBound, bytes.has("mime", at: type),
        bytes.offset(of: "application/rdf+xml", in: type..<entry.content.upperBound) != nil
      else { return nil }
      return version == 2 ? bytes.uint16(at: start + 4) : bytes.uint32(at: start + 4)
    }
  }

  private func primaryItem(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let pitm = box("pitm"), let version = bytes.byte(at: pitm.lowerBound) else { return nil }
    return version == 0
      ? bytes.uint16(at: pitm.lowerBound + 4) : bytes.uint32(at: pitm.lowerBound + 4)
  }

  /// The references of a kind between items.
  private func references(
    _ kind: StaticString, _ bytes: UnsafeRawBufferPointer
  ) -> [(from: Int, to: [Int])] {
    guard let iref = box("iref"), let version = bytes.byte(at: iref.lowerBound) else { return [] }
    let width = version == 0 ? 2 : 4
    func item(at offset: Int) -> Int? {
      width == 2 ? bytes.uint16(at: offset) : bytes.uint32(at: offset)
    }
    return ISOMediaBox.list(bytes, iref.dropFirst(4)).compactMap { box in
      let start = box.content.lowerBound
      guard box.type == ISOMediaBox.type(kind), let from = item(at: start),
        let count = bytes.uint16(at: start + width)
      else { return nil }
      return (from, (0..<count).compactMap { item(at: start + width + 2 + $0 * width) })
    }
  }

  /// The bytes of an item, its extents joined.
  private func content(of item: Int, _ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let iloc = box("iloc"), var reader = ISOMediaLocations(bytes, iloc) else { return nil }
    while let location = reader.next() {
      guard location.item == item else { continue }
      let start = location.isInside ? box("idat")?.lowerBound : 0
      guard let start else { return nil }
      var content: [UInt8] = []
      for extent in location.extents {
        let from = start + extent.offset
        guard extent.length <= Self.largest - content.count, from >= 0,
          from <= bytes.count - extent.length
        else { return nil }
        content += bytes[from..<(from + extent.length)]
      }
      return content
    }
    return nil
  }
}

/// Reads the entries of an `iloc` box in order.
struct ISOMediaLocations {
  struct Location {
    var item: Int
    /// Whether offsets count from `idat` and not from the file's start.
    var isInside: Bool
    var extents: [(offset: Int, length: Int)]
  }

  private let bytes: UnsafeRawBufferPointer
  private let end: Int
  private let version: UInt8
  private let widths: (offset: Int, length: Int, base: Int, index: Int)
  private var remaining: Int
  private var position: Int

  init?(_ bytes: UnsafeRawBufferPointer, _ iloc: Range<Int>) {
    let start = iloc.lowerBound
    guard let version = bytes.byte(at: start), let sizes = bytes.uint16(at: start + 4),
      let count = version < 2 ? bytes.uint16(at: start + 6) : bytes.uint32(at: start + 6)
    else { return nil }
    self.bytes = bytes
    self.version = version
    end = iloc.upperBound
    widths = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
    remaining = count
    position = start + (version < 2 ? 8 : 10)
  }

  mutating func next() -> Location? {
    guard remaining > 0, let item = number(version < 2 ? 2 : 4) else { return nil }
    remaining -= 1
    var method = 0
    if version > 0 {
      guard let construction = number(2) else { return nil }
      method = construction & 15
    }
    guard number(2) != nil, let base = number(widths.base), let count = number(2) else {
      return nil
    }
    var extents: [(offset: Int, length: Int)] = []
    for _ in 0..<count {
      guard number(widths.index) != nil, let offset = number(widths.offset),
        let length = number(widths.length), base <= Int.max - offset
      else { return nil }
      extents.append((base + offset, length))
    }
    return Location(item: item, isInside: method == 1, extents: extents)
  }

  /// A number of 0, 2, 4 or 8 bytes; of no bytes it is 0.
  private mutating func number(_ width: Int) -> Int? {
    defer { position += width }
    guard position + width <= end else { return nil }
    switch width {
    case 0: return 0
    case 2: return bytes.uint16(at: position)
    case 4: return bytes.uint32(at: position)
    case 8:
      guard let high = bytes.uint32(at: position), high < 1 << 30,
        let low = bytes.uint32(at: position + 4)
      else { return nil }
      return high << 32 | low
    default: return nil
    }
  }
}
