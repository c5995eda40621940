import Dispatch
import Glibc
import SafelightFiles
import SafelightProcesses
import SafelightRendering
import Synchronization

/// The processes in which photos are decoded, each for one photo at a time.
final class DarkroomPool: Sendable {
  static let shared: DarkroomPool = {
    atexit { DarkroomPool.shared.endIdle() }
    return DarkroomPool()
  }()

  /// Turns to draw encoded pictures, which takes all the memory that a photo needs: twice as many as there are cores, so
  /// that some read or write while others compute. Callers wait on threads of their own.
  private let turns = DispatchSemaphore(value: 2 * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  /// Starts a process.
  private let start: @Sendable (PhotoDarkroom) throws(RenderError) -> DarkroomProcess
  /// Those that wait for work.
  private let idle = Mutex<[DarkroomProcess]>([])
  /// The most that wait; the others end.
  private let mostIdle = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  init(
    start: @escaping @Sendable (PhotoDarkroom) throws(RenderError) -> DarkroomProcess =
      DarkroomProcess.start
  ) {
    self.start = start
  }

  /// Forks this process, so that a darkroom is ready when the first photo is.
  func prepareByForking() {
    if let process = DarkroomProcess.forked() { giveBack(process) }
  }

  /// Keeps a process for later work. Its last work has ended, or ends by itself because the connection to
  /// it was closed.
  func giveBack(_ process: DarkroomProcess) {
    idle.withLock { idle in
      if idle.count < mostIdle { idle.append(process) }
    }
  }

  /// Ends the processes that wait for work and waits for them, so that the time and memory that they took count as the
  /// program's, for `time` and for limits of the system.
  func endIdle() {
    let processes = idle.withLock { idle in
      defer { idle = [] }
      return idle
    }
    for process in processes where !process.hasEndedWork { try? process.makeReady() }
  }

  /// A process that is ready for work. Those whose last work has ended come first; the others have to be waited
  /// for.
  private func take(_ settings: PhotoDarkroom) throws(RenderError) -> DarkroomProcess {
    let process = try takeAny(settings)
    let missing = settings.requiredGuards.subtracting(process.guards)
    guard missing.isEmpty else {
      giveBack(process)
      throw .noDarkroom(
        detail: "a whole sandbox is required, and this system has no \(missing.words)")
    }
    return process
  }

  private func takeAny(_ settings: PhotoDarkroom) throws(RenderError) -> DarkroomProcess {
    while let process = idle.withLock({ idle in
      idle.lastIndex(where: \.hasEndedWork).map { idle.remove(at: $0) } ?? idle.popLast()
    }) {
      if (try? process.makeReady()) != nil { return process }
    }
    let process = try start(settings)
    do {
      try process.makeReady()
    } catch {
      throw .noDarkroom(detail: DarkroomProcess.reason(error))
    }
    return process
  }

  /// Begins a piece of work. A process that died while it was idle costs no photo: the next one is
  /// taken.
  private func begin(
    _ order: Order, _ settings: PhotoDarkroom
  ) throws(RenderError) -> (DarkroomProcess, MessageSocket) {
    var attempts = mostIdle + 1
    while true {
      let process = try take(settings)
      do {
        return (process, try process.begin(order))
      } catch {
        attempts -= 1
        let failure = error as? SystemCallError
        guard attempts > 0, let code = failure?.code, [EPIPE, ECONNRESET].contains(code) else {
          throw .noDarkroom(detail: failure?.reason ?? "\(error)")
        }
      }
    }
  }

  /// The guards that the processes have.
  func guards(_ settings: PhotoDarkroom) throws(RenderError) -> PhotoDarkroom.Guards {
    let process = try take(settings)
    defer { giveBack(process) }
    return process.guards
  }

  private func order(
    for sources: [PhotoSource], making modules: Set<Renderer.Module> = [],
    _ settings: PhotoDarkroom
  ) -> Order {
    let decoders = sources.compactMap { (try? OpenedPhoto.format(of: $0))?.module }
    return Order(
      modules: modules.union(decoders), memoryLimit: settings.memoryLimit << 20,
      threads: settings.threads)
  }

  /// Does a job in one of the processes.
  ///
  /// - Returns: What came of it.
  func perform<Result: Decodable>(
    _ job: RenderJob, on sources: [PhotoSource], for client: RenderJob.Client,
    in settings: PhotoDarkroom
  ) throws -> Result {
    if case .draw = job { try waitForTurn(client.cancellation) }
    defer { if case .draw = job { turns.signal() } }
    switch try reply(to: job, on: sources, for: client, in: settings) as Reply<Result> {
    case .result(let result): return result
    case .failure(let failure): throw failure.error
    case .question: throw RenderError.failed(detail: "the answer does not fit the work")
    }
  }

  /// - Throws: `CancellationError` when nobody wants the work any more.
  private func waitForTurn(_ cancellation: RenderCancellation?) throws {
    while turns.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
      if cancellation?.isCancelled == true { throw CancellationError() }
    }
  }

  private func reply<Result: Decodable>(
    to job: RenderJob, on sources: [PhotoSource], for client: RenderJob.Client,
    in settings: PhotoDarkroom
  ) throws -> Reply<Result> {
    let cancellation = client.cancellation
    let start = ContinuousClock.now
    let deadline = settings.timeLimit.map { start + $0 }
    let (process, socket) = try begin(order(for: sources, making: job.modules, settings), settings)
    var check = ReplyCheck(job, on: sources)
    do {
      try cancellation?.watch { process.kill() }
      defer { cancellation?.watchNothing() }
      let request = Request(sources: sources.map(Request.Source.init), job: job)
      try withExtendedLifetime(sources) {
        try socket.send(
          request, files: sources.map(\.file.descriptor),
          until: DarkroomProcess.sendingDeadline(deadline))
      }
      while true {
        let reply: Reply<Result> = try socket.receiveReply(
          &check, until: deadline, isCancelled: { cancellation?.isCancelled == true },
          bytes: client.bytes)
        if case .question(let size) = reply {
          let layout = try client.layout(size)
          check.expect(layout, of: size)
          try socket.send(layout, until: DarkroomProcess.sendingDeadline(deadline))
        } else {
          // Whoever has the process next is not to be cancelled with this work.
          cancellation?.watchNothing()
          giveBack(process)
          return reply
        }
      }
    } catch {
      // Whatever the work still does, it ends now, with its process.
      defer { process.kill() }
      if cancellation?.isCancelled == true { throw CancellationError() }
      throw process.failure(error, settings, since: start)
    }
  }
}

extension DarkroomPool {
  /// Opens a photo in a process that is the caller's from now on.
  func beginSession(
    on source: PhotoSource, fitting screen: PixelSize, in settings: PhotoDarkroom
  ) throws -> SessionProcess {
    let (process, socket) = try begin(order(for: [source], settings), settings)
    return try SessionProcess(process, socket, source, screen, settings)
  }
}
