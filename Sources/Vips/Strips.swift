import Glibc
import SafelightCVips
import Synchronization

extension Image {
  /// Works on a picture in strips of full width, several at once, and delivers the product of each
  /// strip in order.
  ///
  /// Strips also begin in order. The number of threads is that of libvips.
  ///
  /// - Parameters:
  ///   - height: Rows of the picture.
  ///   - rows: Rows of a strip; the last may have fewer.
  ///   - makeWorker: Makes a worker; called once on each thread.
  ///   - deliver: Receives the products from top to bottom, one at a time.
  package static func forEachStrip<Worker: StripWorker>(
    of height: Int, rows: Int, onAtMost most: Int = .max,
    makeWorker: @escaping @Sendable () throws -> Worker,
    deliver: (Worker.Product, Range<Int>) throws -> Void
  ) throws {
    let strips = stride(from: 0, to: height, by: rows).map { $0..<min($0 + rows, height) }
    try withoutActuallyEscaping(deliver) { deliver in
      let queue = StripQueue<Worker>(strips, deliver: UnsafeTransfer(deliver))
      let threads = min(Image.concurrency, strips.count, most)
      onThreads(threads) {
        // The worker, and what libvips keeps for a thread, must end on this thread.
        queue.run {
          var worker = try makeWorker()
          while let (index, strip) = try queue.begin(&worker) {
            try queue.finish(index, worker.work(strip))
          }
        }
        vips_thread_shutdown()
      }
      if let failure = queue.failure { throw failure }
    }
  }
}

extension Image {
  /// How many threads libvips works on a picture with.
  package static var concurrency: Int { Int(vips_concurrency_get()) }
}

/// Runs `body` on so many threads at once, of which this one is the first.
///
/// libdispatch is not used for it: its pool reads under `/proc` what its threads do, which a process
/// without files cannot, and ends the process then.
private func onThreads(_ count: Int, _ body: @Sendable () -> Void) {
  withoutActuallyEscaping(body) { body in
    final class Work {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var threads: [pthread_t] = []
    for _ in 1..<max(1, count) {
      let work = Unmanaged.passRetained(Work(body))
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { work in
          Unmanaged<Work>.fromOpaque(work!).takeRetainedValue().body()
          return nil
        }, work.toOpaque())
      // With fewer threads the others do the work.
      guard code == 0 else {
        work.release()
        break
      }
      threads.append(thread)
    }
    body()
    for thread in threads { pthread_join(thread, nil) }
  }
}

/// Does something for each number below `count`, on as many threads as libvips may use.
package func onAllThreads(_ count: Int, _ body: @Sendable (Int) -> Void) {
  let next = Mutex(0)
  let threads = min(Image.concurrency, count)
  withoutActuallyEscaping(body) { body in
    onThreads(threads) {
      while true {
        let index = next.withLock { next in
          next += 1
          return next - 1
        }
        guard index < count else { break }
        body(index)
      }
      if threads > 1 { vips_thread_shutdown() }
    }
  }
}

/// What a function makes of each number below `count`, found on as many threads as libvips may use.
package func onAllThreads<Result: Sendable>(
  mapping count: Int, _ body: @Sendable (Int) -> Result
) -> [Result] {
  [Result](unsafeUninitializedCapacity: count) { results, filled in
    let start = UnsafeTransfer(results.baseAddress!)
    onAllThreads(count) { index in (start.value + index).initialize(to: body(index)) }
    filled = count
  }
}

/// Does two things on two threads at once, where libvips may use as many.
package func onTwoThreads(_ first: () -> Void, and second: () -> Void) {
  withoutActuallyEscaping(first) { first in
    withoutActuallyEscaping(second) { second in
      let work = UnsafeTransfer([first, second])
      onAllThreads(2) { work.value[$0]() }
    }
  }
}

/// Does two things on two threads at once, and gives both results.
///
/// - Throws: The first's error, or, when only the second failed, the second's. Both have ended by then.
package func inParallel<First, Second>(
  _ first: () throws -> First, and second: () throws -> Second
) throws -> (First, Second) {
  var one: Result<First, any Error>?
  var two: Result<Second, any Error>?
  onTwoThreads {
    one = Result { try first() }
  } and: {
    two = Result { try second() }
  }
  return (try one!.get(), try two!.get())
}

/// Makes a product of each strip of an image, on one thread.
package protocol StripWorker: SendableMetatype {
  /// What the worker makes of a strip.
  associatedtype Product: Sendable

  /// Called before a strip is computed. The strips of all workers begin one at a time, from top to
  /// bottom.
  mutating func begin(_ rows: Range<Int>) throws

  /// Computes a strip's pixels and makes its product.
  mutating func work(_ rows: Range<Int>) throws -> Product
}

/// Lets work on other threads hold a value that is not `Sendable`. Whoever makes one has to see to it that no
/// two threads change the value at once.
package struct UnsafeTransfer<Value>: @unchecked Sendable {
  package let value: Value

  package init(_ value: Value) { self.value = value }
}

