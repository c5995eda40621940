import SafelightFormats

// Where the map is in a photo's file.

extension GainMap {
  /// The most further pictures of a file that are looked at.
  private static let mostPictures = 8
  /// The most packets of one that are read.
  private static let mostPackets = 4

  /// Finds the map of a JPEG, a further JPEG whose own header describes it.
  ///
  /// - Parameters:
  ///   - places: Where further pictures are, by MPF or by GContainer.
  ///   - exif: The photo's Exif.
  init?(jpeg file: PhotoBytes, at places: [Range<Int>], _ exif: ExifBlock?) {
    for place in places.prefix(Self.mostPictures) where place.upperBound <= file.count {
      guard let walk = JPEGSegments(file, in: place),
        let size = walk.segments.lazy.compactMap({ $0.frameSize(file.bytes(at:count:)) }).first,
        size.width > 0, size.height > 0
      else { continue }
      var iso: GainMapMeaning?
      var packets: [XMPPacket] = []
      for segment in walk.segments where segment.marker == 0xE1 || segment.marker == 0xE2 {
        guard let payload = file.bytes(in: segment.payload) else { continue }
        if payload.starts(with: GainMapMeaning.isoHeader) {
          iso = iso ?? GainMapMeaning(iso: payload.dropFirst(GainMapMeaning.isoHeader.count))
        } else if payload.starts(with: CarriedMetadata.xmpHeader),
          packets.count < Self.mostPackets
        {
          XMPPacket(payload.dropFirst(CarriedMetadata.xmpHeader.count)).map { packets.append($0) }
        }
      }
      let apple = packets.first { $0.isAppleGainMap }
      let found: (Convention, GainMapMeaning)? =
        iso.map { (.iso, $0) }
        ?? packets.lazy.compactMap { GainMapMeaning($0) }.first.map { (.adobe, $0) }
        ?? apple.flatMap { GainMapMeaning(apple: $0, exif) }.map { (.apple, $0) }
      if let (convention, meaning) = found {
        self.init(convention, size: size, meaning: meaning, at: .part(place))
        return
      }
    }
    return nil
  }

  /// Finds the map of a HEIF or AVIF: the picture that a `tmap` item joins with the primary one, or Apple's auxiliary
  /// picture. Sources: ISO/IEC 23008-12 (`tmap`), Apple, "Applying Apple HDR effect to your photos".
  init?(_ media: ISOMediaFile, _ exif: ExifBlock?) {
    for item in media.items where item.type == "tmap" {
      // A byte with the version stands before the metadata of ISO 21496-1.
      let parts = media.inputs(of: item.id)
      guard parts.count == 2, parts[0] == media.primaryItem, let size = media.size(of: parts[1]),
        let content = media.content(of: item.id), content.first == 0,
        let meaning = GainMapMeaning(iso: content.dropFirst())
      else { continue }
      self.init(.iso, size: size, meaning: meaning, at: .item(parts[1]))
      return
    }
    for item in media.auxiliaryItems("urn:com:apple:photo:2020:aux:hdrgainmap") {
      let packet = media.xmpItems(describing: item).lazy.compactMap(media.content)
        .compactMap { XMPPacket($0) }.first
      guard let size = media.size(of: item), let meaning = GainMapMeaning(apple: packet, exif)
      else { continue }
      self.init(.apple, size: size, meaning: meaning, at: .item(item))
      return
    }
    return nil
  }
}

extension XMPPacket {
  /// Whether the packet is that of a map of Apple's.
  fileprivate var isAppleGainMap: Bool {
    text(Namespace.appleGainMap, "HDRGainMapVersion") != nil
      || text(Namespace.appleGainMap, "HDRGainMapHeadroom") != nil
  }

  /// Where the pictures behind the first one are, by the directory of GContainer. Their lengths count from the end of the
  /// file, since that of the first picture is not said. Source: Android, "Ultra HDR image format" 1.1.
  ///
  /// - Parameter count: The bytes of the file.
  func furtherPictures(ofFile count: Int) -> [Range<Int>] {
    typealias Item = (length: Int, padding: Int)
    var items: [Item] = []
    for element in tree.elements where items.count < 16 {
      var fields: [String: String] = [:]
      for attribute in element.attributes where attribute.namespace == Namespace.containerItem {
        fields[attribute.name] = tree.text(of: attribute)
      }
      for child in tree.children(of: element) where child.namespace == Namespace.containerItem {
        fields[child.name] = tree.text(of: child)
      }
      guard fields["Semantic"] != nil else { continue }
      items.append((Int(fields["Length"] ?? "") ?? 0, Int(fields["Padding"] ?? "") ?? 0))
    }
    var end = count
    var places: [Range<Int>] = []
    for (length, padding) in items.dropFirst().reversed() {
      guard (0...end).contains(padding), length > 0, length <= end - padding else { break }
      let last = end - padding
      places.insert(last - length..<last, at: 0)
      end = last - length
    }
    return places
  }
}
