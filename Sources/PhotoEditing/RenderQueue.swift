import Dispatch

/// Where a ``PhotoEditor`` does its work: one call after the other, on a thread of its own, so that
/// long pixel work and waiting for locks never block Swift's threads.
final class RenderQueue: SerialExecutor {
  private let queue = DispatchQueue(label: "org.safelight.editor", qos: .userInitiated)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
