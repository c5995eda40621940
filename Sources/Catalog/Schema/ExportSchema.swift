/// The tables of changes that the export has to write, and of photos that are gone.
enum ExportSchema {
  static let script =
    """
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

    -- Tombstones: what only the catalog knew about photos whose files are gone, until they come back.
    CREATE TABLE departed (
      identifier TEXT PRIMARY KEY,
      fingerprint BLOB,
      -- The entry of the export.
      state TEXT NOT NULL,
      date REAL NOT NULL
    ) STRICT;
    CREATE INDEX departedByFingerprint ON departed (fingerprint);

    """ + triggers.joined(separator: "\n")

  /// Triggers note each change, whichever statement makes it.
  private static let triggers = [
    trigger("Root", "INSERT ON folder", when: "NEW.isRoot = 1", note(.root, "NEW.path")),
    trigger(
      "RootSet", "UPDATE OF isRoot ON folder", when: "NEW.isRoot <> OLD.isRoot",
      note(.root, "NEW.path")),
    trigger("RootGone", "DELETE ON folder", when: "OLD.isRoot = 1", note(.root, "OLD.path")),
    trigger(
      "RootExcludes", "UPDATE OF excludes ON folder", when: "NEW.excludes IS NOT OLD.excludes",
      note(.root, "NEW.path")),

    trigger("Asset", "INSERT ON asset", when: isWorthNoting, note(.asset, "NEW.identifier")),
    // A scan too may make the file's date or place the one that a person set, or no longer.
    trigger(
      "AssetSet", "UPDATE OF \(decisive) ON asset", when: isChanged,
      note(.asset, "NEW.identifier")),
    trigger("AssetGone", "DELETE ON asset", note(.asset, "OLD.identifier")),

    trigger("Collection", "INSERT ON collection", note(.collection, "NEW.identifier")),
    trigger("CollectionSet", "UPDATE ON collection", note(.collection, "NEW.identifier")),
    trigger("CollectionGone", "DELETE ON collection", note(.collection, "OLD.identifier")),

    trigger("Member", "INSERT ON member", noteMember("NEW")),
    trigger(
      "MemberSet", "UPDATE OF album, position, asset ON member", noteMember("OLD"),
      noteMember("NEW")),
    trigger("MemberGone", "DELETE ON member", noteMember("OLD")),

    trigger("Client", "INSERT ON client", note(.client, "NEW.identifier")),
    trigger("ClientSet", "UPDATE ON client", note(.client, "NEW.identifier")),
    trigger("ClientGone", "DELETE ON client", note(.client, "OLD.identifier")),
    trigger("Selected", "INSERT ON selected", noteSelection("NEW")),
    trigger("SelectedGone", "DELETE ON selected", noteSelection("OLD")),

    trigger("Departed", "INSERT ON departed", note(.departed, "NEW.identifier")),
    trigger("DepartedGone", "DELETE ON departed", note(.departed, "OLD.identifier")),
  ]

  private static func trigger(
    _ name: String, _ event: String, when condition: String? = nil, _ notes: String...
  ) -> String {
    let premise = condition.map { "WHEN \($0) " } ?? ""
    let body = notes.joined(separator: "\n  ")
    return "CREATE TRIGGER export\(name) AFTER \(event) \(premise)BEGIN\n  \(body)\nEND;"
  }

  private static func note(_ kind: ExportKey.Kind, _ key: String) -> String {
    "INSERT INTO unexported (kind, key) VALUES (\(kind.rawValue), \(key));"
  }

  /// A deleted album has no row any more, so its members are not noted one by one.
  private static func noteMember(_ row: String) -> String {
    """
    INSERT INTO unexported (kind, key, number)
        SELECT \(ExportKey.Kind.member.rawValue), identifier, \(row).position
        FROM collection WHERE id = \(row).album;
    """
  }

  private static func noteSelection(_ row: String) -> String {
    """
    INSERT INTO unexported (kind, key, second)
        SELECT \(ExportKey.Kind.selected.rawValue), \(row).client, identifier
        FROM asset WHERE id = \(row).asset;
    """
  }

  /// The date of the last setting changes together with a setting.
  private static let noted = AssetColumn.exported.filter { $0 != .settingsDate }

  /// Whether the export has a new asset.
  private static let isWorthNoting =
    (noted.map { $0.isTold("NEW.") } + AssetColumn.settable.map { $0.isSet("NEW.") })
    .joined(separator: " OR ")

  /// The columns that decide what the export has of an asset.
  private static let decisive: String = {
    let set = AssetColumn.settable.flatMap(\.columns)
    let columns =
      [.identifier, .isDerived, .folder, .name] + noted.filter { $0 != .isDerived } + set
      + set.map(\.scanned)
    return columns.map(\.name).joined(separator: ", ")
  }()

  /// Whether the export of an asset changes.
  private static let isChanged: String = {
    let values = (noted + [.folder, .name, .identifier]).map { column in
      "NEW.\(column.name) \(column.definition.isOptional ? "IS NOT" : "<>") OLD.\(column.name)"
    }
    let settings = AssetColumn.settable.map { set in
      let (old, new) = (set.isSet("OLD."), set.isSet("NEW."))
      let values = set.columns.map { "NEW.\($0.name) IS NOT OLD.\($0.name)" }
      return "(\(new)) <> (\(old)) OR ((\(new)) AND (\(values.joined(separator: " OR "))))"
    }
    return (values + settings).joined(separator: " OR ")
  }()
}
