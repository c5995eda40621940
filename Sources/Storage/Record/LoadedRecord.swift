import Glibc
import SafelightFiles
import SafelightFormats

/// The bytes of a sidecar or of a pending record as they were found.
struct LoadedRecord: Sendable {
  let path: FilePath
  let bytes: [UInt8]
  let digest: Digest
  let status: FileStatus

  /// Reads the file at `path`; `nil` when there is none.
  static func load(
    _ path: FilePath, _ fileSystem: FileSystem
  ) throws(StorageError) -> LoadedRecord? {
    let opened = try onDisk { () throws(FileSystemError) -> (OpenFile, FileStatus)? in
      guard try fileSystem.status(of: path) != nil else { return nil }
      let file = try fileSystem.openReadOnly(path)
      let status = try fileSystem.status(of: file)
      guard status.kind == .file else {
        throw FileSystemError(.init(.open, path), errno: status.kind == .folder ? EISDIR : ESPIPE)
      }
      return (file, status)
    }
    guard let (file, status) = opened else { return nil }
    let limit = Record.maximumSize
    guard status.size <= limit else {
      throw .recordUnreadable(path, .tooLarge(size: Int(status.size), limit: limit))
    }
    let bytes = try onDisk { () throws(FileSystemError) in
      try fileSystem.contents(of: file, limit: limit)
    }
    return LoadedRecord(
      path: path, bytes: bytes, digest: SHA256.digest(of: bytes), status: status)
  }

  func record() throws(StorageError) -> Record {
    do {
      return try Record(parsing: bytes)
    } catch {
      throw .recordUnreadable(path, error)
    }
  }

  func change() throws(StorageError) -> PendingChange {
    do {
      return try PendingChange(parsing: bytes)
    } catch {
      throw .recordUnreadable(path, error)
    }
  }
}

extension FileSystem {
  /// The names of the files that a sidecar or a pending record names.
  ///
  /// - Returns: `nil` when the record is there and cannot be read.
  package func filesNamed(byRecordAt path: FilePath) throws(StorageError) -> [FilePath]? {
    guard let loaded = try LoadedRecord.load(path, self) else { return [] }
    guard case .commit(let record)? = try? loaded.change() else {
      return (try? loaded.change()).map { _ in [] }
    }
    return record.files.map(\.file.name)
  }
}

/// A decided change that may not be finished, as the pending record describes it.
enum PendingChange: Sendable {
  /// The record and its files take their places.
  case commit(Record)
  /// The record and its files go, and the sidecar that the record replaced comes back.
  case revert(PendingRevert)

  init(parsing bytes: [UInt8]) throws(RecordError) {
    let top = try RecordDictionary(Record.root(parsing: bytes))
    if let own = try top.dictionary(Record.Key.own), own["reverts"] != nil {
      self = .revert(try PendingRevert(own))
    } else {
      self = .commit(try Record(top))
    }
  }

  /// The bytes of the pending record.
  func encoded() -> [UInt8] {
    switch self {
    case .commit(let record): record.encoded()
    case .revert(let revert): revert.encoded()
    }
  }
}

/// What a revert removes and restores. The hashes tell whether a file is still the one meant.
struct PendingRevert: Sendable, Hashable {
  /// The SHA-256 of the sidecar.
  let record: Digest
  /// The files that go.
  let files: [Record.File]
  /// The SHA-256 of another program's sidecar, staged, that takes the record's place; `nil` when
  /// there was none before the edit.
  let restores: Digest?

  init(record: Digest, files: [Record.File], restores: Digest?) {
    self.record = record
    self.files = files
    self.restores = restores
  }

  init(_ own: RecordDictionary) throws(RecordError) {
    try Record.checkVersion(own)
    guard let reverts = try own.dictionary("reverts"), let record = try reverts.digest("record")
    else { throw .missingKey(own.path("reverts.record")) }
    self.record = record
    var files: [Record.File] = []
    for role in FileRole.single {
      guard let file = try role.kind.key.flatMap(reverts.dictionary) else { continue }
      files.append(try .init(role, file))
    }
    if let versions = try reverts.dictionary("versions") {
      for entry in versions.entries {
        let file = try RecordDictionary(entry.value, at: versions.path(entry.key))
        files.append(try .init(.version(entry.key), file))
      }
    }
    self.files = files
    restores = try reverts.digest("restores")
  }

