import FoundationEssentials
import Glibc
import SafelightFiles
import SafelightFormats

extension FileFormat {
  /// JPEG. Source: ITU-T T.81.
  static let jpeg = FileFormat(
    title: "JPEG", contentType: "public.jpeg", mediaType: "image/jpeg",
    fileExtensions: ["jpg", "jpeg"],
    hasExactSize: true,
    begins: { $0.beginning.uint16(at: 0) == 0xFFD8 },
    header: { header, blocks, file in
      header.read(jpeg: file, &blocks)
      return true
    },
    metadata: { metadata, file in metadata.read(jpeg: file) },
    digest: { (picture: inout PictureDigest) throws(FileSystemError) in try picture.addJPEG() },
    fingerprint: { $0.find(jpeg: $1) })
}

// MARK: - Header

extension PhotoHeader {
  /// Reads the segments of a JPEG.
  mutating func read(jpeg file: PhotoBytes, _ blocks: inout Blocks) {
    var resources: [UInt8] = []
    // The most bytes of metadata that are kept, in all blocks together.
    var budget = 16 << 20
    var reader = file.segments
    while let segment = reader.next(file.bytes(at:count:)), !segment.isScan,
      budget >= segment.payload.count
    {
      let (start, count) = (segment.payload.lowerBound, segment.payload.count)
      if width == 0, let size = segment.frameSize(file.bytes(at:count:)) { (width, height) = size }
      if segment.marker == 0xE2,
        file.bytes(at: start, count: min(27, count))?.has("urn:iso:std:iso:ts:21496:-1") == true
      {
        signs.insert(.hdr)
      }
      guard segment.marker == 0xE1 || segment.marker == 0xED,
        let payload = file.bytes(at: start, count: count)
      else { continue }
      budget -= count
      if segment.marker == 0xED {
        if payload.has("Photoshop 3.0\0") {
          resources += payload.dropFirst(PhotoshopResources.header.count)
        }
      } else if payload.has("Exif\0") {
        // A block too large for one segment continues in the next one, without a header.
        blocks.exif = (blocks.exif ?? []) + payload.dropFirst(6)
      } else if !payload.has("http://ns.adobe.com/xmp/extension/\0"),
        let start = payload.firstIndex(of: UInt8(ascii: "<"))
      {
        blocks.packets.append(Array(payload[start...]))
      }
    }
    if !resources.isEmpty { blocks.photoshop = PhotoshopResources(resources) }
  }
}

// MARK: - Carried metadata

