import SafelightStorage

/// Finds what unfinished work left in a folder under hidden names.
///
/// The names tell whose they are only by a hash, so the photos are found by hashing the names of
/// all; none is opened for that. Photos with a sidecar have been checked before.
struct HiddenFileCheck {
  private let folder: FilePath
  private let parent: FolderCheck
  /// So many photos' hidden files are looked up at once.
  private static let limit = 1024

  init(of folder: FilePath, for parent: FolderCheck) {
    self.folder = folder
    self.parent = parent
  }

  func run() throws {
    var waiting: [FilePath: [HiddenFile]] = [:]
    try parent.fileSystem.forEachNameInOrder(
      in: folder, where: \.isUnfinished
    ) { name in
      guard let file = HiddenFile(name) else { return }
      if case .export(let process) = file.kind {
        return try checkExport(folder.appending(name), process)
      }
      waiting[file.key, default: []].append(file)
      if waiting.count == Self.limit {
        try check(waiting)
        waiting = [:]
      }
    }
    if !waiting.isEmpty { try check(waiting) }
  }

  private func checkExport(_ path: FilePath, _ process: Int32) throws {
    let isAbandoned = try parent.fileSystem.isAbandonedExport(
      path, by: process, removing: parent.checker.fixing)
    guard isAbandoned else { return }
    let problem = PhotoProblem(.leftover(canBeRemoved: true), path)
    parent.report(
      parent.checker.fixing
        ? PhotoCheck(path, isEdited: false, [], fixed: [problem])
        : PhotoCheck(path, isEdited: false, [problem]))
  }

  private func check(_ files: [FilePath: [HiddenFile]]) throws {
    let owners = try owners(of: Set(files.keys))
    for (key, files) in files.sorted(by: { $0.key < $1.key }) {
      try parent.checkCancellation()
      if let photo = try owners[key] ?? photoOfPending(files) {
        // Those with a sidecar were checked with it.
        if try parent.fileSystem.exists(photo.recordPath) { continue }
        let check = parent.checker.checkInFolder(photo)
        // By now somebody may have finished the work.
        if !check.isSound || !check.fixed.isEmpty { parent.report(check) }
      } else {
        for file in files { report(ownerless: file) }
      }
    }
  }

  private func report(ownerless file: HiddenFile) {
    let path = folder.appending(file.name)
    let kind: PhotoProblem.Kind =
      file.kind == .pending ? .interrupted(canBeFinished: false) : .leftover(canBeRemoved: false)
    parent.report(PhotoCheck(path, isEdited: false, [PhotoProblem(kind, path)]))
  }

  private func owners(of keys: Set<FilePath>) throws -> [FilePath: FilePath] {
    var owners: [FilePath: FilePath] = [:]
    try parent.fileSystem.forEachEntry(in: folder) { entry in
      guard !entry.isFolder else { return }
      // A sidecar tells of its photo even when that is gone.
      for name in [entry.name, entry.name.originalOfRecord].compactMap(\.self) {
        guard let key = HiddenFile.key(of: name), keys.contains(key) else { continue }
        owners[key] = folder.appending(name)
      }
    }
    return owners
  }

  /// The photo that is gone and whose first edit was interrupted, as the pending record names it.
  private func photoOfPending(_ files: [HiddenFile]) throws -> FilePath? {
    guard let pending = files.first(where: { $0.kind == .pending }) else { return nil }
    return try? LostRecord.photo(
      ofPendingRecordAt: folder.appending(pending.name), parent.fileSystem)
  }
}
