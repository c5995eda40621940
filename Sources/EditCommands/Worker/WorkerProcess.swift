import Glibc
import PhotoEditing
import SafelightFiles

/// How worker processes are started.
struct WorkerLaunch: Sendable {
  /// The program.
  let executable: FilePath
  /// Most address space of a worker, in megabytes; 0 is no limit.
  let memoryLimit: Int
  /// How many threads libvips may use in each worker; `nil` leaves it to libvips.
  let threads: Int?

  /// Starts a worker, in a process group of its own: Ctrl-C on the terminal reaches the batch alone,
  /// which then ends its workers.
  func start() throws(SystemCallError) -> WorkerProcess {
    let (socket, workersEnd) = try connectedSockets()
    defer { close(workersEnd) }
    // Standard error of a worker matters only when the worker crashes.
    let errors = tmpfile()

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, workersEnd, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, workersEnd, STDOUT_FILENO)
    if let errors {
      posix_spawn_file_actions_adddup2(&actions, fileno(errors), STDERR_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    posix_spawnattr_setflags(&attributes, Int16(flags))
    posix_spawnattr_setpgroup(&attributes, 0)
    // The batch ignores these signals to handle them itself, and that would be inherited.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)

    var process: pid_t = 0
    let code = executable.withCString { path in
      withCStrings(["edit", "worker", "--memory-limit", "\(memoryLimit)"]) { words in
        withCStrings(environment) { environment in
          posix_spawn(&process, path, &actions, &attributes, words, environment)
        }
      }
    }
    guard code == 0 else {
      close(socket)
      if let errors { fclose(errors) }
      throw SystemCallError(code: code)
    }
    return WorkerProcess(process, socket: socket, errors: errors)
  }

  private var environment: [String] {
    var variables: [String] = []
    var next = environ
    while let variable = next.pointee {
      variables.append(FilePath.argument(decoding: variable))
      next += 1
    }
    func add(_ name: String, _ value: String) {
      if !variables.contains(where: { $0.hasPrefix(name + "=") }) {
        variables.append("\(name)=\(value)")
      }
    }
    // A crash is reported with its photo; searching for the line it happened in takes seconds.
    add("SWIFT_BACKTRACE", "enable=no")
    if let threads { add("VIPS_CONCURRENCY", "\(threads)") }
    return variables
  }
}

/// Lets this process take no more memory than so many megabytes; 0 is no limit.
func limitMemory(to megabytes: Int) {
  guard megabytes > 0 else { return }
  let bytes = rlim_t(megabytes) << 20
  var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
  setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
}

/// Calls `body` with texts as a list of C strings that ends with a null pointer.
private func withCStrings<Result>(
  _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let pointers = texts.map { text in FilePath(argument: text).withCString { strdup($0) } }
  defer { for pointer in pointers { free(pointer) } }
  return body(pointers + [nil])
}

/// One worker process, at the other end of a socket. Used by one thread.
final class WorkerProcess {
  /// How a process ended.
  enum End: Sendable, Equatable {
    case exit(code: Int32)
    case signal(number: Int32)
  }

  /// Readable when the worker answered or ended; for `poll`.
  let descriptor: Int32
  private let process: pid_t
  private let errors: UnsafeMutablePointer<FILE>?
  private let answers: LineReader
  private var isReaped = false

  init(_ process: pid_t, socket: Int32, errors: UnsafeMutablePointer<FILE>?) {
    self.process = process
    self.errors = errors
    descriptor = socket
    answers = LineReader(socket)
    Interruption.workerStarted(process)
  }

  deinit {
    close(descriptor)
    if let errors { fclose(errors) }
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
  func signal(_ number: Int32) {
    if !isReaped { kill(process, number) }
  }

  /// Waits for the end of a process that is about to end.
  func reap() -> End {
    var status: Int32 = 0
    Interruption.workerEnded(process)
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    isReaped = true
    // As the macros WIFSIGNALED, WTERMSIG and WEXITSTATUS read it.
    let signal = status & 0x7f
    return signal == 0 ? .exit(code: (status >> 8) & 0xff) : .signal(number: signal)
  }

  /// The last line that the worker wrote for people, such as why it crashed; `nil` when none.
  var lastWords: String? {
    guard let errors else { return nil }
    let size = lseek(fileno(errors), 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: 2048)
    let count = pread(fileno(errors), &bytes, bytes.count, max(0, size - 2048))
    guard count > 0 else { return nil }
    return bytes[..<count].split(separator: UInt8(ascii: "\n")).last.map {
      String(decoding: $0.prefix(300), as: UTF8.self)
    }
  }
}
