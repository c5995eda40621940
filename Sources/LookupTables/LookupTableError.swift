/// Why something is not a lookup table that can be used.
public enum LookupTableError: Error, Hashable, CustomStringConvertible {
  /// A `.cube` file says something on a line, counted from 1, that cannot be right.
  case cubeFile(line: Int, CubeFileProblem)
  /// A picture is no HaldCLUT: it is not square, or its side is no third power of 2 to 12.
  case notHald(width: Int, height: Int)
  /// The numbers given for a table do not make one; the text says why, as the end of a sentence.
  case invalid(String)
  /// The table is too irregular to be packed into the bytes that an edit has room for.
  case tooLarge(size: Int, limit: Int)
  /// Stored bytes are no table; the text says why, as the end of a sentence.
  case damaged(String)

  /// What happened, in one sentence.
  public var description: String {
    switch self {
    case .cubeFile(let line, let problem): "On line \(line), \(problem.description)."
    case .notHald(let width, let height):
      "The picture has \(width) × \(height) pixels, which no HaldCLUT has."
    case .invalid(let reason): "The lookup table is not valid: \(reason)."
    case .tooLarge(let size, let limit):
      "The lookup table packs to \(size) bytes, and an edit has room for \(limit)."
    case .damaged(let reason): "The stored lookup table is damaged: \(reason)."
    }
  }
}

/// What is wrong on a line of a `.cube` file.
public enum CubeFileProblem: Error, Hashable, CustomStringConvertible {
  /// The file has nothing but blank lines and comments.
  case empty
  /// Neither a number nor a keyword.
  case notANumber(String)
  /// Not-a-number, an infinity, or more than a float holds.
  case notFinite(String)
  /// A row or a keyword has fewer numbers than it needs.
  case missingNumbers(needed: Int, found: Int)
  /// Something follows the numbers that the line needs.
  case leftover(String)
  /// Rows begin, or the file ends, before a size was given.
  case noSize
  /// The size is not a whole number, or not one that tables can have.
  case size(String, allowed: ClosedRange<Int>)
  /// A keyword stands twice, or two of them say the same thing differently.
  case repeated(String)
  /// Both sizes are given, and no input range says that the curves stand before the cube.
  case bothSizes
  /// The domain's lower end is not below its upper end.
  case emptyDomain
  /// A keyword stands after the first row.
  case keywordAmongRows(String)
  /// The file ends too early.
  case tooFewRows(found: Int, needed: Int)
  /// There are more rows than the size asks for.
  case tooManyRows(needed: Int)

  /// What is wrong, as the end of a sentence.
  public var description: String {
    switch self {
    case .empty: "the file ends without a table"
    case .notANumber(let word): "“\(word)” stands where a number belongs"
    case .notFinite(let word): "“\(word)” is not a finite number"
    case .missingNumbers(let needed, let found): "\(needed) numbers belong and \(found) are there"
    case .leftover(let word): "“\(word)” follows the numbers that belong there"
    case .noSize: "no LUT_1D_SIZE or LUT_3D_SIZE has been given"
    case .size(let word, let allowed):
      "the size is “\(word)” and must be from \(allowed.lowerBound) to \(allowed.upperBound)"
    case .repeated(let keyword): "\(keyword) gives again what was given before"
    case .bothSizes: "both LUT_1D_SIZE and LUT_3D_SIZE are given, without an input range"
    case .emptyDomain: "the domain's lower end is not below its upper end"
    case .keywordAmongRows(let keyword): "\(keyword) stands among the rows of numbers"
    case .tooFewRows(let found, let needed): "the file ends after \(found) of \(needed) rows"
    case .tooManyRows(let needed): "a row follows the \(needed) that the size asks for"
    }
  }
}
