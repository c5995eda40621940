import FoundationEssentials
import Glibc
import SafelightAdjustments
import SafelightCLinux
import SafelightFiles
import SafelightLookupTables
import SafelightProcesses
import SafelightRendering

/// The process in which photos are decoded, as it is on the inside.
///
/// It starts libvips, gives up its files and waits. For each piece of work it forks, so that a photo
/// meets a process that has seen no other, and the process that waits never sees one.
///
/// A forked process has only the thread that forked, and neither names of files nor new processes. So code that
/// draws pictures, in this module and in those below it:
/// - has no other thread before the fork: what starts threads, such as libvips's pool, does so with the work;
/// - starts its own threads by `pthread_create`, never by libdispatch or `Task`, whose threads were not forked and
///   whose set-up makes system calls that the sandbox refuses;
/// - takes no `Mutex` on the thread that forked; see ``onOwnThread(_:)``;
/// - opens no file by its name but libraries, profiles and fonts of the system: photos come as descriptors;
/// - ends with `_exit`, so that nothing runs that the program registered for its own end.
package struct DarkroomService {
  /// The word by which the program `edit` becomes a darkroom.
  package static let commandName = "darkroom"

  private let control = MessageSocket(STDIN_FILENO)
  private var sandbox = Sandbox()

  /// Serves the program at the other end of standard input until that ends. No other thread may run.
  package static func run() -> Never {
    var service = DarkroomService()
    service.serve()
    // Without what the program has registered for its own end, which a forked process has too.
    _exit(0)
  }

  private init() {
    // Descriptors of the program that were not meant to come along.
    if safelight_close_from(3) < 0 {
      for descriptor in 3..<Int32(clamping: sysconf(Int32(_SC_OPEN_MAX))) { close(descriptor) }
    }
    var nothing = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &nothing)
    // A worker's own limit is not the decoder's; see ``Order/memoryLimit``.
    var space = rlimit()
    let memory = __rlimit_resource_t(RLIMIT_AS.rawValue)
    if getrlimit(memory, &space) == 0 {
      space.rlim_cur = space.rlim_max
      setrlimit(memory, &space)
    }
    // Room for what it says when it crashes.
    var little = rlimit(rlim_cur: 1 << 16, rlim_max: 1 << 16)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &little)
    // libvips loads its modules when it starts, which takes as long as the rest. The one that is used
    // is loaded when a photo needs it.
    setenv("VIPSHOME", "/nonexistent", 0)
    Renderer().start()
    sandbox.giveUpFiles()
  }

  private mutating func serve() {
    var guards: PhotoDarkroom.Guards = []
    if sandbox.strength.contains(.files) { guards.insert(.files) }
    if sandbox.canGiveUpCalls { guards.insert(.systemCalls) }
    let greeting = Greeting(guards: guards.rawValue)
    guard let text = try? [UInt8](JSONEncoder().encode(greeting)),
      (try? text.withUnsafeBytes({ try control.send(MessageKind.greeting.rawValue, $0) })) != nil
    else {
      let text = "edit: Programs that link Safelight start the darkroom themselves.\n"
      _ = write(STDERR_FILENO, text, text.utf8.count)
      _exit(64)
    }
    while let message = try? control.receive() {
      guard message.kind == MessageKind.order.rawValue, let socket = message.files.first,
        let order = try? JSONDecoder().decode(Order.self, from: Data(message.bytes))
      else { return }
      if !order.modules.isEmpty { Renderer().start(with: order.modules) }
      // What the work before said is of no use any more.
      ftruncate(STDERR_FILENO, 0)
      lseek(STDERR_FILENO, 0, SEEK_SET)
      let parent = getpid()
      let process = safelight_fork()
      if process == 0 { work(MessageSocket(socket), order, for: parent) }
      close(socket)
      guard report(process) else { return }
    }
  }

  /// The exit code that says that no process could be made: `EX_OSERR` of `sysexits.h`.
  static let noProcess: Int32 = 71

  /// The exit code that says that the system refused the filter of system calls: `EX_UNAVAILABLE` of `sysexits.h`.
  static let noSandbox: Int32 = 69

  /// Waits for the end of a process that works, and reports it.
  ///
  /// - Returns: `false` when the program is gone.
  private func report(_ process: pid_t) -> Bool {
    guard process > 0 else {
      let text = "\(SystemCallError(code: errno).reason)\n"
      _ = write(STDERR_FILENO, text, text.utf8.count)
      return send(status: Self.noProcess << 8)
    }
    let end = safelight_open_process(process)
    defer { if end >= 0 { close(end) } }
    var status: Int32 = 0
    while true {
      var files = [
        pollfd(fd: end, events: Int16(POLLIN), revents: 0),
        // The program sends nothing meanwhile: it has ended when this can be read.
        pollfd(fd: control.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      // A kernel without descriptors of processes is asked from time to time.
      _ = poll(&files, 2, end < 0 ? 5 : -1)
      if waitpid(process, &status, WNOHANG) == process { return send(status: status) }
      if files[1].revents != 0, hasEnded() {
        kill(process, SIGKILL)
        waitpid(process, &status, 0)
        return false
      }
    }
  }

  private func hasEnded() -> Bool {
    var byte: UInt8 = 0
    return recv(control.descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
  }

  private func send(status: Int32) -> Bool {
    var message: [UInt8] = [status == 0 ? 0 : 1]
    message += (0..<4).map { UInt8(truncatingIfNeeded: status >> (24 - 8 * $0)) }
    return (try? message.withUnsafeBytes { try control.send(MessageKind.ended.rawValue, $0) })
      != nil
  }

  // MARK: - One piece of work

  /// Does a piece of work, in a process of its own.
  private mutating func work(
    _ socket: MessageSocket, _ order: Order, for parent: pid_t
  ) -> Never {
    // It ends with the process that waits.
    _ = safelight_control(PR_SET_PDEATHSIG, UInt(SIGKILL))
    guard getppid() == parent else { _exit(4) }
    close(control.descriptor)
    if order.memoryLimit > 0 {
      // Memory that is written to. Address space would count what threads only reserve.
      var limit = rlimit(rlim_cur: rlim_t(order.memoryLimit), rlim_max: rlim_t(order.memoryLimit))
      setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    }
    if let threads = order.threads { Renderer().use(threads: threads) }
    safelight_use_large_pages()
    sandbox.giveUpCalls()
    guard sandbox.strength.contains(.calls) == sandbox.canGiveUpCalls else {
      _exit(Self.noSandbox)
    }
    Self.onOwnThread { Self.work(socket) }
  }

  /// Runs `body` on a new thread, which ends the process.
  ///
  /// Swift's `Mutex` keeps the number of its thread, and a forked process has the number of the thread
  /// that forked: on that thread a mutex that another thread waits for is never opened again.
  private static func onOwnThread(_ body: @escaping () -> Never) -> Never {
    final class Work {
      let body: () -> Never
      init(_ body: @escaping () -> Never) { self.body = body }
    }
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body)).toOpaque()
    let code = pthread_create(
      &thread, nil,
      { work in Unmanaged<Work>.fromOpaque(work!).takeRetainedValue().body() }, work)
    guard code == 0 else { _exit(5) }
    pthread_join(thread, nil)
    _exit(6)
  }

  private static func work(_ socket: MessageSocket) -> Never {
    do {
      guard
        let (request, files) = try socket.receive(
          Request.self, limit: DarkroomProcess.longestRequest),
        files.count == request.sources.count
      else { _exit(2) }
      let sources = zip(request.sources, files).map { source, file in
        PhotoSource(
          OpenFile(descriptor: file, path: FilePath(source.name)), name: source.name,
          pixelLimit: source.pixelLimit, allowsDamage: source.allowsDamage, isMapped: true)
      }
      if case .live(let screen) = request.job, let source = sources.first {
        try LiveWork.serve(source, fitting: screen, over: socket)
        _exit(0)
      }
      let client = RenderJob.Client(
        layout: { size in
          try socket.send(size, as: .question)
          let answer = try socket.receive(
            DisplayLayout.self, limit: DarkroomProcess.longestRequest)
          guard let answer else { throw SystemCallError(code: EPIPE) }
          return answer.value
        },
        bytes: { try socket.sendAll(MessageKind.bytes.rawValue, $0) })
      try socket.reply { try request.job.perform(on: sources, for: client) }
      _exit(0)
    } catch {
      // The program is gone, or sends what no program sends.
      _exit(3)
    }
  }
}
