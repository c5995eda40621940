import Foundation
import Glibc
import SafelightFormats
import SafelightTestSupport
import Testing

@testable import SafelightFiles
@testable import SafelightMetadata

/// What counts as the picture in each format, and what does not.
@Suite struct PictureDigestTests {
  private let folder = TemporaryFolder()

  private func bytes(_ fixture: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: Fixture.url(fixture)))
  }

  private func digest(_ bytes: [UInt8]) throws -> Digest? {
    folder.put(bytes, at: "photo")
    let file = try FileSystem.real.openReadOnly(folder["photo"])
    return try PictureDigest.digest(of: file, size: Int64(bytes.count), .real)
  }

  private static let formats = [
    "beach.jpg", "progressive.jpg", "cmyk.jpg", "exif-gps-makernote.jpg", "sixteen-bit.png",
    "alpha.png", "rgb.tif", "sixteen-bit.tif", "lossy.webp", "lossless-alpha.webp", "photo.heic",
    "photo.avif",
  ]

  @Test(arguments: formats)
  func everyFormatHasOne(name: String) throws {
    let bytes = try bytes(name)
    let digest = try #require(try digest(bytes))
    try #expect(self.digest(bytes) == digest)
  }

  @Test(arguments: formats)
  func otherPixelsAreAnotherPicture(name: String) throws {
    var bytes = try bytes(name)
    let before = try digest(bytes)
    // The middle of each of these files is coded pixels.
    bytes[bytes.count / 2] ^= 0x10
    try #expect(digest(bytes) != before)
  }

  @Test(arguments: formats)
  func whateverIsCutOffThereIsAnAnswer(name: String) throws {
    let bytes = try bytes(name)
    for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 97)) {
      _ = try digest(Array(bytes.prefix(count)))
    }
  }

  // MARK: - JPEG

  private func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let length = payload.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + payload
  }

  private func inserting(_ segment: [UInt8], into jpeg: [UInt8]) -> [UInt8] {
    Array(jpeg[..<2]) + segment + jpeg[2...]
  }

  /// An Exif block that says nothing but the orientation.
  private func exif(_ orientation: UInt8) -> [UInt8] {
    Array("Exif\0\0II*\0".utf8) + [
      8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0,
    ]
      + [0, 0, 0, 0]
  }

  @Test func aJPEGsMetadataAndTrailerAreNotPicture() throws {
    let jpeg = try bytes("progressive.jpg")
    let before = try digest(jpeg)
    for other in [
      segment(0xFE, Array("a comment".utf8)), segment(0xE1, exif(1)),
      segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>".utf8)),
      segment(0xED, Array("Photoshop 3.0\0".utf8)),
    ] {
      try #expect(digest(inserting(other, into: jpeg)) == before)
    }
    try #expect(digest(jpeg + Array("a film".utf8)) == before)
  }

  @Test func orientationProfileAndTransformArePicture() throws {
    let jpeg = try bytes("progressive.jpg")
    let before = try digest(jpeg)
    for other in [
      segment(0xE1, exif(6)), segment(0xE2, Array("ICC_PROFILE\0\u{01}\u{01}xyz".utf8)),
      segment(0xEE, Array("Adobe\0d\0\0\0\0".utf8) + [0, 0]),
    ] {
      try #expect(digest(inserting(other, into: jpeg)) != before)
    }
  }

  @Test func whatDecidesTheColorsIsPicture() throws {
    // libjpeg takes JFIF first, then Adobe's marker, then guesses.
    let jpeg = try bytes("beach.jpg")
    let before = try digest(jpeg)
    let jfif = segment(0xE0, Array("JFIF\0\u{01}\u{01}\0\0\u{01}\0\u{01}\0\0".utf8))
    let rgb = segment(0xEE, Array("Adobe\0d\0\0\0\0".utf8) + [0])
    let ycc = segment(0xEE, Array("Adobe\0d\0\0\0\0".utf8) + [1])
    try #expect(digest(inserting(jfif, into: jpeg)) == before)
    try #expect(digest(inserting(jfif + rgb, into: jpeg)) == before)
    let bare = try without(0xE0, jpeg)
    try #expect(digest(inserting(ycc, into: bare)) == before)
    try #expect(digest(inserting(rgb, into: bare)) != before)
  }

  /// The JPEG without its segments of a marker.
  private func without(_ marker: UInt8, _ jpeg: [UInt8]) throws -> [UInt8] {
    var kept = Array(jpeg[..<2])
    var offset = 2
    while jpeg[offset + 1] != 0xDA {
      let length = 2 + (try #require(jpeg.uint16(at: offset + 2)))
      if jpeg[offset + 1] != marker { kept += jpeg[offset..<offset + length] }
      offset += length
    }
    return kept + jpeg[offset...]
  }

  /// A gain map is picture, and so are its metadata.
  @Test func aGainMapIsPicture() throws {
    let photo = try bytes("hdr/iso.jpg")
    let map = try #require(CarriedMetadata(original: PhotoBytes(Data(photo))).gainMap)
    guard case .part(let place) = map.place else {
      Issue.record("no map")
      return
    }
    let whole = try digest(photo)
    for offset in [place.upperBound - 40, place.lowerBound + 60] {
      var changed = photo
      changed[offset] ^= 1
      #expect(try digest(changed) != whole)
    }
  }

  @Test func aJPEGWithoutItsEndHasNone() throws {
    try #expect(digest(Array(bytes("beach.jpg").dropLast(2))) == nil)
  }

  @Test func anOrientationOfAnyTypeIsRead() throws {
    let jpeg = try bytes("progressive.jpg")
    var long = exif(6)
    // The type of the only entry: a number of four bytes.
    long[6 + 8 + 2 + 2] = 4
    try #expect(
      digest(inserting(segment(0xE1, long), into: jpeg))
        == digest(inserting(segment(0xE1, exif(6)), into: jpeg)))
  }

  @Test func junkCostsNoMoreThanItsLength() throws {
    // Empty segments and bytes that are no marker, one after the other.
    let empty = [UInt8](repeating: 0, count: 1 << 20)
    try #expect(digest([0xFF, 0xD8] + empty) == nil)
    let segments = Array(repeatElement([0xFF, 0xE5, 0, 2] as [UInt8], count: 1 << 18).joined())
    try #expect(digest([0xFF, 0xD8] + segments) == nil)
  }

  // MARK: - Other formats

  private func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    var chunk: [UInt8] = []
    chunk.append(uint32: data.count)
    // No decoder reads these files, so the checksum may be anything.
    return chunk + Array(name.utf8) + data + [0, 0, 0, 0]
  }

  @Test func aPNGsTextIsNotPictureAndItsColorIs() throws {
    let png = try bytes("alpha.png")
    let before = try digest(png)
    func with(_ chunk: [UInt8]) -> [UInt8] { Array(png[..<33]) + chunk + png[33...] }
    try #expect(digest(with(chunk("tEXt", Array("Title\0sea".utf8)))) == before)
    try #expect(digest(with(chunk("gAMA", [0, 0, 0, 1]))) != before)
    try #expect(digest(with(chunk("eXIf", Array(exif(6).dropFirst(6))))) != before)
    let raw = Array("Raw profile type exif\0\0turned".utf8)
    try #expect(digest(with(chunk("zTXt", raw))) != before)
    let rating = Array("Raw profile type xmp\0\0rated".utf8)
    try #expect(digest(with(chunk("zTXt", rating))) == before)
    let first = chunk("eXIf", Array("Exif\0\0".utf8) + exif(6).dropFirst(6))
    let second = chunk("eXIf", Array(exif(1).dropFirst(6)))
    try #expect(digest(with(first + second)) == digest(with(first)))
    try #expect(digest(with(first + second)) != digest(with(second)))
  }

  @Test func aPNGsPixelsMayBeCutIntoOtherChunks() throws {
    let pixels = [UInt8](0..<200)
    func png(_ parts: [[UInt8]]) -> [UInt8] {
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        + chunk("IHDR", [UInt8](repeating: 1, count: 13))
        + parts.flatMap { chunk("IDAT", $0) } + chunk("IEND", [])
    }
    let whole = try #require(try digest(png([pixels])))
    try #expect(digest(png([Array(pixels[..<50]), Array(pixels[50...])])) == whole)
    try #expect(digest(png([Array(pixels[50...]), Array(pixels[..<50])])) != whole)
  }

  @Test func whetherAWebPHasAlphaIsPicture() throws {
    // A lossless picture of one pixel with alpha; its bits need not be right.
    let picture: [UInt8] = Array("VP8L".utf8) + [6, 0, 0, 0, 0x2F, 0, 0, 0, 0x10, 0]
    func webP(_ chunks: [UInt8]) -> [UInt8] { Array("RIFF\0\0\0\0WEBP".utf8) + chunks }
    func flags(_ flags: UInt8) -> [UInt8] {
      Array("VP8X".utf8) + [10, 0, 0, 0, flags, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    }
    let plain = try #require(try digest(webP(picture)))
    try #expect(digest(webP(flags(0x10) + picture)) == plain)
    try #expect(digest(webP(flags(0x18) + picture)) == plain)
    try #expect(digest(webP(flags(0x08) + picture)) != plain)
  }

  @Test func stripsThatOverlapCostNoMoreThanTheFile() throws {
    // 20,000 strips, each the whole file.
    let count = 20_000
    var tiff = Array("II*\0".utf8)
    tiff.append(uint32: 8, .little)
    tiff.append(uint16: 2, .little)
    for (tag, value) in [(273, 38), (279, 38 + 4 * count)] {
      tiff.append(uint16: tag, .little)
      tiff.append(uint16: 4, .little)
      tiff.append(uint32: count, .little)
      tiff.append(uint32: value, .little)
    }
    tiff.append(uint32: 0, .little)
    let size = 38 + 8 * count
    for _ in 0..<count { tiff.append(uint32: 0, .little) }
    for _ in 0..<count { tiff.append(uint32: size, .little) }
    try #expect(digest(tiff) == nil)
  }

  private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    var box: [UInt8] = []
    box.append(uint32: content.count + 8)
    return box + Array(type.utf8) + content
  }

  @Test func extentsBeyondAllNumbersEndNothing() throws {
    let huge: [UInt8] = [0x3F] + [UInt8](repeating: 0xFF, count: 7)
    let place = [0, 1, 0, 0] + huge + [0, 1] + huge + huge
    let item = box("infe", [2, 0, 0, 0, 0, 1, 0, 0] + Array("hvc1".utf8) + [0])
    let meta = [
      [0, 0, 0, 0], box("pitm", [0, 0, 0, 0, 0, 1]), box("iinf", [0, 0, 0, 0, 0, 1] + item),
      box("iloc", [0, 0, 0, 0, 0x88, 0x80, 0, 1] + place),
    ]
    let file = box("ftyp", Array("heic".utf8) + [0, 0, 0, 0]) + box("meta", Array(meta.joined()))
    try #expect(digest(file) == nil)
  }

  @Test func otherFilesHaveNone() throws {
    try #expect(digest([]) == nil)
    try #expect(digest(Array("a letter".utf8)) == nil)
    try #expect(digest(Array("RIFF\0\0\0\0WEBP".utf8)) == nil)
  }
}
