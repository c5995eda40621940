import Glibc
import PhotoEditing
import SafelightFiles
import SafelightProcesses

/// Worker processes that do jobs side by side. When a worker crashes or takes too long, its photo
/// fails and another worker takes its place.
///
/// Everything happens on the thread that calls ``run(_:)``: it hands out jobs, waits for answers, for
/// time-outs and for the bell, and calls back.
final class WorkerPool {
  /// How the pool behaves.
  struct Configuration: Sendable {
    var launch: WorkerLaunch
    /// Most workers at the same time.
    var size: Int
    /// The longest that a photo may take; `nil` is for ever.
    var timeout: Duration?
    /// How long a worker may take to roll back its photo after SIGTERM.
    var grace = Duration.seconds(5)
  }

  /// Who gives the pool its jobs and gets the results. Called on the pool's thread.
  protocol Client: AnyObject {
    /// The next job, with the number that its answer is reported under; `nil` when there is none at
    /// the moment. Asked again after each answer.
    func nextJob() -> (index: Int, job: Job)?
    /// A photo is done, or has failed.
    func finished(_ index: Int, _ report: PhotoReport)
    /// A worker died with this photo in hand, and may have left files behind.
    func abandoned(_ photo: FilePath)
    /// Called now and then while the pool waits.
    func tick()
    /// How long the pool may wait until the next ``tick()``; `nil` is for ever.
    var tickInterval: Duration? { get }
  }

  /// A worker and what it does.
  private struct Place {
    let worker: WorkerProcess
    var task: Task?
  }

  private struct Task {
    let index: Int
    let photo: FilePath
    let isHolding: Bool
    let start: ContinuousClock.Instant
    /// When the worker gets SIGTERM, or SIGKILL if it had SIGTERM before.
    var deadline: ContinuousClock.Instant?
    var reason: Reason?
  }

  /// Why a worker got SIGTERM.
  private enum Reason { case timeout, interruption }

  /// Whether the bell was rung, so that photos may be left.
  var isInterrupted: Bool { wakeUp.isRung }

  private let configuration: Configuration
  private let wakeUp: WakeUp
  private var places: [Place] = []
  /// The changes that workers hold, by the numbers of their photos.
  private var held: [Int: (worker: WorkerProcess, photo: FilePath)] = [:]

  init(_ configuration: Configuration, until wakeUp: WakeUp) {
    self.configuration = configuration
    self.wakeUp = wakeUp
  }

  /// Does all jobs of a client, or what can be done until the bell rings. Workers that hold changes
  /// wait until ``end()``.
  ///
  /// - Throws: ``SystemCallError`` when no worker at all can be started.
  func run(_ client: some Client) throws(SystemCallError) {
    while true {
      // Asked once: the bell may ring at any moment, and whoever waits must hear it.
      let isRung = wakeUp.isRung
      if isRung { interrupt() } else { try handOut(client) }
      guard places.contains(where: { $0.task != nil }) else { return }
      wait(for: client, orBell: !isRung)
      for index in places.indices.reversed() { attend(to: index, client) }
      client.tick()
    }
  }

  // MARK: - Jobs

  private func handOut(_ client: some Client) throws(SystemCallError) {
    while true {
      var idle = places.firstIndex { $0.task == nil }
      guard idle != nil || places.count < configuration.size else { return }
      guard let (index, job) = client.nextJob() else { return }
      if idle == nil {
        do {
          places.append(Place(worker: try configuration.launch.start()))
        } catch {
          client.finished(index, .failed(job.photo, .workerUnavailable(errno: error.code)))
          // With one worker less, the batch is only slower.
          if places.isEmpty { throw error }
          continue
        }
        idle = places.count - 1
      }
      guard let idle else { return }
      let now = ContinuousClock.now
      places[idle].task = Task(
        index: index, photo: job.photo, isHolding: job.moment == .hold, start: now,
        deadline: configuration.timeout.map { now + $0 })
      // When this fails, the worker has died. Waiting for it finds that out.
      _ = places[idle].worker.send(job.line)
    }
  }

