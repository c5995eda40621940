/// Counters of the rows of `asset` in a table of their own, which triggers keep up to date, whichever statement writes.
///
/// Rows of assets must not be replaced by `INSERT OR REPLACE`, because SQLite then calls no trigger for the old row.
private struct AssetCounter {
  /// What the triggers' names begin with.
  let name: String
  /// The columns that decide what counts.
  let columns: String
  /// The condition under which a row of this name, `NEW` or `OLD`, counts.
  let isCounted: (String) -> String
  /// The statements that count the row `NEW`, and that no longer count the row `OLD`.
  let add: String
  let subtract: String

  /// Makes the triggers.
  var triggers: String {
    let changed = "UPDATE OF \(columns)"
    let events = [
      ("Inserted", "INSERT", "NEW"), ("Deleted", "DELETE", "OLD"), ("Left", changed, "OLD"),
      ("Came", changed, "NEW"),
    ]
    return events.map { ending, event, row in
      """
      CREATE TRIGGER \(name)\(ending) AFTER \(event) ON asset WHEN \(isCounted(row)) BEGIN
        \(row == "NEW" ? add : subtract)
      END;
      """
    }.joined(separator: "\n")
  }
}

extension Schema {
  /// The numbers of visible photos of each smart album, each day, each camera and each album.
  static let counters = [kinds, days, cameras, albums].joined(separator: "\n")

  private static let kinds: String = {
    let kinds = AssetKind.allCases
    let counter = AssetCounter(
      name: "tally",
      columns: """
        trashedDate, hidden, favorite, adjustmentFormat, mediaSubtypes, pixelWidth, pixelHeight
        """,
      isCounted: { "\($0).trashedDate IS NULL" },
      add: "UPDATE tally SET \(recount(kinds, "+", "NEW"));",
      subtract: "UPDATE tally SET \(recount(kinds, "-", "OLD"));")
    return """
      CREATE TABLE tally (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        \(kinds.map { "\($0) INTEGER NOT NULL" }.joined(separator: ", "))
      ) STRICT;
      INSERT INTO tally VALUES (1, \(kinds.map { _ in "0" }.joined(separator: ", ")));
      \(counter.triggers)
      """
  }()

  /// A day is 86,400 seconds of the camera's clock since 1970.
  private static let days: String = {
    func day(of row: String) -> String {
      "CAST((\(row).creationDate + coalesce(\(row).timeZoneOffset, 0)) / 86400 AS INTEGER)"
    }
    let counter = AssetCounter(
      name: "day", columns: "trashedDate, hidden, creationDate, timeZoneOffset",
      isCounted: { "\(isVisible($0)) AND \($0).creationDate IS NOT NULL" },
      add: """
        INSERT INTO dayTally VALUES (\(day(of: "NEW")), 1)
          ON CONFLICT (day) DO UPDATE SET visible = visible + 1;
        """,
      subtract: "UPDATE dayTally SET visible = visible - 1 WHERE day = \(day(of: "OLD"));")
    return """
      CREATE TABLE dayTally (day INTEGER PRIMARY KEY, visible INTEGER NOT NULL) STRICT;
      \(counter.triggers)
      """
  }()

  /// There are few cameras, so fetches search for a part of a camera's name in this table, and not among the photos.
  private static let cameras: String = {
    let kinds: [AssetKind] = [.visible, .hidden, .favorites, .edited]
    let values = kinds.map { $0.condition(of: "NEW") }.joined(separator: ", ")
    let sums = kinds.map { "\($0) = \($0) + excluded.\($0)" }.joined(separator: ", ")
    let counter = AssetCounter(
      name: "camera", columns: "trashedDate, hidden, camera, favorite, adjustmentFormat",
      isCounted: { "\($0).trashedDate IS NULL AND \($0).camera IS NOT NULL" },
      add: """
        INSERT INTO cameraTally VALUES (NEW.camera, \(values))
          ON CONFLICT (camera) DO UPDATE SET \(sums);
        """,
      subtract: """
        UPDATE cameraTally SET \(recount(kinds, "-", "OLD")) WHERE camera = OLD.camera;
        """)
    return """
      CREATE TABLE cameraTally (
        camera TEXT PRIMARY KEY, \(kinds.map { "\($0) INTEGER NOT NULL" }.joined(separator: ", "))
      ) STRICT, WITHOUT ROWID;
      \(counter.triggers)
      """
  }()

