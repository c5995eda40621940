import Glibc
import SafelightFiles
import SafelightMetadata
import SafelightStorage

/// A record whose original is not there, or has another name than the record says.
struct Orphan {
  /// What is where the original should be.
  enum Place: Sendable, Hashable {
    /// Nothing.
    case empty
    /// The original: only the names in its record are wrong.
    case original
    /// Another picture.
    case anotherPicture
  }

  /// Where the original is or should be.
  let photo: FilePath
  /// The folder of the record, links followed.
  let folder: FilePath
  /// The original that the record names; `nil` when the record cannot be read.
  let sought: RecordedFile?
  /// The digest of its picture; `nil` when the record does not say.
  var picture: Digest?
  /// What has the photo's name.
  let place: Place
  /// Whether somebody named it, rather than a folder.
  var isNamed = false
  /// Why the record cannot be used.
  var problem: StorageError?
}

/// Scans folders for records without their originals.
struct OrphanSearch {
  let fileSystem: FileSystem
  private(set) var found: [Orphan] = []
  /// The folders inside that could not be looked through, and why.
  private(set) var unseen: [(folder: FilePath, error: EditError)] = []
  private var known: Set<FilePath> = []

  init(fileSystem: FileSystem) {
    self.fileSystem = fileSystem
  }

  mutating func search(_ folder: WalkedFolder, recursively: Bool) throws {
    try fileSystem.forEachNameInOrder(in: folder.path, where: \.isRecordOrPending) { name in
      let path = folder.path.appending(name)
      // The first edit of a photo may have been interrupted before there was a sidecar.
      let photo =
        try name.originalOfRecord.map(folder.path.appending)
        ?? LostRecord.photo(ofPendingRecordAt: path, fileSystem)
      guard let photo, let name = photo.lastComponent,
        !folder.isExcluded(name, isFolder: false)
      else { return }
      try add(photo)
    }
    guard recursively else { return }
    try fileSystem.forEachNameInOrder(in: folder.path, where: \.isFolder) { name in
      do {
        if let inner = try folder.folder(name) { try search(inner, recursively: true) }
      } catch let error as FileSystemError where [EACCES, EPERM].contains(error.errno) {
        let path = folder.path.appending(name)
        unseen.append((path, EditError(error, path: path)))
      }
    }
  }

  /// Adds the record of a photo that somebody named.
  ///
  /// - Throws: ``StorageError/originalMissing(_:)`` when there is neither the photo nor a record.
  mutating func add(named photo: FilePath) throws {
    if try !fileSystem.exists(photo), try !fileSystem.exists(photo.recordPath),
      try LostRecord.load(of: photo, fileSystem) == nil
    {
      throw StorageError.originalMissing(photo)
    }
    try add(photo, thoroughly: true)
  }

