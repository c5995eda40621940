import FoundationEssentials
import PhotoEditing
import Synchronization

/// The one writer of a catalog's file in this process.
///
/// SQLite with a write-ahead log: readers never wait for it, nor it for them. A change set is one
/// transaction that is on the disk when ``change(_:)`` returns.
actor Catalog {
  /// The catalog's file.
  nonisolated let path: FilePath
  /// Names this process in the history of changes.
  nonisolated let origin = UUID().uuidString
  let database: Database
  /// Writes beside it what only it knows; `nil` while a catalog is being made again.
  nonisolated let export: ExportJournal?

  /// Opens a catalog, or makes it, and brings it to the newest form.
  ///
  /// - Throws: ``PhotoLibraryError``. A catalog of a newer program is not touched.
  init(_ path: FilePath, export: ExportJournal? = nil) throws(PhotoLibraryError) {
    self.path = path
    self.export = export
    try Self.checkUntouched(path)
    do {
      database = try Database(path, .create)
      try Self.prepare(database)
    } catch {
      throw PhotoLibraryError(error, path)
    }
    do {
      try Schema.migrations.run(on: database)
    } catch {
      throw Self.error(error, path)
    }
    export?.update(from: database, path)
  }

  /// Throws for a catalog of a newer program, or a file that is none, before anything touches it
  /// or leaves a log beside it.
  private static func checkUntouched(_ path: FilePath) throws(PhotoLibraryError) {
    guard let file = FileTrace(path), file.size > 0 else { return }
    let log = FileTrace(FilePath(bytes: path.bytes + Array("-wal".utf8)))
    // What a newer program did may still stand in the log alone; reading that leaves it as it is.
    let modes: [Database.Mode] = (log?.size ?? 0) > 0 ? [.untouched, .read] : [.untouched]
    for mode in modes {
      do {
        let database: Database
        do { database = try Database(path, mode) } catch {
          throw Migrations.Failure.database(error)
        }
        try Schema.migrations.check(database)
      } catch let failure as Migrations.Failure {
        // While another process writes the file back, the file alone may be between two states.
        if case .database = failure, mode == .untouched, modes.count > 1 { continue }
        throw error(failure, path)
      } catch {
        throw .catalog(path, detail: "\(error)")
      }
    }
  }

  private static func error(_ failure: Migrations.Failure, _ path: FilePath) -> PhotoLibraryError {
    switch failure {
    case .newer(let unknown): .newerCatalog(path, unknown: unknown)
    case .database(let error): PhotoLibraryError(error, path)
    }
  }

  /// Sets a connection up for writing.
  static func prepare(_ database: Database) throws(DatabaseError) {
    // A catalog that cannot be read must be told before anything is written to it.
    let _: Int? = try database.value("SELECT count(*) FROM sqlite_schema")
    // The schema must be trusted: SQLite 3.40 takes FTS5, in which triggers write names, for unsafe.
    try database.run(
      script: """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        PRAGMA foreign_keys = ON;
        PRAGMA cache_size = -16384;
        """)
  }

  /// What a change set did to one object.
  struct ChangedObject: Sendable, Hashable {
    /// A client changes with what it may see and do, which is no object that anybody fetches.
    enum Kind: Int, Sendable { case asset, album, list, client }
    enum How: Int, Sendable { case inserted, updated, deleted }

    let kind: Kind
    let identifier: String
    let how: How
    var contentChanged = false
  }

  /// Does a change set: everything in `work` happens, or nothing, and the history says what.
  ///
  /// - Parameter work: Writes, and returns what it did; an empty list leaves no trace in the history.
  /// - Returns: The token of the change set; `nil` when there was nothing to do.
  /// - Throws: ``PhotoLibraryError``; the catalog is as it was then.
  @discardableResult
  func change(
    at date: Date = Date(),
    _ work: (Database) throws(PhotoLibraryError) -> [ChangedObject]
  ) throws(PhotoLibraryError) -> Int64? {
    let (database, path, origin) = (database, path, origin)
    // The change is done, whatever comes of this.
    defer { export?.update(from: database, path) }
    return try database.transaction { () throws(PhotoLibraryError) -> Int64? in
      try Self.append(try work(database), to: database, at: date, by: origin, path)
    } failing: { error in
      PhotoLibraryError(error, path)
    }
  }

  /// Adds what a change set did to the history; part of its transaction.
  ///
  /// - Returns: The token of the change set; `nil` when it did nothing.
  static func append(
    _ changed: [ChangedObject], to database: Database, at date: Date, by origin: String,
    _ path: FilePath
  ) throws(PhotoLibraryError) -> Int64? {
    guard !changed.isEmpty else { return nil }
    do throws(DatabaseError) {
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
    } catch {
      throw PhotoLibraryError(error, path)
    }
  }

  /// Reads what the last change set left.
  func read<Result>(
    _ work: (Database) throws(DatabaseError) -> Result
  ) throws(PhotoLibraryError) -> Result {
    do { return try work(database) } catch { throw PhotoLibraryError(error, path) }
  }
}
