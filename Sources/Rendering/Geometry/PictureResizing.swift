import Glibc
import SafelightColorKernels
import SafelightVips

/// Makes pictures smaller or larger, by means of light.
///
/// Codes become linear light, each channel by the curve of the picture's coding. Light is then
/// averaged with the weights of Lanczos's kernel of three lobes, first along columns and then along
/// rows, and becomes codes of the same coding. A smaller picture's kernel is as much wider as the
/// picture is smaller. Beyond the edges the pixels of the edge are repeated. Codes of a high dynamic
/// range are averaged as they are.
///
/// Sources: C. Lanczos, "Applied Analysis", 1956 (the σ-factors); K. Turkowski, "Filters for Common
/// Resampling Tasks", 1990.
struct PictureResizing: Sendable {
  /// The fewest and the most rows of a strip of the result. A strip reads the rows of five more.
  private static let stripHeights = 8...32
  /// How many bytes of the picture the strips of all threads may keep, where that is enough for one.
  private static let room = 64 << 20
  /// Columns of the source that are averaged at a time, so that their light stays in the processor's
  /// cache.
  private static let columns = 128

  private let size: PixelSize
  private let across, down: ResizingWeights
  private let light: LightTables

  /// - Parameters:
  ///   - size: The size of the result.
  ///   - source: The size of the picture.
  ///   - shrink: How much smaller a decoder has already made the picture, from `whole`; its last
  ///     column and row may stand for less than the others.
  ///   - whole: The size before that; `nil` for the picture's own.
  ///   - coding: What the codes mean.
  init(
    to size: PixelSize, from source: PixelSize, shrunk shrink: Int = 1, of whole: PixelSize? = nil,
    coding: PixelCoding
  ) {
    let whole = whole ?? source
    self.size = size
    across = ResizingWeights(
      from: source.width, extent: Double(whole.width) / Double(shrink), to: size.width)
    down = ResizingWeights(
      from: source.height, extent: Double(whole.height) / Double(shrink), to: size.height)
    light = if case .sRGB = coding { .sRGB } else { LightTables(coding) }
  }

  /// A part of a picture at another size.
  ///
  /// - Parameters:
  ///   - size: The size of the result.
  ///   - source: The size of the picture.
  ///   - frame: The part, in pixels of the picture; it may begin and end inside of pixels.
  init(
    to size: PixelSize, from source: PixelSize,
    frame: (left: Double, top: Double, width: Double, height: Double), coding: PixelCoding
  ) {
    self.size = size
    across = ResizingWeights(
      from: source.width, start: frame.left, extent: frame.width, to: size.width)
    down = ResizingWeights(
      from: source.height, start: frame.top, extent: frame.height, to: size.height)
    light = if case .sRGB = coding { .sRGB } else { LightTables(coding) }
  }

  /// The picture at the new size, in memory. It is read once, from top to bottom.
  ///
  /// - Parameter image: One or three bands of 8 or 16 bits.
  func applied(to image: Image) throws(VipsError) -> Image {
    let rows = RowStore(image)
    let format = image.sampleFormat
    let tables = light.tables(for: format)
    let bytesForRow = image.width * image.bytesPerPixel * max(1, image.height / size.height)
    let rowsInAll = max(Self.stripHeights.lowerBound, Self.room / bytesForRow)
    let threads = min(Image.concurrency, rowsInAll / Self.stripHeights.lowerBound)
    let stripHeight = min(Self.stripHeights.upperBound, rowsInAll / threads)
    return try VipsError.thrown(by: "resize") {
      try Image.filled(like: image, width: size.width, height: size.height) { memory in
        let target = UnsafeTransfer(memory)
        try Image.forEachStrip(of: size.height, rows: stripHeight, onAtMost: threads) {
          [down, across, light, source = image.size, bands = image.bands] in
          try ResizingWorker(
            rows: rows, reader: rows.reader(), down: down, across: across, light: light,
            tables: tables, format: format, source: source, bands: bands, target: target,
            stripHeight: stripHeight, columns: Self.columns)
        } deliver: { _, _ in
        }
      }
    }
  }
}

/// Which numbers of a row or column count how much for each number of a resized one.
struct ResizingWeights: Sendable {
  /// How many numbers count.
  let count: Int
  /// The first of them, for each result.
  let first: [Int32]
  /// Their weights, result after result; the sum of a result's weights is 1.
  let weights: [Float]

