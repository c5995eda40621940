/// One column of the table `asset`: its name on disk is the name of the case.
///
/// The only list of these columns. From it come the statements that insert, update and read assets, the
/// columns that later migrations add, and the keys that fetches filter and sort by. To add a column, add
/// a case, a line to ``definition`` and a line to ``additions``; a fetch key of the same name in
/// ``FetchKey`` makes it a key of fetches.
package enum AssetColumn: Int, Sendable, CaseIterable {
  /// The row, what names the asset, and where its original is.
  case id, identifier, folder, name, isDerived
  /// The original as the last scan read it.
  case size, modified, inode, fingerprint, format, pixelWidth, pixelHeight, orientation
  case mediaSubtypes, camera, modificationDate
  case fileCreationDate, fileLatitude, fileLongitude
  /// The record beside it, and the format of the edit.
  case recordModified, adjustmentFormat
  /// What somebody set, or else what the original says.
  case creationDate, latitude, longitude
  /// What only the catalog knows.
  case addedDate, favorite, hidden, trashedDate
  /// What photographers search by, as the original says it. The offset is that of the camera's clock from
  /// UTC, in seconds.
  case title, caption, keywords, rating, lens, iso, exposureTime, aperture, focalLength
  case timeZoneOffset
  /// Which version of the header's reader wrote the row.
  case headerVersion

  /// The columns that migrations added to the first ones, by the migrations' names.
  static let additions: [String: [AssetColumn]] = [
    "details": [
      .title, .caption, .keywords, .rating, .lens, .iso, .exposureTime, .aperture, .focalLength,
      .timeZoneOffset, .headerVersion,
    ]
  ]

  /// SQLite's type of a column.
  enum StorageType: String {
    case integer = "INTEGER"
    case real = "REAL"
    case text = "TEXT"
    case blob = "BLOB"
  }

  /// Who writes a column.
  enum Writer {
    /// The catalog, when it makes the row or is asked to change it.
    case catalog
    /// Each scan of the photo's files.
    case scan
    /// A person; until then each scan, with the value of another column.
    case person(instead: AssetColumn)
  }

  struct Definition {
    let type: StorageType
    var writer = Writer.catalog
    /// Whether the column may be NULL.
    var isOptional = false
    /// Whether an `Asset` has it.
    var isShown = false
    /// What kind of value fetches take it for, when its type does not say that.
    var kind: FetchKey.Kind?
  }

  var definition: Definition {
    switch self {
    case .id: Definition(type: .integer, isShown: true)
    case .identifier: Definition(type: .text, isShown: true)
    case .folder: Definition(type: .integer)
    case .name: Definition(type: .blob, isShown: true)
    case .isDerived: Definition(type: .integer, kind: .truth)
    case .size, .modified, .inode, .orientation: Definition(type: .integer, writer: .scan)
    case .fingerprint: Definition(type: .blob, writer: .scan, isOptional: true)
    case .format: Definition(type: .text, writer: .scan, isShown: true)
    case .pixelWidth, .pixelHeight, .mediaSubtypes:
      Definition(type: .integer, writer: .scan, isShown: true)
    case .camera, .title, .caption, .lens:
      Definition(type: .text, writer: .scan, isOptional: true, isShown: true)
    case .keywords:
      Definition(type: .text, writer: .scan, isOptional: true, isShown: true, kind: .keywords)
    case .rating, .iso, .timeZoneOffset:
      Definition(type: .integer, writer: .scan, isOptional: true, isShown: true)
    case .exposureTime, .aperture, .focalLength:
      Definition(type: .real, writer: .scan, isOptional: true, isShown: true)
    case .headerVersion: Definition(type: .integer, writer: .scan)
    case .modificationDate: Definition(type: .real, writer: .scan, isShown: true, kind: .date)
    case .fileCreationDate:
      Definition(type: .real, writer: .scan, isOptional: true, kind: .date)
    case .fileLatitude, .fileLongitude: Definition(type: .real, writer: .scan, isOptional: true)
    case .recordModified: Definition(type: .integer, writer: .scan, isOptional: true)
    case .adjustmentFormat:
      Definition(type: .text, writer: .scan, isOptional: true, isShown: true)
    case .creationDate:
      Definition(
        type: .real, writer: .person(instead: .fileCreationDate), isOptional: true, isShown: true,
        kind: .date)
    case .latitude:
      Definition(
        type: .real, writer: .person(instead: .fileLatitude), isOptional: true, isShown: true)
    case .longitude:
      Definition(
        type: .real, writer: .person(instead: .fileLongitude), isOptional: true, isShown: true)
    case .addedDate: Definition(type: .real, isShown: true, kind: .date)
    case .favorite, .hidden: Definition(type: .integer, isShown: true, kind: .truth)
    case .trashedDate: Definition(type: .real, isOptional: true, kind: .date)
    }
  }

  private static let names = allCases.map { "\($0)" }
  private static let named = Dictionary(uniqueKeysWithValues: zip(names, allCases))

  /// The name on disk.
  package var name: String { Self.names[rawValue] }

  /// The column of a name.
  package init?(name: String) {
    guard let column = Self.named[name] else { return nil }
    self = column
  }

  /// Adds the columns of a migration to the table. Rows that are there have NULL or 0 in them.
  static func schema(adding migration: String) -> String {
    (additions[migration] ?? []).map { column in
      let rule = column.definition.isOptional ? "" : " NOT NULL DEFAULT 0"
      return
        "ALTER TABLE asset ADD COLUMN \(column.name) \(column.definition.type.rawValue)\(rule);"
    }.joined(separator: "\n")
  }

  /// Columns that a person sets together: who sets one sets the others.
  static let settable: [[AssetColumn]] = [[.creationDate], [.latitude, .longitude]]

  /// The column that a scan writes for a column that a person may set.
  var scanned: AssetColumn {
    if case .person(let column) = definition.writer { column } else { self }
  }

  /// SQL that tells whether a person set these columns, of the row `prefix`.
  static func isSet(_ columns: [AssetColumn], prefix: String = "") -> String {
    columns.map { "\(prefix)\($0.name) IS NOT \(prefix)\($0.scanned.name)" }
      .joined(separator: " OR ")
  }
}

