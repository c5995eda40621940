import SafelightTestSupport
import Testing

@testable import SafelightLookupTables

@Suite struct CubeWritingTests {
  /// What is written is read again, but for the rounding of six digits.
  @Test(arguments: [2, 17])
  func tablesComeBack(size: Int) throws {
    let domain = Lattice.Domain(minimum: SIMD3(-0.5, 0, 0.25), maximum: SIMD3(1.5, 1, 2))
    for table in [
      try SampleTable.smoothCube(size),
      try .init(SampleTable.smoothCube(size, domain: domain).lattice),
    ] {
      let back = try LookupTable(cubeFile: table.cubeFile(comments: ["a\nb"]))
      #expect(back.title == table.title && back.lattice.domain == table.lattice.domain)
      #expect(back.lattice.shape == table.lattice.shape)
      for (one, other) in zip(back.lattice.samples, table.lattice.samples) {
        #expect(abs(one - other) <= 6e-7)
      }
    }
  }

  @Test func shapersComeBefore() throws {
    let curves = try Lattice(.curves(3), samples: [0, 0, 0, 0.25, 0.5, 0.75, 1, 1, 1])
    let table = try LookupTable(
      title: "Two \"parts\"", shaper: curves, SampleTable.smoothCube(3).lattice)
    let back = try LookupTable(cubeFile: table.cubeFile())
    #expect(back.title == "Two parts" && back.shaper == curves)
    #expect(back.lattice.shape == .cube(3))
  }

  @Test func numbersHaveSixDigits() throws {
    let lattice = try Lattice(
      .curves(2), samples: [-0.0000001, 0.0000004, 1, -1.5, 123.0625, 0.0000006])
    let text = String(decoding: try LookupTable(lattice).cubeFile(), as: UTF8.self)
    #expect(
      text == """
        LUT_1D_SIZE 2
        0.000000 0.000000 1.000000
        -1.500000 123.062500 0.000001

        """)
  }
}
