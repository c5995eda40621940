import FoundationEssentials
import SafelightFiles

extension Database {
  /// The entry of one thing in its present state; an entry with `removed` when the thing is gone.
  package func entry(_ key: ExportKey, sequence: Int64) throws(DatabaseError) -> ExportEntry {
    let name = String(decoding: key.key, as: UTF8.self)
    var entry: ExportEntry?
    switch key.kind {
    case .root: entry = try roots("AND path = ?", [key.key]).first
    case .asset: entry = try assets("asset.identifier = ?", [name]).first
    case .collection: entry = try collections("WHERE one.identifier = ?", [name]).first
    case .member:
      entry =
        try members("WHERE collection.identifier = ? AND member.position = ?", [name, key.number])
        .first
    case .client: entry = try clients("WHERE identifier = ?", [name]).first
    case .selected:
      entry = try selections("WHERE client = ? AND identifier = ?", [name, key.second]).first
    case .departed: entry = try departures("WHERE identifier = ?", [name]).first
    }
    var present = entry ?? Self.removed(key, name)
    present.sequence = sequence
    return present
  }

  /// The entries of everything. An entry comes after the entries that it refers to.
  package func entries(sequence: Int64) throws(DatabaseError) -> [ExportEntry] {
    var entries = try roots("", []) + assets(Self.isSpecial, []) + collections("", [])
    entries += try members("", []) + clients("", []) + selections("", []) + departures("", [])
    for index in entries.indices { entries[index].sequence = sequence }
    return entries
  }

  private static func removed(_ key: ExportKey, _ name: String) -> ExportEntry {
    var entry = ExportEntry(removed: true)
    switch key.kind {
    case .root: entry.root = ExportedPath(FilePath(bytes: key.key))
    case .asset: entry.asset = ExportedAsset(identifier: name)
    case .collection: entry.collection = ExportedCollection(identifier: name)
    case .member: entry.member = ExportedMember(album: name, position: key.number)
    case .client: entry.client = ExportedClient(identifier: name)
    case .selected: entry.selected = ExportedSelection(client: name, asset: key.second)
    case .departed: entry.departed = ExportedDeparture(asset: ExportedAsset(identifier: name))
    }
    return entry
  }

  private func roots(
    _ condition: String, _ values: [any DatabaseConvertible]
  ) throws(DatabaseError) -> [ExportEntry] {
    try rows("SELECT path, excludes FROM folder WHERE isRoot = 1 \(condition)", values) { row in
      let lines: [UInt8]? = row[1]
      return ExportEntry(
        root: ExportedPath(FilePath(bytes: row[0] as [UInt8])),
        excludes: lines.map { FolderRules(lines: $0).texts })
    }
  }

  /// The condition, in SQL, of an asset about which the catalog knows more than the disk.
  private static let isSpecial = """
    isDerived = 0 OR favorite = 1 OR hidden = 1 OR trashedDate IS NOT NULL OR settingsDate IS NOT NULL
    OR \(AssetColumn.settable.map { AssetColumn.isSet($0) }.joined(separator: " OR "))
    """

  private static let exported = AssetColumns([
    .identifier, .name, .isDerived, .favorite, .hidden, .creationDate, .latitude, .longitude,
    .trashedDate, .settingsDate,
  ])

  func assets(
    _ condition: String, _ values: [any DatabaseConvertible]
  ) throws(DatabaseError) -> [ExportEntry] {
    let columns = Self.exported
    let areSet = AssetColumn.settable.map { "(\(AssetColumn.isSet($0)))" }
    return try rows(
      """
      SELECT \(columns.sql), folder.path, \(areSet.joined(separator: ", "))
      FROM asset JOIN folder ON folder.id = asset.folder WHERE \(condition)
      """, values
    ) { row in
      let asset = columns.row(row)
      func mark(_ column: AssetColumn) -> Bool? { asset[column] as Bool ? true : nil }
      func isSet(_ group: Int) -> Bool? { row[columns.count + 1 + group] as Bool ? true : nil }
      let folder = FilePath(bytes: row[columns.count] as [UInt8])
      var exported = ExportedAsset(
        identifier: asset[.identifier],
        path: ExportedPath(folder.appending(FilePath(bytes: asset[.name] as [UInt8]))),
        isDerived: mark(.isDerived), favorite: mark(.favorite), hidden: mark(.hidden),
        isDateSet: isSet(0), isPlaceSet: isSet(1), trashedDate: asset[.trashedDate],
        settingsDate: asset[.settingsDate])
      if exported.isDateSet == true { exported.creationDate = asset[.creationDate] }
      if exported.isPlaceSet == true {
        (exported.latitude, exported.longitude) = (asset[.latitude], asset[.longitude])
      }
      return ExportEntry(asset: exported)
    }
  }

