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
  private let beginning = SleepingLock()

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
        // libvips has one error text for all threads: of two that fail at once, one takes it for both.
        let isWithoutText = (state.failure as? VipsError)?.isWithoutText == true
        if state.failure == nil || isWithoutText { state.failure = error }
      }
    }
  }

  /// Begins the next strip; `nil` when there is none or a thread failed.
  func begin(_ worker: inout Worker) throws -> (Int, Range<Int>)? {
    try beginning.withLock {
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

  /// The rows in parts of so many rows; the last may have fewer.
  package func parts(of rows: Int) -> [PixelRows] {
    Swift.stride(from: 0, to: count, by: rows).map { first in
      PixelRows(
        start: start + first * stride, stride: stride, top: top + first, width: width,
        count: min(rows, count - first))
    }
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
