import Foundation
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

/// Pictures made smaller and larger, against arithmetic in double precision.
@Suite struct ResizingTests {
  /// Lanczos's kernel by the product of its two factors.
  private static func lanczos(_ x: Double) -> Double {
    func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }
    return abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0
  }

  /// One row or column of light at another length, straight from the definition.
  private static func resized(_ light: [Double], to count: Int, extent: Double) -> [Double] {
    let ratio = extent / Double(count)
    let stretch = max(1, ratio)
    return (0..<count).map { result in
      let middle = (Double(result) + 0.5) * ratio
      var (sum, total) = (0.0, 0.0)
      for index in Int(middle - 3 * stretch - 2)...Int(middle + 3 * stretch + 2) {
        let weight = lanczos((Double(index) + 0.5 - middle) / stretch)
        sum += weight * light[min(max(index, 0), light.count - 1)]
        total += weight
      }
      return sum / total
    }
  }

  private static func resized(
    _ codes: [Double], _ size: PixelSize, to new: PixelSize, bands: Int,
    extent: (Double, Double)? = nil, light: (Double) -> Double, code: (Double) -> Double
  ) -> [Double] {
    let extent = extent ?? (Double(size.width), Double(size.height))
    var result = [Double](repeating: 0, count: new.width * new.height * bands)
    for band in 0..<bands {
      let columns = (0..<size.width).map { x in
        resized(
          (0..<size.height).map { light(codes[($0 * size.width + x) * bands + band]) },
          to: new.height, extent: extent.1)
      }
      for y in 0..<new.height {
        let row = resized(columns.map { $0[y] }, to: new.width, extent: extent.0)
        for (x, value) in row.enumerated() {
          result[(y * new.width + x) * bands + band] = code(min(max(value, 0), 1))
        }
      }
    }
    return result
  }

  private static func linear(_ code: Double) -> Double {
    code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
  }

  private static func encoded(_ light: Double) -> Double {
    light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
  }

  @Test(
    arguments: [
      (97, 61, 24, 15), (97, 61, 90, 61), (64, 200, 7, 3), (40, 30, 101, 77), (5, 3, 2, 1),
    ],
    [1, 3])
  func pixelsAreMeansOfLight(sides: (Int, Int, Int, Int), bands: Int) throws {
    let (size, new) = (
      PixelSize(width: sides.0, height: sides.1), PixelSize(width: sides.2, height: sides.3)
    )
    var random = SeededGenerator(seed: UInt64(sides.0))
    for largest in [255, 65_535] {
      let codes = (0..<(size.width * size.height * bands)).map { _ in
        Int.random(in: 0...largest, using: &random)
      }
      let bytes =
        largest == 255
        ? codes.map { UInt8($0) } : codes.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
      let image = try Image.fromMemory(
        bytes, width: size.width, height: size.height, bands: bands,
        format: largest == 255 ? .uint8 : .uint16)
      let found = try PictureResizing(to: new, from: size, coding: .sRGB).applied(to: image)
      #expect(found.size == new && found.bands == bands)
      let pixels = try found.pixelBytes()
      let expected = Self.resized(
        codes.map { Double($0) / Double(largest) }, size, to: new, bands: bands, light: Self.linear,
        code: Self.encoded)
      let worst = expected.enumerated().map { index, code in
        let value =
          largest == 255
          ? Int(pixels[index]) : Int(pixels[2 * index]) | Int(pixels[2 * index + 1]) << 8
        return abs(Double(value) - code * Double(largest))
      }.max()!
      #expect(worst < (largest == 255 ? 0.51 : 1.5))
    }
  }

  /// The decoder's last column and row may stand for less than a whole one.
  @Test func placesFollowThePictureBeforeItsDecoderMadeItSmaller() throws {
    let (size, new) = (PixelSize(width: 51, height: 34), PixelSize(width: 12, height: 8))
    let whole = PixelSize(width: 101, height: 67)
    var random = SeededGenerator(seed: 3)
    let codes = (0..<(51 * 34 * 3)).map { _ in UInt8.random(in: 0...255, using: &random) }
    let image = try Image.fromMemory(codes, width: 51, height: 34, bands: 3, format: .uint8)
    let found = try PictureResizing(to: new, from: size, shrunk: 2, of: whole, coding: .sRGB)
      .applied(to: image).pixelBytes()
    let expected = Self.resized(
      codes.map { Double($0) / 255 }, size, to: new, bands: 3, extent: (50.5, 33.5),
      light: Self.linear, code: Self.encoded)
    #expect(zip(found, expected).allSatisfy { abs(Double($0) - 255 * $1) < 0.51 })
  }

  /// Black and white stripes finer than the result can show become the gray of half their light.
  @Test func stripesBecomeHalfTheLight() throws {
    let bytes = (0..<120).flatMap { _ in (0..<160).map { UInt8($0 % 2 * 255) } }
    let image = try Image.fromMemory(bytes, width: 160, height: 120, bands: 1, format: .uint8)
    let found = try PictureResizing(
      to: PixelSize(width: 40, height: 30), from: image.size, coding: .sRGB
    ).applied(to: image).pixelBytes()
    let inner = (0..<30).flatMap { (row: Int) -> ArraySlice<UInt8> in
      found[(row * 40 + 4)..<(row * 40 + 36)]
    }
    #expect(inner.allSatisfy { $0 == 188 })
  }

  /// Waves above what the result can show leave next to nothing of their light. A pixel of the
  /// result shows waves up to half a cycle; up to 0.7 the kernel fades out.
  @Test(
    arguments: [
      (0.72, 0.011), (0.75, 0.011), (0.8, 0.011), (0.9, 0.005), (1.0, 0.005), (1.7, 0.005),
    ],
    [0, 1, 2])
  func finerWavesVanish(wave: (frequency: Double, most: Double), direction: Int) throws {
    let (side, factor) = (400, 5.0)
    let (right, down) = [(wave.frequency, 0.0), (0, wave.frequency), (wave.frequency, 0.2)][
      direction]
    // 16 bits, so that rounding is no part of it.
    let bytes = (0..<(side * side)).flatMap { index -> [UInt8] in
      let (x, y) = (Double(index % side), Double(index / side))
      let light = 0.5 + 0.4 * cos(2 * .pi / factor * (x * right + y * down))
      let code = Int((65_535 * Self.encoded(light)).rounded())
      return [UInt8(code & 255), UInt8(code >> 8)]
    }
    let image = try Image.fromMemory(bytes, width: side, height: side, bands: 1, format: .uint16)
    let size = PixelSize(width: side / 5, height: side / 5)
    let pixels = try PictureResizing(to: size, from: image.size, coding: .sRGB)
      .applied(to: image).pixelBytes()
    let light = (4..<(size.height - 4)).flatMap { y in
      (4..<(size.width - 4)).map { x in
        let place = 2 * (y * size.width + x)
        return Self.linear(Double(Int(pixels[place]) | Int(pixels[place + 1]) << 8) / 65_535)
      }
    }
    // The deviation of a wave is its amplitude by the root of two.
    #expect(ReferenceMeasures.deviation(light) * 2.0.squareRoot() / 0.4 < wave.most)
  }

  @Test(arguments: [0, 1, 77, 254, 255])
  func aFlatPictureStaysFlat(code: UInt8) throws {
    let bytes = [UInt8](repeating: code, count: 90 * 70 * 3)
    let image = try Image.fromMemory(bytes, width: 90, height: 70, bands: 3, format: .uint8)
    for (width, height) in [(20, 15), (89, 70), (200, 111)] {
      let size = PixelSize(width: width, height: height)
      let found = try PictureResizing(to: size, from: image.size, coding: .sRGB).applied(to: image)
      #expect(try found.pixelBytes().allSatisfy { $0 == code })
    }
  }

  /// A power curve is steep there.
  @Test(arguments: [30, 60, 120, 1000])
  func darkCodesOf16BitsStay(code: UInt16) throws {
    let fixture = OpenFixture("profiles/adobe.jpg")
    let opened = try OpenedPhoto(fixture.source())
    let coding = try DecodedPhoto(opened, for: .init(orientation: opened.orientation)).coding
    let bytes = (0..<(90 * 70 * 3)).flatMap { _ in [UInt8(code & 255), UInt8(code >> 8)] }
    let image = try Image.fromMemory(bytes, width: 90, height: 70, bands: 3, format: .uint16)
    let size = PixelSize(width: 20, height: 15)
    let found = try PictureResizing(to: size, from: image.size, coding: coding).applied(to: image)
    #expect(try found.pixelBytes() == Array(bytes.prefix(20 * 15 * 6)))
  }

  @Test func theResolutionStays() throws {
    let fixture = OpenFixture("orientation/1.jpg")
    let photo = try Image.open(Source(fixture.file), as: .jpeg)
    let small = try PictureResizing(
      to: PixelSize(width: 24, height: 16), from: photo.size, coding: .sRGB
    ).applied(to: photo)
    #expect(small.resolutionUnit == "in")
    #expect(small.resolution == photo.resolution)
  }

  /// Every matrix profile averages light by its own curves.
  @Test(arguments: ["profiles/p3.jpg", "profiles/adobe.jpg"])
  func profilesKeepTheirOwnCurves(name: String) throws {
    let fixture = OpenFixture(name)
    let opened = try OpenedPhoto(fixture.source())
    let whole = try DecodedPhoto(opened, for: .init(orientation: opened.orientation))
    let size = whole.image.size.scaled(by: 0.3)
    let small = try DecodedPhoto(opened, for: .init(orientation: opened.orientation, scale: 0.3))
    guard case .matrix(let profile) = whole.coding else {
      Issue.record("\(name) has no matrix profile")
      return
    }
    let expected = Self.resized(
      try whole.image.pixelBytes().map { Double($0) / 255 }, whole.image.size, to: size, bands: 3,
      light: { profile.responses[0].linear($0) }, code: { profile.responses[0].code($0) })
    let found = try small.image.pixelBytes()
    #expect(found.count == expected.count)
    #expect(zip(found, expected).allSatisfy { abs(Double($0) - 255 * $1) < 0.52 })
  }
}
