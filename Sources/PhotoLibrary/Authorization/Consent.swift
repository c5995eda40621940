import FoundationEssentials
import SafelightCatalog

/// What a library remembers about a client.
///
/// ```swift
/// for client in try library.clients() where client.readWrite == .limited {
///   print(client.identifier, client.selectionCount)
/// }
/// ```
public struct ClientAuthorization: Sendable, Hashable, Identifiable {
  /// The client's identifier.
  public let identifier: String
  /// The same as ``identifier``.
  public var id: String { identifier }
  /// What was decided about adding photos alone.
  public let addOnly: AuthorizationStatus
  /// What was decided about seeing and changing photos; adding is part of that.
  public let readWrite: AuthorizationStatus
  /// The reason that the client gave when the user was last asked; `nil` when the user was never asked.
  public let usageDescription: String?
  /// The date of the last decision; `nil` when nothing is decided.
  public let answered: Date?
  /// How many assets a client with limited access sees, hidden assets included; 0 for other clients.
  public let selectionCount: Int
}

// What the library's owner decides about clients. A client gets an error from these calls.
extension PhotoLibrary {
  /// The clients about which anything was decided, in the order of their identifiers.
  ///
  /// - Throws: ``PhotoLibraryError/changeNotSupported(_:)`` unless this is the owner.
  public func clients() throws(PhotoLibraryError) -> [ClientAuthorization] {
    try checkOwner()
    return try snapshots.now().read { database in
      try database.rows(
        """
        SELECT identifier, addOnly, readWrite, usageDescription, answered,
          (SELECT count(*) FROM selected JOIN asset ON asset.id = selected.asset
            WHERE selected.client = client.identifier AND asset.trashedDate IS NULL)
        FROM client ORDER BY identifier
        """
      ) {
        ClientAuthorization(
          identifier: $0[0], addOnly: AuthorizationStatus(stored: $0[1]),
          readWrite: AuthorizationStatus(stored: $0[2]), usageDescription: $0[3], answered: $0[4],
          selectionCount: $0[5])
      }
    }
  }

  /// The status of a client; ``AuthorizationStatus/notDetermined`` for a client that never asked.
  ///
  /// - Throws: ``PhotoLibraryError/changeNotSupported(_:)`` unless this is the owner.
  public func authorizationStatus(
    of client: String, for level: AccessLevel
  ) throws(PhotoLibraryError) -> AuthorizationStatus {
    try checkOwner()
    try Self.checkIdentifier(client)
    return try snapshots.now().read { database in
      try Access(Client(identifier: client), in: database).status(for: level)
    }
  }

  /// The local identifiers of the assets that a client with limited access sees, oldest first; empty
  /// for other clients.
  ///
  /// - Throws: ``PhotoLibraryError/changeNotSupported(_:)`` unless this is the owner.
  public func limitedSelection(of client: String) throws(PhotoLibraryError) -> [String] {
    try checkOwner()
    return try snapshots.now().selection(of: client)
  }

  /// Decides what a client may do, whether or not the client asked.
  ///
  /// - Parameters:
  ///   - status: The new status. After ``AuthorizationStatus/notDetermined`` the user is asked again.
  ///     ``AuthorizationStatus/limited`` is for ``AccessLevel/readWrite`` only; the client then sees
  ///     the assets that were selected for it before. Every other status forgets the selection.
  ///   - level: The level that the status is for.
  ///   - client: The client's identifier.
  /// - Throws: ``PhotoLibraryError/changeNotSupported(_:)`` unless this is the owner, and for limited
  ///   access to add photos.
  public func setAccess(
    _ status: AuthorizationStatus, level: AccessLevel, for client: String
  ) async throws(PhotoLibraryError) {
    var consent = ConsentChange()
    consent.set(level, status)
    try await decideAsOwner(consent, for: client)
  }

