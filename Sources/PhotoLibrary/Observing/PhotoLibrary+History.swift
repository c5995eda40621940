import FoundationEssentials

/// The history's own tables.
enum HistorySchema {
  /// Which catalog this is, and an end to the history: 30 days, and 100,000 change sets.
  static let script = """
    CREATE TABLE identity (identifier TEXT NOT NULL) STRICT;
    INSERT INTO identity VALUES (lower(hex(randomblob(16))));

    CREATE TRIGGER historyEnds AFTER INSERT ON change WHEN new.token % 256 = 0 BEGIN
      DELETE FROM change WHERE token <= new.token - 100000 OR token < (
        SELECT token FROM change WHERE date >= new.date - 2592000 ORDER BY token LIMIT 1);
    END;
    """
}

extension PhotoLibrary {
  /// The place in the history after the last change set, by whatever process.
  ///
  /// - Throws: ``PhotoLibraryError`` when the catalog cannot be read.
  public var currentChangeToken: PersistentChangeToken {
    get throws(PhotoLibraryError) {
      let snapshot = try snapshots.now()
      return PersistentChangeToken(catalog: try snapshot.identity(), number: snapshot.token)
    }
  }

  /// What happened since a token was taken, in this process or in others.
  ///
  /// The history goes back 30 days and 100,000 change sets at most.
  /// - Throws: ``PhotoLibraryError/persistentChangeTokenExpired`` when it does not go back to the
  ///   token, or the token is of another catalog: fetch everything anew and go on from
  ///   ``currentChangeToken``.
  public func fetchPersistentChanges(
    since token: PersistentChangeToken
  ) throws(PhotoLibraryError) -> PersistentChanges {
    let snapshot = try snapshots.now()
    let identity = try snapshot.identity()
    guard token.catalog == identity, token.number <= snapshot.token else {
      throw .persistentChangeTokenExpired
    }
    let rows = try snapshot.read { (database) throws(DatabaseError) in
      try database.rows(
        "SELECT token, date FROM change WHERE token > ? ORDER BY token", [token.number]
      ) { (number: $0[0] as Int64, date: $0[1] as Date) }
    }
    // Tokens have no gaps, so one that is followed by another than the next has lost its own.
    if token.number < snapshot.token, rows.first?.number != token.number + 1 {
      throw .persistentChangeTokenExpired
    }
    return PersistentChanges(
      tokens: ContiguousArray(rows), catalog: identity, snapshot: snapshot)
  }
}

extension Snapshot {
  /// What tells this catalog from others.
  func identity() throws(PhotoLibraryError) -> String {
    let identity = try read { (database) throws(DatabaseError) in
      try database.value("SELECT identifier FROM identity", as: String.self)
    }
    guard let identity else { throw .damagedCatalog(path, detail: "it has lost its identity") }
    return identity
  }
}
