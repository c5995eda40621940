import FoundationEssentials
import PhotoEditing
import SafelightStorage

/// Looks through folders and tells the catalog what is new, changed, moved or gone.
///
/// Works on threads of its own, since it waits for the disk all the time; headers are read on all
/// cores. One look at a time: others wait for their turn.
actor Indexer {
  /// How many photos a change set takes in at most.
  static let batchSize = 500

  private let queue = IndexingQueue()
  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  let catalog: Catalog
  /// The library's own folder, where nothing is looked for.
  let library: FilePath
  let reader = PhotoReader()
  private var isBusy = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ catalog: Catalog, library: FilePath) {
    self.catalog = catalog
    self.library = library.resolved ?? library
  }

  /// Looks through folders.
  ///
  /// - Parameters:
  ///   - starts: The folders, absolute; `nil` for all roots.
  ///   - flat: Those of them whose inner folders are not looked into.
  ///   - singles: The names of photos in other folders that are looked at by themselves.
  ///   - restoring: Identifiers by path, in a rebuild.
  ///   - progress: Told how far it is, after each lot of photos.
  ///   - changed: Called with the token of each change set.
  func look(
    through starts: [FilePath]?, flat: Set<FilePath> = [],
    singles: [FilePath: Set<FilePath>] = [:], restoring: [FilePath: String]? = nil,
    progress: IndexingProgress? = nil, changed: @escaping @Sendable (Int64) -> Void
  ) async throws(PhotoLibraryError) -> IndexingResult {
    await takeTurn()
    defer { endTurn() }
    var look = Look(restoring: restoring, singles: singles, changed: changed, progress: progress)
    for folder in try await catalog.folders() {
      look.known[folder.path] = folder
      look.children[folder.path.removingLastComponent(), default: []].append(folder.path)
      if folder.isRoot { look.roots.append(folder.path) }
    }
    var pending = Array((starts ?? look.everything).reversed()) + singles.keys.sorted(by: <)
    while let folder = pending.popLast() {
      guard folder != library, look.visited.insert(folder).inserted else { continue }
      let inner = try await visit(folder, &look)
      if !flat.contains(folder) { pending += inner.reversed().filter(isLookedInto) }
      if look.jobs.count >= Self.batchSize { try await takeIn(&look) }
    }
    try await takeIn(&look)
    let deep = (starts ?? look.roots).filter { !flat.contains($0) }
    try await findVanished(below: deep, &look)
    try await removeMissing(&look)
    try await catalog.note(listed: look.listed)
    return look.result
  }

  func takeTurn() async {
    if isBusy { await withCheckedContinuation { waiting.append($0) } }
    isBusy = true
  }

  func endTurn() {
    if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
  }
}
