import SafelightFiles
import SafelightMetadata
import SafelightStorage

extension FileSystem {
  /// The length in bytes of a file, a link followed; `nil` for what is none.
  fileprivate func sizeOfPhoto(at path: FilePath) -> Int64? {
    let status = try? statusFollowingLinks(of: path)
    return status?.kind == .file ? status?.size : nil
  }

  /// Paths without links to files that are among them. Where the link is the photo, the file goes instead.
  fileprivate func eachOnce(_ paths: [FilePath]) -> [FilePath] {
    let links = paths.filter { (try? kind(of: $0)) == .symbolicLink }
    var once = paths
    for link in links {
      guard
        let content = once.first(where: {
          $0 != link && !links.contains($0) && areSameFile($0, link)
        })
      else { continue }
      let isPhoto = (try? photoPath(link)) != (try? resolve(link))
      once.removeAll { $0 == (isPhoto ? content : link) }
    }
    return once
  }
}

/// Scans folders for originals by their content: by size first, then by SHA-256.
///
/// Metadata that another program wrote change both, and not the picture. Originals that are not found
/// by content are looked for by the digest of their picture: among the files of their name, then among
/// those of nearly their size. Where the content is only in other folders, it may be a backup of the photo,
/// so files of nearly the size are looked at that have the photo's name or are in its folder.
struct OriginalSearch {
  let fileSystem: FileSystem
  /// Called before each file; throws to stop.
  let check: () throws -> Void
  private var roots: [Root] = []

  private struct Root {
    let folder: WalkedFolder
    let recursively: Bool
    /// The same folder by the rules of which folders need not be seen; `nil` when it is enough to search those that can
    /// be. Hidden folders are searched too otherwise.
    var visible: WalkedFolder?
  }

  /// By how many bytes the size of a renamed photo may have changed. Pictures must be read whole, so
  /// that a wider search would read most photos of an archive for each photo that is gone for good.
  static let mostMetadata: Int64 = 128 << 10

  init(fileSystem: FileSystem, check: @escaping () throws -> Void) {
    self.fileSystem = fileSystem
    self.check = check
  }

  mutating func add(_ folder: WalkedFolder, recursively: Bool) {
    roots.append(Root(folder: folder, recursively: recursively))
  }

  private static let everything = FolderRules(excluding: ["!*"])

  /// Adds a folder with all folders inside, also those that walks leave out: a photo may have been put there. Only
  /// the trash of Safelight's own is passed over.
  ///
  /// - Parameter rules: What need not be seen when it cannot be, such as a system's own folders.
  mutating func add(
    everythingIn folder: FilePath, unseen rules: FolderRules
  ) throws(FileSystemError) {
    roots.append(
      Root(
        folder: try WalkedFolder(folder, Self.everything, fileSystem), recursively: true,
        visible: try WalkedFolder(folder, rules, fileSystem)))
  }

  /// The files that have the content or the picture of an original, each hashed once.
  ///
  /// - Returns: Paths below the folders as they were given, by the digest of the original as it was
  ///   recorded, in the order of their names.
  func search(for orphans: [Orphan]) throws -> [Digest: [FilePath]] {
    try searchEverything(for: orphans).found
  }

  /// The same, and the folders that could not be looked through although they should.
  func searchEverything(
    for orphans: [Orphan]
  ) throws -> (found: [Digest: [FilePath]], unseen: [FilePath]) {
    var findings = Findings(orphans.filter { $0.place != .original })
    if findings.sought.allSatisfy({ $0.sought == nil }) { return ([:], []) }
    let unseen = try findContents(&findings)
    try findRenamedCopies(&findings)
    try findPicturesByName(&findings)
    try findPicturesBySize(&findings)
    return (findings.files.mapValues { fileSystem.eachOnce($0).sorted(by: <) }, unseen)
  }

  /// Finds the files that have the content of the originals.
  ///
  /// - Returns: The folders that should be seen and cannot be.
  private func findContents(_ findings: inout Findings) throws -> [FilePath] {
    let originals = findings.sought.compactMap(\.sought)
    let sizes = Set(originals.map(\.size))
    let wanted = Set(originals.map(\.sha256))
    return try forEachFile { path in
      guard let size = fileSystem.sizeOfPhoto(at: path), sizes.contains(size),
        let digest = try? fileSystem.digestOfFile(at: path), wanted.contains(digest)
      else { return }
      findings.files[digest, default: []].append(path)
    }
  }

  /// Finds the pictures of originals whose content is only in other folders than their records, as that of a backup: in
  /// files of nearly their size that have their names or are in their folders.
  private func findRenamedCopies(_ findings: inout Findings) throws {
    let copied = findings.sought.filter { orphan in
      guard orphan.picture != nil, let files = findings.files(holding: orphan) else { return false }
      return !files.contains {
        fileSystem.folder(at: $0.removingLastComponent()) == orphan.folder
      }
    }
    let names = Self.names(of: copied)
    let folders = Set(findings.sought.map(\.folder))
    let sizes = NearSizes(of: copied)
    let contents = Set(findings.files.values.joined())
    // A file that has been as it is since before the edits was not moved, renamed or rated since.
    let oldest = findings.sought.compactMap { changeTime(of: $0.photo.recordPath) }.min() ?? 0
    try findPictures(of: copied, &findings) { path in
      guard sizes.contain(fileSystem.sizeOfPhoto(at: path)), !contents.contains(path),
        path.lastComponent.map(names.contains) == true
          || fileSystem.folder(at: path.removingLastComponent()).map(folders.contains) == true
      else { return false }
      return changeTime(of: path).map { $0 >= oldest } ?? false
    }
  }

