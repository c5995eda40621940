import Foundation
import SafelightAdjustments
import SafelightFilters
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

@Suite struct ColorPassTests {
  /// Every 8-bit code on red, with two other ramps beside it.
  private static let ramp: [UInt8] = (0...255).flatMap {
    (code: UInt8) -> [UInt8] in [code, 255 - code, code / 2]
  }

  private func profile(gamma: Double) throws -> PixelCoding {
    let response = try #require(
      ToneResponse((0...4096).map { Double($0) / 4096 }.map { pow($0, gamma) }))
    // Display P3's primaries in sRGB, from SMPTE EG 432-1 by the usual derivation.
    let toSRGB = ColorMatrix([
      1.224_940_1, -0.224_940_4, 0.000_000_3, -0.042_056_9, 1.042_057_1, -0.000_000_2,
      -0.019_637_6, -0.078_636_1, 1.098_273_7,
    ])
    return .matrix(
      MatrixProfile(
        responses: [response, response, response], toSRGB: toSRGB,
        fromSRGB: try #require(toSRGB.inverse)))
  }

  @Test(arguments: [1.8, 2.2, 2.4])
  func everyCodeOfAProfileSurvivesLinearLight(gamma: Double) throws {
    let coding = try profile(gamma: gamma)
    let image = try Image.fromMemory(Self.ramp, width: 256, height: 1, bands: 3, format: .uint8)
    let result = try ColorPass(
      [], from: .codes(coding, isWide: false), to: .codes(coding, isWide: false)
    ).applied(to: image)
    #expect(try result.pixelBytes() == Self.ramp)
  }

  @Test func sixteenBitsBecomeEightByRoundingOnce() throws {
    let codes = (0...65_535).map { UInt16($0) }
    let bytes = codes.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let gray = try Image.fromMemory(bytes, width: 256, height: 256, bands: 1, format: .uint16)
    let result = try ColorPass(
      [], from: .codes(.sRGB, isWide: true), to: .codes(.sRGB, isWide: false)
    ).applied(to: gray)
    let expected = codes.flatMap { code -> [UInt8] in
      let rounded = UInt8((Double(code) / 257).rounded())
      return [rounded, rounded, rounded]
    }
    #expect(try result.pixelBytes() == expected)
  }

  @Test func stepsAreConvertedOnlyWhereSpacesDisagree() throws {
    /// Doubles linear light: one stop.
    struct OneStop: ColorKernel {
      let space = ColorSpace.linear
      func apply(to tile: ColorTile) {
        tile.forEachPlane { _, plane in for index in 0..<tile.count { plane[index] *= 2 } }
      }
    }
    let image = try Image.fromMemory(Self.ramp, width: 256, height: 1, bands: 3, format: .uint8)
    let result = try ColorPass(
      [.kernel(OneStop())], from: .codes(.sRGB, isWide: false), to: .codes(.sRGB, isWide: false)
    ).applied(to: image)
    let expected = Self.ramp.map { code in
      255 * min(ReferenceColor.encoded(2 * ReferenceColor.linear(Double(code) / 255)), 1)
    }
    let worst = zip(try result.pixelBytes(), expected).map { abs(Double($0) - $1) }.max()!
    #expect(worst < 0.501)
  }

  @Test func widePicturesOfManyTilesMatchPixelByPixel() throws {
    var random = SeededGenerator(seed: 7)
    let bytes = (0..<(2500 * 3 * 3)).map { _ in UInt8.random(in: 0...255, using: &random) }
    let image = try Image.fromMemory(bytes, width: 2500, height: 3, bands: 3, format: .uint8)
    var saturation = Saturation()
    saturation.amount = 50
    let result = try ColorPass(
      saturation.colorSteps(in: .wholePhoto), from: .codes(.sRGB, isWide: false),
      to: .codes(.sRGB, isWide: false)
    ).applied(to: image)
    let pixels = stride(from: 0, to: bytes.count, by: 3).map { start in
      bytes[start..<(start + 3)].map { Double($0) / 255 }
    }
    let expected = pixels.flatMap {
      ReferenceColor.clamped(ReferenceSeenHues.saturated($0, amount: 50)).map { $0 * 255 }
    }
    let worst = zip(try result.pixelBytes(), expected).map { abs(Double($0) - $1) }.max()!
    #expect(worst < 0.51)
  }
}

@Suite struct ColorMemoryTests {
  /// A pass that counts its pixels and exchanges red and blue.
  private final class Exchange: Sendable {
    let pass: ColorPass.RowFunction = { line in
      let source = line.input.assumingMemoryBound(to: UInt8.self)
      let target = line.output.assumingMemoryBound(to: UInt8.self)
      for index in 0..<line.count {
        target[3 * index] = source[3 * index + 2]
        target[3 * index + 1] = source[3 * index + 1]
        target[3 * index + 2] = source[3 * index]
      }
    }
  }

