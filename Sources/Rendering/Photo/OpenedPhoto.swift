import FoundationEssentials
import SafelightAdjustments
import SafelightFiles
import SafelightFormats
import SafelightMetadata
import SafelightVips

/// An original to render from: an open file that is only ever read.
package struct PhotoSource: Sendable {
  /// The file, open for reading. Its position does not move.
  package let file: OpenFile
  /// The file's name, which the metadata of the render gives as its original.
  package let name: String
  /// The most pixels, width times height, that the header may announce.
  package let pixelLimit: Int
  /// Whether a truncated or damaged picture is rendered as far as it can be decoded.
  package let allowsDamage: Bool
  /// Whether the file is read through memory, because it cannot be opened once more.
  package let isMapped: Bool

  /// 500 megapixels: more than any camera makes, less than a decoder bomb.
  package static let defaultPixelLimit = 500_000_000

  /// Describes an open original.
  package init(
    _ file: OpenFile, name: String, pixelLimit: Int = PhotoSource.defaultPixelLimit,
    allowsDamage: Bool = false, isMapped: Bool = false
  ) {
    self.file = file
    self.name = name
    self.pixelLimit = pixelLimit
    self.allowsDamage = allowsDamage
    self.isMapped = isMapped
  }
}

/// What only a decoder knows about a photo.
package struct PictureFacts: Sendable, Codable {
  /// The size of the pixels as they are stored.
  package let size: PixelSize
  /// The orientation that the decoder found; `nil` for none.
  let orientation: Int?
  /// The number of pictures in the file.
  let pictures: Int
  /// The Exif block of a HEIC or AVIF.
  let exif: Data?

  /// Whether a file can have these facts, whatever its limit of pixels, as those from another process may not.
  package var isPossible: Bool {
    let numbers = 1...Int(Int32.max)
    return numbers.contains(size.width) && numbers.contains(size.height)
      && (0...numbers.upperBound).contains(pictures)
      && (0...numbers.upperBound).contains(orientation ?? 0)
  }

  /// Reads them from the header alone, where no decoder is needed for that: JPEG, PNG and WebP.
  package init?(withoutDecoding source: PhotoSource, _ format: PhotoFormat) {
    guard [.jpeg, .png, .webp].contains(format),
      let length = try? FileSystem.real.status(of: source.file).size,
      let header = PhotoHeader(HeaderBytes(source.file, size: Int(length)))
    else { return nil }
    size = PixelSize(width: header.width, height: header.height)
    (orientation, pictures, exif) = (header.orientation, 1, nil)
  }

  init(_ image: Image) {
    size = image.size
    orientation = image.number("orientation")
    pictures = image.number("n-pages") ?? 1
    exif = image.attachment(.exif).map { Data($0) }
  }
}

