import SafelightVips

extension PreviewDetail {
  /// A picture of 8-bit pixels of three bands, and what a pass does to a run of its pixels; `nil` for a
  /// picture that is computed while it is read.
  struct Layer: Sendable {
    let image: Image
    let pass: ColorPass.RowFunction?

    /// A photo in memory with an edit.
    ///
    /// - Parameter grid: What the pass makes of colors, nearly; `nil` where it is not known.
    init(_ picture: RenderedPicture, of photo: DecodedPhoto, by grid: ColorGrid?) {
      image = picture.pass == nil ? picture.image : photo.image
      pass = picture.pass.map { pass in
        if let grid, grid.isFaster { grid.rowFunction } else { pass.rowFunction(bands: 3) }
      }
    }
  }
}

extension PreviewDetail.Places {
  /// Makes the small picture in 8-bit sRGB, in memory.
  ///
  /// - Parameters:
  ///   - coarse: The small picture.
  ///   - fine: The large picture.
  func picture(
    _ coarse: PreviewDetail.Layer, _ fine: PreviewDetail.Layer,
    unless cancellation: RenderCancellation?
  ) throws -> Image {
    try Image.filled(like: coarse.image, width: small.width, height: small.height) { memory in
      let target = UnsafeTransfer(memory)
      try Image.forEachStrip(of: small.height, rows: DetailWorker.height) {
        try DetailWorker(self, coarse, fine, target, unless: cancellation)
      } deliver: { _, _ in
      }
    }
  }

  /// Makes strips of a picture, on one thread.
  private final class DetailWorker: StripWorker {
    /// Rows of a strip of the small picture.
    static let height = 32
    /// Columns of a block of the large picture that is computed.
    private static let blockWidth = 128

    private let places: PreviewDetail.Places
    private let coarse, fine: PreviewDetail.Layer
    private let target: UnsafeTransfer<UnsafeMutableRawPointer>
    private let cancellation: RenderCancellation?
    private let readers: (coarse: RowReader, fine: RowReader)
    private let table = LightTables.sRGB.tables(for: .uint8)[0]
    /// Codes of a row of the large picture, the light of the rows that a strip needs, and the sums of
    /// their columns with one number more.
    private let codes: UnsafeMutableRawPointer
    private let light, sums, row: UnsafeMutablePointer<Float>

    init(
      _ places: PreviewDetail.Places, _ coarse: PreviewDetail.Layer, _ fine: PreviewDetail.Layer,
      _ target: UnsafeTransfer<UnsafeMutableRawPointer>, unless cancellation: RenderCancellation?
    ) throws(VipsError) {
      (self.places, self.coarse, self.fine) = (places, coarse, fine)
      (self.target, self.cancellation) = (target, cancellation)
      readers = (try RowReader(coarse.image), try RowReader(fine.image))
      let rows =
        stride(from: 0, to: places.small.height, by: Self.height).map {
          places.down.needed(for: $0..<min($0 + Self.height, places.small.height)).count
        }.max() ?? 1
      codes = .allocate(byteCount: places.large.width * 3, alignment: 64)
      light = .allocate(capacity: rows * places.large.width * 3)
      sums = .allocate(capacity: places.large.width * 3 + 1)
      sums.initialize(repeating: 0, count: places.large.width * 3 + 1)
      row = .allocate(capacity: places.small.width * 3)
    }

    deinit {
      codes.deallocate()
      light.deallocate()
      sums.deallocate()
      row.deallocate()
    }

    func begin(_ strip: Range<Int>) throws {
      if cancellation?.isCancelled == true { throw CancellationError() }
    }

