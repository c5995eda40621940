import Foundation
import SafelightAdjustments
import SafelightMetadata
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

/// Gradients without bands, by noise that depends on the place alone.
@Suite struct DitherTests {
  /// A sky of 16 bits that gets brighter from top to bottom by about 24 codes of 8 bits.
  private func sky(noise: Double = 0) throws -> Image {
    var random = SeededGenerator(seed: 4)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512 * 512 * 6)
    for y in 0..<512 {
      for _ in 0..<512 {
        let chance = noise == 0 ? 0 : ReferenceMeasures.gaussian(&random)
        for start in [0.42, 0.52, 0.66] {
          let light = start + 0.094 * Double(y) / 511 + chance * noise / 255
          let code = UInt16((light * 65_535).rounded())
          bytes.append(UInt8(code & 0xFF))
          bytes.append(UInt8(code >> 8))
        }
      }
    }
    return try Image.fromMemory(bytes, width: 512, height: 512, bands: 3, format: .uint16)
  }

  /// The rows at which the mean of green jumps by more than half a code. In a gradient of a twentieth of a
  /// code from row to row these are the edges of bands. It knows nothing of how the picture was made.
  private func bands(_ pixels: [UInt8], width: Int) -> Int {
    let means = (0..<(pixels.count / width / 3)).map { y in
      (0..<width).reduce(0.0) { $0 + Double(pixels[(y * width + $1) * 3 + 1]) } / Double(width)
    }
    return zip(means, means.dropFirst()).count { abs($0 - $1) > 0.5 }
  }

  private func render(_ image: Image, _ edit: EditStack, as output: RenderOutput) throws -> Data {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).png")
    defer { try? FileManager.default.removeItem(at: url) }
    var file = Data()
    try PNGStripEncoder(image, metadata: []).encode(RenderedPicture(image), unless: nil) {
      file.append(contentsOf: $0)
    }
    try file.write(to: url)
    final class Collector { var bytes = Data() }
    let collector = Collector()
    _ = try Renderer().render(
      OpenFixture(url).source(), edit: edit, as: output, derivedFrom: .test,
      to: { collector.bytes.append(contentsOf: $0) })
    return collector.bytes
  }

  private func decoded(_ data: Data, as format: Image.FileFormat = .jpeg) throws -> [UInt8] {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    try data.write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try Image.open(Source(OpenFixture(url).file), as: format).inMemory().pixelBytes()
  }

  private func exposed(_ stops: Double) throws -> EditStack {
    var exposure = Exposure()
    exposure.amount = stops
    return try EditStack([exposure])
  }

  private func vignetted() throws -> EditStack {
    var vignette = Vignette()
    vignette.amount = -60
    return try EditStack([vignette])
  }

  private static let lossless = RenderOutput(format: .webp, quality: 100)

  @Test func aSkyOfSixteenBitsHasNoBandsInAJPEG() throws {
    let image = try sky()
    let plain = try decoded(
      render(image, EditStack(), as: Self.lossless), as: .webp)
    // The counter counts: without an edit there are 24 steps.
    #expect(bands(plain, width: 512) == 24)
    let edited = try decoded(render(image, exposed(0.4), as: .standard))
    #expect(bands(edited, width: 512) == 0)
  }

  @Test func noCodeMovesByMoreThanOneAndBlackAndWhiteStay() throws {
    let special: [Float] = [0, 1, -0.2, 1.3, 0.5]
    let planes: [Float] = (0..<(3 * ColorTile.capacity)).map { index in
      let kind = index / 171 % 6
      return kind < 5 ? special[kind] : Float(index % 1000) / 999
    }
    var (plain, dithered) = ([UInt8](repeating: 0, count: 3072), [UInt8](repeating: 0, count: 3072))
    kernels.encode8(planes, &plain, 1024)
    kernels.encode8_dithered(planes, 0, 7, &dithered, 1024)
    #expect(zip(plain, dithered).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    let even = zip(plain, dithered).enumerated().filter { index, _ in
      let value = planes[index % 3 * ColorTile.capacity + index / 3]
      return value <= 0 || value >= 1
    }
    #expect(even.allSatisfy { $0.element.0 == $0.element.1 })
  }

  /// The mean of what was dithered is what was to be rounded, but for the 0.03 codes that a triangle of
  /// three quarters of a code leaves.
  @Test(arguments: [100.0, 100.25, 100.5, 100.9])
  func theMeanIsKept(code: Double) {
    let planes = [Float](repeating: Float(code / 255), count: 3 * ColorTile.capacity)
    var sum = 0.0
    var room = [UInt8](repeating: 0, count: 3072)
    for row in 0..<64 {
      kernels.encode8_dithered(planes, 0, UInt32(row), &room, 1024)
      sum += room.reduce(0) { $0 + Double($1) }
    }
    #expect(abs(sum / Double(64 * 3072) - code) < 0.035)
  }

  @Test func theSameEditGivesTheSameBytes() throws {
    let image = try sky()
    #expect(
      try render(image, exposed(0.4), as: .standard) == render(image, exposed(0.4), as: .standard))
  }

  /// A row from its middle on is the end of the whole row.
  @Test func theNoiseDoesNotDependOnWhereATileBegins() throws {
    let image = try sky(noise: 0.05)
    let pass = ColorPass(
      [], from: .codes(.sRGB, isWide: true), to: .codes(.sRGB, isWide: false), dithers: true)
    let row = pass.rowFunction(for: image)
    let bytes = try image.pixelBytes()
    var (whole, part) = ([UInt8](repeating: 0, count: 1536), [UInt8](repeating: 0, count: 768))
    bytes.withUnsafeBytes { input in
      let line = input.baseAddress! + 40 * 512 * 6
      whole.withUnsafeMutableBytes {
        row(Scanline(input: line, output: $0.baseAddress!, count: 512, x: 0, y: 40))
      }
      part.withUnsafeMutableBytes {
        row(Scanline(input: line + 256 * 6, output: $0.baseAddress!, count: 256, x: 256, y: 40))
      }
    }
    #expect(part == Array(whole[768...]))
    #expect(Set(whole).count > 3)
  }

  /// Noise of its own dithers a photo; more would only make its file larger.
  @Test func aNoisyPhotoGetsNoNoise() throws {
    let image = try sky(noise: 0.4)
    let bytes = try image.pixelBytes()
    func codes(dithers: Bool) -> [UInt8] {
      let pass = ColorPass(
        [], from: .codes(.sRGB, isWide: true), to: .codes(.sRGB, isWide: false), dithers: dithers)
      let row = pass.rowFunction(for: image)
      var output = [UInt8](repeating: 0, count: 512 * 512 * 3)
      bytes.withUnsafeBytes { input in
        output.withUnsafeMutableBytes { output in
          for y in 0..<512 {
            row(
              Scanline(
                input: input.baseAddress! + y * 3072, output: output.baseAddress! + y * 1536,
                count: 512, x: 0, y: y))
          }
        }
      }
      return output
    }
    let (plain, dithered) = (codes(dithers: false), codes(dithers: true))
    let changed = zip(plain, dithered).count { $0 != $1 }
    #expect(changed * 50 < plain.count)
  }

  /// What has 8 bits is dithered where an edit adds gradients, and nowhere else.
  @Test func onlyAddedGradientsAreDitheredInEightBits() throws {
    let gray = [UInt8](repeating: 117, count: 600 * 400 * 3)
    let image = try Image.fromMemory(gray, width: 600, height: 400, bands: 3, format: .uint8)
    let even = try decoded(render(image, exposed(0.4), as: Self.lossless), as: .webp)
    #expect(Set(even).count == 1)
    let bent = try decoded(render(image, vignetted(), as: Self.lossless), as: .webp)
    // A row from the middle to the left: each code begins once without noise.
    let codes = (0..<300).map { bent[(200 * 600 + $0) * 3] }
    #expect(zip(codes, codes.dropFirst()).contains { $0 > $1 })
    #expect(try decoded(render(image, EditStack(), as: Self.lossless), as: .webp) == gray)
  }
}
