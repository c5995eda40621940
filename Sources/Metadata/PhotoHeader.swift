import FoundationEssentials
import SafelightFormats

/// The facts in a photo's file. Only this type decides a photo's camera, date, size, orientation
/// and description.
///
/// A library reads headers of many photos, so no decoder is used where the format allows it. 64 KB
/// are read, and metadata that a format keeps elsewhere, but never the pixels.
///
/// ```swift
/// let header = PhotoHeader(PhotoBytes(file, size: size))
/// header?.camera      // "Canon EOS 7D"
/// header?.captureTime // what the camera's clock showed
/// ```
package struct PhotoHeader: Sendable, Hashable {
  /// Marks of special kinds of photos.
  package struct Signs: OptionSet, Sendable, Hashable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The maker or Google's panorama namespace (GPano) calls it a panorama.
    package static let panorama = Signs(rawValue: 1)
    /// It has an HDR gain map, or is encoded for HDR, or its maker calls it HDR.
    package static let hdr = Signs(rawValue: 2)
    /// Its comment says that it is a picture of a screen.
    package static let screenshot = Signs(rawValue: 4)
    /// The file has a video in it.
    package static let motionPhoto = Signs(rawValue: 8)
    /// Apple's maker notes name a video that was taken with it.
    package static let pairedVideo = Signs(rawValue: 16)
    /// It has a map of depths.
    package static let depth = Signs(rawValue: 32)
  }

  /// Pixels from left to right as stored; in HEIF, as its boxes turn them.
  package internal(set) var width = 0
  /// Pixels from top to bottom, in the same way.
  package internal(set) var height = 0
  /// EXIF's orientation, 1 to 8, that the pixels still need.
  package internal(set) var orientation = 1
  /// When it was taken, by the camera's clock.
  package internal(set) var captureTime: ClockTime?
  /// Degrees north of the equator.
  package internal(set) var latitude: Double?
  /// Degrees east of Greenwich.
  package internal(set) var longitude: Double?
  /// Maker and model of the camera, as one name.
  package internal(set) var camera: String?
  /// Model of the lens.
  package internal(set) var lens: String?
  /// Sensitivity (ISO 12232).
  package internal(set) var sensitivity: Int?
  /// Seconds of exposure.
  package internal(set) var exposureTime: Double?
  /// The f-number.
  package internal(set) var aperture: Double?
  /// Millimeters of focal length, not converted to any other size of film.
  package internal(set) var focalLength: Double?
  /// A short name for the picture.
  package internal(set) var title: String?
  /// What the picture shows, in sentences.
  package internal(set) var caption: String?
  /// Words to find the picture by, in the order of the file.
  package internal(set) var keywords: [String] = []
  /// Stars, 0 to 5; -1 for a rejected picture; nil for one that nobody has rated.
  package internal(set) var rating: Int?
  /// What kinds of photo it is.
  package internal(set) var signs: Signs = []
  /// What joins the still of a Live Photo with its video, by Apple's maker notes; nil when there is none.
  package internal(set) var contentIdentifier: String?
  /// The original, when the metadata names Safelight as the renderer.
  package internal(set) var derivedFrom: OriginalReference?

  /// The original's file name, when the metadata names Safelight as the renderer; empty when the picture does not say
  /// the name.
  package var renderOf: String? { derivedFrom?.fileName }

  /// When it was taken; a time without a zone counts as UTC.
  package var captureDate: Date? { captureTime?.date }

  /// Reads a header.
  ///
  /// - Returns: nil when the format, such as TIFF, or something in the file needs a decoder.
  package init?(_ file: PhotoBytes) {
    var blocks = Blocks()
    guard let format = PhotoFormat.recognized(in: file), format.file.header(&self, &blocks, file)
    else { return nil }
    guard width > 0, height > 0 else { return nil }
    take(blocks)
    if ContainedVideo.isNamed(in: file) { signs.insert(.motionPhoto) }
  }

  /// The header of a file that a decoder opened.
  ///
  /// - Parameters:
  ///   - metadata: The metadata of the file.
  ///   - width: Pixels from left to right, as the decoder hands them out.
  ///   - height: Pixels from top to bottom, in the same way.
  ///   - orientation: EXIF's orientation, 1 to 8, that the decoder's pixels still need.
  package init(_ metadata: CarriedMetadata, width: Int, height: Int, orientation: Int) {
    take(
      Blocks(
        exif: metadata.exifBlocks.first, packets: metadata.xmpPackets,
        photoshop: metadata.photoshop))
    (self.width, self.height, self.orientation) = (width, height, orientation)
  }
}

