import Glibc
import SafelightCVips

/// A file that libvips reads from, by its own descriptor.
///
/// Reading by descriptor and not by name means that the bytes decoded are the bytes that were
/// locked and hashed, whatever happens to the name meanwhile.
public final class Source: @unchecked Sendable {
  // Safe to share: only handed to libvips, which locks inside; never changed here.
  let pointer: UnsafeMutablePointer<VipsSource>

  /// Reads the file behind an open descriptor from its start, without moving that descriptor's
  /// own position and without touching the file's access time where the system allows that.
  public init(descriptor: Int32) throws(VipsError) {
    try Library.start()
    let path = "/proc/self/fd/\(descriptor)"
    var own = open(path, O_RDONLY | O_CLOEXEC | safelight_noatime())
    if own < 0 { own = open(path, O_RDONLY | O_CLOEXEC) }
    guard own >= 0 else { throw .open(code: errno) }
    defer { close(own) }
    guard let source = vips_source_new_from_descriptor(own) else { throw .last("source") }
    pointer = source
  }

  deinit {
    g_object_unref(pointer)
  }
}
