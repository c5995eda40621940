import Foundation
import Glibc

/// A program that was started, with the files of this process closed.
///
/// Foundation's `Process` reads beyond its list of open files when a process has more than some 1,360 of them, as one
/// with many libraries has, and can crash there.
package final class StartedProgram {
  package let processIdentifier: pid_t
  private var end: Int32?

  /// Starts a program that reads nothing.
  ///
  /// - Parameters:
  ///   - words: The program's path, and its arguments.
  ///   - folder: Its current folder; `nil` is that of this process.
  ///   - environment: Its variables; `nil` are those of this process.
  ///   - output: The descriptor that standard output goes to.
  ///   - errors: The same for standard error; `nil` is nowhere.
  package init(
    _ words: [String], in folder: String? = nil, environment: [String: String]? = nil,
    output: Int32, errors: Int32?
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    if let errors {
      posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }
    _ = Self.closeFrom(&actions, 3)
    if let folder { _ = Self.changeFolder(&actions, folder) }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)

    let variables = environment ?? ProcessInfo.processInfo.environment
    var process: pid_t = 0
    let code = Self.withCStrings(words) { words in
      Self.withCStrings(variables.map { "\($0)=\($1)" }) { variables in
        posix_spawn(&process, words[0]!, &actions, &attributes, words, variables)
      }
    }
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    processIdentifier = process
  }

  /// Whether it has not ended.
  package var isRunning: Bool {
    var status: Int32 = 0
    if end == nil, waitpid(processIdentifier, &status, WNOHANG) == processIdentifier {
      end = status
    }
    return end == nil
  }

  /// Waits for its end.
  ///
  /// - Returns: Its exit code; -1 when a signal ended it.
  package func wait() -> Int32 {
    var status: Int32 = 0
    while end == nil {
      if waitpid(processIdentifier, &status, 0) == processIdentifier { end = status }
    }
    // As the macros WIFEXITED and WEXITSTATUS have it.
    return end.map { $0 & 0x7f == 0 ? ($0 >> 8) & 0xff : -1 } ?? -1
  }

  // Swift's module of the C library leaves these out.
  private static let closeFrom = unsafeBitCast(
    dlsym(nil, "posix_spawn_file_actions_addclosefrom_np"),
    to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32).self)
  private static let changeFolder = unsafeBitCast(
    dlsym(nil, "posix_spawn_file_actions_addchdir_np"),
    to: (@convention(c) (
      UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>
    ) -> Int32).self)

  private static func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }
}

/// A file without a name, which takes any amount of what a program prints, without anybody reading along.
package final class PrintedText {
  package let descriptor: Int32

  package init() throws {
    let path = NSTemporaryDirectory() + "/safelight-output-\(UUID().uuidString)"
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    unlink(path)
  }

  deinit { close(descriptor) }

  /// What was printed so far.
  package var bytes: Data {
    var bytes = Data()
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = pread(descriptor, &piece, piece.count, off_t(bytes.count))
      guard count > 0 else { return bytes }
      bytes.append(contentsOf: piece[..<count])
    }
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }
}
