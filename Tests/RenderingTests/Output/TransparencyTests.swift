import Foundation
import SafelightAdjustments
import SafelightMetadata
import SafelightVips
import Testing

@testable import SafelightRendering

/// Transparency that is kept, against the arithmetic of premultiplied light in double precision.
@Suite(.serialized) struct TransparencyTests {
  private static let size = PixelSize(width: 96, height: 64)

  /// Red disks with soft edges over transparent black, with noise in green and blue where something is seen.
  private static let photo: (color: [UInt8], alpha: [UInt8]) = {
    var state: UInt64 = 1
    var (color, alpha): ([UInt8], [UInt8]) = ([], [])
    for y in 0..<size.height {
      for x in 0..<size.width {
        let distance = hypot(Double(x % 32) - 15.5, Double(y % 32) - 15.5)
        let seen = min(max((13 - distance) / 3, 0), 1)
        alpha.append(UInt8((255 * seen).rounded()))
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let noise = UInt8((state >> 33) % 91)
        color += seen > 0 ? [220, 40 + noise, 40] : [0, 0, 0]
      }
    }
    return (color, alpha)
  }()

  private func png(_ color: [UInt8], _ alpha: [UInt8]) throws -> [UInt8] {
    var pixels: [UInt8] = []
    for index in alpha.indices {
      pixels += color[(3 * index)..<(3 * index + 3)]
      pixels.append(alpha[index])
    }
    final class Collector { var bytes: [UInt8] = [] }
    let collector = Collector()
    try Image.fromMemory(
      pixels, width: Self.size.width, height: Self.size.height, bands: 4, format: .uint8
    ).writePNG(to: Target { collector.bytes += $0 })
    return collector.bytes
  }

  /// The photo through the renderer, as a PNG that is read again.
  private func rendered(
    _ edit: EditStack = EditStack(), _ change: (inout RenderOutput) -> Void = { _ in }
  ) throws -> (image: Image, pixels: [Int], report: Renderer.Report) {
    final class Collector { var bytes: [UInt8] = [] }
    let collector = Collector()
    var output = RenderOutput(format: .png)
    change(&output)
    let report = try TemporaryFile.holding(png(Self.photo.color, Self.photo.alpha)) { fixture in
      try Renderer().render(
        Renderer().open(fixture.source()), edit: edit, as: output,
        derivedFrom: OriginalReference(fileName: "a.png", sha256: ""),
        to: { collector.bytes += $0 })
    }
    let image = try Image.open(
      Source(collector.bytes), as: output.format == .tiff ? .tiff : .png)
    return (image, try image.pixelBytes().map(Int.init), report)
  }

  @Test func whatIsNotEditedKeepsEveryCode() throws {
    let result = try rendered()
    #expect(result.image.bands == 4 && result.report.warnings.own.isEmpty)
    for index in Self.photo.alpha.indices {
      let expected = Self.photo.color[(3 * index)..<(3 * index + 3)] + [Self.photo.alpha[index]]
      #expect(result.pixels[(4 * index)..<(4 * index + 4)].elementsEqual(expected.map(Int.init)))
    }
  }