  /// Adds a trigger's row to the counters, or subtracts it.
  private static func recount(_ kinds: [AssetKind], _ sign: String, _ row: String) -> String {
    kinds.map { "\($0) = \($0) \(sign) (\($0.condition(of: row)))" }.joined(separator: ", ")
  }

  private static func isVisible(_ row: String) -> String {
    "\(row).trashedDate IS NULL AND \(row).hidden = 0"
  }

  /// When an asset is shown or no longer shown.
  private static let isShownAnew = "(\(isVisible("OLD"))) <> (\(isVisible("NEW")))"

  /// The visible members of albums are counted, and marked.
  private static let albums = """
    CREATE TABLE albumTally (
      album INTEGER PRIMARY KEY REFERENCES collection (id) ON DELETE CASCADE,
      visible INTEGER NOT NULL
    ) STRICT;

    CREATE TRIGGER memberInserted AFTER INSERT ON member BEGIN
      \(addMember)
    END;
    CREATE TRIGGER memberDeleted AFTER DELETE ON member BEGIN
      \(subtractMember)
    END;
    CREATE TRIGGER memberExchanged AFTER UPDATE OF album, asset ON member BEGIN
      \(subtractMember)
      \(addMember)
    END;
    -- SQLite deletes the members after the asset, and their triggers can no longer read the asset.
    CREATE TRIGGER memberOrphaned BEFORE DELETE ON asset WHEN \(isVisible("OLD")) BEGIN
      UPDATE albumTally SET visible = visible - 1
        WHERE album IN (SELECT album FROM member WHERE asset = OLD.id);
    END;
    CREATE TRIGGER memberShown AFTER UPDATE OF trashedDate, hidden ON asset WHEN \(isShownAnew)
    BEGIN
      UPDATE albumTally SET visible = visible + (\(isVisible("NEW"))) - (\(isVisible("OLD")))
        WHERE album IN (SELECT album FROM member WHERE asset = NEW.id);
    END;

    CREATE TRIGGER memberPlaced AFTER INSERT ON member BEGIN
      UPDATE member SET visible = 0
        WHERE album = NEW.album AND position = NEW.position AND EXISTS (\(unseenMember));
    END;
    CREATE TRIGGER memberReplaced AFTER UPDATE OF asset ON member BEGIN
      UPDATE member SET visible = NOT EXISTS (\(unseenMember))
        WHERE album = NEW.album AND position = NEW.position;
    END;
    CREATE TRIGGER memberSeen AFTER UPDATE OF trashedDate, hidden ON asset WHEN \(isShownAnew)
    BEGIN
      UPDATE member SET visible = \(isVisible("NEW")) WHERE asset = NEW.id;
    END;
    """

  private static let addMember = """
    INSERT INTO albumTally SELECT NEW.album, trashedDate IS NULL AND hidden = 0
      FROM asset WHERE id = NEW.asset
      ON CONFLICT (album) DO UPDATE SET visible = visible + excluded.visible;
    """

  private static let subtractMember = """
    UPDATE albumTally SET visible = visible - coalesce(
      (SELECT trashedDate IS NULL AND hidden = 0 FROM asset WHERE id = OLD.asset), 0)
      WHERE album = OLD.album;
    """

  private static let unseenMember = """
    SELECT 1 FROM asset WHERE id = NEW.asset AND (asset.hidden = 1 OR trashedDate IS NOT NULL)
    """
}
