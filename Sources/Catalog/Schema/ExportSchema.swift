/// The tables of changes that the export has to write, and of photos that are gone.
package enum ExportSchema {
  /// Triggers note each change, whichever statement makes it. The numbers are those of ``ExportKey/Kind``.
  package static let script = """
    -- Changes for the journal; rows are deleted some time after they were written to it.
    CREATE TABLE unexported (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      kind INTEGER NOT NULL,
      -- An identifier, or a path.
      key ANY NOT NULL,
      -- A position in an album.
      number INTEGER NOT NULL DEFAULT 0,
      -- The asset that a client may see.
      second TEXT NOT NULL DEFAULT ''
    ) STRICT;

    -- What only the catalog knew about photos whose files are gone, until they come back.
    CREATE TABLE departed (
      identifier TEXT PRIMARY KEY,
      fingerprint BLOB,
      -- The entry of the export.
      state TEXT NOT NULL,
      date REAL NOT NULL
    ) STRICT;
    CREATE INDEX departedByFingerprint ON departed (fingerprint);

    CREATE TRIGGER exportRoot AFTER INSERT ON folder WHEN NEW.isRoot = 1 BEGIN
      INSERT INTO unexported (kind, key) VALUES (0, NEW.path);
    END;
    CREATE TRIGGER exportRootSet AFTER UPDATE OF isRoot ON folder WHEN NEW.isRoot <> OLD.isRoot
    BEGIN
      INSERT INTO unexported (kind, key) VALUES (0, NEW.path);
    END;
    CREATE TRIGGER exportRootGone AFTER DELETE ON folder WHEN OLD.isRoot = 1 BEGIN
      INSERT INTO unexported (kind, key) VALUES (0, OLD.path);
    END;

    CREATE TRIGGER exportAsset AFTER INSERT ON asset
      WHEN NEW.isDerived = 0 OR NEW.favorite = 1 OR NEW.hidden = 1 OR NEW.trashedDate IS NOT NULL
        OR NEW.creationDate IS NOT NEW.fileCreationDate OR NEW.latitude IS NOT NEW.fileLatitude
        OR NEW.longitude IS NOT NEW.fileLongitude
    BEGIN
      INSERT INTO unexported (kind, key) VALUES (1, NEW.identifier);
    END;
    CREATE TRIGGER exportAssetSet AFTER UPDATE OF identifier, isDerived, folder, name, favorite,
      hidden, trashedDate, creationDate, latitude, longitude ON asset
      WHEN NEW.isDerived <> OLD.isDerived OR NEW.favorite <> OLD.favorite
        OR NEW.hidden <> OLD.hidden OR NEW.trashedDate IS NOT OLD.trashedDate
        OR NEW.folder <> OLD.folder OR NEW.name <> OLD.name OR NEW.identifier <> OLD.identifier
        OR (NEW.creationDate IS NOT OLD.creationDate
          AND (NEW.creationDate IS NOT NEW.fileCreationDate
            OR OLD.creationDate IS NOT OLD.fileCreationDate))
        OR ((NEW.latitude IS NOT OLD.latitude OR NEW.longitude IS NOT OLD.longitude)
          AND (NEW.latitude IS NOT NEW.fileLatitude OR NEW.longitude IS NOT NEW.fileLongitude
            OR OLD.latitude IS NOT OLD.fileLatitude OR OLD.longitude IS NOT OLD.fileLongitude))
    BEGIN
      INSERT INTO unexported (kind, key) VALUES (1, NEW.identifier);
    END;
    CREATE TRIGGER exportAssetGone AFTER DELETE ON asset BEGIN
      INSERT INTO unexported (kind, key) VALUES (1, OLD.identifier);
    END;

    \(triggers("Collection", on: "collection", kind: 2))

    CREATE TRIGGER exportMember AFTER INSERT ON member BEGIN
      INSERT INTO unexported (kind, key, number)
        SELECT 3, identifier, NEW.position FROM collection WHERE id = NEW.album;
    END;
    CREATE TRIGGER exportMemberSet AFTER UPDATE ON member BEGIN
      INSERT INTO unexported (kind, key, number)
        SELECT 3, identifier, OLD.position FROM collection WHERE id = OLD.album;
      INSERT INTO unexported (kind, key, number)
        SELECT 3, identifier, NEW.position FROM collection WHERE id = NEW.album;
    END;
    -- A deleted album has no row any more, so its members are not noted one by one.
    CREATE TRIGGER exportMemberGone AFTER DELETE ON member BEGIN
      INSERT INTO unexported (kind, key, number)
        SELECT 3, identifier, OLD.position FROM collection WHERE id = OLD.album;
    END;

    \(triggers("Client", on: "client", kind: 4))
    CREATE TRIGGER exportSelected AFTER INSERT ON selected BEGIN
      INSERT INTO unexported (kind, key, second)
        SELECT 5, NEW.client, identifier FROM asset WHERE id = NEW.asset;
    END;
    CREATE TRIGGER exportSelectedGone AFTER DELETE ON selected BEGIN
      INSERT INTO unexported (kind, key, second)
        SELECT 5, OLD.client, identifier FROM asset WHERE id = OLD.asset;
    END;

    \(triggers("Departed", on: "departed", kind: 6, areUpdated: false))
    """

  /// Notes an asset also when a scan makes the file's date or place the one that a person set, or no longer.
  static let settings = """
    DROP TRIGGER exportAssetSet;
    CREATE TRIGGER exportAssetSet AFTER UPDATE OF identifier, isDerived, folder, name, favorite,
      hidden, trashedDate, creationDate, latitude, longitude, fileCreationDate, fileLatitude,
      fileLongitude ON asset
      WHEN NEW.isDerived <> OLD.isDerived OR NEW.favorite <> OLD.favorite
        OR NEW.hidden <> OLD.hidden OR NEW.trashedDate IS NOT OLD.trashedDate
        OR NEW.folder <> OLD.folder OR NEW.name <> OLD.name OR NEW.identifier <> OLD.identifier
        OR \(AssetColumn.settable.map(isChanged).joined(separator: "\n    OR "))
    BEGIN
      INSERT INTO unexported (kind, key) VALUES (1, NEW.identifier);
    END;
    """

  /// Notes a folder also when what is left out of it changes.
  static let excludes = """
    CREATE TRIGGER exportRootExcludes AFTER UPDATE OF excludes ON folder
      WHEN NEW.excludes IS NOT OLD.excludes
    BEGIN
      INSERT INTO unexported (kind, key) VALUES (0, NEW.path);
    END;
    """

  /// SQL for whether what a person set changed, in columns that are set together.
  private static func isChanged(_ columns: [AssetColumn]) -> String {
    let (old, new) = (
      AssetColumn.isSet(columns, prefix: "OLD."), AssetColumn.isSet(columns, prefix: "NEW.")
    )
    let values = columns.map { "NEW.\($0.name) IS NOT OLD.\($0.name)" }
    return "(\(new)) <> (\(old)) OR ((\(new)) AND (\(values.joined(separator: " OR "))))"
  }

  /// The triggers of a table whose rows are exported whole, by their identifiers.
  private static func triggers(
    _ name: String, on table: String, kind: Int, areUpdated: Bool = true
  ) -> String {
    let events =
      [("", "INSERT", "NEW"), ("Gone", "DELETE", "OLD")]
      + (areUpdated ? [("Set", "UPDATE", "NEW")] : [])
    return events.map { ending, event, row in
      """
      CREATE TRIGGER export\(name)\(ending) AFTER \(event) ON \(table) BEGIN
        INSERT INTO unexported (kind, key) VALUES (\(kind), \(row).identifier);
      END;
      """
    }.joined(separator: "\n")
  }
}
