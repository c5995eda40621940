import Foundation
import SafelightAdjustments
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

/// What photographers rely on, whatever the formula.
@Suite struct LightStepTests {
  private static let grays = (0...1023).map { [Double](repeating: Double($0) / 1023, count: 3) }

  private func curve(_ adjustment: some ColorRenderable) -> [Double] {
    adjustment.run(on: Self.grays).map { $0[0] }
  }

  @Test(arguments: [-5.0, -2, -1, 1, 1.4])
  func aStopDoublesLinearLightBelowTheShoulder(stops: Double) {
    var exposure = Exposure()
    exposure.amount = stops
    // 18 % gray and the sRGB code that stands for it.
    let result = exposure.run(on: [[0.461_356, 0.461_356, 0.461_356]])
    #expect(abs(ReferenceColor.linear(result[0][0]) / (0.18 * exp2(stops)) - 1) < 1e-4)
  }

  @Test(arguments: [0.3, 1, 2, 5])
  func exposureNeverClipsAndWhiteStaysWhite(stops: Double) {
    var exposure = Exposure()
    exposure.amount = stops
    let result = exposure.run(on: SamplePixels.all)
    // Half a code of 255 below black is left for the bend of OKLab's hues at the edge of sRGB.
    #expect(result.joined().allSatisfy { (-0.01...1.000_01).contains($0) })
    #expect(exposure.run(on: [[1, 1, 1]])[0].allSatisfy { abs($0 - 1) < 1e-6 })
  }

  /// Skin and blue, rounded to codes as in a render. Multiplied light turns skin by 10 to 57 degrees
  /// and these blues by up to 62, when it clips.
  @Test(
    arguments: [
      (1, [204, 153, 128]), (1, [230, 179, 153]), (1, [242, 204, 184]), (1, [153, 102, 77]),
      (2, [51, 102, 204]), (2, [102, 153, 230]), (2, [26, 26, 153]), (2, [0, 0, 255]),
    ] as [(Double, [Double])])
  func exposureKeepsHues(stops: Double, codes: [Double]) {
    var exposure = Exposure()
    exposure.amount = stops
    let color = codes.map { $0 / 255 }
    let result = exposure.run(on: [color])[0].map { (min(max($0, 0), 1) * 255).rounded() / 255 }
    let turn = ReferenceOKLab.turn(
      from: ReferenceOKLab.hue(ofEncoded: color), to: ReferenceOKLab.hue(ofEncoded: result))
    // The rounding of pale colors to codes turns them by up to a degree.
    #expect(abs(turn) < 1.5)
  }

  /// As a filter's exposure and the photo's own.
  @Test(arguments: [(1.0, -1.0), (-1, 1), (2.5, -2.5), (1.5, -0.5), (0.5, -2)])
  func exposuresOfAnEditAddUp(first: Double, second: Double) throws {
    let steps = [first, second].map { #"{"id":"exposure","version":1,"amount":\#($0)}"# }
    let both = steps.joined(separator: ",")
    let json = #"{"name":"both","version":1,"title":"T","summary":"S.","steps":[\#(both)]}"#
    let result = try Filter(json: json.utf8).applied().run(on: SamplePixels.all)
    let expected = SamplePixels.all.map { ReferenceLight.exposure($0, stops: first + second) }
    #expect(largestDifference(result, expected) < 0.01)
  }

  @Test(arguments: ReferenceCase.light)
  func toneToolsKeepGrayGrayAndTonesInOrder(_ sample: ReferenceCase) {
    let result = sample.adjustment.run(on: Self.grays)
    if let levels = sample.adjustment as? Levels {
      guard [levels.red, levels.green, levels.blue].allSatisfy({ $0 == Levels.Points() }),
        levels.all.outputBlack < levels.all.outputWhite
      else { return }
    }
    #expect(result.allSatisfy { $0[0] == $0[1] && $0[1] == $0[2] })
    #expect(zip(result, result.dropFirst()).allSatisfy { $0[0] <= $1[0] })
  }

  @Test(arguments: [-100, -30, 45, 100])
  func brightnessAndContrastKeepBlackAndWhite(amount: Double) {
    var (brightness, contrast) = (Brightness(), Contrast())
    (brightness.amount, contrast.amount) = (amount, amount)
    for tones in [curve(brightness), curve(contrast)] {
      #expect(abs(tones[0]) < 1e-6)
      #expect(abs(tones[1023] - 1) < 1e-6)
    }
    #expect(abs(contrast.run(on: [[0.5, 0.5, 0.5]])[0][0] - 0.5) < 1e-6)
  }

  @Test(arguments: [15, 60, 100])
  func brightnessUndoesItself(amount: Double) {
    var (there, back) = (Brightness(), Brightness())
    (there.amount, back.amount) = (amount, -amount)
    let steps = there.colorSteps(in: .wholePhoto) + back.colorSteps(in: .wholePhoto)
    #expect(largestDifference(steps.run(on: SamplePixels.all), SamplePixels.all) < 0.01)
  }

  @Test func contrastStaysUsableAtItsEnds() {
    func slope(_ amount: Double) -> Double {
      var contrast = Contrast()
      contrast.amount = amount
      let tones = contrast.run(on: [[0.49, 0.49, 0.49], [0.51, 0.51, 0.51]])
      return (tones[1][0] - tones[0][0]) / 0.02
    }
    #expect(abs(slope(100) - 1.66) < 0.01)
    #expect(abs(slope(-100) - 0.6) < 0.01)
  }

  @Test(arguments: [(100.0, 0.0), (-100, 0), (0, 100), (0, -100)])
  func whitesAndBlacksHoldTheMiddle(whites: Double, blacks: Double) {
    var ends = WhitesBlacks()
    (ends.whites, ends.blacks) = (whites, blacks)
    let result = ends.run(on: [[0.5, 0.5, 0.5], [0, 0, 0], [1, 1, 1]])
    #expect(abs(result[0][0] - 0.5) < 0.012)
    #expect(abs(result[1][0] - 0.0015 * blacks) < 1e-5)
    #expect(abs(result[2][0] - 1 - 0.0018 * whites) < 1e-5)
  }

  /// GIMP and ImageMagick: 0.25 at a gamma of 2 is 0.5.
  @Test func gammaIsThatOfOtherPrograms() {
    var gamma = Gamma()
    gamma.amount = 2
    #expect(largestDifference(gamma.run(on: [[0.25, 0.25, 0.25]]), [[0.5, 0.5, 0.5]]) < 0.001)
  }

  @Test func levelsClipAtTheirPointsAndFillTheirOutput() {
    var levels = Levels()
    (levels.all.black, levels.all.white) = (51, 204)
    (levels.all.outputBlack, levels.all.outputWhite) = (25.5, 229.5)
    let inputs = [0.1, 0.2, 0.5, 0.8, 0.95, -0.3, 1.4].map { [$0, $0, $0] }
    let result = levels.run(on: inputs).map { $0[0] }
    for (value, expected) in zip(result, [0.1, 0.1, 0.5, 0.9, 0.9, 0.1, 0.9]) {
      #expect(abs(value - expected) < 0.0005)
    }
  }

  @Test func aWhitePointBelowTheBlackPointIsAThreshold() {
    var levels = Levels()
    (levels.all.black, levels.all.white) = (128, 60)
    let result = levels.run(on: [[0.49, 0.49, 0.49], [0.52, 0.52, 0.52]])
    #expect(result[0][0] == 0)
    #expect(result[1][0] == 1)
  }
}
