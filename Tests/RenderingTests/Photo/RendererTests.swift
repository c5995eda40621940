import Foundation
import SafelightAdjustments
import SafelightFilters
import SafelightMetadata
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

/// One test at a time, because the warnings of libvips belong to the process.
@Suite(.serialized) struct RendererTests {
  /// Codes of the pixel at (x, y).
  private func pixel(of image: Image, codes: [Int], x: Int, y: Int) -> [Int] {
    let start = (y * image.width + x) * image.bands
    return Array(codes[start..<(start + image.bands)])
  }

  @Test(arguments: 1...8)
  func everyOrientationComesOutUpright(orientation: Int) throws {
    let (image, codes) = try OpenFixture("orientation/\(orientation).jpg").pixels()
    #expect(image.width == 96 && image.height == 64)
    // Red top left, green top right, blue bottom left, yellow bottom right.
    let corners = [(4, 4), (91, 4), (4, 59), (91, 59)].map {
      pixel(of: image, codes: codes, x: $0.0, y: $0.1)
    }
    let expected = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0]]
    for (corner, wanted) in zip(corners, expected) {
      for (code, wish) in zip(corner, wanted) { #expect(abs(code - wish) < 120) }
    }
  }

  @Test(arguments: [
    "beach.jpg", "profiles/p3.jpg", "profiles/adobe.jpg", "profiles/grey-profile.jpg",
    "gradients/chart.png", "gradients/grey-ramp.png", "gradients/grey-ramp-16.png",
    "gradients/grey.jpg", "sixteen-bit.png", "sixteen-bit.tif", "rgb.tif", "progressive.jpg",
    "photo.heic", "photo.avif",
  ])
  func aNeutralEditGivesTheDecodersOwnPixels(name: String) throws {
    let fixture = OpenFixture(name)
    let opened = try OpenedPhoto(fixture.source())
    let stored = try opened.image
    let expected = try stored.pixelBytes()
    let (image, codes) = try fixture.pixels(try Filter.noir(at: 0))
    #expect(image.bands == stored.bands)
    let wide = image.sampleFormat == .uint16
    let own =
      wide
      ? stride(from: 0, to: expected.count, by: 2).map {
        Int(expected[$0]) | Int(expected[$0 + 1]) << 8
      } : expected.map(Int.init)
    #expect(codes == own)
  }

  @Test(arguments: ["profiles/p3.jpg", "profiles/adobe.jpg", "beach.jpg"])
  func theOwnProfileIsKeptByteForByte(name: String) throws {
    let fixture = OpenFixture(name)
    let own = try OpenedPhoto(fixture.source()).image.attachment(.profile)
    let (image, _) = try fixture.pixels(EditStack.saturation(30))
    #expect(own != nil)
    #expect(own == image.attachment(.profile))
  }

  /// The whole pipeline in double precision: codes of the profile to linear sRGB by the published
  /// primaries, saturation on encoded values, and back.
  @Test(arguments: [
    ("profiles/p3.jpg", [(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)], 0.0),
    ("profiles/adobe.jpg", [(0.64, 0.33), (0.21, 0.71), (0.15, 0.06)], 2.199_218_75),
  ])
  func wideGamutsAreEditedThroughLinearSRGB(
    name: String, primaries: [(Double, Double)], gamma: Double
  ) throws {
    let toXYZ = try #require(Self.matrix(primaries))
    let sRGB = try #require(Self.matrix([(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)]))
    let toSRGB = try #require(sRGB.inverse) * toXYZ
    let fromSRGB = try #require(toSRGB.inverse)
    func linear(_ code: Double) -> Double {
      gamma > 0 ? pow(code, gamma) : ReferenceColor.linear(code)
    }
    func coded(_ linear: Double) -> Double {
      gamma > 0 ? pow(linear, 1 / gamma) : ReferenceColor.encoded(linear)
    }

    let fixture = OpenFixture(name)
    let before = try OpenedPhoto(fixture.source()).image.pixelBytes()
    let after = try fixture.pixels(EditStack.saturation(-60)).codes
    var worst = 0.0
    for start in stride(from: 0, to: before.count, by: 3) {
      let light = before[start..<(start + 3)].map { linear(Double($0) / 255) }
      let encoded = (toSRGB * light).map(ReferenceColor.encoded)
      let edited = ReferenceSeenHues.saturated(encoded, amount: -60).map(ReferenceColor.linear)
      let codes = (fromSRGB * edited).map { coded(min(max($0, 0), 1)) * 255 }
      for (code, expected) in zip(after[start..<(start + 3)], codes) {
        worst = max(worst, abs(Double(code) - expected))
      }
    }
    // Half a code is rounding; the rest is the 16-bit numbers in which profiles state colors.
    #expect(worst < 1)
  }

  /// From linear red, green and blue to XYZ with white D65.
  private static func matrix(_ primaries: [(Double, Double)]) -> ColorMatrix? {
    let columns = primaries.map { [$0.0 / $0.1, 1, (1 - $0.0 - $0.1) / $0.1] }
    let raw = ColorMatrix((0..<3).flatMap { row in (0..<3).map { columns[$0][row] } })
    guard let inverse = raw.inverse else { return nil }
    let scale = inverse * [0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290]
    return ColorMatrix((0..<9).map { raw.elements[$0] * scale[$0 % 3] })
  }

  @Test func cmykAndAlphaSayWhatBecameOfThem() throws {
    let cmyk = try OpenFixture("cmyk.jpg").render(EditStack.saturation(10))
    #expect(cmyk.report.warnings.contains(.convertedToSRGB(from: "CMYK")))
    let alpha = try OpenFixture("alpha.png").render(EditStack.saturation(10), as: .jpeg)
    #expect(alpha.report.warnings.contains(.alphaFlattened))
  }

  @Test(arguments: ["alpha.png", "alpha-16.png", "lossless-alpha.webp"])
  func transparencyIsShownOnWhiteInAJPEG(name: String) throws {
    let fixture = OpenFixture(name)
    let opened = try OpenedPhoto(fixture.source()).image
    let codes = try opened.pixelBytes()
    let jpeg = try fixture.render(as: .jpeg, quality: 100).bytes
    let image = try Image.open(Source(jpeg), as: .jpeg)
    let result = try image.pixelBytes().map(Int.init)
    let wide = opened.sampleFormat == .uint16
    let samples =
      wide
      ? stride(from: 0, to: codes.count, by: 2).map { Int(codes[$0]) | Int(codes[$0 + 1]) << 8 }
      : codes.map(Int.init)
    let clear = (0..<(image.width * image.height)).filter { samples[$0 * 4 + 3] == 0 }
    #expect(!clear.isEmpty)
    // The encoder moves codes beside edges.
    let sum = clear.reduce(0) { $0 + result[$1 * 3] + result[$1 * 3 + 1] }
    #expect(Double(sum) / Double(2 * clear.count) > 250)
  }

  @Test func aGrayProfileIsUndoneIntoSRGB() throws {
    let fixture = OpenFixture("profiles/grey-profile.jpg")
    let before = try OpenedPhoto(fixture.source()).image.pixelBytes()
    let after = try fixture.pixels(EditStack.saturation(50)).codes
    let worst = before.indices.map { index in
      let light = pow(Double(before[index]) / 255, 2.2)
      return abs(Double(after[index * 3]) - ReferenceColor.encoded(light) * 255)
    }.max()!
    #expect(worst < 0.6)
  }

  @Test(arguments: [
    ("bad/empty.jpg", RenderError.empty), ("bad/text.jpg", .notAPicture),
    ("bad/huge-header.jpg", .tooManyPixels(width: 65_500, height: 65_500, limit: 500_000_000)),
    ("bad/huge-header.png", .tooManyPixels(width: 65_500, height: 65_500, limit: 500_000_000)),
  ])
  func badFilesAreRefusedByTheirHeader(name: String, expected: RenderError) {
    #expect(throws: expected) { try OpenFixture(name).render() }
  }

  @Test func aTruncatedPhotoIsAnErrorUnlessAllowed() throws {
    let fixture = OpenFixture("bad/truncated.jpg")
    let error = #expect(throws: RenderError.self) { try fixture.render() }
    guard case .damaged = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let reference = OriginalReference(fileName: "truncated.jpg", sha256: "")
    var bytes = 0
    // What the decoder warns of is told apart from other photos' warnings in a process of its own only.
    try withUnsafeMutablePointer(to: &bytes) { count in
      nonisolated(unsafe) let count = count
      _ = try Renderer().render(
        fixture.source(allowsDamage: true), edit: EditStack(), derivedFrom: reference,
        to: { count.pointee += $0.count })
    }
    #expect(bytes > 1000)
  }

  @Test func theSinksErrorComesOutAsItself() {
    struct Full: Error {}
    let fixture = OpenFixture("beach.jpg")
    #expect(throws: Full.self) {
      try Renderer().render(
        fixture.source(), edit: EditStack(),
        derivedFrom: OriginalReference(fileName: "beach.jpg", sha256: ""),
        to: { _ in throw Full() })
    }
  }

  @Test func aCancelledRenderStops() {
    let cancellation = RenderCancellation()
    cancellation.cancel()
    let fixture = OpenFixture("beach.jpg")
    #expect(throws: CancellationError.self) {
      try Renderer().render(
        fixture.source(), edit: EditStack(),
        derivedFrom: OriginalReference(fileName: "beach.jpg", sha256: ""),
        cancellation: cancellation, to: { _ in })
    }
  }

  @Test func theSameEditGivesTheSameBytes() throws {
    let fixture = OpenFixture("beach.jpg")
    let first = try fixture.render(Filter.noir(at: 1), as: .jpeg).bytes
    let second = try fixture.render(Filter.noir(at: 1), as: .jpeg).bytes
    #expect(first == second)
  }

  @Test(arguments: [RenderOutput.Format.jpeg, .webp])
  func aPictureTooLongForItsFormatIsRefused(format: RenderOutput.Format) throws {
    let strip = try Image.fromMemory(
      [UInt8](repeating: 9, count: 66_000), width: 66_000, height: 1, bands: 1, format: .uint8)
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("safelight-\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    try strip.writePNG(to: Target { handle.write(Data($0)) })
    let error = #expect(throws: RenderError.self) { try OpenFixture(file).render(as: format) }
    guard case .cannotEncode = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func anUnknownAdjustmentIsRefused() throws {
    let json = #"{"adjustments":[{"id":"dehaze","version":2,"amount":1}]}"#
    let stack = try EditStack(
      AdjustmentData(
        formatIdentifier: EditStack.formatIdentifier, formatVersion: "1.0", data: Data(json.utf8)))
    #expect(throws: RenderError.unknownAdjustment(id: "dehaze", version: 2)) {
      try OpenFixture("beach.jpg").render(stack)
    }
  }
}

extension Filter {
  /// Noir alone at an intensity.
  fileprivate static func noir(at intensity: Double) throws -> EditStack {
    try EditStack([#require(ShippedFilters.all.first).applied(intensity: intensity)])
  }
}

extension ColorMatrix {
  fileprivate static func * (matrix: ColorMatrix, vector: [Double]) -> [Double] {
    (0..<3).map { (row: Int) -> Double in
      (0..<3).reduce(0.0) { (sum: Double, column: Int) -> Double in
        sum + matrix.elements[row * 3 + column] * vector[column]
      }
    }
  }
}
