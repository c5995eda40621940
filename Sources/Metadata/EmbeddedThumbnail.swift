import SafelightFormats

/// The small JPEG that a camera puts into a JPEG's Exif block, where it can stand for the photo, or the
/// larger one that it puts behind the photo.
package struct EmbeddedThumbnail: Sendable {
  /// The thumbnail's bytes, a JPEG.
  package let bytes: [UInt8]
  /// Columns of the photo.
  package let photoWidth: Int
  /// Rows of the photo.
  package let photoHeight: Int

  /// The photo's profile, which is the thumbnail's too; nil when there is none.
  package let profile: [UInt8]?

  /// The most bytes of a picture for screens.
  private static let longestPreview = 8 << 20

  /// Looks for the thumbnail of an upright JPEG.
  ///
  /// Reads the header alone. A photo that must be rotated has no usable thumbnail: some cameras
  /// rotate the thumbnail, others do not. Nor has a photo in Adobe RGB without a profile.
  ///
  /// - Parameter isLarge: Whether the largest picture for screens is wanted, where there is one;
  ///   otherwise the thumbnail of the Exif block.
  /// - Returns: nil when there is none that can be used.
  package init?(_ file: PhotoBytes, preferringLarge isLarge: Bool = false) {
    guard file.uint16(at: 0) == 0xFFD8 else { return nil }
    var size: (width: Int, height: Int)?
    var block: ExifBlock?
    var profile: [UInt8]?
    var preview: [UInt8]?
    var reader = file.segments
    while size == nil, let segment = reader.next(file.bytes(at:count:)), !segment.isScan {
      size = segment.frameSize(file.bytes(at:count:))
      guard segment.marker == 0xE1 || segment.marker == 0xE2,
        let payload = file.bytes(at: segment.payload.lowerBound, count: segment.payload.count)
      else { continue }
      if segment.marker == 0xE1, block == nil, payload.has("Exif\0") {
        block = ExifBlock(payload.dropFirst(6))
      } else if segment.marker == 0xE2, payload.has("ICC_PROFILE\0") {
        // A profile of sRGB is small: it fills one segment, numbered 1 of 1.
        guard payload.count > 14, payload[12] == 1, payload[13] == 1 else { return nil }
        profile = Array(payload[14...])
      } else if isLarge, preview == nil {
        preview = MultiPictureIndex(payload, at: segment.payload.lowerBound).flatMap { pictures in
          pictures.previews.filter { $0.count <= Self.longestPreview }
            .max { $0.count < $1.count }
            .flatMap { file.bytes(at: $0.lowerBound, count: $0.count) }
            .flatMap { $0.uint16(at: 0) == 0xFFD8 ? $0 : nil }
        }
      }
    }
    guard let size, size.width > 0, size.height > 0, let block, block.orientation == 1,
      profile != nil || !block.isInOtherColors, let bytes = preview ?? block.thumbnail
    else { return nil }
    self.bytes = bytes
    self.profile = profile
    (photoWidth, photoHeight) = (size.width, size.height)
  }

  /// Whether a picture of this size has the photo's shape, so that it can stand for the photo.
  ///
  /// Rounding to whole pixels changes the shape of 160 × 107 by half a percent. Bars above and below change it by ten.
  package func hasShape(ofWidth width: Int, height: Int) -> Bool {
    let shape = Double(width) / Double(height)
    return abs(shape / (Double(photoWidth) / Double(photoHeight)) - 1) < 0.02
  }
}

extension ExifBlock {
  /// The JPEG that the second directory links to; nil when there is none inside the block.
  fileprivate var thumbnail: [UInt8]? {
    guard let directory = TIFFDirectory(bytes, at: main.next, order),
      let offset = integer(directory[Tag.thumbnailOffset]),
      let length = integer(directory[Tag.thumbnailLength]), length > 4, offset >= 8,
      offset <= bytes.count - length, bytes.uint16(at: offset) == 0xFFD8
    else { return nil }
    return Array(bytes[offset..<(offset + length)])
  }

  /// Whether the colors are not those of sRGB, or unknown.
  fileprivate var isInOtherColors: Bool {
    guard let space = integer(exif?[Tag.colorSpace]) else { return isInAdobeRGB }
    return space != 1
  }
}
