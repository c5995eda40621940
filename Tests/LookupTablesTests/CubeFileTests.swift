import SafelightTestSupport
import Testing

@testable import SafelightLookupTables

@Suite struct CubeFileTests {
  @Test func aPlainCubeIsRead() throws {
    let table = try LookupTable(
      text: """
        TITLE "A look"
        LUT_3D_SIZE 2
        0 0 0
        1 0 0
        0 1 0
        1 1 0
        0 0 1
        1 0 1
        0 1 1
        1.5 -1 1e-3
        """)
    #expect(table.title == "A look")
    #expect(table.shaper == nil)
    #expect(table.lattice.shape == .cube(2))
    #expect(table.lattice.domain == .unit)
    #expect(table.lattice.samples.prefix(6) == [0, 0, 0, 1, 0, 0])
    #expect(table.lattice.samples.suffix(3) == [1.5, -1, 0.001])
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func lineEndsOfEverySystemAreTaken(lineEnd: String) throws {
    let lines = ["TITLE \"x\"", "", "LUT_1D_SIZE 2", "# rows", "0 0 0", "1 2 3", ""]
    let table = try LookupTable(text: lines.joined(separator: lineEnd))
    #expect(table.title == "x")
    #expect(table.lattice.samples == [0, 0, 0, 1, 2, 3])
    // The same file with a mistake on line 6.
    let mistake = lines.joined(separator: lineEnd).replacing("1 2 3", with: "1 2 x")
    #expect(throws: LookupTableError.cubeFile(line: 6, .notANumber("x"))) {
      try LookupTable(text: mistake)
    }
  }

  @Test func whatIsFoundInTheWildIsTaken() throws {
    let table = try LookupTable(
      text: "\u{FEFF}# made by hand\n\n\t lut_1d_size\t3  \nDOMAIN_MAX 2 4 8\n"
        + "LUT_IN_VIDEO_RANGE\nSOME_TOOL_V2 \"whatever\" 1 2\n  domain_min -1 0 .5 # in front\n"
        + "TITLE \"tabs # not a \"comment\"\"  \n\n  +.5\t-1.  1E2 \n# between\n"
        + "0.5 0.25 12345678901234567890.5e-19# behind\n\n1 1 1\n\n# end")
    #expect(table.title == "tabs # not a \"comment\"")
    #expect(table.lattice.shape == .curves(3))
    #expect(table.lattice.domain.minimum == SIMD3(-1, 0, 0.5))
    #expect(table.lattice.domain.maximum == SIMD3(2, 4, 8))
    #expect(table.lattice.samples == [0.5, -1, 100, 0.5, 0.25, 1.2345679, 1, 1, 1])
  }

  @Test(arguments: [
    ("0.017169682309031487", 0.017169682309031487), ("1e-45", 1e-45), ("1e-60", 0), ("-0", -0.0),
    ("3.4028234e38", 3.4028234e38), ("0.000000000000000000000000000000000001e36", 1),
    ("100000000000000000000000000000000000000e-38", 1), ("1e-99999999999999999999", 0),
    ("0e99999999999999999999", 0), ("16777217", 16_777_216), ("0.1", 0.1), ("1E+2", 100),
  ])
  func numbersOfEverySpellingAreRead(text: String, value: Double) throws {
    let table = try LookupTable(text: "LUT_1D_SIZE 2\n\(text) 0 0\n1 1 1")
    #expect(table.lattice.samples[0] == Float(value))
  }

  @Test func resolvesShaperStandsBeforeTheCube() throws {
    let rows = SampleTable.identityRows(2)
    let table = try LookupTable(
      text: """
        LUT_1D_SIZE 3
        LUT_1D_INPUT_RANGE -0.5 2
        LUT_3D_SIZE 2
        LUT_3D_INPUT_RANGE 0 4
        0 0 0
        1 1 1
        4 4 4
        \(rows.joined(separator: "\n"))
        """)
    #expect(table.shaper?.shape == .curves(3))
    #expect(table.shaper?.samples == [0, 0, 0, 1, 1, 1, 4, 4, 4])
    #expect(table.shaper?.domain.minimum == SIMD3(repeating: -0.5))
    #expect(table.shaper?.domain.maximum == SIMD3(repeating: 2))
    #expect(table.lattice.shape == .cube(2))
    #expect(table.lattice.domain.maximum == SIMD3(repeating: 4))
    #expect(table.lattice.samples.count == 24)
    #expect(table.size == "2 × 2 × 2 colors")
  }

