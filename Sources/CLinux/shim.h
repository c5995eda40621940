// Calls of Linux that Swift's module of the C library leaves out.
#include <stddef.h>
#include <sys/ioctl.h>
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