// MARK: - From blocks to values

extension PhotoHeader {
  /// The blocks of metadata that a file holds.
  struct Blocks {
    var exif: [UInt8]?
    var packets: [[UInt8]] = []
    var photoshop: PhotoshopResources?
    /// Whether the file's boxes rotate the pixels. Exif's orientation must not rotate them again.
    var isTurned = false
  }

  /// Takes the values of the blocks, by the rules of the Metadata Working Group ("Guidelines for
  /// Handling Image Metadata", version 2.0, 2010, chapters 3 and 5):
  ///
  /// - A value in Exif counts before the same value in XMP or IPTC-IIM, unless it is empty.
  /// - XMP counts before IPTC. But IPTC counts before XMP when the digest of the IPTC records
  ///   shows that a program without XMP has changed them. What the first does not say, the other
  ///   may say.
  /// - Lists of keywords are not merged.
  /// - The time at which a picture was taken counts before that at which it was scanned. Both count
  ///   before the time of the satellites, which is that of the last fix.
  ///
  /// The guidelines have no Exif tags for title, keywords and rating. Those that Windows writes
  /// count last.
  mutating func take(_ blocks: Blocks) {
    let exif = blocks.exif.flatMap { ExifBlock($0) }
    for packet in blocks.packets { read(marksOf: packet) }
    let packets = blocks.packets.compactMap { XMPPacket($0) }
    derivedFrom = packets.first(where: \.isSafelightRender)?.derivedFrom
    let described = Described(packets, blocks.photoshop)
    typealias Name = XMPPacket.Namespace
    func number(_ namespace: String, _ name: String) -> Double? {
      packets.lazy.compactMap { $0.number(namespace, name) }.first { $0 > 0 && $0 < 1e9 }
    }
    func text(_ namespace: String, _ name: String) -> String? {
      packets.lazy.compactMap { $0.text(namespace, name) }.first
    }

    if let exif {
      if !blocks.isTurned { orientation = exif.orientation }
      if let north = exif.latitude, let east = exif.longitude {
        (latitude, longitude) = (north, east)
      }
      if let comment = exif.exif?[0x9286]?.value,
        exif.bytes.offset(of: "Screenshot", in: comment) != nil
      {
        signs.insert(.screenshot)
      }
      if exif.make == "Apple" { read(appleIn: exif) }
    }
    captureTime =
      exif?.captureTime ?? described.captureTime ?? exif?.digitizedTime ?? described.digitizedTime
      ?? exif?.gpsTime ?? described.gpsTime
    camera =
      exif?.camera
      ?? ExifBlock.camera(make: text(Name.tiff, "Make"), model: text(Name.tiff, "Model"))
    lens = exif?.lens ?? text(Name.exifEX, "LensModel") ?? text(Name.aux, "Lens")
    sensitivity =
      exif?.sensitivity
      ?? (number(Name.exifEX, "PhotographicSensitivity") ?? number(Name.exif, "ISOSpeedRatings"))
      .map { Int($0.rounded()) }
    exposureTime = exif?.exposureTime ?? number(Name.exif, "ExposureTime")
    aperture = exif?.aperture ?? number(Name.exif, "FNumber")
    focalLength = exif?.focalLength ?? number(Name.exif, "FocalLength")
    title = described.title ?? exif?.windowsText(0x9C9B)
    caption = exif?.text(exif?.main[0x10E]) ?? described.caption
    keywords = described.keywords
    if keywords.isEmpty, let words = exif?.windowsText(0x9C9E) {
      keywords = words.split(separator: ";").map(\.withoutOuterSpaces).filter { !$0.isEmpty }
    }
    rating =
      packets.lazy.compactMap { $0.number(Name.xmp, "Rating") }.first
      .flatMap { (-1...5).contains($0.rounded()) ? Int($0.rounded()) : nil }
      ?? exif?.integer(exif?.main[0x4746]).flatMap { (0...5).contains($0) ? $0 : nil }
  }

