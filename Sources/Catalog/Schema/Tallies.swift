/// The tables of counters, and the index of names. Triggers keep both up to date, whichever statement writes.
extension Schema {
  /// The numbers of visible photos of each smart album, each day and each album.
  static let tallies = AssetKind.schema + dayAndAlbumTallies

  /// The number of visible photos of each day on the camera's clock. A day is 86,400 seconds of that clock
  /// since 1970.
  static let localDays = """
    DELETE FROM dayTally;
    INSERT INTO dayTally SELECT \(day(of: "asset")), count(*) FROM asset
      WHERE \(isCounted("asset")) GROUP BY 1;
    DROP TRIGGER dayInserted;
    DROP TRIGGER dayDeleted;
    DROP TRIGGER dayLeft;
    DROP TRIGGER dayCame;
    CREATE TRIGGER dayInserted AFTER INSERT ON asset WHEN \(isCounted("NEW")) BEGIN
      INSERT INTO dayTally VALUES (\(day(of: "NEW")), 1)
        ON CONFLICT (day) DO UPDATE SET visible = visible + 1;
    END;
    CREATE TRIGGER dayDeleted AFTER DELETE ON asset WHEN \(isCounted("OLD")) BEGIN
      UPDATE dayTally SET visible = visible - 1 WHERE day = \(day(of: "OLD"));
    END;
    CREATE TRIGGER dayLeft AFTER UPDATE OF trashedDate, hidden, creationDate, timeZoneOffset
      ON asset WHEN \(isCounted("OLD")) BEGIN
      UPDATE dayTally SET visible = visible - 1 WHERE day = \(day(of: "OLD"));
    END;
    CREATE TRIGGER dayCame AFTER UPDATE OF trashedDate, hidden, creationDate, timeZoneOffset
      ON asset WHEN \(isCounted("NEW")) BEGIN
      INSERT INTO dayTally VALUES (\(day(of: "NEW")), 1)
        ON CONFLICT (day) DO UPDATE SET visible = visible + 1;
    END;
    """

  private static func day(of row: String) -> String {
    "CAST((\(row).creationDate + coalesce(\(row).timeZoneOffset, 0)) / 86400 AS INTEGER)"
  }

  private static func isCounted(_ row: String) -> String {
    "\(row).trashedDate IS NULL AND \(row).hidden = 0 AND \(row).creationDate IS NOT NULL"
  }

