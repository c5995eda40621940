#ifndef SAFELIGHT_CZLIB_SHIM_H
#define SAFELIGHT_CZLIB_SHIM_H

#include <zlib.h>

// Macros, which Swift cannot see.
static inline int safelight_inflate_init(z_stream *stream) { return inflateInit(stream); }
// The same for deflate data without a header (RFC 1951).
static inline int safelight_inflate_raw_init(z_stream *stream) { return inflateInit2(stream, -15); }
// Deflate data without a header, in the largest window and with the most memory.
static inline int safelight_deflate_init(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY);
}

#endif
