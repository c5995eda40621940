import FoundationEssentials
import Glibc
import PhotoEditing
import SafelightCatalog
import SafelightFiles
import SafelightMetadata
import SafelightStorage

/// A move of files that a change set decided. The catalog stores it in the change set's transaction.
///
/// The files move after the transaction. When the process ends before that, the next opening of the
/// library moves them. A move can be repeated at any time, and never replaces a file.
struct FileMove: Sendable {
  enum Kind: Int, Sendable {
    /// One staged file, to its place.
    case intoPlace = 0
    /// An original and everything that belongs to it, into a folder of their own.
    case intoTrash = 1
    /// The staged edit of a photo: `source` is the photo, `target` the SHA-256 of the hidden record.
    case edit = 2
  }

  let kind: Kind
  let source: FilePath
  let target: [UInt8]

  init(_ kind: Kind, from source: FilePath, to target: [UInt8]) {
    (self.kind, self.source, self.target) = (kind, source, target)
  }

  /// The folder, beside originals, for assets that were in the trash when it was emptied.
  static let trashFolder: FilePath = ".safelight-trash"

  /// Whether the move stays where the library's moves are: from the staged files to the originals, or
  /// from a folder to the trash in it. A catalog that somebody else wrote may name any file.
  ///
  /// - Parameter originals: The library's folder of originals.
  private func isConfined(to originals: FilePath) -> Bool {
    let target = FilePath(bytes: target)
    guard !source.hasParentComponent, kind == .edit || !target.hasParentComponent else {
      return false
    }
    return switch kind {
    case .intoPlace: source.isInside(Stage.folder(in: originals)) && target.isInside(originals)
    case .intoTrash:
      target.removingLastComponent()
        == source.removingLastComponent().appending(Self.trashFolder)
    case .edit: true
    }
  }

  /// Makes the move.
  ///
  /// - Parameter originals: The library's folder of originals.
  fileprivate func perform(in originals: FilePath, _ fileSystem: FileSystem) throws {
    guard isConfined(to: originals) else {
      throw FileSystemError(.init(.rename, source), errno: EXDEV)
    }
    switch kind {
    case .intoPlace: try place(at: FilePath(bytes: target), from: originals, fileSystem)
    case .intoTrash: try trash(into: FilePath(bytes: target), fileSystem)
    case .edit:
      guard target.count == 32 else { return }
      try PhotoFiles(source, fileSystem: fileSystem).makeHeldChange(
        writtenAs: Digest(bytes: target), timeout: .zero)
    }
  }

  private func place(
    at target: FilePath, from originals: FilePath, _ fileSystem: FileSystem
  ) throws(FileSystemError) {
    guard let name = source.lastComponent, let newName = target.lastComponent else { return }
    let isStaged = try fileSystem.exists(source)
    let isPlaced = try fileSystem.exists(target)
    guard isStaged || isPlaced else { return }
    // Folder by folder, so that no symbolic link leads out of the originals.
    let top = try Folder(originals, fileSystem)
    let folder = try top.folder(at: target.removingLastComponent(), making: true)
    if isStaged {
      let stage = try top.folder(at: source.removingLastComponent())
      try Self.move(name, from: stage, to: newName, in: folder)
    }
    // A process that died may have moved the file and not flushed the folder. When the move is
    // forgotten, a staged file that comes back after a power cut would be removed.
    try folder.sync()
  }

  /// Gives a file its place. After an interrupted move the same file may have both names.
  private static func move(
    _ name: FilePath, from folder: Folder, to newName: FilePath, in target: Folder
  ) throws(FileSystemError) {
    guard try !folder.rename(name, to: newName, in: target, replacing: false) else { return }
    guard let old = try folder.status(of: name),
      try target.status(of: newName)?.isSameFile(as: old) == true
    else { throw FileSystemError(.init(.rename, target.path.appending(newName)), errno: EEXIST) }
    try folder.remove(name)
  }

  /// Moves the original last, so that an interrupted move finds the rest by the original. A symbolic
  /// link to the photo, in another folder, stays and then leads nowhere.
  private func trash(into target: FilePath, _ fileSystem: FileSystem) throws {
    guard try fileSystem.statusFollowingLinks(of: source) != nil else {
      // A process that died may have moved the photo and not flushed the folders.
      guard try fileSystem.exists(target) else { return }
      let parent = try Folder(source.removingLastComponent(), fileSystem)
      try parent.folder(at: target, making: true).sync()
      return try parent.sync()
    }
    // A file that is no photo stays: whoever wrote the catalog may have named any file.
    let file = try fileSystem.openForReading(source)
    let header = HeaderBytes(file, size: Int(try fileSystem.status(of: file).size))
    guard PhotoFormat.recognized(in: header) != nil else { return }
    let parent = try Folder(source.removingLastComponent(), fileSystem)
    let trash = try parent.folder(at: target, making: true)
    let transaction = try PhotoFiles(source, fileSystem: fileSystem).begin(timeout: .seconds(30))
    defer { transaction.end() }
    let snapshot = transaction.snapshot
    let original = snapshot.original.path
    let folder = try Folder(original.removingLastComponent(), fileSystem)
    func flush() throws(FileSystemError) {
      try trash.sync()
      try folder.sync()
    }
    // A disk may keep a rename and lose those before it. The sidecar, which names the other files,
    // goes when they have gone, and the original when the sidecar has.
    for paths in [snapshot.paths, [snapshot.recordPath], [original]] {
      var isMoved = false
      for name in paths.compactMap(\.lastComponent) where try folder.contains(name) {
        try Self.move(name, from: folder, to: name, in: trash)
        isMoved = true
      }
      // The original may have been moved before a crash, so its folder is flushed in any case.
      if isMoved || paths == [original] { try flush() }
    }
  }
}

