import SafelightFormats

/// The pictures that a camera put behind a JPEG, as its MPF segment lists them.
///
/// Cameras store a picture for the screen there, of 1,600 to 1,920 columns. Source: CIPA DC-007
/// (Multi-Picture Format), sections 5.2.2 and 5.2.3.
struct MultiPicture: Sendable {
  /// Where in the file the pictures for screens lie, in the order of the list.
  let previews: [Range<Int>]

  /// The tag of the list of pictures.
  private static let entriesTag = 0xB002
  /// The bytes of a picture in the list.
  private static let entryLength = 16
  /// Large thumbnails are of the types 0x010001 (VGA), 0x010002 (full HD) and those after them.
  private static let previewTypes = 0x01_0001...0x01_00FF

  /// Reads an APP2 segment.
  ///
  /// - Parameters:
  ///   - payload: The segment's bytes after its length.
  ///   - start: Where in the file they begin.
  /// - Returns: `nil` for another segment, or a damaged one.
  init?(_ payload: [UInt8], at start: Int) {
    guard payload.has("MPF\0") else { return nil }
    let bytes = Array(payload.dropFirst(4))
    guard let header = TIFFHeader(bytes),
      let directory = TIFFDirectory(bytes, at: header.firstDirectory, header.order),
      let entries = directory[Self.entriesTag]?.value
    else { return nil }
    let order = header.order
    previews = stride(
      from: entries.lowerBound, through: entries.upperBound - Self.entryLength,
      by: Self.entryLength
    ).compactMap { entry in
      guard let kind = bytes.uint32(at: entry, order),
        let size = bytes.uint32(at: entry + 4, order),
        let offset = bytes.uint32(at: entry + 8, order), offset > 0, size > 4,
        Self.previewTypes.contains(kind & 0xFF_FFFF)
      else { return nil }
      // Offsets count from the TIFF header, which follows the segment's name.
      return (start + 4 + offset)..<(start + 4 + offset + size)
    }
  }
}
