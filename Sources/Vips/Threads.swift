import Glibc
import SafelightCVips
import Synchronization

extension Image {
  /// How many threads libvips works on a picture with; 1 where it does not start.
  ///
  /// Starts libvips, which knows the number, where nothing did yet: some tables are computed before the first picture is opened.
  package static var concurrency: Int {
    (try? Library.start()) == nil ? 1 : Int(vips_concurrency_get())
  }

  /// Lets libvips use at most this number of threads for a picture.
  package static func limitConcurrency(to threads: Int) {
    vips_concurrency_set(Int32(clamping: min(threads, concurrency)))
  }
}

/// Runs `body` on so many threads at once, of which this one is the first.
///
/// libdispatch is not used for it: its pool reads under `/proc` what its threads do, which a process
/// without files cannot, and ends the process then.
func onThreads(_ count: Int, _ body: @Sendable () -> Void) {
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

/// Lets work on other threads hold a value that is not `Sendable`. Whoever makes one has to see to it that no
/// two threads change the value at once.
package struct UnsafeTransfer<Value>: @unchecked Sendable {
  package let value: Value

  package init(_ value: Value) { self.value = value }
}

/// A lock for work that takes milliseconds, such as decoding rows. Threads that wait for it sleep; with `Mutex`
/// the kernel keeps them spinning while the thread that has the lock runs.
final class SleepingLock: @unchecked Sendable {
  // `@unchecked`: the memory belongs to the system's functions alone.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() { pthread_mutex_init(mutex, nil) }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }
}
