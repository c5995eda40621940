extension PhotoHeader {
  /// Reads the `meta` box of a HEIC or AVIF file: the primary picture's size, turned as the file
  /// says, and its Exif and XMP. Source: ISO/IEC 14496-12, ISO/IEC 23008-12.
  ///
  /// - Returns: Whether the file can be told without a decoder; one that crops its picture cannot.
  mutating func read(heif file: HeaderBytes) -> Bool {
    guard let meta = Self.meta(of: file) else { return false }
    return meta.withUnsafeBytes { bytes in
      // `meta` is a full box: version and flags stand before its children.
      let boxes = HEIFBoxes(bytes)
      guard let primary = boxes.primaryItem, let size = boxes.size(of: primary) else {
        return false
      }
      (width, height) = size
      if boxes.isHDR { signs.insert(.hdr) }
      if boxes.hasDepth { signs.insert(.depth) }
      for (item, isExif) in boxes.metadataItems {
        guard let content = boxes.content(of: item, in: file) else { continue }
        if isExif { read(exif: content) } else { read(xmp: content) }
      }
      // The boxes have turned the picture; Exif's orientation is a copy that must not turn it again.
      orientation = 1
      return true
    }
  }

  private static func meta(of file: HeaderBytes) -> [UInt8]? {
    var offset = 0
    for _ in 0..<64 {
      guard let head = file.bytes(at: offset, count: 8), let size = head.uint32(at: 0),
        size >= 8
      else { return nil }
      if head.has("meta", at: 4) { return file.bytes(at: offset + 8, count: size - 8) }
      offset += size
    }
    return nil
  }
}