  /// Adds a photo's record when it is an orphan.
  ///
  /// - Parameter thoroughly: Whether the photo is read even when nothing tells that it may be another one.
  private mutating func add(_ photo: FilePath, thoroughly: Bool = false) throws {
    let folder = photo.removingLastComponent()
    let resolved = fileSystem.folder(at: folder) ?? folder
    guard let name = photo.lastComponent, known.insert(resolved.appending(name)).inserted else {
      return
    }
    let isThere = try fileSystem.exists(photo)
    // Its photo is there under another name, and a check tells of the copy.
    if !isThere, try ConflictCopy.load(photo.recordPath, fileSystem) != nil { return }
    do throws(StorageError) {
      guard let lost = try LostRecord.load(of: photo, fileSystem),
        let original = lost.record?.original
      else { return }
      let place: Orphan.Place =
        !isThere
        ? .empty
        : try lost.isPhotoReplaced(thoroughly: thoroughly, fileSystem)
          ? .anotherPicture : .original
      if place == .original, original.name == name { return }
      found.append(
        Orphan(
          photo: photo, folder: resolved, sought: original, picture: lost.record?.picture,
          place: place, isNamed: thoroughly))
    } catch {
      // When the photo is there, a check reports that its sidecar cannot be read.
      guard !isThere else { return }
      found.append(
        Orphan(
          photo: photo, folder: resolved, sought: nil, place: .empty, isNamed: thoroughly,
          problem: error))
    }
  }
}

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
    let sought = orphans.filter { $0.place != .original }
    let originals = sought.compactMap(\.sought)
    let sizes = Set(originals.map(\.size))
    let wanted = Set(originals.map(\.sha256))
    var found: [Digest: [FilePath]] = [:]
    if originals.isEmpty { return (found, []) }
    let unseen = try forEachFile { path in
      guard let size = fileSystem.sizeOfPhoto(at: path), sizes.contains(size),
        let digest = try? fileSystem.digestOfFile(at: path), wanted.contains(digest)
      else { return }
      found[digest, default: []].append(path)
    }
    var known: [FilePath: [Digest]] = [:]
    func addPictures(
      of lost: [Orphan], among likely: ([RecordedFile]) -> (FilePath) -> Bool
    ) throws {
      if lost.isEmpty { return }
      let isLikely = likely(lost.compactMap(\.sought))
      var pictures: [Digest: [FilePath]] = [:]
      _ = try forEachFile { path in
        guard isLikely(path) else { return }
        let digests = known[path] ?? (try? fileSystem.pictureDigests(at: path)) ?? []
        known[path] = digests
        for digest in digests { pictures[digest, default: []].append(path) }
      }
      for orphan in lost {
        guard let original = orphan.sought, let picture = orphan.picture else { continue }
        let files = found[original.sha256, default: []]
        let more = (pictures[picture] ?? []).filter { !files.contains($0) }
        if !more.isEmpty { found[original.sha256] = files + more }
      }
    }
    func lost() -> [Orphan] {
      sought.filter { orphan in
        orphan.picture != nil && orphan.sought.map { found[$0.sha256] == nil } == true
      }
    }
    try addPictures(of: copied(sought, found)) { originals in
      let names = Set(originals.map(\.name))
      let folders = Set(sought.map(\.folder))
      let isNearly = isNearly(originals.map(\.size))
      let contents = Set(found.values.joined())
      // A file that has been as it is since before the edits was not moved, renamed or rated since.
      let oldest = sought.compactMap { changeTime(of: $0.photo.recordPath) }.min() ?? 0
      return { path in
        guard isNearly(path), !contents.contains(path),
          path.lastComponent.map(names.contains) == true
            || fileSystem.folder(at: path.removingLastComponent()).map(folders.contains) == true
        else { return false }
        return changeTime(of: path).map { $0 >= oldest } ?? false
      }
    }
    try addPictures(of: lost()) { originals in
      let names = Set(originals.map(\.name))
      return { path in path.lastComponent.map(names.contains) == true }
    }
    try addPictures(of: lost()) { originals in isNearly(originals.map(\.size)) }
    return (found.mapValues { fileSystem.eachOnce($0).sorted(by: <) }, unseen)
  }

  /// The originals whose content is only in other folders than their records.
  private func copied(_ sought: [Orphan], _ found: [Digest: [FilePath]]) -> [Orphan] {
    sought.filter { orphan in
      guard orphan.picture != nil, let files = orphan.sought.flatMap({ found[$0.sha256] }) else {
        return false
      }
      return !files.contains {
        fileSystem.folder(at: $0.removingLastComponent()) == orphan.folder
      }
    }
  }

  /// When a file last changed, also its name; `nil` when there is none.
  private func changeTime(of path: FilePath) -> Int64? {
    let status = try? fileSystem.statusFollowingLinks(of: path)
    return status?.changed.inNanoseconds
  }

  /// Whether a file has nearly one of several sizes.
  private func isNearly(_ unsorted: [Int64]) -> (FilePath) -> Bool {
    let sizes = unsorted.sorted()
    return { path in
      guard let size = fileSystem.sizeOfPhoto(at: path) else { return false }
      // The first size that is not too small.
      var range = 0..<sizes.count
      while let middle = range.isEmpty ? nil : (range.lowerBound + range.upperBound) / 2 {
        range =
          sizes[middle] < size - Self.mostMetadata
          ? middle + 1..<range.upperBound : range.lowerBound..<middle
      }
      return range.lowerBound < sizes.count
        && sizes[range.lowerBound] <= size + Self.mostMetadata
    }
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
