/// The tables of a catalog, as migrations in the order in which they came.
///
/// Dates are seconds since 1970 UTC, paths are bytes, truth values are 0 and 1. The export beside the catalog
/// has what only the catalog knows; everything else can be read from the photos again.
package enum Schema {
  package static let migrations = Migrations(
    list: first
      + AssetColumn.additions.map { name, columns in
        let script = AssetColumn.schema(adding: columns) + "\n" + (after[name] ?? "")
        return Migration(name: name, script: script)
      } + [
        Migration(name: "settings", script: ExportSchema.settings),
        Migration(name: "seals", script: seals),
        Migration(name: "excludes", script: excludes + "\n" + ExportSchema.excludes),
      ])

  private static let first = [
    Migration(name: "assets", script: assets),
    Migration(name: "collections", script: collections),
    Migration(name: "changes", script: changes),
    Migration(name: "consent", script: consent),
    Migration(name: "history", script: history),
    Migration(name: "fileMoves", script: fileMoves),
    Migration(name: "tallies", script: tallies),
    Migration(name: "export", script: ExportSchema.script),
    Migration(name: "names", script: names),
    Migration(name: "cameras", script: cameras),
    Migration(name: "coverage", script: coverage),
    Migration(name: "members", script: members),
  ]

  /// What some migrations do after they added columns, by the migrations' names.
  private static let after = ["details": details, "pictures": pictures]

  /// `creationDate`, `latitude` and `longitude` have the value that a person set, else the file's.
  private static let assets = """
    CREATE TABLE folder (
      id INTEGER PRIMARY KEY,
      path BLOB NOT NULL UNIQUE,
      -- Whether it was added by name; a scan of it finds the folders in it.
      isRoot INTEGER NOT NULL DEFAULT 0,
      -- Its modification time in nanoseconds when it was last listed.
      listed INTEGER
    ) STRICT;

    CREATE TABLE asset (
      id INTEGER PRIMARY KEY,
      identifier TEXT NOT NULL UNIQUE,
      folder INTEGER NOT NULL REFERENCES folder (id),
      name BLOB NOT NULL,
      -- Whether the identifier is the one that the path gives.
      isDerived INTEGER NOT NULL DEFAULT 0,
      -- The file when it was read: size in bytes, modification time in nanoseconds, inode, and the first
      -- half of the SHA-256 of its ends and its size. Nothing uses sha256.
      size INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      inode INTEGER NOT NULL,
      fingerprint BLOB,
      sha256 BLOB,
      format TEXT NOT NULL,
      pixelWidth INTEGER NOT NULL,
      pixelHeight INTEGER NOT NULL,
      orientation INTEGER NOT NULL,
      mediaSubtypes INTEGER NOT NULL DEFAULT 0,
      camera TEXT,
      fileCreationDate REAL,
      fileLatitude REAL,
      fileLongitude REAL,
      creationDate REAL,
      modificationDate REAL NOT NULL,
      addedDate REAL NOT NULL,
      latitude REAL,
      longitude REAL,
      favorite INTEGER NOT NULL DEFAULT 0,
      hidden INTEGER NOT NULL DEFAULT 0,
      -- The modification time of the sidecar in nanoseconds; NULL when there is none.
      recordModified INTEGER,
      -- The format of the edit; NULL when the photo has none.
      adjustmentFormat TEXT,
      -- When the asset went into the trash; NULL when it is not there.
      trashedDate REAL,
      UNIQUE (folder, name)
    ) STRICT;

    -- Fetches read one of the first four in the fetch's order. They also have the columns that conditions
    -- often use, so that an asset that does not match costs no read of its row.
    CREATE INDEX assetByCreation ON asset (
      creationDate, id, hidden, favorite, modificationDate, mediaSubtypes, pixelWidth, pixelHeight,
      adjustmentFormat
    ) WHERE trashedDate IS NULL;
    CREATE INDEX assetByModification ON asset (
      modificationDate, id, hidden, favorite, creationDate, mediaSubtypes, adjustmentFormat
    ) WHERE trashedDate IS NULL;
    CREATE INDEX assetByAddition ON asset (
      addedDate, id, hidden, favorite, creationDate, mediaSubtypes, adjustmentFormat
    ) WHERE trashedDate IS NULL;
    CREATE INDEX assetByName ON asset (name, id, hidden, creationDate) WHERE trashedDate IS NULL;
    -- The smart albums, oldest first.
    CREATE INDEX assetFavorite ON asset (creationDate, id, hidden)
      WHERE trashedDate IS NULL AND favorite = 1;
    CREATE INDEX assetHidden ON asset (creationDate, id)
      WHERE trashedDate IS NULL AND hidden = 1;
    CREATE INDEX assetEdited ON asset (creationDate, id, hidden)
      WHERE trashedDate IS NULL AND adjustmentFormat IS NOT NULL;
    CREATE INDEX assetPanorama ON asset (creationDate, id, hidden)
      WHERE trashedDate IS NULL AND mediaSubtypes & 1 <> 0;
    CREATE INDEX assetScreenshot ON asset (creationDate, id, hidden)
      WHERE trashedDate IS NULL AND mediaSubtypes & 4 <> 0;
    CREATE INDEX assetLive ON asset (creationDate, id, hidden)
      WHERE trashedDate IS NULL AND mediaSubtypes & 8 <> 0;
    CREATE INDEX assetDepth ON asset (creationDate, id, hidden)
      WHERE trashedDate IS NULL AND mediaSubtypes & 16 <> 0;
    CREATE INDEX assetUpright ON asset (creationDate, id, hidden)
      WHERE trashedDate IS NULL AND pixelHeight > pixelWidth;
    -- Photos that were changed or added long before they were taken, because of wrong clocks.
    CREATE INDEX assetAhead ON asset (creationDate, modificationDate, addedDate)
      WHERE trashedDate IS NULL AND (modificationDate < creationDate - 172800
        OR addedDate < creationDate - 172800);
    CREATE INDEX assetByCamera ON asset (camera, creationDate, id, hidden)
      WHERE trashedDate IS NULL AND camera IS NOT NULL;
    CREATE INDEX assetByPlace ON asset (latitude, longitude, creationDate, id, hidden)
      WHERE trashedDate IS NULL AND latitude IS NOT NULL;
    CREATE INDEX assetTrashed ON asset (trashedDate) WHERE trashedDate IS NOT NULL;
    CREATE INDEX assetByInode ON asset (inode, size);
    -- A moved file is searched by its inode, and then by this.
    CREATE INDEX assetByFingerprint ON asset (fingerprint);
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
      PRIMARY KEY (album, position)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX memberByAsset ON member (asset, album);
    """

  private static let changes = """
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
    """

  /// The catalog's identity, and the limits of the history: 30 days, and 100,000 change sets.
  private static let history = """
    CREATE TABLE identity (identifier TEXT NOT NULL) STRICT;
    INSERT INTO identity VALUES (lower(hex(randomblob(16))));

    CREATE TRIGGER historyEnds AFTER INSERT ON change WHEN new.token % 256 = 0 BEGIN
      DELETE FROM change WHERE token <= new.token - 100000 OR token < (
        SELECT token FROM change WHERE date >= new.date - 2592000 ORDER BY token LIMIT 1);
    END;
    """

  private static let fileMoves = """
    -- Moves of files that are decided and perhaps not made: 0 one file into its place, 1 an original
    -- with everything that belongs to it into a folder, 2 a staged edit.
    CREATE TABLE fileMove (
      id INTEGER PRIMARY KEY,
      kind INTEGER NOT NULL,
      source BLOB NOT NULL,
      target BLOB NOT NULL
    ) STRICT;
    """

  private static let seals = """
    -- Proves that the user decided the move on this computer: an HMAC-SHA256 with a secret that is not in the library.
    ALTER TABLE fileMove ADD COLUMN seal BLOB;
    """

  private static let excludes = """
    -- What is left out of a folder that was added by name: lines as in a file of patterns.
    ALTER TABLE folder ADD COLUMN excludes BLOB;
    -- A digest of all rules that held when the folder was last listed.
    ALTER TABLE folder ADD COLUMN rules BLOB;
    """

  /// The indexes of what photographers search by, and days as the cameras' clocks count them.
  private static let details = """
    DROP INDEX assetByCreation;
    CREATE INDEX assetByCreation ON asset (
      creationDate, id, hidden, favorite, modificationDate, mediaSubtypes, pixelWidth, pixelHeight,
      adjustmentFormat, timeZoneOffset
    ) WHERE trashedDate IS NULL;
    DROP INDEX assetFavorite;
    CREATE INDEX assetFavorite ON asset (
      creationDate, id, hidden, adjustmentFormat, mediaSubtypes, pixelWidth, pixelHeight, camera,
      timeZoneOffset
    ) WHERE trashedDate IS NULL AND favorite = 1;
    DROP INDEX assetEdited;
    CREATE INDEX assetEdited ON asset (
      creationDate, id, hidden, favorite, mediaSubtypes, pixelWidth, pixelHeight, camera,
      adjustmentFormat, timeZoneOffset
    ) WHERE trashedDate IS NULL AND adjustmentFormat IS NOT NULL;
    CREATE INDEX assetByRating ON asset (rating, creationDate, id, hidden)
      WHERE trashedDate IS NULL AND rating IS NOT NULL;
    CREATE INDEX assetByKeywords ON asset (keywords, creationDate, id, hidden)
      WHERE trashedDate IS NULL AND keywords IS NOT NULL;

    \(localDays)
    """

  /// Photos are recognized by their pictures; until a scan reads a photo again, its file's fingerprint stands for
  /// that of its picture. And assets come in the order of their cameras' clocks.
  private static let pictures = """
    UPDATE asset SET pictureFingerprint = fingerprint;
    DROP INDEX assetByFingerprint;
    -- A moved file is searched by its inode, and then by this.
    CREATE INDEX assetByPicture ON asset (pictureFingerprint);

    CREATE INDEX assetByClock ON asset (
      creationDate + coalesce(timeZoneOffset, 0), id, hidden, favorite, modificationDate,
      mediaSubtypes, pixelWidth, pixelHeight, adjustmentFormat, creationDate, timeZoneOffset
    ) WHERE trashedDate IS NULL;
    DROP INDEX assetByCreation;
    CREATE INDEX assetByCreation ON asset (
      creationDate, id, hidden, favorite, modificationDate, mediaSubtypes, adjustmentFormat,
      timeZoneOffset
    ) WHERE trashedDate IS NULL;
    \(byClock("Hidden", where: "hidden = 1"))
    \(byClock("Panorama", where: "mediaSubtypes & 1 <> 0"))
    \(byClock("Screenshot", where: "mediaSubtypes & 4 <> 0"))
    \(byClock("Live", where: "mediaSubtypes & 8 <> 0"))
    \(byClock("Depth", where: "mediaSubtypes & 16 <> 0"))
    \(byClock("Upright", where: "pixelHeight > pixelWidth"))
    \(byClock(
      "Favorite", "adjustmentFormat, mediaSubtypes, pixelWidth, pixelHeight, camera",
      where: "favorite = 1"))
    \(byClock(
      "Edited", "favorite, mediaSubtypes, pixelWidth, pixelHeight, camera, adjustmentFormat",
      where: "adjustmentFormat IS NOT NULL"))
    \(byClock("ByCamera", of: "camera", where: "camera IS NOT NULL"))
    \(byClock("ByPlace", of: "latitude, longitude", where: "latitude IS NOT NULL"))
    \(byClock("ByRating", of: "rating", where: "rating IS NOT NULL"))
    \(byClock("ByKeywords", of: "keywords", where: "keywords IS NOT NULL"))
    """

  /// Makes a partial index again, with the cameras' clocks in the place of the creation dates.
  private static func byClock(
    _ name: String, _ more: String? = nil, of first: String? = nil, where condition: String
  ) -> String {
    let columns =
      [first].compactMap(\.self)
      + ["creationDate + coalesce(timeZoneOffset, 0), id, hidden, creationDate, timeZoneOffset"]
      + [more].compactMap(\.self)
    return """
      DROP INDEX asset\(name);
      CREATE INDEX asset\(name) ON asset (\(columns.joined(separator: ", ")))
        WHERE trashedDate IS NULL AND \(condition);
      """
  }

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
}