extension PhotoLibrary {
  /// Makes the decided moves of some kinds. A move that fails stays in the catalog for the next time:
  /// a disk that is full or missing now may be back later.
  ///
  /// - Parameter kinds: ``FileMove/Kind/edit`` is safe at any time, since the photo's lock excludes other
  ///   processes; the others need the lock of the folder of originals.
  func finishFileMoves(_ kinds: Set<FileMove.Kind>) async throws(PhotoLibraryError) {
    let moves = try await catalog.fileMoves().filter { kinds.contains($0.move.kind) }
    var done: [Int64] = []
    var edited: [FilePath] = []
    for (row, move) in moves {
      do { try move.perform(in: originals, fileSystem) } catch { continue }
      done.append(row)
      if move.kind == .edit { edited.append(move.source) }
    }
    // A staged edit that had to be dropped left the catalog with an edit that does not exist.
    if !edited.isEmpty {
      _ = try await indexer.inspect(at: edited, thoroughly: false) { [weak self] token in
        self?.didChange(token)
      }
    }
    try await catalog.removeFileMoves(done)
  }

  /// Makes the moves that a process decided and did not make, and removes files that were staged and
  /// never decided.
  func recoverFileMoves() throws(PhotoLibraryError) {
    let isFinished = try snapshots.now().read { (database) throws(DatabaseError) in
      try database.hasNoFileMoves()
    }
    if isFinished, !Stage.isPresent(in: originals, fileSystem) { return }
    try waitForResult { await self.recovered() }.get()
  }

  private func recovered() async -> Result<Void, PhotoLibraryError> {
    do throws(PhotoLibraryError) {
      try await finishFileMoves([.edit])
      guard (try? fileSystem.exists(originals)) == true,
        let lock = try OriginalsLock(originals, waiting: false, fileSystem)
      else { return .success(()) }
      defer { lock.release() }
      // Staged files without a move belong to change sets that were never decided.
      try await finishFileMoves([.intoPlace, .intoTrash])
      if try await catalog.hasNoFileMoves() { Stage.removeAll(in: lock.folder) }
      return .success(())
    } catch {
      return .failure(error)
    }
  }
}

extension Database {
  /// Whether all decided moves are made, those of newer programs included.
  fileprivate func hasNoFileMoves() throws(DatabaseError) -> Bool {
    try value("SELECT count(*) FROM fileMove") == 0
  }
}

extension Catalog {
  fileprivate func hasNoFileMoves() throws(PhotoLibraryError) -> Bool {
    try read { (database) throws(DatabaseError) in try database.hasNoFileMoves() }
  }

  fileprivate func fileMoves() throws(PhotoLibraryError) -> [(row: Int64, move: FileMove)] {
    try read { (database) throws(DatabaseError) in
      try database.rows("SELECT id, kind, source, target FROM fileMove ORDER BY id") { row in
        FileMove.Kind(rawValue: row[1]).map {
          (row[0], FileMove($0, from: FilePath(bytes: row[2] as [UInt8]), to: row[3]))
        }
      }.compactMap(\.self)
    }
  }

  fileprivate func removeFileMoves(_ rows: [Int64]) throws(PhotoLibraryError) {
    try removeFileMoves(where: "id = ?", rows.map { [$0] })
  }

  /// Removes moves that were made.
  func removeFileMoves(of made: [FileMove]) throws(PhotoLibraryError) {
    try removeFileMoves(
      where: "kind = ? AND source = ? AND target = ?",
      made.map { [$0.kind.rawValue, $0.source.bytes, $0.target] })
  }

  private func removeFileMoves(
    where condition: String, _ moves: [[any DatabaseConvertible]]
  ) throws(PhotoLibraryError) {
    guard !moves.isEmpty else { return }
    let path = path
    try change { (database) throws(PhotoLibraryError) in
      do throws(DatabaseError) {
        for values in moves {
          try database.run("DELETE FROM fileMove WHERE \(condition)", values: values)
        }
      } catch {
        throw PhotoLibraryError(error, path)
      }
      return []
    }
  }
}
