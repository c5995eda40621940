import FoundationEssentials
import SafelightFiles

/// An entry of the export: one thing that only the catalog knows.
///
/// The export is two files beside the catalog. `catalogue.json` is an object with `version`, `sequence` and
/// `entries`. `catalogue.journal.ndjson` has an entry on each line, in the order of the later changes. Of all
/// entries with the same key the one with the highest `sequence` counts; an entry with `removed` says that the
/// thing is gone. A last line without an end does not count. Each entry has one of the other fields. A removed
/// album takes its members along, and a removed client or asset its selections: they have no entries of their
/// own then.
package struct ExportEntry: Codable, Sendable, Hashable {
  /// The number of the change; entries of `catalogue.json` have the number of the file.
  package var sequence: Int64 = 0
  /// Whether the thing is gone.
  package var removed: Bool?
  /// A folder that was added by name.
  package var root: ExportedPath?
  /// The patterns that leave files out of that folder, as ``FolderRules/texts``; missing when there are none.
  package var excludes: [String]?
  package var asset: ExportedAsset?
  package var collection: ExportedCollection?
  package var member: ExportedMember?
  package var client: ExportedClient?
  package var selected: ExportedSelection?
  package var departed: ExportedTombstone?
}

/// A path as text; a path that is not UTF-8 is an object with the bytes in Base64.
package struct ExportedPath: Codable, Sendable, Hashable {
  package let path: FilePath

  package init(_ path: FilePath) { self.path = path }

  private enum CodingKeys: CodingKey { case bytes }

  package init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      path = FilePath(text)
    } else {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      path = FilePath(bytes: try container.decode(Data.self, forKey: .bytes))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    if let text = String(validating: path.bytes, as: UTF8.self) {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    } else {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(Data(path.bytes), forKey: .bytes)
    }
  }
}

/// What a person set on an asset, and the asset's identifier when the path does not give it.
///
/// In JSON the columns that only the catalog knows (``AssetColumn/exported``) have their names: `true` for marks, seconds
/// since 1970 UTC for dates, and nothing for a mark or a date that is not there. `isDateSet` and `isPlaceSet` say that a
/// person set `creationDate`, `latitude` and `longitude`; without a value the person removed it.
package struct ExportedAsset: Sendable, Hashable {
  package var identifier: String
  /// Missing from an entry with `removed`.
  package var path: ExportedPath?
  /// The values of ``AssetColumn/exported`` columns and of those that a person set, without false and missing ones.
  private(set) var values: [AssetColumn: DatabaseValue] = [:]
  /// What a person set; see ``AssetColumn/Settable``.
  private var marks: Set<Word> = []

  /// The words beside the columns' names.
  package enum Word: String, CodingKey, Sendable {
    case path, isDateSet, isPlaceSet
  }

  /// An asset of which the catalog knows no more than this.
  package init(identifier: String, path: ExportedPath? = nil, isDerived: Bool = false) {
    (self.identifier, self.path) = (identifier, path)
    if isDerived { values[.isDerived] = .integer(1) }
  }

  /// Whether the identifier is the one that the path gives.
  package var isDerived: Bool { values[.isDerived] == .integer(1) }

  /// Whether the path and the file say everything.
  var isPlain: Bool { self == ExportedAsset(identifier: identifier, path: path, isDerived: true) }
}

extension ExportedAsset {
  private static let columns = AssetColumns(
    [.identifier, .name] + AssetColumn.exported + AssetColumn.settable.flatMap(\.columns))

  /// Selects the columns that ``init(_:)`` reads.
  static let query: String = {
    let areSet = AssetColumn.settable.map { "(\($0.isSet()))" }.joined(separator: ", ")
    return """
      SELECT \(columns.sql), folder.path, \(areSet)
      FROM asset JOIN folder ON folder.id = asset.folder
      """
  }()

  /// Whether the catalog knows more about an asset than the disk, in SQL.
  static let isSpecial =
    (AssetColumn.exported.map { $0.isTold() } + AssetColumn.settable.map { $0.isSet() })
    .joined(separator: " OR ")

  init(_ row: Row) {
    let (asset, next) = (Self.columns.row(row), Self.columns.count)
    let folder = FilePath(bytes: row[next] as [UInt8])
    self.init(
      identifier: asset[.identifier],
      path: ExportedPath(folder.appending(FilePath(bytes: asset[.name] as [UInt8]))))
    take(AssetColumn.exported) { asset[$0] }
    for (place, set) in AssetColumn.settable.enumerated() where row[next + 1 + place] as Bool {
      marks.insert(set.mark)
      take(set.columns) { asset[$0] }
    }
  }

  /// Takes those values that are not missing and not false.
  private mutating func take(
    _ columns: [AssetColumn], from value: (AssetColumn) throws -> DatabaseValue
  ) rethrows {
    for column in columns {
      let value = try value(column)
      values[column] = value == .null || value == .integer(0) ? nil : value
    }
  }

