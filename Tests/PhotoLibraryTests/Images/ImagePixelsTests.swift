import Foundation
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite struct ImagePixelsTests {
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  @Test(arguments: 1...8)
  func everyOrientationStandsUpright(orientation: Int) async throws {
    let asset = try await test.create("orientation/\(orientation).jpg")
    let image = try await test.manager().requestImage(
      for: asset, targetSize: .square(48), options: .good)
    #expect(image.size == PixelSize(width: 48, height: 32))
    // The corners of the card: red, green, blue, yellow.
    let corners = [(0.05, 0.1), (0.95, 0.1), (0.05, 0.9), (0.95, 0.9)].map {
      image.color($0.0, $0.1).map { $0 > 128 }
    }
    #expect(
      corners == [
        [true, false, false], [false, true, false], [false, false, true], [true, true, false],
      ])
  }

  @Test(arguments: [
    ("beach.jpg", 1200, 800), ("cmyk.jpg", 96, 64), ("gradients/grey.jpg", 128, 96),
    ("progressive.jpg", 240, 160), ("exif-gps-makernote.jpg", 240, 160), ("alpha.png", 96, 72),
    ("sixteen-bit.png", 160, 112), ("rgb.tif", 240, 160), ("lossy.webp", 240, 160),
    ("photo.heic", 240, 160), ("photo.avif", 240, 160), ("profiles/grey-profile.jpg", 128, 64),
  ])
  func everyFormatIsShown(fixture: String, width: Int, height: Int) async throws {
    let asset = try await test.create(fixture)
    let whole = try await test.manager().requestImage(
      for: asset, targetSize: imageManagerMaximumSize, options: .good)
    #expect(whole.size == PixelSize(width: asset.pixelWidth, height: asset.pixelHeight))
    #expect(
      whole.size == PixelSize(width: width, height: height)
        || whole.size == PixelSize(width: height, height: width))
    let small = try await test.manager().requestImage(
      for: asset, targetSize: .square(40), options: .good)
    #expect(max(small.width, small.height) == 40)
    // The small picture and the large picture have the same mean colors in each quarter.
    for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
      let difference = zip(whole.mean(x, y), small.mean(x, y)).map { abs($0 - $1) }
      #expect(difference.max()! < 6, "\(x) \(y)")
    }
  }

  @Test func wideColorsBecomeThoseOfTheScreen() async throws {
    let asset = try await test.create("profiles/p3.jpg")
    let image = try await test.manager().requestImage(
      for: asset, targetSize: imageManagerMaximumSize, options: .good)
    // Display P3's red lies outside of sRGB; (210, 150, 120) of P3 is (218, 149, 116) of sRGB, gray
    // stays: from the matrices of SMPTE EG 432-1 and IEC 61966-2-1.
    let (red, skin, gray) = (
      image.color(0.125, 0.25), image.color(0.125, 0.75), image.color(0.375, 0.75)
    )
    #expect(red[0] >= 253 && red[1] <= 3 && red[2] <= 6)
    #expect(zip(skin, [218, 149, 116]).allSatisfy { abs($0 - $1) <= 4 }, "\(skin)")
    #expect(gray.allSatisfy { abs($0 - 128) <= 2 })
  }

  @Test func whatIsTransparentLiesOnWhite() async throws {
    let asset = try await test.create("alpha.png")
    let image = try await test.manager().requestImage(
      for: asset, targetSize: imageManagerMaximumSize)
    #expect(image.color(0, 0) == [255, 255, 255])
  }

  @Test func aPartIsCutOut() async throws {
    let asset = try await test.create("orientation/6.jpg")
    let options = ImageRequestOptions.with {
      $0.resizeMode = .exact
      $0.normalizedCropRect = NormalizedRect(x: 5.0 / 6, y: 0, width: 1.0 / 6, height: 0.25)
    }
    // The upper right corner is green, sixteen pixels square, and enlarged here.
    let image = try await test.manager().requestImage(
      for: asset, targetSize: .square(64), contentMode: .aspectFill, options: options)
    #expect(image.size == .square(64))
    let middle = image.color(0.4, 0.6)
    #expect(middle[1] > 128 && middle[0] < 128 && middle[2] < 128, "\(middle)")
  }

  /// Only exact sizes enlarge a photo.
  @Test(arguments: [
    (
      "beach.jpg", 100, ImageContentMode.aspectFit, ImageRequestOptions.ResizeMode.none, "150 × 100"
    ),
    ("beach.jpg", 100, .aspectFit, .fast, "100 × 67"),
    ("beach.jpg", 100, .aspectFit, .exact, "100 × 67"),
    ("beach.jpg", 100, .aspectFill, .none, "150 × 100"),
    ("beach.jpg", 100, .aspectFill, .fast, "150 × 100"),
    ("beach.jpg", 100, .aspectFill, .exact, "100 × 100"),
    ("orientation/1.jpg", 300, .aspectFit, .none, "96 × 64"),
    ("orientation/1.jpg", 300, .aspectFit, .fast, "96 × 64"),
    ("orientation/1.jpg", 300, .aspectFit, .exact, "300 × 200"),
  ])
  func sizesAreThoseOfTheModes(
    fixture: String, side: Int, mode: ImageContentMode, resize: ImageRequestOptions.ResizeMode,
    size: String
  ) async throws {
    let asset = try await test.create(fixture)
    let image = try await test.manager().requestImage(
      for: asset, targetSize: .square(side), contentMode: mode,
      options: .with { $0.resizeMode = resize })
    #expect("\(image.width) × \(image.height)" == size)
  }

  @Test func aPictureSurvivesItsJPEG() throws {
    let image = DisplayImage.plain([200, 100, 50], width: 40, height: 30)
    let bytes = Array(try image.jpegData(quality: 90))
    let again = try #require(bytes.withUnsafeBytes(DisplayImage.init(jpegBytes:)))
    #expect(again.difference(from: image) < 2)
    #expect(bytes.dropLast(20).withUnsafeBytes(DisplayImage.init(jpegBytes:)) == nil)
  }
}

extension DisplayImage {
  /// The mean color of one of four quarters: the code of the mean light, with 2.2 for sRGB's curve.
  fileprivate func mean(_ x: Int, _ y: Int) -> [Double] {
    let columns = (x * width / 2)..<((x + 1) * width / 2)
    let rows = (y * height / 2)..<((y + 1) * height / 2)
    var sum = [0.0, 0, 0]
    for row in rows {
      for column in columns {
        for channel in 0..<3 {
          sum[channel] += pow(Double(pixels[(row * width + column) * 3 + channel]) / 255, 2.2)
        }
      }
    }
    return sum.map { 255 * pow($0 / Double(columns.count * rows.count), 1 / 2.2) }
  }
}
