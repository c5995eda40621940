/// Bytes to read in place of those that a file has.
package struct BytePatch: Sendable, Equatable {
  /// Where the bytes stand in the file.
  package let offset: Int
  package let bytes: [UInt8]
}

extension ISOMediaFile {
  /// Types of items that are pictures and need no other item to be shown.
  private static let pictureTypes: Set = ["hvc1", "av01", "grid", "iden", "iovl"]

  /// Properties that decoding needs. Others are kept when a reader must understand them.
  private static let decodedProperties = Set(
    [
      "ispe", "hvcC", "av1C", "avcC", "vvcC", "jpgC", "colr", "pixi", "pasp", "irot", "imir",
      "clap", "auxC", "a1op", "a1lx", "lsel",
    ].map { (type: StaticString) in ISOMediaBox.type(type) })

  /// What auxiliary pictures call themselves when they are the transparency of another picture.
  private static let alphaNames: [StaticString] = [
    "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1\0",
    "urn:mpeg:avc:2015:auxid:1\0",
  ]

  /// The number of pictures that the file shows, without thumbnails, tiles and auxiliary pictures.
  package var pictureCount: Int {
    let parts: Set = [ISOMediaBox.type("thmb"), ISOMediaBox.type("auxl")]
    var others = Set(references.lazy.filter { parts.contains($0.type) }.map(\.from))
    for reference in references where reference.type == ISOMediaBox.type("dimg") {
      others.formUnion(reference.to)
    }
    if let primaryItem { others.remove(primaryItem) }
    return items.count {
      !$0.isHidden && Self.pictureTypes.contains($0.type) && !others.contains($0.id)
    }
  }

  /// Whether the primary picture is the first that is meant to be shown.
  package var isPrimaryFirst: Bool {
    let first = items.first {
      !$0.isHidden && Self.pictureTypes.contains($0.type) && !isPart($0.id)
    }
    return first == nil || first?.id == primaryItem
  }

  /// Whether an item is a thumbnail, an auxiliary picture or a piece of another one.
  private func isPart(_ item: Int) -> Bool {
    item != primaryItem
      && references.contains { reference in
        switch reference.type {
        case ISOMediaBox.type("thmb"), ISOMediaBox.type("auxl"): reference.from == item
        case ISOMediaBox.type("dimg"): reference.to.contains(item)
        default: false
        }
      }
  }

  /// Whether the colors of the primary picture are multiplied by its transparency. Source: ISO/IEC 23008-12, 6.6.2.1
  /// and 7.3.5.2 (`prem`).
  package var isPremultiplied: Bool {
    references.contains { $0.type == ISOMediaBox.type("prem") && $0.from == primaryItem }
  }

  /// The number of pictures in the longest sequence of pictures; 0 for a file without one. Source: ISO/IEC 14496-12
  /// (`moov`, `stsz`), ISO/IEC 23008-12, 7.2 (`pict`).
  package var frameCount: Int {
    guard let movie = Self.box("moov", read) else { return 0 }
    return movie.withUnsafeBytes { bytes in
      func inside(_ type: StaticString, _ range: Range<Int>) -> Range<Int>? {
        ISOMediaBox.list(bytes, range).first { $0.type == ISOMediaBox.type(type) }?.content
      }
      let counts = ISOMediaBox.list(bytes, 0..<bytes.count).prefix(64)
        .filter { $0.type == ISOMediaBox.type("trak") }
        .compactMap { track -> Int? in
          guard let media = inside("mdia", track.content), let handler = inside("hdlr", media),
            bytes.has("pict", at: handler.lowerBound + 8),
            let sizes = inside("minf", media).flatMap({ inside("stbl", $0) })
              .flatMap({ inside("stsz", $0) }), sizes.count >= 12
          else { return nil }
          return bytes.uint32(at: sizes.lowerBound + 8)
        }
      return min(counts.max() ?? 0, 1 << 24)
    }
  }

  /// The types of the coded items of the primary picture, such as `hvc1`, without those that put
  /// other items together.
  package var codedTypes: Set<String> {
    guard let primaryItem else { return [] }
    let parts = parts(of: primaryItem, withAlpha: false)
    return Set(items.lazy.filter { parts.contains($0.id) }.map(\.type))
      .subtracting(["grid", "iden", "iovl", "tmap"])
  }

