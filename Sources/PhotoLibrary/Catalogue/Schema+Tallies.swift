extension Schema {
  /// How many photos each smart album and each album shows, so that counting does not walk them.
  /// Triggers keep them; rows must therefore be deleted, not replaced, by `INSERT OR REPLACE`.
  static let tallies = """
    CREATE TABLE tally (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      visible INTEGER NOT NULL,
      hidden INTEGER NOT NULL,
      favorites INTEGER NOT NULL,
      edited INTEGER NOT NULL,
      panoramas INTEGER NOT NULL,
      screenshots INTEGER NOT NULL,
      livePhotos INTEGER NOT NULL,
      depthEffect INTEGER NOT NULL,
      portraits INTEGER NOT NULL,
      landscapes INTEGER NOT NULL
    ) STRICT;
    INSERT INTO tally SELECT
      1,
      count(*) FILTER (WHERE asset.hidden = 0),
      count(*) FILTER (WHERE asset.hidden = 1),
      count(*) FILTER (WHERE asset.hidden = 0 AND asset.favorite = 1),
      count(*) FILTER (WHERE asset.hidden = 0 AND asset.adjustmentFormat IS NOT NULL),
      count(*) FILTER (WHERE asset.hidden = 0 AND asset.mediaSubtypes & 1 <> 0),
      count(*) FILTER (WHERE asset.hidden = 0 AND asset.mediaSubtypes & 4 <> 0),
      count(*) FILTER (WHERE asset.hidden = 0 AND asset.mediaSubtypes & 8 <> 0),
      count(*) FILTER (WHERE asset.hidden = 0 AND asset.mediaSubtypes & 16 <> 0),
      count(*) FILTER (WHERE asset.hidden = 0 AND asset.pixelHeight > asset.pixelWidth),
      count(*) FILTER (WHERE asset.hidden = 0 AND asset.pixelWidth > asset.pixelHeight)
    FROM asset WHERE trashedDate IS NULL;

    CREATE TRIGGER tallyInserted AFTER INSERT ON asset WHEN NEW.trashedDate IS NULL BEGIN
      UPDATE tally SET
        visible = visible + (NEW.hidden = 0),
        hidden = hidden + (NEW.hidden = 1),
        favorites = favorites + (NEW.hidden = 0 AND NEW.favorite = 1),
        edited = edited + (NEW.hidden = 0 AND NEW.adjustmentFormat IS NOT NULL),
        panoramas = panoramas + (NEW.hidden = 0 AND NEW.mediaSubtypes & 1 <> 0),
        screenshots = screenshots + (NEW.hidden = 0 AND NEW.mediaSubtypes & 4 <> 0),
        livePhotos = livePhotos + (NEW.hidden = 0 AND NEW.mediaSubtypes & 8 <> 0),
        depthEffect = depthEffect + (NEW.hidden = 0 AND NEW.mediaSubtypes & 16 <> 0),
        portraits = portraits + (NEW.hidden = 0 AND NEW.pixelHeight > NEW.pixelWidth),
        landscapes = landscapes + (NEW.hidden = 0 AND NEW.pixelWidth > NEW.pixelHeight);
    END;
    CREATE TRIGGER tallyDeleted AFTER DELETE ON asset WHEN OLD.trashedDate IS NULL BEGIN
      UPDATE tally SET
        visible = visible - (OLD.hidden = 0),
        hidden = hidden - (OLD.hidden = 1),
        favorites = favorites - (OLD.hidden = 0 AND OLD.favorite = 1),
        edited = edited - (OLD.hidden = 0 AND OLD.adjustmentFormat IS NOT NULL),
        panoramas = panoramas - (OLD.hidden = 0 AND OLD.mediaSubtypes & 1 <> 0),
        screenshots = screenshots - (OLD.hidden = 0 AND OLD.mediaSubtypes & 4 <> 0),
        livePhotos = livePhotos - (OLD.hidden = 0 AND OLD.mediaSubtypes & 8 <> 0),
        depthEffect = depthEffect - (OLD.hidden = 0 AND OLD.mediaSubtypes & 16 <> 0),
        portraits = portraits - (OLD.hidden = 0 AND OLD.pixelHeight > OLD.pixelWidth),
        landscapes = landscapes - (OLD.hidden = 0 AND OLD.pixelWidth > OLD.pixelHeight);
    END;
    CREATE TRIGGER tallyLeft AFTER UPDATE OF trashedDate, hidden, favorite, adjustmentFormat,
      mediaSubtypes, pixelWidth, pixelHeight ON asset WHEN OLD.trashedDate IS NULL BEGIN
      UPDATE tally SET
        visible = visible - (OLD.hidden = 0),
        hidden = hidden - (OLD.hidden = 1),
        favorites = favorites - (OLD.hidden = 0 AND OLD.favorite = 1),
        edited = edited - (OLD.hidden = 0 AND OLD.adjustmentFormat IS NOT NULL),
        panoramas = panoramas - (OLD.hidden = 0 AND OLD.mediaSubtypes & 1 <> 0),
        screenshots = screenshots - (OLD.hidden = 0 AND OLD.mediaSubtypes & 4 <> 0),
        livePhotos = livePhotos - (OLD.hidden = 0 AND OLD.mediaSubtypes & 8 <> 0),
        depthEffect = depthEffect - (OLD.hidden = 0 AND OLD.mediaSubtypes & 16 <> 0),
        portraits = portraits - (OLD.hidden = 0 AND OLD.pixelHeight > OLD.pixelWidth),
        landscapes = landscapes - (OLD.hidden = 0 AND OLD.pixelWidth > OLD.pixelHeight);
    END;
    CREATE TRIGGER tallyCame AFTER UPDATE OF trashedDate, hidden, favorite, adjustmentFormat,
      mediaSubtypes, pixelWidth, pixelHeight ON asset WHEN NEW.trashedDate IS NULL BEGIN
      UPDATE tally SET
        visible = visible + (NEW.hidden = 0),
        hidden = hidden + (NEW.hidden = 1),
        favorites = favorites + (NEW.hidden = 0 AND NEW.favorite = 1),
        edited = edited + (NEW.hidden = 0 AND NEW.adjustmentFormat IS NOT NULL),
        panoramas = panoramas + (NEW.hidden = 0 AND NEW.mediaSubtypes & 1 <> 0),
        screenshots = screenshots + (NEW.hidden = 0 AND NEW.mediaSubtypes & 4 <> 0),
        livePhotos = livePhotos + (NEW.hidden = 0 AND NEW.mediaSubtypes & 8 <> 0),
        depthEffect = depthEffect + (NEW.hidden = 0 AND NEW.mediaSubtypes & 16 <> 0),
        portraits = portraits + (NEW.hidden = 0 AND NEW.pixelHeight > NEW.pixelWidth),
        landscapes = landscapes + (NEW.hidden = 0 AND NEW.pixelWidth > NEW.pixelHeight);
    END;

    -- How many of each day's photos show; days are of 86,400 seconds since 1970 UTC.
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
    -- The memberships go with the asset's row, and then cannot ask it any more.
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
}
