import FoundationEssentials
import SafelightFiles
import SafelightMetadata
import Synchronization

/// The sidecars of one folder, as far as needed to recognize renders and bases among its files.
///
/// Lists the folder once, when made. Make a new one to see later changes.
package final class FolderRecords: Sendable {
  /// A file's place in a photo.
  package struct Membership: Sendable, Hashable {
    /// The original that the file belongs to.
    package let original: FilePath
    /// What the file is to it.
    package let role: FileRole
  }

  /// The names of everything in the folder, in no particular order.
  package let names: [FilePath]
  /// What other programs put beside photos in the folder.
  package let companions: CompanionNames

  private let folder: FilePath
  private let fileSystem: FileSystem
  private let records: Set<FilePath>
  /// The names that renders and bases may have.
  private let members: Set<FilePath>
  private let pending: [FilePath]
  private let index = Mutex<[FilePath: Membership]?>(nil)

  /// Lists a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder's path; empty for the current one.
  ///   - fileSystem: The way to the disk.
  /// - Throws: ``StorageError/fileSystem(_:)`` when the folder cannot be listed.
  package init(_ folder: FilePath, fileSystem: FileSystem = .real) throws(StorageError) {
    self.folder = folder
    self.fileSystem = fileSystem
    names = try onDisk { () throws(FileSystemError) in try fileSystem.names(in: folder) }
    companions = CompanionNames(names)
    records = Set(names.filter { $0.hasSuffix(FileRole.sidecar.suffix) })
    members = Set(names.filter(Self.mayBeMember))
    pending = names.filter {
      $0.bytes.starts(with: ".safelight-".utf8) && $0.hasSuffix(".pending")
    }
  }

  /// Whether a file has a name that Safelight gives to renders or bases; if not, the folder need not
  /// be listed to know that it is neither.
  package static func mayBeMember(_ name: FilePath) -> Bool {
    stem(of: name) != nil || !namesCopied(by: name).isEmpty
  }

  /// The names of renders and bases that a file may be a copy of, which a sync made of a conflict.
  static func namesCopied(by name: FilePath) -> [FilePath] {
    let text = name.string
    guard FileRole.Kind.recorded.contains(where: { $0.hasMark(in: text) }) else { return [] }
    return ConflictMark.marks(in: name).map(\.name).filter { stem(of: $0) != nil }
  }

  /// The part of the name before what Safelight adds; `nil` when Safelight adds nothing. It may be
  /// too short when the photo's own name, or the version's, has such a part.
  private static func stem(of name: FilePath) -> FilePath? {
    for role in FileRole.single where name.hasSuffix(role.suffix) {
      return FilePath(bytes: name.bytes.dropLast(role.suffix.utf8.count))
    }
    for kind in FileRole.Kind.recorded where kind.isMany && name.hasSuffix(kind.ending) {
      let mark = Array(kind.mark.utf8)
      let start = name.bytes.indices.dropLast(mark.count - 1).first { start in
        name.bytes[start..<(start + mark.count)].elementsEqual(mark)
      }
      if let start { return FilePath(bytes: name.bytes[..<start]) }
    }
    return nil
  }

  /// The photo that the file `name` is the render or the base of, by that photo's own record; or that it
  /// is a copy of, which a sync made of a conflict.
  ///
  /// Cheap for names that Safelight does not give. Otherwise the likeliest records are read first;
  /// when they do not name the file, all records of the folder are, once.
  /// - Parameter name: A name in this folder, without slashes.
  /// - Returns: `nil` when no readable record names the file.
  package func membership(of name: FilePath) -> Membership? {
    if let membership = recordedMembership(of: name) { return membership }
    for copied in Self.namesCopied(by: name) {
      if let membership = recordedMembership(of: copied), isCopy(name, of: copied, membership) {
        return membership
      }
    }
    return nil
  }

  /// Whether what a file holds says that it is a copy of a render or a base, or of another state of it.
  private func isCopy(_ name: FilePath, of copied: FilePath, _ membership: Membership) -> Bool {
    let path = folder.appending(name)
    if membership.role.isRendered {
      return fileSystem.referenceOfRender(at: path)?.fileName
        == membership.original.lastComponent?.string
    }
    let digest = try? fileSystem.digestOfFile(at: path)
    return digest != nil && digest == (try? fileSystem.digestOfFile(at: folder.appending(copied)))
  }

  private func recordedMembership(of name: FilePath) -> Membership? {
    guard let stem = Self.stem(of: name) else { return nil }
    for fileExtension in ["", ".jpg", ".JPG", ".jpeg", ".heic", ".HEIC", ".png", ".tif"] {
      let record = stem.suffixed(fileExtension).suffixed(FileRole.sidecar.suffix)
      guard records.contains(record) else { continue }
      if let member = members(of: record).first(where: { $0.0 == name }) { return member.1 }
    }
    return index.withLock { index in
      let complete = index ?? completeIndex()
      index = complete
      return complete[name]
    }
  }

  private func completeIndex() -> [FilePath: Membership] {
    var index: [FilePath: Membership] = [:]
    for name in Array(records) + pending {
      for (file, membership) in members(of: name) { index[file] = membership }
    }
    return index
  }

  /// The files that one record names; none when it cannot be read.
  private func members(of recordName: FilePath) -> [(FilePath, Membership)] {
    guard let loaded = try? LoadedRecord.load(folder.appending(recordName), fileSystem),
      case .commit(let record)? = try? loaded.change()
    else { return [] }
    // A sidecar's name has the original's name in it, even after renaming. A pending record's has
    // not.
    let original = recordName.originalOfRecord ?? record.original?.name
    guard let original else { return [] }
    let path = folder.appending(original)
    let photo = PhotoNames(path)
    return record.files.map { file in
      (
        presentName(of: file, in: record, around: photo),
        Membership(original: path, role: file.role)
      )
    }
  }

  /// The name that a file of a photo has in the folder: the recorded one, or one that it got together with
  /// its photo. Lengths tell well enough whether a file is a photo of its own; no file is read whole.
  private func presentName(
    of named: Record.File, in record: Record, around photo: PhotoNames
  ) -> FilePath {
    let recorded = named.file.name
    let own = photo.candidates(named.role.suffix)
    if own.contains(recorded), members.contains(recorded) { return recorded }
    let renamed = own.first { name in
      members.contains(name)
        && (try? fileSystem.sizeOfFile(at: folder.appending(name))) == named.file.size
    }
    if let renamed { return renamed }
    if own.contains(where: members.contains),
      let changed = try? photo.changedName(of: named, in: record, fileSystem)
    {
      return changed
    }
    // A disk that does not tell capital letters from small ones has it under another spelling.
    if !members.contains(recorded), (try? fileSystem.exists(folder.appending(recorded))) == true {
      return recorded.spelled(asIn: members) ?? recorded
    }
    return recorded
  }
}