  /// Writes into an asset's row what a person set.
  func write(to row: Int64, in database: Database) throws(DatabaseError) {
    let set = AssetColumn.settable.filter { marks.contains($0.mark) }.flatMap(\.columns)
    let columns = AssetColumn.exported.filter { $0 != .isDerived } + set
    let assignments = columns.enumerated().map { "\($1.name) = ?\($0 + 3)" }
    try database.run(
      """
      UPDATE asset SET modificationDate = max(modificationDate, coalesce(?2, modificationDate)),
        \(assignments.joined(separator: ", ")) WHERE id = ?1
      """,
      values: [row, values[.settingsDate] ?? .null]
        + columns.map { values[$0] ?? ($0.definition.isOptional ? .null : .integer(0)) })
  }
}

extension ExportedAsset: Codable {
  package init(from decoder: any Decoder) throws {
    let columns = try decoder.container(keyedBy: AssetColumn.self)
    let words = try decoder.container(keyedBy: Word.self)
    self.init(
      identifier: try columns.decode(String.self, forKey: .identifier),
      path: try words.decodeIfPresent(ExportedPath.self, forKey: .path))
    for mark in AssetColumn.settable.map(\.mark)
    where try words.decodeIfPresent(Bool.self, forKey: mark) == true { marks.insert(mark) }
    try take(AssetColumn.exported + AssetColumn.settable.flatMap(\.columns)) { column in
      column.definition.type == .integer
        ? try columns.decodeIfPresent(Bool.self, forKey: column).databaseValue
        : try columns.decodeIfPresent(Double.self, forKey: column).databaseValue
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var columns = encoder.container(keyedBy: AssetColumn.self)
    try columns.encode(identifier, forKey: .identifier)
    for (column, value) in values {
      if case .real(let number) = value {
        try columns.encode(number, forKey: column)
      } else {
        try columns.encode(true, forKey: column)
      }
    }
    var words = encoder.container(keyedBy: Word.self)
    try words.encodeIfPresent(path, forKey: .path)
    for mark in marks { try words.encode(true, forKey: mark) }
  }
}

/// An album or a list of albums.
package struct ExportedCollection: Codable, Sendable, Hashable {
  package var identifier: String
  package var isList: Bool?
  package var title: String?
  /// The list that contains it; missing at the top level.
  package var list: String?
  package var position: Int64?
  /// Seconds since 1970 UTC.
  package var creationDate: Double?
}

/// The asset at a position of an album; positions may have gaps.
package struct ExportedMember: Codable, Sendable, Hashable {
  package var album: String
  package var position: Int64
  package var asset: String?
}

/// The user's decisions about a client; the numbers are PhotoKit's statuses.
package struct ExportedClient: Codable, Sendable, Hashable {
  package var identifier: String
  package var addOnly: Int?
  package var readWrite: Int?
  package var usageDescription: String?
  /// Seconds since 1970 UTC.
  package var answered: Double?
}

/// An asset that a client with limited access may see.
package struct ExportedSelection: Codable, Sendable, Hashable {
  package var client: String
  package var asset: String
}

/// What only the catalog knew about a photo whose file is gone, with its albums and clients.
package struct ExportedTombstone: Codable, Sendable, Hashable {
  package var asset: ExportedAsset
  /// What the photo is recognized by: the fingerprint of its picture, or of its file.
  package var fingerprint: Data?
  package var members: [ExportedMember]?
  package var clients: [String]?
  /// When a scan found the file missing, in seconds since 1970 UTC.
  package var date: Double?
}

/// Two entries with the same key are about the same thing.
package struct ExportKey: Sendable, Hashable {
  /// In the order in which a thing comes after those that it refers to.
  package enum Kind: Int, Sendable, CaseIterable {
    case root, asset, collection, member, client, selected, departed
  }

  package let kind: Kind
  package let key: [UInt8]
  package var number: Int64 = 0
  package var second = ""
}

extension ExportKey {
  init(_ kind: Kind, _ text: String, number: Int64 = 0, second: String = "") {
    self.init(kind: kind, key: Array(text.utf8), number: number, second: second)
  }
}

extension ExportEntry {
  /// The key of the thing that the entry is about; `nil` for an entry of a newer program with other fields.
  package var key: ExportKey? {
    if let root { return ExportKey(kind: .root, key: root.path.bytes) }
    if let asset { return ExportKey(.asset, asset.identifier) }
    if let collection { return ExportKey(.collection, collection.identifier) }
    if let member { return ExportKey(.member, member.album, number: member.position) }
    if let client { return ExportKey(.client, client.identifier) }
    if let selected { return ExportKey(.selected, selected.client, second: selected.asset) }
    return departed.map { ExportKey(.departed, $0.asset.identifier) }
  }

  /// The keys of the things that take this thing along when they are removed.
  var owners: [ExportKey] {
    if let member { return [ExportKey(.collection, member.album)] }
    guard let selected else { return [] }
    return [ExportKey(.client, selected.client), ExportKey(.asset, selected.asset)]
  }
}
