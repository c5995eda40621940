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
  /// The number of pictures that the decoder found.
  let pictures: Int

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
    (orientation, pictures) = (header.orientation, 1)
  }

  init(_ image: Image) {
    size = image.size
    orientation = image.number("orientation")
    pictures = image.number("n-pages") ?? 1
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
  private let headerBytes: HeaderBytes

  /// Recognizes the file, reads its header and checks it against the source's limit.
  init(_ source: PhotoSource) throws(RenderError) {
    let header = Self.header(of: source)
    try self.init(source, header) { format throws(RenderError) in
      try Self.facts(of: source, header, format)
    }
  }

  /// What the decoder of this process says about a photo.
  package static func facts(of source: PhotoSource) throws(RenderError) -> PictureFacts {
    let header = header(of: source)
    return try facts(of: source, header, PhotoFormat(header))
  }

  private static func facts(
    of source: PhotoSource, _ header: HeaderBytes, _ format: PhotoFormat
  ) throws(RenderError) -> PictureFacts {
    do {
      return PictureFacts(try image(of: source, header, format))
    } catch {
      throw RenderError(error, decoding: format)
    }
  }

  /// The same with a decoder elsewhere, which is asked once the format is known.
  package init(
    _ source: PhotoSource, facts: (PhotoFormat) throws(RenderError) -> PictureFacts
  ) throws(RenderError) {
    try self.init(source, Self.header(of: source), facts: facts)
  }

  private init(
    _ source: PhotoSource, _ header: HeaderBytes,
    facts: (PhotoFormat) throws(RenderError) -> PictureFacts
  ) throws(RenderError) {
    (self.source, headerBytes) = (source, header)
    format = try PhotoFormat(header)
    if let unsupported = UnsupportedPhoto(header, format) { throw unsupported.error }
    let facts = try Self.facts(of: header, format, facts)
    size = facts.size
    // A division, because the product of a hostile header's numbers does not fit an integer.
    guard size.width > 0, size.width <= source.pixelLimit / max(size.height, 1) else {
      throw .tooManyPixels(width: size.width, height: size.height, limit: source.pixelLimit)
    }

    var pictures = facts.pictures
    switch format {
    case .heic, .avif:
      let file = FileSystem.real.mapped(source.file)
      metadata = CarriedMetadata(file: file)
      (isICCLab, jpegCoding) = (false, nil)
      // The decoder sees a view of the file with one picture.
      pictures = ISOMediaFile(file).map { max($0.pictureCount, 1) } ?? pictures
      // libheif has turned the pixels as the file's boxes say. The EXIF tag is a copy and must not
      // turn them again (ISO/IEC 23008-12, annex A).
      orientation = .upright
    case .jpeg, .png, .tiff, .webp:
      let file = FileSystem.real.mapped(source.file)
      metadata = CarriedMetadata(original: file)
      let tiff = format == .tiff ? header.tiff : nil
      isICCLab = tiff?.photo?.number(0x0106) == 9
      jpegCoding = format == .jpeg ? JPEGCoding(file) : nil
      var tag = metadata.exif?.orientation ?? facts.orientation
      if let tiff, let photo = tiff.photo, !photo.isFirst {
        // The metadata are those of the thumbnail before the photo.
        tag = facts.orientation ?? tag
        pictures = tiff.pictures.count { !$0.isPart }
      }
      orientation = Orientation(exif: tag ?? 1)
    }
    codedProfile = metadata.codedColor.flatMap {
      StandardProfile(codedPrimaries: $0.primaries)
    }
    hdr = metadata.codedColor.flatMap(HDRCoding.init)
    warnings = pictures > 1 ? [.severalPictures(pictures)] : []
  }

  /// What a decoder says, or why the file is of a kind that the decoder does not read.
  private static func facts(
    of header: HeaderBytes, _ format: PhotoFormat,
    _ facts: (PhotoFormat) throws(RenderError) -> PictureFacts
  ) throws(RenderError) -> PictureFacts {
    do throws(RenderError) {
      return try facts(format)
    } catch {
      guard case .damaged = error, format.decoder == .heif else { throw error }
      let media = ISOMediaFile { header.bytes(at: $0, count: $1) }
      throw UnsupportedPhoto.undecodedMedia(media, header)?.error ?? error
    }
  }

  /// The format of a file, by its content.
  package static func format(of source: PhotoSource) throws(RenderError) -> PhotoFormat {
    try PhotoFormat(header(of: source))
  }

  private static func header(of source: PhotoSource) -> HeaderBytes {
    let size = try? FileSystem.real.status(of: source.file).size
    return HeaderBytes(source.file, size: Int(size ?? 0))
  }

  private static func image(
    of source: PhotoSource, _ header: HeaderBytes, _ format: PhotoFormat, shrink: Int = 1
  ) throws(VipsError) -> Image {
    let patch = format.decoder == .heif ? pictureOnly(header) : nil
    let file = try Source(
      source.file, isMapped: source.isMapped, replacing: patch.map { ($0.offset, $0.bytes) })
    var page: (number: Int, child: Int?)?
    if format == .tiff, let photo = header.tiff?.photo, !photo.isFirst {
      page = (photo.page, photo.child)
    }
    return try Image.open(
      file, as: format.decoder, allowingDamage: source.allowsDamage, shrink: shrink, page: page)
  }

  /// What a decoder reads in place of the `meta` box of a HEIC or AVIF, so that it meets nothing but
  /// the picture; `nil` when the boxes do not say enough. The decoder then reads the file as it is: the view makes
  /// more photos readable, and what keeps a decoder from harm is the darkroom.
  private static func pictureOnly(_ header: HeaderBytes) -> BytePatch? {
    let media = ISOMediaFile { header.bytes(at: $0, count: $1) }
    return media?.pictureOnly(ofFile: header.size)
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

  /// Where the places that the photo's metadata name lie in a render.
  ///
  /// - Parameter render: The pixels of the render.
  func places(in plan: RenderPlan, ofSize render: PixelSize) -> MetadataPlaces {
    // Metadata of a HEIC count in the pixels before its boxes turn them.
    let turn = Orientation(exif: metadata.turnByBoxes).followed(by: orientation)
    let stored = turn.swapsSides ? uprightSize.turned : uprightSize
    return MetadataPlaces(
      plan.placeMapping(of: uprightSize), orientation: turn.exif,
      stored: (stored.width, stored.height), render: (render.width, render.height))
  }

  /// The picture as the decoder gives it, to be read once from top to bottom.
  ///
  /// - Parameter shrink: How much smaller along each side, where the decoder can do that: 1, 2, 4
  ///   or 8.
  /// - Returns: The picture, and how much smaller it is: `shrink` for a JPEG, 1 for others. A JPEG with fewer rows or
  ///   columns than that is made less small, because the decoder would leave none.
  func image(shrink: Int = 1) throws(VipsError) -> (image: Image, shrink: Int) {
    var shrink = format == .jpeg ? shrink : 1
    while shrink > min(size.width, size.height) { shrink /= 2 }
    return (try Self.image(of: source, headerBytes, format, shrink: shrink), shrink)
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
  /// The seconds that the camera's clock was ahead of UTC; `nil` when the camera did not write it.
  public let timeZoneOffset: Int?
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
    case .heic, .avif: return CarriedMetadata(file: file).renderOf
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
      orientation: header.orientation, creationDate: header.captureDate,
      timeZoneOffset: header.captureTime?.secondsFromUTC, location: location,
      camera: header.camera, derivedFrom: derivedFrom)
  }
}

extension CarriedMetadata {
  /// The original that a render of Safelight's names.
  fileprivate var renderOf: OriginalReference? {
    xmp.flatMap { $0.isSafelightRender ? $0.derivedFrom : nil }
  }
}
