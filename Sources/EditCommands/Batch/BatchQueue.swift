import PhotoEditing
import SafelightFiles
import SafelightProcesses

/// The photos of a batch as a worker pool takes them, one after the other.
struct BatchQueue: Sendable {
  /// How a batch ended.
  struct End: Sendable {
    enum Reason: Sendable { case completion, failure, interruption }

    let reason: Reason
    let failures: Int
    /// How many photos were changed together.
    var changed = 0
    /// How many photos were not done.
    let remaining: Int
  }

  /// What was selected.
  let items: [PhotoSelection.Item]
  /// Whether no photo is begun after one that failed.
  let failsFast: Bool
  /// Whether all photos are changed together at the end, or none.
  let isTogether: Bool
  /// Which photos wait for others.
  let order: NameOrder
  /// The words of a worker's command for the photo of that number among the photos.
  let words: @Sendable (_ index: Int) -> [String]
  /// The pictures to make of the file of that number.
  let pictures: @Sendable (_ index: Int) -> ReportPictures?

  private var stopsAtFailure: Bool { failsFast || isTogether }

  /// How many files the batch is about.
  var count: Int { items.count }

  /// Works through the photos; blocks the thread.
  func run(on pool: WorkerPool, _ log: BatchLog) -> End {
    let run = Run(self, on: pool, log)
    do throws(SystemCallError) {
      try pool.run(run)
    } catch {
      run.failRest(.workerUnavailable(errno: error.code))
    }
    if isTogether { decide(run.end, pool, log) }
    let lost = pool.end()
    log.end()
    // Workers that died may have left something behind.
    for photo in run.abandoned + lost { PhotoEditor.finishInterruptedChange(of: photo) }
    var end = run.end
    end.changed = log.changes
    return end
  }

  /// Decides each report of photos that are changed together: the change is made, unless another photo
  /// failed.
  private func decide(_ end: End, _ pool: WorkerPool, _ log: BatchLog) {
    var isBlocked = end.failures > 0 || end.remaining > 0
    log.decide { index, report in
      guard case .success(var result) = report.outcome, result.isChange else { return report }
      if isBlocked {
        return PhotoReport(
          photo: report.photo,
          outcome: .success(.skipped(because: "It was not changed, since not all could be.")),
          milliseconds: report.milliseconds)
      }
      // Each change makes another record.
      let record = report.photo.placeOfPhoto.suffixed(".aae")
      let before = FileRevision(of: record)
      switch pool.makeHeldChange(index, of: report.photo) {
      case .made(let warnings):
        guard !warnings.isEmpty else { return report }
        result.warnings += warnings
        result.details.append(PhotoResult.unfinished)
        return PhotoReport(
          photo: report.photo, outcome: .success(result), milliseconds: report.milliseconds)
      case .failed(let failure):
        isBlocked = true
        return .failed(report.photo, failure)
      case .lost:
        // The worker may have died before or after its change counted.
        PhotoEditor.finishInterruptedChange(of: report.photo)
        if FileRevision(of: record) != before { return report }
        isBlocked = true
        return .failed(report.photo, .heldChangeLost(report.photo))
      }
    }
  }

  /// How many photos may be begun after the first one without a result. Their results wait in memory,
  /// because results are printed in order.
  private static let window = 1000

  private final class Run: WorkerPool.Client {
    private let queue: BatchQueue
    private let log: BatchLog
    private let pool: WorkerPool
    private var next = 0
    private var photos = 0
    /// Photos that wait for others, with their numbers among the photos.
    private var waiting: [(index: Int, photo: Int)] = []
    /// The photos for which others wait and that are finished.
    private var done: Set<Int> = []
    /// Photos whose workers died.
    private(set) var abandoned: [FilePath] = []

    init(_ queue: BatchQueue, on pool: WorkerPool, _ log: BatchLog) {
      self.queue = queue
      self.pool = pool
      self.log = log
    }

    var tickInterval: Duration? { log.tickInterval }

    var end: End {
      let reason: End.Reason =
        if pool.isInterrupted && log.remaining > 0 {
          .interruption
        } else if queue.stopsAtFailure && log.failures > 0 {
          .failure
        } else {
          .completion
        }
      return End(reason: reason, failures: log.failures, remaining: log.remaining)
    }

    /// The first photo that may not be begun yet. When photos are changed together, all results wait.
    private var limit: Int { queue.isTogether ? .max : log.next + BatchQueue.window }

    func nextJob() -> (index: Int, job: Job)? {
      if queue.stopsAtFailure, log.failures > 0 { return nil }
      if let place = waiting.firstIndex(where: { isFree($0.index) }) {
        let (index, photo) = waiting.remove(at: place)
        return (index, job(index, photo))
      }
      while next < queue.items.count, next < limit {
        if queue.stopsAtFailure, log.failures > 0 { return nil }
        let index = next
        next += 1
        if let report = queue.items[index].finalReport {
          log.finished(index, report)
          continue
        }
        defer { photos += 1 }
        guard isFree(index) else {
          waiting.append((index, photos))
          continue
        }
        return (index, job(index, photos))
      }
      return nil
    }

    private func isFree(_ index: Int) -> Bool { queue.order.isFree(index, finished: done) }

    private func job(_ index: Int, _ photo: Int) -> Job {
      let item = queue.items[index]
      log.started(item.path)
      return Job(
        id: .number(Double(index)), photo: item.path, command: queue.words(photo),
        moment: queue.isTogether ? .hold : .now, pictures: queue.pictures(index))
    }

    func finished(_ index: Int, _ report: PhotoReport) {
      if queue.order.isAwaited(index) { done.insert(index) }
      log.finished(index, report)
    }
    func abandoned(_ photo: FilePath) { abandoned.append(photo) }
    func tick() { log.tick() }

    /// Reports the photos that were not begun as failed, all for the same reason.
    func failRest(_ error: EditCommandError) {
      while let (index, job) = nextJob() { finished(index, .failed(job.photo, error)) }
    }
  }
}
