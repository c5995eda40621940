import Dispatch
import PhotoEditing
import SafelightCatalog
import SafelightFiles
import Synchronization

/// Hears from the kernel which folders change, and has them scanned soon after.
///
/// Everything that happens within a tenth of a second is scanned together, so that a photo that was moved
/// is found at its new place before it is missed at the old one. When the kernel has more to tell than it
/// can keep, everything is scanned.
final class FolderWatch: Sendable {
  /// What has to be scanned.
  struct Due: Sendable, Hashable {
    /// Whether it is everything.
    var all = false
    /// Folders whose own files changed.
    var flat: Set<FilePath> = []
    /// Folders that came or went, with all that is in them.
    var deep: Set<FilePath> = []
  }

  private let queue = DispatchQueue(label: "org.safelight.watch", qos: .utility)
  private let due = Mutex<Due?>(nil)
  private let watch = Mutex<FileWatch?>(nil)
  private let scan: @Sendable (Due) -> Void

  /// Watches folders and all folders in them.
  ///
  /// - Parameters:
  ///   - roots: The folders, absolute.
  ///   - flat: Further folders, without the folders in them.
  ///   - scan: Called on a thread of the watch's own with what is due; not twice at a time.
  /// - Throws: What the kernel says; `ENOSPC` when it allows no more watches
  ///   (`fs.inotify.max_user_watches`).
  init(
    _ roots: [FilePath], flat: [FilePath] = [], scan: @escaping @Sendable (Due) -> Void
  ) throws(FileSystemError) {
    self.scan = scan
    let watch = try FileWatch(
      for: [.created, .written, .movedAway, .movedHere, .removed], on: queue
    ) { [weak self] events in
      self?.note(events)
    }
    self.watch.withLock { $0 = watch }
    try cover(roots, flat: flat)
  }

  /// Watches other folders than before; those that stay are watched without a gap.
  ///
  /// - Parameters:
  ///   - roots: Folders with all folders in them, absolute.
  ///   - flat: Folders without those in them.
  /// - Throws: What the kernel says, as when the watch is made.
  func cover(_ roots: [FilePath], flat: [FilePath]) throws(FileSystemError) {
    guard let watch = watch.withLock(\.self) else { return }
    let known = watch.folders
    let left = known.subtracting(flat).filter { folder in
      !roots.contains { folder == $0 || folder.isInside($0) }
    }
    for folder in left { watch.remove(folder) }
    for root in roots where !known.contains(root) { try add(root, to: watch) }
    for folder in flat where !known.contains(folder) { try watch.add(folder) }
  }

  /// Ends the watch; what is due already is still scanned.
  func stop() { watch.withLock(\.self)?.stop() }

  /// Watches a folder and those in it. A folder that is gone already is nothing to watch.
  private func add(_ folder: FilePath, to watch: FileWatch) throws(FileSystemError) {
    guard try watch.add(folder) else { return }
    var inner: [FilePath] = []
    try? FileSystem.real.forEachEntry(in: folder) { entry in
      if entry.isFolder, entry.name.bytes.first != UInt8(ascii: ".") {
        inner.append(folder.appending(entry.name))
      }
    }
    for folder in inner { try add(folder, to: watch) }
  }

  private func note(_ events: [FileWatch.Event]) {
    var new = Due()
    for event in events { note(event, &new) }
    if new != Due() { announce(new) }
  }

  private func note(_ event: FileWatch.Event, _ due: inout Due) {
    if event.isOverflow {
      due.all = true
      return
    }
    guard event.name.bytes.first != UInt8(ascii: "."), !event.name.isEmpty,
      let watch = watch.withLock(\.self)
    else { return }
    guard event.isFolder else {
      // A new file is scanned once its writer closes it.
      if !event.changes.contains(.created) { due.flat.insert(event.folder) }
      return
    }
    let inner = event.folder.appending(event.name)
    for folder in watch.folders where folder == inner || folder.isInside(inner) {
      watch.remove(folder)
    }
    if !event.changes.isDisjoint(with: [.created, .movedHere]) {
      // A folder that cannot be watched may change unseen: only a scan of everything tells.
      do { try add(inner, to: watch) } catch { due.all = true }
    }
    due.deep.insert(inner)
  }

  private func announce(_ new: Due) {
    let isFirst = due.withLock { due -> Bool in
      let isFirst = due == nil
      var sum = due ?? Due()
      sum.all = sum.all || new.all
      sum.flat.formUnion(new.flat)
      sum.deep.formUnion(new.deep)
      due = sum
      return isFirst
    }
    guard isFirst else { return }
    queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in
      guard let self else { return }
      // What came meanwhile belongs to it.
      if let watch = watch.withLock(\.self) { note(watch.waitingEvents()) }
      if let due = due.withLock({ $0.take() }) { scan(due) }
    }
  }
}
