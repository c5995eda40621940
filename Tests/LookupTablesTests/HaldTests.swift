import SafelightTestSupport
import Testing

@testable import SafelightLookupTables

@Suite struct HaldTests {
  /// The identity of a level, in codes of 8 or 16 bits.
  private func identity(_ level: Int, white: Int) -> [Int] {
    let size = level * level
    return (0..<(size * size * size)).flatMap { place in
      [place % size, place / size % size, place / size / size].map {
        ($0 * white * 2 + size - 1) / (2 * (size - 1))
      }
    }
  }

  @Test(arguments: [2, 3, 5, 8])
  func eachLevelGivesItsCube(level: Int) throws {
    let side = level * level * level
    let codes = identity(level, white: 255).map { UInt8($0) }
    let table = try LookupTable(hald: codes, width: side, height: side, title: "Identity")
    #expect(table.title == "Identity")
    #expect(table.lattice.shape == .cube(level * level))
    #expect(table.lattice.samples == codes.map { Float($0) / 255 })
  }

  @Test func sixteenBitsAreTakenWhole() throws {
    let codes = identity(2, white: 65_535).map { UInt16($0) }
    let table = try LookupTable(hald: codes, width: 8, height: 8)
    #expect(table.lattice.samples[3] == Float(21_845) / 65_535)
  }

  @Test(arguments: [(8, 27), (1, 1), (2197, 2197), (100, 100), (0, 0), (-8, -8)])
  func otherSizesAreRefused(width: Int, height: Int) {
    #expect(throws: LookupTableError.notHald(width: width, height: height)) {
      try LookupTable(hald: [UInt8](), width: width, height: height)
    }
  }

  @Test func codesMustFillThePicture() {
    #expect(throws: LookupTableError.self) {
      try LookupTable(hald: [UInt8](repeating: 0, count: 8 * 8 * 3 - 1), width: 8, height: 8)
    }
  }
}
