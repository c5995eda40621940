import Vips

/// A picture whose pixels are ready to be computed, and where its photo's rows come from.
struct RenderedPicture {
  /// The finished pixels.
  let image: Image
  /// The rows of a photo that is decoded from top to bottom; `nil` when it lies in memory.
  let rows: RowStore?
  /// How many rows of the photo above and below its own a row is made from.
  let reach: Int
  /// The photo's row that the first row of the picture is made from.
  let top: Int

  /// A picture of a photo that can be read in any order.
  init(_ image: Image) {
    self.init(image, rows: nil, reach: 0, top: 0)
  }

  init(_ image: Image, rows: RowStore?, reach: Int, top: Int) {
    self.image = image
    self.rows = rows
    self.reach = reach
    self.top = top
  }

  /// Computes the picture in strips; see ``Vips/Image/forEachStrip(rows:makeWorker:deliver:)``.
  ///
  /// - Parameter makeWork: Makes what works on strips, once for each thread.
  func forEachStrip<Product: Sendable>(
    rows count: Int, unless cancellation: RenderCancellation?,
    makeWork: @escaping @Sendable () throws -> (PixelRows) throws -> Product,
    deliver: (Product) throws -> Void
  ) throws {
    let source = StripSource(rows: rows, reach: reach, top: top)
    try image.forEachStrip(rows: count) {
      try SourcedWorker(
        source: source, reader: source.rows?.reader(), cancellation: cancellation,
        body: makeWork())
    } deliver: { product, strip in
      if let rows { rows.release(source.rows(of: strip, in: rows)) }
      try deliver(product)
    }
  }
}

/// Which rows of the photo the strips of a picture are made from.
private struct StripSource: Sendable {
  let rows: RowStore?
  let reach: Int
  let top: Int

  func rows(of strip: Range<Int>, in rows: RowStore) -> Range<Int> {
    let first = max(strip.lowerBound + top - reach, 0)
    return first..<max(first, min(strip.upperBound + top + reach, rows.height))
  }
}

/// Has the photo's rows decoded before a strip is made from them.
private struct SourcedWorker<Product: Sendable>: StripWorker {
  let source: StripSource
  let reader: RowReader?
  let cancellation: RenderCancellation?
  let body: (PixelRows) throws -> Product

  func begin(_ strip: Range<Int>) throws {
    if cancellation?.isCancelled == true { throw CancellationError() }
    guard let rows = source.rows, let reader else { return }
    try rows.keep(source.rows(of: strip, in: rows), through: reader)
  }

  func work(_ rows: PixelRows) throws -> Product { try body(rows) }
}
