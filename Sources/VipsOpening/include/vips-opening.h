#ifndef SAFELIGHT_VIPS_OPENING_H
#define SAFELIGHT_VIPS_OPENING_H

// Opens libvips, with the hundred libraries that it links: before this, none of its functions may be called. Gives NULL,
// or what went wrong, in the words of the system's linker. Not for two threads at once.
const char *safelight_open_vips(void);

// The file from which libvips was opened; NULL before.
const char *safelight_vips_path(void);

#endif