  func encoded() -> [UInt8] {
    var reverts: [PropertyList.Entry] = [.init("record", .string(record.description))]
    var versions: [PropertyList.Entry] = []
    for file in files {
      let entries = PropertyList.dictionary(file.file.entries)
      if let name = file.role.name {
        versions.append(.init(name, entries))
      } else if let key = file.role.kind.key {
        reverts.append(.init(key, entries))
      }
    }
    if !versions.isEmpty { reverts.append(.init("versions", .dictionary(versions))) }
    if let restores { reverts.append(.init("restores", .string(restores.description))) }
    let own: [PropertyList.Entry] = [
      .init("recordVersion", .integer(versions.isEmpty ? 1 : Int64(Record.version))),
      .init("reverts", .dictionary(reverts)),
    ]
    return PropertyList.dictionary([.init(Record.Key.own, .dictionary(own))]).document
  }
}

extension Record.File {
  fileprivate init(
    _ role: FileRole, _ dictionary: RecordDictionary
  ) throws(RecordError) {
    self.init(role: role, file: try RecordedFile(dictionary, endingIn: role.suffix))
  }
}

extension LoadedRecord {
  /// The bytes of this record for an original and files of other names.
  ///
  /// Everything but the names of files stays byte for byte: the edit, the history, undone edits,
  /// unknown keys. Entries about files that the record replaced are left out, because they are
  /// about the old place.
  /// - Parameters:
  ///   - original: The original's new name.
  ///   - names: The new name of each file that the record names, by its old one.
  ///   - newVersions: The names of the versions whose renders come with the record.
  ///   - staging: The files that are staged with the record.
  ///   - replaced: The SHA-256 of the sidecar that these bytes will replace.
  ///   - isPending: Whether the change is still to be made where the record is, so that what it says of that
  ///     stays too.
  /// - Throws: ``StorageError/recordUnreadable(_:_:)``.
  func renamed(
    for original: FilePath, _ names: [FilePath: FilePath], newVersions: [String] = [],
    staging: Staging? = nil, replacing replaced: Digest? = nil, isPending: Bool = false
  ) throws(StorageError) -> [UInt8] {
    let top: [PropertyList.Entry]
    do {
      top = try RecordDictionary(Record.root(parsing: bytes)).entries
    } catch {
      throw .recordUnreadable(path, error)
    }
    let entries = top.map { entry in
      guard entry.key == Record.Key.own, let own = entry.value.entries else { return entry }
      var renamed = own.compactMap { entry in
        isPending && Self.keysOfChange.contains(entry.key)
          ? entry : entry.renamed(for: original, names)
      }
      if !newVersions.isEmpty { renamed.append(Record.newVersionsEntry(newVersions)) }
      if let staging { renamed.append(staging.entry) }
      if let replaced {
        renamed.append(.init("replacesRecord", .string(replaced.description)))
      }
      return PropertyList.Entry(Record.Key.own, .dictionary(renamed))
    }
    return PropertyList.dictionary(entries).document
  }

  /// What a record says of the change that it came with.
  fileprivate static let keysOfChange: Set<String> = [
    "replaces", "replacesRecord", "newVersions", Record.Key.staged,
  ]
}

extension PropertyList.Entry {
  /// One of Safelight's own keys in a record whose files have other names; `nil` when it goes.
  fileprivate func renamed(
    for original: FilePath, _ names: [FilePath: FilePath]
  ) -> PropertyList.Entry? {
    switch key {
    case "original": PropertyList.Entry(key, value.renamed { _ in original })
    case "versions": PropertyList.Entry(key, value.renamingVersions(names))
    case _ where FileRole.Kind.recordKeys.contains(key):
      PropertyList.Entry(key, value.renamed { names[$0] ?? $0 })
    case _ where LoadedRecord.keysOfChange.contains(key): nil
    default: self
    }
  }
}

extension PropertyList {
  /// Versions whose renders have other names; all else that is said of them stays.
  fileprivate func renamingVersions(_ names: [FilePath: FilePath]) -> PropertyList {
    changing(nil) { version in
      version.changing(Record.Key.own) { own in
        FileRole.single.reduce(own) { own, role in
          own.changing(role.kind.key) { $0.renamed { names[$0] ?? $0 } }
        }
      }
    }
  }

  /// A dictionary with the value of a key changed; `nil` changes all.
  private func changing(
    _ key: String?, _ change: (PropertyList) -> PropertyList
  ) -> PropertyList {
    guard let entries else { return self }
    return .dictionary(
      entries.map { key == nil || $0.key == key ? .init($0.key, change($0.value)) : $0 })
  }

  /// A recorded file under another name, with everything else that is said of it.
  fileprivate func renamed(_ newName: (FilePath) -> FilePath) -> PropertyList {
    guard let entries, let file = try? RecordedFile(RecordDictionary(self)) else { return self }
    let keys: Set = ["name", "nameBytes"]
    let renamed = RecordedFile(name: newName(file.name), size: file.size, sha256: file.sha256)
    return .dictionary(
      renamed.entries.filter { keys.contains($0.key) }
        + entries.filter { !keys.contains($0.key) })
  }
}
