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
  /// The number of pictures that the decoder found.
  let pictures: Int

  /// Whether a file can have these facts, whatever its limit of pixels, as those from another process may not.
  package var isPossible: Bool {
    let numbers = 1...Int(Int32.max)
    return numbers.contains(size.width) && numbers.contains(size.height)
      && (0...numbers.upperBound).contains(pictures)
  }

  /// Reads them from the header alone, where no decoder is needed for that.
  package init?(withoutDecoding source: PhotoSource, _ format: PhotoFormat) {
    guard format.file.hasExactSize,
      let length = try? FileSystem.real.status(of: source.file).size,
      let header = PhotoHeader(PhotoBytes(source.file, size: Int(length)))
    else { return nil }
    size = PixelSize(width: header.width, height: header.height)
    pictures = 1
  }

  init(_ image: Image) {
    size = image.size
    pictures = image.number("n-pages") ?? 1
  }
}

/// A photo whose header was read and checked.
package struct OpenedPhoto: Sendable {
  let format: PhotoFormat
  /// The size of the pixels as they are stored.
  let size: PixelSize
  let metadata: CarriedMetadata
  /// What the photo says about its pixels.
  let stored: StoredFacts
  let warnings: [RenderWarning]
  let file: PhotoFile

  /// What turns the decoded pixels upright.
  var orientation: Orientation { stored.orientation }

  /// Recognizes the file, reads its header and checks it against the source's limit.
  init(_ source: PhotoSource) throws(RenderError) {
    let file = PhotoFile(source)
    try self.init(file) { format throws(RenderError) in try Self.facts(of: file, format) }
  }

  /// What the decoder of this process says about a photo.
  package static func facts(of source: PhotoSource) throws(RenderError) -> PictureFacts {
    let file = PhotoFile(source)
    return try facts(of: file, PhotoFormat(file.bytes))
  }

  private static func facts(
    of file: PhotoFile, _ format: PhotoFormat
  ) throws(RenderError) -> PictureFacts {
    do {
      return PictureFacts(try format.decoder.picture(file, 1).color)
    } catch {
      throw RenderError(error, decoding: format)
    }
  }

  /// The same with a decoder elsewhere, which is asked once the format is known.
  package init(
    _ source: PhotoSource, facts: (PhotoFormat) throws(RenderError) -> PictureFacts
  ) throws(RenderError) {
    try self.init(PhotoFile(source), facts: facts)
  }

  private init(
    _ file: PhotoFile, facts: (PhotoFormat) throws(RenderError) -> PictureFacts
  ) throws(RenderError) {
    self.file = file
    format = try PhotoFormat(file.bytes)
    if let unsupported = format.decoder.unsupported(file.bytes) { throw unsupported.error }
    let facts = try Self.facts(of: file.bytes, format, facts)
    size = facts.size
    // A division, because the product of a hostile header's numbers does not fit an integer.
    let limit = file.source.pixelLimit
    guard size.width > 0, size.width <= limit / max(size.height, 1) else {
      throw .tooManyPixels(width: size.width, height: size.height, limit: limit)
    }
    metadata = CarriedMetadata(original: file.bytes)
    var stored = StoredFacts(metadata, facts)
    format.decoder.facts(&stored, file, facts)
    self.stored = stored
    let count = stored.pictures
    warnings =
      (count < 2
        ? [] : [stored.isFirstPicture ? .severalPictures(count) : .primaryPicture(of: count)])
      + stored.warnings
  }

  /// What a decoder says, or why the file is of a kind that the decoder does not read.
  private static func facts(
    of header: PhotoBytes, _ format: PhotoFormat,
    _ facts: (PhotoFormat) throws(RenderError) -> PictureFacts
  ) throws(RenderError) -> PictureFacts {
    do throws(RenderError) {
      return try facts(format)
    } catch {
      guard case .damaged = error else { throw error }
      throw format.decoder.refused(header)?.error ?? error
    }
  }

  /// The format of a file, by its content.
  package static func format(of source: PhotoSource) throws(RenderError) -> PhotoFormat {
    try PhotoFormat(PhotoFile(source).bytes)
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
  func picture(shrink: Int = 1) throws(VipsError) -> (picture: Picture, shrink: Int) {
    var shrink = format.decoder.shrinks ? shrink : 1
    while shrink > min(size.width, size.height) { shrink /= 2 }
    return (try format.decoder.picture(file, shrink), shrink)
  }
}

extension OpenedPhoto {
  /// The most bytes of tables and scans that are read into memory.
  private static let mostCodedBytes = 256 << 20

  /// The photo as a JPEG without metadata: its tables and scans as they are; `nil` when they are cut short, or larger than
  /// those of any photo.
  var codedJPEG: [UInt8]? {
    guard let picture = CodedPicture(jpeg: file.bytes), picture.range.count <= Self.mostCodedBytes
    else { return nil }
    var jpeg: [UInt8] = [0xFF, 0xD8]
    jpeg.reserveCapacity(picture.range.count + 2)
    return file.bytes.copy(picture.range, to: { jpeg += $0 }) ? jpeg : nil
  }
}

extension RenderError {
  /// A failure of libvips while a photo's header or pixels were being read.
  init(_ error: VipsError, decoding format: PhotoFormat) {
    switch error {
    case .missingOperation: self = .missingDecoder(format, package: format.decoder.package)
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
  /// What the file calls its colors, such as `Display P3`: the name in its profile, or the standard whose numbers it
  /// declares; `nil` when it says nothing, and its codes count as sRGB.
  public let colorProfile: String?
  /// The HDR gain map; `nil` when the file has none that can be read.
  public let gainMap: GainMap?
  /// What the photo's own pixels are when they are those of a high dynamic range; `nil` for others.
  public let hdrPixels: HDRPixels?
  /// The original of a file that Safelight rendered, by the file's own metadata; `nil` for other
  /// files.
  public let derivedFrom: OriginalReference?

  /// Pixels that are brighter than white.
  public struct HDRPixels: Sendable, Hashable {
    /// `PQ` or `HLG`, as ITU-R BT.2100 calls them.
    public let transfer: String
    /// Stops of the brightest light above white, which is 203 nits: as the file states it, otherwise those of 1,000 nits.
    public let headroom: Double
  }

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
    _ = try format(of: source)
    return CarriedMetadata(original: PhotoFile(source).bytes).renderOf
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
      camera: header.camera, colorProfile: metadata.colorName, gainMap: metadata.gainMap,
      hdrPixels: stored.codedColor.flatMap(HDRCoding.init).map {
        PhotoFacts.HDRPixels(transfer: $0.transfer.rawValue, headroom: $0.headroom)
      },
      derivedFrom: derivedFrom)
  }
}

extension CarriedMetadata {
  /// The original that a render of Safelight's names.
  fileprivate var renderOf: OriginalReference? {
    xmp.flatMap { $0.isSafelightRender ? $0.derivedFrom : nil }
  }
}
