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

  /// What can be done about it; `nil` when there is nothing to say.
  public var hint: String? {
    switch self {
    case .cubeFile(_, let problem): problem.hint
    case .notHald:
      """
      A HaldCLUT is square with a side of 8, 27, 64, 125, 216, 343, 512, 729, 1000, 1331 or 1728; \
      use the picture in its own size.
      """
    case .invalid: "Make the table again with numbers that fit its size."
    case .tooLarge: "Make a table of 65 or fewer places along each edge."
    case .damaged: "Apply the look again from its file, or revert the photo."
    }
  }
}
