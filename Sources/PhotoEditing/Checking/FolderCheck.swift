import SafelightFiles
import SafelightMetadata
import SafelightRendering
import SafelightStorage

/// Checks a folder: the records, the hidden files, then the renders.
///
/// Each of the three checks lists the folder anew and keeps at most a page of names, however many
/// photos the folder has.
struct FolderCheck {
  let checker: PhotoChecker
  let cancellation: RenderCancellation
  let report: (PhotoCheck) -> Void

  var fileSystem: FileSystem { checker.fileSystem }

  func check(_ folder: WalkedFolder, recursively: Bool) throws {
    try checkRecords(in: folder)
    try HiddenFileCheck(folder: folder.path, parent: self).run()
    try OrphanRenderCheck(walked: folder, parent: self).run()
    guard recursively else { return }
    try fileSystem.forEachNameInOrder(in: folder.path, where: \.isFolder) { name in
      let inner = folder.path.appending(name)
      do {
        if let inner = try folder.folder(name) { try check(inner, recursively: true) }
      } catch  where error is StorageError || error is FileSystemError {
        let error = EditError(error, path: inner)
        report(PhotoCheck(inner, isEdited: false, [PhotoProblem(.failed(error), inner)]))
      }
    }
  }

  private func checkRecords(in folder: WalkedFolder) throws {
    let names = CompanionNames(in: folder.path, fileSystem)
    try fileSystem.forEachNameInOrder(in: folder.path, where: \.isAnySidecar) { name in
      try checkCancellation()
      let original = name.originalOfRecord
      // `IMG_1234.aae` has the name of a record of “IMG_1234” and is Apple's sidecar of `IMG_1234.HEIC`.
      let photo =
        try original.flatMap { try fileSystem.exists(folder.path.appending($0)) ? $0 : nil }
        ?? names.photo(ofSidecar: name) ?? original
      guard let photo, !folder.isExcluded(photo, isFolder: false) else { return }
      let path = folder.path.appending(photo)
      // With a record of its own the photo is checked there.
      if original != photo, try fileSystem.exists(path.recordPath) { return }
      report(checker.checkInFolder(path))
    }
  }

  /// Throws when the check was cancelled; nothing is left half done.
  func checkCancellation() throws(CancellationError) {
    if cancellation.isCancelled { throw CancellationError() }
  }
}

/// Finds what unfinished work left in a folder under hidden names.
///
/// A hidden name has only a hash of its photo's name, so the names of all photos are hashed to find
/// the right one; no photo is opened for that. Photos with a sidecar have been checked before.
struct HiddenFileCheck {
  let folder: FilePath
  let parent: FolderCheck
  /// For how many photos hidden files are looked up at once.
  private static let limit = 1024

