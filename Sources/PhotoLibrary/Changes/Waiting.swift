import Dispatch
import Synchronization

/// A lock for tasks: one task holds it, the others wait in the order in which they came. Waiting tasks
/// block no thread.
final class AsyncLock: Sendable {
  private struct State: Sendable {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Takes the lock, as soon as it is free.
  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.isTaken {
          state.waiting.append(continuation)
          return false
        }
        state.isTaken = true
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  /// Releases the lock to the next task.
  func release() {
    let next: CheckedContinuation<Void, Never>? = state.withLock { state in
      if state.waiting.isEmpty {
        state.isTaken = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}

/// Runs work on Dispatch's threads, of which there are enough to wait for disks and locks.
final class ChangeExecutor: TaskExecutor {
  static let shared = ChangeExecutor()

  private let queue = DispatchQueue.global(qos: .userInitiated)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Does work that waits for the disk, which must not block Swift's own threads.
func onDispatchsThread<Value: Sendable>(
  _ work: @Sendable () throws(PhotoLibraryError) -> Value
) async throws(PhotoLibraryError) -> Value {
  try await withTaskExecutorPreference(ChangeExecutor.shared) {
    () async throws(PhotoLibraryError) in try await performed(work)
  }
}

/// An asynchronous function runs where its task prefers it; a closure runs where its caller does.
private func performed<Value: Sendable>(
  _ work: @Sendable () throws(PhotoLibraryError) -> Value
) async throws(PhotoLibraryError) -> Value {
  try work()
}

/// Runs work on ``ChangeExecutor`` and blocks the thread until its end.
func waitForEnd<Value: Sendable>(
  of work: @escaping @Sendable () async throws(PhotoLibraryError) -> Value
) throws(PhotoLibraryError) -> Value {
  let handover = Handover<Value>()
  Task(executorPreference: ChangeExecutor.shared) {
    do throws(PhotoLibraryError) {
      handover.finish(.success(try await work()))
    } catch {
      handover.finish(.failure(error))
    }
  }
  return try handover.wait().get()
}

/// Passes a result to a thread that waits for it.
private final class Handover<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, PhotoLibraryError>?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  func finish(_ result: Result<Value, PhotoLibraryError>) {
    self.result.withLock { $0 = result }
    isDone.signal()
  }

  func wait() -> Result<Value, PhotoLibraryError> {
    isDone.wait()
    guard let result = result.withLock({ $0 }) else { preconditionFailure("woken too early") }
    return result
  }
}