  private static let dayAndAlbumTallies = """
    -- The number of visible photos of each day; a day is 86,400 seconds since 1970 UTC.
    CREATE TABLE dayTally (
      day INTEGER PRIMARY KEY,
      visible INTEGER NOT NULL
    ) STRICT;
    INSERT INTO dayTally SELECT CAST(creationDate / 86400 AS INTEGER), count(*) FROM asset
      WHERE trashedDate IS NULL AND hidden = 0 AND creationDate IS NOT NULL GROUP BY 1;
    CREATE TRIGGER dayInserted AFTER INSERT ON asset
      WHEN NEW.trashedDate IS NULL AND NEW.hidden = 0 AND NEW.creationDate IS NOT NULL BEGIN
      INSERT INTO dayTally VALUES (CAST(NEW.creationDate / 86400 AS INTEGER), 1)
        ON CONFLICT (day) DO UPDATE SET visible = visible + 1;
    END;
    CREATE TRIGGER dayDeleted AFTER DELETE ON asset
      WHEN OLD.trashedDate IS NULL AND OLD.hidden = 0 AND OLD.creationDate IS NOT NULL BEGIN
      UPDATE dayTally SET visible = visible - 1
        WHERE day = CAST(OLD.creationDate / 86400 AS INTEGER);
    END;
    CREATE TRIGGER dayLeft AFTER UPDATE OF trashedDate, hidden, creationDate ON asset
      WHEN OLD.trashedDate IS NULL AND OLD.hidden = 0 AND OLD.creationDate IS NOT NULL BEGIN
      UPDATE dayTally SET visible = visible - 1
        WHERE day = CAST(OLD.creationDate / 86400 AS INTEGER);
    END;
    CREATE TRIGGER dayCame AFTER UPDATE OF trashedDate, hidden, creationDate ON asset
      WHEN NEW.trashedDate IS NULL AND NEW.hidden = 0 AND NEW.creationDate IS NOT NULL BEGIN
      INSERT INTO dayTally VALUES (CAST(NEW.creationDate / 86400 AS INTEGER), 1)
        ON CONFLICT (day) DO UPDATE SET visible = visible + 1;
    END;

    CREATE TABLE albumTally (
      album INTEGER PRIMARY KEY REFERENCES collection (id) ON DELETE CASCADE,
      visible INTEGER NOT NULL
    ) STRICT;
    INSERT INTO albumTally SELECT album, count(*) FROM member JOIN asset ON asset.id = member.asset
      WHERE asset.trashedDate IS NULL AND asset.hidden = 0 GROUP BY album;

    CREATE TRIGGER memberInserted AFTER INSERT ON member BEGIN
      INSERT INTO albumTally SELECT NEW.album, trashedDate IS NULL AND hidden = 0
        FROM asset WHERE id = NEW.asset
        ON CONFLICT (album) DO UPDATE SET visible = visible + excluded.visible;
    END;
    CREATE TRIGGER memberDeleted AFTER DELETE ON member BEGIN
      UPDATE albumTally SET visible = visible - coalesce(
        (SELECT trashedDate IS NULL AND hidden = 0 FROM asset WHERE id = OLD.asset), 0)
        WHERE album = OLD.album;
    END;
    CREATE TRIGGER memberExchanged AFTER UPDATE OF album, asset ON member BEGIN
      UPDATE albumTally SET visible = visible - coalesce(
        (SELECT trashedDate IS NULL AND hidden = 0 FROM asset WHERE id = OLD.asset), 0)
        WHERE album = OLD.album;
      INSERT INTO albumTally SELECT NEW.album, trashedDate IS NULL AND hidden = 0
        FROM asset WHERE id = NEW.asset
        ON CONFLICT (album) DO UPDATE SET visible = visible + excluded.visible;
    END;
    -- SQLite deletes the members after the asset, and their triggers can no longer read the asset.
    CREATE TRIGGER memberOrphaned BEFORE DELETE ON asset
      WHEN OLD.trashedDate IS NULL AND OLD.hidden = 0 BEGIN
      UPDATE albumTally SET visible = visible - 1
        WHERE album IN (SELECT album FROM member WHERE asset = OLD.id);
    END;
    CREATE TRIGGER memberShown AFTER UPDATE OF trashedDate, hidden ON asset
      WHEN (OLD.trashedDate IS NULL AND OLD.hidden = 0)
        <> (NEW.trashedDate IS NULL AND NEW.hidden = 0) BEGIN
      UPDATE albumTally SET visible = visible
        + (NEW.trashedDate IS NULL AND NEW.hidden = 0)
        - (OLD.trashedDate IS NULL AND OLD.hidden = 0)
        WHERE album IN (SELECT album FROM member WHERE asset = NEW.id);
    END;
    """

  /// The numbers of photos, favorites and edited photos of each camera. There are few cameras, so fetches
  /// search for a part of a camera's name in this table, and not among the photos.
  static let cameras = """
    CREATE TABLE cameraTally (
      camera TEXT PRIMARY KEY,
      visible INTEGER NOT NULL,
      hidden INTEGER NOT NULL,
      favorites INTEGER NOT NULL,
      edited INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO cameraTally SELECT camera,
      count(*) FILTER (WHERE asset.hidden = 0),
      count(*) FILTER (WHERE asset.hidden = 1),
      count(*) FILTER (WHERE asset.hidden = 0 AND asset.favorite = 1),
      count(*) FILTER (WHERE asset.hidden = 0 AND asset.adjustmentFormat IS NOT NULL)
      FROM asset WHERE trashedDate IS NULL AND camera IS NOT NULL GROUP BY camera;

    CREATE TRIGGER cameraInserted AFTER INSERT ON asset
      \(counting)
    CREATE TRIGGER cameraDeleted AFTER DELETE ON asset
      \(discounting)
    CREATE TRIGGER cameraLeft AFTER UPDATE OF trashedDate, hidden, camera, favorite,
      adjustmentFormat ON asset
      \(discounting)
    CREATE TRIGGER cameraCame AFTER UPDATE OF trashedDate, hidden, camera, favorite,
      adjustmentFormat ON asset
      \(counting)
    """