  /// - Parameters:
  ///   - length: The numbers in the source.
  ///   - start: Where the part begins that the result shows, in numbers.
  ///   - extent: How many whole numbers' room they take; the last may stand for less than one.
  ///   - results: The numbers in the result.
  init(from length: Int, start: Double = 0, extent: Double, to results: Int) {
    let ratio = extent / Double(results)
    let stretch = max(ratio, 1)
    let wanted = Int((6 * stretch).rounded(.up)) + 1
    let count = min(wanted, length)
    var (first, weights): ([Int32], [Float]) = ([], [])
    for result in 0..<results {
      let middle = start + (Double(result) + 0.5) * ratio - 0.5
      let start = Int((middle - 3 * stretch).rounded(.up))
      let kept = min(max(start, 0), length - count)
      var sums = [Double](repeating: 0, count: count)
      for index in start..<(start + wanted) {
        // What lies beyond an edge counts for the edge.
        let place = min(max(index, 0), length - 1) - kept
        sums[min(max(place, 0), count - 1)] += Self.lanczos((Double(index) - middle) / stretch)
      }
      let total = sums.reduce(0, +)
      first.append(Int32(kept))
      weights += sums.map { Float($0 / total) }
    }
    (self.count, self.first, self.weights) = (count, first, weights)
  }

  /// Lanczos's kernel of three lobes.
  static func lanczos(_ x: Double) -> Double {
    guard abs(x) < 3 else { return 0 }
    let angle = Double.pi * x
    return x == 0 ? 1 : 3 * sin(angle) * sin(angle / 3) / (angle * angle)
  }

  /// The numbers of the source that count for some results.
  func needed(for results: Range<Int>) -> Range<Int> {
    Int(first[results.lowerBound])..<(Int(first[results.upperBound - 1]) + count)
  }
}

/// The curves of a coding as tables.
struct LightTables: Sendable {
  /// Those of sRGB, made once.
  static let sRGB = LightTables(.sRGB)

  /// From codes to light, for red, green and blue.
  private let fromCodes: ChannelCurves
  /// From light to codes, for red, green and blue, or for all of them.
  private let toCodes: [CurveTable]
  /// Light is kept as so many times itself: a ``CurveTable`` is a straight line below 2⁻²⁰, where dark codes of 16
  /// bits by a power curve still bend.
  private static let scale = 32.0

  init(_ coding: PixelCoding) {
    let light = coding.light
    fromCodes = light.fromCodes
    let functions = light.toCodes.isShared ? [light.toCodes.red] : light.toCodes.functions
    toCodes = functions.map { function in
      CurveTable(negatives: false) { function($0 / Self.scale) }
    }
  }

  /// The light of each code, for red, green and blue, or for all of them.
  func tables(for format: Image.SampleFormat) -> [[Float]] {
    let largest = format == .uint16 ? 65_535 : 255
    let functions = fromCodes.isShared ? [fromCodes.red] : fromCodes.functions
    return functions.map { function in
      (0...largest).map { Float(Self.scale * function(Double($0) / Double(largest))) }
    }
  }

  /// Turns light into codes, as shares of the largest.
  func encode(_ tile: ColorTile) {
    tile.forEachPlane { channel, plane in
      toCodes[toCodes.count == 1 ? 0 : channel].map(plane, count: tile.count)
    }
  }
}

/// Resizes strips, on one thread.
private struct ResizingWorker: StripWorker {
  private let rows: RowStore
  private let reader: RowReader
  private let down, across: ResizingWeights
  private let light: LightTables
  private let tables: [[Float]]
  private let format: Image.SampleFormat
  private let source: PixelSize
  private let bands: Int
  private let columns: Int
  /// The first byte of the result.
  private let target: UnsafeTransfer<UnsafeMutableRawPointer>
  private let memory: Memory

  /// Numbers that are used again for each strip.
  private final class Memory {
    /// The light of some columns of the rows that a strip needs.
    let light: UnsafeMutablePointer<Float>
    /// The rows of a strip before their columns are averaged, and one number more.
    let sums: UnsafeMutablePointer<Float>
    /// A row of a strip.
    let row: UnsafeMutablePointer<Float>

    init(light: Int, sums: Int, row: Int) {
      self.light = .allocate(capacity: light)
      self.sums = .allocate(capacity: sums)
      self.row = .allocate(capacity: row)
      self.sums.initialize(repeating: 0, count: sums)
    }

