import FoundationEssentials
import SafelightFiles

/// Keeps what only the catalog knew about a photo whose file is gone, and restores it when the photo is back.
///
/// A photo is back when a scan finds its content anywhere. When only the path and the file said anything about
/// a photo, nothing is kept: the path gives the photo the same identifier again.
package enum Tombstone {
  /// Keeps what only the catalog knows about an asset, before the asset's row is deleted.
  ///
  /// - Parameter fingerprint: What the photo will be recognized by.
  package static func keep(
    _ row: Int64, fingerprint: [UInt8]?, in database: Database
  ) throws(DatabaseError) {
    guard var known = try known(of: row, in: database) else { return }
    known.fingerprint = fingerprint.map { Data($0) }
    known.date = Date().timeIntervalSince1970
    try keep(known, in: database)
  }

  static func keep(_ known: ExportedTombstone, in database: Database) throws(DatabaseError) {
    guard let json = try? JSONEncoder().encode(ExportEntry(departed: known)) else { return }
    try database.run(
      "INSERT OR REPLACE INTO departed (identifier, fingerprint, state, date) VALUES (?, ?, ?, ?)",
      known.asset.identifier, known.fingerprint.map { [UInt8]($0) },
      String(decoding: json, as: UTF8.self), known.date ?? 0)
  }

  /// What only the catalog knows about an asset; `nil` when the path and the file say everything.
  private static func known(
    of row: Int64, in database: Database
  ) throws(DatabaseError) -> ExportedTombstone? {
    let found = try database.rows("\(ExportedAsset.query) WHERE asset.id = ?", [row]) {
      ExportedAsset($0)
    }
    guard let asset = found.first else { return nil }
    let members = try database.members(of: row)
    let clients = try database.rows("SELECT client FROM selected WHERE asset = ?", [row]) {
      $0[0] as String
    }
    guard !asset.isPlain || !members.isEmpty || !clients.isEmpty else { return nil }
    return ExportedTombstone(
      asset: asset, members: members.isEmpty ? nil : members,
      clients: clients.isEmpty ? nil : clients)
  }

  /// Whether only the catalog knows something about an asset.
  package static func isWorthKeeping(
    _ row: Int64, in database: Database
  ) throws(DatabaseError) -> Bool {
    try known(of: row, in: database) != nil
  }

  /// The identifier of the photo with this content that is gone; `nil` when there is none.
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
    let entry = try database.entry(ExportKey(.departed, identifier), sequence: 0)
    guard entry.removed != true, let known = entry.departed else { return }
    try restore(known, to: row, in: database)
    try database.run("DELETE FROM departed WHERE identifier = ?", identifier)
  }

  fileprivate static func restore(
    _ known: ExportedTombstone, to row: Int64, in database: Database
  ) throws(DatabaseError) {
    if !known.asset.isPlain { try known.asset.write(to: row, in: database) }
    for member in known.members ?? [] { try restore(member, of: row, in: database) }
    for client in known.clients ?? [] {
      try restore(selectedBy: client, of: row, in: database)
    }
  }

  /// Puts an asset back into an album: at the old position when it is free, otherwise at the end.
  private static func restore(
    _ member: ExportedMember, of row: Int64, in database: Database
  ) throws(DatabaseError) {
    try database.run(
      """
      INSERT OR IGNORE INTO member (album, position, asset)
      SELECT id, iif(
        EXISTS (SELECT 1 FROM member WHERE album = collection.id AND position = ?1),
        (SELECT max(position) + 1 FROM member WHERE album = collection.id), ?1), ?2
      FROM collection WHERE identifier = ?3
      """, member.position, row, member.album)
  }

  /// Shows an asset to a client again. Only a client with limited access has a selection.
  private static func restore(
    selectedBy client: String, of row: Int64, in database: Database
  ) throws(DatabaseError) {
    try database.run(
      """
      INSERT OR IGNORE INTO selected SELECT identifier, ? FROM client
      WHERE identifier = ? AND readWrite = ?
      """, row, client, limitedAccess)
  }

  /// PhotoKit's number for limited access.
  private static let limitedAccess = 4
}

extension Catalog {
  /// Adds the entries of an export to a new catalog, which a scan has filled.
  package func restore(_ entries: [ExportEntry]) throws {
    _ = try perform { database in
      try Restoration(database: database).restore(entries)
      return []
    }
  }

  /// Moves everything from the log into the catalog's file, so that the file can be renamed.
  package func writeBack() throws(DatabaseError) {
    try withDatabase { (database) throws(DatabaseError) in
      let _: Int? = try database.value("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }
}

/// Adds the entries of an export to a catalog.
private struct Restoration {
  let database: Database

  func restore(_ entries: [ExportEntry]) throws(DatabaseError) {
    try restore(collections: entries.compactMap(\.collection))
    for client in entries.compactMap(\.client) {
      try database.run(
        """
        INSERT INTO client (identifier, addOnly, readWrite, usageDescription, answered)
        VALUES (?, ?, ?, ?, ?)
        """, client.identifier, client.addOnly ?? 0, client.readWrite ?? 0,
        client.usageDescription, client.answered)
    }
    // A photo that was gone may have come back while there was no catalog. Its old places in albums come last.
    for known in Self.photos(in: entries) {
      let identifier = known.asset.identifier
      let row: Int64? = try database.value("SELECT id FROM asset WHERE identifier = ?", identifier)
      if let row {
        try Tombstone.restore(known, to: row, in: database)
      } else {
        // The photo is not on the disk now.
        try Tombstone.keep(known, in: database)
      }
    }
  }

  /// What the export knows of each photo, in the form of tombstones and in the order in which it names them first.
  private static func photos(in entries: [ExportEntry]) -> [ExportedTombstone] {
    var photos: [String: ExportedTombstone] = [:]
    var identifiers: [String] = []
    func change(_ identifier: String, _ change: (inout ExportedTombstone) -> Void) {
      if photos[identifier] == nil { identifiers.append(identifier) }
      let unknown = ExportedTombstone(asset: ExportedAsset(identifier: identifier, isDerived: true))
      change(&photos[identifier, default: unknown])
    }
    for entry in entries {
      if let asset = entry.asset { change(asset.identifier) { $0.asset = asset } }
      if let member = entry.member, let asset = member.asset {
        change(asset) { $0.members = ($0.members ?? []) + [member] }
      }
      if let selected = entry.selected {
        change(selected.asset) { $0.clients = ($0.clients ?? []) + [selected.client] }
      }
    }
    for departed in entries.compactMap(\.departed) {
      change(departed.asset.identifier) { known in
        let (members, clients) = (known.members ?? [], known.clients ?? [])
        known = departed
        if !members.isEmpty { known.members = members + (known.members ?? []) }
        if !clients.isEmpty { known.clients = clients + (known.clients ?? []) }
      }
    }
    return identifiers.compactMap { photos[$0] }
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
}
