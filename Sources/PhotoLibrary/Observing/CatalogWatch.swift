import Dispatch
import Glibc
import PhotoEditing

/// Notices when anybody writes to a catalog's write-ahead log, by inotify.
///
/// The folder is watched rather than the file, since the log goes away with its last reader.
///
/// Dispatch lets its sources be used from any thread.
final class CatalogWatch: @unchecked Sendable {
  private let source: any DispatchSourceRead

  /// Watches a catalog.
  ///
  /// - Parameters:
  ///   - path: The catalog's file.
  ///   - queue: Where `wrote` is called.
  ///   - wrote: Called after some bytes were written, once for many.
  /// - Returns: `nil` when the system cannot watch anything more; what other processes write is then
  ///   told together with the next change of this one.
  init?(_ path: FilePath, on queue: DispatchQueue, _ wrote: @escaping @Sendable () -> Void) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    let folder = path.removingLastComponent().bytes.map { CChar(bitPattern: $0) } + [0]
    guard inotify_add_watch(descriptor, folder, UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)) >= 0
    else {
      close(descriptor)
      return nil
    }
    let log = (path.lastComponent ?? path).bytes + Array("-wal".utf8)
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler {
      if Self.drain(descriptor, lookingFor: log) { wrote() }
    }
    source.setCancelHandler { close(descriptor) }
    self.source = source
    source.activate()
  }

  /// Ends the watch; `wrote` may be called once more.
  func stop() { source.cancel() }

  /// Reads all events that wait.
  ///
  /// - Returns: Whether one is about a file of this name, or events were lost.
  private static func drain(_ descriptor: Int32, lookingFor name: [UInt8]) -> Bool {
    var isFound = false
    withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 8) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress!, buffer.count)
        guard count > 0 else { return }
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= count {
          let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
          let start = offset + MemoryLayout<inotify_event>.size
          let end = start + Int(event.len)
          if event.mask & UInt32(IN_Q_OVERFLOW) != 0
            || buffer[start..<end].prefix(while: { $0 != 0 }).elementsEqual(name)
          {
            isFound = true
          }
          offset = end
        }
      }
    }
    return isFound
  }
}
