import FoundationEssentials
import SafelightFormats
import SafelightMetadata
import SafelightVips

/// What this machine can do with a format of pictures.
public struct FormatAbility: Sendable, Hashable, Codable {
  /// The name for programs, such as `avif`.
  public let name: String
  /// The name for people.
  public let title: String
  /// Whether photos of the format are edited.
  public let reads: Bool
  /// Whether pictures are written in it.
  public let writes: Bool
  /// The Debian package to install for what is missing; `nil` when nothing is.
  public let package: String?
  /// The bits of a channel that pictures can have; empty for a format that is never written.
  public let depths: [Int]
  /// What a picture loses in the format, as parts of a sentence.
  public let losses: [String]

  /// As members of JSON.
  package var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("name", .string(name)), .init("title", .string(title)), .init("reads", .bool(reads)),
      .init("writes", .bool(writes)),
    ]
    if let package { members.append(.init("package", .string(package))) }
    members.append(.init("depths", .array(depths.map { JSONValue.number(Double($0)) })))
    members.append(.init("losses", .array(losses.map { JSONValue.string($0) })))
    return .object(members)
  }
}

extension OutputFile {
  /// What a picture loses in the format.
  var losses: [String] {
    let fewBits = depths == [8] ? "16 bits become 8" : nil
    let alpha = holdsAlpha ? nil : "transparency becomes white"
    let pixels =
      isLosslessAt100
      ? "details at qualities below 100" : hasQuality ? "details, less at higher qualities" : nil
    let iptc =
      [.jpeg, .tiff].contains(photo) ? nil : "IPTC records, which become XMP"
    return [fewBits, alpha, pixels, iptc].compactMap(\.self)
  }
}

/// The formats that this machine was seen to read and write. All else of a ``FormatAbility`` is in tables, so a process
/// without rights has no words to say.
package struct MeasuredFormats: Sendable, Hashable, Codable {
  /// Those that photos were read in.
  package var read: Set<PhotoFormat> = []
  /// Those that pictures were written in.
  package var written: Set<RenderOutput.Format> = []
}

extension FormatAbility {
  /// What this machine can do with each format.
  package static func all(_ measured: MeasuredFormats) -> [FormatAbility] {
    let written = RenderOutput.Format.allCases.map { format in
      let writes = measured.written.contains(format)
      let photo = PhotoFormat(rawValue: format.rawValue)
      return FormatAbility(
        name: format.rawValue, title: format.file.title,
        reads: photo.map(measured.read.contains) ?? false, writes: writes,
        package: writes ? nil : format.file.package, depths: format.file.depths,
        losses: format.file.losses)
    }
    let heic = PhotoFormat.heic
    let reads = measured.read.contains(heic)
    let read = FormatAbility(
      name: heic.rawValue, title: heic.title, reads: reads, writes: false,
      package: reads ? nil : heic.decoder.package, depths: [], losses: [])
    return written + [read]
  }
}

extension Renderer {
  /// Which formats can be written and read, found out by writing a small picture in each and reading that again. HEIC is
  /// only read: its sample is here.
  package func measuredFormats() -> MeasuredFormats {
    var measured = MeasuredFormats()
    for format in RenderOutput.Format.allCases {
      guard let bytes = try? Self.sample(in: format) else { continue }
      measured.written.insert(format)
      // JPEG XL is not a format of photos.
      guard let photo = PhotoFormat(rawValue: format.rawValue), Self.canRead(bytes) else {
        continue
      }
      measured.read.insert(photo)
    }
    if Self.canRead([UInt8](Data(base64Encoded: Self.heic) ?? Data())) {
      measured.read.insert(.heic)
    }
    return measured
  }

  /// A gray picture of 16 × 16 pixels.
  private static func sample(in format: RenderOutput.Format) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let image = try Image.fromMemory(
      [UInt8](repeating: 128, count: 16 * 16 * 3), width: 16, height: 16, bands: 3, format: .uint8)
    let encoder = RenderEncoder(
      output: RenderOutput(format: format), metadata: CarriedMetadata(), orientation: 1,
      profile: nil, original: OriginalReference(fileName: "sample", sha256: ""), isResized: false,
      coding: nil, cancellation: nil)
    _ = try encoder.encode(RenderedPicture(image)) { bytes += $0 }
    return bytes
  }

  private static func canRead(_ bytes: [UInt8]) -> Bool {
    let operations: [Image.FileFormat] = [.jpeg, .png, .tiff, .webp, .heif]
    return operations.contains { format in
      (try? Image.open(Source(bytes), as: format).average()) != nil
    }
  }

  /// A gray HEIC of 16 × 16 pixels, by libheif's encoder.
  private static let heic = """
    AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA\
    AA5waXRtAAAAAAACAAAAEGlkYXQAAAAAABAAEAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEAAAAAAAAAHAACAAEAAAAAAAAA\
    AQAAAAAAAAAIAAAAOGlpbmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAA\
    ALZpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQED\
    cAAAAwCQAAADAAADAB6gIIEFluqumubgQEDAgAAAAwCAAAADAIQiAAEABkQBwXPBiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlz\
    cGUAAAAAAAAAEAAAABAAAAAQcGl4aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGlt\
    ZwACAAEAAQAAACRtZGF0AAAAGCgBrwQSONz4laCSMKznLzyhXt7gkfCKgA==
    """
}