  private func collections(
    _ condition: String, _ values: [any DatabaseConvertible]
  ) throws(DatabaseError) -> [ExportEntry] {
    try rows(
      """
      SELECT one.identifier, one.isList, one.title, list.identifier, one.position,
        one.creationDate
      FROM collection one LEFT JOIN collection list ON list.id = one.list \(condition)
      """, values
    ) { row in
      ExportEntry(
        collection: ExportedCollection(
          identifier: row[0], isList: row[1], title: row[2], list: row[3], position: row[4],
          creationDate: row[5]))
    }
  }

  func members(
    _ condition: String, _ values: [any DatabaseConvertible]
  ) throws(DatabaseError) -> [ExportEntry] {
    try rows(
      """
      SELECT collection.identifier, member.position, asset.identifier FROM member
      JOIN collection ON collection.id = member.album JOIN asset ON asset.id = member.asset
      \(condition)
      """, values
    ) { row in
      ExportEntry(member: ExportedMember(album: row[0], position: row[1], asset: row[2]))
    }
  }

  private func clients(
    _ condition: String, _ values: [any DatabaseConvertible]
  ) throws(DatabaseError) -> [ExportEntry] {
    try rows(
      """
      SELECT identifier, addOnly, readWrite, usageDescription, answered FROM client \(condition)
      """, values
    ) { row in
      ExportEntry(
        client: ExportedClient(
          identifier: row[0], addOnly: row[1], readWrite: row[2], usageDescription: row[3],
          answered: row[4]))
    }
  }

  private func selections(
    _ condition: String, _ values: [any DatabaseConvertible]
  ) throws(DatabaseError) -> [ExportEntry] {
    try rows(
      """
      SELECT client, identifier FROM selected JOIN asset ON asset.id = selected.asset \(condition)
      """, values
    ) { row in ExportEntry(selected: ExportedSelection(client: row[0], asset: row[1])) }
  }

  private func departures(
    _ condition: String, _ values: [any DatabaseConvertible]
  ) throws(DatabaseError) -> [ExportEntry] {
    try rows("SELECT state FROM departed \(condition)", values) { row -> ExportEntry? in
      let state: String = row[0]
      return try? JSONDecoder().decode(ExportEntry.self, from: Data(state.utf8))
    }.compactMap(\.self)
  }

  /// The changes after a number, oldest first.
  package func unexported(
    after sequence: Int64
  ) throws(DatabaseError) -> [(sequence: Int64, key: ExportKey)] {
    try rows(
      "SELECT sequence, kind, key, number, second FROM unexported WHERE sequence > ? ORDER BY 1",
      [sequence]
    ) { row -> (sequence: Int64, key: ExportKey)? in
      guard let kind = ExportKey.Kind(rawValue: row[1]) else { return nil }
      let key: [UInt8] =
        switch row.value(2) {
        case .text(let text): Array(text.utf8)
        case .blob(let bytes): bytes
        case .null, .integer, .real: []
        }
      return (row[0], ExportKey(kind: kind, key: key, number: row[3], second: row[4]))
    }.compactMap(\.self)
  }

  /// The number of the last change, written to the journal or not.
  package func lastExportSequence() throws(DatabaseError) -> Int64 {
    try value("SELECT seq FROM sqlite_sequence WHERE name = 'unexported'") ?? 0
  }

  /// Deletes the numbers of changes that are in the journal since long. Each change set deletes a few, so that
  /// no change set takes long.
  package func forgetExported() throws(DatabaseError) {
    // The newest stay, because the journal does not have the lines of a process that was killed.
    try run(
      """
      DELETE FROM unexported WHERE sequence IN (
        SELECT sequence FROM unexported
        WHERE sequence < (SELECT max(sequence) FROM unexported) - 100000 LIMIT 1000)
      """)
  }
}
