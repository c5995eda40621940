#include <seccomp.h>

// Macros of libseccomp that Swift cannot see.

static inline unsigned safelight_allow(void) { return SCMP_ACT_ALLOW; }

// The system call fails with this errno.
static inline unsigned safelight_fail(int code) { return SCMP_ACT_ERRNO(code); }
