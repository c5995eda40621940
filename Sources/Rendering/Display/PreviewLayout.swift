/// A picture of an edit that is tried, as a JPEG in sRGB without metadata.
package struct EncodedPreview: Sendable {
  /// Pixels from left to right.
  package let width: Int
  /// Pixels from top to bottom.
  package let height: Int
  /// The bytes of the JPEG.
  package let bytes: [UInt8]
  /// The counts of the picture's codes; `nil` when nobody asked for them.
  package let histogram: PhotoHistogram?

  /// A picture that was encoded before.
  package init(width: Int, height: Int, bytes: [UInt8], histogram: PhotoHistogram? = nil) {
    (self.width, self.height, self.bytes) = (width, height, bytes)
    self.histogram = histogram
  }
}

/// What a picture of an edit shows, and how it is encoded.
package struct PreviewLayout: Sendable, Hashable, Codable {
  /// The part that is shown; `nil` shows the whole picture at the size that the maker was made for.
  package var tile: DisplayLayout.Part?
  /// The most pixels along the longer side of the picture that the tile is a part of; `nil` is full size.
  package var tiledSide: Int?
  /// 1 to 100, of the JPEG.
  package var quality = 88
  /// Whether the picture's codes are counted.
  package var isCounted = false
  /// Whether a quick picture will do, while a slider moves; tiles are none.
  ///
  /// The edit acts on the photo at the size of the screen alone, which is a fifth of the pixels: hard edges
  /// may look different from the render.
  package var isDraft = false

  /// The whole picture.
  package init() {}
}
