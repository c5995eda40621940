/// How the two pictures of a comparison lie.
public enum ComparisonArrangement: Sendable, Hashable {
  /// Side by side, or one above the other where the whole would be too wide.
  case automatic
  /// The first on the left, the second on the right.
  case sideBySide
  /// The first above the second.
  case stacked
  /// One picture: the first up to a share of its width from 0 to 1, the second from there on.
  case split(at: Double)
}
