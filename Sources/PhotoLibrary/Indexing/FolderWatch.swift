import Dispatch
import SafelightCatalog
import SafelightFiles
import Synchronization

extension PhotoLibrary {
  /// Scans all folders of the library, and then each folder that changes, until ``stopWatching()`` or the end
  /// of the library. Folders that any process adds later are watched too.
  ///
  /// - Throws: ``PhotoLibraryError``; ``PhotoLibraryError/catalog(_:detail:)`` when the kernel does not allow
  ///   a watch for each folder. Nothing is watched then; call ``scan(progress:)`` now and then instead.
  public func startWatching() async throws(PhotoLibraryError) {
    try access.checkWhole()
    let (roots, flat) = try await watchedFolders()
    let watch: FolderWatch
    do {
      watch = try FolderWatch(roots, flat: flat) { [weak self] due in
        Task { [weak self] in await self?.handle(due) }
      }
    } catch {
      throw .catalog(path, detail: "its folders cannot be watched: \(error.description)")
    }
    self.watch.withLock { $0 = watch }
    notices.followFolders { [weak self] in
      Task { [weak self] in await self?.followFolders() }
    }
    // Finds the changes from before the watch.
    _ = try await scan(through: nil)
  }

  /// The folders that are watched with the folders in them, and the folders of photos that were added by
  /// themselves.
  private func watchedFolders() async throws(PhotoLibraryError) -> (
    [FilePath: FolderRules], [FilePath]
  ) {
    let folders = try await catalog.folders()
    var roots: [FilePath: FolderRules] = [:]
    for folder in folders where folder.isRoot { roots[folder.path] = folder.excluded }
    let paths = Array(roots.keys)
    return (roots, folders.map(\.path).filter { !$0.isAmong(paths) })
  }

  private func followFolders() async {
    guard let watch = watch.withLock(\.self), let (roots, flat) = try? await watchedFolders()
    else { return }
    // When a folder cannot be watched, a later scan finds its changes.
    try? watch.cover(roots, flat: flat)
  }

  /// Ends the watch. A running scan is finished.
  public func stopWatching() {
    notices.followFolders(nil)
    watch.withLock { watch in
      watch?.stop()
      watch = nil
    }
  }

  private func handle(_ due: FolderWatch.Due) async {
    // The user may have withdrawn access since the watch began.
    guard access.visibility == .all else { return stopWatching() }
    // When a scan fails now, for example because the catalog is busy, the next scan finds the changes.
    if due.all {
      _ = try? await scan(through: nil)
    } else {
      let flat = due.flat.subtracting(due.deep)
      _ = try? await scan(through: due.flat.union(due.deep).sorted(by: <), flat: flat)
    }
  }
}

/// Watches folders through the kernel, and has folders that changed scanned soon after.
///
/// All changes within a tenth of a second are scanned together, so that a scan finds a moved photo at its new
/// place before it misses the photo at the old place. When the kernel drops events, everything is scanned.
final class FolderWatch: Sendable {
  /// The folders to scan.
  struct Due: Sendable, Hashable {
    /// Whether to scan all folders of the library.
    var all = false
    /// Folders whose own files changed.
    var flat: Set<FilePath> = []
    /// Folders that came or went; they are scanned with the folders in them.
    var deep: Set<FilePath> = []
  }

  private let queue = DispatchQueue(label: "org.safelight.watch", qos: .utility)
  private let due = Mutex<Due?>(nil)
  private let watch = Mutex<FileWatch?>(nil)
  private let roots = Mutex<[FilePath: FolderRules]>([:])
  private let scan: @Sendable (Due) -> Void

