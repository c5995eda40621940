import FoundationEssentials
import SafelightFiles

/// Keeps what only the catalog knew about a photo whose file is gone, and restores it when the photo is back.
///
/// A photo is back when a scan finds its content anywhere. When only the path and the file said anything about
/// a photo, nothing is kept: the path gives the photo the same identifier again.
package enum Tombstone {
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
  package static func keep(_ asset: Candidate, in database: Database) throws(DatabaseError) {
    guard var known = try known(of: asset.row, in: database) else { return }
    known.fingerprint = asset.fingerprint.map { Data($0) }
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
    try known.asset.write(to: row, in: database)
    for member in known.members ?? [] { try restore(member, of: row, in: database) }
    for client in known.clients ?? [] {
      try restore(selectedBy: client, of: row, in: database)
    }
    try database.run("DELETE FROM departed WHERE identifier = ?", identifier)
  }

  /// Puts an asset back into an album: at the old position when it is free, otherwise at the end.
  fileprivate static func restore(
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
  fileprivate static func restore(
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
  package func restore(_ entries: [ExportEntry]) throws(DatabaseError) {
    _ = try change(failing: \.self) { (database) throws(DatabaseError) -> [ChangedObject] in
      var restoration = Restoration(database: database)
      try restoration.restore(entries)
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
  /// What the export knows of photos that are not on the disk now, by identifier.
  private var tombstones: [String: ExportedTombstone] = [:]

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
    for tombstone in entries.compactMap(\.departed) {
      tombstones[tombstone.asset.identifier] = tombstone
    }
    for asset in entries.compactMap(\.asset) {
      if let row = try row(of: asset.identifier) {
        try asset.write(to: row, in: database)
      } else {
        change(asset.identifier) { $0.asset = asset }
      }
    }
    for member in entries.compactMap(\.member) {
      guard let asset = member.asset else { continue }
      if let row = try row(of: asset) {
        try Tombstone.restore(member, of: row, in: database)
      } else {
        change(asset) { $0.members = ($0.members ?? []) + [member] }
      }
    }
    for selection in entries.compactMap(\.selected) {
      if let row = try row(of: selection.asset) {
        try Tombstone.restore(selectedBy: selection.client, of: row, in: database)
      } else {
        change(selection.asset) { $0.clients = ($0.clients ?? []) + [selection.client] }
      }
    }
    for tombstone in tombstones.values {
      try Tombstone.keep(tombstone, in: database)
      let identifier = tombstone.asset.identifier
      // The photo came back while there was no catalog.
      if let row = try row(of: identifier) {
        try Tombstone.restore(identifier, to: row, in: database)
      }
    }
  }

  /// Changes the tombstone of a photo that is not on the disk now.
  private mutating func change(_ asset: String, _ change: (inout ExportedTombstone) -> Void) {
    let unknown = ExportedTombstone(asset: ExportedAsset(identifier: asset, isDerived: true))
    change(&tombstones[asset, default: unknown])
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

  private func row(of identifier: String) throws(DatabaseError) -> Int64? {
    try database.value("SELECT id FROM asset WHERE identifier = ?", identifier)
  }
}
