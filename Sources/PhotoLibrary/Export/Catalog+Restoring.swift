import FoundationEssentials
import PhotoEditing

extension Catalog {
  /// Gives a catalog that holds what was found on the disk what an export says.
  func restore(_ entries: [ExportEntry]) throws(PhotoLibraryError) {
    let path = path
    try change { (database) throws(PhotoLibraryError) -> [ChangedObject] in
      do throws(DatabaseError) {
        var restoration = Restoration(database: database)
        try restoration.restore(entries)
        return []
      } catch {
        throw PhotoLibraryError(error, path)
      }
    }
  }

  /// Leaves everything in the one file, which may be moved then.
  func writeBack() throws(PhotoLibraryError) {
    try read { (database) throws(DatabaseError) in
      let _: Int? = try database.value("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }
}

/// Puts the entries of an export into a catalog.
private struct Restoration {
  let database: Database
  /// What belongs to photos that are not on the disk now.
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
        try Departure.apply(asset, row, database)
      } else {
        departures[asset.identifier, default: ExportedDeparture(asset: asset)].asset = asset
      }
    }
    for member in entries.compactMap(\.member) { try restore(member) }
    for selection in entries.compactMap(\.selected) { try restore(selection) }
    for departure in departures.values {
      if let row = try row(of: departure.asset.identifier) {
        // It came back while there was no catalog to notice.
        try Departure.remember(departure, database)
        try Departure.restore(departure.asset.identifier, row, database)
      } else {
        try Departure.remember(departure, database)
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
    // Lists may come after what is in them.
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
      departures[asset, default: Self.unknown(asset)].members =
        (departures[asset]?.members ?? []) + [member]
    }
  }

  private mutating func restore(_ selection: ExportedSelection) throws(DatabaseError) {
    if let row = try row(of: selection.asset) {
      try database.run(
        "INSERT OR IGNORE INTO selected SELECT identifier, ? FROM client WHERE identifier = ?",
        row, selection.client)
    } else {
      departures[selection.asset, default: Self.unknown(selection.asset)].clients =
        (departures[selection.asset]?.clients ?? []) + [selection.client]
    }
  }

  private static func unknown(_ identifier: String) -> ExportedDeparture {
    ExportedDeparture(asset: ExportedAsset(identifier: identifier, isDerived: true))
  }

  private func row(of identifier: String) throws(DatabaseError) -> Int64? {
    try database.value("SELECT id FROM asset WHERE identifier = ?", identifier)
  }
}
