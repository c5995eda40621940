/// Metadata of an original that its render does not carry, or carries changed.
///
/// The original keeps all of them. The warning tells the user what the render has lost.
package enum MetadataWarning: Sendable, Hashable, CustomStringConvertible {
  /// The Exif block is damaged and left out, its orientation included.
  case exifUnreadable
  /// Exif values of unknown types, or outside of their block, are left out.
  case exifTagsDamaged([UInt16])
  /// An Exif block beyond `limit` bytes was rebuilt without its largest values.
  case exifTagsNotCarried([UInt16])
  /// Maker notes are at another offset than in the original; some readers then fail.
  case makerNoteMoved
  /// The XMP packet is damaged or not UTF-8; it is carried as it is, without naming the original.
  case xmpUnreadable
  /// The XMP packet has no room for the edits in one segment; it is carried as it is.
  case xmpFull
  /// The XMP packet of another format is too large for a JPEG segment.
  case xmpTooLarge(bytes: Int)
  /// XMP that is damaged or not whole is left out of a file that has no place for it as it is.
  case xmpNotCarried
  /// IPTC or texts that the format has no place for say something else than these properties of XMP, which count.
  case xmpSaysOther([String])
  /// IPTC data sets of the application record that XMP has no property for.
  case iptcNotCarried([UInt8])
  /// IPTC data sets whose text has room for a part only; XMP has all of it.
  case iptcCut([String])
  /// IPTC records that cannot be read to their end.
  case iptcUnreadable(isCarried: Bool)
  /// The end of IPTC records, which cannot be read, is left out with other metadata.
  case iptcEndNotCarried(bytes: Int)
  /// Comments that the render has no place for, because its Exif has another one.
  case commentNotCarried
  /// A block of metadata is larger than any that is read.
  case blockTooLarge(bytes: Int)
  /// Not all parts of the color profile are there.
  case profileIncomplete
  /// The HDR gain map is lost: the render is standard dynamic range.
  case gainMapNotCarried(GainMap.Convention)
  /// Further images of the file (MPF) are lost.
  case furtherImagesNotCarried(count: Int)
  /// The depth map, which portrait effects use, is lost.
  case depthMapNotCarried
  /// The picture shows a part of the sphere that no numbers of a panorama describe.
  case panoramaNotCarried
  /// The video of a motion photo is lost.
  case motionPhotoNotCarried(bytes: Int)
  /// Samsung's data after the picture are lost.
  case samsungTrailerNotCarried(bytes: Int)
  /// Bytes after the picture are lost.
  case trailerNotCarried(bytes: Int)
  /// Content credentials (C2PA) are left out, since they would no longer match the pixels.
  case contentCredentialsNotCarried
  /// A compressed block of metadata could not be unpacked.
  case compressedMetadataNotCarried(keyword: String)
  /// Text of a PNG that neither XMP nor the format of the render has a place for.
  case textNotCarried(keywords: [String])
  /// The encoder's file has no places for metadata.
  case noneCarried
  /// A TIFF of nearly 4 GB has no room for metadata.
  case tiffFull
  /// The TIFF is of a kind whose metadata cannot be read.
  case tiffUnreadable
  /// The picture is encoded for HDR; the render is standard dynamic range.
  case highDynamicRange(HDRTransfer)

  package var description: String {
    switch self {
    case .exifUnreadable: "The Exif block is damaged and is not carried."
    case .exifTagsDamaged(let tags):
      "Damaged Exif values are not carried: \(Self.list(tags.map(Self.hex)))."
    case .exifTagsNotCarried(let tags):
      "Exif values too large for a JPEG are not carried: \(Self.list(tags.map(Self.hex)))."
    case .makerNoteMoved: "The maker notes moved to another offset, which some readers mind."
    case .xmpUnreadable: "The XMP packet cannot be read and is carried unchanged."
    case .xmpFull: "The XMP packet is full and is carried unchanged."
    case .xmpTooLarge(let bytes):
      "The XMP packet of \(bytes) bytes is too large for a JPEG and is not carried."
    case .noneCarried: "No metadata are carried: the encoder left no place for them."
    case .xmpNotCarried: "XMP that cannot be read is not carried."
    case .xmpSaysOther(let names):
      "The XMP counts where IPTC or texts say something else: \(Self.list(names))."
    case .iptcNotCarried(let sets):
      "IPTC data sets that XMP has no place for are not carried: \(Self.list(sets.map { "2:\($0)" }))."
    case .iptcCut(let names):
      "IPTC has room for a part of the \(Self.list(names)) only; XMP has all of it."
    case .iptcUnreadable(let isCarried):
      "IPTC records cannot be read to their end and are \(isCarried ? "" : "not ")carried\(isCarried ? " unchanged" : "")."
    case .iptcEndNotCarried(let bytes):
      "IPTC records cannot be read to their end: their last \(bytes) bytes are not carried."
    case .commentNotCarried: "The comment is not carried: Exif has another one."
    case .blockTooLarge(let bytes): "Metadata of \(bytes) bytes are too large and are not carried."
    case .profileIncomplete: "The embedded color profile is incomplete and was not used."
    case .gainMapNotCarried(let kind): "The HDR gain map (\(kind.rawValue)) is not carried."
    case .furtherImagesNotCarried(let count):
      count == 1
        ? "1 further image in the MPF is not carried."
        : "\(count) further images in the MPF are not carried."
    case .depthMapNotCarried: "The depth map is not carried."
    case .panoramaNotCarried:
      "What makes the picture a panorama is not carried: its numbers know no turned picture."
    case .motionPhotoNotCarried(let bytes):
      "\(Self.motionPhoto) (\(bytes) bytes) is not carried."
    case .samsungTrailerNotCarried(let bytes):
      "Samsung's data behind the picture (\(bytes) bytes) are not carried."
    case .trailerNotCarried(let bytes): "\(bytes) bytes behind the picture are not carried."
    case .contentCredentialsNotCarried:
      "Content credentials are not carried, since they would no longer match."
    case .compressedMetadataNotCarried(let keyword):
      "The compressed metadata “\(keyword)” could not be unpacked and are not carried."
    case .textNotCarried(let keywords): "PNG text is not carried: \(Self.list(keywords, most: 6))."
    case .tiffFull: "The TIFF has no room for metadata."
    case .tiffUnreadable: "The metadata of this kind of TIFF cannot be read and are not carried."
    case .highDynamicRange(let transfer):
      "The picture is HDR (\(transfer.rawValue)); the render is tone-mapped to standard range."
    }
  }

  /// What the warning about the video of a motion photo begins with.
  package static let motionPhoto = "The motion photo's video"

  private static func hex(_ tag: UInt16) -> String {
    let digits = String(tag, radix: 16, uppercase: true)
    return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  private static func list(_ items: [String], most: Int = 20) -> String {
    let named = items.prefix(most).joined(separator: ", ")
    return items.count > most ? "\(named) and \(items.count - most) more" : named
  }
}
