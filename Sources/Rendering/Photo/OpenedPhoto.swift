import Vips

/// A photo whose header has been read and found fit to decode.
struct OpenedPhoto {
  let format: PhotoFormat
  let image: Image

  /// Recognises the file, reads its header and checks it against the source's limit.
  init(_ source: PhotoSource) throws(RenderError) {
    let format = try PhotoFormat(firstBytes: source.firstBytes(4096))
    let image: Image
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
    self.format = format
    self.image = image
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
