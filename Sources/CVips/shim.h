#ifndef SAFELIGHT_CVIPS_SHIM_H
#define SAFELIGHT_CVIPS_SHIM_H

#include <fcntl.h>
#include <gmodule.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <vips/vips.h>

// What Swift cannot see of GObject and libvips: type macros, casts and variadics. One line each.

static inline GType safelight_type_int(void) { return G_TYPE_INT; }
static inline GType safelight_type_double(void) { return G_TYPE_DOUBLE; }
static inline GType safelight_type_boolean(void) { return G_TYPE_BOOLEAN; }
static inline GType safelight_type_string(void) { return G_TYPE_STRING; }
static inline GType safelight_type_image(void) { return VIPS_TYPE_IMAGE; }
static inline GType safelight_type_source(void) { return VIPS_TYPE_SOURCE; }
static inline GType safelight_type_target(void) { return VIPS_TYPE_TARGET; }
static inline GType safelight_type_array_double(void) { return VIPS_TYPE_ARRAY_DOUBLE; }

static inline GObject *safelight_object(void *instance) { return G_OBJECT(instance); }
static inline VipsObject *safelight_vips_object(void *instance) { return VIPS_OBJECT(instance); }
static inline VipsImage *safelight_image(void *instance) { return VIPS_IMAGE(instance); }
static inline VipsTarget *safelight_target(void *instance) { return VIPS_TARGET(instance); }

static inline VipsPel *safelight_region_address(VipsRegion *region, int x, int y) { return VIPS_REGION_ADDR(region, x, y); }

static inline int safelight_region_stride(VipsRegion *region) { return VIPS_REGION_LSKIP(region); }

static inline size_t safelight_pixel_size(VipsImage *image) { return VIPS_IMAGE_SIZEOF_PEL(image); }

static inline int safelight_unmap(void *bytes, void *area) {
  munmap(bytes, ((VipsArea *)area)->length);
  return 0;
}

// An open file as a source that reads through memory; NULL for a file that cannot be mapped. The source
// has `count` bytes at `offset` in place of the file's own; the file itself is never written to.
static inline VipsSource *safelight_mapped_source(int file, size_t offset, const void *patch, size_t count) {
  struct stat status;
  if (fstat(file, &status) != 0 || status.st_size <= 0) return NULL;
  if (count > (size_t)status.st_size || offset > (size_t)status.st_size - count) return NULL;
  void *bytes = mmap(NULL, status.st_size, PROT_READ | (count > 0 ? PROT_WRITE : 0), MAP_PRIVATE, file, 0);
  if (bytes == MAP_FAILED) return NULL;
  if (count > 0) memcpy((char *)bytes + offset, patch, count);
  VipsBlob *blob = vips_blob_new(safelight_unmap, bytes, status.st_size);
  VipsSource *source = vips_source_new_from_blob(blob);
  vips_area_unref(VIPS_AREA(blob));
  return source;
}

static inline int safelight_free(void *bytes, void *area) {
  (void)area;
  free(bytes);
  return 0;
}

// Bytes in memory as a source, copied; NULL when there is no memory for them.
static inline VipsSource *safelight_memory_source(const void *bytes, size_t count) {
  void *copy = malloc(count > 0 ? count : 1);
  if (copy == NULL) return NULL;
  memcpy(copy, bytes, count);
  VipsBlob *blob = vips_blob_new(safelight_free, copy, count);
  VipsSource *source = vips_source_new_from_blob(blob);
  vips_area_unref(VIPS_AREA(blob));
  return source;
}

#endif
