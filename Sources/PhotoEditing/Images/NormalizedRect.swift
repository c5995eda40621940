/// A part of a picture in shares of its width and height, from its upper left corner.
public struct NormalizedRect: Sendable, Hashable {
  /// Where it begins, from the left edge, 0 to 1.
  public let x: Double
  /// Where it begins, from the top edge, 0 to 1.
  public let y: Double
  /// Its share of the width, above 0.
  public let width: Double
  /// Its share of the height, above 0.
  public let height: Double

  /// A part of a picture; what lies outside of the picture is cut off.
  ///
  /// One that has no part inside, or numbers that are none, is a mistake of the caller's.
  public init(x: Double, y: Double, width: Double, height: Double) {
    precondition(
      x + width > 0 && y + height > 0 && x < 1 && y < 1 && width > 0 && height > 0,
      "The rectangle \(x), \(y), \(width), \(height) has no part of the picture.")
    (self.x, self.y) = (max(x, 0), max(y, 0))
    self.width = min(x + width, 1) - self.x
    self.height = min(y + height, 1) - self.y
  }

  /// The whole picture.
  public static let whole = NormalizedRect(x: 0, y: 0, width: 1, height: 1)
}