/// A photo whose header was read and checked.
package struct OpenedPhoto: Sendable {
  let format: PhotoFormat
  /// The size of the pixels as they are stored.
  let size: PixelSize
  let metadata: CarriedMetadata
  /// What turns the decoded pixels upright.
  let orientation: Orientation
  /// The profile that the file names by a code instead of carrying it; `nil` for sRGB.
  let codedProfile: StandardProfile?
  /// The coding of a picture of high dynamic range; `nil` for standard dynamic range.
  let hdr: HDRCoding?
  /// Whether the samples of a TIFF are ICC Lab, photometric interpretation 9, which libvips does not
  /// know.
  let isICCLab: Bool
  /// How a JPEG was encoded; `nil` for other formats and damaged headers.
  let jpegCoding: JPEGCoding?
  let warnings: [RenderWarning]
  private let source: PhotoSource

  /// Recognizes the file, reads its header and checks it against the source's limit.
  init(_ source: PhotoSource) throws(RenderError) {
    try self.init(source) { format throws(RenderError) in try Self.facts(of: source, format) }
  }

  static func facts(
    of source: PhotoSource, _ format: PhotoFormat
  ) throws(RenderError) -> PictureFacts {
    do {
      return PictureFacts(try image(of: source, format))
    } catch {
      throw RenderError(error, decoding: format)
    }
  }

  /// The same with a decoder elsewhere, which is asked once the format is known.
  package init(
    _ source: PhotoSource, facts: (PhotoFormat) throws(RenderError) -> PictureFacts
  ) throws(RenderError) {
    self.source = source
    format = try Self.format(of: source)
    let facts = try facts(format)
    size = facts.size
    // A division, because the product of a hostile header's numbers does not fit an integer.
    guard size.width > 0, size.width <= source.pixelLimit / max(size.height, 1) else {
      throw .tooManyPixels(width: size.width, height: size.height, limit: source.pixelLimit)
    }

    switch format {
    case .heic, .avif:
      let file = FileSystem.real.mapped(source.file)
      metadata = CarriedMetadata(exif: facts.exif, file: file)
      (isICCLab, jpegCoding) = (false, nil)
      // libheif has turned the pixels as the file's boxes say. The EXIF tag is a copy and must not
      // turn them again (ISO/IEC 23008-12, annex A).
      orientation = .upright
    case .jpeg, .png, .tiff, .webp:
      let file = FileSystem.real.mapped(source.file)
      metadata = CarriedMetadata(original: file)
      isICCLab = format == .tiff && Self.isICCLab(file)
      jpegCoding = format == .jpeg ? JPEGCoding(file) : nil
      orientation = Orientation(
        exif: metadata.exif?.orientation ?? facts.orientation ?? 1)
    }
    codedProfile = metadata.codedColor.flatMap {
      StandardProfile(codedPrimaries: $0.primaries)
    }
    hdr = metadata.codedColor.flatMap(HDRCoding.init)
    warnings = facts.pictures > 1 ? [.severalPictures(facts.pictures)] : []
  }

  /// Whether the first picture of a TIFF has photometric interpretation 9.
  private static func isICCLab(_ file: Data) -> Bool {
    guard let header = TIFFHeader(file),
      let directory = TIFFDirectory(file, at: header.firstDirectory, header.order),
      let value = directory[0x0106]?.value
    else { return false }
    return file.uint16(at: value.lowerBound, header.order) == 9
  }

  /// The format of a file, by its first bytes.
  package static func format(of source: PhotoSource) throws(RenderError) -> PhotoFormat {
    let beginning = try? FileSystem.real.bytes(of: source.file, count: 4096)
    return try PhotoFormat(firstBytes: beginning ?? [])
  }

  private static func image(
    of source: PhotoSource, _ format: PhotoFormat, shrink: Int = 1
  ) throws(VipsError) -> Image {
    try Image.open(
      Source(source.file, isMapped: source.isMapped), as: format.decoder,
      allowingDamage: source.allowsDamage, shrink: shrink)
  }
}

extension OpenedPhoto {
  /// The size of the render of an edit at full size.
  ///
  /// - Throws: ``RenderError`` when the edit has an adjustment that this version does not know.
  package func size(with edit: EditStack) throws(RenderError) -> PixelSize {
    try RenderPlan(edit).size(of: uprightSize)
  }

  /// The size of the upright photo.
  var uprightSize: PixelSize { orientation.swapsSides ? size.turned : size }

  /// The picture as the decoder gives it, to be read once from top to bottom.
  ///
  /// - Parameter shrink: How much smaller along each side, where the decoder can do that: 1, 2, 4
  ///   or 8.
  /// - Returns: The picture, and how much smaller it is: `shrink` for a JPEG, 1 for others. A JPEG with fewer rows or
  ///   columns than that is made less small, because the decoder would leave none.
  func image(shrink: Int = 1) throws(VipsError) -> (image: Image, shrink: Int) {
    var shrink = format == .jpeg ? shrink : 1
    while shrink > min(size.width, size.height) { shrink /= 2 }
    return (try Self.image(of: source, format, shrink: shrink), shrink)
  }
}

extension PhotoFormat {
  fileprivate var decoder: Image.FileFormat {
    switch self {
    case .jpeg: .jpeg
    case .png: .png
    case .tiff: .tiff
    case .webp: .webp
    case .heic, .avif: .heif
    }
  }
}

extension RenderError {
  /// A failure of libvips while a photo's header or pixels were being read.
  init(_ error: VipsError, decoding format: PhotoFormat) {
    switch error {
    case .missingOperation: self = .missingDecoder(format, package: format.decoderPackage)
    case .operation(_, let detail): self = .damaged(detail: detail)
    case .outOfMemory: self = .outOfMemory
    case .start, .open: self = .failed(detail: error.description)
    }
  }
}

