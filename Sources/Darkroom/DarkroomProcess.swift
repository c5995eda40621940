import FoundationEssentials
import Glibc
import SafelightCLinux
import SafelightFiles
import SafelightProcesses
import SafelightRendering
import Synchronization

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
  /// How long the process may take to read what it is sent; it may still be decoding.
  private static let sendingPatience = Duration.seconds(15)

  /// When to give up a process that does not read what it is sent.
  ///
  /// - Parameter deadline: When the work must have ended; `nil` when it may take for ever.
  static func sendingDeadline(_ deadline: ContinuousClock.Instant?) -> ContinuousClock.Instant {
    let latest = ContinuousClock.now + sendingPatience
    return deadline.map { min($0, latest) } ?? latest
  }

  private let process: ChildProcess
  private let control: MessageSocket
  /// What it wrote for people; `nil` when that is not kept.
  private let errors: OpenFile?
  /// What it said of itself when it was ready; `nil` before.
  private var greeting: Greeting?
  private var isWorking = false

  /// - Parameters:
  ///   - process: Ends with this object.
  ///   - control: The connection to it.
  ///   - errors: What it writes for people; `nil` when that is not kept.
  init(_ process: ChildProcess, _ control: MessageSocket, errors: OpenFile? = nil) {
    (self.process, self.control, self.errors) = (process, control, errors)
  }

  deinit {
    process.signal(SIGKILL)
    _ = process.reap()
  }

  /// Starts a process of the program that the settings name.
  static func start(_ settings: PhotoDarkroom) throws(RenderError) -> DarkroomProcess {
    let isNamed = settings.program != nil || getenv("SAFELIGHT_EDIT") != nil
    var reason = "there is no program “edit”"
    for program in programs(settings) {
      do throws(SystemCallError) {
        guard isNamed || isEdit(program, within: .seconds(5)) else {
          throw SystemCallError(code: EBADMSG)
        }
        return try start(program)
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

  /// The programs that were asked who they are, and answered.
  private static let known = Mutex<[FilePath: Bool]>([:])

  /// Whether a program says that it is Safelight's “edit”, and of this version. Others have that name too, such as one
  /// of Debian's mailcap, which opens what it is given in an editor: it is asked before it is given anything.
  static func isEdit(_ program: FilePath, within limit: Duration) -> Bool {
    if let known = known.withLock({ $0[program] }) { return known }
    guard let said = OpenFile.ofMemory("safelight-version") else { return false }
    do {
      var launch = ProcessLaunch(program, arguments: ["edit", "--version"], input: nil)
      launch.output = said.descriptor
      launch.environment = launch.environment.filter(isNeeded(variable:))
      guard case .exit(let code) = try launch.start().reap(within: limit) else { return false }
      let words = try FileSystem.real.bytes(of: said, count: 1000)
      let lines = String(decoding: words, as: UTF8.self).split(separator: "\n")
      let isEdit = code == 0 && lines.contains { $0 == "renderer \(Renderer.version)" }
      known.withLock { $0[program] = isEdit }
      return isEdit
    } catch {
      return false
    }
  }

  private static func start(_ program: FilePath) throws(SystemCallError) -> DarkroomProcess {
    let (control, theirs) = try MessageSocket.pair()
    let errors = OpenFile.ofMemory("safelight-darkroom")
    var launch = ProcessLaunch(
      program, arguments: ["edit", DarkroomService.commandName], input: theirs.descriptor)
    launch.errors = errors?.descriptor
    launch.environment = launch.environment.filter(isNeeded(variable:))
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

  private static func isNeeded(variable: String) -> Bool {
    variable.split(separator: "=", maxSplits: 1).first.map { isNeeded(String($0)) } ?? false
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

  private static let missing = Mutex<PhotoDarkroom.Guards>([])

  /// What the process that started last lacks.
  static var missingGuards: PhotoDarkroom.Guards { missing.withLock { $0 } }

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
      Self.missing.withLock { $0 = .all.subtracting(guards) }
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
      try control.send(
        MessageKind.order.rawValue, text, files: [theirs.descriptor],
        until: .now + Self.sendingPatience)
    }
    isWorking = true
    return socket
  }

  /// The number of the process that waits.
  var identifier: Int32 { process.identifier }

  /// Ends the process, and the work that it does.
  func kill() { process.signal(SIGKILL) }

  /// What went wrong with its work, when talking with it failed.
  ///
  /// - Parameters:
  ///   - error: The failure; one that is no failure of talking comes out as it is.
  ///   - start: When the work began.
  func failure(
    _ error: any Error, _ settings: PhotoDarkroom, since start: ContinuousClock.Instant
  ) -> any Error {
    switch error {
    case let error as ImpossibleReply:
      return RenderError.decoderEnded(
        detail: "it was stopped after an answer that cannot be: \(error.reason)")
    case let error as SystemCallError:
      switch error.code {
      case ETIMEDOUT:
        // Less than the limit when it did not read what it was sent.
        let taken = ContinuousClock.now - start
        let time = min(taken, settings.timeLimit ?? taken)
        return RenderError.tookTooLong(seconds: (time / .milliseconds(100)).rounded() / 10)
      case EPIPE, ECONNRESET: return death
      default: return RenderError.decoderEnded(detail: error.reason)
      }
    default: return error
    }
  }

  /// How its work ended, and what it said last.
  private var death: RenderError {
    let end = try? end()
    let said = errors.flatMap(ChildProcess.lastLine)
    let words: String
    switch end {
    case .some(.exit(DarkroomService.noProcess)): return .noDarkroom(detail: said ?? "unknown")
    case .some(.exit(DarkroomService.noSandbox)):
      return .noDarkroom(
        detail:
          "the sandbox of decoders cannot be set up, because the system refuses a filter of system calls"
      )
    case .some(.exit(let code)): words = "exit code \(code)"
    case .some(.signal(let number)): words = "signal \(number)"
    case .none: words = "it was killed"
    }
    return .decoderEnded(detail: said.map { "\(words): \($0)" } ?? words)
  }
}
