import FoundationEssentials
import Glibc
import PhotoEditing
import SafelightCatalog
import SafelightFiles

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

  /// The photo or file that is moved or edited.
  var subject: FilePath { kind == .intoPlace ? FilePath(bytes: target) : source }

  /// Whether the move stays where the library's moves are: from the staged files to the originals, or from a folder
  /// of the library to the trash in it.
  ///
  /// - Parameters:
  ///   - originals: The library's folder of originals.
  ///   - folders: The folders of the library's photos.
  private func isConfined(to originals: FilePath, _ folders: Set<FilePath>) -> Bool {
    let target = FilePath(bytes: target)
    guard !source.hasParentComponent, kind == .edit || !target.hasParentComponent else {
      return false
    }
    let folder = source.removingLastComponent()
    return switch kind {
    case .intoPlace: source.isInside(Stage.folder(in: originals)) && target.isInside(originals)
    case .intoTrash:
      folders.contains(folder) && UUID(uuidString: target.lastComponent?.string ?? "") != nil
        && target.removingLastComponent() == folder.appending(Self.trashFolder)
    case .edit: folders.contains(folder)
    }
  }

  /// Makes the move.
  ///
  /// - Parameters:
  ///   - originals: The library's folder of originals.
  ///   - folders: The folders of the library's photos.
  fileprivate func perform(
    in originals: FilePath, among folders: Set<FilePath>, _ fileSystem: FileSystem
  ) throws {
    guard isConfined(to: originals, folders) else {
      throw FileSystemError(.init(.rename, source), errno: EXDEV)
    }
    switch kind {
    case .intoPlace: try place(at: FilePath(bytes: target), from: originals, fileSystem)
    case .intoTrash:
      try Photo(path: source).move(into: FilePath(bytes: target), through: fileSystem)
    case .edit:
      guard target.count == 32 else { return }
      try Photo(path: source).makeHeldChange(
        writtenAs: Digest(bytes: target), through: fileSystem)
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
    let library = try Folder(originals.removingLastComponent(), fileSystem)
    let top = try library.folder(at: originals)
    let folder = try top.folder(at: target.removingLastComponent(), making: true)
    if isStaged {
      let stage = try top.folder(at: source.removingLastComponent())
      try stage.move(name, to: newName, in: folder)
    }
    // A process that died may have moved the file and not flushed the folder. When the move is
    // forgotten, a staged file that comes back after a power cut would be removed.
    try folder.sync()
  }
}

extension PhotoLibrary {
  /// What an opening of a library found of changes of files that were decided and not finished, because a process or
  /// the machine ended.
  public struct Recovery: Sendable, Hashable {
    /// The photos and files of changes that the opening finished.
    public internal(set) var finished: [FilePath] = []
    /// Those of changes that this user decided and that are not finished: the library was opened only to be read, or
    /// a disk is missing.
    public internal(set) var waiting: [FilePath] = []
    /// Those of changes that the catalog asks for, and of which nothing proves that this user decided them on this
    /// computer. Nothing is moved: somebody else may have written the catalog.
    public internal(set) var unproven: [FilePath] = []

    /// Whether no change was interrupted.
    public var isEmpty: Bool { finished.isEmpty && waiting.isEmpty && unproven.isEmpty }
  }

  /// What opening the library found of changes that were not finished, and what waits since a later change of this process.
  public var recovery: Recovery { recoveryState.withLock(\.self) }

  /// Makes the decided moves of some kinds. A move that fails stays in the catalog for the next time: a disk that is
  /// full or missing now may be back later. So does a move that this user did not decide, for the one who did.
  ///
  /// - Parameters:
  ///   - kinds: ``FileMove/Kind/edit`` is safe at any time, since the photo's lock excludes other processes; the
  ///     others need the lock of the folder of originals.
  ///   - isAccepted: Whether moves without a proof are made too, because the user said so.
  /// - Returns: The photos and files of the moves that were made.
  @discardableResult
  func finishFileMoves(
    _ kinds: Set<FileMove.Kind>, acceptingAll isAccepted: Bool = false
  ) async throws(PhotoLibraryError) -> [FilePath] {
    let stored = try await catalog.fileMoves().filter { kinds.contains($0.move.kind) }
    guard !stored.isEmpty else { return [] }
    let folders = Set(try await catalog.folders().map(\.path))
    var done: [Int64] = []
    var made: [FilePath] = []
    var edited: [FilePath] = []
    for one in stored where isAccepted || one.isProven {
      do { try one.move.perform(in: originals, among: folders, fileSystem) } catch { continue }
      done.append(one.row)
      made.append(one.move.subject)
      if one.move.kind == .edit { edited.append(one.move.source) }
    }
    // A staged edit that had to be dropped left the catalog with an edit that does not exist.
    if !edited.isEmpty {
      _ = try await indexer.inspect(at: edited, thoroughly: false) { [weak self] token in
        self?.didChange(token)
      }
    }
    try await catalog.removeFileMoves(done)
    return made
  }

