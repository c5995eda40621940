import SafelightFormats

/// Gives a TIFF that an encoder has just written the metadata of a render.
///
/// A new directory behind the file takes the place of the encoder's: it has the encoder's entries for the pixels and the
/// profile, and those of the metadata. Nothing else of the file changes. Source: TIFF 6.0; XMP specification part 3,
/// 1.1.6; ExifTool's documentation of TIFF's tag 33723.
package struct TIFFSplicer {
  /// The file's first eight bytes.
  package let beginning: [UInt8]
  /// What stands behind the file.
  package let end: [UInt8]
  /// Exif values that are too large, which the file does not have.
  package let dropped: [UInt16]
  /// Whether maker notes are at another offset than in the Exif block.
  package let movesMakerNote: Bool

  private typealias Field = ExifBuilder.Field

  /// The tags that come from the metadata, if at all.
  private static let described: Set = [
    0x10E, 0x112, 0x11A, 0x11B, 0x128, 700, 33_723, 34_377, 0x8769, 0x8825,
  ]

  /// Makes the new directory.
  ///
  /// - Parameters:
  ///   - file: The encoder's file.
  ///   - blocks: The metadata, made for the render.
  /// - Returns: `nil` for a file that is no classic TIFF, or has no room below 4 GB.
  package init?<File: RandomAccessCollection>(_ file: File, _ blocks: CarriedMetadata.Blocks)
  where File.Element == UInt8, File.Index == Int {
    guard let structure = TIFFStructure(file), let head = file.bytes(at: 0, count: 4) else {
      return nil
    }
    let order = structure.order
    var builder: ExifBuilder?
    if let exif = blocks.exif.flatMap({ ExifBlock($0) }) {
      var fields = ExifBuilder(exif.structure, in: exif.bytes.bytes(at:count:))
      fields.keepDescription()
      builder = fields
    }
    dropped = builder?.dropped.sorted() ?? []
    movesMakerNote =
      builder?.fields[1].contains { $0.tag == ExifBlock.Tag.makerNote && $0.bytes.count > 4 }
      ?? false
    // The file has one order, whatever that of the block.
    var lists = (builder?.fields ?? [[], [], [], []]).map { fields in
      fields.map { $0.inOrder(order, from: builder?.order ?? order) }
    }
    func add(_ tag: Int, _ type: Int, _ count: Int, _ bytes: [UInt8]) {
      lists[0].removeAll { $0.tag == tag }
      lists[0].append(Field(tag: tag, type: type, count: count, bytes: bytes, offset: 0))
    }
    func short(_ number: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      bytes.append(uint16: number, order)
      return bytes
    }
    add(0x112, 3, 1, short(1))
    let density = blocks.density ?? PixelDensity(across: 1, down: 1, unit: .none)
    for (tag, number) in [(0x11A, density.across), (0x11B, density.down)] {
      var bytes: [UInt8] = []
      let isWhole = number == number.rounded()
      bytes.append(uint32: Int((min(number, 4e6) * (isWhole ? 1 : 1000)).rounded()), order)
      bytes.append(uint32: isWhole ? 1 : 1000, order)
      add(tag, 5, 1, bytes)
    }
    add(0x128, 3, 1, short(density.unit == .none ? 1 : density.unit == .inch ? 2 : 3))
    if let xmp = blocks.xmp { add(700, 1, xmp.count, xmp) }
    // Photoshop writes the records as long numbers, and some readers take nothing else.
    if let iptc = blocks.iptc {
      let padded = PhotoshopResources.padded(iptc)
      add(33_723, 4, padded.count / 4, padded)
    }
    if let resources = blocks.photoshop { add(34_377, 1, resources.count, resources) }

    var end = [UInt8](repeating: 0, count: file.count % 2)
    func append(_ fields: [Field], raw: [(tag: Int, bytes: [UInt8])] = []) -> Int {
      let start = file.count + end.count
      end += Self.directory(fields, raw, at: start, order)
      return start
    }
    func link(_ offset: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      bytes.append(uint32: offset, order)
      return bytes
    }
    if !lists[3].isEmpty {
      let place = append(lists[3])
      lists[1].append(
        Field(tag: TIFFStructure.links[2], type: 4, count: 1, bytes: link(place), offset: 0))
    }
    if !lists[1].isEmpty { add(TIFFStructure.links[0], 4, 1, link(append(lists[1]))) }
    if !lists[2].isEmpty { add(TIFFStructure.links[1], 4, 1, link(append(lists[2]))) }
    let own = Set(lists[0].map(\.tag)).union(Self.described)
    let raw = structure.main.entries.filter { !own.contains($0.tag) }.compactMap { entry in
      file.bytes(at: entry.position, count: 12).map { (tag: entry.tag, bytes: $0) }
    }
    let main = append(lists[0], raw: raw)
    guard file.count + end.count < 1 << 32 else { return nil }
    beginning = head + link(main)
    self.end = end
  }

  /// A directory with its values behind it, which is the last of its file.
  private static func directory(
    _ fields: [Field], _ raw: [(tag: Int, bytes: [UInt8])], at start: Int, _ order: ByteOrder
  ) -> [UInt8] {
    var entries = raw
    var values: [UInt8] = []
    let count = fields.count + raw.count
    for field in fields {
      var entry: [UInt8] = []
      entry.append(uint16: field.tag, order)
      entry.append(uint16: field.type, order)
      entry.append(uint32: field.count, order)
      if field.bytes.count > 4 {
        entry.append(uint32: start + 6 + 12 * count + values.count, order)
        values += field.bytes
        values += [UInt8](repeating: 0, count: field.bytes.count % 2)
      } else {
        entry += field.bytes + [UInt8](repeating: 0, count: 4 - field.bytes.count)
      }
      entries.append((field.tag, entry))
    }
    var bytes: [UInt8] = []
    bytes.append(uint16: count, order)
    for entry in entries.sorted(by: { $0.tag < $1.tag }) { bytes += entry.bytes }
    bytes.append(uint32: 0, order)
    return bytes + values
  }
}

extension ExifBuilder.Field {
  /// The field with its numbers in another order of bytes.
  func inOrder(_ order: ByteOrder, from old: ByteOrder) -> ExifBuilder.Field {
    guard order != old else { return self }
    let width =
      switch type {
      case 3, 8: 2
      case 4, 5, 9, 10, 11, 13: 4
      case 12: 8
      default: 1
      }
    guard width > 1 else { return self }
    var field = self
    field.bytes = stride(from: 0, to: bytes.count, by: width).flatMap {
      bytes[$0..<min($0 + width, bytes.count)].reversed()
    }
    return field
  }
}
