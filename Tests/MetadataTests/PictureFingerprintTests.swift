import Foundation
import SafelightFiles
import SafelightTestSupport
import Testing

@testable import SafelightMetadata

/// What photos are recognized by after they were renamed and rated.
@Suite struct PictureFingerprintTests {
  private func fingerprint(_ bytes: Data) throws -> [UInt8]? {
    let folder = TemporaryFolder()
    try bytes.write(to: folder["a"].fileURL)
    let file = try FileSystem.real.openForReading(folder["a"])
    return PictureFingerprint.bytes(of: HeaderBytes(file, size: bytes.count))
  }

  /// Samples are taken at the start, in the middle and at the end of the pixels.
  @Test func eachPhotoHasAnotherOne() throws {
    var seen: [[UInt8]: String] = [:]
    var count = 0
    for name in [
      "beach.jpg", "exif-gps-makernote.jpg", "orientation/1.jpg", "orientation/6.jpg", "alpha.png",
      "lossy.webp", "lossless-alpha.webp", "rgb.tif", "sixteen-bit.tif", "photo.heic", "photo.avif",
    ] {
      let found = try #require(try fingerprint(Data(contentsOf: Fixture.url(name))))
      #expect(found.count == 16 && seen[found] == nil, "\(name) and \(seen[found] ?? "")")
      seen[found] = name
      count += 1
    }
    #expect(seen.count == count)
  }

  @Test func metadataDoNotChangeItAndPixelsDo() throws {
    let photo = try Data(contentsOf: Fixture.url("beach.jpg"))
    let fingerprint = try #require(try fingerprint(photo))
    let comment = Data([0xFF, 0xFE, 0x00, 0x08] + Array("rating".utf8))
    #expect(try self.fingerprint(photo.prefix(2) + comment + photo.dropFirst(2)) == fingerprint)
    var other = photo
    other[photo.count - 3] ^= 1
    #expect(try self.fingerprint(other) != fingerprint)
    #expect(try self.fingerprint(photo + [0]) != fingerprint)
  }

  /// Other programs put text in front of the pixels of a PNG, or behind them.
  @Test func textOfAPNGDoesNotChangeIt() throws {
    func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
      withUnsafeBytes(of: UInt32(content.count).bigEndian) { Array($0) } + Array(type.utf8)
        + content + [0, 0, 0, 0]
    }
    let head: [UInt8] =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", [0, 0, 0, 9, 0, 0, 0, 9, 8, 2, 0, 0, 0])
    let pixels = chunk("IDAT", Array(repeating: 3, count: 5000)) + chunk("IDAT", [4, 5, 6])
    let (text, end) = (chunk("tEXt", Array("Title\0a".utf8)), chunk("IEND", []))
    let plain = try #require(try fingerprint(Data(head + pixels + end)))
    #expect(try fingerprint(Data(head + text + pixels + end)) == plain)
    #expect(try fingerprint(Data(head + pixels + text + text + end)) == plain)
    #expect(try fingerprint(Data(head + pixels + chunk("IDAT", [7]) + end)) != plain)
  }

  @Test(arguments: ["", "no picture", "II*\0\u{8}\0\0\0\u{1}\0", "\0\0\0\u{10}ftypheic"])
  func whatIsNoPictureHasNone(text: String) throws {
    #expect(try fingerprint(Data(text.utf8)) == nil)
  }

  /// Sizes and places in a file may be anything.
  @Test func damagedFilesEndNothing() throws {
    var random = SeededGenerator(seed: 5)
    for name in ["beach.jpg", "exif-gps-makernote.jpg"] {
      let photo = try Data(contentsOf: Fixture.url(name)).prefix(4000)
      for _ in 0..<Rounds.count(40, long: 400) {
        var damaged = Data(photo)
        for _ in 0..<8 {
          damaged[Int.random(in: 0..<damaged.count, using: &random)] = .random(
            in: 0...255, using: &random)
        }
        _ = try fingerprint(damaged)
      }
    }
  }
}
