import Dispatch
import FoundationEssentials
import PhotoEditing
import SafelightCatalog
import SafelightFiles
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
  func scan(
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

extension Indexer {
  /// What one look works with.
  struct Look {
    var roots: [FilePath] = []
    var known: [FilePath: KnownFolder] = [:]
    var children: [FilePath: [FilePath]] = [:]
    var jobs: [IndexingJob] = []
    var missing: [(row: Int64, path: FilePath)] = []
    var listed: [FilePath: Int64?] = [:]
    var visited: Set<FilePath> = []
    var result = IndexingResult()
    var restoring: [FilePath: String]?
    /// Photos that are looked at by themselves, by their folders.
    var singles: [FilePath: Set<FilePath>] = [:]
    let changed: @Sendable (Int64) -> Void
    let progress: IndexingProgress?
  }
}

extension Indexer.Look {
  /// The folders that were added, and those with single photos in them.
  var everything: [FilePath] {
    (roots + known.keys.filter { !isWhole($0) }).sorted(by: <)
  }

  /// Whether everything in a folder belongs to the library.
  func isWhole(_ folder: FilePath) -> Bool {
    roots.contains { folder == $0 || folder.isInside($0) }
  }

  mutating func count(_ batch: IndexedBatch) {
    result.added += batch.added
    result.updated += batch.updated
    result.moved += batch.moved
    result.removed += batch.removed
    if let token = batch.token { changed(token) }
    progress?(result)
  }
}

extension Indexer {
  func isLookedInto(_ folder: FilePath) -> Bool {
    folder != library && folder.lastComponent?.bytes.first != UInt8(ascii: ".")
  }

  /// Compares one folder with the catalog; the folders in it are returned.
  func visit(
    _ folder: FilePath, _ look: inout Look
  ) async throws(PhotoLibraryError) -> [FilePath] {
    let known = look.known[folder]
    var files: [KnownFile] = []
    if let known { files = try await catalog.files(in: known.row) }
    var names: Set<FilePath>?
    if !look.isWhole(folder) {
      names = look.singles[folder, default: []].union(files.map(\.name))
    }
    let scan: FolderScan
    do {
      scan = try FolderScan(folder, known: files, listed: known?.listed, only: names)
    } catch {
      // A folder that is gone is told from one that cannot be read by its parent's names.
      if look.roots.contains(folder) || names != nil || FileTrace(folder) != nil {
        look.result.unavailable.append(folder)
      } else {
        look.missing += files.filter { !$0.isTrashed }.map { ($0.row, folder.appending($0.name)) }
      }
      return []
    }
    // An empty root that had photos is a disk that is not mounted.
    if scan.count == 0, look.roots.contains(folder) || names != nil,
      hadPhotos(below: folder, files, look)
    {
      look.result.unavailable.append(folder)
      return []
    }
    look.jobs += scan.jobs
    look.missing += scan.missing.map { ($0.row, folder.appending($0.name)) }
    guard names == nil else { return [] }
    if known == nil || scan.listed != known?.listed { look.listed[folder] = .some(scan.listed) }
    return scan.folders ?? look.children[folder] ?? []
  }

  private func hadPhotos(below root: FilePath, _ files: [KnownFile], _ look: Look) -> Bool {
    !files.isEmpty || look.children[root]?.isEmpty == false
  }

  /// The photos of folders that are not there any more.
  func findVanished(
    below starts: [FilePath], _ look: inout Look
  ) async throws(PhotoLibraryError) {
    let unavailable = look.result.unavailable
    let gone = look.known.values.filter { folder in
      !look.visited.contains(folder.path) && !folder.isRoot
        && starts.contains { folder.path.isInside($0) }
        && !unavailable.contains { folder.path == $0 || folder.path.isInside($0) }
        && !folder.path.isFolder
    }
    for folder in gone {
      for file in try await catalog.files(in: folder.row) where !file.isTrashed {
        look.missing.append((file.row, folder.path.appending(file.name)))
      }
    }
  }
}

extension Indexer {
  /// Reads the files that are due, on all cores, and takes in what they are.
  func takeIn(_ look: inout Look) async throws(PhotoLibraryError) {
    var jobs = look.jobs[...]
    look.jobs = []
    while !jobs.isEmpty {
      let batch = Array(jobs.prefix(Self.batchSize))
      jobs = jobs.dropFirst(batch.count)
      var photos: [IndexedPhoto] = []
      for outcome in read(batch) {
        switch outcome {
        case .photo(let photo): photos.append(photo)
        case .somethingElse(let job):
          if let row = try await catalog.row(of: job.path) {
            look.missing.append((row, job.path))
          }
        case .unreadable(let job, _): look.result.unreadable.append(job.path)
        }
      }
      let taken = try await catalog.take(
        photos, roots: look.roots, restoring: look.restoring)
      look.count(taken)
    }
  }

  /// Reads files, on all cores.
  func read(_ jobs: [IndexingJob]) -> [IndexingOutcome] {
    let reader = reader
    return [IndexingOutcome](unsafeUninitializedCapacity: jobs.count) { buffer, count in
      nonisolated(unsafe) let places = buffer.baseAddress!
      // Each of the threads fills places of its own.
      DispatchQueue.concurrentPerform(iterations: jobs.count) { index in
        (places + index).initialize(to: reader.read(jobs[index]))
      }
      count = jobs.count
    }
  }
}

extension Indexer {
  /// Lets the photos of folders that were added, and single photos, leave the catalog.
  func forget(
    roots: [FilePath], photos: [FilePath], changed: @escaping @Sendable (Int64) -> Void
  ) async throws(PhotoLibraryError) -> IndexingResult {
    await takeTurn()
    defer { endTurn() }
    var look = Look(changed: changed, progress: nil)
    let folders = try await catalog.folders()
    look.roots = folders.filter { $0.isRoot && !roots.contains($0.path) }.map(\.path)
    // What lies in another folder that was added stays.
    let gone = folders.filter { folder in
      roots.contains { folder.path == $0 || folder.path.isInside($0) } && !look.isWhole(folder.path)
    }
    for folder in folders {
      let isGone = gone.contains(folder)
      for file in try await catalog.files(in: folder.row) {
        let path = folder.path.appending(file.name)
        if isGone || photos.contains(path) { look.missing.append((file.row, path)) }
      }
    }
    // While they are roots, a scan after an interruption puts everything back.
    try await removeMissing(&look)
    try await catalog.forgetRoots(roots)
    let emptied = Set(photos.map { $0.removingLastComponent() })
    try await catalog.note(
      listed: [:], gone: gone.map(\.path) + emptied.filter { !look.isWhole($0) })
    return look.result
  }

  func removeMissing(_ look: inout Look) async throws(PhotoLibraryError) {
    var missing = look.missing[...]
    while !missing.isEmpty {
      look.count(try await catalog.remove(Array(missing.prefix(Self.batchSize))))
      missing = missing.dropFirst(Self.batchSize)
    }
  }
}

extension Indexer {
  func inspect(
    at paths: [FilePath], thoroughly: Bool, changed: @escaping @Sendable (Int64) -> Void
  ) async throws(PhotoLibraryError) -> IndexingResult {
    await takeTurn()
    defer { endTurn() }
    let folders = try await catalog.folders()
    let rows = Dictionary(uniqueKeysWithValues: folders.map { ($0.path, $0.row) })
    var jobs: [IndexingJob] = []
    for (folder, files) in Dictionary(grouping: Set(paths), by: { $0.removingLastComponent() }) {
      guard let row = rows[folder] else { continue }
      let names = Set(files.compactMap(\.lastComponent))
      let known = try await catalog.files(in: row)
      jobs += Self.jobs(
        in: folder, for: known.filter { !$0.isTrashed && names.contains($0.name) },
        thoroughly: thoroughly)
    }
    guard !jobs.isEmpty else { return IndexingResult() }
    var result = IndexingResult()
    var photos: [IndexedPhoto] = []
    for outcome in read(jobs) {
      switch outcome {
      case .photo(let photo): photos.append(photo)
      case .unreadable(let job, _): result.unreadable.append(job.path)
      case .somethingElse: break
      }
    }
    let taken = try await catalog.take(photos, roots: folders.filter(\.isRoot).map(\.path))
    result.updated = taken.updated
    if let token = taken.token { changed(token) }
    return result
  }

  /// The files of a folder that are to be read, because they or their sidecars are not as the
  /// catalog knows them.
  private static func jobs(
    in folder: FilePath, for files: [KnownFile], thoroughly: Bool
  ) -> [IndexingJob] {
    guard !files.isEmpty, let all = try? FileSystem.real.namesIfPresent(in: folder) else {
      return []
    }
    let names = FolderNames(all)
    return files.compactMap { file in
      guard let trace = FileTrace(folder.appending(file.name)), trace.kind == .file else {
        return nil
      }
      let sidecar = names.sidecar(of: file.name)
        .flatMap { FileTrace(folder.appending($0))?.modified }
      let isPending = names.hasPendingChange(of: file.name)
      let isKnown = file.isCurrent(trace) && file.recordModified == sidecar && !isPending
      if isKnown, !thoroughly { return nil }
      return IndexingJob(
        folder: folder, name: file.name, sidecarModified: sidecar,
        isPending: isPending, hasVideo: names.hasVideo(for: file.name), neighbors: names)
    }
  }
}

/// The thread on which folders are looked through.
final class IndexingQueue: SerialExecutor {
  private let queue = DispatchQueue(label: "org.safelight.indexer", qos: .utility)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
