import Glibc
import SafelightCLinux
import SafelightCSeccomp
import SafelightFiles

/// A program of others that reads what strangers made, such as a decoder of videos.
///
/// It gets open files and nothing else: it reads the system's libraries and some named files, writes no file, reaches no
/// network and no other process, and starts no process. In its own process it can only start itself again, or the loader of
/// libraries. It has the system calls of a `Sandbox` and few more. Landlock and seccomp hold across the start of a program.
package struct ConfinedProgram: Sendable {
  /// The program.
  package var executable: FilePath
  /// What the program gets as its arguments, its own name first.
  package var arguments: [String]
  /// What the program has open as 0, 1, 2 and so on; `nil` is `/dev/null`. At most 16.
  package var files: [Int32?] = [nil, nil, nil]
  /// The folder that it works in.
  package var folder: FilePath = "/"
  /// Files that it may read besides libraries.
  package var readableFiles: [FilePath] = []
  /// The most memory that it may take, in megabytes of 1,048,576 bytes; 0 is no limit.
  package var memoryLimit = 0
  /// The most bytes that it may write into an open file.
  package var outputLimit = 2 << 30

  /// Describes a program to be started.
  package init(_ executable: FilePath, arguments: [String]) {
    (self.executable, self.arguments) = (executable, arguments)
  }

  /// The program of a name; `nil` when there is none.
  ///
  /// - Parameter path: The folders to look in, with colons; `nil` are those of `PATH`.
  package static func find(_ name: String, in path: String? = nil) -> FilePath? {
    let path = path ?? getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { FilePath(argument: String($0)).appending(name) }
      .first { $0.isAbsolute && $0.withCString { access($0, X_OK) } == 0 }
  }

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - strength: What must hold; the program is not started where it cannot.
  ///   - limit: The longest that it may take; `nil` is for ever.
  ///   - isCancelled: Asked some hundred times a second. When it is true, the program is killed.
  /// - Returns: How it ended; `nil` when it took too long or was cancelled.
  /// - Throws: ``SystemCallError`` when it cannot be started.
  package func run(
    requiring strength: Sandbox.Strength, within limit: Duration?, isCancelled: () -> Bool
  ) throws(SystemCallError) -> ChildProcess.End? {
    try start(requiring: strength).finish(within: limit, unless: isCancelled)
  }

  /// Starts the program.
  ///
  /// - Parameter strength: What must hold; the program is not started where it cannot.
  /// - Throws: ``SystemCallError`` when it cannot be started.
  package func start(
    requiring strength: Sandbox.Strength
  ) throws(SystemCallError) -> ChildProcess {
    precondition(files.count <= 16)
    let place = folder.withCString { open($0, safelight_path_only | O_CLOEXEC) }
    guard place >= 0 else { throw SystemCallError(code: errno) }
    defer { close(place) }
    let rules = Sandbox.fileRules(
      starting: [executable] + Self.loaders, reading: readableFiles)
    defer { if rules >= 0 { close(rules) } }
    let filter = Self.callFilter()
    guard rules >= 0 || !strength.contains(.files),
      !filter.isEmpty || !strength.contains(.calls)
    else { throw SystemCallError(code: ENOSYS) }
    let descriptors = files.map { $0 ?? -1 }
    let environment = ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=/"]
    let process = executable.withCString { program in
      Self.withCStrings(arguments) { arguments in
        Self.withCStrings(environment) { environment in
          descriptors.withUnsafeBufferPointer { descriptors in
            filter.withUnsafeBytes { filter in
              var limits = safelight_confinement(
                files: descriptors.baseAddress, fileCount: Int32(descriptors.count), folder: place,
                rules: rules, filter: filter.baseAddress,
                filterLength: UInt16(filter.count / 8), memory: UInt64(memoryLimit) << 20,
                fileSize: UInt64(outputLimit))
              return safelight_start_confined(program, arguments, environment, &limits)
            }
          }
        }
      }
    }
    guard process > 0 else { throw SystemCallError(code: errno) }
    return ChildProcess(process)
  }

  /// Calls `body` with texts as a list of C strings that ends with a null pointer.
  private static func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    let pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return (pointers + [nil]).withUnsafeBufferPointer { body($0.baseAddress!) }
  }

  /// What the kernel starts with a program, to load its libraries: glibc's and musl's.
  private static let loaders: [FilePath] = [
    "/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
  ]

  /// A filter of system calls, as the kernel takes it; empty where libseccomp cannot make it.
  private static func callFilter() -> [UInt8] {
    guard let filter = Sandbox.allowedCalls(and: calls, openingForWriting: true) else { return [] }
    defer { seccomp_release(filter) }
    guard let memory = OpenFile.ofMemory("safelight-filter"),
      seccomp_export_bpf(filter, memory.descriptor) == 0,
      let bytes = try? FileSystem.real.bytes(of: memory, from: 0, count: 1 << 16)
    else { return [] }
    return bytes
  }

  /// What programs call that a `Sandbox` does without; found by tracing ffmpeg with its coders.
  private static let calls = [
    // The start of the program itself, after the filter is there.
    "execve",
    // Open files.
    "dup2", "dup3", "pipe", "fadvise64", "ftruncate", "fallocate", "pwrite64", "pwritev",
    // Its own threads and memory.
    "sched_setaffinity", "getpriority", "get_mempolicy", "mlock", "munlock",
  ]
}
