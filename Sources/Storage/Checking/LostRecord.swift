/// What is left of an asset whose original is not where its record is.
package struct LostRecord: Sendable {
  /// Where the original should be, in the record's folder.
  package let photo: FilePath
  /// The sidecar, or the pending record that takes its place.
  package let path: FilePath
  /// Whether a change was decided and not finished.
  package let isPending: Bool
  /// What the record says; `nil` when all it says is that an edit is to go.
  package let record: Record?
  /// Hidden files of changes that were never decided.
  package let leftovers: [FilePath]

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
    let isPending = loaded.path == names.pending
    var record: Record?
    if case .commit(let decided) = try loaded.change() { record = decided }
    let leftovers = isPending ? [] : try names.presentStaged(fileSystem)
    return LostRecord(
      photo: photo, path: loaded.path, isPending: isPending, record: record,
      leftovers: leftovers)
  }

  /// The photo that a pending record is about, when the record says so and the names agree.
  ///
  /// - Parameter path: The pending record.
  package static func photo(
    ofPendingRecordAt path: FilePath, _ fileSystem: FileSystem
  ) throws(StorageError) -> FilePath? {
    guard let loaded = try LoadedRecord.load(path, fileSystem),
      case .commit(let record)? = try? loaded.change(), let name = record.original?.name
    else { return nil }
    let photo = path.removingLastComponent().appending(name)
    return PhotoNames(photo).pending == path ? photo : nil
  }
}

extension LoadedRecord {
  /// The record that counts: the pending one when a change was decided, else the sidecar.
  static func load(
    around names: PhotoNames, _ fileSystem: FileSystem
  ) throws(StorageError) -> LoadedRecord? {
    if let pending = try load(names.pending, fileSystem) { return pending }
    return try load(names.record, fileSystem)
  }
}

extension FilePath {
  /// The original that a sidecar's path is for; `nil` for names that no sidecar has.
  package var originalOfRecord: FilePath? {
    let suffix = PhotoNames.recordSuffix.utf8
    guard let name = lastComponent, name.bytes.count > suffix.count,
      name.bytes.suffix(suffix.count).elementsEqual(suffix)
    else { return nil }
    return FilePath(bytes: bytes.dropLast(suffix.count))
  }

  /// The sidecar of the original at this path.
  package var recordPath: FilePath { suffixed(PhotoNames.recordSuffix) }
}