extension CarriedMetadata {
  /// Gathers everything but what describes the coding of the pixels.
  mutating func read(jpeg file: PhotoBytes) {
    guard let walk = JPEGSegments(file) else { return }
    isJPEG = true
    var profileParts: [[UInt8]] = []
    var resources: [UInt8] = []
    var furtherImages: MultiPictureIndex?
    for segment in walk.segments {
      guard let payload = file.bytes(in: segment.payload) else { continue }
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
      // FlashPix extensions are a preview of the photo as it was taken (Exif 2.32, 4.7.3).
      case 0xE2 where payload.has("FPXR\0"): break
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
    findGainMap(furtherImages, in: file)
    behindPicture = BehindPicture(file: file, segments: walk, furtherImages: furtherImages)
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

  /// Looks for the map where MPF or GContainer say that pictures are.
  private mutating func findGainMap(_ furtherImages: MultiPictureIndex?, in file: PhotoBytes) {
    let listed = furtherImages.map { Array($0.images.dropFirst()) } ?? []
    let contained = xmp?.furtherPictures(ofFile: file.count) ?? []
    gainMap = GainMap(jpeg: file, at: listed + contained, exif)
    if case .part(let place) = gainMap?.place { isGainMapListed = listed.contains(place) }
  }

  /// What may stand behind the end of a JPEG, not read yet.
  struct BehindPicture: Sendable {
    let file: PhotoBytes
    let segments: JPEGSegments
    let furtherImages: MultiPictureIndex?
  }

  /// The same with what stands behind the picture, which takes as long as reading the whole file.
  func withTrailer() -> CarriedMetadata {
    guard let behind = behindPicture else { return self }
    var whole = self
    whole.behindPicture = nil
    whole.read(behind)
    return whole
  }

  private mutating func read(_ behind: BehindPicture) {
    let (file, index) = (behind.file, behind.furtherImages)
    let further = index?.images.dropFirst().filter { $0.lowerBound < file.count } ?? []
    if let index, index.count > 1 { warn(.furtherImagesNotCarried(count: index.count - 1)) }
    for image in further.prefix(16) {
      for kind in JPEGTrailer.gainMaps(in: file, at: image.clamped(to: 0..<file.count)) {
        warn(.gainMapNotCarried(kind))
      }
    }
    guard let end = behind.segments.endOfImage(in: file), end < file.count else { return }
    let found = JPEGTrailer(file, from: end, covered: Array(further))
    for kind in found.gainMaps { warn(.gainMapNotCarried(kind)) }
    trailer = Data(found.carried)
    for warning in found.warnings { warn(warning) }
  }
}

// MARK: - Picture

extension PictureDigest {
  /// Adds frame, tables and scans, in file order. Source: ITU-T T.81, annex B.
  ///
  /// - Returns: Whether the picture is whole.
  mutating func addJPEG() throws(FileSystemError) -> Bool {
    var reader = JPEGReader(size: size)
    var exif: [UInt8]?
    var header = JPEGColor()
    while let segment = try reader.next(bytes(at:count:)),
      let payload = try bytes(at: segment.payload.lowerBound, count: segment.payload.count)
    {
      switch segment.marker {
      case 0xE1 where payload.has("Exif\0") && exif == nil: exif = Array(payload.dropFirst(6))
      case 0xE2 where payload.has("ICC_PROFILE\0"): add("profile", payload)
      case 0xE0, 0xEE: header.read(segment, payload)
      case 0xE0...0xEF, 0xF0...0xFE: break
      default:
        header.read(segment, payload)
        add("segment \(segment.marker)", payload)
      }
      if segment.isScan { reader.offset = try addScan(at: reader.offset) }
    }
    add(orientationIn: exif)
    add("color", header.decided)
    guard reader.isAtEnd, header.hasScan else { return false }
    guard reader.offset < size,
      let map = CarriedMetadata(original: PhotoBytes(file, size: size)).gainMap,
      case .part(let place) = map.place
    else { return true }
    label("gain map", place.count)
    return try add(range: place)
  }

  /// What decoders go by when they choose the color space of a JPEG. Source: libjpeg,
  /// `default_decompress_parms`.
  private struct JPEGColor {
    private var hasJFIF = false
    private var adobe: [UInt8]?
    private var components: [UInt8] = []
    /// Whether a scan has begun; what comes later decides nothing.
    private(set) var hasScan = false

    mutating func read(_ segment: JPEGReader.Segment, _ payload: [UInt8]) {
      guard !hasScan else { return }
      switch segment.marker {
      case 0xE0: hasJFIF = hasJFIF || payload.has("JFIF\0")
      case 0xEE: if payload.has("Adobe") { adobe = Array(payload.dropFirst(11).prefix(1)) }
      case _ where segment.isFrame:
        components = stride(from: 6, to: payload.count, by: 3).map { payload[$0] }
      default: hasScan = segment.isScan
      }
    }

    /// Different for headers that may lead to different colors.
    var decided: [UInt8] {
      guard components.count == 3 else { return adobe.map { [UInt8(ascii: "A")] + $0 } ?? [] }
      if hasJFIF { return [1] }
      if let adobe { return adobe }
      return components == [1, 2, 3] ? [1] : Array("guessed".utf8)
    }
  }

  /// Adds the coded data of a scan.
  ///
  /// - Returns: Where the next marker is, or the file's end.
  private func addScan(at start: Int) throws(FileSystemError) -> Int {
    var offset = start
    while offset < size {
      guard let part = try bytes(at: offset, count: min(Self.window, size - offset)) else { break }
      var end = part.count
      var isOver = false
      part.withUnsafeBytes { part in
        var index = 0
        while index < part.count,
          let found = memchr(part.baseAddress! + index, 0xFF, part.count - index)
        {
          index = UnsafeRawPointer(found) - part.baseAddress!
          guard index + 1 < part.count else {
            // What follows is in the next window, unless this is the file's last byte.
            if index > 0 { end = index }
            break
          }
          // Stuffed zeros, fill bytes and restart markers belong to the scan.
          let next = part[index + 1]
          if next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) {
            (end, isOver) = (index, true)
            break
          }
          index += next == 0xFF ? 1 : 2
        }
        for hasher in hashers { hasher.update(UnsafeRawBufferPointer(rebasing: part[..<end])) }
      }
      offset += end
      if isOver { break }
    }
    label("scan", offset - start)
    return offset
  }
}

extension PictureFingerprint {
  /// Frame and tables before the first scan, and everything from its coded data on. The end of the scan cannot be
  /// known without reading it.
  mutating func find(jpeg file: PhotoBytes) {
    var reader = file.segments
    while let segment = reader.next(file.bytes(at:count:)) {
      if !(0xE0...0xFE).contains(segment.marker) {
        guard let payload = file.bytes(at: segment.payload.lowerBound, count: segment.payload.count)
        else { return }
        head += payload
      }
      guard segment.isScan else { continue }
      if reader.offset < file.count { pixels = [reader.offset..<file.count] }
      return
    }
  }
}
