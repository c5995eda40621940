import Foundation
import SafelightAdjustments
import SafelightLookupTables
import SafelightTestSupport
import Testing

@testable import SafelightRendering

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
    // And packed into an edit, whose 16 bits an identity may fall between.
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
  @Test(.enabled(if: SharedTables.isThere, SharedTables.absence), arguments: SharedTables.cubes)
  func cubeFilesGiveWhatOpenColorIOGives(name: String) throws {
    let table = try LookupTable(cubeFile: SharedTables.bytes(name))
    let document = try SharedTables.json("EXPECTED_cube_ocio.json")
    let inputs = try #require(document["inputs"]?.pixels)
    let entry = try #require(document["files"]?["lut/" + name])
    guard let expected = entry["tetrahedral"]?.pixels else {
      // It is too strict for tabs and for Resolve's shapers; our own reference stands in.
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
    .enabled(if: SharedTables.isThere, SharedTables.absence),
    arguments: [
      "hald12_Agfa_Vista_200", "hald12_Ilford_Delta_100", "hald_identity_level4",
      "hald_identity_level8",
    ])
  func haldPicturesGiveTheirOwnCodesAtTheirPlaces(name: String) throws {
    let fixture = OpenFixture(try SharedTables.url(name + ".png"))
    let table = try Renderer().lookupTable(hald: fixture.source())
    let entry = try #require(
      try SharedTables.json("EXPECTED_hald_lattice.json")["files"]?["lut/\(name).png"])
    let lattice = try #require(entry["lattice"]?.elements)
    let inputs = try lattice.map { try #require($0["in_rgb_0_1"]?.pixel) }
    let expected = try lattice.map { try #require($0["out_rgb_8bit"]?.pixel).map { $0 / 255 } }
    // The inputs are given to seven digits, a thousandth of a code on the steepest cell.
    #expect(
      largestDifference([ColorStep.kernel(LookupKernel(table))].run(on: inputs), expected) < 0.01)
  }

  @Test(
    .enabled(if: SharedTables.isThere, SharedTables.absence),
    arguments: [("bad_hald_100x100_not_cube", 100, 100), ("bad_hald_124x125", 124, 125)])
  func picturesOfOtherSizesAreNoHalds(name: String, width: Int, height: Int) throws {
    let fixture = OpenFixture(try SharedTables.url("bad/\(name).png"))
    #expect(throws: LookupTableError.notHald(width: width, height: height)) {
      try Renderer().lookupTable(hald: fixture.source())
    }
  }
}

/// Real tables that are not part of the repository; tests that need them are skipped without.
private enum SharedTables {
  static let folder: URL? = ProcessInfo.processInfo.environment["SAFELIGHT_SHARED_DATA"].map {
    URL(fileURLWithPath: $0).appendingPathComponent("lut")
  }.flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }

  static let isThere = folder != nil
  static let absence: Comment =
    "The shared tables are absent; set SAFELIGHT_SHARED_DATA to the folder above them."

  /// Every good `.cube` file there.
  static let cubes: [String] = {
    guard let folder else { return [] }
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
      .filter { $0.hasSuffix(".cube") }.sorted()
  }()

  static func url(_ name: String) throws -> URL {
    try #require(folder, absence).appendingPathComponent(name)
  }

  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url(name)))
  }

  static func json(_ name: String) throws -> JSONValue {
    try JSONValue(parsing: bytes(name))
  }
}

extension JSONValue {
  fileprivate var pixel: [Double]? { elements?.compactMap(\.number) }
  fileprivate var pixels: [[Double]]? { elements?.compactMap(\.pixel) }
}