extension FilePath {
  fileprivate func hasSuffix(_ suffix: String) -> Bool {
    bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }
}

/// What is left of a photo whose original is not where its record is.
package struct LostRecord: Sendable {
  /// Where the original should be, in the record's folder.
  package let photo: FilePath
  /// The sidecar, or the pending record that takes its place.
  package let path: FilePath
  /// Whether a change was decided and not finished.
  package let isPending: Bool
  /// What the record says; for a pending revert what the sidecar says that is to go, `nil` when it went already.
  package let record: Record?
  /// Hidden files of changes that were never decided.
  package let leftovers: [FilePath]
  /// When the record got its place, as far as the disk tells.
  let changed: FileStatus.Time
  /// The SHA-256 of the record.
  let digest: Digest
  /// The sidecar that an unfinished change replaces or removes; `nil` when there is none.
  let replaced: FilePath?

  /// Looks for the record of a photo that is not there.
  ///
  /// - Parameters:
  ///   - photo: Where the original should be.
  ///   - fileSystem: The way to the disk.
  /// - Returns: `nil` when there is neither a sidecar nor a pending record.
  /// - Throws: ``StorageError/recordUnreadable(_:_:)``, ``StorageError/fileSystem(_:)``.
  package static func load(
    of photo: FilePath, _ fileSystem: FileSystem
  ) throws(StorageError) -> LostRecord? {
    let names = PhotoNames(photo)
    guard let loaded = try LoadedRecord.load(around: names, fileSystem) else { return nil }
    let isPending = loaded.path != names.record
    let sidecar = isPending ? try LoadedRecord.load(names.record, fileSystem) : loaded
    let record: Record?
    switch try loaded.change() {
    case .commit(let decided): record = decided
    case .revert: record = try sidecar?.record()
    }
    let leftovers = isPending ? [] : try names.leftovers(loaded, fileSystem)
    return LostRecord(
      photo: photo, path: loaded.path, isPending: isPending, record: record, leftovers: leftovers,
      changed: loaded.status.changed, digest: loaded.digest,
      replaced: isPending ? sidecar?.path : nil)
  }

  /// Whether another picture than the one that the record is about is where its photo should be. What cannot
  /// be read counts as the right one.
  ///
  /// - Parameter thoroughly: Whether a photo of the recorded name and length is read even when it has not
  ///   changed since the record was written.
  package func isPhotoReplaced(
    thoroughly: Bool, _ fileSystem: FileSystem
  ) throws(StorageError) -> Bool {
    let status = try onDisk { () throws(FileSystemError) in
      try fileSystem.statusFollowingLinks(of: photo)
    }
    guard let record, let original = record.original, let status else { return false }
    // The disk's time of the record is that of its copying in a folder that was copied. Then its own date counts,
    // which may be that of another machine's clock.
    let written = min(changed.inSeconds, record.timestamp?.timeIntervalSince1970 ?? 0)
    let isUntouched =
      status.size == original.size && original.name == photo.lastComponent
      && status.changed.inSeconds <= written
    if isUntouched, !thoroughly { return false }
    return try !record.isOfPhoto(at: photo, fileSystem)
  }

  /// Whether a pending record decided to drop an edit.
  package static func isRevert(at path: FilePath, _ fileSystem: FileSystem) -> Bool {
    if case .revert? = try? LoadedRecord.load(path, fileSystem)?.change() { return true }
    return false
  }

  /// The photo that a pending record is about, when the record says so and the names agree. When the photo was
  /// renamed with its sidecar since, it is that of the sidecar.
  ///
  /// - Parameter path: The pending record.
  package static func photo(
    ofPendingRecordAt path: FilePath, _ fileSystem: FileSystem
  ) throws(StorageError) -> FilePath? {
    guard let loaded = try LoadedRecord.load(path, fileSystem),
      case .commit(let record)? = try? loaded.change(), let name = record.original?.name
    else { return nil }
    let photo = path.removingLastComponent().appending(name)
    let names = PhotoNames(photo)
    return names.pending == path ? try names.renamedPhoto(fileSystem) ?? photo : nil
  }
}

extension LoadedRecord {
  /// The record that counts: the pending one when a change was decided, else the sidecar.
  static func load(
    around names: PhotoNames, _ fileSystem: FileSystem
  ) throws(StorageError) -> LoadedRecord? {
    if let pending = try names.pendingRecord(fileSystem) { return pending }
    guard let sidecar = try load(names.record, fileSystem) else { return nil }
    return try names.beforeRenaming(sidecar, fileSystem)?.pendingRecord(fileSystem) ?? sidecar
  }
}

extension FilePath {
  /// The original that a sidecar's path is for; `nil` for names that no sidecar has.
  package var originalOfRecord: FilePath? {
    let suffix = FileRole.sidecar.suffix.utf8
    guard let name = lastComponent, name.bytes.count > suffix.count,
      name.bytes.suffix(suffix.count).elementsEqual(suffix)
    else { return nil }
    return FilePath(bytes: bytes.dropLast(suffix.count))
  }

  /// The sidecar of the original at this path.
  package var recordPath: FilePath { suffixed(FileRole.sidecar.suffix) }
}
