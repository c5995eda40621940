import Foundation
import Glibc
import SafelightTestSupport
import Testing

/// The built program `edit`, as a shell would run it.
struct EditProcess {
  let status: Int32
  let output: String
  let errors: String

  /// What was said on standard error, without the summary and without what tells of the progress: that
  /// depends on how fast the machine is.
  var messages: String {
    let lines = errors.split(separator: "\n").map(String.init)
      .filter { $0.firstMatch(of: /^edit: \d+ of \d+ photos/) == nil }
    return Summary.removed(from: lines).map { $0 + "\n" }.joined()
  }

  /// The program beside the test bundle.
  static func executable() throws -> URL {
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let candidates = [bundle] + CommandLine.arguments
    let folders = candidates.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
    return try #require(
      folders.map { $0.appendingPathComponent("edit") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) },
      "The program edit is not beside the tests.")
  }

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - folder: Its current folder.
  ///   - meanwhile: Called once the program runs.
  init(
    _ words: [String], in folder: CommandFolder,
    meanwhile: (StartedProgram) throws -> Void = { _ in }
  ) throws {
    try self.init([Self.executable().path] + words, nil, in: folder, meanwhile: meanwhile)
  }

  /// Runs a line of shell, in which the program is `$EDIT`.
  init(shell line: String, in folder: CommandFolder) throws {
    // What sanitizers are told holds for the program too.
    let environment = ProcessInfo.processInfo.environment
      .filter {
        $0.key.hasSuffix("SAN_OPTIONS") || ["LD_PRELOAD", "SAFELIGHT_IN_PROCESS"].contains($0.key)
      }
      .merging(["EDIT": try Self.executable().path, "LC_ALL": "C"]) { $1 }
    try self.init(["/bin/sh", "-c", line], environment, in: folder) { _ in }
  }

  private init(
    _ words: [String], _ environment: [String: String]?, in folder: CommandFolder,
    meanwhile: (StartedProgram) throws -> Void
  ) throws {
    let (printed, said) = (try PrintedText(), try PrintedText())
    let program = try StartedProgram(
      words, in: folder.path, environment: environment, output: printed.descriptor,
      errors: said.descriptor)
    try meanwhile(program)
    status = program.wait()
    (output, errors) = (printed.text, said.text)
  }
}

/// Waits for a file to appear in a folder, without looking again and again.
final class FolderWatch {
  private let descriptor = inotify_init1(Int32(IN_CLOEXEC))

  init(_ folder: CommandFolder, for event: Int32 = IN_CREATE) {
    inotify_add_watch(descriptor, folder.path, UInt32(event))
  }

  deinit { close(descriptor) }

  /// Blocks until the hidden file of a render was created; `false` after half a minute without one.
  func waitForStagedRender() -> Bool { waitForFile { $0.contains(".render-") } }

  /// Blocks until a file of such a name comes; `false` after half a minute without one.
  func waitForFile(_ isWanted: (String) -> Bool) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 30_000) == 1 else { return false }
      let count = read(descriptor, &buffer, buffer.count)
      // Names stand in the events as they are, padded with zeros.
      let names = buffer.prefix(max(0, count)).split(separator: 0)
      if names.contains(where: { isWanted(String(decoding: $0, as: UTF8.self)) }) { return true }
    }
  }
}

/// Waits for a file to be opened.
final class OpeningWatch {
  private let descriptor = inotify_init1(Int32(IN_CLOEXEC))

  init(_ path: String) { inotify_add_watch(descriptor, path, UInt32(IN_OPEN)) }

  deinit { close(descriptor) }

  /// Blocks until somebody opens the file; `false` after half a minute.
  func wait() -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 30_000) == 1
  }
}

extension StartedProgram {
  /// Whether it has a handler for a signal by now.
  func catches(_ signal: Int32) throws -> Bool {
    let status = try String(contentsOfFile: "/proc/\(processIdentifier)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
    let mask = line.flatMap { UInt64($0.dropFirst(7).drop { $0 == "\t" }, radix: 16) } ?? 0
    return mask >> UInt64(signal - 1) & 1 == 1
  }

  /// The processes that it started.
  var children: [pid_t] {
    get throws {
      let tasks = "/proc/\(processIdentifier)/task"
      return try FileManager.default.contentsOfDirectory(atPath: tasks).flatMap { task in
        let list = try? String(contentsOfFile: "\(tasks)/\(task)/children", encoding: .utf8)
        return (list ?? "").split(separator: " ").compactMap { pid_t($0) }
      }
    }
  }
}