  /// Values that XMP and IPTC both can have.
  private struct Described {
    private(set) var captureTime: ClockTime?
    private(set) var digitizedTime: ClockTime?
    private(set) var gpsTime: ClockTime?
    private(set) var title: String?
    private(set) var caption: String?
    private(set) var keywords: [String] = []

    init(_ packets: [XMPPacket], _ photoshop: PhotoshopResources?) {
      typealias Name = XMPPacket.Namespace
      let iptc = photoshop?.iptc.map { IPTCRecords($0) }
      if photoshop?.hasNewerIPTC == true, let iptc { add(iptc) }
      for packet in packets {
        func time(_ names: (namespace: String, name: String)...) -> ClockTime? {
          names.lazy.compactMap { packet.text($0.namespace, $0.name) }
            .compactMap { ClockTime(iso: $0) }.first
        }
        captureTime =
          captureTime
          ?? time((Name.exif, "DateTimeOriginal"), (Name.photoshop, "DateCreated"))
        digitizedTime =
          digitizedTime ?? time((Name.exif, "DateTimeDigitized"), (Name.xmp, "CreateDate"))
        gpsTime = gpsTime ?? time((Name.exif, "GPSTimeStamp"))
        title = title ?? packet.text(Name.dc, "title")
        caption = caption ?? packet.text(Name.dc, "description")
        if keywords.isEmpty { keywords = packet.texts(Name.dc, "subject") }
      }
      if let iptc { add(iptc) }
    }

    private mutating func add(_ iptc: IPTCRecords) {
      typealias DataSet = IPTCRecords.DataSet
      func time(_ date: UInt8, _ time: UInt8) -> ClockTime? {
        iptc.texts(date).first.flatMap { ClockTime(iptc: $0, time: iptc.texts(time).first) }
      }
      captureTime = captureTime ?? time(DataSet.dateCreated, DataSet.timeCreated)
      digitizedTime =
        digitizedTime ?? time(DataSet.digitalDateCreated, DataSet.digitalTimeCreated)
      title = title ?? iptc.texts(DataSet.objectName).first
      caption = caption ?? iptc.texts(DataSet.caption).first
      if keywords.isEmpty { keywords = iptc.texts(DataSet.keywords) }
    }
  }

  /// The marks of iPhones: in `CustomRendered` 2 and 3 are HDR, 6 a panorama, 7 and 8 portraits;
  /// the maker notes' tag 17 names the video of a live photo. Source: ExifTool's documentation of
  /// tags.
  private mutating func read(appleIn block: ExifBlock) {
    switch block.integer(block.exif?[0xA401]) {
    case 2, 3: signs.insert(.hdr)
    case 6: signs.insert(.panorama)
    case 7: signs.formUnion([.hdr, .depth])
    case 8: signs.insert(.depth)
    default: break
    }
    if block.hasAppleNote(0x11) { signs.insert(.pairedVideo) }
    contentIdentifier = block.contentIdentifier
  }

  /// Takes the marks of an XMP packet. Programs declare the namespaces that they use, so that most
  /// packets are done after four searches.
  private mutating func read(marksOf packet: [UInt8]) {
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
  }
}
