import Dispatch
import FoundationEssentials
import PhotoEditing
import SafelightCatalog
import SafelightFiles

/// Scans folders, and writes new, changed, moved and missing photos into the catalog.
///
/// The work is done on a thread of its own, because it waits for the disk all the time; files are read on
/// all cores. Scans run one after the other.
actor Indexer {
  /// The largest number of photos in one change set.
  static let batchSize = 500
  /// The largest number of unsettled photos that a scan keeps.
  private static let mostUnsettled = 5000

  private let queue = IndexingQueue()
  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  private let catalog: Catalog
  /// The library's own folder, which is not scanned.
  private let library: FilePath
  private let fileSystem: FileSystem
  private let reader: PhotoReader
  /// Held by the running scan.
  private let lock = AsyncLock()

  init(_ catalog: Catalog, library: FilePath, _ fileSystem: FileSystem) {
    self.catalog = catalog
    self.fileSystem = fileSystem
    reader = PhotoReader(fileSystem)
    self.library = library.resolved ?? library
  }

  /// Scans folders.
  ///
  /// - Parameters:
  ///   - starts: The folders, absolute; `nil` for all folders of the library.
  ///   - flat: The folders among them that are scanned without the folders in them.
  ///   - singles: The names of photos that are added by themselves, by their folders.
  ///   - restoring: In a rebuild, what the export tells of assets.
  ///   - progress: Called with the result so far after each batch of photos.
  ///   - changed: Called with the token of each change set.
  /// - Throws: ``PhotoLibraryError/userCancelled`` when the task was cancelled. Missing photos are not removed then.
  func scan(
    through starts: [FilePath]?, flat: Set<FilePath> = [],
    singles: [FilePath: Set<FilePath>] = [:], restoring: RestoredAssets? = nil,
    progress: IndexingProgress? = nil, changed: @escaping @Sendable (Int64) -> Void
  ) async throws(PhotoLibraryError) -> IndexingResult {
    await lock.take()
    defer { lock.release() }
    var scan = Scan(restoring: restoring, singles: singles, changed: changed, progress: progress)
    for folder in try await catalog.folders() {
      scan.known[folder.path] = folder
      scan.children[folder.path.removingLastComponent(), default: []].append(folder.path)
      if folder.isRoot {
        scan.roots.append(folder.path)
        scan.rules[folder.path] = folder.excluded
      }
    }
    let begin = Array((starts ?? scan.everything).reversed()) + singles.keys.sorted(by: <)
    // The folders to visit, with the folders in which they were found.
    var pending = begin.map { (folder: $0, parent: WalkedFolder?.none) }
    while let (folder, parent) = pending.popLast() {
      try Self.checkCancellation()
      guard folder != library, scan.visited.insert(folder).inserted else { continue }
      let (inner, walked) = try await visit(folder, in: parent, &scan)
      if !flat.contains(folder) {
        pending += inner.reversed().filter { $0 != library }.map { ($0, walked) }
      }
      if scan.jobs.count >= Self.batchSize { try await readFiles(&scan) }
    }
    try await readFiles(&scan)
    try await settle(&scan)
    let deep = (starts ?? scan.roots).filter { !flat.contains($0) }
    try await findMissingFolders(below: deep, &scan)
    try await removeMissing(&scan)
    try await catalog.note(listed: scan.listed)
    return scan.result
  }

  /// Ends a scan whose task was cancelled. The catalog keeps what the scan has written.
  private static func checkCancellation() throws(PhotoLibraryError) {
    if Task.isCancelled { throw .userCancelled }
  }
}

/// The state of one scan.
private struct Scan {
  /// The folders that were added by name.
  var roots: [FilePath] = []
  var known: [FilePath: KnownFolder] = [:]
  /// The known folders in each folder.
  var children: [FilePath: [FilePath]] = [:]
  /// The files to read.
  var jobs: [IndexingJob] = []
  /// The photos read, whose assets only the end of the scan shows.
  var unsettled: [IndexedPhoto] = []
  /// The photos to remove.
  var missing: [(row: Int64, path: FilePath)] = []
  /// The folders that were listed, and how.
  var listed: [FilePath: FolderListing] = [:]
  /// What is left out of the folders that were added by name.
  var rules: [FilePath: FolderRules] = [:]
  /// Folders that the rules leave out, without those below them.
  var leftOut: Set<FilePath> = []
  var visited: Set<FilePath> = []
  var result = IndexingResult()
  var restoring: RestoredAssets?
  /// The names of photos that were added by themselves, by their folders.
  var singles: [FilePath: Set<FilePath>] = [:]
  let changed: @Sendable (Int64) -> Void
  let progress: IndexingProgress?

