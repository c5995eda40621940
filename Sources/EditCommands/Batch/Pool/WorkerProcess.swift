import Glibc
import PhotoEditing

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

  /// Waits for the process to end, which it must be about to.
  func reap() -> End {
    var status: Int32 = 0
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