    func work(_ strip: Range<Int>) throws {
      let (small, bytesPerRow) = (places.small, places.small.width * 3)
      try readers.coarse.read(strip) { rows in
        for y in 0..<rows.count {
          let input = rows.start + y * rows.stride
          let output = target.value + (strip.lowerBound + y) * bytesPerRow
          if let pass = coarse.pass {
            pass(
              Scanline(
                input: input, output: output, count: small.width, x: 0, y: strip.lowerBound + y))
          } else {
            output.copyMemory(from: input, byteCount: bytesPerRow)
          }
        }
      }
      guard strip.contains(where: { !places.runs[$0].isEmpty }) else { return }
      let needed = places.down.needed(for: strip)
      if let pass = fine.pass {
        try readers.fine.read(needed) { rows in lighten(rows, by: pass) }
      } else {
        try lightenComputed(needed)
      }
      for y in strip { reduce(y, from: needed.lowerBound) }
    }

    /// Computes the large picture in blocks, where some of a block is needed, and keeps the light.
    private func lightenComputed(_ needed: Range<Int>) throws(VipsError) {
      let width = places.large.width
      for left in stride(from: 0, to: width, by: Self.blockWidth) {
        let columns = left..<min(left + Self.blockWidth, width)
        guard let first = needed.first(where: { isNeeded(columns, $0) }),
          let last = needed.last(where: { isNeeded(columns, $0) })
        else { continue }
        try readers.fine.read(first..<(last + 1), columns: columns) { rows in
          for row in 0..<rows.count {
            lighten(
              rows.start + row * rows.stride, columns, row: first + row - needed.lowerBound)
          }
        }
      }
    }

    private func isNeeded(_ columns: Range<Int>, _ row: Int) -> Bool {
      places.spans[row].contains { $0.overlaps(columns) }
    }

    private func lighten(_ codes: UnsafeRawPointer, _ columns: Range<Int>, row: Int) {
      table.withUnsafeBufferPointer { table in
        let table = table.baseAddress!
        kernels.lighten8(
          codes.assumingMemoryBound(to: UInt8.self), 3, table, table, table,
          light + (row * places.large.width + columns.lowerBound) * 3, Int32(columns.count))
      }
    }

    /// Does the pass where rows of the large picture are needed, and keeps the light.
    private func lighten(_ rows: PixelRows, by pass: ColorPass.RowFunction) {
      for index in 0..<rows.count {
        for span in places.spans[rows.top + index] {
          let start = codes + 3 * span.lowerBound
          pass(
            Scanline(
              input: rows.start + index * rows.stride + 3 * span.lowerBound, output: start,
              count: span.count, x: span.lowerBound, y: rows.top + index))
          lighten(start, span, row: index)
        }
      }
    }

    /// Makes the pixels of a row that have places.
    private func reduce(_ y: Int, from top: Int) {
      let (width, down, across) = (places.large.width, places.down, places.across)
      let first = light + (Int(down.first[y]) - top) * width * 3
      for run in places.runs[y] {
        let columns = across.needed(for: run)
        let left = 3 * columns.lowerBound
        down.weights.withUnsafeBufferPointer { weights in
          kernels.sum_rows(
            first + left, 3 * width, weights.baseAddress! + y * down.count, Int32(down.count),
            sums + left, Int32(3 * columns.count))
        }
        across.first.withUnsafeBufferPointer { places in
          across.weights.withUnsafeBufferPointer { weights in
            kernels.sum_columns(
              sums, 3, places.baseAddress! + run.lowerBound,
              weights.baseAddress! + run.lowerBound * across.count, Int32(across.count), row,
              Int32(run.count))
          }
        }
        encode(run, to: target.value + (y * places.small.width + run.lowerBound) * 3)
      }
    }

    /// Writes light as codes.
    private func encode(_ run: Range<Int>, to output: UnsafeMutableRawPointer) {
      ColorTile.withMemory { memory in
        for left in stride(from: 0, to: run.count, by: ColorTile.capacity) {
          let tile = ColorTile(memory, count: min(ColorTile.capacity, run.count - left))
          kernels.spread(row + 3 * left, tile.red, ColorTile.capacity, Int32(tile.count))
          LightTables.sRGB.encode(tile)
          PixelEncoder(format: .uint8).encode(tile, to: output, from: left)
        }
      }
    }
  }
}
