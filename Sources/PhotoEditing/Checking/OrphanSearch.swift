import Glibc
import SafelightFiles
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