  @Test func aRangeAndADomainMayAgree() throws {
    let table = try LookupTable(
      text: "LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 0 2\nDOMAIN_MAX 2 2 2\n0 0 0\n1 1 1")
    #expect(table.lattice.domain.maximum == SIMD3(repeating: 2))
  }

  /// A file that must be refused, with the line and the reason.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let text: String
    let line: Int
    let problem: CubeFileProblem

    init(_ text: String, _ line: Int, _ problem: CubeFileProblem) {
      (self.text, self.line, self.problem) = (text, line, problem)
    }

    var testDescription: String { problem.description }

    static let all = [
      Refusal("", 1, .empty), Refusal("\n\n# only words\n", 1, .empty),
      Refusal("TITLE \"x\"\n0 0 0", 2, .noSize), Refusal("TITLE \"x\"\n\n", 1, .noSize),
      Refusal("LUT_3D_SIZE 2\n0 0 0\n1 0 0\n\n# end\n", 3, .tooFewRows(found: 2, needed: 8)),
      Refusal("\nLUT_3D_SIZE 2\n", 2, .tooFewRows(found: 0, needed: 8)),
      Refusal("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n\n2 2 2", 5, .tooManyRows(needed: 2)),
      Refusal("LUT_1D_SIZE 2\n0 0\n1 1 1", 2, .missingNumbers(needed: 3, found: 2)),
      Refusal("LUT_1D_SIZE 2\n0 0 0 0\n1 1 1", 2, .leftover("0")),
      Refusal("LUT_1D_SIZE 2\n0 abc 0\n1 1 1", 2, .notANumber("abc")),
      Refusal("LUT_1D_SIZE 2\n0,5 0,5 0,5\n1 1 1", 2, .notANumber("0,5")),
      Refusal("LUT_1D_SIZE 2\n0x1p3 0 0\n1 1 1", 2, .notANumber("0x1p3")),
      Refusal("LUT_1D_SIZE 2\n1e 0 0\n1 1 1", 2, .notANumber("1e")),
      Refusal("LUT_1D_SIZE 2\n. 0 0\n1 1 1", 2, .notANumber(".")),
      Refusal("LUT_1D_SIZE 2\n0 0 0\nnan 1 1", 3, .notFinite("nan")),
      Refusal("LUT_1D_SIZE 2\nNAN 0 0\n1 1 1", 2, .notFinite("NAN")),
      Refusal("LUT_1D_SIZE 2\n0 0 -inf\n1 1 1", 2, .notFinite("-inf")),
      Refusal("LUT_1D_SIZE 2\n0 0 1e39\n1 1 1", 2, .notFinite("1e39")),
      Refusal("LUT_1D_SIZE 2\n0 0 1e999999999999\n1 1 1", 2, .notFinite("1e999999999999")),
      Refusal("LUT_3D_SIZE 1\n0 0 0", 1, .size("1", allowed: 2...129)),
      Refusal("LUT_3D_SIZE 130\n0 0 0", 1, .size("130", allowed: 2...129)),
      Refusal("LUT_3D_SIZE 2.5", 1, .size("2.5", allowed: 2...129)),
      Refusal(
        "LUT_3D_SIZE 9999999999999999999999", 1,
        .size("9999999999999999999999", allowed: 2...129)),
      Refusal("LUT_1D_SIZE 65537", 1, .size("65537", allowed: 2...65_536)),
      Refusal("LUT_1D_SIZE -2", 1, .size("-2", allowed: 2...65_536)),
      Refusal("LUT_1D_SIZE", 1, .missingNumbers(needed: 1, found: 0)),
      Refusal("LUT_1D_SIZE 2 3", 1, .leftover("3")),
      Refusal("LUT_1D_SIZE 2\nLUT_1D_SIZE 3", 2, .repeated("LUT_1D_SIZE")),
      Refusal("DOMAIN_MIN 0 0", 1, .missingNumbers(needed: 3, found: 2)),
      Refusal("LUT_1D_SIZE 2\nDOMAIN_MIN 0 1 0\nDOMAIN_MAX 1 1 1\n0 0 0", 3, .emptyDomain),
      Refusal("DOMAIN_MAX -1 1 1\nLUT_1D_SIZE 2\n0 0 0", 1, .emptyDomain),
      Refusal("LUT_1D_INPUT_RANGE 1 0", 1, .emptyDomain),
      Refusal("DOMAIN_MIN -3e38 0 0\nDOMAIN_MAX 3e38 1 1\nLUT_1D_SIZE 2\n0 0 0", 2, .emptyDomain),
      Refusal(
        "LUT_1D_SIZE 2\nDOMAIN_MAX 2 2 2\nLUT_1D_INPUT_RANGE 0 3\n0 0 0", 3,
        .repeated("the input range")),
      Refusal("LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n0 0 0", 2, .bothSizes),
      Refusal("LUT_1D_SIZE 2\n0 0 0\nTITLE \"x\"", 3, .keywordAmongRows("TITLE")),
      Refusal("hello world", 1, .notANumber("hello")),
      Refusal("LUT_1D_SIZE 2\n\u{1}\u{2}", 2, .notANumber("\u{1}\u{2}")),
    ]
  }

  @Test(arguments: Refusal.all)
  func whatCannotBeRightIsRefusedWithItsLine(refusal: Refusal) {
    let error = #expect(throws: LookupTableError.self) { try LookupTable(text: refusal.text) }
    #expect(error == .cubeFile(line: refusal.line, refusal.problem))
    #expect(error?.description.hasPrefix("On line \(refusal.line), ") == true)
    #expect(error?.description.hasSuffix(".") == true)
  }

  /// The files that must be refused, each with the line.
  @Test(
    .enabled(if: SharedData.isThere, SharedData.absence),
    arguments: [
      ("bad_both_1d_3d_sizes", 2), ("bad_domain_min_equals_max", 3), ("bad_empty", 1),
      ("bad_letters_in_row", 15), ("bad_nan", 15), ("bad_no_size", 2), ("bad_size_1000000", 1),
      ("bad_too_few_rows", 21),
    ])
  func badFilesFromOutsideAreRefusedWithTheirLine(name: String, line: Int) throws {
    let bytes = try SharedData.bytes("lut/bad/\(name).cube")
    let error = #expect(throws: LookupTableError.self) { try LookupTable(cubeFile: bytes) }
    guard case .cubeFile(line, _)? = error else {
      Issue.record("\(error?.description ?? "No error.")")
      return
    }
  }

  @Test(.enabled(if: SharedData.isThere, SharedData.absence))
  func anotherFormatIsRefused() throws {
    let bytes = try SharedData.bytes("lut/bad/error_truncated_file.3dl")
    #expect(throws: LookupTableError.cubeFile(line: 3, .noSize)) {
      try LookupTable(cubeFile: bytes)
    }
  }

  @Test(.enabled(if: SharedData.isThere, SharedData.absence))
  func realFilesAreRead() throws {
    let agfa = try LookupTable(cubeFile: SharedData.bytes("lut/agfa_vista_200.cube"))
    #expect(agfa.title == "agfa_vista_200")
    #expect(agfa.lattice.shape == .cube(13))
    let marked = try LookupTable(cubeFile: SharedData.bytes("lut/d_size3_utf8_bom.cube"))
    #expect(marked.title == "Façade — 日本")
    let shaped = try LookupTable(
      cubeFile: SharedData.bytes("lut/Three_Dimensional_Table_With_Shaper.cube"))
    #expect(shaped.shaper?.shape == .curves(10))
    #expect(shaped.lattice.domain.maximum == SIMD3(repeating: 3))
  }
}
