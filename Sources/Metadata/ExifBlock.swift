import FoundationEssentials
import Glibc
import SafelightFormats

/// An Exif block: a TIFF structure as it stands in a JPEG's APP1, without the `Exif` header.
///
/// The bytes stay as they were read. Reading never leaves their bounds. Changes are made in place,
/// because maker notes have offsets that only their maker understands.
/// Source: CIPA DC-008 (Exif 2.32), TIFF 6.0.
package struct ExifBlock: Sendable {
  /// The block from its byte-order mark on.
  package internal(set) var bytes: [UInt8]
  let structure: TIFFStructure

  var order: ByteOrder { structure.order }
  var main: TIFFDirectory { structure.main }
  var exif: TIFFDirectory? { structure.exif }
  var gps: TIFFDirectory? { structure.gps }

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
    static let makerNote = 0x927C
    static let pixelWidth = 0xA002
    static let pixelHeight = 0xA003
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
    guard let structure = TIFFStructure(bytes) else { return nil }
    self.bytes = bytes
    self.structure = structure
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
    let trimmed = text.withoutOuterSpaces
    return trimmed.isEmpty ? nil : trimmed
  }
}

// MARK: - Values of the block

extension ExifBlock {
  /// How the stored pixels are turned, 1 to 8; anything else in the file counts as 1.
  package var orientation: Int {
    guard let value = integer(main[Tag.orientation]), (1...8).contains(value) else { return 1 }
    return value
  }

  /// Maker of the camera; nil when absent or empty.
  package var make: String? { text(main[0x10F]) }

  /// Model of the camera; nil when absent or empty.
  package var model: String? { text(main[0x110]) }

  /// Width and height in pixels by the block; nil unless both are there.
  package var pixelSize: (width: Int, height: Int)? {
    guard let width = integer(exif?[Tag.pixelWidth]), width > 0,
      let height = integer(exif?[Tag.pixelHeight]), height > 0
    else { return nil }
    return (width, height)
  }

  /// Maker and model of the camera as one name; nil when the block names neither.
  package var camera: String? { Self.camera(make: make, model: model) }

  /// One name for a camera. Most makers repeat their name in the model.
  static func camera(make: String?, model: String?) -> String? {
    guard let make, let model else { return make ?? model }
    return model.hasPrefix(make) ? model : make + " " + model
  }

  /// When the picture was taken, by the camera's clock; nil when absent.
  package var captureTime: ClockTime? {
    text(exif?[0x9003]).flatMap {
      ClockTime(exif: $0, subSeconds: text(exif?[0x9291]), offset: text(exif?[0x9011]))
    }
  }

  /// Model of the lens; nil when absent or empty.
  package var lens: String? { text(exif?[0xA434]).flatMap { $0.contains { $0 != "-" } ? $0 : nil } }

  /// Sensitivity (ISO 12232); nil when absent.
  package var sensitivity: Int? {
    let value = integer(exif?[0x8827])
    // Sensitivities beyond 16 bits stand in tags of their own (Exif 2.3).
    let large = value == nil || value == 65_535
    let known = large ? integer(exif?[0x8832]) ?? integer(exif?[0x8833]) ?? value : value
    return known.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Seconds of exposure; nil when absent.
  package var exposureTime: Double? {
    positive(rational(exif?[0x829A])) ?? positive(rational(exif?[0x9201]).map { exp2(-$0) })
  }

  /// The f-number; nil when absent. A lens without an aperture that the camera knows has 0.
  package var aperture: Double? {
    positive(rational(exif?[0x829D])) ?? positive(rational(exif?[0x9202]).map { exp2($0 / 2) })
  }

  /// Millimeters of focal length; nil when absent or unknown.
  package var focalLength: Double? { positive(rational(exif?[0x920A])) }

  private func positive(_ number: Double?) -> Double? {
    number.flatMap { $0 > 0 && $0 < 1e9 ? $0 : nil }
  }

  /// What Windows writes for a text: UTF-16 with its low byte first. Nil when absent or empty.
  func windowsText(_ tag: Int) -> String? {
    guard let value = main[tag]?.value else { return nil }
    let units = stride(from: value.lowerBound, to: value.upperBound - 1, by: 2).map {
      UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
    }
    let text = String(decoding: units.prefix { $0 != 0 }, as: UTF16.self).withoutOuterSpaces
    return text.isEmpty ? nil : text
  }

  /// Degrees north of the equator, -90 to 90; nil when absent or impossible.
  package var latitude: Double? {
    degrees(2, reference: 1, positive: "N", negative: "S", limit: 90)
  }

  /// Degrees east of Greenwich, -180 to 180; nil when absent or impossible.
  package var longitude: Double? {
    degrees(4, reference: 3, positive: "E", negative: "W", limit: 180)
  }

  /// Meters above sea level, negative below; nil when absent or beyond 100 km.
  package var altitude: Double? {
    guard let meters = rational(gps?[6]), meters <= 100_000 else { return nil }
    return integer(gps?[5]) == 1 ? -meters : meters
  }

  private func degrees(
    _ tag: Int, reference: Int, positive: String, negative: String, limit: Double
  ) -> Double? {
    guard let entry = gps?[tag], entry.count > 0,
      let side = text(gps?[reference])?.prefix(1).uppercased(),
      side == positive || side == negative
    else { return nil }
    var sum = 0.0
    for index in 0..<min(entry.count, 3) {
      guard let part = rational(entry, index), part >= 0 else { return nil }
      sum += part / [1, 60, 3600][index]
    }
    // 0/0 degrees is how cameras without a fix fill the field.
    guard sum <= limit, denominator(entry) != 0 else { return nil }
    return side == negative ? -sum : sum
  }

  private func denominator(_ entry: TIFFEntry) -> Int? {
    entry.value.flatMap { bytes.uint32(at: $0.lowerBound + 4, order) }
  }
}
