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

  /// What can be done about it.
  var hint: String {
    switch self {
    case .empty, .tooFewRows, .missingNumbers, .leftover:
      "The file may have been cut short or mangled; get it again."
    case .notANumber(let word) where word.contains(","):
      "Write numbers with a point, and nothing but spaces between them."
    case .notANumber, .notFinite: "A row is three numbers such as “0.5 0.25 1e-3”."
    case .noSize: "Put “LUT_3D_SIZE n” or “LUT_1D_SIZE n” before the rows."
    case .size: "Export the table in another size; 33 is usual for LUT_3D_SIZE."
    case .repeated, .keywordAmongRows: "Say everything once, before the rows."
    case .bothSizes:
      """
      A file has one size; a shaper before a cube needs LUT_1D_INPUT_RANGE or LUT_3D_INPUT_RANGE.
      """
    case .emptyDomain: "Give each channel a DOMAIN_MIN below its DOMAIN_MAX."
    case .tooManyRows: "Check that the size is the one that the rows were made for."
    }
  }
}
