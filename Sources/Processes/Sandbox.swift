import Glibc
import SafelightCLinux
import SafelightCSeccomp
import SafelightFiles

/// What a process gives up for good before it reads what strangers wrote.
///
/// A process that is taken over by a hostile file can then still compute, read and write what it has
/// open, and end. It cannot open a file of a person, change any file, reach a network or another
/// process, or start a program.
package struct Sandbox {
  /// The parts that are in force. A kernel may lack one of them; the other holds nevertheless.
  package struct Strength: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Files by Landlock, since Linux 5.13.
    package static let files = Strength(rawValue: 1)
    /// System calls by seccomp.
    package static let calls = Strength(rawValue: 2)
  }

  /// The parts that are in force in this process and in those that it forks.
  package private(set) var strength: Strength = []
  private var calls: scmp_filter_ctx?

  /// Prepares a sandbox; nothing is given up yet.
  package init() {
    // Nobody with the same user may look into the process, and it gains no rights by a program.
    _ = safelight_control(PR_SET_NO_NEW_PRIVS, 1)
    _ = safelight_control(PR_SET_DUMPABLE, 0)
    calls = Self.allowedCalls()
  }

  // MARK: - Files

  /// Gives up all files but the libraries and fonts of the system, which stay readable. What is open
  /// stays open.
  package mutating func giveUpFiles() {
    let rules = Self.fileRules()
    guard rules >= 0 else { return }
    defer { close(rules) }
    if safelight_landlock_enter(rules) == 0 { strength.insert(.files) }
  }

  /// A rule set of Landlock that leaves the libraries and fonts of the system readable; negative where the kernel has none.
  ///
  /// - Parameters:
  ///   - programs: What may be started; mapping a library needs no such right.
  ///   - files: Files that may be read besides.
  static func fileRules(starting programs: [FilePath] = [], reading files: [FilePath] = []) -> Int32
  {
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
    func allow(_ path: FilePath, _ access: UInt64) {
      let descriptor = path.withCString { open($0, safelight_path_only | O_CLOEXEC) }
      guard descriptor >= 0 else { return }
      _ = safelight_landlock_allow(rules, descriptor, access)
      close(descriptor)
    }
    let (execute, readFile, readFolder): (UInt64, UInt64, UInt64) = (1, 4, 8)
    for folder in readableFolders { allow(folder, readFile | readFolder) }
    for program in programs { allow(program, execute | readFile) }
    for file in readableFiles + files { allow(file, readFile) }
    return rules
  }

  /// Libraries that are loaded when a photo needs them, fonts and their settings.
  private static let readableFolders: [FilePath] = [
    "/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib", "/usr/share/fonts",
    "/usr/local/share/fonts", "/usr/share/fontconfig", "/etc/fonts", "/var/cache/fontconfig",
    "/usr/share/zoneinfo", "/sys/devices/system/cpu",
  ]

  private static let readableFiles: [FilePath] = [
    "/etc/ld.so.cache", "/dev/null", "/dev/urandom",
  ]

  // MARK: - System calls

  /// Whether ``giveUpCalls()`` can do its work, which it does later.
  package var canGiveUpCalls: Bool { calls != nil }

  /// Gives up all system calls but those that computing and talking over open sockets need.
  package mutating func giveUpCalls() {
    guard let calls, seccomp_load(calls) == 0 else { return }
    strength.insert(.calls)
  }

  /// The system calls that stay. The others fail with `EPERM`, so that a library can go on without.
  ///
  /// - Parameters:
  ///   - others: The names of calls that stay besides.
  ///   - isWriting: Whether files may be opened for writing, as far as Landlock lets them.
  static func allowedCalls(
    and others: [String] = [], openingForWriting isWriting: Bool = false
  ) -> scmp_filter_ctx? {
    guard let filter = seccomp_init(safelight_fail(EPERM)) else { return nil }
    func set(_ action: UInt32, _ name: String, _ conditions: [scmp_arg_cmp] = []) -> Bool {
      let number = seccomp_syscall_resolve_name(name)
      // A call that this processor does not have.
      guard number != __NR_SCMP_ERROR else { return true }
      return seccomp_rule_add_array(
        filter, action, number, UInt32(conditions.count), conditions) == 0
    }
    func argument(_ index: UInt32, is value: UInt64, under mask: UInt64? = nil) -> scmp_arg_cmp {
      scmp_arg_cmp(
        arg: index, op: mask == nil ? SCMP_CMP_EQ : SCMP_CMP_MASKED_EQ,
        datum_a: mask ?? value, datum_b: mask == nil ? 0 : value)
    }
    let allow = safelight_allow()
    var isComplete = (names + others).allSatisfy { set(allow, $0) }
    // Threads, but no processes; the C library then does without clone3, whose flags a filter
    // cannot see.
    let thread = safelight_clone_thread
    isComplete = isComplete && set(allow, "clone", [argument(0, is: thread, under: thread)])
    isComplete = isComplete && set(safelight_fail(ENOSYS), "clone3")
    // Files are opened for reading only, also where there is no Landlock.
    let writing = UInt64(O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)
    for (name, flags) in [("openat", UInt32(2)), ("open", UInt32(1))] {
      let conditions = isWriting ? [] : [argument(flags, is: 0, under: writing)]
      isComplete = isComplete && set(allow, name, conditions)
    }
    // Copies and flags of descriptors, but no signals from them. 1030 is F_DUPFD_CLOEXEC.
    let commands = [F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, 1030]
    for command in commands {
      isComplete = isComplete && set(allow, "fcntl", [argument(1, is: UInt64(command))])
    }
    // Names of threads.
    isComplete = isComplete && set(allow, "prctl", [argument(0, is: UInt64(PR_SET_NAME))])
    // Limits may be read and not changed.
    isComplete = isComplete && set(allow, "prlimit64", [argument(2, is: 0)])
    guard isComplete else {
      seccomp_release(filter)
      return nil
    }
    return filter
  }

  private static let names = [
    // Memory.
    "brk", "mmap", "munmap", "mprotect", "mremap", "madvise", "membarrier",
    // Open files and sockets.
    "read", "readv", "pread64", "preadv", "write", "writev", "lseek", "close", "dup", "fstat",
    "poll", "ppoll", "recvmsg", "sendmsg", "recvfrom", "sendto", "pipe2", "eventfd2",
    "epoll_create1",
    "epoll_ctl", "epoll_wait", "epoll_pwait",
    // Names of files, which Landlock guards.
    "stat", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2", "readlink",
    "readlinkat", "getcwd", "getdents64", "statfs", "fstatfs",
    // Threads.
    "futex", "set_robust_list", "rseq", "set_tid_address", "sched_yield", "sched_getaffinity",
    "sched_getparam", "sched_getscheduler", "sched_get_priority_max", "sched_get_priority_min",
    "gettid",
    "getpid", "exit", "exit_group", "arch_prctl",
    // Signals of its own.
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall",
    // The clock and the machine.
    "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time",
    "times",
    "getrandom", "uname", "sysinfo", "getrlimit", "getrusage", "getuid", "geteuid", "getgid",
    "getegid", "getcpu",
  ]
}

