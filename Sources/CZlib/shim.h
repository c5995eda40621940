#ifndef SAFELIGHT_CZLIB_SHIM_H
#define SAFELIGHT_CZLIB_SHIM_H

#include <zlib.h>

// A macro, which Swift cannot see.
static inline int safelight_inflate_init(z_stream *stream) { return inflateInit(stream); }

#endif
