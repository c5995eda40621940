import FoundationEssentials
import SafelightFiles
import SafelightFormats

extension FileFormat {
  /// HEIF with HEVC pictures.
  static let heic = heif(
    "HEIC", contentType: "public.heic", mediaType: "image/heic", fileExtensions: ["heic", "heif"]
  ) { brands in
    let own: Set = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "heif"]
    return !own.isDisjoint(with: brands) && ownOfAVIF.isDisjoint(with: brands)
  }

  /// HEIF with AV1 pictures.
  static let avif = heif(
    "AVIF", contentType: "public.avif", mediaType: "image/avif", fileExtensions: ["avif"]
  ) { brands in
    !ownOfAVIF.isDisjoint(with: brands)
  }

  private static let ownOfAVIF: Set = ["avif", "avis"]

  /// A format by the brands of the file type box. Source: ISO/IEC 14496-12, 23008-12.
  private static func heif(
    _ title: String, contentType: String, mediaType: String, fileExtensions: [String],
    isOfBrands: @escaping @Sendable ([String]) -> Bool
  ) -> FileFormat {
    FileFormat(
      title: title, contentType: contentType, mediaType: mediaType, fileExtensions: fileExtensions,
      hasExactSize: false,
      begins: { $0.brands.map(isOfBrands) ?? false },
      header: { header, blocks, file in header.read(heif: file, &blocks) },
      metadata: { metadata, file in metadata.read(heif: file) },
      digest: { (picture: inout PictureDigest) throws(FileSystemError) in try picture.addISOMedia()
      },
      fingerprint: { $0.find(heif: $1) })
  }
}

// MARK: - Header

extension PhotoHeader {
  /// Reads the boxes of a HEIC or AVIF file: the primary picture's size, turned as the file says,
  /// and its Exif and XMP. Source: ISO/IEC 14496-12, ISO/IEC 23008-12.
  ///
  /// - Returns: Whether no decoder is needed; a file that crops its picture needs one.
  mutating func read(heif file: PhotoBytes, _ blocks: inout Blocks) -> Bool {
    guard let media = ISOMediaFile({ file.bytes(at: $0, count: $1) }),
      let primary = media.primaryItem
    else { return false }
    let isCropped = media.properties(of: primary).contains { $0.type == ISOMediaBox.type("clap") }
    guard !isCropped, let size = media.size(of: primary) else { return false }
    (width, height) = size
    let isCodedForHDR = media.properties.contains {
      CodedColor.read($0, in: media)?.hdrTransfer != nil
    }
    if isCodedForHDR || media.hasAuxiliary("hdrgainmap")
      || media.items.contains(where: { $0.type == "tmap" })
    {
      signs.insert(.hdr)
    }
    if media.hasAuxiliary("hevc:2015:auxid:2") || media.hasAuxiliary("auxiliary:depth") {
      signs.insert(.depth)
    }
    blocks.isTurned = true
    blocks.exif = media.exifItem.flatMap(media.content)
    if let packet = media.xmpItem.flatMap(media.content) { blocks.packets.append(packet) }
    return true
  }
}

// MARK: - Carried metadata

extension CarriedMetadata {
  /// Gathers Exif, XMP and the colors of the picture. The boxes name an HDR transfer, gain maps and
  /// depth maps.
  mutating func read(heif file: PhotoBytes) {
    guard let media = ISOMediaFile({ file.bytes(at: $0, count: $1) }) else { return }
    if let exif = media.exifItem.flatMap(media.content), !exif.isEmpty { add(exif: exif) }
    if let xmp = media.xmpItem.flatMap(media.content), !xmp.isEmpty { xmpPackets.append(xmp) }
    if media.hasAuxiliary("urn:com:apple:photo:2020:aux:hdrgainmap") {
      warn(.gainMapNotCarried(.apple))
    }
    if media.hasAuxiliary("urn:mpeg:hevc:2015:auxid:2") { warn(.depthMapNotCarried) }
    if let video = file.placeOfVideoBox ?? file.placeOfSamsungVideo {
      warn(.motionPhotoNotCarried(bytes: video.count))
    }
    if media.items.contains(where: { $0.type == "tmap" }) { warn(.gainMapNotCarried(.iso)) }
    gainMap = GainMap(media, exif)
    take(CodedColor(media))
    profile = media.colorProfile
    turnByBoxes = media.primaryOrientation
  }
}

// MARK: - Picture

extension PictureDigest {
  /// Adds the coded items and their properties. Source: ISO/IEC 23008-12.
  mutating func addISOMedia() throws(FileSystemError) -> Bool {
    let reader = self
    guard let media = ISOMediaFile({ try? reader.bytes(at: $0, count: $1) }),
      let primary = media.primaryItem
    else { return false }
    add("primary", Array(String(primary).utf8))
    media.bytes.withUnsafeBytes { bytes in
      // Which items a grid is made of, and which is the alpha of which.
      for box in ISOMediaBox.list(bytes, 4..<bytes.count)
      where box.type == ISOMediaBox.type("iref") && box.content.count > 4 {
        let references = box.content.lowerBound + 4..<box.content.upperBound
        for reference in ISOMediaBox.list(bytes, references)
        where reference.type != ISOMediaBox.type("cdsc") {
          add("reference \(reference.type)", Array(bytes[reference.content]))
        }
      }
    }
    var hasPixels = false
    for item in media.items.sorted(by: { $0.id < $1.id })
    where !["Exif", "mime", "uri "].contains(item.type) {
      add("item \(item.id)", Array(item.type.utf8))
      for property in media.properties(of: item.id) {
        guard take(property.content.count) else { return false }
        add("property \(property.type)", Array(media.bytes[property.content]))
      }
      if let ranges = media.ranges(of: item.id) {
        for range in ranges {
          label("extent", range.count)
          guard try add(range: range) else { return false }
          hasPixels = true
        }
      } else if let content = media.content(of: item.id) {
        guard take(content.count) else { return false }
        add("inside", content)
      }
    }
    return hasPixels
  }
}

extension PictureFingerprint {
  /// The coded data of all pictures in a HEIC or AVIF file.
  mutating func find(heif file: PhotoBytes) {
    guard let media = ISOMediaFile({ file.bytes(at: $0, count: $1) }) else { return }
    for item in media.items.sorted(by: { $0.id < $1.id })
    where !["Exif", "mime", "uri "].contains(item.type) && pixels.count < Self.mostParts {
      pixels += (media.ranges(of: item.id) ?? []).filter { !$0.isEmpty }
    }
  }
}

extension PhotoBytes {
  /// The brands of an ISO media file, the major one first; `nil` for other files.
  package var brands: [String]? {
    guard beginning.has("ftyp", at: 4), let size = beginning.uint32(at: 0) else { return nil }
    let end = Swift.min(Swift.max(size, 12), beginning.count, 4096)
    return stride(from: 8, through: end - 4, by: 4).map {
      String(decoding: beginning[$0..<($0 + 4)], as: UTF8.self)
    }
  }
}
