/// A box of a HEIF or AVIF file: a type of four letters, and bytes.
///
/// Source: ISO/IEC 14496-12.
package struct ISOMediaBox {
  /// The four letters of its type, as a number.
  package var type: Int
  /// Where the box begins, with its header.
  package var start: Int
  /// Where its content stands, the box's own header left out.
  package var content: Range<Int>

  /// The number that four letters make.
  package static func type(_ letters: StaticString) -> Int {
    (0..<4).reduce(0) { $0 << 8 | Int(letters.utf8Start[$1]) }
  }

  /// The boxes in a range, one after the other, as far as they can be read.
  package static func list(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> [ISOMediaBox] {
    var result: [ISOMediaBox] = []
    var offset = range.lowerBound
    while offset + 8 <= range.upperBound, let short = bytes.uint32(at: offset),
      let type = bytes.uint32(at: offset + 4)
    {
      var header = 8
      var size = short == 0 ? range.upperBound - offset : short
      if short == 1 {
        // A box beyond 4 GB cannot end inside the window, whatever its low half says.
        guard let high = bytes.uint32(at: offset + 8), let low = bytes.uint32(at: offset + 12)
        else { break }
        header = 16
        size = high == 0 ? low : range.upperBound - offset
      }
      guard size >= header, offset + header <= range.upperBound else { break }
      result.append(
        ISOMediaBox(
          type: type, start: offset,
          content: offset + header..<min(offset + size, range.upperBound)))
      offset += size
    }
    return result
  }
}

/// What the `meta` box of a HEIF or AVIF file says: its items, their properties, and where their
/// bytes are.
///
/// The boxes are walked once. Items and extents have libheif's limits, and a count never leads
/// beyond the end of its box. Source: ISO/IEC 14496-12 (`meta`), ISO/IEC 23008-12 (HEIF).
package struct ISOMediaFile {
  package struct Item: Sendable {
    package let id: Int
    /// The four letters of its type.
    package let type: String
    /// Whether the item is an XMP packet.
    package let isXMP: Bool
    /// Whether the item is not meant to be shown by itself, as the tiles of a picture are not.
    package let isHidden: Bool
    /// Its whole box in ``ISOMediaFile/bytes``.
    let box: Range<Int>
  }

  /// A statement of one item about others.
  struct Reference {
    /// What it says: `dimg` is made of, `auxl` is an auxiliary picture of, `cdsc` describes.
    let type: Int
    let from: Int
    let to: [Int]
  }

  /// A property that an item has.
  struct Association {
    /// Its place in ``ISOMediaFile/properties``.
    let place: Int
    /// Whether a reader must understand it.
    let isEssential: Bool
  }

  private struct Location {
    /// What offsets count from: 0 the file's start, 1 the `idat` box, 2 another item.
    let method: Int
    let extents: [(offset: Int, length: Int)]
    /// Its entry in ``ISOMediaFile/bytes``.
    let entry: Range<Int>
  }

  /// libheif's limits (`security_limits.cc`).
  private static let mostItems = 20_000
  private static let mostExtents = 32
  /// Largest item and largest `meta` box that are read: 16 MB, more than any real metadata have.
  private static let largestItem = 16 << 20

  /// Reads bytes of the file; `nil` when they are not all there.
  package typealias Read = (_ offset: Int, _ count: Int) -> [UInt8]?

  /// The items in file order, the first with each number.
  package private(set) var items: [Item] = []
  /// The item that is the picture.
  package private(set) var primaryItem: Int?
  /// All properties, whichever item has them; their content stands in ``bytes``.
  package private(set) var properties: [ISOMediaBox] = []
  /// The content of the `meta` box.
  package let bytes: [UInt8]
  /// The boxes in it, the first of each type. A second one says nothing, as in libheif: readers that go by different
  /// ones would see different photos.
  private(set) var boxes: [ISOMediaBox] = []
  /// Where the `meta` box begins in the file.
  let boxStart: Int
  /// Where its content begins in the file.
  let start: Int

  let read: Read
  private(set) var associations: [Int: [Association]] = [:]
  private(set) var references: [Reference] = []
  private var locations: [Int: Location] = [:]
  private var idat: Range<Int> = 0..<0

  /// Reads the boxes; `nil` when the file has no `meta` box.
  package init?(_ read: @escaping Read) {
    guard let head = read(4, 4), head.has("ftyp"), let (boxStart, start, bytes) = Self.meta(read),
      bytes.count > 4
    else { return nil }
    self.read = read
    (self.boxStart, self.start, self.bytes) = (boxStart, start, bytes)
    bytes.withUnsafeBytes { bytes in
      // `meta` is a full box: version and flags stand before its children.
      var seen: Set<Int> = []
      boxes = ISOMediaBox.list(bytes, 4..<bytes.count).filter { seen.insert($0.type).inserted }
      for box in boxes {
        var fields = BoxFields(bytes, box.content)
        switch box.type {
        case ISOMediaBox.type("pitm"):
          if let version = fields.versionAndFlags()?.version {
            primaryItem = fields.number(version == 0 ? 2 : 4)
          }
        case ISOMediaBox.type("iinf"): readItems(bytes, &fields)
        case ISOMediaBox.type("iloc"): readLocations(&fields)
        case ISOMediaBox.type("iref"): readReferences(bytes, &fields)
        case ISOMediaBox.type("idat"): idat = box.content
        case ISOMediaBox.type("iprp"):
          let parts = ISOMediaBox.list(bytes, box.content)
          if let ipco = parts.first(where: { $0.type == ISOMediaBox.type("ipco") }) {
            properties = ISOMediaBox.list(bytes, ipco.content)
          }
          for ipma in parts where ipma.type == ISOMediaBox.type("ipma") {
            fields = BoxFields(bytes, ipma.content)
            readAssociations(&fields)
          }
        default: break
        }
      }
    }
  }

  /// The content of the file's `meta` box, which stands among the first boxes, and where it begins.
  private static func meta(_ read: Read) -> (boxStart: Int, start: Int, bytes: [UInt8])? {
    place(of: "meta", read).flatMap { box, content in
      guard content.count <= largestItem else { return nil }
      return read(content.lowerBound, content.count).map { (box, content.lowerBound, $0) }
    }
  }

  /// The content of the first of a file's boxes of a type; `nil` for one that is larger than any that is read.
  static func box(_ type: StaticString, _ read: Read) -> [UInt8]? {
    place(of: type, read).flatMap { _, content in
      content.count <= largestItem ? read(content.lowerBound, content.count) : nil
    }
  }

  /// Where the first box of a type is, and its content, among the file's first boxes.
  package static func place(
    of type: StaticString, _ read: Read
  ) -> (box: Int, content: Range<Int>)? {
    var offset = 0
    for _ in 0..<64 {
      guard let head = read(offset, 8), var size = head.uint32(at: 0) else { return nil }
      var header = 8
      if size == 1 {
        guard let long = read(offset + 8, 8), let high = long.uint32(at: 0), high == 0,
          let low = long.uint32(at: 4)
        else { return nil }
        (size, header) = (low, 16)
      }
      guard size >= header else { return nil }
      if head.has(type, at: 4) { return (offset, offset + header..<offset + size) }
      offset += size
    }
    return nil
  }

  private mutating func readItems(_ bytes: UnsafeRawBufferPointer, _ fields: inout BoxFields) {
    guard let version = fields.versionAndFlags()?.version,
      fields.number(version == 0 ? 2 : 4) != nil
    else { return }
    var seen: Set<Int> = []
    for entry in ISOMediaBox.list(bytes, fields.rest).prefix(Self.mostItems) {
      var fields = BoxFields(bytes, entry.content)
      guard entry.type == ISOMediaBox.type("infe"),
        let (version, flags) = fields.versionAndFlags(), version >= 2,
        let id = fields.number(version == 2 ? 2 : 4), fields.number(2) != nil,
        let type = fields.letters(), seen.insert(id).inserted
      else { continue }
      let isXMP =
        type == "mime" && bytes.offset(of: "application/rdf+xml", in: fields.rest) != nil
      items.append(
        Item(
          id: id, type: type, isXMP: isXMP, isHidden: flags & 1 == 1,
          box: entry.start..<entry.content.upperBound))
    }
  }

  private mutating func readLocations(_ fields: inout BoxFields) {
    guard let version = fields.versionAndFlags()?.version, let sizes = fields.number(2),
      let count = fields.number(version < 2 ? 2 : 4)
    else { return }
    let (wide, long, base) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
    let index = version == 0 ? 0 : sizes & 15
    for _ in 0..<min(count, Self.mostItems) {
      let begin = fields.rest.lowerBound
      guard let item = fields.number(version < 2 ? 2 : 4),
        let method = version == 0 ? 0 : fields.number(2), fields.number(2) != nil,
        let start = fields.number(base), let extentCount = fields.number(2),
        extentCount <= Self.mostExtents
      else { return }
      var extents: [(offset: Int, length: Int)] = []
      for _ in 0..<extentCount {
        guard fields.number(index) != nil, let offset = fields.number(wide),
          let length = fields.number(long)
        else { return }
        // Numbers are below 2 to the power of 62, so that two of them do not overflow.
        extents.append((start + offset, length))
      }
      guard locations[item] == nil else { continue }
      locations[item] = Location(
        method: method & 15, extents: extents, entry: begin..<fields.rest.lowerBound)
    }
  }

  private mutating func readAssociations(_ fields: inout BoxFields) {
    guard let (version, flags) = fields.versionAndFlags(), let count = fields.number(4) else {
      return
    }
    let width = flags & 1 == 1 ? 2 : 1
    for _ in 0..<min(count, Self.mostItems) {
      guard let item = fields.number(version == 0 ? 2 : 4), let uses = fields.number(1) else {
        return
      }
      var properties: [Association] = []
      for _ in 0..<uses {
        guard let use = fields.number(width) else { return }
        let essential = width == 2 ? 0x8000 : 0x80
        properties.append(
          Association(place: (use & (essential - 1)) - 1, isEssential: use & essential != 0))
      }
      if associations[item] == nil { associations[item] = properties }
    }
  }

  private mutating func readReferences(_ bytes: UnsafeRawBufferPointer, _ fields: inout BoxFields) {
    guard let version = fields.versionAndFlags()?.version else { return }
    let width = version == 0 ? 2 : 4
    for box in ISOMediaBox.list(bytes, fields.rest).prefix(Self.mostItems) {
      var fields = BoxFields(bytes, box.content)
      guard let from = fields.number(width), let count = fields.number(2) else { continue }
      var targets: [Int] = []
      for _ in 0..<count {
        guard let to = fields.number(width) else { break }
        targets.append(to)
      }
      references.append(Reference(type: box.type, from: from, to: targets))
    }
  }

  /// The properties of an item, in their order; empty when the boxes do not say.
  package func properties(of item: Int) -> [ISOMediaBox] {
    (associations[item] ?? []).map(\.place).filter(properties.indices.contains)
      .map { properties[$0] }
  }

  /// The orientation, as Exif counts it, that the boxes give the primary picture.
  package var primaryOrientation: Int { primaryItem.map(orientation) ?? 1 }

  /// The orientation, as Exif counts it, that the boxes give an item: quarter turns against the clock (`irot`) and a mirror
  /// (`imir`), in their order. Source: ISO/IEC 23008-12, 6.5.10 and 6.5.12.
  private func orientation(of item: Int) -> Int {
    var (quarters, isMirrored) = (0, false)
    for property in properties(of: item) {
      let value = Int(bytes.byte(at: property.content.lowerBound) ?? 0)
      switch property.type {
      case ISOMediaBox.type("irot"): quarters += isMirrored ? value & 3 : 4 - value & 3
      // The axis 0 exchanges top and bottom: a half turn and the mirror of left and right.
      case ISOMediaBox.type("imir"):
        isMirrored.toggle()
        if value & 1 == 0 { quarters += 2 }
      default: break
      }
    }
    return (isMirrored ? [2, 5, 4, 7] : [1, 6, 3, 8])[quarters % 4]
  }

  /// Width and height of an item, as its boxes turn it; `nil` when they do not say.
  package func size(of item: Int) -> (width: Int, height: Int)? {
    guard
      let start = properties(of: item).last(where: { $0.type == ISOMediaBox.type("ispe") })?
        .content.lowerBound,
      let width = bytes.uint32(at: start + 4), let height = bytes.uint32(at: start + 8),
      width > 0, height > 0
    else { return nil }
    return (5...8).contains(orientation(of: item)) ? (height, width) : (width, height)
  }

  /// The items that an item is made of, in their order.
  package func inputs(of item: Int) -> [Int] {
    references.first { $0.type == ISOMediaBox.type("dimg") && $0.from == item }?.to ?? []
  }

  /// The auxiliary pictures whose kind has a text in it, in file order.
  package func auxiliaryItems(_ kind: StaticString) -> [Int] {
    items.map(\.id).filter { item in
      properties(of: item).contains {
        $0.type == ISOMediaBox.type("auxC") && bytes.offset(of: kind, in: $0.content) != nil
      }
    }
  }

  /// The XMP items that describe an item, in file order.
  package func xmpItems(describing item: Int) -> [Int] {
    let describing = Set(
      references.filter { $0.type == ISOMediaBox.type("cdsc") && $0.to.contains(item) }
        .map(\.from))
    return items.filter { $0.isXMP && describing.contains($0.id) }.map(\.id)
  }

  /// Whether the boxes say which properties an item has.
  package func hasProperties(_ item: Int) -> Bool { associations[item] != nil }

  /// The XMP item that describes the primary picture; `nil` when there is none. Depth maps and the
  /// like have packets of their own.
  package var xmpItem: Int? { describing(items.filter(\.isXMP)) }

  /// The Exif item that describes the primary picture; `nil` when there is none.
  package var exifItem: Int? { describing(items.filter { $0.type == "Exif" }) }

  /// The first of some items that describes the primary picture or a part that it is made of, or else that describes
  /// nothing. What describes another picture only is that picture's: its camera took it.
  private func describing(_ items: [Item]) -> Int? {
    let items = items.map(\.id)
    guard !items.isEmpty, let primaryItem else { return items.first }
    var described: [Int: Set<Int>] = [:]
    for reference in references where reference.type == ISOMediaBox.type("cdsc") {
      described[reference.from, default: []].formUnion(reference.to)
    }
    let parts = parts(of: primaryItem, withAlpha: false)
    // Some writers name an item that is not there.
    let others = Set(self.items.map(\.id))
    return items.first { described[$0]?.contains(primaryItem) == true }
      ?? items.first { described[$0]?.isDisjoint(with: parts) == false }
      ?? items.first { described[$0]?.isDisjoint(with: others) != false }
  }

  /// Where an item's bytes are in the file; `nil` for an item without a place of its own there.
  package func ranges(of item: Int) -> [Range<Int>]? {
    guard let location = locations[item], location.method == 0 else { return nil }
    var ranges: [Range<Int>] = []
    for (offset, length) in location.extents {
      let (end, isTooFar) = offset.addingReportingOverflow(length)
      if isTooFar { return nil }
      ranges.append(offset..<end)
    }
    return ranges
  }

  /// The bytes of an item, its extents joined; `nil` when they are not all in the file.
  package func content(of item: Int) -> [UInt8]? {
    // Offsets that count from another item are not read.
    guard let location = locations[item], location.method < 2 else { return nil }
    var content: [UInt8] = []
    for (offset, length) in location.extents {
      guard length <= Self.largestItem - content.count else { return nil }
      if location.method == 1 {
        guard offset <= idat.count, length <= idat.count - offset else { return nil }
        content += bytes[(idat.lowerBound + offset)...].prefix(length)
      } else {
        guard let part = read(offset, length) else { return nil }
        content += part
      }
    }
    return content
  }
}

extension ISOMediaFile {
  /// The entry of `iloc` that says where an item is; `nil` when there is none.
  func locationEntry(of item: Int) -> Range<Int>? { locations[item]?.entry }

  /// What changes in the file when an item lies elsewhere in it: bytes and where they stand.
  ///
  /// - Returns: `nil` for an item of several parts, or one whose place is not said in numbers of four bytes.
  package func moving(
    _ item: Int, to offset: Int, count: Int
  ) -> [(place: Int, bytes: [UInt8])]? {
    guard let location = locations[item], location.method == 0, location.extents.count == 1,
      let iloc = boxes.first(where: { $0.type == ISOMediaBox.type("iloc") }),
      let version = bytes.byte(at: iloc.content.lowerBound), version < 2,
      let sizes = bytes.uint16(at: iloc.content.lowerBound + 4), sizes & 0xFF0F == 0x4400,
      [0, 4].contains(sizes >> 4 & 15)
    else { return nil }
    var numbers: [UInt8] = []
    numbers.append(uint32: offset)
    numbers.append(uint32: count)
    let entry = location.entry
    let place = (start + entry.upperBound - 8, numbers)
    guard sizes >> 4 & 15 == 4 else { return [place] }
    // Offsets count from the base, which stands before the number of parts.
    return [(start + entry.upperBound - 14, [0, 0, 0, 0]), place]
  }
}

/// Takes one number after the other out of a box.
struct BoxFields {
  private let bytes: UnsafeRawBufferPointer
  private(set) var rest: Range<Int>

  init(_ bytes: UnsafeRawBufferPointer, _ content: Range<Int>) {
    self.bytes = bytes
    rest = content
  }

  mutating func versionAndFlags() -> (version: Int, flags: Int)? {
    number(4).map { ($0 >> 24, $0 & 0xFF_FFFF) }
  }

  mutating func letters() -> String? {
    guard rest.count >= 4 else { return nil }
    defer { rest = rest.dropFirst(4) }
    return String(decoding: bytes[rest.prefix(4)], as: UTF8.self)
  }

  /// A number of 0, 1, 2, 4 or 8 bytes, below 2 to the power of 62; of no bytes it is 0.
  mutating func number(_ width: Int) -> Int? {
    guard [0, 1, 2, 4, 8].contains(width), width <= rest.count else { return nil }
    var number = 0
    for byte in bytes[rest.prefix(width)] {
      guard number < 1 << 54 else { return nil }
      number = number << 8 | Int(byte)
    }
    rest = rest.dropFirst(width)
    return number
  }
}
