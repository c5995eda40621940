import FoundationEssentials
import PhotoEditing

extension Database {
  /// What is exported of one thing as it is now; an entry that says so when it is gone.
  func entry(_ key: ExportKey, sequence: Int64) throws(DatabaseError) -> ExportEntry {
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

  /// Everything that is exported, those things first that others refer to.
  func entries(sequence: Int64) throws(DatabaseError) -> [ExportEntry] {
    let special = """
      isDerived = 0 OR favorite = 1 OR hidden = 1 OR trashedDate IS NOT NULL
      OR creationDate IS NOT fileCreationDate OR latitude IS NOT fileLatitude
      OR longitude IS NOT fileLongitude
      """
    var entries = try roots("", []) + assets(special, []) + collections("", [])
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
    try rows("SELECT path FROM folder WHERE isRoot = 1 \(condition)", values) {
      ExportEntry(root: ExportedPath(FilePath(bytes: $0[0] as [UInt8])))
    }
  }

  func assets(
    _ condition: String, _ values: [any DatabaseConvertible]
  ) throws(DatabaseError) -> [ExportEntry] {
    try rows(
      """
      SELECT identifier, folder.path, name, isDerived, favorite, hidden,
        creationDate IS NOT fileCreationDate, creationDate,
        latitude IS NOT fileLatitude OR longitude IS NOT fileLongitude, latitude, longitude,
        trashedDate
      FROM asset JOIN folder ON folder.id = asset.folder WHERE \(condition)
      """, values
    ) { row in
      let folder = FilePath(bytes: row[1] as [UInt8])
      func set(_ column: Int) -> Bool? { row[column] as Bool ? true : nil }
      var asset = ExportedAsset(
        identifier: row[0],
        path: ExportedPath(folder.appending(FilePath(bytes: row[2] as [UInt8]))),
        isDerived: set(3), favorite: set(4), hidden: set(5), isDateSet: set(6),
        isPlaceSet: set(8), trashedDate: row[11])
      if asset.isDateSet == true { asset.creationDate = row[7] }
      if asset.isPlaceSet == true { (asset.latitude, asset.longitude) = (row[9], row[10]) }
      return ExportEntry(asset: asset)
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
}