/// What a photo's header says, read without decoding a pixel.
public struct PhotoFacts: Sendable, Hashable {
  /// The format, by content.
  public let format: PhotoFormat
  /// Pixels from left to right, as stored.
  public let pixelWidth: Int
  /// Pixels from top to bottom, as stored.
  public let pixelHeight: Int
  /// The EXIF orientation, 1 to 8, that turns the decoded pixels upright. HEIC and AVIF have 1,
  /// because their decoders turn the pixels.
  public let orientation: Int
  /// When the picture was taken; `nil` when the file does not say. A time without a time zone
  /// counts as UTC.
  public let creationDate: Date?
  /// Where the picture was taken; `nil` when the file does not say or names an impossible place.
  public let location: Location?
  /// The camera, maker and model; `nil` when the file does not say.
  public let camera: String?
  /// The original of a file that Safelight rendered, by the file's own metadata; `nil` for other
  /// files.
  public let derivedFrom: OriginalReference?

  /// A place on Earth.
  public struct Location: Sendable, Hashable {
    /// Degrees north of the equator, -90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich, -180 to 180.
    public let longitude: Double
    /// Meters above sea level; `nil` when the file does not say.
    public let altitude: Double?
  }
}

extension OpenedPhoto {
  /// The photo's header, also of a format that only a decoder can open.
  package var header: PhotoHeader {
    PhotoHeader(
      metadata, width: size.width, height: size.height, orientation: orientation.exif)
  }

  /// The original of a file that Safelight rendered, by the file's own metadata; `nil` for other
  /// files.
  package var derivedFrom: OriginalReference? { metadata.renderOf }

  /// The same of a file, which no decoder has to read.
  ///
  /// - Throws: ``RenderError`` when the file is of no format that Safelight edits.
  package static func derivedFrom(_ source: PhotoSource) throws(RenderError) -> OriginalReference? {
    let format = try format(of: source)
    let file = FileSystem.real.mapped(source.file)
    switch format {
    case .heic, .avif: return CarriedMetadata(exif: nil, file: file).renderOf
    case .jpeg, .png, .tiff, .webp: return CarriedMetadata(original: file).renderOf
    }
  }

  /// What the photo says about itself.
  package var facts: PhotoFacts {
    let header = header
    var location: PhotoFacts.Location?
    if let latitude = header.latitude, let longitude = header.longitude {
      location = PhotoFacts.Location(
        latitude: latitude, longitude: longitude, altitude: metadata.exif?.altitude)
    }
    return PhotoFacts(
      format: format, pixelWidth: header.width, pixelHeight: header.height,
      orientation: header.orientation, creationDate: header.captureDate, location: location,
      camera: header.camera, derivedFrom: derivedFrom)
  }
}

extension CarriedMetadata {
  /// The original that a render of Safelight's names.
  fileprivate var renderOf: OriginalReference? {
    xmp.flatMap { $0.isSafelightRender ? $0.derivedFrom : nil }
  }
}

/// A kind of picture file that Safelight edits, recognized by content and never by name.
public enum PhotoFormat: String, Sendable, Hashable, Codable {
  /// JPEG, baseline or progressive.
  case jpeg
  /// PNG, 8 or 16 bits a channel.
  case png
  /// TIFF, without the camera raw files that begin like a TIFF.
  case tiff
  /// WebP, lossy or lossless.
  case webp
  /// HEIF with HEVC pictures.
  case heic
  /// HEIF with AV1 pictures.
  case avif

