import Foundation
import SafelightFormats
import SafelightMetadata
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering

@Suite struct PNGStripTests {
  private func png(_ image: Image, metadata: [UInt8] = []) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try PNGStripEncoder(image, metadata: metadata)
      .encode(RenderedPicture(image), unless: nil) { bytes += $0 }
    return bytes
  }

  /// Smooth colors, noise, and rows that are like the one above.
  private func picture(
    width: Int, height: Int, bands: Int, format: Image.SampleFormat
  ) throws -> Image {
    var random = SeededGenerator(seed: UInt64(width * 31 + height * 7 + bands))
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<(width * bands * (format == .uint16 ? 2 : 1)) {
        switch y / 5 % 3 {
        case 0: bytes.append(UInt8.random(in: 0...255, using: &random))
        case 1: bytes.append(UInt8((x * 3 + y * 7) & 255))
        default: bytes.append(UInt8((x * x / 9) & 255))
        }
      }
    }
    return try Image.fromMemory(bytes, width: width, height: height, bands: bands, format: format)
  }

  /// libpng reads what went in: every kind of pixel, and strips of every height.
  @Test(
    arguments: [(1, 1), (1, 200), (333, 1), (100, 63), (64, 64), (65, 65), (41, 193)],
    [1, 2, 3, 4])
  func libpngReadsTheSamePixels(size: (width: Int, height: Int), bands: Int) throws {
    for format in [Image.SampleFormat.uint8, .uint16] {
      let image = try picture(
        width: size.width, height: size.height, bands: bands, format: format)
      try TemporaryFile.holding(try png(image)) { file in
        let read = try Image.open(Source(file.file), as: .png)
        #expect(read.width == size.width && read.height == size.height)
        #expect(read.bands == bands && read.sampleFormat == format)
        #expect(try read.pixelBytes() == image.pixelBytes())
      }
    }
  }

  /// The parts of a file: chunks with right checksums, and one zlib stream of all rows.
  @Test func theFileIsOneStreamInChunks() throws {
    let image = try picture(width: 90, height: 150, bands: 3, format: .uint8)
    let exif = Array("II*\0".utf8) + [8, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    let file = try png(image, metadata: PNGChunk.metadata(profile: nil, exif: exif, xmp: nil))
    #expect(Array(file[..<8]) == PNGChunk.signature)
    var place = 8
    var (types, stream): ([String], [UInt8]) = ([], [])
    while place + 12 <= file.count {
      let length = file[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
      let type = String(decoding: file[(place + 4)..<(place + 8)], as: UTF8.self)
      let content = Array(file[(place + 8)..<(place + 8 + length)])
      #expect(Array(file[place..<(place + 12 + length)]) == PNGChunk.bytes(type, content))
      if types.last != type { types.append(type) }
      if type == "IDAT" { stream += content }
      place += 12 + length
    }
    #expect(place == file.count)
    #expect(types == ["IHDR", "eXIf", "IDAT", "IEND"])
    let rows = try #require(Zlib.unpacked(stream, limit: 1 << 20))
    #expect(rows.count == 150 * (90 * 3 + 1))
    let filters = stride(from: 0, to: rows.count, by: 271).map { rows[$0] }
    #expect(Set(filters) == [1, 2, 4])
    // A strip begins without a row above.
    #expect([filters[0], filters[64], filters[128]] == [1, 1, 1])
  }

  /// On each number of threads the same bytes, because strips know nothing of each other.
  @Test func thePictureAloneDecides() throws {
    let image = try picture(width: 200, height: 700, bands: 3, format: .uint8)
    let first = try png(image)
    for _ in 0..<5 { #expect(try png(image) == first) }
    // A part of whole strips has the same chunks.
    let part = try png(image.part(left: 0, top: 0, width: 200, height: 640).inMemory())
    let start = 8 + 25 + 21
    let end = part.count - 12 - 16 - 30_000
    #expect(Array(part[start..<end]) == Array(first[start..<end]))
  }

  /// A photo is not much larger than libpng makes it at its usual level.
  @Test func photosArePackedWell() throws {
    let fixture = OpenFixture("beach.jpg")
    let image = try Image.open(Source(fixture.file), as: .jpeg).inMemory()
    var usual: [UInt8] = []
    try image.writePNG(to: Target { usual += $0 })
    #expect(try png(image).count < usual.count * 11 / 10)
  }

  @Test func aStoppedRenderEnds() throws {
    let image = try picture(width: 100, height: 300, bands: 3, format: .uint8)
    let cancellation = RenderCancellation()
    cancellation.cancel()
    #expect(throws: CancellationError.self) {
      try PNGStripEncoder(image, metadata: [])
        .encode(RenderedPicture(image), unless: cancellation) { _ in }
    }
    #expect(throws: CocoaError.self) {
      try PNGStripEncoder(image, metadata: []).encode(RenderedPicture(image), unless: nil) { _ in
        throw CocoaError(.fileWriteOutOfSpace)
      }
    }
  }
}
