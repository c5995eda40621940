import Foundation
import FoundationXML
import SafelightFiles
import SafelightFormats
import SafelightTestSupport
import Testing

@testable import SafelightMetadata

/// Compares what exiftool reads from originals and from renders that carry their metadata.
@Suite(.enabled(if: ExifTool.isThere, "exiftool or the shared photos are absent"))
struct CarriedMetadataOracleTests {
  static let jpegs = SharedData.sample(
    in: ["photos", "metadata", "hdr", "formats", "orientation"], extensions: ["jpg", "mpo"])
  static let pictures = SharedData.sample(
    in: ["photos", "formats"], extensions: ["png", "webp", "tif", "tiff"])
  static let coded = SharedData.sample(
    in: ["formats", "hdr"], extensions: ["heic", "hif", "avif"])

  @Test(arguments: jpegs)
  func aRenderKeepsEveryTagOfItsJPEG(file: String) throws {
    let pair = try #require(Self.comparisons[file])
    #expect(pair.differences == [])
    #expect(pair.after["IFD0:Orientation", default: ["1"]] == ["1"])
    #expect(pair.after["XMP-xmpMM:DerivedFromManager"] == ["Safelight"])
    #expect(pair.after.keys.filter { $0.hasPrefix("IFD1:") } == [])
    #expect(!pair.holdsThumbnail)
    #expect(pair.hasReadableXMP)
  }

