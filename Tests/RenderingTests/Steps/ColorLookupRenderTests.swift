import Foundation
import SafelightAdjustments
import SafelightLookupTables
import SafelightTestSupport
import Testing

@testable import SafelightRendering

/// Tables from files, laid over whole pictures.
@Suite struct ColorLookupRenderTests {
  private func table(_ name: String) throws -> LookupTable {
    if name.hasSuffix(".cube") {
      return try LookupTable(cubeFile: [UInt8](Data(contentsOf: Fixture.url("luts/" + name))))
    }
    let fixture = OpenFixture("luts/" + name)
    return try Renderer().lookupTable(hald: fixture.source())
  }

  private func lookup(_ table: LookupTable) throws -> ColorLookup {
    var lookup = ColorLookup()
    lookup.title = table.title ?? "Test"
    lookup.table = PackedTable(try table.stored())
    return lookup
  }

  /// Each pixel within one code of what double precision makes of the file's own numbers.
  @Test(
    arguments: ["warm.cube", "soft.cube", "shaped.cube", "hald-warm.png"],
    ["gradients/rgb-ramps.png", "gradients/saturated.png", "sixteen-bit.png"])
  func picturesFollowTheReference(name: String, picture: String) throws {
    let table = try table(name)
    let fixture = OpenFixture(picture)
    let (image, before) = try fixture.pixels()
    let after = try fixture.pixels(EditStack([lookup(table)])).codes
    let white = image.sampleFormat == .uint16 ? 65_535.0 : 255.0
    var worst = 0.0
    for start in stride(from: 0, to: before.count, by: 3) {
      let pixel = before[start..<(start + 3)].map { Double($0) / white }
      let wanted = ReferenceLookup.map(pixel, through: table)
      for (code, wish) in zip(after[start..<(start + 3)], wanted) {
        worst = max(worst, abs(Double(code) - min(max(wish, 0), 1) * white))
      }
    }
    // Half a code from rounding; half a step of 16 bits from packing.
    #expect(worst <= 0.5 + white / 131_070 * 1.3 + 0.01)
  }

  @Test func theFormsOfOneLookAgree() throws {
    let pixels = SamplePixels.all
    let cube = try [ColorStep.kernel(LookupKernel(table("warm.cube")))].run(on: pixels)
    let shaped = try [ColorStep.kernel(LookupKernel(table("shaped.cube")))].run(on: pixels)
    let hald = try [ColorStep.kernel(LookupKernel(table("hald-warm.png")))].run(on: pixels)
    // They differ by what a lattice of 7, 5 and 16 places leaves out, and the HaldCLUT is clipped.
    #expect(largestDifference(cube, hald) < 5)
    #expect(largestDifference(cube, shaped) < 12)
  }

  @Test func noTableIsNoStep() throws {
    var lookup = ColorLookup()
    lookup.title = "Named, and empty"
    #expect(lookup.isNeutral)
    try #expect(lookup.colorSteps(in: .wholePhoto).isEmpty)
  }

  @Test func intensityMixesWithWhatCameIn() throws {
    let lookup = try lookup(table("warm.cube"))
    let filter = try Filter(name: "warm", title: "Warm", summary: "Warm.", steps: [lookup])
    let whole = lookup.run(on: SamplePixels.all)
    let half = try filter.applied(intensity: 0.5)
      .run(on: SamplePixels.all)
    let expected = zip(SamplePixels.all, whole).map { before, after in
      zip(before, after).map { ($0 + $1) / 2 }
    }
    #expect(largestDifference(half, expected) < 1e-4)
  }

  @Test func sixteenBitHaldsKeepTheirCodes() throws {
    // Four of the ramp's pixels make no cube, but a table of its codes reads the same.
    let codes = (0..<(64 * 3)).map { UInt16($0 * 341) }
    let table = try LookupTable(hald: codes, width: 8, height: 8)
    let places = (0..<64).map { [$0 % 4, $0 / 4 % 4, $0 / 16].map { Double($0) / 3 } }
    let result = try lookup(table).run(on: places)
    #expect(result.flatMap { $0.map { Int(($0 * 65_535).rounded()) } } == codes.map(Int.init))
  }
}