  /// Lets all workers roll back the photos that they work on.
  private func interrupt() {
    for index in places.indices where places[index].task?.reason != .interruption {
      guard places[index].task != nil else { continue }
      if places[index].task?.reason == nil { places[index].worker.signal(SIGTERM) }
      places[index].task?.reason = .interruption
      places[index].task?.deadline = .now + configuration.grace
    }
  }

  // MARK: - Waiting

  private func wait(for client: some Client, orBell listensForBell: Bool) {
    let workers = places.map(\.worker.descriptor)
    let now = ContinuousClock.now
    let waits =
      places.compactMap { $0.task?.deadline }.map { $0 - now }
      + [client.tickInterval].compactMap(\.self)
    // Once the bell was rung, its descriptor stays readable and would end every wait at once.
    waitToRead(workers + (listensForBell ? [wakeUp.descriptor] : []), atMost: waits.min())
  }

  private func attend(to place: Int, _ client: some Client) {
    let worker = places[place].worker
    if waitToRead([worker.descriptor], atMost: .zero) == [true] {
      let isAlive = worker.receive()
      while let line = worker.takeAnswer() { take(line, from: place, client) }
      if !isAlive { removeEnded(place, client) }
    } else if let task = places[place].task, let deadline = task.deadline, deadline <= .now {
      if task.reason == nil {
        worker.signal(SIGTERM)
        places[place].task?.reason = .timeout
        places[place].task?.deadline = .now + configuration.grace
      } else {
        worker.signal(SIGKILL)
        places[place].task?.deadline = nil
      }
    }
  }

  private func take(_ line: [UInt8], from place: Int, _ client: some Client) {
    guard let task = places[place].task, let json = try? JSONValue(parsing: line),
      let report = PhotoReport(answer: json, photo: task.photo)
    else { return }
    // A worker that rolled its photo back answers “interrupted”, and is then removed.
    if case .failure(let failure) = report.outcome,
      failure.code == EditCommandError.Code.interrupted.rawValue
    {
      return
    }
    places[place].task = nil
    if task.isHolding, case .success = report.outcome {
      held[task.index] = (places[place].worker, task.photo)
    }
    client.finished(task.index, report)
  }

  /// Removes a worker that has ended, and reports the photo that it worked on.
  private func removeEnded(_ place: Int, _ client: some Client) {
    let worker = places[place].worker
    let end = worker.reap()
    let task = places.remove(at: place).task
    // The changes that it held are lost, and may have left files behind.
    for (index, change) in held where change.worker === worker {
      held[index] = nil
      if end != .exit(code: 130) { client.abandoned(change.photo) }
    }
    guard let task else { return }
    if end != .exit(code: 130) { client.abandoned(task.photo) }
    let error: EditCommandError
    switch task.reason {
    case .interruption: return
    case .timeout: error = .timedOut(task.photo, after: configuration.timeout ?? .zero)
    case nil: error = .crashed(task.photo, end, lastWords: worker.lastWords)
    }
    client.finished(
      task.index,
      PhotoReport(photo: task.photo, outcome: .failure(PhotoFailure(error)), since: task.start))
  }

  /// What became of a held change.
  enum HeldChangeEnd {
    /// It is made; the warnings say what is not in its place.
    case made(warnings: [String])
    /// It is not made.
    case failed(PhotoFailure)
    /// The worker ended, before or after the change was made.
    case lost
  }

  /// Makes the change of a photo that a worker holds; waits for it.
  func makeHeldChange(_ index: Int, of photo: FilePath) -> HeldChangeEnd {
    guard let worker = held.removeValue(forKey: index)?.worker,
      worker.send(Job(photo: photo, moment: .make).line)
    else { return .lost }
    while true {
      if let line = worker.takeAnswer() {
        guard let json = try? JSONValue(parsing: line),
          let answer = PhotoReport(answer: json, photo: photo)
        else { return .lost }
        switch answer.outcome {
        case .success(let result): return .made(warnings: result.warnings)
        case .failure(let failure): return .failed(failure)
        }
      }
      guard worker.receive() else { return .lost }
    }
  }