  /// A view of the file in which its primary picture is the only one.
  ///
  /// Decoders get no other item: no thumbnails, depth maps, gain maps or metadata, and none of what
  /// may be wrong with them. libheif 1.15 refuses whole photos of newer phones because of such
  /// items. The picture's tiles, transparency and properties stay, and all offsets hold. The boxes
  /// behind `meta` become one box that no decoder looks into.
  ///
  /// - Parameters:
  ///   - size: The file's length in bytes.
  ///   - item: A picture to show in place of the primary one, such as a gain map; `nil` for the primary one.
  /// - Returns: What to read in place of the `meta` box; `nil` when the boxes do not say enough.
  package func pictureOnly(ofFile size: Int, showing item: Int? = nil) -> BytePatch? {
    guard let primaryItem = item ?? primaryItem else { return nil }
    let picture = parts(of: primaryItem, withAlpha: true)
    let kept = items.filter { picture.contains($0.id) }
    // An item that is not there is understood differently by each reader.
    guard kept.count == picture.count else { return nil }

    var parts: [(type: Int, content: [UInt8])] = []
    var locations: Int?
    var isUnderstood = true
    bytes.withUnsafeBytes { bytes in
      for box in boxes {
        let content: [UInt8]?
        switch box.type {
        case ISOMediaBox.type("hdlr"), ISOMediaBox.type("idat"):
          content = Array(bytes[box.content])
        case ISOMediaBox.type("pitm"):
          content =
            item == nil ? Array(bytes[box.content]) : Self.primary(primaryItem, bytes, box)
        case ISOMediaBox.type("iinf"):
          content = itemList(bytes, box, kept, showing: item)
        case ISOMediaBox.type("iloc"):
          locations = parts.count
          content = counted(
            bytes, box, picture.sorted().compactMap(locationEntry), fixed: 6, wideFrom: 2)
        case ISOMediaBox.type("iref"): content = referenceList(bytes, box, picture)
        case ISOMediaBox.type("iprp"): content = propertyLists(bytes, box, picture)
        default: continue
        }
        if let content { parts.append((box.type, content)) } else { isUnderstood = false }
      }
    }
    guard isUnderstood, let locations else { return nil }

    let length = parts.reduce(4) { $0 + 8 + $1.content.count }
    let rest = size - (start + length)
    let restHeader = rest < 1 << 32 ? 8 : 16
    guard length <= bytes.count, start + bytes.count <= size else { return nil }
    let hasRoom = bytes.count - length >= restHeader
    if !hasRoom {
      // Readers pass over what a box has behind its fields.
      parts[locations].content += [UInt8](repeating: 0, count: bytes.count - length)
    }
    let header = start - boxStart
    let boxLength = header + (hasRoom ? length : bytes.count)
    var patch: [UInt8] = []
    patch.append(uint32: header == 8 ? boxLength : 1)
    patch.append(ascii: "meta")
    if header == 16 {
      patch.append(uint32: 0)
      patch.append(uint32: boxLength)
    }
    patch += bytes[..<4]
    for part in parts {
      patch.append(uint32: 8 + part.content.count)
      patch.append(uint32: part.type)
      patch += part.content
    }
    if hasRoom {
      patch.append(uint32: restHeader == 8 ? rest : 1)
      patch.append(ascii: "mdat")
      if restHeader == 16 {
        patch.append(uint32: rest >> 32)
        patch.append(uint32: rest & 0xFFFF_FFFF)
      }
    }
    return BytePatch(offset: boxStart, bytes: patch)
  }

  /// A picture and the items that its pixels are made of, such as tiles.
  ///
  /// - Parameter withAlpha: Whether the transparency of each of them counts as well.
  func parts(of picture: Int, withAlpha: Bool) -> Set<Int> {
    var partsByItem: [Int: [Int]] = [:]
    for reference in references {
      switch reference.type {
      case ISOMediaBox.type("dimg"), ISOMediaBox.type("iloc"):
        partsByItem[reference.from, default: []] += reference.to
      case ISOMediaBox.type("auxl") where withAlpha && isAlpha(reference.from):
        for item in reference.to { partsByItem[item, default: []].append(reference.from) }
      default: break
      }
    }
    var parts: Set = [picture]
    var waiting = [picture]
    while let item = waiting.popLast() {
      for part in partsByItem[item] ?? [] where parts.insert(part).inserted {
        waiting.append(part)
      }
    }
    return parts
  }

  private func isAlpha(_ item: Int) -> Bool {
    properties(of: item).contains { property in
      property.type == ISOMediaBox.type("auxC")
        && Self.alphaNames.contains { bytes.has($0, at: property.content.lowerBound + 4) }
    }
  }

  /// `pitm` with another item; `nil` for a box that is cut short or has no room for the item's number.
  private static func primary(
    _ item: Int, _ bytes: UnsafeRawBufferPointer, _ box: ISOMediaBox
  ) -> [UInt8]? {
    guard box.content.count >= 6 else { return nil }
    var content = Array(bytes[box.content.prefix(4)])
    if content[0] > 0 {
      content.append(uint32: item)
    } else {
      guard item <= 0xFFFF else { return nil }
      content.append(uint16: item)
    }
    return content
  }