  /// The body of a trigger that adds a photo to its camera's counters.
  private static let counting = """
    WHEN NEW.trashedDate IS NULL AND NEW.camera IS NOT NULL BEGIN
      INSERT INTO cameraTally VALUES (NEW.camera, NEW.hidden = 0, NEW.hidden = 1,
        NEW.hidden = 0 AND NEW.favorite = 1,
        NEW.hidden = 0 AND NEW.adjustmentFormat IS NOT NULL)
        ON CONFLICT (camera) DO UPDATE SET
          visible = visible + excluded.visible, hidden = hidden + excluded.hidden,
          favorites = favorites + excluded.favorites, edited = edited + excluded.edited;
    END;
    """

  /// The body of a trigger that subtracts a photo from its camera's counters.
  private static let discounting = """
    WHEN OLD.trashedDate IS NULL AND OLD.camera IS NOT NULL BEGIN
      UPDATE cameraTally SET
        visible = visible - (OLD.hidden = 0), hidden = hidden - (OLD.hidden = 1),
        favorites = favorites - (OLD.hidden = 0 AND OLD.favorite = 1),
        edited = edited - (OLD.hidden = 0 AND OLD.adjustmentFormat IS NOT NULL)
        WHERE camera = OLD.camera;
    END;
    """

  /// Marks the visible members of albums, so that the n-th visible member is found without reading photos.
  static let members = """
    ALTER TABLE member ADD COLUMN visible INTEGER NOT NULL DEFAULT 1;

    -- The export does not have this column.
    DROP TRIGGER exportMemberSet;
    CREATE TRIGGER exportMemberSet AFTER UPDATE OF album, position, asset ON member BEGIN
      INSERT INTO unexported (kind, key, number)
        SELECT 3, identifier, OLD.position FROM collection WHERE id = OLD.album;
      INSERT INTO unexported (kind, key, number)
        SELECT 3, identifier, NEW.position FROM collection WHERE id = NEW.album;
    END;

    UPDATE member SET visible = 0 WHERE asset IN (
      SELECT id FROM asset WHERE asset.hidden = 1 OR trashedDate IS NOT NULL);
    CREATE INDEX memberVisible ON member (album, position) WHERE visible = 1;

    CREATE TRIGGER memberPlaced AFTER INSERT ON member BEGIN
      UPDATE member SET visible = 0 WHERE album = NEW.album AND position = NEW.position AND EXISTS (
        SELECT 1 FROM asset
        WHERE id = NEW.asset AND (asset.hidden = 1 OR trashedDate IS NOT NULL));
    END;
    CREATE TRIGGER memberReplaced AFTER UPDATE OF asset ON member BEGIN
      UPDATE member SET visible = NOT EXISTS (
        SELECT 1 FROM asset WHERE id = NEW.asset AND (asset.hidden = 1 OR trashedDate IS NOT NULL))
        WHERE album = NEW.album AND position = NEW.position;
    END;
    CREATE TRIGGER memberSeen AFTER UPDATE OF trashedDate, hidden ON asset
      WHEN (OLD.trashedDate IS NULL AND OLD.hidden = 0)
        <> (NEW.trashedDate IS NULL AND NEW.hidden = 0) BEGIN
      UPDATE member SET visible = NEW.trashedDate IS NULL AND NEW.hidden = 0
        WHERE asset = NEW.id;
    END;
    """

  /// An index of all three-letter pieces of the originals' names, without case and accents, which finds names
  /// by a part. It finds candidates, whose names the query compares. The function `foldedText` of each writing
  /// connection prepares the names.
  ///
  /// The index has neither the names nor the places of pieces in them, so it takes 16 bytes for each photo.
  static let names = """
    CREATE VIRTUAL TABLE nameIndex USING fts5 (
      name, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1'
    );
    INSERT INTO nameIndex (rowid, name) SELECT id, foldedText(name) FROM asset;

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

  /// Makes the indexes of favorites and of edited photos again, with the columns that conditions often use, so
  /// that SQLite reads no row.
  static let coverage = """
    DROP INDEX assetFavorite;
    CREATE INDEX assetFavorite ON asset (
      creationDate, id, hidden, adjustmentFormat, mediaSubtypes, pixelWidth, pixelHeight, camera
    ) WHERE trashedDate IS NULL AND favorite = 1;
    DROP INDEX assetEdited;
    CREATE INDEX assetEdited ON asset (
      creationDate, id, hidden, favorite, mediaSubtypes, pixelWidth, pixelHeight, camera,
      adjustmentFormat
    ) WHERE trashedDate IS NULL AND adjustmentFormat IS NOT NULL;
    """
}
