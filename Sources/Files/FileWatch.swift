import Dispatch
import Glibc
import Synchronization

/// Hears from the kernel (inotify) what changes in folders.
///
/// ```swift
/// let watch = try FileWatch(for: [.written, .removed], on: queue) { events in
///   for event in events { print(event.folder, event.name) }
/// }
/// try watch.add("/photos")
/// ```
package final class FileWatch: Sendable {
  /// What can happen to a file in a folder.
  package struct Changes: OptionSet, Sendable, Hashable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A file or folder was made.
    package static let created = Changes(rawValue: UInt32(IN_CREATE))
    /// A file was written and is closed now.
    package static let written = Changes(rawValue: UInt32(IN_CLOSE_WRITE))
    /// Bytes of a file changed.
    package static let modified = Changes(rawValue: UInt32(IN_MODIFY))
    /// A name left the folder.
    package static let movedAway = Changes(rawValue: UInt32(IN_MOVED_FROM))
    /// A name came into the folder.
    package static let movedHere = Changes(rawValue: UInt32(IN_MOVED_TO))
    /// A file or folder was removed.
    package static let removed = Changes(rawValue: UInt32(IN_DELETE))
  }

  /// One thing that happened.
  package struct Event: Sendable, Hashable {
    /// What happened.
    package let changes: Changes
    /// The folder that was watched, by the path that it was added with.
    package let folder: FilePath
    /// The name in the folder.
    package let name: FilePath
    /// Whether it is the name of a folder.
    package let isFolder: Bool
    /// Whether more happened than the kernel could keep; then the rest says nothing.
    package let isOverflow: Bool
  }

  private struct State {
    var folders: [Int32: FilePath] = [:]
    var numbers: [FilePath: Int32] = [:]
  }

  private let mask: UInt32
  private let file: OpenFile
  // Dispatch sources may be used from any thread; the protocol does not say so.
  nonisolated(unsafe) private let source: any DispatchSourceRead
  private let state = Mutex(State())
  private let fileSystem: FileSystem

  /// A watch over no folder yet.
  ///
  /// - Parameters:
  ///   - changes: Which changes to report.
  ///   - queue: Where `handler` is called; not twice at a time when the queue is serial.
  ///   - handler: Called with all events that wait, none of them twice.
  /// - Throws: What the kernel says.
  package init(
    for changes: Changes, on queue: DispatchQueue, through fileSystem: FileSystem = .real,
    _ handler: @escaping @Sendable ([Event]) -> Void
  ) throws(FileSystemError) {
    mask = changes.rawValue | UInt32(IN_ONLYDIR | IN_EXCL_UNLINK)
    self.fileSystem = fileSystem
    let descriptor = try fileSystem.perform(.init(.watch, "inotify")) {
      inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    }
    let file = OpenFile(descriptor: descriptor, path: "inotify")
    self.file = file
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setCancelHandler { withExtendedLifetime(file) {} }
    source.setEventHandler { [weak self] in
      guard let self else { return }
      let events = waitingEvents()
      if !events.isEmpty { handler(events) }
    }
    source.activate()
  }

  deinit { source.cancel() }

  /// Ends the watch; the handler may be called once more.
  package func stop() { source.cancel() }

  /// The folders that are watched.
  package var folders: Set<FilePath> { state.withLock { Set($0.numbers.keys) } }

  /// Watches the names of a folder, not those of the folders in it.
  ///
  /// - Returns: `false` when the folder is gone or cannot be watched.
  /// - Throws: `ENOSPC` when the kernel allows no more watches (`fs.inotify.max_user_watches`).
  @discardableResult
  package func add(_ folder: FilePath) throws(FileSystemError) -> Bool {
    let here: FilePath = folder.isEmpty ? "." : folder
    do {
      let number = try fileSystem.perform(.init(.watch, folder)) {
        here.withCString { inotify_add_watch(file.descriptor, $0, mask) }
      }
      state.withLock { state in
        state.folders[number] = folder
        state.numbers[folder] = number
      }
      return true
    } catch {
      if error.errno == ENOSPC { throw error }
      return false
    }
  }

  /// Watches a folder no longer.
  package func remove(_ folder: FilePath) {
    let number = state.withLock { state -> Int32? in
      guard let number = state.numbers.removeValue(forKey: folder) else { return nil }
      state.folders[number] = nil
      return number
    }
    if let number { inotify_rm_watch(file.descriptor, number) }
  }

  /// All events that wait now; the handler does not get them any more.
  package func waitingEvents() -> [Event] {
    var events: [Event] = []
    let header = MemoryLayout<inotify_event>.size
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
      while true {
        let count = read(file.descriptor, buffer.baseAddress!, buffer.count)
        guard count > 0 else { return }
        var offset = 0
        while offset + header <= count {
          let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
          let end = min(offset + header + Int(event.len), count)
          let name = FilePath(bytes: buffer[(offset + header)..<end])
          if let event = self.event(event, name) { events.append(event) }
          offset = end
        }
      }
    }
    return events
  }

  private func event(_ event: inotify_event, _ name: FilePath) -> Event? {
    let isOverflow = event.mask & UInt32(IN_Q_OVERFLOW) != 0
    let folder = state.withLock { $0.folders[event.wd] }
    guard let folder = folder ?? (isOverflow ? "" : nil) else { return nil }
    return Event(
      changes: Changes(rawValue: event.mask & mask), folder: folder, name: name,
      isFolder: event.mask & UInt32(IN_ISDIR) != 0, isOverflow: isOverflow)
  }
}