  /// `iinf` with the items that are kept, one of which is no longer hidden.
  private func itemList(
    _ bytes: UnsafeRawBufferPointer, _ box: ISOMediaBox, _ kept: [Item], showing item: Int?
  ) -> [UInt8]? {
    guard var content = counted(bytes, box, kept.map(\.box), wideFrom: 1) else { return nil }
    guard let index = kept.firstIndex(where: { $0.id == item && $0.isHidden }) else {
      return content
    }
    // Box header, version, and the last byte of the flags (ISO/IEC 14496-12, 8.11.6).
    let behind = kept[index...].reduce(0) { $0 + $1.box.count }
    let start = content.count - behind
    guard content.uint32(at: start) != 1, start + 11 < content.count else { return nil }
    content[start + 11] &= 0xFE
    return content
  }

  /// The fields of a box before its list, a new count, and the entries that are kept.
  private func counted(
    _ bytes: UnsafeRawBufferPointer, _ box: ISOMediaBox, _ entries: [Range<Int>], fixed: Int = 4,
    wideFrom: Int
  ) -> [UInt8]? {
    guard box.content.count >= fixed else { return nil }
    var content = Array(bytes[box.content.prefix(fixed)])
    if content[0] < wideFrom {
      content.append(uint16: entries.count)
    } else {
      content.append(uint32: entries.count)
    }
    for entry in entries {
      guard box.content.lowerBound <= entry.lowerBound, entry.upperBound <= box.content.upperBound
      else { return nil }
      content += bytes[entry]
    }
    return content
  }

  /// `iref` with the references among the picture's items.
  private func referenceList(
    _ bytes: UnsafeRawBufferPointer, _ box: ISOMediaBox, _ picture: Set<Int>
  ) -> [UInt8]? {
    guard box.content.count >= 4 else { return nil }
    var content = Array(bytes[box.content.prefix(4)])
    let isWide = content[0] > 0
    func append(_ number: Int) {
      if isWide { content.append(uint32: number) } else { content.append(uint16: number) }
    }
    let kinds = Set(
      ["dimg", "iloc", "auxl", "prem"].map { (type: StaticString) in ISOMediaBox.type(type) })
    for reference in references
    where kinds.contains(reference.type) && picture.contains(reference.from) {
      let targets = reference.to.filter(picture.contains)
      guard !targets.isEmpty else { continue }
      content.append(uint32: 8 + (isWide ? 4 : 2) * (targets.count + 1) + 2)
      content.append(uint32: reference.type)
      append(reference.from)
      content.append(uint16: targets.count)
      for target in targets { append(target) }
    }
    return content
  }

  /// `iprp` with the properties of the picture's items. The boxes of others become free space, so
  /// that all places hold.
  private func propertyLists(
    _ bytes: UnsafeRawBufferPointer, _ box: ISOMediaBox, _ picture: Set<Int>
  ) -> [UInt8]? {
    let parts = ISOMediaBox.list(bytes, box.content)
    guard let ipco = parts.first(where: { $0.type == ISOMediaBox.type("ipco") }),
      let ipma = parts.first(where: { $0.type == ISOMediaBox.type("ipma") }),
      ipma.content.count >= 4
    else { return nil }
    func isKept(_ association: Association) -> Bool {
      guard properties.indices.contains(association.place) else { return false }
      return association.isEssential
        || Self.decodedProperties.contains(properties[association.place].type)
    }
    let used = Set(picture.flatMap { (associations[$0] ?? []).filter(isKept).map(\.place) })
    var boxes = Array(bytes[ipco.content])
    for (place, property) in properties.enumerated() where !used.contains(place) {
      boxes.replaceSubrange(
        (property.start - ipco.content.lowerBound + 4)..<(property.start
          - ipco.content.lowerBound + 8), with: Array("free".utf8))
    }
    // One list in the widest form, however many lists the file has.
    let isWideItem = (picture.max() ?? 0) > 0xFFFF
    let isWidePlace = (used.max() ?? 0) >= 0x7F
    var list: [UInt8] = [isWideItem ? 1 : 0, 0, 0, isWidePlace ? 1 : 0]
    let associated = picture.sorted().filter { associations[$0] != nil }
    list.append(uint32: associated.count)
    for item in associated {
      let kept = (associations[item] ?? []).filter(isKept)
      guard kept.count < 256 else { return nil }
      if isWideItem { list.append(uint32: item) } else { list.append(uint16: item) }
      list.append(UInt8(kept.count))
      for property in kept {
        if isWidePlace {
          list.append(uint16: (property.isEssential ? 0x8000 : 0) | property.place + 1)
        } else {
          list.append(UInt8((property.isEssential ? 0x80 : 0) | property.place + 1))
        }
      }
    }
    var content: [UInt8] = []
    content.append(uint32: 8 + boxes.count)
    content.append(ascii: "ipco")
    content += boxes
    content.append(uint32: 8 + list.count)
    content.append(ascii: "ipma")
    return content + list
  }
}