/// The children of a HEIF file's `meta` box.
private struct HEIFBoxes {
  let bytes: UnsafeRawBufferPointer
  let children: [ISOMediaBox]
  let properties: [ISOMediaBox]

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    children = bytes.count > 4 ? ISOMediaBox.list(bytes, 4..<bytes.count) : []
    let container = children.first { $0.type == ISOMediaBox.type("iprp") }
    let lists = container.map { ISOMediaBox.list(bytes, $0.content) } ?? []
    let list = lists.first { $0.type == ISOMediaBox.type("ipco") }
    properties = list.map { ISOMediaBox.list(bytes, $0.content) } ?? []
    associations = lists.first { $0.type == ISOMediaBox.type("ipma") }?.content
  }

  private let associations: Range<Int>?

  private func box(_ letters: StaticString) -> Range<Int>? {
    children.first { $0.type == ISOMediaBox.type(letters) }?.content
  }

  var primaryItem: Int? {
    guard let pitm = box("pitm"), let version = bytes.byte(at: pitm.lowerBound) else { return nil }
    return version == 0
      ? bytes.uint16(at: pitm.lowerBound + 4) : bytes.uint32(at: pitm.lowerBound + 4)
  }

  /// The size of a picture as it is seen; nil when it is cropped or not said.
  func size(of item: Int) -> (width: Int, height: Int)? {
    var size: (width: Int, height: Int)?
    var swaps = false
    for index in propertyIndexes(of: item) where properties.indices.contains(index - 1) {
      let property = properties[index - 1]
      let start = property.content.lowerBound
      switch property.type {
      case ISOMediaBox.type("clap"): return nil
      case ISOMediaBox.type("ispe"):
        guard let width = bytes.uint32(at: start + 4), let height = bytes.uint32(at: start + 8)
        else { return nil }
        size = (width, height)
      case ISOMediaBox.type("irot"): swaps = (bytes.byte(at: start) ?? 0) & 1 == 1
      default: break
      }
    }
    return size.map { swaps ? ($0.height, $0.width) : $0 }
  }

  /// The properties of an item, counted from 1, by the `ipma` box.
  private func propertyIndexes(of item: Int) -> [Int] {
    guard let associations, let version = bytes.byte(at: associations.lowerBound),
      let flags = bytes.byte(at: associations.lowerBound + 3),
      let count = bytes.uint32(at: associations.lowerBound + 4)
    else { return [] }
    let end = associations.upperBound
    let (wide, long) = (flags & 1 == 1, version > 0)
    var offset = associations.lowerBound + 8
    for _ in 0..<count {
      guard offset < end, let number = long ? bytes.uint32(at: offset) : bytes.uint16(at: offset),
        let entries = bytes.byte(at: offset + (long ? 4 : 2))
      else { return [] }
      offset += long ? 5 : 3
      if number == item {
        return (0..<Int(entries)).compactMap { index in
          wide
            ? bytes.uint16(at: offset + 2 * index).map { $0 & 0x7FFF }
            : bytes.byte(at: offset + index).map { Int($0 & 0x7F) }
        }
      }
      offset += Int(entries) * (wide ? 2 : 1)
    }
    return []
  }

  /// Whether a gain map or a transfer function of HDR stands among the properties.
  var isHDR: Bool {
    properties.contains { property in
      let content = property.content
      if property.type == ISOMediaBox.type("colr"), bytes.has("nclx", at: content.lowerBound) {
        return bytes.uint16(at: content.lowerBound + 6).map(PhotoHeader.isHDR) ?? false
      }
      return isAuxiliary(property) && bytes.offset(of: "hdrgainmap", in: content) != nil
    } || itemTypes.contains { $0.type == "tmap" }
  }

  /// Whether a map of depths is among the auxiliary pictures.
  var hasDepth: Bool {
    properties.contains { property in
      isAuxiliary(property)
        && (bytes.offset(of: "hevc:2015:auxid:2", in: property.content) != nil
          || bytes.offset(of: "auxiliary:depth", in: property.content) != nil)
    }
  }

  private func isAuxiliary(_ box: ISOMediaBox) -> Bool { box.type == ISOMediaBox.type("auxC") }

  /// The Exif item and the first XMP item.
  var metadataItems: [(item: Int, isExif: Bool)] {
    let types = itemTypes
    let exif = types.first { $0.type == "Exif" }.map { ($0.item, true) }
    let xmp = types.first { $0.type == "mime" && $0.isRDF }.map { ($0.item, false) }
    return [exif, xmp].compactMap(\.self)
  }

  private var itemTypes: [(item: Int, type: String, isRDF: Bool)] {
    guard let iinf = box("iinf"), let version = bytes.byte(at: iinf.lowerBound),
      iinf.count > 8
    else { return [] }
    return ISOMediaBox.list(bytes, iinf.dropFirst(version == 0 ? 6 : 8)).compactMap { entry in
      let start = entry.content.lowerBound
      guard entry.type == ISOMediaBox.type("infe"), let version = bytes.byte(at: start),
        version >= 2
      else { return nil }
      let place = start + 4 + (version == 2 ? 2 : 4) + 2
      guard place + 4 <= entry.content.upperBound,
        let item = version == 2 ? bytes.uint16(at: start + 4) : bytes.uint32(at: start + 4)
      else { return nil }
      let type = String(decoding: bytes[place..<(place + 4)], as: UTF8.self)
      let isRDF =
        bytes.offset(of: "application/rdf+xml", in: place..<entry.content.upperBound) != nil
      return (item, type, isRDF)
    }
  }

  /// The bytes of an item, its extents joined; nil when they are not in the file.
  func content(of item: Int, in file: HeaderBytes) -> [UInt8]? {
    guard let iloc = box("iloc"), var reader = ISOMediaLocations(bytes, iloc) else { return nil }
    while let location = reader.next() {
      guard location.item == item else { continue }
      var content: [UInt8] = []
      for extent in location.extents where content.count < 1 << 20 {
        if location.isInside {
          guard let start = box("idat")?.lowerBound, extent.offset <= bytes.count,
            extent.length <= bytes.count - start - extent.offset
          else { return nil }
          content += bytes[(start + extent.offset)..<(start + extent.offset + extent.length)]
        } else {
          guard let part = file.bytes(at: extent.offset, count: extent.length) else { return nil }
          content += part
        }
      }
      return content
    }
    return nil
  }
}
