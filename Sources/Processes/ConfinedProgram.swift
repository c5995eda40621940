import Glibc
import SafelightCLinux
import SafelightCSeccomp
import SafelightFiles

/// A program of others that reads what strangers made, such as a decoder of videos.
///
/// It gets open files and nothing else: it reads the system's libraries and some named files, writes no file, reaches no
/// network and no other process, and starts no program. Landlock and seccomp hold across the start of the program.
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
  ///   - isCancelled: Asked about 200 times a second. When it is true, the program is killed.
  /// - Returns: How it ended; `nil` when it took too long or was cancelled.
  /// - Throws: ``SystemCallError`` when it cannot be started.
  package func run(
    requiring strength: Sandbox.Strength, within limit: Duration?, isCancelled: () -> Bool
  ) throws(SystemCallError) -> ChildProcess.End? {
    let process = ChildProcess(try start(requiring: strength))
    let deadline = limit.map { ContinuousClock.now + $0 }
    while true {
      if let end = process.endIfOver() { return end }
      if isCancelled() || deadline.map({ ContinuousClock.now > $0 }) == true {
        process.signal(SIGKILL)
        _ = process.reap()
        return nil
      }
      usleep(5000)
    }
  }

  private func start(requiring strength: Sandbox.Strength) throws(SystemCallError) -> pid_t {
    precondition(files.count <= 16)
    let place = folder.withCString { open($0, safelight_path_only | O_CLOEXEC) }
    guard place >= 0 else { throw SystemCallError(code: errno) }
    defer { close(place) }
    let rules = fileRules()
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
                seconds: 0, fileSize: UInt64(outputLimit))
              return safelight_start_confined(program, arguments, environment, &limits)
            }
          }
        }
      }
    }
    guard process > 0 else { throw SystemCallError(code: errno) }
    return process
  }

  /// Calls `body` with texts as a list of C strings that ends with a null pointer.
  private static func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    let pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return (pointers + [nil]).withUnsafeBufferPointer { body($0.baseAddress!) }
  }

  /// A rule set of Landlock; negative when the kernel has none.
  private func fileRules() -> Int32 {
    let version = safelight_landlock_version()
    guard version > 0 else { return -1 }
    // The kinds of access that each version of Landlock knows (linux/landlock.h).
    let kinds: UInt64 =
      switch version {
      case 1: 0x1fff
      case 2: 0x3fff
      case 3, 4: 0x7fff
      default: 0xffff
      }
    let rules = safelight_landlock_create(
      kinds, version >= 4 ? 3 : 0, version >= 6 ? 3 : 0, version)
    guard rules >= 0 else { return -1 }
    let (execute, readFile, readFolder): (UInt64, UInt64, UInt64) = (1, 4, 8)
    func allow(_ path: FilePath, _ access: UInt64) {
      let descriptor = path.withCString { open($0, safelight_path_only | O_CLOEXEC) }
      guard descriptor >= 0 else { return }
      _ = safelight_landlock_allow(rules, descriptor, access)
      close(descriptor)
    }
    for folder in Sandbox.readableFolders {
      allow(FilePath(folder), execute | readFile | readFolder)
    }
    allow(executable, execute | readFile)
    let others: [FilePath] = ["/etc/ld.so.cache", "/dev/null", "/dev/urandom"]
    for file in others + readableFiles { allow(file, readFile) }
    return rules
  }

  /// A filter of system calls, as the kernel takes it; empty where libseccomp cannot make it.
  private static func callFilter() -> [UInt8] {
    guard let filter = seccomp_init(safelight_allow()) else { return [] }
    defer { seccomp_release(filter) }
    func refuse(_ name: String, _ error: Int32 = EPERM, _ conditions: [scmp_arg_cmp] = []) -> Bool {
      let number = seccomp_syscall_resolve_name(name)
      guard number != __NR_SCMP_ERROR else { return true }
      return seccomp_rule_add_array(
        filter, safelight_fail(error), number, UInt32(conditions.count), conditions) == 0
    }
    // Threads, but no processes; the C library then does without clone3, whose flags a filter cannot see.
    let isThread = scmp_arg_cmp(
      arg: 0, op: SCMP_CMP_MASKED_EQ, datum_a: safelight_clone_thread, datum_b: 0)
    // Limits may be read and not changed.
    let isNewLimit = scmp_arg_cmp(arg: 2, op: SCMP_CMP_NE, datum_a: 0, datum_b: 0)
    guard names.allSatisfy({ refuse($0) }), refuse("clone3", ENOSYS),
      refuse("clone", EPERM, [isThread]), refuse("prlimit64", EPERM, [isNewLimit]),
      let memory = OpenFile.ofMemory("safelight-filter"),
      seccomp_export_bpf(filter, memory.descriptor) == 0,
      let bytes = try? FileSystem.real.bytes(of: memory, from: 0, count: 1 << 16)
    else { return [] }
    return bytes
  }

  /// What a decoder of videos never needs.
  private static let names = [
    "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg",
    "sendmmsg", "recvfrom", "recvmsg", "recvmmsg", "fork", "vfork", "ptrace", "process_vm_readv",
    "process_vm_writev", "kill", "tkill", "pidfd_open", "pidfd_send_signal", "mount", "umount2",
    "chroot", "pivot_root", "unshare", "setns", "bpf", "perf_event_open", "keyctl", "add_key",
    "request_key", "userfaultfd", "io_uring_setup", "open_by_handle_at", "chmod", "fchmodat",
    "chown", "lchown", "fchownat", "rename", "renameat", "renameat2", "unlink", "unlinkat",
    "mkdir", "mkdirat", "rmdir", "symlink", "symlinkat", "link", "linkat", "truncate", "mknod",
    "mknodat", "utime", "utimes", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "shmget",
    "msgget", "semget", "mq_open", "inotify_init1", "fanotify_init", "setrlimit", "execveat",
    "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_getfd", "kcmp", "process_madvise", "syslog",
    "mount_setattr", "move_mount", "open_tree", "fsopen", "fsmount", "fsconfig", "fspick",
    "name_to_handle_at", "quotactl", "swapon", "swapoff", "reboot", "acct", "init_module",
    "finit_module", "delete_module", "kexec_load", "kexec_file_load", "iopl", "ioperm",
    "settimeofday", "clock_settime", "adjtimex", "clock_adjtime", "sethostname", "setdomainname",
  ]
}

extension ChildProcess {
  /// How the process ended; `nil` while it runs.
  func endIfOver() -> End? { hasEnded() ? reap() : nil }
}