  /// The folders that were added, and the folders of photos that were added by themselves.
  var everything: [FilePath] {
    (roots + known.keys.filter { !isWhole($0) }).sorted(by: <)
  }

  /// Whether a folder was added by name, or is inside such a folder.
  func isWhole(_ folder: FilePath) -> Bool { folder.isAmong(roots) }

  /// A folder with the rules that hold in it: those of the nearest folder that was added.
  ///
  /// - Parameter parent: The folder in which it was found, when it was found in one.
  /// - Returns: `nil` when it is left out.
  func walked(
    _ folder: FilePath, in parent: WalkedFolder?, _ fileSystem: FileSystem
  ) throws(FileSystemError) -> WalkedFolder? {
    if let rules = rules[folder] { return try WalkedFolder(folder, rules, fileSystem) }
    if let parent, let name = folder.lastComponent { return try parent.folder(name) }
    let root = roots.filter { folder.isInside($0) }.max { $0.bytes.count < $1.bytes.count }
    guard let root else { return try WalkedFolder(folder, .standard, fileSystem) }
    return try WalkedFolder(root, rules[root] ?? .standard, fileSystem).folder(at: folder)
  }

  /// Whether the scan found that a folder, or a folder above it, is left out.
  func isLeftOut(_ folder: FilePath) -> Bool {
    var folder = folder
    while !roots.contains(folder) {
      if leftOut.contains(folder) { return true }
      guard folder.lastComponent != nil else { return false }
      folder = folder.removingLastComponent()
    }
    return false
  }

  mutating func count(_ batch: IndexedBatch) {
    result.added += batch.added
    result.updated += batch.updated
    result.moved += batch.moved
    result.removed += batch.removed
    result.exports += batch.exports
    unsettled += batch.unsettled
    if let token = batch.token { changed(token) }
    progress?(result)
  }
}

extension FilePath {
  /// Whether the path is one of some folders, or inside one of them.
  func isAmong(_ folders: [FilePath]) -> Bool {
    folders.contains { self == $0 || isInside($0) }
  }
}

extension Indexer {
  /// Compares one folder with the catalog.
  ///
  /// - Parameter parent: The folder in which it was found, when it was found in one.
  /// - Returns: The folders in it, and itself with its rules.
  private func visit(
    _ folder: FilePath, in parent: WalkedFolder?, _ scan: inout Scan
  ) async throws(PhotoLibraryError) -> ([FilePath], WalkedFolder?) {
    let known = scan.known[folder]
    var files: [KnownFile] = []
    if let known { files = try await catalog.files(in: known.row) }
    var names: Set<FilePath>?
    if !scan.isWhole(folder) {
      names = scan.singles[folder, default: []].union(files.map(\.name))
    }
    let found: FolderScan
    var walked: WalkedFolder?
    do {
      // Of photos that were added by themselves nothing is left out.
      if names == nil {
        walked = try scan.walked(folder, in: parent, fileSystem)
        guard walked != nil else {
          scan.leftOut.insert(folder)
          return ([], nil)
        }
      }
    } catch {
      // What would be left out cannot be known.
      if !isGone(folder) {
        scan.result.unavailable.append(folder)
        return ([], nil)
      }
    }
    let rules = walked?.digest.bytes
    do {
      // As for a link among files: what is behind a link in the place of a folder is not the library's.
      if leadsOverLink(folder, scan.roots) { throw StorageError.originalMissing(folder) }
      // A photo that is named may be one that the scan before passed over.
      let isCurrent = known?.rules == rules && scan.singles[folder] == nil
      found = try FolderScan(
        folder, known: files, listed: isCurrent ? known?.listed : nil, by: walked, only: names,
        through: fileSystem)
    } catch {
      // A folder that is gone leaves its photos missing. A folder that exists cannot be read now.
      let isLost = isGone(folder) || leadsOverLink(folder, scan.roots)
      if scan.roots.contains(folder) || names != nil || !isLost {
        scan.result.unavailable.append(folder)
      } else {
        scan.missing += files.filter { !$0.isTrashed }.map { ($0.row, folder.appending($0.name)) }
      }
      return ([], nil)
    }
    // An empty folder that was added by name and had photos is a disk that is not mounted.
    let hadPhotos = !files.isEmpty || scan.children[folder]?.isEmpty == false
    if found.count == 0, scan.roots.contains(folder) || names != nil, hadPhotos {
      scan.result.unavailable.append(folder)
      return ([], nil)
    }
    // The library's own photos were all given to it.
    let isGiven = names != nil || folder.isInside(library.appending("originals"))
    scan.jobs += found.jobs.map { job in
      var job = job
      job.isNamed = isGiven || scan.singles[folder]?.contains(job.name) == true
      return job
    }
    scan.missing += found.missing.map { ($0.row, folder.appending($0.name)) }
    scan.result.leftOut += found.leftOut
    guard names == nil else { return ([], nil) }
    if known == nil || found.listed != known?.listed || rules != known?.rules {
      scan.listed[folder] = FolderListing(listed: found.listed, rules: rules)
    }
    return (found.folders ?? scan.children[folder] ?? [], walked)
  }

