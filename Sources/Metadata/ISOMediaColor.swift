import FoundationEssentials
import SafelightFormats

/// A transfer function that encodes more than standard dynamic range.
///
/// Source: ITU-T H.273, table 3.
package enum HDRTransfer: String, Sendable, Hashable {
  /// Perceptual quantizer, code 16 (SMPTE ST 2084).
  case pq = "PQ"
  /// Hybrid log-gamma, code 18 (ARIB STD-B67).
  case hlg = "HLG"

  /// The transfer function of a code; nil for those of standard dynamic range.
  init?(code: Int) {
    switch code {
    case 16: self = .pq
    case 18: self = .hlg
    default: return nil
    }
  }
}

/// The color coding that a HEIF or AVIF file declares.
///
/// Source: ISO/IEC 14496-12 (`colr`), ITU-T H.273 (codes).
package struct ISOMediaColor: Sendable, Equatable {
  /// Color primaries: 1 BT.709, 9 BT.2020, 12 Display P3.
  package let primaries: Int
  /// Transfer characteristics: 13 sRGB, 16 PQ, 18 HLG.
  package let transfer: Int

  /// The HDR transfer that the codes name; nil for standard dynamic range.
  package var hdrTransfer: HDRTransfer? { HDRTransfer(code: transfer) }

  /// Finds the coded color of the primary picture; nil when it has none.
  ///
  /// - Parameter file: The file, memory mapped if it is large.
  package init?(_ file: Data) {
    guard let media = ISOMediaFile(file) else { return nil }
    // A file without a table of properties mostly has one picture.
    let isSaid = media.primaryItem.map(media.hasProperties) ?? false
    let properties =
      isSaid ? media.properties(of: media.primaryItem ?? 0) : media.properties
    guard let color = properties.lazy.compactMap({ Self.read($0, in: media) }).first else {
      return nil
    }
    self = color
  }

  private init(primaries: Int, transfer: Int) {
    self.primaries = primaries
    self.transfer = transfer
  }

  /// Reads a `colr` box of codes; nil for a box of any other kind.
  static func read(_ box: ISOMediaBox, in media: ISOMediaFile) -> ISOMediaColor? {
    let start = box.content.lowerBound
    guard box.type == ISOMediaBox.type("colr"), box.content.count >= 10,
      media.bytes.has("nclx", at: start),
      let primaries = media.bytes.uint16(at: start + 4),
      let transfer = media.bytes.uint16(at: start + 6)
    else { return nil }
    return ISOMediaColor(primaries: primaries, transfer: transfer)
  }
}

extension ISOMediaFile {
  /// Reads the boxes of a file in memory; nil when it has no `meta` box.
  init?(_ file: Data) {
    self.init { offset, count in
      guard offset >= 0, count >= 0, offset <= file.count - count else { return nil }
      return [UInt8](file.dropFirst(offset).prefix(count))
    }
  }

  /// Whether an auxiliary picture of a kind is among the items.
  func hasAuxiliary(_ kind: StaticString) -> Bool {
    properties.contains { property in
      property.type == ISOMediaBox.type("auxC")
        && bytes.offset(of: kind, in: property.content) != nil
    }
  }
}
