import FoundationEssentials
import SafelightFormats

extension CarriedMetadata {
  mutating func read(jpeg bytes: UnsafeRawBufferPointer, _ walk: JPEGSegments) {
    isJPEG = true
    var profileParts: [[UInt8]] = []
    var resources: [UInt8] = []
    var furtherImages: MultiPictureIndex?
    for segment in walk.segments {
      let payload = [UInt8](bytes[segment.payload])
      switch segment.marker {
      case 0xE0: read(app0: payload)
      case 0xE1: read(app1: payload)
      case 0xE2 where payload.has("ICC_PROFILE\0"): profileParts.append(payload)
      case 0xE2 where payload.has("MPF\0"):
        furtherImages = MultiPictureIndex(payload, at: segment.payload.lowerBound)
      case 0xE2 where payload.has("urn:iso:std:iso:ts:21496:-1"): warn(.gainMapNotCarried(.iso))
      case 0xEB where payload.has("JP"): warn(.contentCredentialsNotCarried)
      case 0xEB where payload.has("HDR_RI"): warn(.gainMapNotCarried(.jpegHDR))
      case 0xED where payload.has("Photoshop 3.0\0"):
        resources += payload.dropFirst(PhotoshopResources.header.count)
      // Adobe's APP14 describes the encoding of the original; the render has its own.
      case 0xEE where payload.has("Adobe"): break
      case 0xE2...0xEF, 0xFE: others.append(OtherSegment(marker: segment.marker, payload: payload))
      default: break
      }
    }
    if !resources.isEmpty {
      var resources = PhotoshopResources(resources)
      resources.removeThumbnails()
      photoshop = resources
    }
    if !profileParts.isEmpty {
      profile = ICCSegments.joined(profileParts)
      if profile == nil { warn(.profileIncomplete) }
    }
    readGainMapMarks()
    readTrailer(of: bytes, walk, furtherImages)
  }

  private mutating func read(app0 payload: [UInt8]) {
    if payload.has("JFIF\0"), payload.count >= 12 {
      // Apple marks multi-picture files after the density. A render has neither mark nor thumbnail.
      if jfif == nil { jfif = payload[..<12] + [0, 0] }
    } else if !payload.has("JFXX\0"), !payload.has("JFIF\0") {
      others.append(OtherSegment(marker: 0xE0, payload: payload))
    }
  }

  private mutating func read(app1 payload: [UInt8]) {
    if payload.has("Exif\0") {
      let block = Array(payload.dropFirst(Self.exifHeader.count))
      // A block too large for one segment continues in the next one, without a TIFF header.
      if TIFFHeader(block) == nil, let last = exifBlocks.indices.last {
        exifBlocks[last] += block
      } else {
        exifBlocks.append(block)
      }
    } else if payload.has("http://ns.adobe.com/xmp/extension/\0") {
      extendedXMP.append(payload)
    } else if let header = payload.offset(of: "ns.adobe.com/xap/1.0/\0", in: 0..<48) {
      // Some writers get the first letters of the header wrong.
      xmpPackets.append(Array(payload[(header + 22)...]))
    } else if payload.has("<?xpacket") || payload.has("<x:xmpmeta") {
      xmpPackets.append(payload)
    } else {
      others.append(OtherSegment(marker: 0xE1, payload: payload))
    }
  }

  private mutating func readGainMapMarks() {
    for packet in xmpPackets {
      // A namespace alone proves nothing: programs declare namespaces that they do not use.
      let elements = XMPPacket(packet)?.tree.elements ?? []
      let used = Set(elements.flatMap { [$0.namespace] + $0.attributes.map(\.namespace) })
      if used.contains(XMPPacket.Namespace.hdrgm) { warn(.gainMapNotCarried(.adobe)) }
      if used.contains(XMPPacket.Namespace.appleGainMap) { warn(.gainMapNotCarried(.apple)) }
    }
  }

  private mutating func readTrailer(
    of bytes: UnsafeRawBufferPointer, _ walk: JPEGSegments, _ index: MultiPictureIndex?
  ) {
    let further = index?.images.dropFirst().filter { $0.lowerBound < bytes.count } ?? []
    if let index, index.count > 1 { warn(.furtherImagesNotCarried(count: index.count - 1)) }
    for image in further.prefix(16) {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[image.clamped(to: 0..<bytes.count)])
      for kind in JPEGTrailer.gainMaps(in: rest) { warn(.gainMapNotCarried(kind)) }
    }
    guard let end = walk.endOfImage(in: bytes), end < bytes.count else { return }
    let found = JPEGTrailer(bytes, from: end, covered: Array(further))
    for kind in found.gainMaps { warn(.gainMapNotCarried(kind)) }
    trailer = Data(bytes[found.carried])
    for warning in found.warnings { warn(warning) }
  }
}
