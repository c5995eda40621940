import FoundationEssentials
import Glibc
import SafelightCLinux
import SafelightFiles
import SafelightProcesses
import SafelightRendering
import Synchronization

/// The processes in which photos are decoded, each for one photo at a time.
final class DarkroomPool: Sendable {
  static let shared = DarkroomPool()

  /// Those that wait for work.
  private let idle = Mutex<[DarkroomProcess]>([])
  /// The most that wait; the others end.
  private let mostIdle = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

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

  /// A process that is ready for work. Those whose last work has ended come first; the others have to be waited
  /// for.
  private func take(_ settings: PhotoDarkroom) throws(RenderError) -> DarkroomProcess {
    while let process = idle.withLock({ idle in
      idle.lastIndex(where: \.hasEndedWork).map { idle.remove(at: $0) } ?? idle.popLast()
    }) {
      if (try? process.makeReady()) != nil { return process }
    }
    let process = try DarkroomProcess.start(settings)
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

  private func order(for sources: [PhotoSource], _ settings: PhotoDarkroom) -> Order {
    let needsHEIF = sources.contains {
      [.heic, .avif].contains(try? OpenedPhoto.format(of: $0))
    }
    return Order(needsHEIF: needsHEIF, memoryLimit: settings.memoryLimit << 20)
  }

  /// Does a piece of work in one of the processes.
  ///
  /// - Parameters:
  ///   - layout: Says how a picture is shown, by its size.
  ///   - sink: Called with each run of bytes of a picture.
  /// - Returns: What became of it, which may be an error of the work.
  func perform(
    _ work: Request.Work, on sources: [PhotoSource], in settings: PhotoDarkroom,
    _ cancellation: RenderCancellation?, layout: (PixelSize) -> DisplayLayout,
    bytes sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Reply {
    let deadline = settings.timeLimit.map { ContinuousClock.now + $0 }
    let (process, socket) = try begin(order(for: sources, settings), settings)
    do {
      try cancellation?.watch { process.kill() }
      defer { cancellation?.watchNothing() }
      let request = Request(sources: sources.map(Request.Source.init), work: work)
      try withExtendedLifetime(sources) {
        try socket.send(request, files: sources.map(\.file.descriptor))
      }
      while true {
        let answer = try socket.receive(
          Reply.self, limit: DarkroomProcess.longestReply, until: deadline, bytes: sink)
        guard let answer else { throw SystemCallError(code: EPIPE) }
        for file in answer.files { close(file) }
        if case .size(let size) = answer.value {
          try socket.send(layout(size))
        } else {
          // Whoever has the process next is not to be cancelled with this work.
          cancellation?.watchNothing()
          giveBack(process)
          return answer.value
        }
      }
    } catch {
      // Whatever the work still does, it ends now, with its process.
      defer { process.kill() }
      if cancellation?.isCancelled == true { throw CancellationError() }
      guard let error = error as? SystemCallError else { throw error }
      switch error.code {
      case ETIMEDOUT:
        throw RenderError.tookTooLong(seconds: Int(settings.timeLimit?.components.seconds ?? 0))
      case EPIPE, ECONNRESET: throw process.failure
      default: throw RenderError.decoderEnded(detail: error.reason)
      }
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

/// A process that waits for work and does each piece in a process of its own, which it forks.
///
/// `@unchecked Sendable`: one thread has it at a time, the one that took it from the pool. Another
/// one may only call ``kill()``.
final class DarkroomProcess: @unchecked Sendable {
  /// The most bytes of a reply that is not a picture.
  static let longestReply = 16 << 20
  /// The most bytes of a request: an edit may have many lookup tables.
  static let longestRequest = 64 << 20
  /// How long the process may take to say that it is ready.
  private static let patience = Duration.seconds(20)

  private let process: ChildProcess
  private let control: MessageSocket
  /// What it wrote for people; `nil` when that is not kept.
  private let errors: OpenFile?
  /// What it said of itself when it was ready; `nil` before.
  private var greeting: Greeting?
  private var isWorking = false

  private init(_ process: ChildProcess, _ control: MessageSocket, errors: OpenFile?) {
    (self.process, self.control, self.errors) = (process, control, errors)
  }

  deinit {
    process.signal(SIGKILL)
    _ = process.reap()
  }

  /// Starts a process of the program that the settings name.
  static func start(_ settings: PhotoDarkroom) throws(RenderError) -> DarkroomProcess {
    let candidates = programs(settings)
    var reason = "there is no program “edit”"
    for program in candidates {
      do throws(SystemCallError) {
        let process = try start(program)
        // Another program may also be called “edit”.
        if candidates.count > 1 { try process.makeReady() }
        return process
      } catch {
        reason = "\(program): \(Self.reason(error))"
      }
    }
    throw .noDarkroom(detail: reason)
  }

  /// Why a process does not get ready, in words.
  static func reason(_ error: SystemCallError) -> String {
    error.code == EBADMSG ? "“edit” is another program, or of another version" : error.reason
  }

  private static func start(_ program: FilePath) throws(SystemCallError) -> DarkroomProcess {
    let (control, theirs) = try MessageSocket.pair()
    let errors = OpenFile.ofMemory("safelight-darkroom")
    var launch = ProcessLaunch(
      program, arguments: ["edit", DarkroomService.commandName], input: theirs.descriptor)
    launch.errors = errors?.descriptor
    launch.environment = launch.environment.filter { variable in
      variable.split(separator: "=", maxSplits: 1).first.map { isNeeded(String($0)) } ?? false
    }
    // Searching for the line of a crash takes seconds.
    launch.add("SWIFT_BACKTRACE", "enable=no")
    let process = try withExtendedLifetime(theirs) { () throws(SystemCallError) in
      try launch.start()
    }
    return DarkroomProcess(process, control, errors: errors)
  }

  /// Makes the process of this one, which takes less time than starting a program. No other thread
  /// may run.
  ///
  /// - Returns: `nil` when the system has no room for another process.
  static func forked() -> DarkroomProcess? {
    guard let errors = OpenFile.ofMemory("safelight-darkroom"),
      let (control, theirs) = try? MessageSocket.pair()
    else { return nil }
    let process = safelight_fork()
    guard process == 0 else {
      return process < 0 ? nil : DarkroomProcess(ChildProcess(process), control, errors: errors)
    }
    setpgid(0, 0)
    dup2(theirs.descriptor, STDIN_FILENO)
    dup2(errors.descriptor, STDERR_FILENO)
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO)
    forgetEnvironment()
    // The program's own handlers would start another program that explains the crash.
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(number, SIG_DFL) }
    DarkroomService.run()
  }

  /// Overwrites what a decoder does not need of the environment.
  private static func forgetEnvironment() {
    var next = environ
    while let variable = next.pointee {
      let name = String(cString: variable).prefix { $0 != "=" }
      if !isNeeded(String(name)) { memset(variable, Int32(UInt8(ascii: "=")), strlen(variable)) }
      next += 1
    }
  }

  /// Whether a variable of the environment is for libraries that decode. The others may be secrets.
  private static func isNeeded(_ name: String) -> Bool {
    ["LD_LIBRARY_PATH", "LD_PRELOAD", "PATH", "LANG", "TZ", "SWIFT_BACKTRACE"].contains(name)
      || [
        "LC_", "VIPS", "IM_CONCURRENCY", "MALLOC_", "GLIBC_", "FONTCONFIG_", "ASAN_", "TSAN_",
        "UBSAN_",
      ]
      .contains(where: name.hasPrefix)
  }

  /// The programs to try, in order.
  private static func programs(_ settings: PhotoDarkroom) -> [FilePath] {
    if let program = settings.program { return [program] }
    if let named = getenv("SAFELIGHT_EDIT") { return [FilePath(argument: String(cString: named))] }
    var programs: [FilePath] = []
    if let own = try? FileSystem.real.resolve("/proc/self/exe") {
      programs.append(own.removingLastComponent().appending("edit"))
    }
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    for folder in path.split(separator: ":") {
      programs.append(FilePath(argument: String(folder)).appending("edit"))
    }
    return programs.filter { $0.withCString { access($0, X_OK) } == 0 }
  }

  var guards: PhotoDarkroom.Guards {
    PhotoDarkroom.Guards(rawValue: greeting?.guards ?? 0)
  }

  /// Whether its last work has ended, so that nobody needs to wait.
  var hasEndedWork: Bool { !isWorking || control.hasMessage() }

  /// Waits until the process can take work: it has started, and its last work has ended.
  func makeReady() throws(SystemCallError) {
    if greeting == nil {
      let message = try control.receive(until: .now + Self.patience)
      guard let message, message.kind == MessageKind.greeting.rawValue,
        let greeting = try? JSONDecoder().decode(Greeting.self, from: Data(message.bytes)),
        greeting.revision == Greeting.revision, greeting.renderer == Renderer.version
      else { throw SystemCallError(code: EBADMSG) }
      self.greeting = greeting
    }
    if isWorking { _ = try end() }
  }

  /// Waits for the end of the work, which has given its result or has died.
  private func end() throws(SystemCallError) -> ChildProcess.End? {
    guard let message = try control.receive(until: .now + .seconds(2)),
      message.kind == MessageKind.ended.rawValue, let isBad = message.bytes.first
    else { throw SystemCallError(code: EBADMSG) }
    isWorking = false
    guard isBad != 0, message.bytes.count == 5 else { return nil }
    return ChildProcess.End(status: message.bytes.dropFirst().reduce(0) { $0 << 8 | Int32($1) })
  }

  /// Begins a piece of work.
  ///
  /// - Returns: The connection with the process that does it.
  func begin(_ order: Order) throws -> MessageSocket {
    let (socket, theirs) = try MessageSocket.pair()
    let text = [UInt8](try JSONEncoder().encode(order))
    try text.withUnsafeBytes { text in
      try control.send(MessageKind.order.rawValue, text, files: [theirs.descriptor])
    }
    isWorking = true
    return socket
  }

  /// The number of the process that waits.
  var identifier: Int32 { process.identifier }

  /// Ends the process, and the work that it does.
  func kill() { process.signal(SIGKILL) }

  /// How its work ended, and what it said last.
  var failure: RenderError {
    let end = try? end()
    let said = errors.flatMap(ChildProcess.lastLine)
    let words: String
    switch end {
    case .some(.exit(DarkroomService.noProcess)): return .noDarkroom(detail: said ?? "unknown")
    case .some(.exit(let code)): words = "exit code \(code)"
    case .some(.signal(let number)): words = "signal \(number)"
    case .none: words = "it was killed"
    }
    return .decoderEnded(detail: said.map { "\(words): \($0)" } ?? words)
  }
}
