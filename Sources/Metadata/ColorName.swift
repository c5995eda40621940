import FoundationEssentials
import SafelightFormats

extension CarriedMetadata {
  /// What the colors of the photo's codes are called: the name that the profile gives itself, or the standard whose
  /// numbers the file declares. `nil` for a file that says nothing, whose codes count as sRGB.
  package var colorName: String? {
    if let codedColor, codedColor.comesBeforeProfile { return codedColor.name }
    return profile.map { ProfileName(Array($0))?.text ?? "a profile without a name" }
      ?? codedColor?.name
  }
}

extension CodedColor {
  /// Primaries that have a name. Source: ITU-T H.273, table 2.
  private static let names = [
    1: "Rec. 709", 4: "System M", 5: "PAL", 6: "NTSC", 7: "SMPTE 240M", 8: "film", 9: "Rec. 2020",
    10: "CIE XYZ", 11: "DCI-P3", 12: "Display P3", 22: "EBU Tech 3213",
  ]
  /// Curves that have a name. Source: ITU-T H.273, table 3.
  private static let curves = [
    4: "gamma 2.2", 5: "gamma 2.8", 7: "curve of SMPTE 240M", 8: "linear", 9: "logarithmic",
    10: "logarithmic", 16: "PQ", 17: "curve of SMPTE 428", 18: "HLG",
  ]

  /// What the colors are called; `nil` for numbers that have no name.
  fileprivate var name: String? {
    if self == .adobeRGB { return "Adobe RGB (1998)" }
    let own = chromaticities == nil ? Self.names[primaries] : "primaries of its own"
    let hundredths = exponent.map { Int(($0 * 100).rounded()) }
    let curve =
      hundredths.map { "gamma \($0 / 100).\($0 % 100 < 10 ? "0" : "")\($0 % 100)" }
      ?? (own == nil || transfer == 13 || transfer == Self.unspecified
        ? nil : Self.curves[transfer] ?? "curve of Rec. 709")
    if own == "Rec. 709", curve == nil { return "sRGB" }
    let parts = [own, curve].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

/// The name that an ICC profile gives itself. Source: ICC.1:2022, 7.3, 9.2.41 and 10.15; ICC.1:2001-04, 6.5.17.
struct ProfileName {
  /// In English where there are several; at most 100 letters, without control characters.
  let text: String

  /// Reads a profile; `nil` when it has no name.
  init?(_ profile: [UInt8]) {
    guard let count = profile.uint32(at: 128), count <= 1000,
      let entry = (0..<count).lazy.map({ 132 + 12 * $0 }).first(where: {
        profile.has("desc", at: $0)
      }),
      let start = profile.uint32(at: entry + 4), let size = profile.uint32(at: entry + 8),
      start + size <= profile.count,
      let name = profile.has("mluc", at: start)
        ? Self.translated(profile, start) : Self.plain(profile, start)
    else { return nil }
    let letters = name.unicodeScalars.filter { $0.properties.generalCategory != .control }
    text = String(String(String.UnicodeScalarView(letters)).prefix(100)).withoutOuterSpaces
    if text.isEmpty { return nil }
  }

  /// A text in ASCII, which ends with a zero.
  private static func plain(_ profile: [UInt8], _ start: Int) -> String? {
    guard profile.has("desc", at: start), let count = profile.uint32(at: start + 8),
      let bytes = profile.bytes(at: start + 12, count: count)
    else { return nil }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// A text in several languages, each in UTF-16.
  private static func translated(_ profile: [UInt8], _ start: Int) -> String? {
    guard let count = profile.uint32(at: start + 8), let size = profile.uint32(at: start + 12),
      (1...1000).contains(count), (12...1000).contains(size)
    else { return nil }
    let records = (0..<count).map { start + 16 + size * $0 }
    let record = records.first { profile.has("en", at: $0) } ?? records[0]
    guard let length = profile.uint32(at: record + 4), let place = profile.uint32(at: record + 8),
      let bytes = profile.bytes(at: start + place, count: length)
    else { return nil }
    let units = stride(from: 0, to: length - 1, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }
}
