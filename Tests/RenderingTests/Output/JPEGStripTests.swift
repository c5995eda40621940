import Foundation
import SafelightMetadata
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering

@Suite struct JPEGStripTests {
  /// A picture of smooth colors and noise.
  private func picture(width: Int, height: Int, bands: Int) throws -> Image {
    var random = SeededGenerator(seed: UInt64(width * 31 + height))
    var codes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        for band in 0..<bands {
          let smooth = (x * (band + 2) / 3 + y * (3 - band) / 2) % 220
          codes.append(UInt8(smooth + Int.random(in: 0..<24, using: &random)))
        }
      }
    }
    return try Image.fromMemory(codes, width: width, height: height, bands: bands, format: .uint8)
  }

  private func jpeg(_ image: Image, quality: Int, chroma: ChromaSampling) throws -> Data {
    var data = Data()
    let encoder = JPEGStripEncoder(image, quality: quality, chroma: chroma)
    try encoder.encode(RenderedPicture(image), unless: nil) { data.append(contentsOf: $0) }
    return data
  }

  private func decoded(_ data: Data) throws -> Image {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jpg")
    try data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try Image.open(Source(OpenFixture(file).file), as: .jpeg).inMemory()
  }

  /// Joined strips decode to the pixels of the strips, for any size.
  @Test(
    arguments: [(64, 64), (65, 129), (200, 63), (17, 640), (1, 1), (8, 1100)],
    [
      ChromaSampling.full, .halved(across: true, down: true), .halved(across: true, down: false),
      .halved(across: false, down: true),
    ])
  func joinedStripsAreOnePicture(size: (width: Int, height: Int), chroma: ChromaSampling) throws {
    let image = try picture(width: size.width, height: size.height, bands: 3)
    let file = try jpeg(image, quality: 95, chroma: chroma)
    let result = try decoded(file)
    #expect(result.width == size.width && result.height == size.height)
    // The rows of each strip, encoded by libjpeg alone.
    var expected: [UInt8] = []
    for top in stride(from: 0, to: size.height, by: 64) {
      let part = try image.part(
        left: 0, top: top, width: size.width, height: min(64, size.height - top))
      let strip = try jpeg(part.inMemory(), quality: 95, chroma: chroma)
      expected += try decoded(strip).pixelBytes()
    }
    if chroma.unit.height == 8 {
      #expect(try result.pixelBytes() == expected)
    } else {
      // A decoder smooths halved color across rows, so only rows away from the joints must agree.
      let pixels = try result.pixelBytes()
      let row = size.width * 3
      for y in 0..<size.height where y % 64 > 0 && y % 64 < 63 {
        let columns = (y * row)..<((y + 1) * row)
        #expect(Array(pixels[columns]) == Array(expected[columns]))
      }
    }
  }

  @Test func grayStaysOneChannel() throws {
    let image = try picture(width: 100, height: 150, bands: 1)
    let result = try decoded(jpeg(image, quality: 100, chroma: .full))
    #expect(result.bands == 1)
    let worst = zip(try result.pixelBytes(), try image.pixelBytes()).map {
      abs(Int($0) - Int($1))
    }.max()!
    #expect(worst <= 2)
  }

  /// Equal channels without color are the same light as with it, for any size and in a smaller file. A single
  /// block takes two bytes more.
  @Test(arguments: [(64, 64), (65, 129), (200, 63), (17, 640), (1, 1), (9, 131)])
  func grayWithoutColorIsTheSameLight(size: (width: Int, height: Int)) throws {
    let gray = try picture(width: size.width, height: size.height, bands: 1).pixelBytes()
    let image = try Image.fromMemory(
      gray.flatMap { [$0, $0, $0] }, width: size.width, height: size.height, bands: 3,
      format: .uint8)
    let (with, without) = try (
      jpeg(image, quality: 93, chroma: .full), jpeg(image, quality: 93, chroma: .none)
    )
    #expect(try decoded(without).bands == 3)
    #expect(try decoded(without).pixelBytes() == decoded(with).pixelBytes())
    #expect(without.count <= with.count + 2)
    let coding = try #require(JPEGCoding(PhotoBytes(without)))
    #expect(coding.chroma == .halved(across: true, down: true))
  }

  @Test func theFileCountsItsRestartsAndEndsAsItShould() throws {
    let image = try picture(width: 160, height: 64 * 11 + 5, bands: 3)
    let file = [UInt8](try jpeg(image, quality: 90, chroma: .full))
    let markers = zip(file, file.dropFirst()).filter { $0 == 0xFF && (0xD0...0xD7).contains($1) }
    let counts = markers.map { Int($0.1) - 0xD0 }
    #expect(counts == (0..<11).map { $0 % 8 })
    #expect(Array(file.suffix(2)) == [0xFF, 0xD9] as [UInt8])
    let interval = try #require(
      file.indices.dropLast(5).first { file[$0] == 0xFF && file[$0 + 1] == 0xDD })
    let blocks = Int(file[interval + 4]) << 8 | Int(file[interval + 5])
    #expect(blocks == 20 * 8)
  }

  @Test func qualityAndColorAreAsLibjpegCountsThem() throws {
    let image = try picture(width: 320, height: 200, bands: 3)
    let sizes = try [60, 90, 100].map {
      try jpeg(image, quality: $0, chroma: .full).count
    }
    #expect(sizes == sizes.sorted() && sizes[0] * 2 < sizes[2])
    #expect(
      try jpeg(image, quality: 90, chroma: .halved(across: true, down: true)).count < sizes[1])
  }
}
