import SafelightVips

/// A picture that is ready to be computed, and the source of the photo's rows.
struct RenderedPicture {
  /// The finished pixels.
  let image: Image
  /// The rows of a photo that is decoded from top to bottom; `nil` when the photo is in memory.
  let rows: RowStore?
  /// How many rows above and below a row of the photo are needed for a row of the picture.
  var reach = 0
  /// The row of the photo that becomes the first row of the picture.
  var top = 0
  /// The only pass, when it makes each row of 8-bit RGB from the photo's row alone. Strips are then
  /// made without copies; `nil` otherwise.
  var direct: ColorPass.RowFunction?
  /// Whether passes give floats to each other. Strips are then made in tiles, so that the floats
  /// stay in the processor's caches.
  var isTiled = false

  /// A picture, and the rows that it is made from.
  init(_ image: Image, rows: RowStore? = nil) {
    self.image = image
    self.rows = rows
  }

  /// Computes the picture in strips; see `Image.forEachStrip(of:rows:makeWorker:deliver:)`.
  ///
  /// - Parameter makeWork: Makes the function that works on strips, once for each thread.
  func forEachStrip<Product: Sendable>(
    rows count: Int, unless cancellation: RenderCancellation?,
    makeWork: @escaping @Sendable () throws -> (PixelRows) throws -> Product,
    deliver: (Product) throws -> Void
  ) throws {
    let source = StripSource(rows: rows, reach: reach, top: top)
    try Image.forEachStrip(of: image.height, rows: count) { [image, direct, isTiled] in
      try SourcedWorker(
        source: source, reader: source.rows?.reader(), cancellation: cancellation,
        pixels: StripPixels(
          of: image, rows: source.rows, direct: direct, isTiled: isTiled, height: count),
        body: makeWork())
    } deliver: { product, strip in
      if let rows { rows.release(source.rows(of: strip, in: rows)) }
      try deliver(product)
    }
  }
}

/// Tells which rows of the photo a strip of the picture is made from.
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
  /// How the pixels of a strip are made.
  private enum Method {
    case rows(RowReader)
    case tiles(RowReader)
    case direct(RowStore, ColorPass.RowFunction)
  }

  /// The number of columns of a tile.
  private static let tileWidth = 512

  private let method: Method
  private let width: Int
  private let bytesPerPixel: Int
  /// Memory for a strip.
  private let room: UnsafeMutableRawBufferPointer

  init(
    of image: Image, rows: RowStore?, direct: ColorPass.RowFunction?, isTiled: Bool, height: Int
  ) throws {
    if let rows, let direct {
      method = .direct(rows, direct)
    } else {
      let reader = try RowReader(image)
      method = isTiled ? .tiles(reader) : .rows(reader)
    }
    width = image.width
    bytesPerPixel = image.bytesPerPixel
    // Where rows are read in place, this memory is never touched and costs nothing.
    room = .allocate(byteCount: width * bytesPerPixel * height, alignment: 64)
  }

  deinit {
    room.deallocate()
  }

  func read<Product>(_ strip: Range<Int>, _ body: (PixelRows) throws -> Product) throws -> Product {
    let start = room.baseAddress!
    let stride = width * bytesPerPixel
    switch method {
    case .rows(let reader):
      return try reader.read(strip) { rows in Result { try body(rows) } }.get()
    case .direct(let rows, let convert):
      rows.forEachRow(of: strip) { y, row in
        convert(
          Scanline(
            input: row, output: start + (y - strip.lowerBound) * stride, count: width, x: 0, y: y))
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

/// Decodes the rows of the photo that a strip needs, then makes the strip.
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