/// The values that a scan writes for one photo, by their columns.
package struct AssetFacts: Sendable {
  private var values: [AssetColumn: DatabaseValue] = [:]

  package init() {}

  /// A column that only a scan writes. What is not set is NULL.
  package subscript(column: AssetColumn) -> any DatabaseConvertible {
    get { values[column] ?? .null }
    set { values[column] = newValue.databaseValue }
  }

  private static let columns = AssetColumn.allCases.filter {
    if case .scan = $0.definition.writer { true } else { false }
  }
  private var list: [any DatabaseConvertible] { Self.columns.map { values[$0] ?? .null } }
  private static let markers = Dictionary(
    uniqueKeysWithValues: columns.enumerated().map { ($1, "?\($0 + 1)") })

  private static let update: String = {
    // On the right of each `=` stand the values from before.
    let kept = AssetColumn.settable.flatMap { together in
      together.map { column in
        """
        \(column.name) = iif(\(AssetColumn.isSet(together)), \(column.name), \
        \(markers[column.scanned]!))
        """
      }
    }
    let read = columns.map { "\($0.name) = \(markers[$0]!)" }
    let set = (kept + read).joined(separator: ", ")
    return "UPDATE asset SET \(set) WHERE id = ?\(columns.count + 1)"
  }()

  /// Writes the facts into a row. What a person set stays.
  package func update(_ row: Int64, in database: Database) throws(DatabaseError) {
    try database.run(Self.update, values: list + [row])
  }

  private static let own: [AssetColumn] = [.identifier, .isDerived, .folder, .name, .addedDate]

  private static let insert: String = {
    let settable = AssetColumn.settable.joined()
    let names = columns + settable + own
    let values =
      (columns + settable.map(\.scanned)).map { markers[$0]! }
      + own.indices.map { "?\(columns.count + 1 + $0)" }
    return """
      INSERT INTO asset (\(names.map(\.name).joined(separator: ", "))) \
      VALUES (\(values.joined(separator: ", ")))
      """
  }()

  /// Makes a row of the facts.
  ///
  /// - Parameters:
  ///   - place: The folder's row and the file's name in it.
  ///   - isDerived: Whether the identifier is the one that the path gives.
  ///   - addedDate: Seconds since 1970 UTC.
  package func insert(
    _ identifier: String, at place: (folder: Int64, name: [UInt8]), isDerived: Bool = false,
    addedDate: Double, into database: Database
  ) throws(DatabaseError) {
    try database.run(
      Self.insert,
      values: list + [identifier, isDerived, place.folder, place.name, addedDate])
  }
}

/// Some columns of the table `asset`, and how a query's rows have them.
///
/// ```swift
/// let columns = AssetColumns([.identifier, .camera])
/// let cameras = try database.rows("SELECT \(columns.sql) FROM asset") { row in
///   columns.row(row)[.camera] as String?
/// }
/// ```
package struct AssetColumns: Sendable {
  /// What stands after `SELECT`.
  package let sql: String
  private let places: [Int]

  package init(_ columns: [AssetColumn]) {
    sql = columns.map { "asset.\($0.name)" }.joined(separator: ", ")
    var places = Array(repeating: -1, count: AssetColumn.allCases.count)
    for (place, column) in columns.enumerated() { places[column.rawValue] = place }
    self.places = places
  }

  /// The columns of an `Asset`.
  package static let shown = AssetColumns(
    AssetColumn.allCases.filter { $0.definition.isShown })

  /// A row of a query that begins with these columns; other columns may follow at ``count``.
  package func row(_ row: Row) -> AssetRow { AssetRow(row: row, places: places) }

  /// How many columns there are.
  package var count: Int { places.count { $0 >= 0 } }
}

/// A row of a query for ``AssetColumns``, read by the names of the columns.
package struct AssetRow {
  let row: Row
  let places: [Int]

  /// The value of a column, which must be one of those asked for.
  package subscript<Value: DatabaseConvertible>(_ column: AssetColumn) -> Value {
    row[places[column.rawValue]]
  }
}
