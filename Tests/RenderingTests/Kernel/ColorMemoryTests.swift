import SafelightAdjustments
import SafelightFilters
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering

@Suite struct ColorMemoryTests {
  /// A pass that counts its pixels and exchanges red and blue.
  private final class Exchange: Sendable {
    let pass: ColorPass.RowFunction = { input, output, count, _, _ in
      let (source, target) = (
        input.assumingMemoryBound(to: UInt8.self), output.assumingMemoryBound(to: UInt8.self)
      )
      for index in 0..<count {
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
        memory.map(input.baseAddress!, to: output.baseAddress!, count: codes.count / 3)
      }
    }
    return result
  }

  @Test func everyColorIsRememberedAsItself() throws {
    let memory = try #require(ColorMemory(Exchange().pass))
    for red in stride(from: 0, through: 255, by: 5) {
      let codes = (0..<65_536).flatMap { [UInt8(red), UInt8($0 >> 8), UInt8($0 & 255)] }
      let expected = (0..<65_536).flatMap { [UInt8($0 & 255), UInt8($0 >> 8), UInt8(red)] }
      #expect(mapped(memory, codes) == expected)
      #expect(mapped(memory, codes) == expected)
    }
  }

  /// Colors that come again, all new ones, and a mix, on two threads at once.
  @Test func threadsShareWhatTheyLearn() async throws {
    let memory = try #require(ColorMemory(Exchange().pass))
    await withTaskGroup(of: Bool.self) { group in
      for seed in 0..<4 {
        group.addTask { [self] in
          var random = SeededGenerator(seed: UInt64(seed))
          for round in 0..<40 {
            let range: ClosedRange<UInt8> = round % 2 == 0 ? 0...255 : 100...120
            let codes = (0..<9000).map { _ in UInt8.random(in: range, using: &random) }
            let expected = stride(from: 0, to: 9000, by: 3).flatMap {
              [codes[$0 + 2], codes[$0 + 1], codes[$0]]
            }
            if mapped(memory, codes) != expected { return false }
          }
          return true
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  /// A picture large enough for it comes out as one that is not.
  @Test func aLargePictureHasThePixelsOfItsParts() throws {
    var random = SeededGenerator(seed: 11)
    let (width, height) = (2048, 1024)
    let codes = (0..<(width * height * 3)).map { index in
      UInt8(60 + index % 3 * 30) &+ UInt8.random(in: 0...40, using: &random)
    }
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
