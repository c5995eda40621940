import FoundationEssentials
import Glibc
import PhotoEditing
import SafelightStorage

/// The moves of files that a change set decided on, written down in its transaction.
///
/// Whoever dies before they are done leaves them to the next that opens the library or moves files.
/// Each may be done again at any time, and none ever replaces a file.
struct FileMoves {
  enum Kind: Int {
    /// One file, from the stage to its place.
    case intoPlace
    /// An original and everything that belongs to it, into a folder of their own.
    case intoTrash
  }

  /// The name of the folder, beside originals, for what was in the trash when it was emptied.
  static let trashFolder: FilePath = ".safelight-trash"

  static let script = """
    -- Moves of files that are decided and perhaps not done: 0 one file into its place, 1 an original
    -- with all that belongs to it into a folder.
    CREATE TABLE fileMove (
      id INTEGER PRIMARY KEY,
      kind INTEGER NOT NULL,
      source BLOB NOT NULL,
      target BLOB NOT NULL
    ) STRICT;
    """

  private let database: Database
  private let path: FilePath

  init(_ database: Database, _ path: FilePath) {
    (self.database, self.path) = (database, path)
  }

  /// Does all moves that can be done; others stay written down.
  ///
  /// - Returns: Whether none is left.
  @discardableResult
  func carryOut() throws(PhotoLibraryError) -> Bool {
    do {
      let moves = try database.rows("SELECT id, kind, source, target FROM fileMove ORDER BY id") {
        (
          row: $0[0] as Int64, kind: Kind(rawValue: $0[1]),
          source: FilePath(bytes: $0[2] as [UInt8]),
          target: FilePath(bytes: $0[3] as [UInt8])
        )
      }
      var done: [Int64] = []
      for move in moves {
        do {
          switch move.kind {
          case .intoPlace: try Self.place(move.source, at: move.target)
          case .intoTrash: try Self.trash(move.source, into: move.target)
          case nil: continue
          }
          done.append(move.row)
        } catch {
          // A disk that is full or gone today may not be tomorrow.
          continue
        }
      }
      if !done.isEmpty {
        try database.transaction { () throws(DatabaseError) in
          for row in done { try database.run("DELETE FROM fileMove WHERE id = ?", row) }
        } failing: { error in
          error
        }
      }
      return done.count == moves.count
    } catch {
      throw PhotoLibraryError(error, path)
    }
  }

  private static func place(_ source: FilePath, at target: FilePath) throws {
    guard let staged = FileFacts(source, followingLinks: false) else { return }
    let folder = target.removingLastComponent()
    try FileSteps.createFolders(folder)
    if let there = FileFacts(target, followingLinks: false) {
      // The same file has both names when somebody died between the two steps below.
      guard there.isSame(as: staged) else { throw FileSteps.Refusal(errno: EEXIST) }
    } else {
      try FileSteps.link(source, to: target)
    }
    try FileSteps.sync(folder)
    try FileSteps.unlink(source)
  }

  /// Moves the original last, so that what is left of an interrupted move is found again.
  private static func trash(_ original: FilePath, into folder: FilePath) throws {
    guard original.leadsSomewhere else { return }
    try FileSteps.createFolders(folder)
    let transaction = try PhotoFiles(original).begin(timeout: .seconds(30))
    defer { transaction.end() }
    let snapshot = transaction.snapshot
    for file in snapshot.paths + [snapshot.recordPath, snapshot.original.path] {
      guard let name = file.lastComponent, FileFacts(file, followingLinks: false) != nil else {
        continue
      }
      try FileSteps.rename(file, to: folder.appending(name))
    }
    // A link to the photo in another folder stays, and leads nowhere now.
    try FileSteps.sync(folder)
    try FileSteps.sync(snapshot.original.path.removingLastComponent())
  }
}

extension PhotoLibrary {
  /// Does what a process that died had decided on, and removes what it had not.
  func finishFileMoves() throws(PhotoLibraryError) {
    guard originals.leadsSomewhere,
      let lock = try OriginalsLock(originals, waiting: false)
    else { return }
    defer { lock.release() }
    let isFinished: Bool
    do {
      let database = try Database(catalog.path, .write)
      isFinished = try FileMoves(database, path).carryOut()
    } catch let error as DatabaseError {
      throw PhotoLibraryError(error, catalog.path)
    } catch let error as PhotoLibraryError {
      throw error
    } catch {
      throw .catalog(path, detail: "\(error)")
    }
    // What no move leads out of belongs to change sets that never came about.
    if isFinished { Stage.removeAll(in: originals) }
  }
}
