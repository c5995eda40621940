/// One column of the table `asset`: its name on disk is the name of the case.
///
/// The only list of these columns, in the table's order. From it come the table, the statements that insert, update
/// and read assets, what the export and tombstones have of them, and the keys that fetches filter and sort by. A new
/// column is a case, a line of ``definition`` and an entry of ``additions``.
package enum AssetColumn: Int, CodingKey, Sendable, CaseIterable {
  /// The row, the asset's identifier, the place of its original, and whether the path gives the identifier.
  case id, identifier, folder, name, isDerived
  /// The original as the last scan read it: size in bytes, modification time in nanoseconds, inode, and the first half
  /// of the SHA-256 of its ends and its size. Nothing uses `sha256`.
  case size, modified, inode, fingerprint, sha256, format, pixelWidth, pixelHeight, orientation
  case mediaSubtypes, camera, fileCreationDate, fileLatitude, fileLongitude
  /// `creationDate`, `latitude` and `longitude` have the value that a person set, or else the value in the original.
  case creationDate, modificationDate, addedDate, latitude, longitude
  /// What only the catalog knows.
  case favorite, hidden
  /// The modification time of the sidecar in nanoseconds, and the format of the edit.
  case recordModified, adjustmentFormat
  /// When the asset went into the trash; NULL when it is not there.
  case trashedDate
  /// What photographers search by, as the original has it. The offset is the seconds that the camera's
  /// clock was ahead of UTC.
  case title, caption, keywords, rating, lens, iso, exposureTime, aperture, focalLength
  case timeZoneOffset
  /// The version of the code that read the original.
  case headerVersion
  /// What the picture is recognized by after a rename; where the file's date is from, `metadata` or `file`; and
  /// when a person last changed what only the catalog knows.
  case pictureFingerprint, dateSource, settingsDate
  /// The sum of the modification times, in nanoseconds, of what other programs put beside the photo.
  case companionTimes

  /// The columns that came after the first release, by the migrations that add them, in their order.
  /// A released entry never changes.
  static let additions: KeyValuePairs<String, [AssetColumn]> = ["companions": [.companionTimes]]

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
    /// What the table says of the column besides; `nil` for a column without a default.
    var rule: String?
    /// Whether only the catalog knows the value, so that the export has it.
    var isExported = false
    /// A scan does not write a smaller value than this column has.
    var minimum: AssetColumn?
    /// Whether an `Asset` has the value.
    var isShown = false
    /// Whether the column is a key of fetches.
    var isKey = false
    /// The kind of its values in fetches; `nil` for the kind of the type.
    var kind: FetchKey.Kind?

    /// A column that is a property of an `Asset` and a key of fetches.
    static func key(
      _ type: StorageType, _ writer: Writer = .catalog, isOptional: Bool = false,
      rule: String? = nil, isExported: Bool = false, kind: FetchKey.Kind? = nil
    ) -> Definition {
      Definition(
        type: type, writer: writer, isOptional: isOptional, rule: rule, isExported: isExported,
        isShown: true, isKey: true, kind: kind)
    }

    /// Something that an original may have: each scan writes it, and fetches have it as a key.
    static func detail(_ type: StorageType, kind: FetchKey.Kind? = nil) -> Definition {
      .key(type, .scan, isOptional: true, kind: kind)
    }
  }

  var definition: Definition {
    switch self {
    case .id: Definition(type: .integer, rule: "PRIMARY KEY", isShown: true)
    case .identifier: .key(.text, rule: "NOT NULL UNIQUE")
    case .folder: Definition(type: .integer, rule: "NOT NULL REFERENCES folder (id)")
    case .name: Definition(type: .blob, isShown: true)
    case .isDerived: Definition(type: .integer, rule: "NOT NULL DEFAULT 0", isExported: true)
    case .size, .modified, .inode, .orientation: Definition(type: .integer, writer: .scan)
    case .headerVersion: Definition(type: .integer, writer: .scan, rule: "NOT NULL DEFAULT 0")
    case .fingerprint, .pictureFingerprint:
      Definition(type: .blob, writer: .scan, isOptional: true)
    case .sha256: Definition(type: .blob, isOptional: true)
    case .format: Definition(type: .text, writer: .scan, isShown: true)
    case .pixelWidth, .pixelHeight: .key(.integer, .scan)
    case .mediaSubtypes: .key(.integer, .scan, rule: "NOT NULL DEFAULT 0")
    case .modificationDate:
      Definition(
        type: .real, writer: .scan, minimum: .settingsDate, isShown: true, isKey: true, kind: .date)
    case .fileCreationDate:
      Definition(type: .real, writer: .scan, isOptional: true, isShown: true)
    case .fileLatitude, .fileLongitude:
      Definition(type: .real, writer: .scan, isOptional: true)
    case .dateSource: Definition(type: .text, writer: .scan, isOptional: true, isShown: true)
    case .settingsDate: Definition(type: .real, isOptional: true, isExported: true)
    case .recordModified, .companionTimes:
      Definition(type: .integer, writer: .scan, isOptional: true)
    case .adjustmentFormat, .camera, .title, .caption, .lens: .detail(.text)
    case .keywords: .detail(.text, kind: .keywords)
    case .rating, .iso, .timeZoneOffset: .detail(.integer)
    case .exposureTime, .aperture, .focalLength: .detail(.real)
    case .creationDate:
      .key(.real, .person(instead: .fileCreationDate), isOptional: true, kind: .date)
    case .latitude: .key(.real, .person(instead: .fileLatitude), isOptional: true)
    case .longitude: .key(.real, .person(instead: .fileLongitude), isOptional: true)
    case .addedDate: .key(.real, kind: .date)
    case .favorite, .hidden:
      .key(.integer, rule: "NOT NULL DEFAULT 0", isExported: true, kind: .truth)
    case .trashedDate: Definition(type: .real, isOptional: true, isExported: true)
    }
  }

  private static let names = allCases.map(\.stringValue)

  /// The name on disk.
  package var name: String { Self.names[rawValue] }

  /// The column as the table says it.
  private var declaration: String {
    let rule = definition.rule ?? (definition.isOptional ? "" : "NOT NULL")
    return "\(name) \(definition.type.rawValue) \(rule)"
  }

  /// Makes the table, with the columns of the first release.
  static let schema: String = {
    let later = Set(additions.flatMap(\.value))
    let first = allCases.filter { !later.contains($0) }.map(\.declaration)
    return """
      CREATE TABLE asset (
        \(first.joined(separator: ",\n  ")),
        UNIQUE (folder, name)
      ) STRICT;
      """
  }()

  /// Adds columns to the table. The rows that it has get NULL or the default.
  static func schema(adding columns: [AssetColumn]) -> String {
    columns.map { "ALTER TABLE asset ADD COLUMN \($0.declaration);" }.joined(separator: "\n")
  }

  /// The columns that the export has when only the catalog knows their values.
  static let exported = allCases.filter(\.definition.isExported)

  /// SQL for whether the export has the value: an identifier that the path does not give, a mark, a date.
  ///
  /// - Parameter prefix: The row's name with a dot, such as `NEW.`.
  func isTold(_ prefix: String = "") -> String {
    let test = definition.isOptional ? "IS NOT NULL" : self == .isDerived ? "= 0" : "= 1"
    return "\(prefix)\(name) \(test)"
  }

  /// Columns that a person sets together.
  struct Settable: Sendable {
    /// What the export calls it that they are set.
    let mark: ExportedAsset.Word
    let columns: [AssetColumn]

    /// SQL for whether a person set them.
    ///
    /// - Parameter prefix: The row's name with a dot, such as `NEW.`.
    func isSet(_ prefix: String = "") -> String {
      columns.map { "\(prefix)\($0.name) IS NOT \(prefix)\($0.scanned.name)" }
        .joined(separator: " OR ")
    }
  }

  static let settable = [
    Settable(mark: .isDateSet, columns: [.creationDate]),
    Settable(mark: .isPlaceSet, columns: [.latitude, .longitude]),
  ]

  /// The column that a scan writes for a column that a person may set.
  var scanned: AssetColumn {
    if case .person(let column) = definition.writer { column } else { self }
  }
}

