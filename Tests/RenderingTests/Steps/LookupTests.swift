import Foundation
import SafelightAdjustments
import SafelightLookupTables
import SafelightTestSupport
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

@Suite struct LookupTests {
  private static let wide = Lattice.Domain(
    minimum: SIMD3(-0.25, 0.1, 0), maximum: SIMD3(1.25, 0.9, 2))

  private func lattice(
    _ shape: Lattice.Shape, domain: Lattice.Domain = .unit, seed: UInt64,
    in range: ClosedRange<Float> = 0...1
  ) throws -> Lattice {
    var random = SeededGenerator(seed: seed)
    let count =
      switch shape {
      case .curves(let size): size
      case .cube(let size): size * size * size
      }
    return try Lattice(
      shape, domain: domain,
      samples: (0..<(3 * count)).map { _ in Float.random(in: range, using: &random) })
  }

  /// Colors inside, on and beyond the edges of the usual domains.
  private static let pixels: [[Double]] = {
    var random = SeededGenerator(seed: 11)
    let edges = [-1, -0.25, 0, 0.1, 0.5, 0.9, 1, 1.25, 2, 3]
    let corners = edges.flatMap { r in edges.flatMap { g in edges.map { b in [r, g, b] } } }
    return SamplePixels.all + corners
      + (0..<2000).map { _ in (0..<3).map { _ in Double.random(in: -0.5...2.5, using: &random) } }
  }()

  /// Random numbers at the corners make the steepest cells there are.
  @Test(arguments: [2, 3, 9, 33])
  func cubesFollowTheTetrahedra(size: Int) throws {
    let table = try LookupTable(lattice(.cube(size), domain: Self.wide, seed: UInt64(size)))
    let pixels = Self.pixels.map { $0.map { Double(Float($0)) } }
    let result = [ColorStep.kernel(LookupKernel(table))].run(on: pixels)
    let expected = pixels.map { ReferenceLookup.map($0, through: table) }
    // A position has 24 bits, of which the cell's number takes some.
    #expect(largestDifference(result, expected) / 255 < 2e-7 * Double(size + 8))
  }

  @Test(arguments: [2, 3, 256, 65_536])
  func curvesAreStraightBetweenPlaces(size: Int) throws {
    var samples: [Float] = []
    for place in 0..<size {
      let x = Float(place) / Float(size - 1)
      samples += [x * x, 1 - x, 5 * x - 2]
    }
    let table = try LookupTable(
      Lattice(.curves(size), domain: Self.wide, samples: samples))
    let pixels = Self.pixels.map { $0.map { Double(Float($0)) } }
    let result = [ColorStep.kernel(LookupKernel(table))].run(on: pixels)
    let expected = pixels.map { ReferenceLookup.map($0, through: table) }
    #expect(largestDifference(result, expected) / 255 < 2e-6)
  }

  @Test func theShaperComesBeforeTheCube() throws {
    let table = try LookupTable(
      shaper: lattice(.curves(10), domain: Self.wide, seed: 5, in: -0.5...2),
      lattice(.cube(5), domain: Self.wide, seed: 6))
    let result = [ColorStep.kernel(LookupKernel(table))].run(on: Self.pixels)
    let expected = Self.pixels.map { ReferenceLookup.map($0, through: table) }
    #expect(largestDifference(result, expected) / 255 < 2e-5)
  }

  @Test(arguments: [2, 17, 33, 50])
  func anIdentityGivesBackWhatComesIn(size: Int) throws {
    let samples = (0..<(size * size * size)).flatMap { place in
      [place % size, place / size % size, place / size / size].map {
        Float($0) / Float(size - 1)
      }
    }
    let table = try LookupTable(Lattice(.cube(size), samples: samples))
    let pixels = SamplePixels.all
    let result = [ColorStep.kernel(LookupKernel(table))].run(on: pixels)
    #expect(largestDifference(result, pixels) / 255 < 1e-6)
    // Packed into an edit too: an identity may lie between two 16-bit codes.
    let stored = try LookupTable(stored: table.stored())
    let again = [ColorStep.kernel(LookupKernel(stored))].run(on: pixels)
    #expect(largestDifference(again, pixels) / 255 < 1.0 / 131_070 + 1e-6)
  }

