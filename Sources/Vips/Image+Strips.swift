import Dispatch
import SafelightCVips
import Synchronization

extension Image {
  /// Works on a picture in strips of full width, several at once, and hands on what is made of each
  /// in order.
  ///
  /// Strips begin in order too; as many are in work as libvips would use threads.
  ///
  /// - Parameters:
  ///   - height: Rows of the picture.
  ///   - rows: Rows of a strip; the last may have fewer.
  ///   - makeWorker: Makes what works on strips, once for each thread and on it.
  ///   - deliver: Takes what was made, from top to bottom, never two at once.
  public static func forEachStrip<Worker: StripWorker>(
    of height: Int, rows: Int, makeWorker: @escaping @Sendable () throws -> Worker,
    deliver: (Worker.Product, Range<Int>) throws -> Void
  ) throws {
    let strips = stride(from: 0, to: height, by: rows).map { $0..<min($0 + rows, height) }
    try withoutActuallyEscaping(deliver) { deliver in
      let queue = StripQueue<Worker>(strips, deliver: UnsafeTransfer(deliver))
      let threads = min(Int(vips_concurrency_get()), strips.count)
      DispatchQueue.concurrentPerform(iterations: threads) { _ in
        // What libvips keeps for a thread, and the workers' own, ends where it began.
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

/// Makes something of strips of an image, on one thread.
public protocol StripWorker: SendableMetatype {
  /// What a strip becomes.
  associatedtype Product: Sendable

  /// Called before a strip is computed, from top to bottom over all workers, never two at once.
  mutating func begin(_ rows: Range<Int>) throws

  /// Computes a strip's pixels and makes its product.
  mutating func work(_ rows: Range<Int>) throws -> Product
}

/// A closure that crosses threads under a lock of its owner's.
private struct UnsafeTransfer<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// Which strip is next, and what has been made and not yet delivered.
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

  /// Runs a thread's work; its error ends that of the others.
  func run(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      state.withLock { state in
        if state.failure == nil { state.failure = error }
      }
    }
  }

  /// The next strip, begun; `nil` when there is none or a thread failed.
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
