// Lets sanitizers have their terabytes of addresses; run.py loads it before the tests.
//
// A worker process limits how many addresses it may take. A sanitizer has taken more when the process starts, and the
// limit would leave it none. The product keeps its limit: this is loaded for tests under a sanitizer alone.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/resource.h>

int setrlimit(__rlimit_resource_t resource, const struct rlimit *limit)
{
  if (resource == RLIMIT_AS) return 0;
  int (*own)(__rlimit_resource_t, const struct rlimit *) = dlsym(RTLD_NEXT, "setrlimit");
  return own(resource, limit);
}