// MARK: - Trying it

extension Sandbox {
  /// What this process can do of what a sandbox must prevent; empty when it holds.
  ///
  /// - Parameters:
  ///   - file: A file that exists.
  ///   - process: Another process of the same user.
  package static func holes(file: String, process: pid_t) -> [String] {
    let attempts: [(String, () -> Bool)] = [
      ("open a file", { open(file, O_RDONLY) >= 0 }),
      ("open a file for writing", { open(file, O_WRONLY) >= 0 }),
      ("make a file", { open(file + ".new", O_WRONLY | O_CREAT, 0o600) >= 0 }),
      ("list a folder", { opendir("/home") != nil || opendir("/tmp") != nil }),
      ("rename a file", { rename(file, file + ".moved") == 0 }),
      ("remove a file", { unlink(file) == 0 }),
      ("change the mode of a file", { chmod(file, 0o777) == 0 }),
      ("make a folder", { mkdir(file + ".folder", 0o700) == 0 }),
      ("make a network socket", { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0 }),
      ("make a local socket", { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) >= 0 }),
      ("start a process", { safelight_fork() >= 0 }),
      ("start a program", { safelight_execute("/bin/true") >= 0 }),
      ("signal a process", { kill(process, 0) == 0 }),
      ("trace a process", { safelight_trace(process) == 0 }),
      ("read the memory of a process", { open("/proc/\(process)/mem", O_RDONLY) >= 0 }),
      ("outlive its parent", { safelight_control(PR_SET_PDEATHSIG, 0) == 0 }),
      (
        "raise its limits",
        {
          var limit = rlimit(rlim_cur: 1 << 40, rlim_max: 1 << 40)
          return setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
        }
      ),
    ]
    return attempts.compactMap { name, attempt in attempt() ? name : nil }
  }
}