  /// Lets a client see the given assets and no other assets.
  ///
  /// - Parameters:
  ///   - client: The client's identifier.
  ///   - identifiers: The assets' local identifiers; may be empty.
  /// - Throws: ``PhotoLibraryError/identifierNotFound(_:)`` for an asset that does not exist; then
  ///   nothing is changed. ``PhotoLibraryError/changeNotSupported(_:)`` unless this is the owner.
  public func limitAccess(
    of client: String, to identifiers: [String]
  ) async throws(PhotoLibraryError) {
    var consent = ConsentChange()
    consent.set(.readWrite, .limited)
    consent.selection = identifiers
    try await decideAsOwner(consent, for: client)
  }

  /// Denies a client everything. The client must not ask again.
  ///
  /// - Throws: ``PhotoLibraryError/identifierNotFound(_:)`` for a client that the library does not
  ///   know, ``PhotoLibraryError/changeNotSupported(_:)`` unless this is the owner.
  public func revokeAccess(of client: String) async throws(PhotoLibraryError) {
    var consent = ConsentChange()
    consent.mustBeKnown = true
    for level in AccessLevel.allCases { consent.set(level, .denied) }
    try await decideAsOwner(consent, for: client)
  }

  private func decideAsOwner(
    _ consent: ConsentChange, for client: String
  ) async throws(PhotoLibraryError) {
    try checkOwner()
    try Self.checkIdentifier(client)
    try await decide(consent, for: client)
  }

  private func checkOwner() throws(PhotoLibraryError) {
    guard client.isOwner else {
      throw .changeNotSupported("Only the library's owner decides who may use it.")
    }
  }

  private static func checkIdentifier(_ client: String) throws(PhotoLibraryError) {
    guard !client.allSatisfy(\.isWhitespace) else {
      throw .changeNotSupported("A client needs an identifier.")
    }
  }
}

/// A change of a client's access.
struct ConsentChange: Sendable {
  /// The status that a level must have; with another status nothing is changed. The owner may have decided
  /// while a question was open.
  var expecting: (level: AccessLevel, status: AuthorizationStatus)?
  /// Whether the client must be known.
  var mustBeKnown = false
  /// The new status of each level; a level without one keeps its status.
  private(set) var statuses: [AccessLevel: AuthorizationStatus] = [:]
  /// The assets that the client sees from now on; `nil` keeps the selection.
  var selection: [String]?
  /// The reason that the user was shown; `nil` when the user was not asked.
  var usageDescription: String?

  init(expecting: (level: AccessLevel, status: AuthorizationStatus)? = nil) {
    self.expecting = expecting
  }

  mutating func set(_ level: AccessLevel, _ status: AuthorizationStatus) {
    statuses[level] = status
  }

  /// Writes the change into a catalog.
  ///
  /// - Returns: Whether anything changed.
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
    let isNew = known == nil ? stored.values.contains { $0 != 0 } : stored != known
    if isNew {
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
    return try select(isLimited ? selection : [], for: client, in: database) || isNew
  }

  /// Replaces the selection of a client.
  ///
  /// - Returns: Whether the selection changed.
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
    // A photo that left the library must not be visible when it returns, unless it was selected again.
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

  /// Why the change cannot be made; `nil` when it can.
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
  /// - Returns: The token of the change set, for the observers; `nil` when nothing changed.
  func change(
    _ consent: ConsentChange, of client: String
  ) throws(PhotoLibraryError) -> Int64? {
    let date = Date()
    return try change(at: date) { database in
      if let refusal = try consent.refusal(for: client, in: database) { throw refusal }
      let isDifferent = try consent.write(for: client, at: date, to: database)
      return isDifferent ? [ChangedObject(kind: .client, identifier: client, how: .updated)] : []
    }
  }
}

extension Snapshot {
  /// The identifiers of the assets that were selected for a client and are not in the trash, oldest
  /// first.
  func selection(of client: String) throws(PhotoLibraryError) -> [String] {
    try read { database in
      try database.rows(
        """
        SELECT asset.identifier FROM selected CROSS JOIN asset ON asset.id = selected.asset
        WHERE selected.client = ? AND asset.trashedDate IS NULL
        ORDER BY asset.creationDate, asset.id
        """, [client]
      ) { $0[0] as String }
    }
  }
}