  /// Makes the moves that a process decided and did not make, and removes files that were staged and
  /// never decided.
  func recoverFileMoves() throws(PhotoLibraryError) {
    let isFinished = try snapshots.now().read { database in
      try database.hasNoFileMoves()
    }
    if isFinished, !Stage.isPresent(in: originals, fileSystem) { return }
    try waitForEnd { () async throws(PhotoLibraryError) in try await self.recover() }
    try noteFileMoves()
  }

  /// Does the same for a caller who can wait.
  func finishDecidedMoves() async throws(PhotoLibraryError) {
    try await recover()
    try noteFileMoves()
  }

  /// Looks which decided moves are not made, and makes none.
  ///
  /// - Parameter kinds: The kinds whose moves nobody has in hand; of the others, those that were known before stay.
  func noteFileMoves(
    _ kinds: Set<FileMove.Kind> = [.intoPlace, .intoTrash, .edit]
  ) throws(PhotoLibraryError) {
    let all = try snapshots.now().read { database in
      try database.fileMoves()
    }
    recoveryState.withLock { recovery in
      let known = Set(recovery.waiting + recovery.unproven)
      let stored = all.filter { kinds.contains($0.move.kind) || known.contains($0.move.subject) }
      func subjects(areProven: Bool) -> [FilePath] {
        Set(stored.filter { $0.isProven == areProven }.map(\.move.subject)).sorted(by: <)
      }
      recovery.waiting = subjects(areProven: true)
      recovery.unproven = subjects(areProven: false)
    }
  }

  /// Finishes changes of files that the catalog asks for although nothing proves that this user decided them on this
  /// computer, such as those of a library from another computer. Files move only in the library's own folders; the
  /// same catalog says which these are, so it may name any photo of the user. Show the user ``Recovery/unproven`` before.
  ///
  /// - Returns: The photos and files of the changes that were finished.
  /// - Throws: ``PhotoLibraryError``.
  @discardableResult
  public func finishUnprovenChanges() async throws(PhotoLibraryError) -> [FilePath] {
    try access.checkWhole()
    let made = try await finishFileMoves([.edit], acceptingAll: true)
    guard let lock = try OriginalsLock(originals, waiting: true, fileSystem) else {
      throw .busy(path)
    }
    defer { lock.release() }
    let moved = try await finishFileMoves([.intoPlace, .intoTrash], acceptingAll: true)
    try noteFileMoves()
    return made + moved
  }

  private func recover() async throws(PhotoLibraryError) {
    let edited = try await finishFileMoves([.edit])
    recoveryState.withLock { $0.finished = edited }
    // Nothing is reached over a symbolic link in the place of the folder.
    let kind = try? fileSystem.kind(of: originals)
    guard kind == nil || kind == .folder,
      try await catalog.hasProvenMovesOfFiles() || Stage.isPresent(in: originals, fileSystem),
      let lock = try OriginalsLock(originals, waiting: false, fileSystem)
    else { return }
    defer { lock.release() }
    // Staged files without a move belong to change sets that were never decided.
    let moved = try await finishFileMoves([.intoPlace, .intoTrash])
    recoveryState.withLock { $0.finished += moved }
    if try await catalog.hasNoFileMoves() { Stage.removeAll(in: lock.folder) }
  }
}

/// A move in the catalog.
struct StoredMove: Sendable {
  let row: Int64
  let move: FileMove
  /// Whether this user decided it on this computer.
  let isProven: Bool
}

extension Database {
  /// Whether all decided moves are made, those of newer programs included.
  fileprivate func hasNoFileMoves() throws(DatabaseError) -> Bool {
    try value("SELECT count(*) FROM fileMove") == 0
  }

  /// The catalog's identity, for seals.
  func identity() throws(DatabaseError) -> String {
    try value("SELECT identifier FROM identity") ?? ""
  }

  /// The decided moves that are not made, in their order.
  fileprivate func fileMoves() throws(DatabaseError) -> [StoredMove] {
    let identity = try self.identity()
    let secrets = LibrarySecret.user.known
    return try rows("SELECT id, kind, source, target, seal FROM fileMove ORDER BY id") { row in
      FileMove.Kind(rawValue: row[1]).map { kind in
        let move = FileMove(kind, from: FilePath(bytes: row[2] as [UInt8]), to: row[3])
        let seal: [UInt8]? = row[4]
        return StoredMove(
          row: row[0], move: move,
          isProven: secrets.contains { LibrarySecret.seal(move, of: identity, with: $0) == seal })
      }
    }.compactMap(\.self)
  }
}

extension Catalog {
  fileprivate func hasNoFileMoves() throws(PhotoLibraryError) -> Bool {
    try read { database in try database.hasNoFileMoves() }
  }

  fileprivate func hasProvenMovesOfFiles() throws(PhotoLibraryError) -> Bool {
    try fileMoves().contains { $0.move.kind != .edit && $0.isProven }
  }

  fileprivate func fileMoves() throws(PhotoLibraryError) -> [StoredMove] {
    try read { database in try database.fileMoves() }
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
    try update { database in
      for values in moves {
        try database.run("DELETE FROM fileMove WHERE \(condition)", values: values)
      }
    }
  }
}
