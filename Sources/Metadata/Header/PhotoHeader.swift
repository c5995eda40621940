import FoundationEssentials

/// What a photo's first bytes say of it, read without a decoder, as an index of many photos needs it.
///
/// Reads 64 KB and, where a format keeps something elsewhere, those bytes too; never the pixels.
package struct PhotoHeader: Sendable, Hashable {
  /// Marks that tell what kind of photo it is.
  package struct Signs: OptionSet, Sendable, Hashable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The maker or Google's panorama namespace (GPano) calls it a panorama.
    package static let panorama = Signs(rawValue: 1)
    /// It has an HDR gain map, or is encoded for HDR, or its maker calls it HDR.
    package static let hdr = Signs(rawValue: 2)
    /// Its comment says that it is a picture of a screen.
    package static let screenshot = Signs(rawValue: 4)
    /// A video stands in the file itself.
    package static let motionPhoto = Signs(rawValue: 8)
    /// Apple's maker notes name a video that was taken with it.
    package static let pairedVideo = Signs(rawValue: 16)
    /// It has a map of depths.
    package static let depth = Signs(rawValue: 32)
  }

  /// Pixels from left to right as stored; in HEIF, as its boxes turn them.
  package internal(set) var width = 0
  /// Pixels from top to bottom, likewise.
  package internal(set) var height = 0
  /// EXIF's orientation, 1 to 8, that the pixels still need.
  package internal(set) var orientation = 1
  /// When it was taken; without a time zone in the file, as if in UTC.
  package internal(set) var captureDate: Date?
  /// Degrees north of the equator.
  package internal(set) var latitude: Double?
  /// Degrees east of Greenwich.
  package internal(set) var longitude: Double?
  /// Maker and model of the camera, as one name.
  package internal(set) var camera: String?
  /// What kinds of photo it is.
  package internal(set) var signs: Signs = []
  /// The original's file name, when the file says of itself that Safelight rendered it.
  package internal(set) var renderOf: String?

  /// Reads a header.
  ///
  /// - Returns: nil when the format, such as TIFF, or something in the file needs a decoder.
  package init?(_ file: HeaderBytes) {
    let first = file.first
    if first.uint16(at: 0) == 0xFFD8 {
      read(jpeg: file)
    } else if first.has("PNG\r\n", at: 1) {
      guard read(png: file) else { return nil }
    } else if first.has("RIFF"), first.has("WEBP", at: 8) {
      read(webP: file)
    } else if first.has("ftyp", at: 4) {
      guard read(heif: file) else { return nil }
    }
    guard width > 0, height > 0 else { return nil }
  }
}

extension PhotoHeader {
  /// Takes what an Exif block says.
  mutating func read(exif bytes: [UInt8]) {
    guard let block = ExifBlock(bytes) else { return }
    orientation = block.orientation
    captureDate = block.captureTime?.date()
    if let north = block.latitude, let east = block.longitude {
      (latitude, longitude) = (north, east)
    }
    // Most makers repeat their name in the model.
    let names = [block.make, block.model].compactMap(\.self)
    let name =
      names.count == 2 && names[1].hasPrefix(names[0]) ? names[1] : names.joined(separator: " ")
    camera = name.isEmpty ? nil : name
    if let comment = block.exif?[0x9286]?.value,
      block.bytes.offset(of: "Screenshot", in: comment) != nil
    {
      signs.insert(.screenshot)
    }
    if block.make == "Apple" { read(appleIn: block) }
  }

  /// What iPhones say: in `CustomRendered` 2 and 3 are HDR, 6 a panorama, 7 and 8 portraits; the
  /// maker notes' tag 17 names the video of a live photo. Source: ExifTool's documentation of tags.
  private mutating func read(appleIn block: ExifBlock) {
    switch block.integer(block.exif?[0xA401]) {
    case 2, 3: signs.insert(.hdr)
    case 6: signs.insert(.panorama)
    case 7: signs.formUnion([.hdr, .depth])
    case 8: signs.insert(.depth)
    default: break
    }
    guard let place = block.exif?[ExifBlock.Tag.makerNote]?.value else { return }
    let notes = Array(block.bytes[place])
    guard notes.has("Apple iOS\0"), let directory = TIFFDirectory(notes, at: 14, .big),
      let name = directory[0x11], name.count > 1
    else { return }
    signs.insert(.pairedVideo)
  }

  /// Takes the marks of an XMP packet; programs declare the namespaces that they use, so that most
  /// packets are done after a look for four of them.
  mutating func read(xmp packet: [UInt8]) {
    func has(_ text: StaticString) -> Bool {
      packet.offset(of: text, in: 0..<packet.count) != nil
    }
    if has("ns.google.com/photos/") || has("ns.google.com/photos/dd/") {
      if has("ProjectionType") { signs.insert(.panorama) }
      if has("MotionPhoto=\"1\"") || has("MotionPhoto>1<") || has("MicroVideo=\"1\"")
        || has("MicroVideo>1<")
      {
        signs.insert(.motionPhoto)
      }
      if has("depthmap/") || has("Semantic=\"Depth\"") { signs.insert(.depth) }
    }
    if has("hdrgm:Version") || has("HDRGainMapVersion") { signs.insert(.hdr) }
    if has("Safelight"), let whole = XMPPacket(packet), whole.isSafelightRender {
      renderOf = whole.derivedFrom?.fileName
    }
  }
}