/// The values that a scan writes for one photo, by their columns.
package struct AssetFacts: Sendable {
  private var values: [AssetColumn: DatabaseValue] = [:]

  package init() {}

  /// A column that a scan writes. A column without a value is NULL.
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
    // On the right of each `=` SQLite has the values from before the statement.
    let kept = AssetColumn.settable.flatMap { together in
      together.columns.map { column in
        "\(column.name) = iif(\(together.isSet()), \(column.name), \(markers[column.scanned]!))"
      }
    }
    let read = columns.map { column in
      let value = markers[column]!
      guard let minimum = column.definition.minimum else { return "\(column.name) = \(value)" }
      return "\(column.name) = max(\(value), coalesce(\(minimum.name), \(value)))"
    }
    let set = (kept + read).joined(separator: ", ")
    return "UPDATE asset SET \(set) WHERE id = ?\(columns.count + 1)"
  }()

  /// Writes the values into a row. Values that a person set stay.
  package func update(_ row: Int64, in database: Database) throws(DatabaseError) {
    try database.run(Self.update, values: list + [row])
  }

  private static let own: [AssetColumn] = [.identifier, .isDerived, .folder, .name, .addedDate]

  private static let insert: String = {
    let settable = AssetColumn.settable.flatMap(\.columns)
    let names = columns + settable + own
    let values =
      (columns + settable.map(\.scanned)).map { markers[$0]! }
      + own.indices.map { "?\(columns.count + 1 + $0)" }
    return """
      INSERT INTO asset (\(names.map(\.name).joined(separator: ", "))) \
      VALUES (\(values.joined(separator: ", ")))
      """
  }()

  /// Inserts a row with the values.
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

/// Some columns of the table `asset`, and their places in a query's rows.
///
/// ```swift
/// let columns = AssetColumns([.identifier, .camera])
/// let cameras = try database.rows("SELECT \(columns.sql) FROM asset") { row in
///   columns.row(row)[.camera] as String?
/// }
/// ```
package struct AssetColumns: Sendable {
  /// The columns' names, for `SELECT`.
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

  /// The value of a column, which must be one of the query's ``AssetColumns``.
  package subscript<Value: DatabaseConvertible>(_ column: AssetColumn) -> Value {
    row[places[column.rawValue]]
  }
}
