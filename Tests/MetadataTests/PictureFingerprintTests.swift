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
    return PictureFingerprint.bytes(of: PhotoBytes(file, size: bytes.count))
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

  /// A TIFF with pages of gray pixels, each in strips of any coding.
  private func tiff(
    compression: Int = 1, text: String = "", _ pages: [(kind: Int, strips: [[UInt8]])]
  ) -> Data {
    var file = Data("II*\0\0\0\0\0".utf8)
    var link = 4
    func little(_ number: Int, _ width: Int) -> Data {
      Data((0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    }
    file += Data(text.utf8)
    for page in pages {
      let start = file.count
      for strip in page.strips { file += strip }
      let offsets = page.strips.indices.map { index in
        start + page.strips[..<index].reduce(0) { $0 + $1.count }
      }
      let lists = file.count
      for number in offsets + page.strips.map(\.count) { file += little(number, 4) }
      let count = page.strips.count
      let isOne = count == 1
      let fields = [
        (254, 1, page.kind), (256, 1, 1000), (257, 1, 1000), (258, 1, 8), (259, 1, compression),
        (262, 1, 1), (273, count, isOne ? offsets[0] : lists), (277, 1, 1),
        (279, count, isOne ? page.strips[0].count : lists + 4 * count),
      ]
      file.replaceSubrange(link..<link + 4, with: little(file.count, 4))
      file += little(fields.count, 2)
      for field in fields {
        file += little(field.0, 2) + little(4, 2) + little(field.1, 4) + little(field.2, 4)
      }
      link = file.count
      file += little(0, 4)
    }
    return file
  }

  /// Pixels without compression have the same length in all scans of a size, and white margins and middles.
  @Test func scansOfOneSizeWithWhiteMarginsDiffer() throws {
    func page(stampAt place: Int?) -> [UInt8] {
      var pixels = [UInt8](repeating: 255, count: 1_000_000)
      if let place { for row in 0..<20 { pixels[place + 1000 * row] = 0 } }
      return pixels
    }
    var seen: Set<[UInt8]> = []
    for place in [nil, 80_300, 430_700, 431_000, 910_005] {
      let strips = [page(stampAt: place)]
      let found = try #require(try fingerprint(tiff([(0, strips)])))
      #expect(seen.insert(found).inserted)
      // Metadata before the pixels change nothing.
      #expect(try fingerprint(tiff(text: "Title", [(0, strips)])) == found)
    }
  }

  /// Each strip is compressed for itself: those behind a difference may be the same.
  @Test func compressedStripsCountWithTheirLengths() throws {
    func strips(_ lengths: Int...) -> [[UInt8]] { lengths.map { [UInt8](repeating: 7, count: $0) } }
    let one = try fingerprint(tiff(compression: 5, [(0, strips(4000, 300, 500, 4000))]))
    let other = try fingerprint(tiff(compression: 5, [(0, strips(4000, 301, 499, 4000))]))
    #expect(one != nil && one != other)
  }

  @Test func theThumbnailBeforeAPhotoDoesNotDecide() throws {
    func file(_ thumbnail: UInt8, _ photo: UInt8) -> Data {
      tiff([(1, [[thumbnail, 1, 2]]), (0, [[photo, 3, 4]])])
    }
    let found = try #require(try fingerprint(file(1, 1)))
    #expect(try fingerprint(file(2, 1)) == found)
    #expect(try fingerprint(file(1, 2)) != found)
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
