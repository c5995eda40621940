import FoundationEssentials
import PhotoEditing

/// What becomes of a client's access.
struct ConsentChange: Sendable {
  /// The status that a level must have for anything to be done: a question may have been open while
  /// somebody else decided.
  var expecting: (level: AccessLevel, status: AuthorizationStatus)?
  /// Whether the client must be known.
  var mustBeKnown = false
  /// What is said of each level; nothing leaves it as it is.
  private(set) var statuses: [AccessLevel: AuthorizationStatus] = [:]
  /// The assets that the client may see from now on; `nil` leaves them as they are.
  var selection: [String]?
  /// The reason that the user was shown; `nil` when it was not asked.
  var usageDescription: String?

  init(expecting: (level: AccessLevel, status: AuthorizationStatus)? = nil) {
    self.expecting = expecting
  }

  mutating func set(_ level: AccessLevel, _ status: AuthorizationStatus) {
    statuses[level] = status
  }

  /// Writes it into a catalog.
  ///
  /// - Returns: Whether anything is different now.
  fileprivate func write(
    for client: String, at date: Date, to database: Database
  ) throws(DatabaseError) -> Bool {
    let known = try database.rows(
      "SELECT addOnly, readWrite FROM client WHERE identifier = ?", [client]
    ) { [AccessLevel.addOnly: $0[0] as Int, .readWrite: $0[1] as Int] }.first
    var stored: [AccessLevel: Int] = known ?? [.addOnly: 0, .readWrite: 0]
    if let expecting {
      let access = Access(
        Client(identifier: client), addOnly: AuthorizationStatus(stored: stored[.addOnly] ?? 0),
        readWrite: AuthorizationStatus(stored: stored[.readWrite] ?? 0))
      guard access.status(for: expecting.level) == expecting.status else { return false }
    }
    stored.merge(statuses.mapValues(\.rawValue)) { $1 }
    let wasSaid = known == nil ? stored.values.contains { $0 != 0 } : stored != known
    if wasSaid {
      try database.run(
        """
        INSERT INTO client (identifier, addOnly, readWrite, usageDescription, answered)
        VALUES (?, ?, ?, ?, ?) ON CONFLICT (identifier) DO UPDATE SET addOnly = excluded.addOnly,
          readWrite = excluded.readWrite, answered = excluded.answered,
          usageDescription = coalesce(excluded.usageDescription, usageDescription)
        """, client, stored[.addOnly] ?? 0, stored[.readWrite] ?? 0, usageDescription,
        stored.values.contains { $0 != 0 } ? date : nil)
    }
    let isLimited = stored[.readWrite] == AuthorizationStatus.limited.rawValue
    return try select(isLimited ? selection : [], for: client, in: database) || wasSaid
  }

  /// - Returns: Whether others are selected now.
  private func select(
    _ selection: [String]?, for client: String, in database: Database
  ) throws(DatabaseError) -> Bool {
    guard let selection else { return false }
    let wanted = SQLText.list(selection.map { .text($0) })
    try database.run(
      """
      DELETE FROM selected WHERE client = ? AND asset NOT IN (
        SELECT asset.id FROM json_each(?) CROSS JOIN asset ON asset.identifier = value)
      """, client, wanted)
    let removed = database.changedRows
    try database.run(
      """
      INSERT OR IGNORE INTO selected
      SELECT ?, asset.id FROM json_each(?) CROSS JOIN asset ON asset.identifier = value
      """, client, wanted)
    let changed = removed + database.changedRows
    // A photo that is away and was not chosen again must not be seen when it comes back.
    try database.run(
      """
      INSERT OR REPLACE INTO departed (identifier, fingerprint, state, date)
      SELECT identifier, fingerprint, json_set(state, '$.departed.clients', json((
          SELECT json_group_array(value) FROM json_each(state, '$.departed.clients')
          WHERE value <> ?1))), date
      FROM departed WHERE EXISTS (
        SELECT 1 FROM json_each(state, '$.departed.clients') WHERE value = ?1)
      """, client)
    return changed > 0
  }

  /// What keeps it from being done.
  fileprivate func refusal(
    for client: String, in database: Database
  ) throws(DatabaseError) -> PhotoLibraryError? {
    let clients: Int? = try database.value(
      "SELECT count(*) FROM client WHERE identifier = ?", client)
    if mustBeKnown, clients == 0 { return .identifierNotFound(client) }
    if statuses[.addOnly] == .limited {
      return .changeNotSupported("Access to add photos cannot be limited to some of them.")
    }
    let missing: String? = try database.value(
      """
      SELECT value FROM json_each(?) WHERE NOT EXISTS (
        SELECT 1 FROM asset WHERE identifier = value AND trashedDate IS NULL)
      """, SQLText.list((selection ?? []).map { .text($0) }))
    return missing.map { .identifierNotFound($0) }
  }
}

extension Catalog {
  /// Changes what a client may see and do.
  ///
  /// - Returns: The token of the change set, which tells whoever observes the library; `nil` when
  ///   everything was so already.
  func change(
    _ consent: ConsentChange, of client: String
  ) throws(PhotoLibraryError) -> Int64? {
    let (path, date) = (path, Date())
    return try change(at: date) { (database) throws(PhotoLibraryError) -> [ChangedObject] in
      let refusal: PhotoLibraryError?
      do throws(DatabaseError) {
        refusal = try consent.refusal(for: client, in: database)
        if refusal == nil {
          let isDifferent = try consent.write(for: client, at: date, to: database)
          return isDifferent
            ? [ChangedObject(kind: .client, identifier: client, how: .updated)] : []
        }
      } catch {
        throw PhotoLibraryError(error, path)
      }
      if let refusal { throw refusal }
      return []
    }
  }
}
