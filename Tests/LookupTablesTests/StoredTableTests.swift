import SafelightFormats
import SafelightTestSupport
import Testing

@testable import SafelightLookupTables

@Suite struct StoredTableTests {
  private static let wide = Lattice.Domain(
    minimum: SIMD3(-0.25, 0, 1), maximum: SIMD3(1.25, 2, 1.5))

  /// How far the error of a number is above half a step of its channel and a float's rounding.
  private func excess(_ before: Lattice, _ after: Lattice) -> Double {
    (0..<3).map { channel in
      let indices = stride(from: channel, to: before.samples.count, by: 3)
      let values = indices.map { Double(before.samples[$0]) }
      let range = values.max()! - values.min()!
      return indices.map { index in
        let (old, new) = (before.samples[index], after.samples[index])
        return abs(Double(new) - Double(old)) - range / 131_070 - Double(max(old.ulp, new.ulp)) / 2
      }.max()!
    }.max()!
  }

  @Test(arguments: [2, 5, 17, 33])
  func aCubeComesBackWithinHalfAStepOfSixteenBits(size: Int) throws {
    let table = try SampleTable.smoothCube(size, domain: Self.wide)
    let back = try LookupTable(stored: table.stored(), title: "Smooth")
    #expect(back.title == "Smooth")
    #expect(back.lattice.shape == table.lattice.shape)
    #expect(back.lattice.domain == table.lattice.domain)
    #expect(excess(table.lattice, back.lattice) <= 1e-12)
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func noiseOfAnyRangeComesBackToo(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let size = Int.random(in: 2...12, using: &random)
    let low = Float.random(in: -2...1, using: &random)
    let cube = try SampleTable.random(
      .cube(size), in: low...(low + Float.random(in: 0...2, using: &random)), seed: seed)
    let shaper = try SampleTable.random(
      .curves(Int.random(in: 2...300, using: &random)), in: -10...1000, domain: Self.wide,
      seed: seed &+ 100)
    let table = try LookupTable(shaper: shaper, cube)
    let back = try LookupTable(stored: table.stored())
    #expect(back.shaper == shaper)
    #expect(excess(cube, back.lattice) <= 1e-12)
  }

  @Test(arguments: [0, 5] as [Float])
  func curvesAndCubesOfGreatRangeComeBackExactly(extra: Float) throws {
    let cube = try SampleTable.random(.cube(5), in: -3...(2 + extra), seed: 7)
    try #expect(LookupTable(stored: LookupTable(cube).stored()).lattice == cube)
    let curves = try SampleTable.random(.curves(1000), in: -3...(2 + extra), seed: 8)
    try #expect(LookupTable(stored: LookupTable(curves).stored()).lattice == curves)
  }

  @Test func oneNumberEverywhereComesBack() throws {
    let flat = try Lattice(.cube(3), samples: [Float](repeating: 0.3, count: 81))
    try #expect(LookupTable(stored: LookupTable(flat).stored()).lattice == flat)
  }

  @Test func picturesComeBackExactly() throws {
    var random = SeededGenerator(seed: 3)
    let narrow = (0..<(64 * 3)).map { _ in UInt8.random(in: 0...255, using: &random) }
    let wide = (0..<(64 * 3)).map { _ in UInt16.random(in: 0...65_535, using: &random) }
    let tables = [
      try LookupTable(hald: narrow, width: 8, height: 8),
      try LookupTable(hald: wide, width: 8, height: 8),
    ]
    for table in tables { try #expect(LookupTable(stored: table.stored()) == table) }
    // Eight bits stay one byte: header, numbers, and little else.
    try #expect(tables[0].stored().count < 64 + 64 * 3 + 32)
  }

  @Test func theSameTablePacksToTheSameBytes() throws {
    try #expect(SampleTable.smoothCube(9).stored() == SampleTable.smoothCube(9).stored())
  }

  @Test func smoothLooksPackSmall() throws {
    let sizes = try [33, 65].map { try SampleTable.smoothCube($0).stored().count }
    #expect(sizes[0] < 60_000)
    #expect(sizes[1] < 400_000)
  }

  @Test func noiseThatDoesNotPackIsRefused() throws {
    let noise = try SampleTable.random(.cube(96), in: 0...1, seed: 1)
    let error = #expect(throws: LookupTableError.self) { try LookupTable(noise).stored() }
    guard case .tooLarge(let size, 5_000_000)? = error else {
      Issue.record("\(error?.description ?? "No error.")")
      return
    }
    #expect(size > 5_000_000)
  }

  /// Bytes with some of them changed, moved or missing.
  private func damage(_ seed: [UInt8], with random: inout SeededGenerator) -> [UInt8] {
    var bytes = seed
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let offset = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[offset] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random)!
      case 2: bytes[min(offset % 64, bytes.count - 1)] = UInt8.random(in: 0...255, using: &random)
      case 3: bytes.removeSubrange(offset..<min(offset + 9, bytes.count))
      default: bytes.insert(0xFF, at: offset)
      }
    }
    return bytes
  }

  /// Corrects the checksum, so that the reader goes on after it.
  private func sealed(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > 4 else { return bytes }
    var sealed = Array(bytes.dropLast(4))
    let checksum = Zlib.checksum(sealed[...])
    for shift in stride(from: 0, to: 32, by: 8) {
      sealed.append(UInt8(truncatingIfNeeded: checksum >> UInt32(shift)))
    }
    return sealed
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func damagedBytesGiveAnErrorAndNeverATrap(start: UInt64) throws {
    var random = SeededGenerator(seed: start)
    let shaper = try SampleTable.random(.curves(16), in: 0...9, seed: 2)
    let table = try LookupTable(shaper: shaper, SampleTable.smoothCube(4).lattice)
    let stored = try table.stored()
    for _ in 0..<400 {
      let damaged = damage(stored, with: &random)
      if damaged != stored {
        #expect(throws: LookupTableError.self) { try LookupTable(stored: damaged) }
      }
      // With the right checksum the bytes may be another table, but it must be valid.
      if let other = try? LookupTable(stored: sealed(damaged)) {
        #expect(other.lattice.samples.allSatisfy { $0.isFinite })
        #expect(other.lattice.domain.isUsable)
      }
    }
  }

  @Test(arguments: [[], [1, 2, 3], Array("SLUT".utf8), Array("SLUT".utf8) + [1, 3], [0x53]])
  func bytesOfNothingGiveAnError(bytes: [UInt8]) {
    #expect(throws: LookupTableError.self) { try LookupTable(stored: bytes) }
  }

  @Test func aHeaderCannotClaimMoreThanItsStreamHolds() throws {
    var bytes = try SampleTable.smoothCube(2).stored()
    // The size of the cube, in its header.
    bytes[8] = 144
    let error = #expect(throws: LookupTableError.self) { try LookupTable(stored: sealed(bytes)) }
    #expect(error == .damaged("its numbers do not unpack"))
    bytes[8] = 145
    let larger = #expect(throws: LookupTableError.self) { try LookupTable(stored: sealed(bytes)) }
    #expect(larger == .damaged("its size is not allowed"))
  }
}
