/// Finished rows of an image, as they lie in memory.
public struct PixelRows {
  /// The first sample of the first row: bands side by side, in the image's sample format.
  public let start: UnsafeRawPointer
  /// Bytes from the start of a row to the start of the next.
  public let stride: Int
  /// The image's row that comes first.
  public let top: Int
  /// Pixels in a row.
  public let width: Int
  /// How many rows there are.
  public let count: Int

  /// Describes rows in memory.
  public init(
    start: UnsafeRawPointer, stride: Int, top: Int, width: Int, count: Int
  ) {
    self.start = start
    self.stride = stride
    self.top = top
    self.width = width
    self.count = count
  }
}
