import Dispatch
import FoundationEssentials
import Glibc
import SafelightCSQLite
import SafelightFiles
import Synchronization

/// Why a catalog cannot be opened.
package enum CatalogError: Error, Equatable {
  /// A newer program changed the tables; these are the names of its migrations.
  case newer([String])
  /// An older program wrote the tables, and the catalog was opened only to be read.
  case older
  /// The file or a file beside it cannot be used; the text says why.
  case unusable(FilePath, String)
  case database(DatabaseError)
}

/// Does work with a catalog, of which SQLite's errors become the catalog's.
func withCatalogErrors<Result>(_ work: () throws -> Result) throws(CatalogError) -> Result {
  do { return try work() } catch {
    throw (error as? DatabaseError).map(CatalogError.database) ?? error as? CatalogError
      ?? .database(.damaged("\(error)"))
  }
}

/// The one writer of a catalog's file in this process.
///
/// SQLite writes to a log first, so readers never wait for the writer, and the writer never waits for
/// readers. A change set is one transaction, which is on the disk when ``perform(at:_:)`` returns. The
/// work is done on a thread of its own, because SQLite waits for the disk and for other processes.
package actor Catalog {
  /// The catalog's file.
  package nonisolated let path: FilePath
  /// Names this process in the history of changes.
  package nonisolated let origin = UUID().uuidString
  /// The export beside the catalog; `nil` while a rebuild fills a new catalog.
  package nonisolated let export: ExportJournal?

  private let database: Database
  /// Whether the catalog is only read, so that ``perform(at:_:)`` throws.
  package nonisolated let isReadOnly: Bool
  /// The file that was opened. When another file gets its name, changes of this file would be lost.
  private let inode: UInt64?

  private nonisolated let executor = CatalogExecutor()
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Opens a catalog, or makes it, and does the missing migrations. A catalog of a newer program is not
  /// touched.
  ///
  /// - Parameter readOnly: Whether the catalog is only read: no table, no row and no export is changed.
  package init(
    _ path: FilePath, export: ExportJournal? = nil, readOnly: Bool = false
  ) throws(CatalogError) {
    self.path = path
    self.export = export
    isReadOnly = readOnly
    try Self.checkPlace(path)
    try Self.checkContent(path, export)
    try Self.checkUntouched(path)
    let log = path.suffixed("-wal").status
    if readOnly {
      database = try withCatalogErrors { try Self.openedToRead(path, log) }
      inode = path.status?.inode
      return
    }
    // SQLite would let everybody read a new file.
    if path.status == nil { _ = try? FileSystem.real.createExclusive(path, mode: 0o600) }
    database = try withCatalogErrors { try Self.openedToWrite(path, log) }
    inode = path.status?.inode
    try Schema.migrations.run(on: database)
    export?.update(from: database, path)
  }

  private static func openedToWrite(_ path: FilePath, _ log: FileStatus?) throws -> Database {
    let database = try Database(path, .create)
    try prepare(database)
    try Schema.check(database)
    if try checkAfterCrash(database, path, log) {
      // The log is empty from now on, so that the next opening does not check again.
      let _: Int? = try database.value("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    return database
  }

  /// Opens a catalog of which nothing is to be changed.
  private static func openedToRead(_ path: FilePath, _ log: FileStatus?) throws -> Database {
    let database = try connection(path)
    try Schema.check(database)
    try checkAfterCrash(database, path, log)
    guard try Schema.migrations.missing(in: database).isEmpty else { throw CatalogError.older }
    return database
  }

  /// A connection that changes no table and no row. SQLite may still empty its own log (`-wal`) when the connection
  /// closes, where the disk allows that.
  private static func connection(_ path: FilePath) throws(DatabaseError) -> Database {
    let database: Database
    do throws(DatabaseError) { database = try Database(path, .write) } catch {
      guard error.isReadOnly || error.isUnopenable else { throw error }
      return try Database.toRead(path)
    }
    try database.run(script: "PRAGMA query_only = ON")
    return database
  }

  /// An empty catalog in memory, in place of the one of a library that cannot be opened. It takes no changes.
  package init(insteadOf path: FilePath) throws(CatalogError) {
    self.path = path
    (export, inode, isReadOnly) = (nil, nil, true)
    database = try withCatalogErrors { try Database(":memory:", .create) }
    try Schema.migrations.run(on: database)
  }

  /// Throws for a file that was cut off while there is an export of what it held. SQLite takes such a file
  /// for a new catalog, and the export would then be written again without anything in it.
  private static func checkContent(
    _ path: FilePath, _ export: ExportJournal?
  ) throws(CatalogError) {
    // No file of SQLite is shorter.
    guard let size = path.status?.size, size < 512, let export else { return }
    let exported = [export.whole, export.journal].compactMap { $0.status?.size }.max() ?? 0
    if exported > 0 { throw .database(.damaged("it was cut off after \(size) bytes")) }
  }

  /// Throws for a catalog on a network disk, and when something other than a file has the name of one of its
  /// files: SQLite would wait at a pipe for ever.
  private static func checkPlace(_ path: FilePath) throws(CatalogError) {
    for ending in ["", "-wal", "-shm", "-journal"] {
      let file = path.suffixed(ending)
      guard let kind = file.status?.kind else { continue }
      // Whoever packed the library would choose the file that a link leads to.
      if kind == .symbolicLink {
        throw .unusable(file, "it is a symbolic link, which no file of a library may be")
      }
      guard kind == .file else { throw .unusable(file, "it is no ordinary file") }
    }
    if let disk = FileSystem.real.networkDisk(of: path.removingLastComponent()) {
      throw .unusable(path, refusal(of: disk))
    }
  }

  /// Why no catalog may be on a disk of a network.
  static func refusal(of disk: String) -> String {
    """
    it is on a network disk (\(disk)), on which SQLite's locks and log do not protect it. Keep the library on \
    a disk of this computer; the photos may stay where they are
    """
  }

  /// When the system was started, in seconds since 1970 UTC.
  private static let startOfSystem: Double = {
    var (now, running) = (timespec(), timespec())
    clock_gettime(CLOCK_REALTIME, &now)
    clock_gettime(CLOCK_BOOTTIME, &running)
    return Double(now.tv_sec - running.tv_sec)
  }()

  /// The largest file in bytes that is checked after a crash. A catalog of 100,000 photos has 67 MB, and its
  /// check takes 0.3 seconds.
  private static let largestChecked: Int64 = 512 << 20

  /// Has SQLite check the whole file. SQLite survives the end of a process, and of the machine too when the
  /// disk keeps what it promised. So this is done only when the log is older than the system's start: then
  /// the machine went down while the catalog was open.
  ///
  /// - Parameter log: SQLite's log beside the catalog (`-wal`), as it was before the catalog was opened.
  /// - Returns: Whether the file was checked.
  @discardableResult
  private static func checkAfterCrash(
    _ database: Database, _ path: FilePath, _ log: FileStatus?
  ) throws(DatabaseError) -> Bool {
    guard let log, log.size > 0, log.modified.inSeconds < startOfSystem,
      path.status?.size ?? 0 <= largestChecked
    else { return false }
    if let damage = try database.rows("PRAGMA quick_check(1)", element: { $0[0] as String }).first,
      damage != "ok"
    {
      throw .damaged(damage)
    }
    return true
  }

  /// Throws for a catalog of a newer program and for a file that is no catalog, before anything is
  /// written to the file or beside it.
  private static func checkUntouched(_ path: FilePath) throws(CatalogError) {
    guard let file = path.status, file.size > 0 else { return }
    // Perhaps only the log has the changes of a newer program. Reading does not change the log.
    let modes: [Database.Mode] = path.hasLog ? [.untouched, .read] : [.untouched]
    for mode in modes {
      do throws(CatalogError) {
        _ = try Schema.migrations.missing(
          in: withCatalogErrors { try mode == .read ? .toRead(path) : Database(path, mode) })
      } catch {
        // While another process moves its log into the file, the file alone may be between two states.
        if case .database = error, mode == .untouched, modes.count > 1 { continue }
        throw error
      }
    }
  }

  /// Makes a connection ready to write.
  package static func prepare(_ database: Database) throws(DatabaseError) {
    // A file that is no catalog must fail here, before anything is written to it.
    let _: Int? = try database.value("SELECT count(*) FROM sqlite_schema")
    let log: String? = try database.value("PRAGMA journal_mode = WAL")
    guard log == "wal" else {
      throw DatabaseError(
        code: SQLITE_CANTOPEN, message: "SQLite cannot keep its log on this disk")
    }
    // After a long change set the log shrinks again.
    let _: Int? = try database.value("PRAGMA journal_size_limit = 16777216")
    try database.run(
      script: """
        PRAGMA synchronous = FULL;
        PRAGMA foreign_keys = ON;
        PRAGMA cache_size = -16384;
        """)
  }

  /// An object that a change set changed.
  package struct ChangedObject: Sendable, Hashable {
    /// The kinds of objects. A client is changed when its access is; nobody fetches clients.
    package enum Kind: Int, Sendable { case asset, album, list, client }
    package enum How: Int, Sendable { case inserted, updated, deleted }

    package let kind: Kind
    package let identifier: String
    package let how: How
    /// Whether the pixels that are shown changed.
    package var contentChanged: Bool

    package init(kind: Kind, identifier: String, how: How, contentChanged: Bool = false) {
      (self.kind, self.identifier) = (kind, identifier)
      (self.how, self.contentChanged) = (how, contentChanged)
    }
  }

  /// Performs a change set and adds it to the history, in one transaction. `work` must not wait for other
  /// files or processes.
  ///
  /// - Parameter work: Writes, and returns the objects that it changed; for an empty list the history gets no entry.
  /// - Returns: The token of the change set; `nil` when the history got no entry.
  /// - Throws: ``DatabaseError``, or what the work throws.
  package func perform(
    at date: Date = Date(), _ work: (Database) throws -> [ChangedObject]
  ) throws -> Int64? {
    guard !isReadOnly else { throw DatabaseError.openedToRead }
    guard let inode, path.status?.inode == inode else { throw DatabaseError.replaced }
    let (database, path, origin) = (database, path, origin)
    // An export that cannot be written does not undo the change set.
    defer { export?.update(from: database, path) }
    return try database.transaction {
      try Self.append(work(database), to: database, at: date, by: origin)
    }
  }

  /// Adds a change set to the history, in the change set's transaction.
  package static func append(
    _ changed: [ChangedObject], to database: Database, at date: Date, by origin: String
  ) throws(DatabaseError) -> Int64? {
    guard !changed.isEmpty else { return nil }
    try database.forgetExported()
    try database.run("INSERT INTO change (date, origin) VALUES (?, ?)", date, origin)
    let token = database.lastInsertedRow
    for object in changed {
      try database.run(
        """
        INSERT OR REPLACE INTO changedObject (token, kind, identifier, how, contentChanged)
        VALUES (?, ?, ?, ?, ?)
        """, token, object.kind.rawValue, object.identifier, object.how.rawValue,
        object.contentChanged)
    }
    return token
  }

  /// Reads the state after the last change set.
  package func withDatabase<Result, Failure: Error>(
    _ work: (Database) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try work(database)
  }

  /// Does work with the catalog while the calling thread waits. The catalog's own thread must not call it.
  package nonisolated func wait<Result: Sendable, Failure: Error>(
    _ work: @Sendable (isolated Catalog) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try executor.queue.sync {
      assumeIsolated { catalog in
        Swift.Result { () throws(Failure) in try work(catalog) }
      }
    }.get()
  }
}

/// Runs the catalog's work on a thread of its own, one piece after the other.
private final class CatalogExecutor: SerialExecutor {
  let queue = DispatchQueue(label: "org.safelight.catalog", qos: .userInitiated)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}

/// A catalog as it was at one moment, for as long as anybody refers to it.
///
/// It has its own connection with an open read transaction, which does not see later changes. Fetch results
/// read their pages from it on demand, on any thread.
package final class ReadTransaction: Sendable {
  /// The token of the last change set that the transaction sees; 0 before the first.
  package let token: Int64
  private let database: Mutex<Database>

  /// - Parameter reader: The identifier of the client that reads; empty for the owner.
  package init(_ path: FilePath, for reader: String = "") throws(DatabaseError) {
    let database = try Database.toRead(path, for: reader)
    try database.run(script: "PRAGMA cache_size = -8192; BEGIN")
    try database.addTextMatches()
    // The first read begins the transaction.
    token = try database.lastToken()
    self.database = Mutex(database)
  }

  /// Reads from the catalog; one thread at a time.
  package func read<Result, Failure: Error>(
    _ work: (Database) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try database.withLock { (database) throws(Failure) in try work(database) }
  }
}

extension Database {
  /// The token of the last change set; 0 before the first. SQLite counts tokens from 1; those of a damaged catalog may
  /// be any numbers, and sums with them could overflow.
  package func lastToken() throws(DatabaseError) -> Int64 {
    max(0, try value("SELECT coalesce(max(token), 0) FROM change") ?? 0)
  }
}

extension FilePath {
  /// The status of the path's own file, links not followed; `nil` when there is none or it cannot be read.
  package var status: FileStatus? { try? FileSystem.real.status(of: self) }

  /// The absolute path to which this path leads, links followed; `nil` when there is none.
  package var resolved: FilePath? { try? FileSystem.real.resolve(self) }

  /// The absolute path, links followed as far as it leads somewhere: a path that is gone is the one that it was.
  package var resolvedAsFarAsPossible: FilePath {
    if let resolved { return resolved }
    let path = absolute
    guard let name = path.lastComponent else { return path }
    let folder = path.removingLastComponent().resolvedAsFarAsPossible
    return switch name {
    case ".": folder
    case "..": folder.removingLastComponent()
    default: folder.appending(name)
    }
  }

  /// Whether SQLite has a log beside the path's file that may have later changes.
  package var hasLog: Bool { suffixed("-wal").status?.size ?? 0 > 0 }

  /// Whether the path itself is a folder, and no link to one.
  package var isFolder: Bool { status?.kind == .folder }
}
