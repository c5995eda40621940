extension Schema {
  /// How many photos each smart album and each album shows, so that counting does not walk them.
  /// Triggers keep them; rows must therefore be deleted, not replaced, by `INSERT OR REPLACE`.
  static let tallies = kindTallies + dayAndAlbumTallies

  /// What is counted of the photos that are not in the trash, each by the column of its number.
  private static let kinds: [(column: String, condition: String)] =
    [("visible", "hidden = 0"), ("hidden", "hidden = 1")]
    + [
      ("favorites", "favorite = 1"),
      ("edited", "adjustmentFormat IS NOT NULL"),
      ("panoramas", "mediaSubtypes & 1 <> 0"),
      ("screenshots", "mediaSubtypes & 4 <> 0"),
      ("livePhotos", "mediaSubtypes & 8 <> 0"),
      ("depthEffect", "mediaSubtypes & 16 <> 0"),
      ("portraits", "pixelHeight > pixelWidth"),
      ("landscapes", "pixelWidth > pixelHeight"),
    ].map { (column: $0, condition: "hidden = 0 AND \($1)") }

  /// The columns that the conditions of ``kinds`` look at, and the one that all of them need.
  private static let counted = [
    "trashedDate", "hidden", "favorite", "adjustmentFormat", "mediaSubtypes", "pixelWidth",
    "pixelHeight",
  ]

  private static let kindTallies = """
    CREATE TABLE tally (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      \(kinds.map { "\($0.column) INTEGER NOT NULL" }.joined(separator: ",\n  "))
    ) STRICT;
    INSERT INTO tally SELECT 1,
      \(kinds.map { "count(*) FILTER (WHERE \($0.condition))" }.joined(separator: ",\n  "))
    FROM asset WHERE trashedDate IS NULL;

    CREATE TRIGGER tallyInserted AFTER INSERT ON asset WHEN NEW.trashedDate IS NULL BEGIN
      \(recount("+", of: "NEW"))
    END;
    CREATE TRIGGER tallyDeleted AFTER DELETE ON asset WHEN OLD.trashedDate IS NULL BEGIN
      \(recount("-", of: "OLD"))
    END;
    CREATE TRIGGER tallyLeft AFTER UPDATE OF \(counted.joined(separator: ", ")) ON asset
      WHEN OLD.trashedDate IS NULL BEGIN
      \(recount("-", of: "OLD"))
    END;
    CREATE TRIGGER tallyCame AFTER UPDATE OF \(counted.joined(separator: ", ")) ON asset
      WHEN NEW.trashedDate IS NULL BEGIN
      \(recount("+", of: "NEW"))
    END;

    """

  /// Adds a row of a trigger to the numbers, or takes it away.
  private static func recount(_ sign: String, of row: String) -> String {
    let changes = kinds.map { column, condition in
      let words = condition.split(separator: " ").map { word in
        counted.contains(String(word)) ? "\(row).\(word)" : String(word)
      }
      return "\(column) = \(column) \(sign) (\(words.joined(separator: " ")))"
    }
    return "UPDATE tally SET \(changes.joined(separator: ",\n    "));"
  }

  private static let dayAndAlbumTallies = """
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
