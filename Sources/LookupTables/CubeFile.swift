extension LookupTable {
  /// Reads a `.cube` file.
  ///
  /// The format is Adobe's (Cube LUT Specification 1.0, 2013). Files of other programs may also
  /// have a byte order mark, line ends of any system, blank lines, indented lines, comments after
  /// numbers, keywords in any case and order before the first row, and Resolve's
  /// `LUT_1D_INPUT_RANGE` and `LUT_3D_INPUT_RANGE`. In a file with both sizes, as Resolve writes
  /// it, the rows of the curves come first, and then the rows of the cube. Such a file must give an
  /// input range; otherwise the second size counts as a mistake. `DOMAIN_MIN` and `DOMAIN_MAX`
  /// limit the input colors.
  ///
  /// Other keywords, such as `LUT_IN_VIDEO_RANGE`, are ignored. Numbers below 0 and above 1 are
  /// kept. Curves have up to 65,536 places, and cubes up to 129 along an edge.
  ///
  /// - Parameter bytes: The whole file. The reader takes memory for the rows that the file has, not
  ///   for the size in its header.
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

  /// The line with the problem.
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
    // A number takes at least two bytes, so a small file cannot ask for much memory.
    samples.reserveCapacity(min(3 * needed, scanner.byteCount / 2 + 3))
    var found = 0
    // The header ended at the first row.
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

/// The header of a `.cube` file: the values of its keywords.
struct CubeHeader {
  /// The allowed places along an edge of the cube in a file.
  private static let cubeSizes = 2...129

  private struct Stated<Value> {
    let value: Value
    let line: Int
  }

  private(set) var title: String?
  /// The line with the problem, when it is an earlier line than the present one.
  private(set) var problemLine: Int?
  private var curves: Stated<Int>?
  private var cube: Stated<Int>?
  private var minimum: Stated<SIMD3<Float>>?
  private var maximum: Stated<SIMD3<Float>>?
  private var curveRange: Stated<Lattice.Domain>?
  private var cubeRange: Stated<Lattice.Domain>?

  /// Reads a line that begins with a keyword.
  mutating func readLine(from scanner: inout CubeScanner) throws(CubeFileProblem) {
    let word = scanner.word()
    func stated<Value>(_ earlier: Stated<Value>?, _ value: Value) throws(CubeFileProblem)
      -> Stated<Value>
    {
      guard earlier == nil else { throw .repeated(word) }
      return Stated(value: value, line: scanner.line)
    }
    switch word.uppercased() {
    case "TITLE": title = Self.unquoted(scanner.restOfLine())
    case "LUT_1D_SIZE":
      curves = try stated(curves, Self.size(from: &scanner, Lattice.Shape.curveSizes))
    case "LUT_3D_SIZE": cube = try stated(cube, Self.size(from: &scanner, Self.cubeSizes))
    case "DOMAIN_MIN": minimum = try stated(minimum, Self.color(from: &scanner))
    case "DOMAIN_MAX": maximum = try stated(maximum, Self.color(from: &scanner))
    case "LUT_1D_INPUT_RANGE": curveRange = try stated(curveRange, Self.range(from: &scanner))
    case "LUT_3D_INPUT_RANGE": cubeRange = try stated(cubeRange, Self.range(from: &scanner))
    default:
      guard Self.looksLikeKeyword(word) else { throw Self.notARow(word) }
      _ = scanner.restOfLine()
    }
  }

  /// The lattices whose rows follow, in the order of their rows.
  mutating func shapes() throws(CubeFileProblem) -> [Lattice.Shape] {
    if let curves, let cube, curveRange == nil, cubeRange == nil {
      problemLine = max(curves.line, cube.line)
      throw .bothSizes
    }
    let shapes = [curves.map { Lattice.Shape.curves($0.value) }, cube.map { .cube($0.value) }]
      .compactMap(\.self)
    guard !shapes.isEmpty else { throw .noSize }
    return shapes
  }

  /// The domain of each lattice, in the same order.
  mutating func domains() throws(CubeFileProblem) -> [Lattice.Domain] {
    var domains: [Lattice.Domain] = []
    if curves != nil { domains.append(curveRange?.value ?? .unit) }
    if cube != nil { domains.append(cubeRange?.value ?? .unit) }
    guard let line = [minimum?.line, maximum?.line].compactMap(\.self).max() else { return domains }
    let domain = Lattice.Domain(minimum: minimum?.value ?? .zero, maximum: maximum?.value ?? .one)
    guard domain.isUsable else {
      problemLine = line
      throw .emptyDomain
    }
    if let range = curves == nil ? cubeRange : curveRange, range.value != domain {
      problemLine = max(line, range.line)
      throw .repeated(range.line > line ? "the input range" : "the domain")
    }
    domains[0] = domain
    return domains
  }

  /// The problem of a line that begins with a word instead of a number, after the header.
  static func notARow(_ word: String) -> CubeFileProblem {
    if CubeScanner.isNotFinite(word) { return .notFinite(word) }
    return looksLikeKeyword(word) ? .keywordAmongRows(word) : .notANumber(word)
  }

  private static func size(
    from scanner: inout CubeScanner, _ allowed: ClosedRange<Int>
  ) throws(CubeFileProblem) -> Int {
    guard !scanner.isAtLineEnd() else { throw .missingNumbers(needed: 1, found: 0) }
    let word = scanner.word()
    guard let size = Int(word), allowed.contains(size) else { throw .size(word, allowed: allowed) }
    guard scanner.isAtLineEnd() else { throw .leftover(scanner.word()) }
    return size
  }

  private static func color(from scanner: inout CubeScanner) throws(CubeFileProblem)
    -> SIMD3<Float>
  {
    var color = SIMD3<Float>.zero
    try scanner.numbers(3) { color[$0] = $1 }
    return color
  }

  private static func range(from scanner: inout CubeScanner) throws(CubeFileProblem)
    -> Lattice.Domain
  {
    var ends = SIMD2<Float>.zero
    try scanner.numbers(2) { ends[$0] = $1 }
    let domain = Lattice.Domain(
      minimum: SIMD3(repeating: ends[0]), maximum: SIMD3(repeating: ends[1]))
    guard domain.isUsable else { throw .emptyDomain }
    return domain
  }

  private static func looksLikeKeyword(_ word: String) -> Bool {
    guard let first = word.utf8.first, word.utf8.count > 1, !CubeScanner.isNotFinite(word) else {
      return false
    }
    let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
    return capitals.contains(first)
      && word.utf8.allSatisfy {
        capitals.contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || $0 == UInt8(ascii: "_")
      }
  }

  /// A title without its quotes; `nil` for an empty one.
  private static func unquoted(_ text: String) -> String? {
    var title = text[...]
    if title.first == "\"" {
      title = title.dropFirst()
      if let end = title.lastIndex(of: "\"") { title = title[..<end] }
    }
    // The specification allows lines of 250 bytes.
    return title.isEmpty ? nil : String(title.prefix(250))
  }
}
