import Glibc
import SafelightCVips

/// A file that libvips reads, by a descriptor of its own.
///
/// Reading by descriptor and not by name makes sure that the decoded bytes are the bytes that were
/// locked and hashed, even when the name changes meanwhile.
package final class Source: @unchecked Sendable {
  // `@unchecked`: the pointer is only given to libvips, which locks; it is never changed here.
  let pointer: UnsafeMutablePointer<VipsSource>

  /// Reads the file of an open descriptor from its start. The position of the descriptor does not
  /// move, and the access time of the file does not change where the system allows that.
  package init(descriptor: Int32) throws(VipsError) {
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

/// Where libvips writes an encoded picture: each run of bytes goes to a closure, or into memory.
package final class Target {
  let pointer: UnsafeMutablePointer<VipsTarget>
  private let sink: Sink?

  /// Carries the closure through C, and brings back the error that it throws.
  private final class Sink {
    let write: (UnsafeRawBufferPointer) throws -> Void
    var failure: (any Error)?

    init(_ write: @escaping (UnsafeRawBufferPointer) throws -> Void) {
      self.write = write
    }
  }

  /// The error that the closure threw; libvips then reports a failed write.
  package var failure: (any Error)? { sink?.failure }

  /// Calls `write` with the encoded bytes in order, on the thread that encodes, one call at a time.
  package init(_ write: @escaping (UnsafeRawBufferPointer) throws -> Void) throws(VipsError) {
    try Library.start()
    guard let target = vips_target_custom_new() else { throw .last("target") }
    let sink = Sink(write)
    self.sink = sink
    pointer = safelight_target(target)

    let onWrite:
      @convention(c) (
        UnsafeMutablePointer<VipsTargetCustom>?, UnsafeRawPointer?, Int64, UnsafeMutableRawPointer?
      ) -> Int64 = { _, bytes, length, user in
        let sink = Unmanaged<Sink>.fromOpaque(user!).takeUnretainedValue()
        do {
          try sink.write(UnsafeRawBufferPointer(start: bytes, count: Int(length)))
          return length
        } catch {
          sink.failure = error
          return -1
        }
      }
    g_signal_connect_data(
      pointer, "write", unsafeBitCast(onWrite, to: GCallback.self),
      Unmanaged.passUnretained(sink).toOpaque(), nil, GConnectFlags(rawValue: 0))
  }

  /// Collects the encoded bytes in memory, where an encoder may also change earlier bytes.
  init() throws(VipsError) {
    try Library.start()
    guard let target = vips_target_new_to_memory() else { throw .last("target") }
    sink = nil
    pointer = target
  }

  deinit {
    g_object_unref(pointer)
  }

  /// Writes all bytes that an encoder put into `memory`.
  func write(contentOf memory: Target) throws(VipsError) {
    var size = 0
    // The encoder has ended the target, so its bytes are in this block.
    guard let blob = memory.pointer.pointee.blob, let bytes = vips_blob_get(blob, &size),
      vips_target_write(pointer, bytes, size) == 0, vips_target_end(pointer) == 0
    else { throw .last("target_write") }
  }
}
