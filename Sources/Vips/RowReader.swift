import SafelightCVips

/// Computes rows of one image on one thread, again and again into the same memory.
///
/// libvips ties buffers to threads: make, use and drop a reader on one.
public final class RowReader {
  private let image: Image
  private let region: UnsafeMutablePointer<VipsRegion>

  /// Prepares to read `image`.
  public init(_ image: Image) throws(VipsError) {
    guard let region = vips_region_new(image.pointer) else { throw .last("region") }
    self.image = image
    self.region = region
  }

  deinit {
    g_object_unref(region)
  }

  /// Computes some rows in full width and calls `body` with them.
  ///
  /// An image that is decoded from top to bottom must be read so.
  public func read<Result>(_ rows: Range<Int>, _ body: (PixelRows) -> Result) throws(VipsError)
    -> Result
  {
    try read(rows, columns: 0..<image.width, body)
  }

  /// Computes some columns of some rows and calls `body` with them.
  public func read<Result>(
    _ rows: Range<Int>, columns: Range<Int>, _ body: (PixelRows) -> Result
  ) throws(VipsError) -> Result {
    var area = VipsRect(
      left: Int32(columns.lowerBound), top: Int32(rows.lowerBound), width: Int32(columns.count),
      height: Int32(rows.count))
    guard vips_region_prepare(region, &area) == 0 else { throw .last("region_prepare") }
    return body(
      PixelRows(
        start: UnsafeRawPointer(safelight_region_address(region, area.left, area.top)!),
        stride: Int(safelight_region_stride(region)), top: rows.lowerBound, width: columns.count,
        count: rows.count))
  }
}

extension Image {
  /// Bytes of one pixel, all bands.
  public var bytesPerPixel: Int { Int(safelight_pixel_size(pointer)) }
}
