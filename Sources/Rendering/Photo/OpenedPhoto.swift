import FoundationEssentials
import SafelightMetadata
import SafelightVips

/// A photo whose header has been read and found fit to decode.
struct OpenedPhoto {
  let format: PhotoFormat
  /// As the decoder gives it, in sequential order.
  let image: Image
  let metadata: CarriedMetadata
  /// What the decoder's pixels still need to stand upright.
  let orientation: Orientation
  /// The profile that the file states by a code instead of carrying it; `nil` for sRGB.
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
    // Divided and not multiplied: a hostile header's product does not fit an integer.
    guard image.width <= source.pixelLimit / max(image.height, 1) else {
      throw .tooManyPixels(width: image.width, height: image.height, limit: source.pixelLimit)
    }

    switch format {
    case .heic, .avif:
      let file = source.mapped()
      metadata = CarriedMetadata(exif: image.attachment(.exif).map { Data($0) }, file: file)
      codedProfile = ISOMediaColor(file).flatMap { StandardProfile(codedPrimaries: $0.primaries) }
      // libheif has turned the pixels as the file's own boxes say; its EXIF tag is a copy that
      // must not turn them again (ISO/IEC 23008-12, annex A).
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
  /// Width and height of the photo as it stands upright.
  var uprightSize: (width: Int, height: Int) {
    orientation.swapsSides ? (image.height, image.width) : (image.width, image.height)
  }

  /// The photo opened once more, its pixels not read yet.
  ///
  /// - Parameter shrink: How much smaller along each side, where the decoder can: 1, 2, 4 or 8.
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
    case .start, .open: self = .damaged(detail: error.description)
    }
  }
}
