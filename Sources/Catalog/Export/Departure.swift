import FoundationEssentials
import SafelightFiles

/// Keeps what only the catalog knew about a photo whose file is gone, and restores it when the photo is back.
///
/// A photo is back when a scan finds its content anywhere. When only the path and the file said anything about
/// a photo, nothing is kept: the path gives the photo the same identifier again.
package enum Departure {
  /// An asset whose file may be gone.
  package struct Candidate {
    package let row: Int64
    package let identifier: String
    package let path: FilePath
    package let fingerprint: [UInt8]?

    package init?(row: Int64, in database: Database) throws(DatabaseError) {
      let found = try database.rows(
        """
        SELECT identifier, folder.path, name, coalesce(pictureFingerprint, fingerprint) FROM asset
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

  /// Keeps what only the catalog knows about an asset, before the asset's row is deleted.
  package static func remember(_ asset: Candidate, in database: Database) throws(DatabaseError) {
    guard var departure = try departure(of: asset.row, in: database) else { return }
    departure.fingerprint = asset.fingerprint.map { Data($0) }
    departure.date = Date().timeIntervalSince1970
    try remember(departure, in: database)
  }

  /// What only the catalog knows about an asset; `nil` when the path and the file say everything.
  private static func departure(
    of row: Int64, in database: Database
  ) throws(DatabaseError) -> ExportedDeparture? {
    guard let state = try database.assets("asset.id = ?", [row]).first?.asset else { return nil }
    let members = try database.members("WHERE asset.id = ?", [row]).compactMap(\.member)
    let clients = try database.rows(
      "SELECT client FROM selected WHERE asset = ?", [row]
    ) { $0[0] as String }
    var plain = ExportedAsset(identifier: state.identifier, path: state.path)
    plain.isDerived = true
    guard state != plain || !members.isEmpty || !clients.isEmpty else { return nil }
    return ExportedDeparture(
      asset: state, members: members.isEmpty ? nil : members,
      clients: clients.isEmpty ? nil : clients)
  }

  /// Whether only the catalog knows something about an asset.
  package static func isWorthKeeping(
    _ row: Int64, in database: Database
  ) throws(DatabaseError) -> Bool {
    try departure(of: row, in: database) != nil
  }

  package static func remember(
    _ departure: ExportedDeparture, in database: Database
  ) throws(DatabaseError) {
    guard let json = try? JSONEncoder().encode(ExportEntry(departed: departure)) else { return }
    try database.run(
      "INSERT OR REPLACE INTO departed (identifier, fingerprint, state, date) VALUES (?, ?, ?, ?)",
      departure.asset.identifier, departure.fingerprint.map { [UInt8]($0) },
      String(decoding: json, as: UTF8.self), departure.date ?? 0)
  }

  /// The identifier of the departed photo with this content; `nil` when there is none.
  ///
  /// - Parameters:
  ///   - picture: The fingerprint of the picture.
  ///   - file: The fingerprint of the file, by which photos were recognized before.
  ///   - derived: The identifier that the path gives.
  package static func match(
    picture: [UInt8], file: [UInt8], derived: String, in database: Database
  ) throws(DatabaseError) -> String? {
    let found = try database.rows(
      """
      SELECT identifier FROM departed
      WHERE fingerprint IN (?1, ?2) OR (fingerprint IS NULL AND identifier = ?3)
      """, [picture, file, derived]
    ) { $0[0] as String }
    return found.first { $0 == derived } ?? found.first
  }

  /// Restores what the catalog kept about a photo that came back.
  package static func restore(
    _ identifier: String, to row: Int64, in database: Database
  ) throws(DatabaseError) {
    let key = ExportKey(kind: .departed, key: Array(identifier.utf8))
    let entry = try database.entry(key, sequence: 0)
    guard entry.removed != true, let departure = entry.departed else { return }
    try apply(departure.asset, to: row, in: database)
    for member in departure.members ?? [] {
      // At the old position when it is free, otherwise at the end.
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
      // Only a client with limited access has a selection.
      try database.run(
        """
        INSERT OR IGNORE INTO selected SELECT identifier, ? FROM client
        WHERE identifier = ? AND readWrite = ?
        """, row, client, limitedAccess)
    }
    try database.run("DELETE FROM departed WHERE identifier = ?", identifier)
  }

  /// PhotoKit's number for limited access.
  private static let limitedAccess = 4

  /// Sets the values of an asset that a person set.
  package static func apply(
    _ state: ExportedAsset, to row: Int64, in database: Database
  ) throws(DatabaseError) {
    try database.run(
      """
      UPDATE asset SET favorite = ?1, hidden = ?2, trashedDate = ?3, settingsDate = ?4,
        modificationDate = max(modificationDate, coalesce(?4, modificationDate)) WHERE id = ?5
      """, state.favorite ?? false, state.hidden ?? false, state.trashedDate, state.settingsDate,
      row)
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

extension Catalog {
  /// Adds the entries of an export to a new catalog, which a scan has filled.
  package func restore(_ entries: [ExportEntry]) throws(DatabaseError) {
    _ = try change(failing: Self.unchanged) { (database) throws(DatabaseError) -> [ChangedObject] in
      var restoration = Restoration(database: database)
      try restoration.restore(entries)
      return []
    }
  }

  /// Moves everything from the log into the catalog's file, so that the file can be renamed.
  package func writeBack() throws(DatabaseError) {
    try read(failing: Self.unchanged) { (database) throws(DatabaseError) in
      let _: Int? = try database.value("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  private static func unchanged(_ error: DatabaseError) -> DatabaseError { error }
}

/// Adds the entries of an export to a catalog.
private struct Restoration {
  let database: Database
  /// Departures of photos that are not on the disk now, by identifier.
  private var departures: [String: ExportedDeparture] = [:]

  init(database: Database) { self.database = database }

  mutating func restore(_ entries: [ExportEntry]) throws(DatabaseError) {
    try restore(collections: entries.compactMap(\.collection))
    for client in entries.compactMap(\.client) {
      try database.run(
        """
        INSERT INTO client (identifier, addOnly, readWrite, usageDescription, answered)
        VALUES (?, ?, ?, ?, ?)
        """, client.identifier, client.addOnly ?? 0, client.readWrite ?? 0,
        client.usageDescription, client.answered)
    }
    for departure in entries.compactMap(\.departed) {
      departures[departure.asset.identifier] = departure
    }
    for asset in entries.compactMap(\.asset) {
      if let row = try row(of: asset.identifier) {
        try Departure.apply(asset, to: row, in: database)
      } else {
        departures[asset.identifier, default: ExportedDeparture(asset: asset)].asset = asset
      }
    }
    for member in entries.compactMap(\.member) { try restore(member) }
    for selection in entries.compactMap(\.selected) { try restore(selection) }
    for departure in departures.values {
      if let row = try row(of: departure.asset.identifier) {
        // The photo came back while there was no catalog.
        try Departure.remember(departure, in: database)
        try Departure.restore(departure.asset.identifier, to: row, in: database)
      } else {
        try Departure.remember(departure, in: database)
      }
    }
  }

  private func restore(collections: [ExportedCollection]) throws(DatabaseError) {
    for one in collections {
      try database.run(
        """
        INSERT INTO collection (identifier, isList, title, position, creationDate)
        VALUES (?, ?, ?, ?, ?)
        """, one.identifier, one.isList ?? false, one.title ?? "", one.position ?? 0,
        one.creationDate ?? 0)
    }
    // An entry of a list may come after the entries of its content.
    for one in collections where one.list != nil {
      try database.run(
        """
        UPDATE collection SET list = (SELECT id FROM collection WHERE identifier = ?)
        WHERE identifier = ?
        """, one.list, one.identifier)
    }
  }

  private mutating func restore(_ member: ExportedMember) throws(DatabaseError) {
    guard let asset = member.asset else { return }
    if let row = try row(of: asset) {
      try database.run(
        """
        INSERT OR IGNORE INTO member (album, position, asset)
        SELECT id, ?, ? FROM collection WHERE identifier = ?
        """, member.position, row, member.album)
    } else {
      departures[asset, default: Self.unknown(asset)].add(member)
    }
  }

  private mutating func restore(_ selection: ExportedSelection) throws(DatabaseError) {
    if let row = try row(of: selection.asset) {
      try database.run(
        "INSERT OR IGNORE INTO selected SELECT identifier, ? FROM client WHERE identifier = ?",
        row, selection.client)
    } else {
      departures[selection.asset, default: Self.unknown(selection.asset)]
        .add(client: selection.client)
    }
  }

  private static func unknown(_ identifier: String) -> ExportedDeparture {
    ExportedDeparture(asset: ExportedAsset(identifier: identifier, isDerived: true))
  }

  private func row(of identifier: String) throws(DatabaseError) -> Int64? {
    try database.value("SELECT id FROM asset WHERE identifier = ?", identifier)
  }
}
