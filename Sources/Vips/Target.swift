import SafelightCVips

/// Where libvips writes an encoded picture: each run of bytes goes to a closure, or into memory.
public final class Target {
  let pointer: UnsafeMutablePointer<VipsTarget>
  private let sink: Sink?

  /// What carries the closure through C and brings the closure's own error back.
  private final class Sink {
    let write: (UnsafeRawBufferPointer) throws -> Void
    var failure: (any Error)?

    init(_ write: @escaping (UnsafeRawBufferPointer) throws -> Void) {
      self.write = write
    }
  }

  /// The error that the closure threw, if it did; libvips then reports a failed write.
  public var failure: (any Error)? { sink?.failure }

  /// Calls `write` with the encoded bytes in order, on whatever thread encodes, never two at once.
  public init(_ write: @escaping (UnsafeRawBufferPointer) throws -> Void) throws(VipsError) {
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

  /// Gathers the encoded bytes in memory, where an encoder may also go back and change them.
  init() throws(VipsError) {
    try Library.start()
    guard let target = vips_target_new_to_memory() else { throw .last("target") }
    sink = nil
    pointer = target
  }

  deinit {
    g_object_unref(pointer)
  }

  /// Writes everything that an encoder put into `memory`.
  func write(contentOf memory: Target) throws(VipsError) {
    var size = 0
    // The encoder has ended the target, which made its bytes this block.
    guard let blob = memory.pointer.pointee.blob, let bytes = vips_blob_get(blob, &size),
      vips_target_write(pointer, bytes, size) == 0, vips_target_end(pointer) == 0
    else { throw .last("target_write") }
  }
}