/// Gives out strips, and collects the products that are not delivered yet.
private final class StripQueue<Worker: StripWorker>: Sendable {
  private struct State {
    var next = 0
    var delivered = 0
    var waiting: [Int: Worker.Product] = [:]
    var failure: (any Error)?
  }

  private let strips: [Range<Int>]
  private let deliver: UnsafeTransfer<(Worker.Product, Range<Int>) throws -> Void>
  private let state = Mutex(State())
  /// Held while a strip begins, so that strips begin in order.
  private let beginning = Mutex(())

  init(
    _ strips: [Range<Int>],
    deliver: UnsafeTransfer<(Worker.Product, Range<Int>) throws -> Void>
  ) {
    self.strips = strips
    self.deliver = deliver
  }

  var failure: (any Error)? { state.withLock { $0.failure } }

  /// Runs the work of a thread. An error ends the work of all threads.
  func run(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      state.withLock { state in
        if state.failure == nil { state.failure = error }
      }
    }
  }

  /// Begins the next strip; `nil` when there is none or a thread failed.
  func begin(_ worker: inout Worker) throws -> (Int, Range<Int>)? {
    try beginning.withLock { _ in
      let index: Int? = state.withLock { state in
        guard state.failure == nil, state.next < strips.count else { return nil }
        state.next += 1
        return state.next - 1
      }
      guard let index else { return nil }
      try worker.begin(strips[index])
      return (index, strips[index])
    }
  }

  func finish(_ index: Int, _ product: Worker.Product) throws {
    try state.withLock { state in
      state.waiting[index] = product
      while let product = state.waiting.removeValue(forKey: state.delivered) {
        try deliver.value(product, strips[state.delivered])
        state.delivered += 1
      }
    }
  }
}

/// Computed rows of an image in memory.
package struct PixelRows {
  /// The first sample of the first row: bands side by side, in the image's sample format.
  package let start: UnsafeRawPointer
  /// Bytes from the start of a row to the start of the next.
  package let stride: Int
  /// The row of the image that comes first.
  package let top: Int
  /// Pixels in a row.
  package let width: Int
  /// The number of rows.
  package let count: Int

  /// Describes rows in memory.
  package init(
    start: UnsafeRawPointer, stride: Int, top: Int, width: Int, count: Int
  ) {
    self.start = start
    self.stride = stride
    self.top = top
    self.width = width
    self.count = count
  }
}

/// Computes rows of one image on one thread, always into the same memory.
///
/// libvips binds buffers to threads: create, use and release a reader on the same thread.
package final class RowReader {
  private let image: Image
  private let region: UnsafeMutablePointer<VipsRegion>

  /// Prepares to read `image`.
  package init(_ image: Image) throws(VipsError) {
    guard let region = vips_region_new(image.pointer) else { throw .last("region") }
    self.image = image
    self.region = region
  }

  deinit {
    g_object_unref(region)
  }

  /// Computes some rows in full width and calls `body` with them.
  ///
  /// An image that is decoded from top to bottom must be read from top to bottom.
  package func read<Result>(_ rows: Range<Int>, _ body: (PixelRows) -> Result) throws(VipsError)
    -> Result
  {
    try read(rows, columns: 0..<image.width, body)
  }

  /// Computes some columns of some rows and calls `body` with them.
  package func read<Result>(
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
  package var bytesPerPixel: Int { Int(safelight_pixel_size(pointer)) }
}

/// Keeps rows of a picture that can only be decoded from top to bottom, for as long as strips need
/// them.
///
/// A decoder gives rows once and in order, but strips are made on several threads and may overlap.
/// The store decodes in order and serves ``image()`` from memory.
package final class RowStore: @unchecked Sendable {
  // `@unchecked`: everything that changes is inside `state`, and the source is only read under its
  // lock.

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
  /// Ranges must be kept from top to bottom: a row above all ranges in use is not kept.
  ///
  /// - Parameters:
  ///   - rows: The rows, within the picture.
  ///   - reader: The ``reader()`` of this thread.
  package func keep(_ rows: Range<Int>, through reader: RowReader) throws(VipsError) {
    let failure: VipsError? = state.withLock { state in
      state.inUse.append(rows.lowerBound)
      do throws(VipsError) {
        while state.decoded < rows.upperBound { try decode(&state, through: reader) }
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
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

  private func decode(_ state: inout State, through reader: RowReader) throws(VipsError) {
    let rows = state.decoded..<min(state.decoded + Self.chunkHeight, source.height)
    let chunk = state.spare.popLast() ?? Chunk(bytes: Self.chunkHeight * bytesPerRow)
    try reader.read(rows) { found in
      for row in 0..<found.count {
        chunk.memory.baseAddress!.advanced(by: row * bytesPerRow)
          .copyMemory(from: found.start + row * found.stride, byteCount: bytesPerRow)
      }
    }
    chunk.rows = rows
    state.chunks.append(chunk)
    state.decoded = rows.upperBound
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