  /// Lets the idle workers end; changes that they still hold are dropped.
  ///
  /// - Returns: The photos of changes whose workers died, which may have left files behind.
  func end() -> [FilePath] {
    var lost: [FilePath] = []
    for place in places { place.worker.finish() }
    for place in places {
      // A worker that is busy when the batch gives up must not outlive it.
      if place.task != nil { place.worker.signal(SIGKILL) }
      if case .signal = place.worker.reap() {
        lost += held.values.filter { $0.worker === place.worker }.map(\.photo)
      }
    }
    (places, held) = ([], [:])
    return lost
  }
}

/// How worker processes are started.
struct WorkerLaunch: Sendable {
  /// The program.
  let executable: FilePath
  /// Most address space of a worker, in megabytes; 0 is no limit.
  let memoryLimit: Int
  /// How many threads libvips may use in each worker; `nil` leaves it to libvips.
  let threads: Int?

  /// Starts a worker. Ctrl-C on the terminal reaches the batch alone, which then ends its workers.
  func start() throws(SystemCallError) -> WorkerProcess {
    let (socket, workersEnd) = try connectedSockets()
    defer { close(workersEnd) }
    // Standard error of a worker matters only when the worker crashes.
    let errors = OpenFile.ofMemory("safelight-worker")

    var launch = ProcessLaunch(
      executable, arguments: ["edit", "worker", "--memory-limit", "\(memoryLimit)"],
      input: workersEnd)
    launch.output = workersEnd
    launch.errors = errors?.descriptor
    // A crash is reported with its photo; searching for the line it happened in takes seconds.
    launch.add("SWIFT_BACKTRACE", "enable=no")
    if let threads { launch.add("VIPS_CONCURRENCY", "\(threads)") }
    do {
      return WorkerProcess(try launch.start(), socket: socket, errors: errors)
    } catch {
      close(socket)
      throw error
    }
  }
}

/// Lets this process take no more memory than so many megabytes; 0 is no limit.
func limitMemory(to megabytes: Int) {
  var limit = rlimit()
  let memory = __rlimit_resource_t(RLIMIT_AS.rawValue)
  guard megabytes > 0, getrlimit(memory, &limit) == 0 else { return }
  // The decoders that it starts may lift it, because they have a limit of their own.
  limit.rlim_cur = min(rlim_t(megabytes) << 20, limit.rlim_max)
  setrlimit(memory, &limit)
}

/// One worker process, at the other end of a socket. Used by one thread.
final class WorkerProcess {
  /// Readable when the worker answered or ended; for `poll`.
  let descriptor: Int32
  private let process: ChildProcess
  private let errors: OpenFile?
  private let answers: LineReader

  init(_ process: ChildProcess, socket: Int32, errors: OpenFile?) {
    self.process = process
    self.errors = errors
    descriptor = socket
    answers = LineReader(socket)
    Interruption.workerStarted(process.identifier)
  }

  deinit {
    close(descriptor)
  }

  /// Hands a line to the worker.
  ///
  /// - Returns: `false` when the worker is gone.
  func send(_ line: String) -> Bool {
    var bytes = Array((line + "\n").utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      bytes = bytes.dropFirst(count)
    }
    return true
  }

  /// Reads what the worker wrote.
  ///
  /// - Returns: `false` once the worker has ended.
  func receive() -> Bool { answers.fill() }

  /// An answer that was read in full.
  func takeAnswer() -> [UInt8]? { answers.takeLine() }

  /// Tells the worker that no more jobs come: it ends by itself.
  func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Sends a signal.
  func signal(_ number: Int32) { process.signal(number) }

  /// Waits for the end of a process that is about to end.
  func reap() -> ChildProcess.End {
    Interruption.workerEnded(process.identifier)
    return process.reap()
  }

  /// The last line that the worker wrote for people, such as why it crashed; `nil` when none.
  var lastWords: String? { errors.flatMap(ChildProcess.lastLine) }
}
