extension LookupTable {
  /// Reads a `.cube` file.
  ///
  /// The format is Adobe's (Cube LUT Specification 1.0, 2013) with what is found besides: a byte
  /// order mark, line ends of any system, blank lines, indented lines, comments behind numbers,
  /// keywords in any case and order before the first row, and Resolve's `LUT_1D_INPUT_RANGE` and
  /// `LUT_3D_INPUT_RANGE`. A file with both sizes is Resolve's curves before a cube, first the rows
  /// of the curves; it must give an input range, which tells it from a mistake. `DOMAIN_MIN` and
  /// `DOMAIN_MAX` are about the colors that come in.
  ///
  /// A line that begins with another word of capitals, digits and underscores, such as
  /// `LUT_IN_VIDEO_RANGE`, is passed over. Numbers beyond 0 to 1 are kept. Sizes go up to 65,536
  /// for curves and to 129 for cubes.
  ///
  /// - Parameter bytes: The whole file. Memory is taken for what the file holds, not for what its
  ///   header claims.
  /// - Throws: ``LookupTableError/cubeFile(line:_:)``.
  public init(cubeFile bytes: [UInt8]) throws(LookupTableError) {
    var reader = CubeReader(bytes)
    do {
      self = try reader.table()
    } catch {
      throw .cubeFile(line: reader.line, error)
    }
  }
}

/// Reads the header of a `.cube` file and then its rows.
private struct CubeReader {
  private var scanner: CubeScanner
  private var header = CubeHeader()

  init(_ bytes: [UInt8]) {
    scanner = CubeScanner(bytes)
  }

  /// The line that a problem is about.
  var line: Int { header.problemLine ?? scanner.line }

  mutating func table() throws(CubeFileProblem) -> LookupTable {
    var isEmpty = true
    while scanner.findContent(), !scanner.startsNumber {
      isEmpty = false
      try header.readLine(from: &scanner)
    }
    if isEmpty, !scanner.startsNumber { throw .empty }
    let shapes = try header.shapes()
    let domains = try header.domains()
    let samples = try rows(shapes.reduce(0) { $0 + $1.count })
    guard shapes.count > 1 else {
      let lattice = Lattice(trusted: shapes[0], domain: domains[0], samples: samples)
      return LookupTable(trusted: header.title, shaper: nil, lattice)
    }
    let end = 3 * shapes[0].count
    return LookupTable(
      trusted: header.title,
      shaper: Lattice(trusted: shapes[0], domain: domains[0], samples: Array(samples[..<end])),
      Lattice(trusted: shapes[1], domain: domains[1], samples: Array(samples[end...])))
  }

  private mutating func rows(_ needed: Int) throws(CubeFileProblem) -> [Float] {
    var samples: [Float] = []
    // A number takes two bytes at least: a header must not take memory that its file cannot fill.
    samples.reserveCapacity(min(3 * needed, scanner.byteCount / 2 + 3))
    var found = 0
    // The end of the header was found by standing before the first row.
    var isThere = scanner.startsNumber
    while isThere {
      guard scanner.startsNumber else { throw CubeHeader.notARow(scanner.word()) }
      guard found < needed else { throw .tooManyRows(needed: needed) }
      try scanner.numbers(3) { _, number in samples.append(number) }
      found += 1
      isThere = scanner.findContent()
    }
    guard found == needed else { throw .tooFewRows(found: found, needed: needed) }
    return samples
  }
}
