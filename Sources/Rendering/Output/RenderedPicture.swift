import SafelightVips

/// A picture whose pixels are ready to be computed, and where its photo's rows come from.
struct RenderedPicture {
  /// The finished pixels.
  let image: Image
  /// The rows of a photo that is decoded from top to bottom; `nil` when it lies in memory.
  let rows: RowStore?
  /// How many rows of the photo above and below its own a row is made from.
  var reach = 0
  /// The photo's row that the first row of the picture is made from.
  var top = 0
  /// What makes each row of 8-bit RGB from the photo's row alone, when nothing else is done:
  /// strips are then made without copies between.
  var direct: ColorPass.RowFunction?

  /// Whether passes hand floats to each other: strips are then made in tiles, so that what lies
  /// between the passes stays in the processor's caches.
  var isTiled = false

  /// A picture, and the rows it is made from.
  init(_ image: Image, rows: RowStore? = nil) {
    self.image = image
    self.rows = rows
  }

  /// Computes the picture in strips; see ``Vips/Image/forEachStrip(of:rows:makeWorker:deliver:)``.
  ///
  /// - Parameter makeWork: Makes what works on strips, once for each thread.
  func forEachStrip<Product: Sendable>(
    rows count: Int, unless cancellation: RenderCancellation?,
    makeWork: @escaping @Sendable () throws -> (PixelRows) throws -> Product,
    deliver: (Product) throws -> Void
  ) throws {
    let source = StripSource(rows: rows, reach: reach, top: top)
    try Image.forEachStrip(of: image.height, rows: count) { [image, direct, isTiled] in
      try SourcedWorker(
        source: source, reader: source.rows?.reader(), cancellation: cancellation,
        pixels: StripPixels(image, source.rows, direct, isTiled: isTiled, height: count),
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

/// Computes the pixels of strips, on one thread.
private final class StripPixels {
  private enum Way {
    case rows(RowReader)
    case tiles(RowReader)
    case direct(RowStore, ColorPass.RowFunction)
  }

  /// Columns of a tile.
  private static let tileWidth = 512

  private let way: Way
  private let width: Int
  private let bytesPerPixel: Int
  /// Where a strip is put together.
  private let room: UnsafeMutableRawBufferPointer

  init(
    _ image: Image, _ rows: RowStore?, _ direct: ColorPass.RowFunction?, isTiled: Bool, height: Int
  ) throws {
    if let rows, let direct {
      way = .direct(rows, direct)
    } else {
      let reader = try RowReader(image)
      way = isTiled ? .tiles(reader) : .rows(reader)
    }
    width = image.width
    bytesPerPixel = image.bytesPerPixel
    // Untouched memory costs nothing where rows are read as they lie.
    room = .allocate(byteCount: width * bytesPerPixel * height, alignment: 64)
  }

  deinit {
    room.deallocate()
  }

  func read<Product>(_ strip: Range<Int>, _ body: (PixelRows) throws -> Product) throws -> Product {
    let start = room.baseAddress!
    let stride = width * bytesPerPixel
    switch way {
    case .rows(let reader):
      return try reader.read(strip) { rows in Result { try body(rows) } }.get()
    case .direct(let rows, let convert):
      rows.forEachRow(of: strip) { y, row in
        convert(row, start + (y - strip.lowerBound) * stride, width, 0, y)
      }
    case .tiles(let reader):
      for left in Swift.stride(from: 0, to: width, by: Self.tileWidth) {
        let columns = left..<min(left + Self.tileWidth, width)
        try reader.read(strip, columns: columns) { tile in
          for row in 0..<tile.count {
            (start + row * stride + left * bytesPerPixel).copyMemory(
              from: tile.start + row * tile.stride, byteCount: tile.width * bytesPerPixel)
          }
        }
      }
    }
    return try body(
      PixelRows(
        start: start, stride: stride, top: strip.lowerBound, width: width, count: strip.count))
  }
}

/// Has the photo's rows decoded before a strip is made from them.
private struct SourcedWorker<Product: Sendable>: StripWorker {
  let source: StripSource
  let reader: RowReader?
  let cancellation: RenderCancellation?
  let pixels: StripPixels
  let body: (PixelRows) throws -> Product

  func begin(_ strip: Range<Int>) throws {
    if cancellation?.isCancelled == true { throw CancellationError() }
    guard let rows = source.rows, let reader else { return }
    try rows.keep(source.rows(of: strip, in: rows), through: reader)
  }

  func work(_ strip: Range<Int>) throws -> Product { try pixels.read(strip, body) }
}
