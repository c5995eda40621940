import FoundationEssentials

/// An Exif block: a TIFF structure as it stands in a JPEG's APP1, without the `Exif` header.
///
/// The bytes are kept as they came. Reading never leaves the bounds, whatever the offsets claim,
/// and changes are made in place, since maker notes hold offsets nobody else understands.
/// Source: CIPA DC-008 (Exif 2.32), TIFF 6.0.
package struct ExifBlock: Sendable {
  /// The block from its byte-order mark on.
  package internal(set) var bytes: [UInt8]
  let order: ByteOrder
  /// IFD0: the picture.
  let main: TIFFDirectory
  /// The Exif directory; nil when there is none.
  let exif: TIFFDirectory?
  /// The GPS directory; nil when there is none.
  let gps: TIFFDirectory?
  /// The interoperability directory; nil when there is none.
  let interoperability: TIFFDirectory?

  enum Tag {
    static let imageWidth = 0x100
    static let imageLength = 0x101
    static let stripOffsets = 0x111
    static let stripByteCounts = 0x117
    static let orientation = 0x112
    static let xResolution = 0x11A
    static let yResolution = 0x11B
    static let resolutionUnit = 0x128
    static let thumbnailOffset = 0x201
    static let thumbnailLength = 0x202
    static let exifDirectory = 0x8769
    static let gpsDirectory = 0x8825
    static let makerNote = 0x927C
    static let pixelWidth = 0xA002
    static let pixelHeight = 0xA003
    static let interoperability = 0xA005
  }

  /// Reads a block; nil when it has no TIFF header or no first directory.
  ///
  /// - Parameter block: The TIFF structure, with or without the `Exif` header before it, or
  ///   HEIF's offset before that.
  package init?(_ block: some RandomAccessCollection<UInt8>) {
    var bytes = [UInt8](block)
    if let start = [6, 4, 10].first(where: { TIFFHeader(bytes.dropFirst($0)) != nil }),
      TIFFHeader(bytes) == nil
    {
      bytes.removeFirst(start)
    }
    guard let header = TIFFHeader(bytes),
      let main = TIFFDirectory(bytes, at: header.firstDirectory, header.order)
    else { return nil }
    self.bytes = bytes
    self.main = main
    order = header.order
    let order = header.order
    func directory(_ tag: Int, in parent: TIFFDirectory?) -> TIFFDirectory? {
      // Some writers link with signed numbers.
      guard let entry = parent?[tag], [4, 9, 13].contains(entry.type),
        let value = entry.value, let offset = bytes.uint32(at: value.lowerBound, order),
        // A link back to its parent is a loop, not a directory of its own.
        offset != header.firstDirectory, offset != parent?.offset
      else { return nil }
      return TIFFDirectory(bytes, at: offset, order)
    }
    exif = directory(Tag.exifDirectory, in: main)
    gps = directory(Tag.gpsDirectory, in: main)
    interoperability = directory(Tag.interoperability, in: exif)
  }

  /// The first whole number of an entry; nil unless it has one.
  func integer(_ entry: TIFFEntry?) -> Int? {
    guard let entry, entry.count > 0, let start = entry.value?.lowerBound else { return nil }
    switch entry.type {
    case 1, 6, 7: return bytes.byte(at: start).map(Int.init)
    case 3, 8: return bytes.uint16(at: start, order)
    case 4, 9, 13: return bytes.uint32(at: start, order)
    default: return nil
    }
  }

  /// One fraction of an entry: 0/0 counts as 0, which cameras write for unused seconds.
  func rational(_ entry: TIFFEntry?, _ index: Int = 0) -> Double? {
    guard let entry, entry.type == 5 || entry.type == 10, index < entry.count,
      let start = entry.value?.lowerBound,
      let above = bytes.uint32(at: start + 8 * index, order),
      let below = bytes.uint32(at: start + 8 * index + 4, order)
    else { return nil }
    let isSigned = entry.type == 10
    let numerator = isSigned ? Double(Int32(truncatingIfNeeded: above)) : Double(above)
    let denominator = isSigned ? Double(Int32(truncatingIfNeeded: below)) : Double(below)
    guard denominator != 0 else { return numerator == 0 ? 0 : nil }
    return numerator / denominator
  }

  /// The text of an entry up to its first NUL, without surrounding white space; nil when empty.
  func text(_ entry: TIFFEntry?) -> String? {
    guard let entry, entry.type == 2 || entry.type == 7 || entry.type == 1,
      let value = entry.value
    else { return nil }
    let characters = bytes[value].prefix { $0 != 0 }
    // Exif says ASCII; cameras and people also write UTF-8 and Latin-1.
    let text =
      String(validating: characters, as: UTF8.self)
      ?? String(String.UnicodeScalarView(characters.map { Unicode.Scalar($0) }))
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return nil }
    return String(text[first...last])
  }
}
