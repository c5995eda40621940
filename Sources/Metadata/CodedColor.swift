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

/// The color coding that a HEIF, AVIF or PNG file declares by numbers.
///
/// Source: ISO/IEC 14496-12 (`colr`, `clli`, `mdcv`), PNG specification, third edition (`cICP`,
/// `cLLI`, `mDCV`), ITU-T H.273 (codes).
package struct CodedColor: Sendable, Equatable {
  /// Color primaries: 1 BT.709, 9 BT.2020, 12 Display P3.
  package let primaries: Int
  /// Transfer characteristics: 13 sRGB, 16 PQ, 18 HLG.
  package let transfer: Int
  /// The brightest light in nits: the picture's, or else that of the display it was made on; nil
  /// when the file states neither.
  package internal(set) var peak: Double?

  /// The HDR transfer that the codes name; nil for standard dynamic range.
  package var hdrTransfer: HDRTransfer? { HDRTransfer(code: transfer) }

  /// Finds the coded color of the primary picture of a HEIF or AVIF; nil when it has none.
  init?(_ media: ISOMediaFile) {
    // A file without a table of properties mostly has one picture.
    let isSaid = media.primaryItem.map(media.hasProperties) ?? false
    let properties =
      isSaid ? media.properties(of: media.primaryItem ?? 0) : media.properties
    guard let color = properties.lazy.compactMap({ Self.read($0, in: media) }).first else {
      return nil
    }
    self = color
    func number(in type: StaticString, at offset: Int, isWide: Bool) -> Int? {
      let box = properties.first { $0.type == ISOMediaBox.type(type) }?.content
      guard let box, offset + (isWide ? 4 : 2) <= box.count else { return nil }
      let place = box.lowerBound + offset
      return isWide ? media.bytes.uint32(at: place) : media.bytes.uint16(at: place)
    }
    peak = Self.peak(
      content: number(in: "clli", at: 0, isWide: false).map { Double($0) },
      display: number(in: "mdcv", at: 16, isWide: true).map { Double($0) * 0.0001 })
  }

  init(primaries: Int, transfer: Int) {
    self.primaries = primaries
    self.transfer = transfer
  }

  /// The brightest light by what a file states; 0 means that it does not know.
  static func peak(content: Double?, display: Double?) -> Double? {
    [content, display].lazy.compactMap { $0 }.first { $0 > 0 }
  }

  /// Reads a `colr` box of codes; nil for a box of any other kind.
  static func read(_ box: ISOMediaBox, in media: ISOMediaFile) -> CodedColor? {
    let start = box.content.lowerBound
    guard box.type == ISOMediaBox.type("colr"), box.content.count >= 10,
      media.bytes.has("nclx", at: start),
      let primaries = media.bytes.uint16(at: start + 4),
      let transfer = media.bytes.uint16(at: start + 6)
    else { return nil }
    return CodedColor(primaries: primaries, transfer: transfer)
  }
}

extension ISOMediaFile {
  /// Whether an auxiliary picture of a kind is among the items.
  func hasAuxiliary(_ kind: StaticString) -> Bool {
    properties.contains { property in
      property.type == ISOMediaBox.type("auxC")
        && bytes.offset(of: kind, in: property.content) != nil
    }
  }
}
