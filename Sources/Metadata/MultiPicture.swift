import SafelightFormats

/// The list of the pictures of a JPEG, in its MPF segment. Cameras put pictures for the screen behind the photo, of 1,600
/// to 1,920 columns.
///
/// Source: CIPA DC-007 (Multi-Picture Format), sections 5.2.2 and 5.2.3.
struct MultiPictureIndex {
  /// The number of images by the index.
  let count: Int
  /// The place of each image in the file.
  let images: [Range<Int>]
  /// The places of those that are for screens.
  let previews: [Range<Int>]

  /// Large thumbnails are of the types 0x010001 (VGA), 0x010002 (full HD) and those after them.
  private static let previewTypes = 0x01_0001...0x01_00FF

  /// Reads the APP2 payload that stands at an offset of the file; nil when it is another one or damaged.
  init?(_ payload: [UInt8], at offset: Int) {
    guard payload.has("MPF\0") else { return nil }
    let block = Array(payload.dropFirst(4))
    guard let header = TIFFHeader(block),
      let directory = TIFFDirectory(block, at: header.firstDirectory, header.order)
    else { return nil }
    let order = header.order
    var (images, previews): ([Range<Int>], [Range<Int>]) = ([], [])
    if let value = directory[0xB002]?.value {
      for entry in stride(from: value.lowerBound, to: value.upperBound - 15, by: 16) {
        guard let kind = block.uint32(at: entry, order),
          let size = block.uint32(at: entry + 4, order),
          let start = block.uint32(at: entry + 8, order)
        else { break }
        // Offsets count from the byte-order mark. The first image is the file itself.
        let place = offset + 4 + start..<offset + 4 + start + size
        images.append(images.isEmpty ? 0..<size : place)
        if start > 0, size > 4, Self.previewTypes.contains(kind & 0xFF_FFFF) {
          previews.append(place)
        }
      }
    }
    (self.images, self.previews) = (images, previews)
    let claimed = directory[0xB001]?.value.flatMap { block.uint32(at: $0.lowerBound, order) }
    count = images.isEmpty ? min(claimed ?? 0, 0xFFFF) : images.count
  }
}

extension MultiPictureIndex {
  /// The segment of a JPEG that lists the pictures of a file, the first one with them. It is as long whatever the
  /// numbers are. Source: CIPA DC-007, section 5.2.
  ///
  /// - Parameters:
  ///   - lengths: The bytes of each picture; they stand one behind the other.
  ///   - offset: Where in the file the segment begins.
  static func segment(of lengths: [Int], at offset: Int) -> [UInt8] {
    var block = Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 3]
    // Version, number and list; the list stands behind the three entries and the link after them.
    for (tag, type, count) in [(0xB000, 7, 4), (0xB001, 4, 1), (0xB002, 7, 16 * lengths.count)] {
      block.append(uint16: tag)
      block.append(uint16: type)
      block.append(uint32: count)
      switch tag {
      case 0xB000: block += Array("0100".utf8)
      case 0xB001: block.append(uint32: lengths.count)
      default: block.append(uint32: 50)
      }
    }
    block.append(uint32: 0)
    // Offsets count from the byte-order mark, which follows the marker, the length and the name.
    var next = -(offset + 8)
    for (index, length) in lengths.enumerated() {
      // The first picture is the one that all programs show.
      block.append(uint32: index == 0 ? 0x03_0000 : 0)
      block.append(uint32: length)
      block.append(uint32: index == 0 ? 0 : next)
      block.append(uint32: 0)
      next += length
    }
    var segment: [UInt8] = []
    segment.append(segment: 0xE2, header: Array("MPF\0".utf8), payload: block)
    return segment
  }
}
