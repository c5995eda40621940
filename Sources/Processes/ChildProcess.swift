import Glibc
import SafelightCLinux
import SafelightFiles

/// How a process of another program is started.
package struct ProcessLaunch: Sendable {
  /// The program.
  package var executable: FilePath
  /// What the program gets as its arguments, its own name first. Bytes of names that are not UTF-8
  /// travel as ``FilePath/argument`` says.
  package var arguments: [String]
  /// The variables of its environment, each with its value.
  package var environment: [String] = ProcessLaunch.environment()
  /// Its standard input; `nil` for none.
  package var input: Int32?
  /// Its standard output; `nil` for none.
  package var output: Int32?
  /// Where it writes what is for people; `nil` for nowhere.
  package var errors: Int32?

  /// Describes a process.
  package init(_ executable: FilePath, arguments: [String], input: Int32?) {
    (self.executable, self.arguments, self.input) = (executable, arguments, input)
  }

  /// The variables of this process's environment.
  package static func environment() -> [String] {
    var variables: [String] = []
    var next = environ
    while let variable = next.pointee {
      variables.append(FilePath.argument(decoding: variable))
      next += 1
    }
    return variables
  }

  /// Sets a variable that the environment does not have.
  package mutating func add(_ name: String, _ value: String) {
    if !environment.contains(where: { $0.hasPrefix(name + "=") }) {
      environment.append("\(name)=\(value)")
    }
  }

  /// Starts the process, in a process group of its own: Ctrl-C on the terminal reaches this process
  /// alone.
  package func start() throws(SystemCallError) -> ChildProcess {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, place) in [
      (input, STDIN_FILENO), (output, STDOUT_FILENO), (errors, STDERR_FILENO),
    ] {
      if let descriptor {
        posix_spawn_file_actions_adddup2(&actions, descriptor, place)
      } else {
        posix_spawn_file_actions_addopen(&actions, place, "/dev/null", O_RDWR, 0)
      }
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    posix_spawnattr_setflags(&attributes, Int16(flags))
    posix_spawnattr_setpgroup(&attributes, 0)
    // Signals that this process ignores would be ignored there too.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)

    var process: pid_t = 0
    let code = executable.withCString { path in
      Self.withCStrings(arguments) { words in
        Self.withCStrings(environment) { environment in
          posix_spawn(&process, path, &actions, &attributes, words, environment)
        }
      }
    }
    guard code == 0 else { throw SystemCallError(code: code) }
    return ChildProcess(process)
  }

  /// Calls `body` with texts as a list of C strings that ends with a null pointer.
  private static func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = texts.map { text in FilePath(argument: text).withCString { strdup($0) } }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }
}

/// A process that this one started. For use by one thread at a time.
package final class ChildProcess {
  /// How a process ended.
  package enum End: Sendable, Equatable {
    case exit(code: Int32)
    case signal(number: Int32)

    /// Reads the status that `waitpid` gives, as the macros WIFSIGNALED, WTERMSIG and WEXITSTATUS do.
    package init(status: Int32) {
      let signal = status & 0x7f
      self = signal == 0 ? .exit(code: (status >> 8) & 0xff) : .signal(number: signal)
    }
  }

  /// Its number.
  package let identifier: pid_t
  private var end: End?

  /// Takes over a process that this one started.
  package init(_ identifier: pid_t) {
    self.identifier = identifier
  }

  /// Sends a signal, unless the process is known to have ended.
  package func signal(_ number: Int32) {
    if end == nil { kill(identifier, number) }
  }

  /// Whether the process has ended. Does not wait.
  func hasEnded() -> Bool {
    var status: Int32 = 0
    if end == nil, waitpid(identifier, &status, WNOHANG) == identifier { end = End(status: status) }
    return end != nil
  }

  /// Waits for the end of a process, and kills one that takes longer.
  package func reap(within limit: Duration) -> End {
    finish(within: limit) { false } ?? reap()
  }

  /// Waits for the end of a process, and kills one that takes longer or is not wanted any more.
  ///
  /// - Parameters:
  ///   - limit: The longest that it may take; `nil` is for ever.
  ///   - isCancelled: Asked some hundred times a second.
  /// - Returns: How it ended; `nil` when it was killed here.
  package func finish(within limit: Duration?, unless isCancelled: () -> Bool) -> End? {
    let deadline = limit.map { ContinuousClock.now + $0 }
    while !hasEnded() {
      if isCancelled() || deadline.map({ ContinuousClock.now > $0 }) == true {
        signal(SIGKILL)
        _ = reap()
        return nil
      }
      usleep(2000)
    }
    return reap()
  }

  /// Waits for the end of a process that is about to end.
  package func reap() -> End {
    if let end { return end }
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    let end = End(status: status)
    self.end = end
    return end
  }
}

/// A failure of the system, such as too many processes.
package struct SystemCallError: Error, Sendable, Hashable {
  /// The system's `errno`.
  package let code: Int32

  /// The system's words for it.
  package var reason: String { String(cString: strerror(code)) }

  /// A failure with this `errno`.
  package init(code: Int32) {
    self.code = code
  }
}

// MARK: - What a process says

extension OpenFile {
  /// A file that only memory holds, to be the standard error of a process; `nil` when the system gives
  /// none.
  package static func ofMemory(_ name: String) -> OpenFile? {
    let memory = safelight_memory_file(name)
    return memory < 0 ? nil : OpenFile(descriptor: memory, path: "errors")
  }
}

extension ChildProcess {
  /// The last line that a process wrote, such as why it crashed; `nil` when there is none.
  package static func lastLine(of errors: OpenFile) -> String? {
    guard let size = try? FileSystem.real.status(of: errors).size,
      let bytes = try? FileSystem.real.bytes(of: errors, from: max(0, size - 2048), count: 2048)
    else { return nil }
    return bytes.split(separator: UInt8(ascii: "\n")).last.map {
      String(decoding: $0.prefix(300), as: UTF8.self)
    }
  }
}