  @Test func everyPlaceGivesItsOwnColorExactly() throws {
    let table = try LookupTable(lattice(.cube(5), seed: 4))
    let places = (0..<125).map { place in
      [place % 5, place / 5 % 5, place / 25].map { Double($0) / 4 }
    }
    let result = [ColorStep.kernel(LookupKernel(table))].run(on: places)
    #expect(result.flatMap { $0.map { Float($0) } } == table.lattice.samples)
  }

  @Test(arguments: [1, 2, 3, 5, 7, 1023])
  func aTileOfAnySizeGivesTheSame(count: Int) throws {
    let table = try LookupTable(
      shaper: lattice(.curves(10), seed: 5), lattice(.cube(7), domain: Self.wide, seed: 6))
    let step = [ColorStep.kernel(LookupKernel(table))]
    let whole = step.run(on: Self.pixels)
    for start in stride(from: 0, to: 3000, by: count) {
      let end = min(start + count, 3000)
      #expect(step.run(on: Array(Self.pixels[start..<end])) == Array(whole[start..<end]))
    }
  }

  @Test func notANumberCountsAsTheLowestColor() throws {
    let table = try LookupTable(lattice(.cube(3), seed: 1))
    let odd: [[Double]] = [
      [.nan, .nan, .nan], [-.infinity, .infinity, .nan], [.infinity, .infinity, .infinity],
      [1e30, -1e30, 0], [.nan, 0.5, 0.5],
    ]
    let expected: [[Double]] = [[0, 0, 0], [0, 1, 0], [1, 1, 1], [1, 0, 0], [0, 0.5, 0.5]]
    #expect(
      [ColorStep.kernel(LookupKernel(table))].run(on: odd)
        == [ColorStep.kernel(LookupKernel(table))].run(on: expected))
  }

  /// OpenColorIO's tetrahedral results.
  @Test(
    .enabled(if: SharedData.isThere, SharedData.absence),
    arguments: SharedData.files(in: ["lut"], extensions: ["cube"]))
  func cubeFilesGiveWhatOpenColorIOGives(name: String) throws {
    let table = try LookupTable(cubeFile: SharedData.bytes(name))
    let document = try JSONValue(parsing: SharedData.bytes("lut/EXPECTED_cube_ocio.json"))
    let inputs = try #require(document["inputs"]?.pixels)
    let entry = try #require(document["files"]?[name])
    guard let expected = entry["tetrahedral"]?.pixels else {
      // OpenColorIO refuses tabs and Resolve's shapers; the reference here takes its place.
      #expect(entry["error"] != nil)
      let own = inputs.map { ReferenceLookup.map($0, through: table) }
      let result = [ColorStep.kernel(LookupKernel(table))].run(on: inputs)
      #expect(largestDifference(result, own) / 255 < 1e-5)
      return
    }
    let result = [ColorStep.kernel(LookupKernel(table))].run(on: inputs)
    for (pixel, wanted) in zip(result, expected) {
      for (value, wish) in zip(pixel, wanted) {
        #expect(abs(value - wish) <= 1e-5 * max(1, abs(wish)), "\(pixel) instead of \(wanted)")
      }
    }
  }

  @Test(
    .enabled(if: SharedData.isThere, SharedData.absence),
    arguments: [
      "hald12_Agfa_Vista_200", "hald12_Ilford_Delta_100", "hald_identity_level4",
      "hald_identity_level8",
    ])
  func haldPicturesGiveTheirOwnCodesAtTheirPlaces(name: String) throws {
    let fixture = OpenFixture(try SharedData.url("lut/\(name).png"))
    let table = try Renderer().lookupTable(hald: fixture.source())
    let document = try JSONValue(parsing: SharedData.bytes("lut/EXPECTED_hald_lattice.json"))
    let entry = try #require(document["files"]?["lut/\(name).png"])
    let lattice = try #require(entry["lattice"]?.elements)
    let inputs = try lattice.map { try #require($0["in_rgb_0_1"]?.pixel) }
    let expected = try lattice.map { try #require($0["out_rgb_8bit"]?.pixel).map { $0 / 255 } }
    // The inputs are given to seven digits, a thousandth of a code on the steepest cell.
    #expect(
      largestDifference([ColorStep.kernel(LookupKernel(table))].run(on: inputs), expected) < 0.01)
  }

  @Test(
    .enabled(if: SharedData.isThere, SharedData.absence),
    arguments: [("bad_hald_100x100_not_cube", 100, 100), ("bad_hald_124x125", 124, 125)])
  func picturesOfOtherSizesAreNoHalds(name: String, width: Int, height: Int) throws {
    let fixture = OpenFixture(try SharedData.url("lut/bad/\(name).png"))
    #expect(throws: LookupTableError.notHald(width: width, height: height)) {
      try Renderer().lookupTable(hald: fixture.source())
    }
  }
}

