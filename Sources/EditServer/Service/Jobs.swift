import Foundation
import PhotoEditing
import PhotoLibraryKit
import Synchronization

/// The same change of many photos, which goes on while the client does something else.
final class Job: Sendable {
  /// What came of one photo.
  struct Result: Sendable {
    /// How the work on it ended. A photo that was cancelled is as before.
    enum End: String { case changed, failed, cancelled }

    let json: JSONValue
    let end: End
  }

  /// What a job is at.
  enum State: String, Sendable { case running, cancelling, done, cancelled }

  private struct Progress {
    var state = State.running
    var done = 0
    var failed = 0
    var results: [JSONValue?]
    var ended: Date?
    var task: Task<Void, Never>?
  }

  let id: String
  let command: String
  let total: Int
  private let started = Date()
  private let progress: Mutex<Progress>

  init(id: String, command: String, total: Int) {
    (self.id, self.command, self.total) = (id, command, total)
    progress = Mutex(Progress(results: Array(repeating: nil, count: total)))
  }

  var isRunning: Bool { progress.withLock { $0.ended == nil } }

  /// The job without its results.
  var summary: JSONValue { json(after: nil) }

  /// Most results of one answer.
  static let mostShown = 10_000

  /// How many photos have results.
  var resultCount: Int { progress.withLock { $0.results.count { $0 != nil } } }

  /// The job.
  ///
  /// - Parameter first: How many results are left out from the first; `nil` leaves all out. At most ``mostShown`` follow.
  func json(after first: Int?) -> JSONValue {
    progress.withLock { progress in
      // In the order given, as far as they are there without a gap.
      let results = first.map { first in
        progress.results.dropFirst(first).prefix(Self.mostShown).prefix { $0 != nil }.compactMap(
          \.self)
      }
      return .object([
        "id": .string(id), "command": .string(command), "state": .string(progress.state.rawValue),
        "total": .integer(total), "done": .integer(progress.done),
        "failed": .integer(progress.failed),
        "started": .string(started.formatted(.iso8601)),
        "ended": progress.ended.map { .string($0.formatted(.iso8601)) },
        "results": results.map { .array($0) },
      ])
    }
  }

  /// Works through the photos, a few at once.
  ///
  /// - Parameters:
  ///   - run: The photos.
  ///   - work: Changes one photo, by its number.
  ///   - tell: Called when the job has come further.
  func begin(
    _ run: BatchRun, _ work: @escaping @Sendable (Int) async -> Result,
    tell: @escaping @Sendable (Job) -> Void
  ) {
    let task = Task {
      await run.run(work: work) { index, result in
        self.note(result, at: index)
        tell(self)
        return true
      }
      self.end()
      tell(self)
    }
    progress.withLock { $0.task = task }
  }

  private func note(_ result: Result, at index: Int) {
    progress.withLock { progress in
      progress.results[index] = result.json
      if result.end != .cancelled { progress.done += 1 }
      if result.end == .failed { progress.failed += 1 }
    }
  }

  private func end() {
    progress.withLock { progress in
      progress.state = progress.done == total ? .done : .cancelled
      progress.ended = Date()
    }
  }

  /// Rolls the photos in hand back and begins no others.
  func cancel() {
    progress.withLock { progress in
      if progress.state == .running { progress.state = .cancelling }
      progress.task?.cancel()
    }
  }

  /// Waits until nothing is in hand.
  func wait() async {
    await progress.withLock(\.task)?.value
  }
}

/// The jobs of a server, the last ones too.
final class Jobs: Sendable {
  private let jobs = Mutex<[Job]>([])
  /// Most jobs that are remembered, and most that run at once.
  private static let kept = 100, running = 8
  /// Most results that ended jobs keep, of some 500 bytes each. Of the newest job all are kept.
  private static let keptResults = 100_000

  /// - Throws: ``ServerError/busy`` when too many run.
  func add(_ command: String, total: Int) throws(ServerError) -> Job {
    try jobs.withLock { (jobs) throws(ServerError) in
      guard jobs.count(where: \.isRunning) < Self.running else { throw .busy }
      let job = Job(
        id: String(UInt64.random(in: .min ... .max), radix: 36), command: command, total: total)
      Self.forget(&jobs)
      jobs.append(job)
      return job
    }
  }

  /// Forgets the oldest jobs that have ended, when there are too many or they have too many results.
  private static func forget(_ jobs: inout [Job]) {
    var results = jobs.reduce(0) { $0 + $1.resultCount }
    while jobs.count >= kept || results > keptResults,
      let old = jobs.dropLast().firstIndex(where: { !$0.isRunning })
    {
      results -= jobs.remove(at: old).resultCount
    }
  }

  /// The newest first.
  var all: [Job] { jobs.withLock { $0.reversed() } }

  func job(_ id: String) throws(ServerError) -> Job {
    guard let job = jobs.withLock({ $0.first { $0.id == id } }) else { throw .noSuchJob(id) }
    return job
  }

  /// Cancels all and waits for them.
  func end() async {
    let all = jobs.withLock(\.self)
    for job in all { job.cancel() }
    for job in all { await job.wait() }
  }
}