  /// Each color counts for as much light as is seen of it.
  @Test func aSmallerPictureIsThatOfPremultipliedLight() throws {
    let result = try rendered { $0.longestSide = 37 }
    let (width, height) = (result.image.width, result.image.height)
    let across = ResizingWeights(from: 96, extent: 96, to: width)
    let down = ResizingWeights(from: 64, extent: 64, to: height)
    func light(_ code: Double) -> Double {
      code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
    }
    func code(_ light: Double) -> Double {
      light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
    var (worst, compared) = (0.0, 0)
    for y in 0..<height {
      for x in 0..<width {
        var (sum, sums) = (0.0, [0.0, 0.0, 0.0])
        for row in 0..<down.count {
          for column in 0..<across.count {
            let place =
              (Int(down.first[y]) + row) * 96 + Int(across.first[x]) + column
            let weight =
              Double(down.weights[y * down.count + row])
              * Double(across.weights[x * across.count + column])
              * Double(Self.photo.alpha[place]) / 255
            sum += weight
            for band in 0..<3 {
              sums[band] += weight * light(Double(Self.photo.color[3 * place + band]) / 255)
            }
          }
        }
        let pixel = 4 * (y * width + x)
        let alpha = min(max(sum, 0), 1)
        #expect(abs(Double(result.pixels[pixel + 3]) - 255 * alpha) <= 1)
        guard alpha > 0.05 else { continue }
        for band in 0..<3 {
          let expected = 255 * code(min(max(sums[band] / sum, 0), 1))
          worst = max(worst, abs(Double(result.pixels[pixel + band]) - expected))
          compared += 1
        }
      }
    }
    #expect(worst <= 1 && compared > 600, "\(worst), \(compared)")
  }

  /// Neither turning by an angle nor sharpening nor blurring brings the black behind into view.
  @Test(arguments: ["straighten", "perspective", "sharpen", "output", "smaller", "blur"])
  func edgesStayAsRedAsTheyAre(kind: String) throws {
    var edit = EditStack()
    switch kind {
    case "straighten": try edit.set("straighten", to: "7")
    case "perspective": try edit.set("perspective-vertical", to: "30")
    case "sharpen": try edit.set("sharpen", to: "1")
    case "blur": try edit.set("clarity", to: "0.5")
    default: break
    }
    let result = try rendered(edit) {
      if kind == "output" || kind == "smaller" { $0.sharpening = .matte }
      if kind == "smaller" { $0.longestSide = 50 }
    }
    #expect(result.image.bands == 4)
    var seen = 0
    for pixel in stride(from: 0, to: result.pixels.count, by: 4) where result.pixels[pixel + 3] > 12
    {
      seen += 1
      // Clarity and sharpening change tones on purpose, by the noise in green; black would be far below.
      let least = ["blur", "output", "smaller"].contains(kind) ? 180 : 212
      #expect(result.pixels[pixel] >= least, "\(kind) at \(pixel / 4): \(result.pixels[pixel])")
    }
    #expect(seen > 300)
  }

  @Test func formatsWithoutTransparencyLieOnWhite() throws {
    let bytes = try png(Self.photo.color, Self.photo.alpha)
    final class Collector { var bytes: [UInt8] = [] }
    let collector = Collector()
    let report = try TemporaryFile.holding(bytes) { fixture in
      try Renderer().render(
        Renderer().open(fixture.source()), edit: EditStack(),
        as: RenderOutput(format: .jpeg), derivedFrom: .init(fileName: "a.png", sha256: ""),
        to: { collector.bytes += $0 })
    }
    #expect(report.warnings.own == [.alphaFlattened])
    let pixels = try Image.open(Source(collector.bytes), as: .jpeg).pixelBytes()
    #expect(pixels[0] > 250 && pixels[1] > 250 && pixels[2] > 250)
  }

  /// A picture that is wholly there has no channel that says so.
  @Test func anOpaquePictureHasNoAlpha() throws {
    final class Collector { var bytes: [UInt8] = [] }
    let collector = Collector()
    let opaque = [UInt8](repeating: 255, count: Self.photo.alpha.count)
    _ = try TemporaryFile.holding(png(Self.photo.color, opaque)) { fixture in
      try Renderer().render(
        Renderer().open(fixture.source()), edit: EditStack(),
        as: RenderOutput(format: .png), derivedFrom: .init(fileName: "a.png", sha256: ""),
        to: { collector.bytes += $0 })
    }
    #expect(try Image.open(Source(collector.bytes), as: .png).bands == 3)
  }

  @Test func sixteenBitsHaveSixteenBitsOfAlpha() throws {
    let result = try rendered {
      $0.depth = 16
      $0.format = .tiff
    }
    #expect(result.image.bands == 4 && result.image.sampleFormat == .uint16)
    func code(_ place: Int) -> Int {
      result.pixels[2 * place] | (result.pixels[2 * place + 1] << 8)
    }
    for index in Self.photo.alpha.indices {
      #expect(code(4 * index + 3) == 257 * Int(Self.photo.alpha[index]))
    }
  }
}