  func run() throws {
    var waiting: [FilePath: [HiddenFile]] = [:]
    try parent.fileSystem.forEachNameInOrder(in: folder, where: \.isUnfinished) { name in
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
    if isAbandoned { report(removable: path) }
  }

  /// Reports a file that nobody needs, and that was removed when problems are fixed.
  private func report(removable path: FilePath) {
    let problem = PhotoProblem(.leftover(canBeRemoved: true), path)
    parent.report(
      parent.checker.fixing
        ? PhotoCheck(path, isEdited: false, [], fixed: [problem])
        : PhotoCheck(path, isEdited: false, [problem]))
  }

  private func check(_ files: [FilePath: [HiddenFile]]) throws {
    let claims = files.filter { $0.value.allSatisfy { $0.kind == .claim } }.keys
    let owners = try owners(of: Set(files.keys), claims: Set(claims))
    for (key, files) in files.sorted(by: { $0.key < $1.key }) {
      try parent.checkCancellation()
      if let photo = try owners[key] ?? photoOfPending(files) {
        // Photos with a sidecar were checked before, and what a claim or a pending record tells was
        // found then.
        let isTold = files.contains { $0.stagedKind == nil }
        if try isTold && parent.fileSystem.exists(photo.recordPath) { continue }
        let check = parent.checker.checkInFolder(photo, searching: !isTold)
        // Another program may have finished the work by now.
        if !check.isSound || !check.fixed.isEmpty { parent.report(check) }
      } else {
        try report(ownerless: files)
      }
    }
  }

  /// Reports hidden files of a photo that nothing in the folder tells of. When problems are fixed they go to the
  /// trash, as long as nobody works with them and nothing was decided; a decided change stays, unless it is a revert:
  /// what it was to remove is gone.
  private func report(ownerless files: [HiddenFile]) throws {
    let paths = files.map { folder.appending($0.name) }
    let (fileSystem, checker) = (parent.fileSystem, parent.checker)
    let claim = files.first { $0.kind == .claim }.map { folder.appending($0.name) }
    if let claim, try !fileSystem.isAbandoned(claim, removing: false) { return }
    let pending = files.first { $0.kind == .pending }.map { folder.appending($0.name) }
    if let pending, !LostRecord.isRevert(at: pending, fileSystem) {
      for (file, path) in zip(files, paths) {
        let kind: PhotoProblem.Kind =
          file.kind == .pending
          ? .interrupted(canBeFinished: false) : .leftover(canBeRemoved: false)
        parent.report(PhotoCheck(path, isEdited: false, [PhotoProblem(kind, path)]))
      }
      return
    }
    let going = files.filter { $0.kind != .claim }.map(\.name)
    if checker.fixing {
      do {
        if !going.isEmpty { try FolderTrash(folder, fileSystem).put(going, named: "leftovers") }
        if let claim { _ = try fileSystem.isAbandoned(claim, removing: true) }
      } catch let error as StorageError {
        let problem = PhotoProblem(.failed(EditError(error, path: paths[0])), paths[0])
        return parent.report(PhotoCheck(paths[0], isEdited: false, [problem]))
      }
    }
    for path in paths { report(removable: path) }
  }

  /// The photos that hidden files belong to.
  ///
  /// - Parameter claims: Those that only have a claim, perhaps on the name of a render.
  private func owners(
    of keys: Set<FilePath>, claims: Set<FilePath>
  ) throws -> [FilePath: FilePath] {
    var owners: [FilePath: FilePath] = [:]
    try parent.fileSystem.forEachEntry(in: folder) { entry in
      guard !entry.isFolder else { return }
      // A sidecar's name gives the photo's name even when the photo is gone.
      for name in [entry.name, entry.name.originalOfRecord].compactMap(\.self) {
        if !claims.isEmpty {
          for key in HiddenFile.keysOfRenders(of: name) where claims.contains(key) {
            if owners[key] == nil { owners[key] = folder.appending(name) }
          }
        }
        guard let key = HiddenFile.key(of: name), keys.contains(key) else { continue }
        owners[key] = folder.appending(name)
      }
    }
    if keys.allSatisfy({ owners[$0] != nil }) { return owners }
    // Photos that were renamed with their sidecars since.
    try parent.fileSystem.forEachNameInOrder(in: folder, where: \.isRecord) { name in
      guard let photo = name.originalOfRecord.map(folder.appending),
        let key = try? HiddenFile.formerKey(of: photo, parent.fileSystem), owners[key] == nil
      else { return }
      owners[key] = photo
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

/// Finds pictures in a folder that Safelight rendered and no record names.
///
/// Only files with a name that a render can have are opened. Such a picture says which original it
/// was rendered from, and that original's record should name the picture. When it does not, all
/// records of the folder are read, once for many pictures.
struct OrphanRenderCheck {
  let walked: WalkedFolder
  let parent: FolderCheck
  var folder: FilePath { walked.path }
  /// How many pictures are looked for in the records at once.
  private static let limit = 1024

  func run() throws {
    // What pictures say of their originals, by the pictures' names.
    var unclaimed: [FilePath: OriginalReference] = [:]
    try parent.fileSystem.forEachNameInOrder(in: folder, where: \.mayBeRender) { name in
      try parent.checkCancellation()
      // A render that has an edit of its own counts as a photo.
      if try parent.fileSystem.exists(folder.appending(name).recordPath) { return }
      guard !walked.isExcluded(name, isFolder: false),
        let reference = try? parent.checker.rendered(folder.appending(name)),
        !isClaimed(name, by: reference.fileName)
      else { return }
      unclaimed[name] = reference
      if unclaimed.count == Self.limit {
        try reportOrphans(among: unclaimed)
        unclaimed = [:]
      }
    }
    try reportOrphans(among: unclaimed)
  }

  /// Whether the record of the original that a picture names also names the picture. A record that
  /// cannot be read counts as one that does; it is reported as unreadable.
  private func isClaimed(_ name: FilePath, by original: String) -> Bool {
    let record = folder.appending(FilePath(original).recordPath)
    guard let files = try? parent.fileSystem.filesNamed(byRecordAt: record) else { return true }
    return files.contains(name)
  }

  private func reportOrphans(among pictures: [FilePath: OriginalReference]) throws {
    let findings = try parent.checker.standings(of: pictures, in: folder)
    for (name, reference) in pictures.sorted(by: { $0.key < $1.key }) {
      let path = folder.appending(name)
      if findings[name] == .member { continue }
      if let conflict = parent.checker.checkAsConflict(path, of: reference.fileName) {
        parent.report(conflict)
      } else if let check = try parent.checker.check(path, findings[name], reference) {
        parent.report(check)
      }
    }
  }
}

/// What the records of a folder know of a picture that no record names.
enum KnownRender: Sendable, Hashable {
  /// It is a file of a photo and has got its name together with it.
  case member
  /// It has the place of a photo's render and shows an edit that the photo had.
  case earlier(of: FilePath)
  /// It has the place of a photo's render and shows an edit that the photo's record does not know.
  case newer
  /// A photo has, or had, a render or base of the same content under another name.
  case copy(of: FilePath)
}

extension PhotoChecker {
  /// What the records of a folder know of pictures by their names and contents; nothing of pictures that
  /// they do not know.
  ///
  /// Each picture and each record is read once.
  /// - Parameter pictures: What the pictures say of their originals, by the pictures' names.
  func standings(
    of pictures: [FilePath: OriginalReference], in folder: FilePath
  ) throws -> [FilePath: KnownRender] {
    var standings: [FilePath: KnownRender] = [:]
    if pictures.isEmpty { return standings }
    var digests: [FilePath: Digest] = [:]
    for name in pictures.keys {
      digests[name] = try? fileSystem.digestOfFile(at: folder.appending(name))
    }
    try fileSystem.forEachNameInOrder(in: folder, where: \.isRecordOrPending) { record in
      let path = folder.appending(record)
      let files = Set((try? fileSystem.filesNamed(byRecordAt: path)) ?? [])
      let contents = RecordedContents(recordAt: path, fileSystem)
      for (name, reference) in pictures where standings[name] != .member {
        if files.contains(name) {
          standings[name] = .member
        } else if let contents, let digest = digests[name] {
          switch try contents.standing(of: name, holding: digest, rendered: reference) {
          case .member: standings[name] = .member
          case .earlier: standings[name] = .earlier(of: contents.photo)
          case .newer: standings[name] = standings[name] ?? .newer
          case .copy: standings[name] = standings[name] ?? .copy(of: contents.photo)
          case .unknown: break
          }
        }
      }
    }
    return standings
  }

  /// The check of a picture that Safelight rendered and no record names; `nil` when it is a photo's file
  /// nevertheless. The render of an earlier edit goes to the trash when checks fix what they find.
  func check(
    _ path: FilePath, _ standing: KnownRender?, _ reference: OriginalReference
  ) throws -> PhotoCheck? {
    let folder = path.removingLastComponent()
    guard let name = path.lastComponent else { return nil }
    func check(_ standing: KnownRender?) -> PhotoCheck? {
      PhotoProblem(standing, path, renderedFrom: reference.fileName)
        .map { PhotoCheck(path, isEdited: false, [$0]) }
    }
    return check(standing).map { found in
      puttingAway(found) { check(try standings(of: [name: reference], in: folder)[name]) }
    }
  }
}

extension PhotoProblem {
  /// What is to be said of a picture that no record names; `nil` when it is a photo's file nevertheless.
  ///
  /// - Parameters:
  ///   - standing: What the records of its folder know of it.
  ///   - path: The picture.
  ///   - original: The name of the original that it was rendered from, as it says itself.
  init?(_ standing: KnownRender?, _ path: FilePath, renderedFrom original: String) {
    switch standing {
    case .member: return nil
    case .earlier(let photo): self.init(.earlierRender(of: photo), path)
    case .newer: self.init(.notSynced(isNewer: true), path)
    case .copy(let photo): self.init(.renderCopy(of: photo), path)
    case nil: self.init(.orphanRender(original: original), path)
    }
  }
}

// MARK: - Names in a folder

/// What checks look for in a folder, by the names alone.
extension FolderEntry {
  /// The photo that the file is the sidecar of; `nil` when it is none.
  var originalOfRecord: FilePath? { isFolder ? nil : name.originalOfRecord }

  /// Whether it is a sidecar.
  var isRecord: Bool { originalOfRecord != nil }

  /// Whether it has the ending of a sidecar, of any program.
  var isAnySidecar: Bool { !isFolder && name.extension?.lowercased() == "aae" }

  /// Whether it is a sidecar, or the record of a change that was decided and not finished.
  var isRecordOrPending: Bool { isRecord || HiddenFile(name)?.kind == .pending }

  /// Whether it has the name of a hidden file of a change or an export that is not finished.
  var isUnfinished: Bool { HiddenFile(name) != nil }

  /// Whether it has a name that Safelight gives to renders and bases.
  var mayBeRender: Bool { !isFolder && FolderRecords.mayBeMember(name) }

  /// Whether it may be a photo.
  var mayBeOriginal: Bool { !isFolder && !isRecord && HiddenFile(name) == nil }
}
