import Dispatch

/// The thread on which folders are looked through.
final class IndexingQueue: SerialExecutor {
  private let queue = DispatchQueue(label: "org.safelight.indexer", qos: .utility)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
