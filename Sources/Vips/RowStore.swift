import SafelightCVips
import Synchronization

/// Keeps rows of a picture that can only be decoded from top to bottom, for as long as strips need
/// them.
///
/// A decoder gives rows once and in order, but strips are made on several threads and may overlap.
/// The store decodes in order and serves ``image()`` from memory.
package final class RowStore: @unchecked Sendable {
  // `@unchecked`: everything that changes is inside `state`, and one thread at a time reads the source.

  /// The number of rows of the picture.
  package var height: Int { source.height }

  private let source: Image
  private let bytesPerRow: Int
  private let state = Mutex(State())

  private struct State {
    var decoded = 0
    /// Decoded rows that are kept, oldest first and without gaps.
    var chunks: [Chunk] = []
    var spare: [Chunk] = []
    /// The first rows of the ranges in use.
    var inUse: [Int] = []
  }

  private final class Chunk: @unchecked Sendable {
    var rows = 0..<0
    let memory: UnsafeMutableRawBufferPointer

    init(bytes: Int) {
      memory = .allocate(byteCount: bytes, alignment: 64)
    }

    deinit { memory.deallocate() }
  }

  private static let chunkHeight = 64

  /// A store for `source`, which gives its rows from top to bottom.
  package init(_ source: Image) {
    self.source = source
    bytesPerRow = source.width * source.bytesPerPixel
  }

  /// The picture. Rows that are kept can be read in any order.
  package func image() throws(VipsError) -> Image {
    try Image.computed(from: [], like: source, width: source.width, height: source.height) {
      _, area in self.copy(to: area)
    }
  }

  /// A reader with which one thread decodes.
  package func reader() throws(VipsError) -> RowReader { try RowReader(source) }

  /// Decodes the rows of a range that are not decoded yet, and keeps the range until
  /// ``release(_:)``.
  ///
  /// Ranges must be kept from top to bottom and by one thread at a time, as a strip queue begins them: a row
  /// above all ranges in use is not kept. Other threads read kept rows meanwhile.
  ///
  /// - Parameters:
  ///   - rows: The rows, within the picture.
  ///   - reader: The ``reader()`` of this thread.
  package func keep(_ rows: Range<Int>, through reader: RowReader) throws(VipsError) {
    state.withLock { $0.inUse.append(rows.lowerBound) }
    while let (next, chunk) = room(upTo: rows.upperBound) {
      try reader.read(next) { found in
        for row in 0..<found.count {
          chunk.memory.baseAddress!.advanced(by: row * bytesPerRow)
            .copyMemory(from: found.start + row * found.stride, byteCount: bytesPerRow)
        }
      }
      chunk.rows = next
      state.withLock { state in
        state.chunks.append(chunk)
        state.decoded = next.upperBound
      }
    }
  }

  /// The next rows that are to be decoded, and memory for them; `nil` when enough are decoded.
  private func room(upTo end: Int) -> (rows: Range<Int>, chunk: Chunk)? {
    state.withLock { state in
      guard state.decoded < end else { return nil }
      let rows = state.decoded..<min(state.decoded + Self.chunkHeight, source.height)
      return (rows, state.spare.popLast() ?? Chunk(bytes: Self.chunkHeight * bytesPerRow))
    }
  }

  /// Releases a range that was kept.
  package func release(_ rows: Range<Int>) {
    state.withLock { state in
      if let index = state.inUse.firstIndex(of: rows.lowerBound) { state.inUse.remove(at: index) }
      let needed = state.inUse.min() ?? rows.lowerBound
      while let oldest = state.chunks.first, oldest.rows.upperBound <= needed {
        state.spare.append(state.chunks.removeFirst())
      }
    }
  }

  /// Calls `body` with each row of a range that is kept, from top to bottom.
  package func forEachRow(of rows: Range<Int>, _ body: (Int, UnsafeRawPointer) -> Void) {
    let chunks = state.withLock { state in state.chunks.filter { $0.rows.overlaps(rows) } }
    for chunk in chunks {
      for y in chunk.rows.clamped(to: rows) {
        let offset = (y - chunk.rows.lowerBound) * bytesPerRow
        body(y, UnsafeRawPointer(chunk.memory.baseAddress! + offset))
      }
    }
  }

  /// Copies rows of the strips that are still in memory into an area of ``image()``.
  ///
  /// - Returns: Whether all rows of the area were still in memory.
  private func copy(to area: PixelArea) -> Bool {
    let bytesPerPixel = bytesPerRow / source.width
    var found = 0
    forEachRow(of: area.top..<(area.top + area.height)) { y, row in
      area.address(row: y).copyMemory(
        from: row + area.left * bytesPerPixel, byteCount: area.width * bytesPerPixel)
      found += 1
    }
    return found == area.height
  }
}
