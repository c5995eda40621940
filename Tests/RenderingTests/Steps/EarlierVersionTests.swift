import Foundation
import SafelightAdjustments
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

/// Adjustments that an earlier version stored give the pixels of that version.
@Suite struct EarlierVersionTests {
  /// The encoded pixels after one stored adjustment.
  private static func run(_ json: String, on pixels: [[Double]]) throws -> [[Double]] {
    let filter = """
      {"name":"stored","version":1,"title":"Stored","summary":"One adjustment.","steps":[\(json)]}
      """
    return try Filter(json: filter.utf8).applied().run(on: pixels)
  }

  private static func gray(_ amount: Double, _ band: Double, _ toning: Double) -> BlackAndWhite {
    var gray = BlackAndWhite()
    (gray.amount, gray.red, gray.blue) = (amount, band, -band)
    (gray.toning, gray.toningHue) = (toning, 220)
    return gray
  }

  @Test(arguments: [-100.0, -50, 25, 100])
  func saturationOfVersions1And2WeighsLuma(amount: Double) throws {
    let expected = SamplePixels.all.map { ReferenceColor.lumaSaturation($0, amount: amount) }
    for stored in [
      #"{"id":"saturation","version":1,"amount":\#(amount / 100)}"#,
      #"{"id":"saturation","version":2,"amount":\#(amount)}"#,
    ] {
      #expect(largestDifference(try Self.run(stored, on: SamplePixels.all), expected) < 0.01)
    }
  }

  @Test(arguments: [(100.0, 0.0, 0.0), (40, 0, 0), (100, 60, 0), (70, -35, 100)])
  func blackAndWhiteOfVersion1WeighsLuma(amount: Double, band: Double, toning: Double) throws {
    let gray = Self.gray(amount, band, toning)
    let stored = """
      {"id":"black-and-white","version":1,"amount":\(amount),"red":\(band),"blue":\(-band),\
      "toning":\(toning),"toningHue":220}
      """
    let expected = SamplePixels.all.map { ReferenceHues.lumaBlackAndWhite($0, gray) }
    #expect(largestDifference(try Self.run(stored, on: SamplePixels.all), expected) < 0.01)
  }

  @Test(arguments: [-5.0, -1, 0.5, 1, 5])
  func exposureOfVersion1MultipliesLight(stops: Double) throws {
    let stored = #"{"id":"exposure","version":1,"amount":\#(stops)}"#
    let expected = SamplePixels.all.map { ReferenceLight.linearExposure($0, stops: stops) }
    #expect(largestDifference(try Self.run(stored, on: SamplePixels.all), expected) < 0.01)
  }

  @Test(arguments: [-180.0, -75, 1, 120])
  func hueOfVersion1TurnsEncodedValues(degrees: Double) throws {
    let stored = #"{"id":"hue","version":1,"amount":\#(degrees)}"#
    let expected = SamplePixels.all.map { ReferenceHues.turned($0, degrees: degrees) }
    #expect(largestDifference(try Self.run(stored, on: SamplePixels.all), expected) < 0.01)
  }

  @Test(arguments: [
    "\"blueHue\":100,\"redHue\":-60", "\"orangeSaturation\":-80,\"aquaSaturation\":100",
    "\"blueLuminance\":-100,\"greenLuminance\":70",
  ])
  func theMixerOfVersion1WorksOnTheHexagon(fields: String) throws {
    let json = "{\"id\":\"color-mixer\",\"version\":1,\(fields)}"
    let stored = try StackEntry(json: JSONValue(parsing: json.utf8))
    let mixer = try #require(stored.adjustment as? ColorMixer)
    let expected = SamplePixels.all.map { ReferenceHues.mixed($0, mixer) }
    #expect(largestDifference(try Self.run(json, on: SamplePixels.all), expected) < 0.01)
  }

  @Test(arguments: [(100.0, 2.0, 50.0), (40, 1.5, 0), (70, 7.3, 100)])
  func grainOfVersion1IsAsLargeAsPixels(amount: Double, size: Double, roughness: Double) throws {
    var grain = Grain()
    (grain.amount, grain.size, grain.roughness, grain.seed) = (amount, size, roughness, 9)
    let stored = """
      {"id":"grain","version":1,"amount":\(amount),"size":\(size),"roughness":\(roughness),"seed":9}
      """
    let expected = SamplePixels.all.enumerated().map { x, pixel in
      ReferenceEffects.pixelGrain(pixel, grain, x: x, y: 0)
    }
    #expect(largestDifference(try Self.run(stored, on: SamplePixels.all), expected) < 0.01)
  }

  /// These numbers are those of the program that had version 1 alone.
  @Test func theGrainOfVersion1IsThis() throws {
    let stored = #"{"id":"grain","version":1,"amount":100,"size":2,"roughness":50,"seed":0}"#
    let even = [[Double]](repeating: [0.5, 0.5, 0.5], count: 8)
    let codes = try Self.run(stored, on: even).map { (255 * ($0[0] - 0.5) * 100).rounded() / 100 }
    #expect(codes == [14.13, -1.92, -6.94, 12.05, 28.86, 27.96, 12.68, 1.88])
  }

  @Test(arguments: [0.5, 0.25, 1 / 3.0, 0.1])
  func previewsOfGrainOfVersion1MatchTheReference(scale: Double) throws {
    var grain = Grain()
    (grain.amount, grain.size) = (100, 2.5)
    let item = try #require(grain.rendering(ofVersion: 1))
    guard case .color(let earlier) = item else { throw CancellationError() }
    let context = StepContext(size: PixelSize(width: 150, height: 100), scale: scale)
    let even = [[Double]](repeating: [0.5, 0.5, 0.5], count: 150)
    let row = try earlier.colorSteps(in: context).run(on: even, y: 2)
    for (x, pixel) in row.enumerated() {
      let expected = ReferenceEffects.pixelGrain([0.5, 0.5, 0.5], grain, x: x, y: 2, scale: scale)
      #expect(abs(255 * (pixel[0] - expected[0])) < 0.01)
    }
  }

  @Test func aStoredAdjustmentKeepsItsVersionUntilItChanges() throws {
    let json = #"{"adjustments":[{"id":"saturation","version":2,"amount":20}]}"#
    var edit = try EditStack(
      AdjustmentData(
        formatIdentifier: EditStack.formatIdentifier, formatVersion: "1.0", data: Data(json.utf8)))
    try edit.set("saturation", to: "20")
    #expect(edit.entries[0].version == 2)
    try edit.set("saturation", to: "21")
    #expect(edit.entries[0].version == Saturation.version)
  }
}
