import FoundationEssentials
import PhotoEditing

/// Keeps what only the catalog knew of photos whose files are gone, and gives it back with them.
///
/// A photo comes back when the same content is found anywhere. Of those with nothing to remember
/// nothing is kept: the path they come back under gives their identifier.
enum Departure {
  /// An asset that may be forgotten.
  struct Candidate {
    let row: Int64
    let identifier: String
    let path: FilePath
    let fingerprint: [UInt8]?

    init?(_ row: Int64, _ database: Database) throws(DatabaseError) {
      let found = try database.rows(
        """
        SELECT identifier, folder.path, name, fingerprint FROM asset
        JOIN folder ON folder.id = asset.folder WHERE asset.id = ?
        """, [row]
      ) { (one: Row) -> (String, [UInt8], [UInt8], [UInt8]?) in (one[0], one[1], one[2], one[3]) }
      guard let found = found.first else { return nil }
      self.row = row
      identifier = found.0
      path = FilePath(bytes: found.1).appending(FilePath(bytes: found.2))
      fingerprint = found.3
    }
  }

  /// Notes what is to be remembered of an asset, before its row goes.
  static func remember(_ asset: Candidate, _ database: Database) throws(DatabaseError) {
    guard let state = try database.assets("asset.id = ?", [asset.row]).first?.asset else { return }
    let members = try database.members("WHERE asset.id = ?", [asset.row]).compactMap(\.member)
    let clients = try database.rows(
      "SELECT client FROM selected WHERE asset = ?", [asset.row]
    ) { $0[0] as String }
    var plain = ExportedAsset(identifier: state.identifier, path: state.path)
    plain.isDerived = true
    guard state != plain || !members.isEmpty || !clients.isEmpty else { return }
    let date = Date()
    try remember(
      ExportedDeparture(
        asset: state, fingerprint: asset.fingerprint.map { Data($0) },
        members: members.isEmpty ? nil : members, clients: clients.isEmpty ? nil : clients,
        date: date.timeIntervalSince1970), database)
  }

  static func remember(
    _ departure: ExportedDeparture, _ database: Database
  ) throws(DatabaseError) {
    guard let json = try? JSONEncoder().encode(ExportEntry(departed: departure)) else { return }
    try database.run(
      "INSERT OR REPLACE INTO departed (identifier, fingerprint, state, date) VALUES (?, ?, ?, ?)",
      departure.asset.identifier, departure.fingerprint.map { [UInt8]($0) },
      String(decoding: json, as: UTF8.self), departure.date ?? 0)
  }

  /// The identifier of the departed photo that this one is; `nil` when it is none.
  static func match(
    _ photo: IndexedPhoto, _ derived: String, _ database: Database
  ) throws(DatabaseError) -> String? {
    let found = try database.rows(
      """
      SELECT identifier FROM departed
      WHERE fingerprint = ?1 OR (fingerprint IS NULL AND identifier = ?2)
      """, [photo.fingerprint, derived]
    ) { $0[0] as String }
    return found.first { $0 == derived } ?? found.first
  }

  /// Gives a photo that came back what is remembered of it.
  static func restore(
    _ identifier: String, _ row: Int64, _ database: Database
  ) throws(DatabaseError) {
    let key = ExportKey(kind: .departed, key: Array(identifier.utf8))
    let entry = try database.entry(key, sequence: 0)
    guard entry.removed != true, let departure = entry.departed else { return }
    try apply(departure.asset, row, database)
    for member in departure.members ?? [] {
      // At its old place if that is free, else at the end.
      try database.run(
        """
        INSERT OR IGNORE INTO member (album, position, asset)
        SELECT id, iif(
          EXISTS (SELECT 1 FROM member WHERE album = collection.id AND position = ?1),
          (SELECT max(position) + 1 FROM member WHERE album = collection.id), ?1), ?2
        FROM collection WHERE identifier = ?3
        """, member.position, row, member.album)
    }
    for client in departure.clients ?? [] {
      // Of a client whose access is not limited any more nothing is selected.
      try database.run(
        """
        INSERT OR IGNORE INTO selected SELECT identifier, ? FROM client
        WHERE identifier = ? AND readWrite = ?
        """, row, client, AuthorizationStatus.limited.rawValue)
    }
    try database.run("DELETE FROM departed WHERE identifier = ?", identifier)
  }

  /// Sets what somebody said of an asset.
  static func apply(
    _ state: ExportedAsset, _ row: Int64, _ database: Database
  ) throws(DatabaseError) {
    try database.run(
      "UPDATE asset SET favorite = ?, hidden = ?, trashedDate = ? WHERE id = ?",
      state.favorite ?? false, state.hidden ?? false, state.trashedDate, row)
    if state.isDateSet == true {
      try database.run("UPDATE asset SET creationDate = ? WHERE id = ?", state.creationDate, row)
    }
    if state.isPlaceSet == true {
      try database.run(
        "UPDATE asset SET latitude = ?, longitude = ? WHERE id = ?", state.latitude,
        state.longitude, row)
    }
  }
}
