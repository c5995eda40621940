import PhotoEditing

/// The photos of a batch as a worker pool takes them, one after the other.
struct BatchQueue: Sendable {
  /// How a batch ended.
  struct End: Sendable {
    enum Reason: Sendable { case completion, failure, interruption }

    let reason: Reason
    let failures: Int
    /// How many photos were not done.
    let remaining: Int
    /// Photos whose workers died, which may have left something behind.
    let abandoned: [FilePath]
  }

  private let items: [PhotoSelection.Item]
  private let words: @Sendable (_ index: Int) -> [String]
  private let stopsAtFailure: Bool

  /// How many files the batch is about.
  var count: Int { items.count }

  /// - Parameters:
  ///   - items: What was selected.
  ///   - words: The words of a worker's command for the photo of that number among the photos.
  ///   - stopsAtFailure: Whether no photo is begun after one that failed.
  init(
    _ items: [PhotoSelection.Item], stopsAtFailure: Bool,
    words: @escaping @Sendable (_ index: Int) -> [String]
  ) {
    self.items = items
    self.words = words
    self.stopsAtFailure = stopsAtFailure
  }

  /// Works through the photos; blocks the thread.
  func run(on pool: WorkerPool, _ log: BatchLog) -> End {
    let run = Run(self, log)
    do throws(SystemCallError) {
      try pool.run(run)
    } catch {
      run.failRest(.workerUnavailable(error))
    }
    log.end()
    return run.end
  }

  /// How far ahead of the first photo without a result others are begun: their results wait in
  /// memory to be printed in order.
  private static let window = 1000

  private final class Run: WorkerPool.Client {
    private let queue: BatchQueue
    private let log: BatchLog
    private var next = 0
    private var photos = 0
    private var wasInterrupted = false
    private var abandoned: [FilePath] = []

    init(_ queue: BatchQueue, _ log: BatchLog) {
      self.queue = queue
      self.log = log
    }

    var tickInterval: Duration? { log.tickInterval }

    var end: End {
      let reason: End.Reason =
        if wasInterrupted && log.remaining > 0 {
          .interruption
        } else if queue.stopsAtFailure && log.failures > 0 {
          .failure
        } else {
          .completion
        }
      return End(
        reason: reason, failures: log.failures, remaining: log.remaining, abandoned: abandoned)
    }

    func nextJob() -> (index: Int, job: Job)? {
      while next < queue.items.count, next < log.next + BatchQueue.window {
        if queue.stopsAtFailure, log.failures > 0 { return nil }
        let index = next
        next += 1
        let item = queue.items[index]
        if let report = item.settledReport {
          log.finished(index, report)
          continue
        }
        defer { photos += 1 }
        log.started(item.path)
        return (
          index, Job(id: .number(Double(index)), photo: item.path, command: queue.words(photos))
        )
      }
      return nil
    }

    func finished(_ index: Int, _ report: PhotoReport) { log.finished(index, report) }
    func interrupted(_ index: Int) { wasInterrupted = true }
    func abandoned(_ photo: FilePath) { abandoned.append(photo) }
    func tick() { log.tick() }
    func interrupt() { wasInterrupted = true }

    /// Reports what has not been begun as failed for one and the same reason.
    func failRest(_ failure: PhotoFailure) {
      while let (index, job) = nextJob() { log.finished(index, .failed(job.photo, failure)) }
    }
  }
}
