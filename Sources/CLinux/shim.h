// Calls of Linux that Swift's module of the C library leaves out.
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

// renameat2(2) with RENAME_NOREPLACE (1) or RENAME_EXCHANGE (2).
static inline int safelight_rename(int folder, const char *name, int newFolder, const char *newName,
                                   unsigned flags) {
  return (int)syscall(SYS_renameat2, folder, name, newFolder, newName, flags);
}

// ioctl_ficlone(2): shares the bytes of a file with an empty one, where the disk can do that.
static inline int safelight_clone(int target, int source) {
  return ioctl(target, 0x40049409UL, source);
}

// statfs(2): the number of the kind of disk that a path is on; 0 when nothing has the path.
static inline unsigned safelight_disk(const char *path) {
  struct statfs disk;
  return statfs(path, &disk) == 0 ? (unsigned)disk.f_type : 0;
}

// Lets malloc take 64 MB at once, in pages of 2 MB where the kernel has them, and keep it. For a process that soon ends:
// a page of 4 KB that it meets anew costs some 3 microseconds, and it would meet thousands.
static inline void safelight_use_large_pages(void) {
  const uintptr_t page = 2 << 20, old = (uintptr_t)sbrk(0);
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 64 << 20);
  // Volatile, or the compiler leaves both calls out.
  void *volatile memory = malloc(1 << 20);
  free(memory);
  const uintptr_t end = (uintptr_t)sbrk(0), begin = (old + page - 1) & ~(page - 1);
  if (end > begin) madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

// Flags that are only declared for GNU sources.
static const int safelight_path_only = 010000000;         // O_PATH
static const uint64_t safelight_clone_thread = 0x00010000;  // CLONE_THREAD

// fork(2), for a process with a single thread.
static inline int safelight_fork(void) { return (int)fork(); }

// close_range(2): closes all descriptors from `first` on.
static inline int safelight_close_from(unsigned first) {
  return (int)syscall(436, first, ~0U, 0);
}

// execve(2) and ptrace(2) with PTRACE_ATTACH, to see that they fail.
static inline int safelight_execute(const char *program) {
  char *const nothing[] = {NULL};
  return execve(program, nothing, nothing);
}
static inline long safelight_trace(int process) { return syscall(SYS_ptrace, 16, process, 0, 0); }

// pidfd_open(2): a descriptor that is readable once the process has ended.
static inline int safelight_open_process(int process) { return (int)syscall(434, process, 0); }

// memfd_create(2): a file without a name, closed in programs that this one starts.
static inline int safelight_memory_file(const char *name) {
  return (int)syscall(SYS_memfd_create, name, 1);
}

// prctl(2) with one argument.
static inline int safelight_control(int option, unsigned long value) {
  return prctl(option, value, 0, 0, 0);
}

// landlock_create_ruleset(2): the version of Landlock that the kernel has; negative for none.
static inline int safelight_landlock_version(void) { return (int)syscall(444, NULL, 0, 1); }

// landlock_create_ruleset(2): a rule set that refuses these kinds of access to files, to the network
// and to processes outside. An older kernel gets the part of the structure that it knows.
static inline int safelight_landlock_create(uint64_t files, uint64_t network, uint64_t scopes,
                                            int version) {
  uint64_t attributes[3] = {files, network, scopes};
  return (int)syscall(444, attributes, version >= 6 ? 24 : version >= 4 ? 16 : 8, 0);
}

// landlock_add_rule(2): allows kinds of access below a folder.
static inline int safelight_landlock_allow(int rules, int folder, uint64_t access) {
  struct __attribute__((packed)) { uint64_t access; int32_t folder; } rule = {access, folder};
  return (int)syscall(445, rules, 1, &rule, 0);
}

// landlock_restrict_self(2)
static inline int safelight_landlock_enter(int rules) { return (int)syscall(446, rules, 0); }

