#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <vips/vips.h>

#include "vips-opening.h"

// From functions.S: the addresses, in pages of their own, and as many names, with an empty one at the end.
extern void *safelight_vips_addresses[], *safelight_vips_addresses_end[];
extern const char safelight_vips_names[];

static const char *path;

// Where a function leads before libvips is open.
__attribute__((noreturn, used, visibility("hidden"))) void safelight_vips_is_closed(void) {
  fputs("Safelight called libvips before it opened it.\n", stderr);
  abort();
}

const char *safelight_open_vips(void) {
  // The name has the oldest interface that this version still serves: libtool's manual, "Versioning".
  char library[32];
  snprintf(library, sizeof library, "libvips.so.%d", VIPS_LIBRARY_CURRENT - VIPS_LIBRARY_AGE);
  // GLib's functions are found in it too, since it links GLib.
  void *vips = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  if (vips == NULL) return dlerror();
  void **address = safelight_vips_addresses;
  for (const char *name = safelight_vips_names; *name != '\0'; name += strlen(name) + 1) {
    *address = dlsym(vips, name);
    if (*address++ == NULL) return dlerror();
  }
  mprotect(
      safelight_vips_addresses, (char *)safelight_vips_addresses_end - (char *)safelight_vips_addresses, PROT_READ);
  Dl_info place;
  if (dladdr(dlsym(vips, "vips_init"), &place) != 0) path = place.dli_fname;
  return NULL;
}

const char *safelight_vips_path(void) { return path; }