extension JSONValue {
  fileprivate var pixel: [Double]? { elements?.compactMap(\.number) }
  fileprivate var pixels: [[Double]]? { elements?.compactMap(\.pixel) }
}

/// Tables from files, on whole pictures.
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
    lookup.table = ColorLookup.PackedTable(try table.stored())
    return lookup
  }

  /// Each pixel is at most one code from the file's numbers in double precision.
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
    // The tables have 7, 5 and 16 places, so they differ between places; the HaldCLUT is clipped.
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

/// Lookup tables in double precision, from the published definitions and by another way than the
/// kernel's: cells by rounding down, fractions by sorting.
enum ReferenceLookup {
  static func map(_ pixel: [Double], through table: LookupTable) -> [Double] {
    let shaped = table.shaper.map { map(pixel, through: $0) } ?? pixel
    return map(shaped, through: table.lattice)
  }

  private static func map(_ pixel: [Double], through lattice: Lattice) -> [Double] {
    let (low, high) = (lattice.domain.minimum, lattice.domain.maximum)
    let shares = (0..<3).map { channel in
      let (low, high) = (Double(low[channel]), Double(high[channel]))
      return (min(max(pixel[channel], low), high) - low) / (high - low)
    }
    switch lattice.shape {
    case .curves(let size): return curves(shares, of: lattice.samples, size: size)
    case .cube(let size): return cube(shares, of: lattice.samples, size: size)
    }
  }

  private static func curves(_ shares: [Double], of samples: [Float], size: Int) -> [Double] {
    (0..<3).map { channel in
      let position = shares[channel] * Double(size - 1)
      let place = min(Int(position.rounded(.down)), size - 2)
      let (left, right) = (samples[3 * place + channel], samples[3 * (place + 1) + channel])
      return Double(left) + (position - Double(place)) * (Double(right) - Double(left))
    }
  }

  /// Walks from the lowest to the highest corner of the cell along the axes of falling fractions.
  private static func cube(_ shares: [Double], of samples: [Float], size: Int) -> [Double] {
    let positions = shares.map { $0 * Double(size - 1) }
    let cell = positions.map { min(Int($0.rounded(.down)), size - 2) }
    let fractions = zip(positions, cell).map { $0 - Double($1) }
    func corner(_ place: [Int]) -> [Double] {
      let first = 3 * (place[0] + size * (place[1] + size * place[2]))
      return (0..<3).map { Double(samples[first + $0]) }
    }
    var place = cell
    var result = corner(place)
    for axis in (0..<3).sorted(by: { fractions[$0] > fractions[$1] }) {
      let before = corner(place)
      place[axis] += 1
      let after = corner(place)
      for channel in 0..<3 {
        result[channel] += fractions[axis] * (after[channel] - before[channel])
      }
    }
    return result
  }
}
