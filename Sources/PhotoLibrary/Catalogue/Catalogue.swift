import FoundationEssentials
import PhotoEditing
import Synchronization

/// The one writer of a catalogue's file in this process.
///
/// SQLite with a write-ahead log: readers never wait for it, nor it for them. A change set is one
/// transaction that is on the disk when ``change(_:)`` returns.
actor Catalogue {
  /// The catalogue's file.
  nonisolated let path: FilePath
  /// Names this process in the history of changes.
  nonisolated let origin = UUID().uuidString
  let database: Database

  /// Opens a catalogue, or makes it, and brings it to the newest form.
  ///
  /// - Throws: ``PhotoLibraryError``. A catalogue of a newer program is not touched.
  init(_ path: FilePath) throws(PhotoLibraryError) {
    self.path = path
    do {
      database = try Database(path, .create)
      try Self.prepare(database)
    } catch {
      throw PhotoLibraryError(error, path)
    }
    do {
      try Schema.migrations.run(on: database)
    } catch {
      switch error {
      case .newer(let unknown): throw .newerCatalogue(path, unknown: unknown)
      case .database(let error): throw PhotoLibraryError(error, path)
      }
    }
  }

  /// Sets a connection up for writing.
  static func prepare(_ database: Database) throws(DatabaseError) {
    // A catalogue that cannot be read must be told before anything is written to it.
    let _: Int? = try database.value("SELECT count(*) FROM sqlite_schema")
    try database.run(
      script: """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        PRAGMA foreign_keys = ON;
        PRAGMA cache_size = -16384;
        PRAGMA trusted_schema = OFF;
        """)
  }

  /// What a change set did to one object.
  struct ChangedObject: Sendable, Hashable {
    enum Kind: Int, Sendable { case asset, album, list }
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
  /// - Throws: ``PhotoLibraryError``; the catalogue is as it was then.
  @discardableResult
  func change(
    at date: Date = Date(),
    _ work: (Database) throws(PhotoLibraryError) -> [ChangedObject]
  ) throws(PhotoLibraryError) -> Int64? {
    let (database, path, origin) = (database, path, origin)
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
