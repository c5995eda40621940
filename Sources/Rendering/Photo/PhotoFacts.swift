import FoundationEssentials
import SafelightMetadata

/// What a photo's header says, without decoding a pixel.
public struct PhotoFacts: Sendable, Hashable {
  /// The format, by content.
  public let format: PhotoFormat
  /// Pixels from left to right, as stored.
  public let pixelWidth: Int
  /// Pixels from top to bottom, as stored.
  public let pixelHeight: Int
  /// The EXIF orientation, 1 to 8, that a decoder's pixels still need to stand upright. HEIC and
  /// AVIF have 1: their decoders turn the pixels.
  public let orientation: Int
  /// When the picture was taken; `nil` when it does not say. Without a time zone in the file the
  /// time is taken as UTC.
  public let creationDate: Date?
  /// Where the picture was taken; `nil` when it does not say or says the impossible.
  public let location: Location?
  /// The camera, maker and model; `nil` when the picture does not say.
  public let camera: String?
  /// Whether the file says of itself that Safelight rendered it, and from which original.
  public let derivedFrom: OriginalReference?

  /// A place on Earth.
  public struct Location: Sendable, Hashable {
    /// Degrees north of the equator, -90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich, -180 to 180.
    public let longitude: Double
    /// Metres above sea level; `nil` when the picture does not say.
    public let altitude: Double?
  }
}

extension Renderer {
  /// Reads a photo's header.
  ///
  /// - Throws: ``RenderError`` when the file is no photo that Safelight edits.
  public func facts(of source: PhotoSource) throws(RenderError) -> PhotoFacts {
    let opened = try OpenedPhoto(source)
    let exif = opened.metadata.exif
    var location: PhotoFacts.Location?
    if let latitude = exif?.latitude, let longitude = exif?.longitude {
      location = PhotoFacts.Location(
        latitude: latitude, longitude: longitude, altitude: exif?.altitude)
    }
    // Most makers repeat their name in the model.
    let names = [exif?.make, exif?.model].compactMap(\.self)
    let camera =
      names.count == 2 && names[1].hasPrefix(names[0]) ? names[1] : names.joined(separator: " ")
    let derivedFrom = opened.metadata.xmp.flatMap { $0.isSafelightRender ? $0.derivedFrom : nil }
    return PhotoFacts(
      format: opened.format, pixelWidth: opened.image.width, pixelHeight: opened.image.height,
      orientation: opened.orientation.exif, creationDate: exif?.captureTime?.date(),
      location: location, camera: camera.isEmpty ? nil : camera, derivedFrom: derivedFrom)
  }
}