// sendmsg(2): a message of some bytes with open files, at most 16.
static inline long safelight_send(int socket, const void *bytes, size_t count, const int *files,
                                  int fileCount) {
  struct iovec part = {(void *)bytes, count};
  union { char bytes[CMSG_SPACE(16 * sizeof(int))]; struct cmsghdr header; } room;
  struct msghdr message = {0};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (fileCount > 0) {
    memset(&room, 0, sizeof room);
    message.msg_control = room.bytes;
    message.msg_controllen = CMSG_SPACE(fileCount * sizeof(int));
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(fileCount * sizeof(int));
    memcpy(CMSG_DATA(header), files, fileCount * sizeof(int));
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

// recvmsg(2): a message of some bytes with open files, at most 16, which are closed in programs that
// this one starts. -2 for a message that is too long.
static inline long safelight_receive(int socket, void *bytes, size_t room, int *files,
                                     int *fileCount) {
  struct iovec part = {bytes, room};
  union { char bytes[CMSG_SPACE(16 * sizeof(int))]; struct cmsghdr header; } control;
  struct msghdr message = {0};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes;
  message.msg_controllen = sizeof control.bytes;
  *fileCount = 0;
  long count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (count < 0) return count;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    int found = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    for (int index = 0; index < found && *fileCount < 16; index++) {
      memcpy(&files[*fileCount], CMSG_DATA(header) + index * sizeof(int), sizeof(int));
      *fileCount += 1;
    }
  }
  return message.msg_flags & (MSG_TRUNC | MSG_CTRUNC) ? -2 : count;
}

// epoll(7), to notice that the other ends of sockets go.
static inline int safelight_make_loss_watch(void) { return epoll_create1(EPOLL_CLOEXEC); }
static inline int safelight_watch_loss(int watch, int socket) {
  struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data.fd = socket};
  return epoll_ctl(watch, EPOLL_CTL_ADD, socket, &event);
}
static inline int safelight_unwatch_loss(int watch, int socket) {
  return epoll_ctl(watch, EPOLL_CTL_DEL, socket, NULL);
}
// A socket whose other end has gone; negative when there is none.
static inline int safelight_next_loss(int watch) {
  struct epoll_event event;
  return epoll_wait(watch, &event, 1, 0) == 1 ? event.data.fd : -1;
}

// How a program of others is started: what it gets open as 0, 1, 2 and so on (-1 is /dev/null), the folder it works in,
// a rule set of Landlock (-1 for none), a filter of seccomp, and limits (0 for none).
struct safelight_confinement {
  const int *files;
  int fileCount, folder, rules;
  const void *filter;
  unsigned short filterLength;
  uint64_t memory, fileSize;
};

// fork(2) and execve(2). The new process does nothing in between that another thread could be in the midst of.
static inline int safelight_start_confined(const char *program, char *const *arguments,
                                           char *const *environment,
                                           const struct safelight_confinement *limits) {
  const int process = (int)fork();
  if (process != 0) return process;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  // First up, so that none is overwritten before it is copied.
  int moved[16];
  for (int index = 0; index < limits->fileCount && index < 16; index++) {
    const int file = limits->files[index];
    moved[index] = file < 0 ? open("/dev/null", O_RDWR) : file;
    moved[index] = fcntl(moved[index], F_DUPFD, 100);
    if (moved[index] < 0) _exit(126);
  }
  if (fchdir(limits->folder) != 0) _exit(126);
  const struct { int kind; uint64_t value; } bounds[] = {
      {RLIMIT_AS, limits->memory}, {RLIMIT_FSIZE, limits->fileSize}};
  for (int index = 0; index < 2; index++) {
    if (bounds[index].value == 0) continue;
    const struct rlimit bound = {bounds[index].value, bounds[index].value};
    setrlimit(bounds[index].kind, &bound);
  }
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  signal(SIGPIPE, SIG_DFL);
  sigset_t signals;
  sigemptyset(&signals);
  sigprocmask(SIG_SETMASK, &signals, NULL);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) _exit(126);
  if (limits->rules >= 0 && syscall(446, limits->rules, 0) != 0) _exit(126);
  for (int index = 0; index < limits->fileCount && index < 16; index++) {
    if (dup2(moved[index], index) < 0) _exit(126);
  }
  if (syscall(436, limits->fileCount, ~0U, 0) != 0) _exit(126);
  if (limits->filterLength > 0) {
    const struct { unsigned short length; const void *filter; } rules = {limits->filterLength,
                                                                         limits->filter};
    // PR_SET_SECCOMP with SECCOMP_MODE_FILTER.
    if (prctl(22, 2, &rules, 0, 0) != 0) _exit(126);
  }
  execve(program, arguments, environment);
  _exit(127);
}