  /// The format's name for people.
  public var title: String {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .tiff: "TIFF"
    case .webp: "WebP"
    case .heic: "HEIC"
    case .avif: "AVIF"
    }
  }

  /// The uniform type identifier, as PhotoKit names content types.
  public var contentType: String {
    switch self {
    case .jpeg: "public.jpeg"
    case .png: "public.png"
    case .tiff: "public.tiff"
    case .webp: "org.webmproject.webp"
    case .heic: "public.heic"
    case .avif: "public.avif"
    }
  }

  /// The format of a file by its first bytes, of which 4,096 are enough; `nil` when Safelight does
  /// not edit such files.
  package static func recognized(from bytes: [UInt8]) -> PhotoFormat? {
    try? PhotoFormat(firstBytes: bytes)
  }

  /// The kind of a picture that Safelight does not edit, such as “a camera raw file”, by its first
  /// bytes; `nil` for everything else.
  package static func unsupportedKind(of bytes: [UInt8]) -> String? {
    do throws(RenderError) {
      _ = try PhotoFormat(firstBytes: bytes)
    } catch {
      if case .unsupportedFormat(let kind, _) = error { return kind }
    }
    return nil
  }

  /// Recognizes a file by its first bytes; 4,096 are enough.
  ///
  /// - Throws: ``RenderError/unsupportedFormat(_:reason:)`` for pictures that Safelight does not
  ///   edit, ``RenderError/notAPicture`` for everything else, ``RenderError/empty``.
  init(firstBytes bytes: [UInt8]) throws(RenderError) {
    guard !bytes.isEmpty else { throw .empty }
    if bytes.starts(with: [0xFF, 0xD8]) {
      self = .jpeg
    } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.has("RIFF"), bytes.has("WEBP", at: 8) {
      self = .webp
    } else if bytes.has("II*\0") || bytes.has("II+\0") || bytes.has("MM\0*") || bytes.has("MM\0+") {
      if Self.isRaw(bytes) { throw Self.raw }
      self = .tiff
    } else if bytes.has("ftyp", at: 4) {
      self = try Self.isoFormat(bytes)
    } else {
      throw Self.refusal(of: bytes)
    }
  }

  private static let raw = RenderError.unsupportedFormat(
    "a camera raw file", reason: "and raw development is not part of Safelight")

  /// Whether a file that begins like a TIFF is a raw file: it has Canon's mark, a DNG version, or a
  /// first picture that calls itself a reduced-size preview (TIFF 6.0 tag 254, bit 0).
  private static func isRaw(_ bytes: [UInt8]) -> Bool {
    if bytes.has("CR", at: 8) { return true }
    guard let header = TIFFHeader(bytes),
      let count = bytes.uint16(at: header.firstDirectory, header.order)
    else { return false }
    let entries = (0..<count).lazy.compactMap {
      TIFFEntry(
        bytes, at: header.firstDirectory + 2 + 12 * $0, header.order, ofFile: bytes.count)
    }
    for entry in entries {
      if entry.tag == 0xC612 { return true }
      if entry.tag == 254, let kind = bytes.uint32(at: entry.position + 8, header.order),
        kind & 1 == 1
      {
        return true
      }
    }
    return false
  }

  /// HEIC and AVIF by the brands of the file type box (ISO/IEC 14496-12, 23008-12).
  private static func isoFormat(_ bytes: [UInt8]) throws(RenderError) -> PhotoFormat {
    let size = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let box = bytes[8..<min(max(size, 12), bytes.count)]
    let brands = stride(from: box.startIndex, to: box.endIndex - 3, by: 4).map {
      String(decoding: bytes[$0..<($0 + 4)], as: UTF8.self)
    }
    if brands.contains(where: { ["avif", "avis"].contains($0) }) { return .avif }
    let heif: Set = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "heif"]
    if brands.contains(where: heif.contains) { return .heic }
    if brands.first?.hasPrefix("crx") == true { throw raw }
    throw .unsupportedFormat("a video or another ISO media file", reason: "not a photo")
  }

  /// The error for a file that Safelight does not edit; known formats are named.
  private static func refusal(of bytes: [UInt8]) -> RenderError {
    let untrusted = "whose decoder libvips marks as untrusted, so it stays off"
    let known: [(signature: [UInt8], offset: Int, name: String, reason: String)] = [
      ([0xFF, 0x0A], 0, "JPEG XL", untrusted),
      (Array("JXL ".utf8), 4, "JPEG XL", untrusted),
      (Array("jP  ".utf8), 4, "JPEG 2000", untrusted),
      ([0xFF, 0x4F, 0xFF, 0x51], 0, "JPEG 2000", untrusted),
      ([0x76, 0x2F, 0x31, 0x01], 0, "OpenEXR", untrusted),
      (Array("%PDF".utf8), 0, "a PDF", "not a photo"),
      (Array("GIF8".utf8), 0, "a GIF", "which has too few colors to edit as a photo"),
      (Array("BM".utf8), 0, "a BMP", "which Safelight does not edit"),
      (Array("8BPS".utf8), 0, "a Photoshop document", "which Safelight does not edit"),
      (Array("FUJIFILMCCD-RAW".utf8), 0, "a camera raw file", "which needs developing first"),
    ]
    for format in known where bytes.dropFirst(format.offset).starts(with: format.signature) {
      return .unsupportedFormat(format.name, reason: format.reason)
    }
    return .notAPicture
  }

  /// The Debian package whose absence leaves libvips without this format's decoder.
  var decoderPackage: String {
    switch self {
    case .heic: "libheif1 and libde265-0"
    case .avif: "libheif1 and libdav1d6"
    case .jpeg, .png, .tiff, .webp: "libvips42"
    }
  }
}
