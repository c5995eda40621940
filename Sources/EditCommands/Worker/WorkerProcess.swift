import Glibc
import PhotoEditing
import SafelightFiles
import SafelightProcesses

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
    let errors = tmpfile()

    var launch = ProcessLaunch(
      executable, arguments: ["edit", "worker", "--memory-limit", "\(memoryLimit)"],
      input: workersEnd)
    launch.output = workersEnd
    launch.errors = errors.map { fileno($0) }
    // A crash is reported with its photo; searching for the line it happened in takes seconds.
    launch.add("SWIFT_BACKTRACE", "enable=no")
    if let threads { launch.add("VIPS_CONCURRENCY", "\(threads)") }
    do {
      return WorkerProcess(try launch.start(), socket: socket, errors: errors)
    } catch {
      close(socket)
      if let errors { fclose(errors) }
      throw error
    }
  }
}

/// Lets this process take no more memory than so many megabytes; 0 is no limit.
func limitMemory(to megabytes: Int) {
  guard megabytes > 0 else { return }
  let bytes = rlim_t(megabytes) << 20
  var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
  setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
}

/// One worker process, at the other end of a socket. Used by one thread.
final class WorkerProcess {
  /// Readable when the worker answered or ended; for `poll`.
  let descriptor: Int32
  private let process: ChildProcess
  private let errors: UnsafeMutablePointer<FILE>?
  private let answers: LineReader

  init(_ process: ChildProcess, socket: Int32, errors: UnsafeMutablePointer<FILE>?) {
    self.process = process
    self.errors = errors
    descriptor = socket
    answers = LineReader(socket)
    Interruption.workerStarted(process.identifier)
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
  func signal(_ number: Int32) { process.signal(number) }

  /// Waits for the end of a process that is about to end.
  func reap() -> ChildProcess.End {
    Interruption.workerEnded(process.identifier)
    return process.reap()
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