  /// Finds the pictures of originals that were not found by content in files of their names.
  private func findPicturesByName(_ findings: inout Findings) throws {
    let lost = findings.lost
    let names = Self.names(of: lost)
    try findPictures(of: lost, &findings) { path in
      path.lastComponent.map(names.contains) == true
    }
  }

  /// Finds the pictures of originals that are still lost in files of nearly their sizes.
  private func findPicturesBySize(_ findings: inout Findings) throws {
    let lost = findings.lost
    let sizes = NearSizes(of: lost)
    try findPictures(of: lost, &findings) { path in
      sizes.contain(fileSystem.sizeOfPhoto(at: path))
    }
  }

  /// Finds the pictures of originals in the files that may have them, of which each is read once.
  private func findPictures(
    of lost: [Orphan], _ findings: inout Findings, in isLikely: (FilePath) -> Bool
  ) throws {
    if lost.isEmpty { return }
    var pictures: [Digest: [FilePath]] = [:]
    _ = try forEachFile { path in
      guard isLikely(path) else { return }
      let digests =
        findings.pictures[path] ?? (try? fileSystem.pictureDigests(at: path)) ?? []
      findings.pictures[path] = digests
      for digest in digests { pictures[digest, default: []].append(path) }
    }
    for orphan in lost {
      guard let original = orphan.sought, let picture = orphan.picture else { continue }
      let files = findings.files[original.sha256, default: []]
      let more = (pictures[picture] ?? []).filter { !files.contains($0) }
      if !more.isEmpty { findings.files[original.sha256] = files + more }
    }
  }

  private static func names(of orphans: [Orphan]) -> Set<FilePath> {
    Set(orphans.compactMap { $0.sought?.name })
  }

  /// When a file last changed, also its name; `nil` when there is none.
  private func changeTime(of path: FilePath) -> Int64? {
    let status = try? fileSystem.statusFollowingLinks(of: path)
    return status?.changed.inNanoseconds
  }

  /// The folder of this name in another; `nil` when it is not searched.
  private func folder(
    _ name: FilePath, in folder: WalkedFolder, withHidden: Bool
  ) throws(FileSystemError) -> WalkedFolder? {
    if withHidden, name.isHidden, name != FolderTrash.name {
      return try WalkedFolder(folder.path.appending(name), Self.everything, fileSystem)
    }
    return try folder.folder(name)
  }

  /// Hands out the files that may be photos, each once.
  ///
  /// - Returns: The folders that should be seen and cannot be.
  private func forEachFile(_ body: (FilePath) throws -> Void) throws -> [FilePath] {
    var seen: Set<FilePath> = []
    var unseen: [FilePath] = []
    func search(_ folder: WalkedFolder, of root: Root) throws {
      guard let resolved = fileSystem.folder(at: folder.path) else {
        throw StorageError.originalMissing(folder.path)
      }
      // The same folder may be given twice, once for itself and once inside another.
      if seen.insert(resolved).inserted {
        try fileSystem.forEachNameInOrder(in: folder.path, where: \.mayBeOriginal) { name in
          try check()
          if name.isHidden, root.visible == nil { return }
          if !folder.isExcluded(name, isFolder: false) { try body(folder.path.appending(name)) }
        }
      }
      guard root.recursively else { return }
      try fileSystem.forEachNameInOrder(in: folder.path, where: \.isFolder) { name in
        do {
          let inner = try self.folder(name, in: folder, withHidden: root.visible != nil)
          if let inner { try search(inner, of: root) }
        } catch  where error is StorageError || error is FileSystemError {
          // A folder that the user may not list has no photo that the user could edit.
          guard let parent = try? root.visible?.folder(at: folder.path),
            !parent.isExcluded(name, isFolder: true)
          else { return }
          unseen.append(folder.path.appending(name))
        }
      }
    }
    for root in roots { try search(root.folder, of: root) }
    return unseen
  }
}

/// What a search for originals is for, and what it has found.
private struct Findings {
  let sought: [Orphan]
  /// The files that have the content or the picture of an original, by its recorded digest.
  var files: [Digest: [FilePath]] = [:]
  /// The digests of the pictures in the files that were read.
  var pictures: [FilePath: [Digest]] = [:]

  init(_ sought: [Orphan]) { self.sought = sought }

  /// The files that were found for an original; `nil` for none.
  func files(holding orphan: Orphan) -> [FilePath]? { orphan.sought.flatMap { files[$0.sha256] } }

  /// The originals whose pictures are known and that were not found.
  var lost: [Orphan] {
    sought.filter { $0.picture != nil && $0.sought != nil && files(holding: $0) == nil }
  }
}

/// The sizes that originals may have now, after programs wrote metadata into them.
private struct NearSizes {
  /// Ranges of sizes that do not touch each other, from small to large.
  private var ranges: [ClosedRange<Int64>] = []

  init(of orphans: [Orphan]) {
    let room = OriginalSearch.mostMetadata
    for size in orphans.compactMap({ $0.sought?.size }).sorted() {
      if let last = ranges.last, last.upperBound >= size - room {
        ranges[ranges.count - 1] = last.lowerBound...(size + room)
      } else {
        ranges.append((size - room)...(size + room))
      }
    }
  }

  /// Whether a file has one of the sizes; `nil` is no file.
  func contain(_ size: Int64?) -> Bool {
    size.map { size in ranges.contains { $0.contains(size) } } ?? false
  }
}
