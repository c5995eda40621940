import FoundationEssentials
import SafelightFiles

/// How the things of one kind are read from the catalog.
private struct ExportSource {
  let query: String
  /// The condition for all things that the export has.
  var all = "1"
  /// The condition for the thing with the values of a key.
  let one: String
  let entry: (Row) -> ExportEntry?

  static func of(_ kind: ExportKey.Kind) -> ExportSource {
    switch kind {
    case .root:
      ExportSource(
        query: "SELECT path, excludes FROM folder WHERE isRoot = 1 AND", one: "path = ?"
      ) { row in
        let lines: [UInt8]? = row[1]
        return ExportEntry(
          root: ExportedPath(FilePath(bytes: row[0] as [UInt8])),
          excludes: lines.map { FolderRules(lines: $0).texts })
      }
    case .asset:
      ExportSource(
        query: "\(ExportedAsset.query) WHERE", all: ExportedAsset.isSpecial,
        one: "asset.identifier = ?"
      ) { ExportEntry(asset: ExportedAsset($0)) }
    case .collection:
      ExportSource(
        query: """
          SELECT one.identifier, one.isList, one.title, list.identifier, one.position,
            one.creationDate
          FROM collection one LEFT JOIN collection list ON list.id = one.list WHERE
          """, one: "one.identifier = ?"
      ) { row in
        ExportEntry(
          collection: ExportedCollection(
            identifier: row[0], isList: row[1], title: row[2], list: row[3], position: row[4],
            creationDate: row[5]))
      }
    case .member:
      ExportSource(
        query: "\(Database.memberQuery) WHERE",
        one: "collection.identifier = ? AND member.position = ?"
      ) { ExportEntry(member: ExportedMember($0)) }
    case .client:
      ExportSource(
        query: """
          SELECT identifier, addOnly, readWrite, usageDescription, answered FROM client WHERE
          """, one: "identifier = ?"
      ) { row in
        ExportEntry(
          client: ExportedClient(
            identifier: row[0], addOnly: row[1], readWrite: row[2], usageDescription: row[3],
            answered: row[4]))
      }
    case .selected:
      ExportSource(
        query: """
          SELECT client, identifier FROM selected JOIN asset ON asset.id = selected.asset WHERE
          """, one: "client = ? AND identifier = ?"
      ) { ExportEntry(selected: ExportedSelection(client: $0[0], asset: $0[1])) }
    case .departed:
      ExportSource(query: "SELECT state FROM departed WHERE", one: "identifier = ?") { row in
        let state: String = row[0]
        return try? JSONDecoder().decode(ExportEntry.self, from: Data(state.utf8))
      }
    }
  }
}

extension ExportedMember {
  fileprivate init(_ row: Row) {
    self.init(album: row[0], position: row[1], asset: row[2])
  }
}

extension ExportKey {
  private var name: String { String(decoding: key, as: UTF8.self) }

  /// The values for ``ExportSource/one``.
  fileprivate var values: [any DatabaseConvertible] {
    switch kind {
    case .root: [key]
    case .member: [name, number]
    case .selected: [name, second]
    case .asset, .collection, .client, .departed: [name]
    }
  }

  /// The entry for a thing that is gone.
  fileprivate var removed: ExportEntry {
    var entry = ExportEntry(removed: true)
    switch kind {
    case .root: entry.root = ExportedPath(FilePath(bytes: key))
    case .asset: entry.asset = ExportedAsset(identifier: name)
    case .collection: entry.collection = ExportedCollection(identifier: name)
    case .member: entry.member = ExportedMember(album: name, position: number)
    case .client: entry.client = ExportedClient(identifier: name)
    case .selected: entry.selected = ExportedSelection(client: name, asset: second)
    case .departed: entry.departed = ExportedTombstone(asset: ExportedAsset(identifier: name))
    }
    return entry
  }
}

extension Database {
  /// The entry of one thing in its present state; an entry with `removed` when the thing is gone.
  package func entry(_ key: ExportKey, sequence: Int64) throws(DatabaseError) -> ExportEntry {
    let source = ExportSource.of(key.kind)
    let found = try rows("\(source.query) \(source.one)", key.values, element: source.entry)
    var present = (found.first ?? nil) ?? key.removed
    present.sequence = sequence
    return present
  }

  /// The entries of everything. An entry comes after the entries that it refers to.
  package func entries(sequence: Int64) throws(DatabaseError) -> [ExportEntry] {
    var entries: [ExportEntry] = []
    for kind in ExportKey.Kind.allCases {
      let source = ExportSource.of(kind)
      let found = try rows("\(source.query) (\(source.all))", element: source.entry)
      entries += found.compactMap(\.self)
    }
    for index in entries.indices { entries[index].sequence = sequence }
    return entries
  }

  fileprivate static let memberQuery = """
    SELECT collection.identifier, member.position, asset.identifier FROM member
    JOIN collection ON collection.id = member.album JOIN asset ON asset.id = member.asset
    """

  /// The places of an asset in albums.
  func members(of asset: Int64) throws(DatabaseError) -> [ExportedMember] {
    try rows("\(Self.memberQuery) WHERE asset.id = ?", [asset]) { ExportedMember($0) }
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