  /// Whether nothing has a path. `false` when the disk cannot say it.
  private func isGone(_ path: FilePath) -> Bool {
    (try? fileSystem.exists(path)) == false
  }

  /// Whether a symbolic link stands for a folder, or for one between it and the folder that was added.
  private func leadsOverLink(_ folder: FilePath, _ roots: [FilePath]) -> Bool {
    var path = folder
    while true {
      if (try? fileSystem.kind(of: path)) == .symbolicLink { return true }
      if roots.contains(path) || !path.isAmong(roots) { return false }
      path = path.removingLastComponent()
    }
  }

  /// Whether no folder has a path. `false` when the disk cannot say it.
  private func isNoFolder(_ path: FilePath) -> Bool {
    do { return try fileSystem.kind(of: path) != .folder } catch { return false }
  }

  /// Finds the photos of folders that are gone, and of those that the rules leave out.
  private func findMissingFolders(
    below starts: [FilePath], _ scan: inout Scan
  ) async throws(PhotoLibraryError) {
    let unavailable = scan.result.unavailable
    let gone = scan.known.values.filter { folder in
      if scan.isLeftOut(folder.path) { return true }
      return !scan.visited.contains(folder.path) && !folder.isRoot
        && starts.contains { folder.path.isInside($0) } && !folder.path.isAmong(unavailable)
        && (isNoFolder(folder.path) || leadsOverLink(folder.path, scan.roots))
    }
    for folder in gone {
      let isLeftOut = scan.isLeftOut(folder.path)
      // When the rule goes, its photos are new.
      if isLeftOut { scan.listed[folder.path] = FolderListing(listed: nil, rules: nil) }
      for file in try await catalog.files(in: folder.row) where !file.isTrashed {
        scan.missing.append((file.row, folder.path.appending(file.name)))
        if isLeftOut { scan.result.leftOut += 1 }
      }
    }
  }

  private func removeMissing(_ scan: inout Scan) async throws(PhotoLibraryError) {
    var missing = scan.missing[...]
    while !missing.isEmpty {
      scan.count(try await catalog.remove(Array(missing.prefix(Self.batchSize))))
      missing = missing.dropFirst(Self.batchSize)
    }
  }

  /// Reads the files of a scan, and writes their photos into the catalog.
  private func readFiles(_ scan: inout Scan) async throws(PhotoLibraryError) {
    var jobs = scan.jobs[...]
    scan.jobs = []
    while !jobs.isEmpty {
      try Self.checkCancellation()
      let batch = Array(jobs.prefix(Self.batchSize))
      jobs = jobs.dropFirst(batch.count)
      var photos: [IndexedPhoto] = []
      for outcome in read(batch) {
        switch outcome {
        case .photo(let photo): photos.append(photo)
        case .somethingElse(let job):
          if let row = try await catalog.row(of: job.path) {
            scan.missing.append((row, job.path))
          }
        case .unreadable(let job, _):
          // A file that the library does not know and that has no photo's name may be anything.
          var isPhoto = PhotoFormat.isNamed(by: job.name)
          if !isPhoto { isPhoto = try await catalog.row(of: job.path) != nil }
          if isPhoto { scan.result.unreadable.append(job.path) }
        }
      }
      scan.count(
        try await catalog.write(photos, roots: scan.roots, restoring: scan.restoring))
      if scan.unsettled.count >= Self.mostUnsettled { try await settle(&scan) }
    }
  }