  @Test(arguments: jpegs)
  func exiftoolReadsTheSamePlaceAndTime(file: String) throws {
    let pair = try #require(Self.comparisons[file])
    let exif = CarriedMetadata(original: try SharedData.data(file)).exif
    func number(_ key: String) -> Double? { pair.before[key]?.first.flatMap(Double.init) }
    let orientation = number("IFD0:Orientation").map(Int.init) ?? 1
    #expect((exif?.orientation ?? 1) == ((1...8).contains(orientation) ? orientation : 1))
    let taken = pair.before["ExifIFD:DateTimeOriginal"]?.first.flatMap { ClockTime(exif: $0) }
    #expect(
      exif?.captureTime?.reading.timeIntervalSince1970.rounded(.down)
        == taken?.reading.timeIntervalSince1970)
    #expect(exif?.model == pair.before["IFD0:Model"]?.first)
    for (ours, key) in [(exif?.latitude, "Latitude"), (exif?.longitude, "Longitude")] {
      // exiftool keeps the sign in a tag of its own.
      let reference = pair.before["GPS:GPS\(key)Ref"]?.first ?? ""
      let sign = reference == "S" || reference == "W" ? -1.0 : 1.0
      let theirs = reference.isEmpty ? nil : number("GPS:GPS\(key)").map { $0 * sign }
      #expect((ours == nil) == (theirs == nil))
      #expect(abs((ours ?? 0) - (theirs ?? 0)) < 1e-9)
    }
  }

  @Test(arguments: jpegs + pictures + coded)
  func exiftoolReadsTheSameNameOfTheProfile(file: String) throws {
    let pair = try #require(Self.comparisons[file])
    // exiftool has a tag for each language.
    let names = pair.before.filter { $0.key.hasPrefix("ICC_Profile:ProfileDescription") }
      .flatMap(\.value)
    guard !names.isEmpty else { return }
    let metadata = CarriedMetadata(original: try SharedData.data(file))
    guard metadata.codedColor?.comesBeforeProfile != true else { return }
    let name = try #require(metadata.colorName)
    #expect(names.contains { $0.trimmingCharacters(in: .whitespaces) == name })
  }

  @Test(arguments: pictures)
  func aRenderKeepsTheDescriptionOfOtherFormats(file: String) throws {
    let pair = try #require(Self.comparisons[file])
    #expect(pair.differences == [])
    let name = (file as NSString).lastPathComponent
    #expect(pair.after["XMP-xmpMM:DerivedFromFilePath"] == [name])
  }

  @Test(arguments: coded)
  func aRenderKeepsTheExifAndXMPOfCodedImages(file: String) throws {
    let pair = try #require(Self.comparisons[file])
    #expect(pair.differences == [])
  }

  @Test func exiftoolFindsNoNewFaultInAnyRender() throws {
    for (file, pair) in Self.comparisons {
      let known = (pair.before["ExifTool:Warning"] ?? []) + (pair.before["ExifTool:Error"] ?? [])
      let faults = (pair.after["ExifTool:Warning"] ?? []) + (pair.after["ExifTool:Error"] ?? [])
      // exiftool has rules for the Exif of JPEG files alone, but the carried block is of another
      // format. It also misses an absent wrapper after a wrong header.
      let new = faults.filter { fault in
        !known.contains(fault) && !fault.contains("Missing required JPEG")
          && !fault.contains("not allowed in JPEG") && !fault.contains("requires ExifVersion")
          && !fault.contains("missing xpacket wrapper")
      }
      #expect(new == [], "\(file)")
    }
  }

  struct Comparison: Sendable {
    var before: [String: [String]]
    var after: [String: [String]]
    var differences: [String]
    /// Whether bytes of the original's thumbnail are still in the file.
    var holdsThumbnail: Bool
    /// Whether another parser accepts the render's packet.
    var hasReadableXMP: Bool
  }

  /// All files at once, because a start of exiftool takes longer than reading a picture.
  static let comparisons: [String: Comparison] = {
    (try? compare(jpegs + pictures + coded)) ?? [:]
  }()

  private static func compare(_ files: [String]) throws -> [String: Comparison] {
    let folder = TemporaryFolder()
    let bare = try bareJPEG(of: SharedData.data("metadata/FujiTagsDRangeStrongRating3.jpg")).bytes
    var renders: [URL] = []
    for (index, file) in files.enumerated() {
      let render = try render(file, bare: bare)
      renders.append(folder[FilePath("\(index).jpg")].fileURL)
      try render.write(to: renders[index])
    }
    let before = try ExifTool.tags(files.map { try SharedData.url($0) })
    let after = try ExifTool.tags(renders)
    var result: [String: Comparison] = [:]
    for (index, file) in files.enumerated() {
      let render = try Data(contentsOf: renders[index])
      let packet = CarriedMetadata(original: render).xmpPackets.first ?? []
      result[file] = Comparison(
        before: before[index], after: after[index],
        differences: differences(before[index], after[index], isJPEG: jpegs.contains(file)),
        holdsThumbnail: holds(thumbnailOf: before[index], render),
        hasReadableXMP: !packet.contains(0) && XMLParser(data: Data(packet)).parse())
    }
    return result
  }

  private static func holds(thumbnailOf tags: [String: [String]], _ render: Data) -> Bool {
    guard let text = tags["IFD1:ThumbnailImage"]?.first, text.hasPrefix("base64:"),
      let thumbnail = Data(base64Encoded: String(text.dropFirst(7))), thumbnail.count > 2000
    else { return false }
    // The middle is picture data; the tables in the header may be those of any JPEG.
    return render.range(of: thumbnail.dropFirst(thumbnail.count / 2).prefix(32)) != nil
  }

  private static func render(_ file: String, bare: [UInt8]) throws -> Data {
    let original = try SharedData.data(file)
    let metadata = CarriedMetadata(original: original)
    var pixels = bare
    var size = (width: 2, height: 2)
    if jpegs.contains(file) { (pixels, size) = try bareJPEG(of: original) }
    let header = metadata.header(
      size: size, baked: 1, profile: metadata.profile,
      derivedFrom: OriginalReference(
        fileName: (file as NSString).lastPathComponent,
        sha256: String(repeating: "ab", count: 32)))
    return try spliced(pixels, header: header, chunk: 4096)
  }

  /// Tags that differ before and after, without those that must differ.
  private static func differences(
    _ before: [String: [String]], _ after: [String: [String]], isJPEG: Bool
  ) -> [String] {
    Set(before.keys).union(after.keys).filter { key in
      before[key] != after[key]
        && !isAllowed(key, before: before[key], after: after[key], isJPEG: isJPEG)
    }.map { key in
      let (old, new) = (before[key] ?? [], after[key] ?? [])
      return "\(key): \(old.map { $0.prefix(40) }) -> \(new.map { $0.prefix(40) })"
    }.sorted()
  }

  private static func isAllowed(
    _ key: String, before: [String]?, after: [String]?, isJPEG: Bool
  ) -> Bool {
    let group = String(key.prefix { $0 != ":" })
    let tag = String(key.drop { $0 != ":" }.dropFirst())
    if sizes.contains(tag) { return true }
    // A file offset of something inside the block.
    if tag == "PreviewImageStart" { return true }
    // A preview in a maker's note is blank.
    if tag == "PreviewImage", let after {
      return after.allSatisfy { $0.trimmingPrefix("base64:").allSatisfy { "A=".contains($0) } }
    }
    switch group {
    case "SourceFile", "System", "ExifTool", "Composite", "Adobe": return true
    // The comment of a PNG stands in a segment of a JPEG.
    case "File": return tag != "Comment" || !isJPEG && before == nil
    // The thumbnail, gain maps, further images.
    case "IFD1", "XMP-hdrgm", "XMP-Container", "XMP-HDRGainMap", "MPF0", "MPF1", "MPImage1",
      "MPImage2", "MPImage3":
      return after == nil
    case "XMP-xmpMM": return tag.hasPrefix("DerivedFrom")
    case "Photoshop": return tag == "PhotoshopThumbnail" && after == nil
    // A preview of the photo as it was taken.
    case "FlashPix": return after == nil
    case "IFD0" where tag == "Orientation", "XMP-tiff" where tag == "Orientation":
      return after == ["1"]
    case "IFD0": return !isJPEG && storage.contains(tag)
    // A picture without Exif gets a JFIF segment, as the decoder needs to know its colors.
    case "JFIF": return before == nil
    // XMP of a HEIF's auxiliary images, and the note of a packet beyond one segment.
    case "XMP-apdi", "XMP-depthData", "XMP-depthBlurEffect", "XMP-portraitEffectsMatte",
      "XMP-portraitLightingEffect",
      "XMP-xmpNote":
      return !isJPEG
    case "PNG", "PNG-pHYs", "RIFF", "QuickTime", "Meta": return !isJPEG
    // Profiles of other formats come from the decoder.
    default: return !isJPEG && group.hasPrefix("ICC")
    }
  }

  private static let sizes: Set = [
    "ExifImageWidth", "ExifImageHeight", "ImageWidth", "ImageHeight", "PixelXDimension",
    "PixelYDimension",
  ]
  private static let storage: Set = [
    "SubfileType", "BitsPerSample", "Compression", "PhotometricInterpretation", "StripOffsets",
    "SamplesPerPixel", "RowsPerStrip", "StripByteCounts", "PlanarConfiguration", "Predictor",
    "SampleFormat",
  ]
}
