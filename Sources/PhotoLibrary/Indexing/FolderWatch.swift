import Dispatch
import Glibc
import PhotoEditing
import SafelightCatalog
import SafelightFiles
import SafelightStorage
import Synchronization

/// Is told by the kernel (inotify) which folders change, and has them looked through soon after.
///
/// What happened within a tenth of a second is looked at together, so that a photo that was moved is
/// found at its new place before it is missed at the old one. When the kernel has more to tell than it
/// can keep, everything is looked through.
final class FolderWatch: Sendable {
  /// What has to be looked at.
  struct Due: Sendable, Hashable {
    /// Whether it is everything.
    var all = false
    /// Folders whose own files changed.
    var flat: Set<FilePath> = []
    /// Folders that came or went, with all that is in them.
    var deep: Set<FilePath> = []
  }

  private struct State {
    var folders: [Int32: FilePath] = [:]
    var watches: [FilePath: Int32] = [:]
    var due: Due?
  }

  private static let mask = UInt32(
    IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ONLYDIR
      | IN_EXCL_UNLINK)

  private let descriptor: Int32
  // Dispatch sources may be used from any thread; the protocol does not say so.
  nonisolated(unsafe) private let source: any DispatchSourceRead
  private let queue = DispatchQueue(label: "org.safelight.watch", qos: .utility)
  private let state = Mutex(State())
  private let look: @Sendable (Due) -> Void

  /// Watches folders and all folders in them.
  ///
  /// - Parameters:
  ///   - roots: The folders, absolute.
  ///   - flat: Further folders, without the folders in them.
  ///   - look: Called on a thread of the watch's own with what is due; not twice at a time.
  /// - Throws: What the kernel says; `ENOSPC` when it allows no more watches
  ///   (`fs.inotify.max_user_watches`).
  init(
    _ roots: [FilePath], flat: [FilePath] = [], look: @escaping @Sendable (Due) -> Void
  ) throws(FileSystemError) {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard descriptor >= 0 else {
      throw FileSystemError(.init(.open, roots.first ?? "/"), errno: errno)
    }
    self.descriptor = descriptor
    self.look = look
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setCancelHandler { close(descriptor) }
    source.setEventHandler { [weak self] in self?.readEvents() }
    source.activate()
    try cover(roots, flat: flat)
  }

  /// Watches other folders than before; those that stay are watched without a gap.
  ///
  /// - Parameters:
  ///   - roots: Folders with all folders in them, absolute.
  ///   - flat: Folders without those in them.
  /// - Throws: What the kernel says, as when the watch is made.
  func cover(_ roots: [FilePath], flat: [FilePath]) throws(FileSystemError) {
    let known = state.withLock { Set($0.watches.keys) }
    let left = known.subtracting(flat).filter { folder in
      !roots.contains { folder == $0 || folder.isInside($0) }
    }
    for folder in left { unwatch(folder, isDeep: false) }
    for root in roots where !known.contains(root) { try watch(root) }
    for folder in flat where !known.contains(folder) { try watch(folder, isDeep: false) }
  }

  deinit { source.cancel() }

  /// Ends the watch; what is due already is still looked at.
  func stop() { source.cancel() }

  /// Watches a folder and those in it. A folder that is gone already is nothing to watch.
  private func watch(_ folder: FilePath, isDeep: Bool = true) throws(FileSystemError) {
    let number = FileTrace.withCString(folder) { inotify_add_watch(descriptor, $0, Self.mask) }
    guard number >= 0 else {
      if errno == ENOSPC { throw FileSystemError(.init(.open, folder), errno: ENOSPC) }
      return
    }
    state.withLock { state in
      state.folders[number] = folder
      state.watches[folder] = number
    }
    guard isDeep else { return }
    var inner: [FilePath] = []
    try? FileSystem.real.forEachEntry(in: folder) { entry in
      if entry.isFolder, entry.name.bytes.first != UInt8(ascii: ".") {
        inner.append(folder.appending(entry.name))
      }
    }
    for folder in inner { try watch(folder) }
  }

  /// Forgets a folder that is gone from its place, and those in it.
  private func unwatch(_ folder: FilePath, isDeep: Bool = true) {
    let gone = state.withLock { state -> [Int32] in
      let paths =
        isDeep
        ? state.watches.keys.filter { $0 == folder || $0.isInside(folder) } : [folder]
      return paths.compactMap { path in
        guard let number = state.watches.removeValue(forKey: path) else { return nil }
        state.folders[number] = nil
        return number
      }
    }
    for number in gone { inotify_rm_watch(descriptor, number) }
  }

  private func readEvents() {
    var due = Due()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    defer { buffer.deallocate() }
    while true {
      let count = read(descriptor, buffer.baseAddress!, buffer.count)
      guard count > 0 else { break }
      var offset = 0
      while offset + MemoryLayout<inotify_event>.size <= count {
        let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
        let start = offset + MemoryLayout<inotify_event>.size
        let name = FilePath(bytes: buffer[start..<min(start + Int(event.len), count)])
        note(event, name, &due)
        offset = start + Int(event.len)
      }
    }
    if due != Due() { announce(due) }
  }

  private func note(_ event: inotify_event, _ name: FilePath, _ due: inout Due) {
    let mask = Int(event.mask)
    if mask & Int(IN_Q_OVERFLOW) != 0 {
      due.all = true
      return
    }
    guard let folder = state.withLock({ $0.folders[event.wd] }),
      name.bytes.first != UInt8(ascii: "."), !name.isEmpty
    else { return }
    guard mask & Int(IN_ISDIR) != 0 else {
      // A file that is only begun is looked at once it is closed.
      if mask & Int(IN_CREATE) == 0 { due.flat.insert(folder) }
      return
    }
    let inner = folder.appending(name)
    unwatch(inner)
    if mask & Int(IN_CREATE | IN_MOVED_TO) != 0 {
      // Without a watch for it, everything must be looked through to know what changes in it.
      do { try watch(inner) } catch { due.all = true }
    }
    due.deep.insert(inner)
  }

  private func announce(_ new: Due) {
    let isFirst = state.withLock { state -> Bool in
      let isFirst = state.due == nil
      var due = state.due ?? Due()
      due.all = due.all || new.all
      due.flat.formUnion(new.flat)
      due.deep.formUnion(new.deep)
      state.due = due
      return isFirst
    }
    guard isFirst else { return }
    queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in
      guard let self else { return }
      // What came meanwhile belongs to it.
      readEvents()
      if let due = state.withLock({ $0.due.take() }) { look(due) }
    }
  }
}
