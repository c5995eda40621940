import Dispatch
import Glibc
import Synchronization

/// Threads for finding and making pictures, so that Swift's own threads never wait for a decoder or a
/// disk.
///
/// Pictures that a program waits for come before pictures that are made ahead; within each lane, first
/// come, first served.
final class ImageQueue: Sendable {
  /// How urgent work is.
  enum Lane: Int, Sendable, CaseIterable {
    /// A program waits for the picture.
    case requested
    /// A program may want the picture soon.
    case ahead
  }

  /// Finds pictures in caches and thumbnails. Takes milliseconds, while other threads make pictures.
  static let finding = ImageQueue("find", threads: 2)
  /// Makes pictures: in the whole process as many at once as there are cores.
  static let making = ImageQueue("make", threads: cores)
  /// The number of the computer's cores.
  static let cores = max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1)

  private struct State {
    var lanes = Lane.allCases.map { _ in Line() }
    var idle: [Int]

    mutating func next() -> (@Sendable () -> Void)? {
      for lane in lanes.indices {
        if let work = lanes[lane].popFirst() { return work }
      }
      return nil
    }
  }

  private let threads: [DispatchQueue]
  private let state: Mutex<State>

  init(_ name: String, threads count: Int) {
    threads = (0..<count).map {
      DispatchQueue(label: "org.safelight.images.\(name)-\($0)", qos: .userInitiated)
    }
    state = Mutex(State(idle: Array(0..<count)))
  }

  /// Does work as soon as a thread is free. The work has to check first whether it was cancelled.
  func add(_ lane: Lane, _ work: @escaping @Sendable () -> Void) {
    let thread = state.withLock { state in
      state.lanes[lane.rawValue].append(work)
      return state.idle.popLast()
    }
    guard let thread else { return }
    threads[thread].async { self.run(as: thread) }
  }

  private func run(as thread: Int) {
    while true {
      let work = state.withLock { state in
        let work = state.next()
        if work == nil { state.idle.append(thread) }
        return work
      }
      guard let work else { return }
      work()
    }
  }
}

/// Work in the order in which it came.
private struct Line {
  private var work: [(@Sendable () -> Void)?] = []
  private var first = 0

  mutating func append(_ next: @escaping @Sendable () -> Void) { work.append(next) }

  mutating func popFirst() -> (@Sendable () -> Void)? {
    guard first < work.count else { return nil }
    defer {
      work[first] = nil
      first += 1
      // Moving the rest to the front now and then costs less than moving it each time.
      if first > 64, first * 2 > work.count {
        work.removeFirst(first)
        first = 0
      }
    }
    return work[first]
  }
}
