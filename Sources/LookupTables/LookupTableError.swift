/// Why a lookup table cannot be used.
public enum LookupTableError: Error, Hashable, CustomStringConvertible {
  /// A line of a `.cube` file, counted from 1, has a problem.
  case cubeFile(line: Int, CubeFileProblem)
  /// The picture is not a HaldCLUT: not square, or its side is not the third power of 2 to 12.
  case notHald(width: Int, height: Int)
  /// The numbers do not make a table; the text says why, as the end of a sentence.
  case invalid(String)
  /// The table is too irregular: packed, it takes more bytes than an edit has room for.
  case tooLarge(size: Int, limit: Int)
  /// The stored bytes are not a table; the text says why, as the end of a sentence.
  case damaged(String)

  /// What happened, in one sentence.
  public var description: String {
    switch self {
    case .cubeFile(let line, let problem): "On line \(line), \(problem.description)."
    case .notHald(let width, let height):
      "The picture has \(width) × \(height) pixels; no HaldCLUT has this size."
    case .invalid(let reason): "The lookup table is not valid: \(reason)."
    case .tooLarge(let size, let limit):
      "The lookup table packs to \(size) bytes, and an edit has room for \(limit)."
    case .damaged(let reason): "The stored lookup table is damaged: \(reason)."
    }
  }
}

/// What is wrong on a line of a `.cube` file.
public enum CubeFileProblem: Error, Hashable, CustomStringConvertible {
  /// The file has only blank lines and comments.
  case empty
  /// A word is neither a number nor a keyword.
  case notANumber(String)
  /// A number is infinite, not-a-number, or too large for a float.
  case notFinite(String)
  /// A row or a keyword has too few numbers.
  case missingNumbers(needed: Int, found: Int)
  /// A word follows the last number of the line.
  case leftover(String)
  /// Rows begin, or the file ends, before a size was given.
  case noSize
  /// The size is not a whole number, or not allowed.
  case size(String, allowed: ClosedRange<Int>)
  /// A keyword occurs twice, or two keywords contradict each other.
  case repeated(String)
  /// The file has both sizes but no input range.
  case bothSizes
  /// The domain's lower end is not below its upper end.
  case emptyDomain
  /// A keyword comes after the first row.
  case keywordAmongRows(String)
  /// The file ends too early.
  case tooFewRows(found: Int, needed: Int)
  /// The file has more rows than its size needs.
  case tooManyRows(needed: Int)

  /// What is wrong, as the end of a sentence.
  public var description: String {
    switch self {
    case .empty: "the file ends without a table"
    case .notANumber(let word): "“\(word)” is not a number"
    case .notFinite(let word): "“\(word)” is not a finite number"
    case .missingNumbers(let needed, let found): "\(found) of \(needed) numbers are there"
    case .leftover(let word): "“\(word)” follows the last number"
    case .noSize: "LUT_1D_SIZE or LUT_3D_SIZE is missing"
    case .size(let word, let allowed):
      "the size is “\(word)” and must be from \(allowed.lowerBound) to \(allowed.upperBound)"
    case .repeated(let keyword): "\(keyword) repeats or contradicts an earlier line"
    case .bothSizes: "both LUT_1D_SIZE and LUT_3D_SIZE are given, without an input range"
    case .emptyDomain: "the domain's lower end is not below its upper end"
    case .keywordAmongRows(let keyword): "\(keyword) comes after the first row of numbers"
    case .tooFewRows(let found, let needed): "the file ends after \(found) of \(needed) rows"
    case .tooManyRows(let needed): "the file has more than the \(needed) rows that its size needs"
    }
  }
}
