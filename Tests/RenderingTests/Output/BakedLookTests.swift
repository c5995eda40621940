import SafelightAdjustments
import SafelightLookupTables
import SafelightTestSupport
import Testing

@testable import SafelightRendering

@Suite struct BakedLookTests {
  private func stack(_ settings: [(String, String)]) throws -> EditStack {
    var stack = EditStack()
    for (name, value) in settings { try stack.set(name, to: value) }
    return stack
  }

  @Test(arguments: BakedLook.sizes)
  func anEditThatDoesNothingIsTheIdentity(size: Int) throws {
    let look = try BakedLook(EditStack(), size: size)
    for place in 0..<size * size * size {
      let expected = [place % size, place / size % size, place / size / size]
      for channel in 0..<3 {
        let number = look.table.lattice.samples[3 * place + channel]
        #expect(abs(number - Float(expected[channel]) / Float(size - 1)) < 1e-5)
      }
    }
    #expect(look.maximumError < 0.01 && look.leftOut.isEmpty && look.simplified.isEmpty)
  }

  /// One stop doubles linear light, in the table too; the error is what a reader of the table finds.
  @Test func colorsAreThoseOfTheRenderer() throws {
    let look = try BakedLook(stack([("exposure", "-1")]), size: 33)
    let samples = look.table.lattice.samples
    for step in 0..<33 {
      let code = Double(step) / 32
      let expected = SRGBTransfer.encoded(SRGBTransfer.linear(code) / 2)
      #expect(abs(Double(samples[3 * (step + 33 * step + 33 * 33 * step)]) - expected) < 1e-3)
    }
    #expect(look.meanError < 0.3 && look.meanError > 0)
    #expect(look.maximumError < 3)
    let fine = try BakedLook(stack([("exposure", "-1")]), size: 65)
    #expect(fine.meanError < look.meanError && fine.maximumError < look.maximumError)
  }

  @Test func whatDependsOnPlacesIsNamed() throws {
    let look = try BakedLook(
      stack([
        ("vignette", "-40"), ("clarity", "30"), ("grain", "20"), ("sharpen", "40"),
        ("shadows", "50"),
        ("saturation", "10"),
      ]), size: 17)
    #expect(Set(look.leftOut) == ["vignette", "clarity", "grain", "sharpen"])
    #expect(look.simplified == ["highlights-shadows"])
    // Lifted shadows are lighter in the table, and black and white stay.
    let samples = look.table.lattice.samples
    let dark = 2 * (1 + 17 + 17 * 17)
    #expect(samples[3 * dark] > 2.0 / 16 + 0.02)
    #expect(samples[0] < 0.01 && samples[samples.count - 1] > 0.99)
  }

  /// Where a table is for Display P3, gray is the same, and colors turn less far.
  @Test func tablesForWideColors() throws {
    let saturated = try stack([("saturation", "-100")])
    let look = try BakedLook(saturated, size: 17, isDisplayP3: true)
    let samples = look.table.lattice.samples
    for place in stride(from: 0, to: samples.count, by: 3) {
      #expect(abs(samples[place] - samples[place + 1]) < 2e-3)
      #expect(abs(samples[place] - samples[place + 2]) < 2e-3)
    }
  }

  /// Four pairs of the data that Sharma, Wu and Dalal published.
  @Test(arguments: [
    ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
    ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
  ])
  func differencesAreThoseOfTheStandard(
    one: (Double, Double, Double), other: (Double, Double, Double), expected: Double
  ) {
    let found = ColorDifference.ciede2000(
      .init(light: one.0, a: one.1, b: one.2), .init(light: other.0, a: other.1, b: other.2))
    #expect(abs(found - expected) < 1e-4)
  }
}
