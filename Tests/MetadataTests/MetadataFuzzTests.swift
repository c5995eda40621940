import Foundation
import SafelightFormats
import SafelightTestSupport
import Testing

@testable import SafelightMetadata

/// Damaged files give metadata or none, and never a crash.
@Suite struct MetadataFuzzTests {
  enum Kind: String, CaseIterable {
    case jpeg
    case png
    case webP
    case tiff
    case blobs
  }

  static func seed(_ kind: Kind) -> [UInt8] {
    let exif = ExifFixture.camera(little: true).bytes
    let xmp = XMPPacketTests.description("tiff:Orientation='6'", "<hdrgm:A>1</hdrgm:A>")
    switch kind {
    case .jpeg:
      var index = ExifFixture(little: false, size: 80)
      index.directory(
        at: 8, [.init(0xB001, 4, 1, index.long(2)), .init(0xB002, 7, 32, [], at: 40)])
      return [UInt8](
        JPEGStructureTests.jpeg(
          [
            (0xE1, CarriedMetadata.exifHeader + exif), (0xE1, CarriedMetadata.xmpHeader + xmp),
            (0xE2, Array("MPF\0".utf8) + index.bytes), (0xE2, ICCSegments.header + [1, 1, 5]),
            (
              0xED,
              PhotoshopResources.header + PhotoshopResources(iptc: [0x1C, 2, 5, 0, 1, 65]).bytes
            ),
          ], trailer: JPEGStructureTests.samsung([1, 2, 3])))
    case .png:
      let packed = Data(base64Encoded: "eNrLSM3JyVcoSi1ITSwBAB5pBLY=").map { [UInt8]($0) } ?? []
      return [UInt8](
        OtherFormatsTests.png([
          ("eXIf", exif), ("zTXt", Array("Raw profile type exif\0\0".utf8) + packed),
          ("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmp),
          (
            "tEXt",
            Array("Raw profile type iptc\0".utf8) + OtherFormatsTests.rawProfile("iptc", [0x1C])
          ),
        ]))
    case .webP:
      var bytes = Array("RIFF\0\0\0\0WEBPEXIF".utf8)
      bytes.append(uint32: exif.count, .little)
      bytes += exif + Array("XMP ".utf8)
      bytes.append(uint32: xmp.count, .little)
      return bytes + xmp
    case .tiff: return OtherFormatsTests.tiff(little: false, makerNote: 900, size: 4000).bytes
    case .blobs: return exif
    }
  }

  static func damage(_ bytes: [UInt8], with random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      guard !bytes.isEmpty else { break }
      let offset = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[offset] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
      case 2:
        bytes.set(
          uint32: [0, 0xFFFF_FFFF, 0x7FFF_FFFF, 8, bytes.count]
            .randomElement(using: &random) ?? 0, at: offset, .big)
      case 3:
        bytes.set(uint32: Int.random(in: 0..<bytes.count, using: &random), at: offset, .little)
      case 4: bytes.removeSubrange(offset..<min(offset + 9, bytes.count))
      default: if Bool.random(using: &random) { bytes.removeSubrange(offset...) }
      }
    }
    return bytes
  }

  @Test(.timeLimit(.minutes(15)), arguments: Kind.allCases, 1...4 as ClosedRange<UInt64>)
  func damagedMetadataNeverTrap(kind: Kind, start: UInt64) throws {
    var random = SeededGenerator(seed: start)
    let seed = Self.seed(kind)
    let original = OriginalReference(fileName: "a", sha256: "0")
    for _ in 0..<300 {
      let bytes = Data(Self.damage(seed, with: &random))
      let metadata =
        kind == .blobs
        ? CarriedMetadata(exif: bytes, xmp: bytes, file: bytes) : CarriedMetadata(original: bytes)
      let header = metadata.header(
        size: (60_000, 9), baked: 6, profile: bytes, resolution: 96, derivedFrom: original)
      // For any input, a decoder can walk the header.
      let walked = (header.bytes + Data(JPEGStructureTests.pixels)).withUnsafeBytes { bytes in
        JPEGSegments(bytes).map { ($0.segments.last?.marker, $0.scanOffset) }
      }
      #expect(walked?.0 == 0xC0)
      #expect(walked?.1 == header.bytes.count + 13)
      _ = metadata.exif.map {
        ($0.latitude, $0.altitude, $0.captureTime?.date, $0.pixelSize?.width)
      }
      _ = metadata.xmp?.derivedFrom
    }
  }

  @Test(
    .enabled(if: SharedData.isThere, SharedData.absence),
    arguments: SharedData.files(in: ["hostile"], extensions: []))
  func hostileFilesNeverTrap(file: String) throws {
    let data = try SharedData.data(file)
    let header = CarriedMetadata(original: data).header(
      size: (9, 9), baked: 3, profile: nil,
      derivedFrom: OriginalReference(fileName: file, sha256: "0"))
    #expect(header.bytes.starts(with: [0xFF, 0xD8, 0xFF]))
    #expect(CarriedMetadata(exif: data, xmp: data, file: data).jfif == nil)
  }
}