    deinit {
      light.deallocate()
      sums.deallocate()
      row.deallocate()
    }
  }

  init(
    rows: RowStore, reader: RowReader, down: ResizingWeights, across: ResizingWeights,
    light: LightTables, tables: [[Float]], format: Image.SampleFormat, source: PixelSize,
    bands: Int, target: UnsafeTransfer<UnsafeMutableRawPointer>, stripHeight: Int, columns: Int
  ) {
    (self.rows, self.reader, self.down, self.across) = (rows, reader, down, across)
    (self.light, self.tables, self.format) = (light, tables, format)
    (self.source, self.bands, self.columns, self.target) = (source, bands, columns, target)
    let height = down.first.count
    let most =
      stride(from: 0, to: height, by: stripHeight).map {
        down.needed(for: $0..<min($0 + stripHeight, height)).count
      }.max() ?? 1
    memory = Memory(
      light: most * columns * bands, sums: stripHeight * source.width * bands + 1,
      row: across.first.count * bands)
  }

  func begin(_ strip: Range<Int>) throws {
    try rows.keep(down.needed(for: strip), through: reader)
  }

  func work(_ strip: Range<Int>) {
    averageRows(for: strip)
    rows.release(down.needed(for: strip))
    let width = across.first.count
    let bytesPerRow = width * bands * (format == .uint16 ? 2 : 1)
    for row in 0..<strip.count {
      kernels.sum_columns(
        memory.sums + row * source.width * bands, Int32(bands), across.first, across.weights,
        Int32(across.count), memory.row, Int32(width))
      encode(memory.row, to: target.value + (strip.lowerBound + row) * bytesPerRow)
    }
  }

  /// Averages along columns, some columns at a time.
  private func averageRows(for strip: Range<Int>) {
    let needed = down.needed(for: strip)
    let step = columns * bands
    let tables = (tables[0], tables.count == 1 ? tables[0] : tables[1], tables.last!)
    for left in stride(from: 0, to: source.width, by: columns) {
      let count = min(columns, source.width - left)
      rows.forEachRow(of: needed) { y, row in
        let light = memory.light + (y - needed.lowerBound) * step
        if format == .uint16 {
          kernels.lighten16(
            row.assumingMemoryBound(to: UInt16.self) + left * bands, Int32(bands), tables.0,
            tables.1, tables.2, light, Int32(count))
        } else {
          kernels.lighten8(
            row.assumingMemoryBound(to: UInt8.self) + left * bands, Int32(bands), tables.0,
            tables.1, tables.2, light, Int32(count))
        }
      }
      down.weights.withUnsafeBufferPointer { weights in
        for y in strip {
          kernels.sum_rows(
            memory.light + (Int(down.first[y]) - needed.lowerBound) * step, step,
            weights.baseAddress! + y * down.count, Int32(down.count),
            memory.sums + ((y - strip.lowerBound) * source.width + left) * bands,
            Int32(count * bands))
        }
      }
    }
  }

  /// Writes a row of light as codes.
  private func encode(_ row: UnsafePointer<Float>, to output: UnsafeMutableRawPointer) {
    let width = across.first.count
    ColorTile.withMemory { memory in
      for left in stride(from: 0, to: width, by: ColorTile.capacity) {
        let tile = ColorTile(memory, count: min(ColorTile.capacity, width - left))
        if bands == 3 {
          kernels.spread(row + left * 3, tile.red, ColorTile.capacity, Int32(tile.count))
          light.encode(tile)
          PixelEncoder(format: format).encode(tile, to: output, from: left)
        } else {
          tile.forEachPlane { _, plane in plane.update(from: row + left, count: tile.count) }
          light.encode(tile)
          encodeGray(tile, to: output, from: left)
        }
      }
    }
  }

  private func encodeGray(_ tile: ColorTile, to output: UnsafeMutableRawPointer, from left: Int) {
    let size = format == .uint16 ? 2 : 1
    withUnsafeTemporaryAllocation(byteCount: 3 * size * tile.count, alignment: 2) { pixels in
      PixelEncoder(format: format).encode(tile, to: pixels.baseAddress!, from: 0)
      for index in 0..<tile.count {
        (output + (left + index) * size).copyMemory(
          from: pixels.baseAddress! + 3 * index * size, byteCount: size)
      }
    }
  }
}
