/// The tables of a catalog, as migrations in the order in which they came.
///
/// Dates are seconds since 1970 UTC, paths are bytes, truth values are 0 and 1. The export beside the catalog
/// has what only the catalog knows; everything else can be read from the photos again.
package enum Schema {
  package static let migrations = Migrations(
    list: [
      // The names of the steps that led to these tables before the first release.
      Migration(
        names: [
          "assets", "collections", "changes", "consent", "history", "fileMoves", "tallies",
          "export", "names", "cameras", "coverage", "members", "details", "pictures", "settings",
          "seals", "excludes",
        ],
        script: [
          folders, AssetColumn.schema, AssetIndex.schema, collections, changes, consent, fileMoves,
          counters, names, ExportSchema.script,
        ].joined(separator: "\n"))
    ]
      + AssetColumn.additions.map { name, columns in
        Migration(names: [name], script: AssetColumn.schema(adding: columns))
      })

  private static let folders = """
    CREATE TABLE folder (
      id INTEGER PRIMARY KEY,
      path BLOB NOT NULL UNIQUE,
      -- Whether it was added by name; a scan of it finds the folders in it.
      isRoot INTEGER NOT NULL DEFAULT 0,
      -- Its modification time in nanoseconds when it was last listed.
      listed INTEGER,
      -- What is left out of a folder that was added by name: lines as in a file of patterns.
      excludes BLOB,
      -- A digest of all rules that held when the folder was last listed.
      rules BLOB
    ) STRICT;
    """

  private static let collections = """
    -- Albums, and lists of albums, which may hold lists.
    CREATE TABLE collection (
      id INTEGER PRIMARY KEY,
      identifier TEXT NOT NULL UNIQUE,
      isList INTEGER NOT NULL DEFAULT 0,
      title TEXT NOT NULL,
      list INTEGER REFERENCES collection (id),
      position INTEGER NOT NULL,
      creationDate REAL NOT NULL
    ) STRICT;
    CREATE INDEX collectionByPlace ON collection (list, position);

    -- The assets of albums, in the order of their positions, which may have gaps.
    CREATE TABLE member (
      album INTEGER NOT NULL REFERENCES collection (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      asset INTEGER NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
      -- Whether the asset is visible, so that the n-th visible member is found without reading assets.
      visible INTEGER NOT NULL DEFAULT 1,
      PRIMARY KEY (album, position)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX memberByAsset ON member (asset, album);
    CREATE INDEX memberVisible ON member (album, position) WHERE visible = 1;
    """

  /// The catalog's identity, and the history with its limits: 30 days, and 100,000 change sets.
  private static let changes = """
    CREATE TABLE identity (identifier TEXT NOT NULL) STRICT;
    INSERT INTO identity VALUES (lower(hex(randomblob(16))));

    -- The change sets, oldest first; the key is the token of the persistent history.
    CREATE TABLE change (
      token INTEGER PRIMARY KEY AUTOINCREMENT,
      date REAL NOT NULL,
      -- The process that made it.
      origin TEXT NOT NULL
    ) STRICT;

    CREATE TABLE changedObject (
      token INTEGER NOT NULL REFERENCES change (token) ON DELETE CASCADE,
      -- 0 asset, 1 album, 2 list of albums.
      kind INTEGER NOT NULL,
      identifier TEXT NOT NULL,
      -- 0 inserted, 1 updated, 2 deleted.
      how INTEGER NOT NULL,
      -- Whether the pixels that are shown changed.
      contentChanged INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (token, kind, identifier)
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER historyEnds AFTER INSERT ON change WHEN new.token % 256 = 0 BEGIN
      DELETE FROM change WHERE token <= new.token - 100000 OR token < (
        SELECT token FROM change WHERE date >= new.date - 2592000 ORDER BY token LIMIT 1);
    END;
    """

  private static let consent = """
    CREATE TABLE client (
      identifier TEXT PRIMARY KEY,
      -- PhotoKit's status: 0 not determined, 1 restricted, 2 denied, 3 authorized, 4 limited.
      addOnly INTEGER NOT NULL DEFAULT 0,
      readWrite INTEGER NOT NULL DEFAULT 0,
      usageDescription TEXT,
      answered REAL
    ) STRICT;

    CREATE TABLE selected (
      client TEXT NOT NULL REFERENCES client (identifier) ON DELETE CASCADE,
      asset INTEGER NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
      PRIMARY KEY (client, asset)
    ) STRICT, WITHOUT ROWID;
    """

  private static let fileMoves = """
    -- Moves of files that are decided and perhaps not made: 0 one file into its place, 1 an original
    -- with everything that belongs to it into a folder, 2 a staged edit.
    CREATE TABLE fileMove (
      id INTEGER PRIMARY KEY,
      kind INTEGER NOT NULL,
      source BLOB NOT NULL,
      target BLOB NOT NULL,
      -- Proves that the user decided the move on this computer: an HMAC-SHA256 with a secret that is not in the library.
      seal BLOB
    ) STRICT;
    """

  /// An index of all three-letter pieces of the originals' names, without case and accents, which finds names
  /// by a part. It finds candidates, whose names the query compares. The function `foldedText` of each writing
  /// connection prepares the names.
  ///
  /// The index has neither the names nor the places of pieces in them, so it takes 16 bytes for each photo.
  private static let names = """
    CREATE VIRTUAL TABLE nameIndex USING fts5 (
      name, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1'
    );

    CREATE TRIGGER nameInserted AFTER INSERT ON asset BEGIN
      INSERT INTO nameIndex (rowid, name) VALUES (NEW.id, foldedText(NEW.name));
    END;
    CREATE TRIGGER nameDeleted AFTER DELETE ON asset BEGIN
      INSERT INTO nameIndex (nameIndex, rowid, name)
        VALUES ('delete', OLD.id, foldedText(OLD.name));
    END;
    CREATE TRIGGER nameChanged AFTER UPDATE OF name ON asset WHEN NEW.name <> OLD.name BEGIN
      INSERT INTO nameIndex (nameIndex, rowid, name)
        VALUES ('delete', OLD.id, foldedText(OLD.name));
      INSERT INTO nameIndex (rowid, name) VALUES (NEW.id, foldedText(NEW.name));
    END;
    """
}