  private func mapped(_ memory: ColorMemory, _ codes: [UInt8]) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: codes.count)
    result.withUnsafeMutableBytes { output in
      codes.withUnsafeBytes { input in
        memory.map(
          Scanline(
            input: input.baseAddress!, output: output.baseAddress!, count: codes.count / 3, x: 0,
            y: 0))
      }
    }
    return result
  }

  @Test func everyColorIsRememberedAsItself() throws {
    let memory = try #require(ColorMemory(Exchange().pass))
    for red in stride(from: 0, through: 255, by: 17) {
      let codes = (0..<65_536).flatMap { [UInt8(red), UInt8($0 >> 8), UInt8($0 & 255)] }
      let expected = (0..<65_536).flatMap { [UInt8($0 & 255), UInt8($0 >> 8), UInt8(red)] }
      #expect(mapped(memory, codes) == expected)
      #expect(mapped(memory, codes) == expected)
    }
  }

  /// Repeated colors, new colors, and a mix, on two threads at once.
  @Test func threadsShareWhatTheyLearn() async throws {
    let memory = try #require(ColorMemory(Exchange().pass))
    await withTaskGroup(of: Bool.self) { group in
      for seed in 0..<4 {
        group.addTask { [self] in
          var random = SeededGenerator(seed: UInt64(seed))
          for round in 0..<Rounds.count(10, long: 40) {
            let range: ClosedRange<UInt8> = round % 2 == 0 ? 0...255 : 100...120
            let codes = (0..<9000).map { _ in UInt8.random(in: range, using: &random) }
            let expected = stride(from: 0, to: 9000, by: 3).flatMap {
              (place: Int) -> [UInt8] in [codes[place + 2], codes[place + 1], codes[place]]
            }
            if mapped(memory, codes) != expected { return false }
          }
          return true
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  /// A picture that is large enough for the memory gets the same pixels as a smaller one.
  @Test func aLargePictureHasThePixelsOfItsParts() throws {
    var random = SeededGenerator(seed: 11)
    let (width, height) = (2048, 1024)
    let rows = (0..<(width * 64 * 3)).map { index in
      UInt8(60 + index % 3 * 30) &+ UInt8.random(in: 0...40, using: &random)
    }
    let codes = Array(repeatElement(rows, count: height / 64).joined())
    let whole = try Image.fromMemory(codes, width: width, height: height, bands: 3, format: .uint8)
    let part = try whole.part(left: 100, top: 200, width: 500, height: 300)
    var vibrance = Vibrance()
    vibrance.amount = 60
    var grading = ColorGrading()
    grading.shadows.saturation = 40
    var balance = WhiteBalance()
    balance.temperature = 5000
    let steps = try [balance as any ColorRenderable, vibrance, grading].flatMap {
      try $0.colorSteps(in: .wholePhoto)
    }
    let pass = ColorPass(
      steps, from: .codes(.sRGB, isWide: false), to: .codes(.sRGB, isWide: false))
    let cut = try pass.applied(to: whole).part(left: 100, top: 200, width: 500, height: 300)
    #expect(try cut.pixelBytes() == pass.applied(to: part).pixelBytes())
  }
}