  /// Watches folders and all folders in them.
  ///
  /// - Parameters:
  ///   - roots: The folders, absolute, with what is left out of them.
  ///   - flat: Further folders, without the folders in them.
  ///   - scan: Called with the folders to scan, on the watch's own thread, one call after the other.
  /// - Throws: ``FileSystemError``; with `ENOSPC` when the kernel allows no more watches
  ///   (`fs.inotify.max_user_watches`).
  init(
    _ roots: [FilePath: FolderRules], flat: [FilePath] = [], scan: @escaping @Sendable (Due) -> Void
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

  /// Watches other folders than before. Folders that were watched before are watched without a gap.
  ///
  /// - Parameters:
  ///   - roots: Folders, absolute, with all folders in them but those that are left out.
  ///   - flat: Folders without the folders in them.
  /// - Throws: ``FileSystemError``, as when the watch is made.
  func cover(_ roots: [FilePath: FolderRules], flat: [FilePath]) throws(FileSystemError) {
    guard let watch = watch.withLock(\.self) else { return }
    let before = self.roots.withLock { known in
      defer { known = roots }
      return known
    }
    let known = watch.folders
    for folder in known.subtracting(flat) where isLeftOut(folder) { watch.remove(folder) }
    for (root, rules) in roots where !known.contains(root) || before[root] != rules {
      try add(root, to: watch)
    }
    for folder in flat where !known.contains(folder) && folder.isFolder { try watch.add(folder) }
  }

  /// Ends the watch. Changes before the end are still scanned.
  func stop() { watch.withLock(\.self)?.stop() }

  /// A folder with its rules; `nil` when it is left out, or in no folder that is watched with the folders in it.
  private func walked(_ folder: FilePath) throws(FileSystemError) -> WalkedFolder? {
    let roots = roots.withLock(\.self)
    let root = roots.keys.filter { folder.isAmong([$0]) }.max { $0.bytes.count < $1.bytes.count }
    guard let root else { return nil }
    return try WalkedFolder(root, roots[root] ?? .standard).folder(at: folder)
  }

  private func isLeftOut(_ folder: FilePath) -> Bool {
    do { return try walked(folder) == nil } catch { return false }
  }

  /// Watches a folder and the folders in it. A folder that is gone or left out is ignored, and
  /// so is a symbolic link in its place, as a scan ignores it.
  private func add(_ folder: FilePath, to watch: FileWatch) throws(FileSystemError) {
    guard folder.isFolder, !isLeftOut(folder), try watch.add(folder) else { return }
    // While its rules cannot be read the folder alone is watched, for the day on which they can.
    if let walked = try? walked(folder) { try addFolders(in: walked, to: watch) }
  }

  private func addFolders(
    in folder: WalkedFolder, to watch: FileWatch
  ) throws(FileSystemError) {
    var names: [FilePath] = []
    try? FileSystem.real.forEachEntry(in: folder.path) { entry in
      if entry.isFolder { names.append(entry.name) }
    }
    for name in names {
      let inner: WalkedFolder?
      do { inner = try folder.folder(name) } catch {
        try watch.add(folder.path.appending(name))
        continue
      }
      guard let inner, try watch.add(inner.path) else { continue }
      try addFolders(in: inner, to: watch)
    }
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
    guard let watch = watch.withLock(\.self), !event.name.isEmpty else { return }
    if event.name == FilePath(FolderRules.fileName) {
      // Folders that were left out may have to be watched now.
      do { try add(event.folder, to: watch) } catch { due.all = true }
      due.deep.insert(event.folder)
      return
    }
    if event.name.isHidden { return }
    guard event.isFolder else {
      // A new file is scanned when its writer closes it.
      if !event.changes.contains(.created) { due.flat.insert(event.folder) }
      return
    }
    let inner = event.folder.appending(event.name)
    for folder in watch.folders where folder.isAmong([inner]) { watch.remove(folder) }
    if !event.changes.isDisjoint(with: [.created, .movedHere]) {
      // Only a scan of everything finds changes in a folder that cannot be watched.
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
      // Events that came during the tenth of a second are scanned together with the first.
      if let watch = watch.withLock(\.self) { note(watch.waitingEvents()) }
      if let due = due.withLock({ $0.take() }) { scan(due) }
    }
  }
}
