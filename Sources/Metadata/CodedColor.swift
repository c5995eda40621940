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

/// The colors that a file declares by numbers, without a profile.
///
/// Source: ISO/IEC 14496-12 (`colr`, `clli`, `mdcv`), PNG specification, third edition (`cICP`, `sRGB`, `gAMA`, `cHRM`,
/// `cLLI`, `mDCV`), ITU-T H.273 (codes), CIPA DC-009 (Exif's mark of Adobe RGB).
package struct CodedColor: Sendable, Equatable {
  /// What is not specified, of primaries and of transfer characteristics.
  package static let unspecified = 2

  /// Color primaries: 1 BT.709, 2 not specified, 9 BT.2020, 12 Display P3.
  package let primaries: Int
  /// Transfer characteristics: 2 not specified, 13 sRGB, 16 PQ, 18 HLG.
  package let transfer: Int
  /// x and y of white, red, green and blue, in place of ``primaries``; nil when the file does not state them.
  package var chromaticities: [Double]?
  /// The power of a code that is its light, in place of ``transfer``; nil when the file does not state it.
  package var exponent: Double?
  /// Whether 0 and 1 are codes of video, with room below and above. Decoders of HEIF and AVIF have removed the room.
  package var isVideoRange = false
  /// Whether the numbers count before a profile.
  package var comesBeforeProfile = false
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

  package init(primaries: Int, transfer: Int) {
    self.primaries = primaries
    self.transfer = transfer
  }

  /// x and y of white, red, green and blue of sRGB (IEC 61966-2-1).
  static let chromaticitiesOfSRGB = [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06]

  /// sRGB.
  static let sRGB = CodedColor(primaries: 1, transfer: 13)

  /// Adobe RGB. Source: Adobe RGB (1998) color image encoding, 2005-05.
  package static let adobeRGB = {
    var color = CodedColor(primaries: unspecified, transfer: unspecified)
    color.chromaticities = [0.3127, 0.3290, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06]
    color.exponent = 563.0 / 256
    return color
  }()

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

extension CodedColor {
  /// The numbers that an ICC profile states where they are those of a high dynamic range; nil for other profiles.
  ///
  /// Source: ICC.1:2022, 9.2.17 and 10.3 (`cicp`).
  init?(profile: Data) {
    let bytes = [UInt8](profile.prefix(1 << 20))
    let count = min(bytes.uint32(at: 128) ?? 0, 100)
    let entry = (0..<count).lazy.map { 132 + 12 * $0 }.first { bytes.has("cicp", at: $0) }
    guard let entry, let start = bytes.uint32(at: entry + 4), bytes.has("cicp", at: start),
      let primaries = bytes.byte(at: start + 8), let transfer = bytes.byte(at: start + 9),
      HDRTransfer(code: Int(transfer)) != nil
    else { return nil }
    self.init(primaries: Int(primaries), transfer: Int(transfer))
    comesBeforeProfile = true
  }
}

extension ISOMediaFile {
  /// The color profile of the primary picture. Source: ISO/IEC 14496-12, 12.1.5.
  var colorProfile: Data? {
    guard let primaryItem else { return nil }
    return properties(of: primaryItem).lazy.compactMap { property in
      let content = property.content
      guard property.type == ISOMediaBox.type("colr"), content.count > 4,
        bytes.has("prof", at: content.lowerBound) || bytes.has("rICC", at: content.lowerBound)
      else { return nil }
      return Data(bytes[content.dropFirst(4)])
    }.first
  }

  /// Whether an auxiliary picture of a kind is among the items.
  func hasAuxiliary(_ kind: StaticString) -> Bool {
    properties.contains { property in
      property.type == ISOMediaBox.type("auxC")
        && bytes.offset(of: kind, in: property.content) != nil
    }
  }
}