  /// Writes the photos whose assets were not clear while files were still to be read.
  private func settle(_ scan: inout Scan) async throws(PhotoLibraryError) {
    let photos = scan.unsettled
    scan.unsettled = []
    guard !photos.isEmpty else { return }
    scan.count(
      try await catalog.write(
        photos, roots: scan.roots, restoring: scan.restoring, settling: true))
  }

  /// Reads files, on all cores.
  private func read(_ jobs: [IndexingJob]) -> [IndexingOutcome] {
    let reader = reader
    return [IndexingOutcome](unsafeUninitializedCapacity: jobs.count) { buffer, count in
      nonisolated(unsafe) let places = buffer.baseAddress!
      // Each thread fills places of its own.
      DispatchQueue.concurrentPerform(iterations: jobs.count) { index in
        (places + index).initialize(to: reader.read(jobs[index]))
      }
      count = jobs.count
    }
  }
}

extension Indexer {
  /// Removes the photos of folders that were added, and single photos, from the catalog.
  func forget(
    roots: [FilePath], photos: [FilePath], changed: @escaping @Sendable (Int64) -> Void
  ) async throws(PhotoLibraryError) -> IndexingResult {
    await lock.take()
    defer { lock.release() }
    var scan = Scan(changed: changed, progress: nil)
    let folders = try await catalog.folders()
    scan.roots = folders.filter { $0.isRoot && !roots.contains($0.path) }.map(\.path)
    // A folder inside another folder that was added stays.
    let gone = folders.filter { $0.path.isAmong(roots) && !scan.isWhole($0.path) }
    for folder in folders {
      let isGone = gone.contains(folder)
      for file in try await catalog.files(in: folder.row) {
        let path = folder.path.appending(file.name)
        if isGone || photos.contains(path) { scan.missing.append((file.row, path)) }
      }
    }
    // The folders stay added until their photos are removed: after an interruption a scan adds the photos
    // again.
    try await removeMissing(&scan)
    try await catalog.forgetRoots(roots)
    let emptied = Set(photos.map { $0.removingLastComponent() })
    try await catalog.note(
      listed: [:], gone: gone.map(\.path) + emptied.filter { !scan.isWhole($0) })
    return scan.result
  }

  /// Inspects photos of the catalog.
  ///
  /// - Parameter thoroughly: Whether to read files that have not changed, too.
  func inspect(
    at paths: [FilePath], thoroughly: Bool, changed: @escaping @Sendable (Int64) -> Void
  ) async throws(PhotoLibraryError) -> IndexingResult {
    await lock.take()
    defer { lock.release() }
    let folders = try await catalog.folders()
    let rows = Dictionary(
      folders.map { ($0.path, $0.row) }, uniquingKeysWith: { first, _ in first })
    var jobs: [IndexingJob] = []
    for (folder, files) in Dictionary(grouping: Set(paths), by: { $0.removingLastComponent() }) {
      guard let row = rows[folder] else { continue }
      let names = Set(files.compactMap(\.lastComponent))
      let known = try await catalog.files(in: row)
      jobs += self.jobs(
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
    let batch = try await catalog.write(
      photos, roots: folders.filter(\.isRoot).map(\.path), settling: true)
    result.updated = batch.updated + batch.moved
    if let token = batch.token { changed(token) }
    return result
  }

  /// The files of a folder to read: those that differ from the catalog, or whose sidecars do.
  private func jobs(
    in folder: FilePath, for files: [KnownFile], thoroughly: Bool
  ) -> [IndexingJob] {
    guard !files.isEmpty, let all = try? fileSystem.namesIfPresent(in: folder) else {
      return []
    }
    let names = FolderNames(all)
    return files.compactMap { file in
      guard let status = folder.appending(file.name).status, status.kind == .file else {
        return nil
      }
      let job = IndexingJob(file.name, in: folder, among: names)
      let isCurrent = file.isCurrent(status, job.times)
      return isCurrent && !job.isPending && !thoroughly ? nil : job
    }
  }
}

/// The thread that scans folders.
private final class IndexingQueue: SerialExecutor {
  private let queue = DispatchQueue(label: "org.safelight.indexer", qos: .utility)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
