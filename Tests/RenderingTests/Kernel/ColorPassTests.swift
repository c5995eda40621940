import Foundation
import SafelightAdjustments
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering

@Suite struct ColorPassTests {
  /// Every 8-bit code on red, with two other ramps beside it.
  private static let ramp: [UInt8] = (0...255).flatMap {
    [UInt8($0), UInt8(255 - $0), UInt8($0 / 2)]
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
      ReferenceColor.clamped(ReferenceColor.saturation($0, amount: 50)).map { $0 * 255 }
    }
    let worst = zip(try result.pixelBytes(), expected).map { abs(Double($0) - $1) }.max()!
    #expect(worst < 0.51)
  }
}
