import FoundationEssentials
import Glibc
import SafelightAdjustments
import SafelightMetadata
import SafelightVips

/// An original to render from: an open file that is only ever read.
package struct PhotoSource: Sendable {
  /// A descriptor open for reading. The caller closes it; its position does not move.
  package let descriptor: Int32
  /// The file's name, which the metadata of the render gives as its original.
  package let name: String
  /// The most pixels, width times height, that the header may announce.
  package let pixelLimit: Int
  /// Whether a truncated or damaged picture is rendered as far as it can be decoded.
  package let allowsDamage: Bool

  /// 500 megapixels: more than any camera makes, less than a decoder bomb.
  package static let defaultPixelLimit = 500_000_000

  /// Describes an open original.
  ///
  /// - Parameters:
  ///   - descriptor: Open for reading for as long as the source is used.
  ///   - name: The file's name without its folder.
  ///   - pixelLimit: The most pixels that the header may announce.
  ///   - allowsDamage: Whether a truncated or damaged picture is rendered as far as it can be
  ///     decoded.
  package init(
    descriptor: Int32, name: String, pixelLimit: Int = PhotoSource.defaultPixelLimit,
    allowsDamage: Bool = false
  ) {
    self.descriptor = descriptor
    self.name = name
    self.pixelLimit = pixelLimit
    self.allowsDamage = allowsDamage
  }

  /// The first bytes of the file, at most `count`.
  func firstBytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, count, 0))
    }
  }

  /// The whole file, mapped into memory, so that only the parts that are read cost memory.
  func mapped() -> Data {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_size > 0,
      let memory = mmap(nil, Int(facts.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0),
      memory != MAP_FAILED
    else { return Data() }
    return Data(
      bytesNoCopy: memory, count: Int(facts.st_size),
      deallocator: .custom { pointer, size in munmap(pointer, size) })
  }
}

/// A photo whose header was read and checked.
package struct OpenedPhoto {
  let format: PhotoFormat
  /// The picture as the decoder gives it, to be read once from top to bottom.
  let image: Image
  let metadata: CarriedMetadata
  /// What turns the decoded pixels upright.
  let orientation: Orientation
  /// The profile that the file names by a code instead of carrying it; `nil` for sRGB.
  let codedProfile: StandardProfile?
  let warnings: [RenderWarning]
  private let source: PhotoSource

  /// Recognizes the file, reads its header and checks it against the source's limit.
  init(_ source: PhotoSource) throws(RenderError) {
    self.source = source
    format = try PhotoFormat(firstBytes: source.firstBytes(4096))
    do {
      let file = try Source(descriptor: source.descriptor)
      image = try Image.open(file, as: format.decoder, allowingDamage: source.allowsDamage)
    } catch {
      throw RenderError(error, decoding: format)
    }
    // A division, because the product of a hostile header's numbers does not fit an integer.
    guard image.width <= source.pixelLimit / max(image.height, 1) else {
      throw .tooManyPixels(width: image.width, height: image.height, limit: source.pixelLimit)
    }

    switch format {
    case .heic, .avif:
      let file = source.mapped()
      metadata = CarriedMetadata(exif: image.attachment(.exif).map { Data($0) }, file: file)
      codedProfile = ISOMediaColor(file).flatMap { StandardProfile(codedPrimaries: $0.primaries) }
      // libheif has turned the pixels as the file's boxes say. The EXIF tag is a copy and must not
      // turn them again (ISO/IEC 23008-12, annex A).
      orientation = .upright
    case .jpeg, .png, .tiff, .webp:
      metadata = CarriedMetadata(original: source.mapped())
      codedProfile = nil
      orientation = Orientation(
        exif: metadata.exif?.orientation ?? image.number("orientation") ?? 1)
    }
    let pictures = image.number("n-pages") ?? 1
    warnings = pictures > 1 ? [.severalPictures(pictures)] : []
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
  var uprightSize: PixelSize { orientation.swapsSides ? image.size.turned : image.size }

  /// Opens the photo once more, without reading its pixels.
  ///
  /// - Parameter shrink: How much smaller along each side, where the decoder can do that: 1, 2, 4
  ///   or 8.
  /// - Returns: The picture, and how much smaller it is: `shrink` for a JPEG, 1 for others.
  func reopened(shrink: Int = 1) throws(VipsError) -> (image: Image, shrink: Int) {
    let shrink = format == .jpeg ? shrink : 1
    let file = try Source(descriptor: source.descriptor)
    let image = try Image.open(
      file, as: format.decoder, allowingDamage: source.allowsDamage, shrink: shrink)
    return (image, shrink)
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

extension Renderer {
  /// Reads a photo's header.
  ///
  /// - Throws: ``RenderError`` when the file is no photo that Safelight edits.
  package func facts(of source: PhotoSource) throws(RenderError) -> PhotoFacts {
    try OpenedPhoto(source).facts
  }

  /// What a photo says about itself that only a decoder can open.
  ///
  /// - Throws: ``RenderError`` when the file is no photo that Safelight edits.
  package func header(of source: PhotoSource) throws(RenderError) -> PhotoHeader {
    try OpenedPhoto(source).header
  }
}

extension OpenedPhoto {
  fileprivate var header: PhotoHeader {
    PhotoHeader(
      metadata, width: image.width, height: image.height, orientation: orientation.exif)
  }

  /// What the photo says about itself.
  package var facts: PhotoFacts {
    let header = header
    var location: PhotoFacts.Location?
    if let latitude = header.latitude, let longitude = header.longitude {
      location = PhotoFacts.Location(
        latitude: latitude, longitude: longitude, altitude: metadata.exif?.altitude)
    }
    let derivedFrom = metadata.xmp.flatMap { $0.isSafelightRender ? $0.derivedFrom : nil }
    return PhotoFacts(
      format: format, pixelWidth: header.width, pixelHeight: header.height,
      orientation: header.orientation, creationDate: header.captureDate, location: location,
      camera: header.camera, derivedFrom: derivedFrom)
  }
}
