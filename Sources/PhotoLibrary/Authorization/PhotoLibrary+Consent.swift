import FoundationEssentials

/// What a library remembers of a client.
public struct ClientAuthorization: Sendable, Hashable {
  /// What names the client.
  public let client: String
  /// What was said of adding photos alone.
  public let addOnly: AuthorizationStatus
  /// What was said of seeing and changing photos; adding is part of that.
  public let readWrite: AuthorizationStatus
  /// The reason that the client gave when the user was last asked; `nil` when it never was.
  public let usageDescription: String?
  /// When that was decided; `nil` when nothing is.
  public let answered: Date?
  /// How many assets a client with limited access sees, hidden ones too; 0 for others.
  public let selectionCount: Int
}

// What the library's owner says of others. A client that opened the library is refused.
extension PhotoLibrary {
  /// The clients of which anything was said, by their identifiers.
  ///
  /// - Throws: ``PhotoLibraryError/changeNotSupported(_:)`` unless this is the owner.
  public func clients() throws(PhotoLibraryError) -> [ClientAuthorization] {
    try checkOwner()
    return try snapshots.now().read { (database) throws(DatabaseError) in
      try database.rows(
        """
        SELECT identifier, addOnly, readWrite, usageDescription, answered,
          (SELECT count(*) FROM selected JOIN asset ON asset.id = selected.asset
            WHERE selected.client = client.identifier AND asset.trashedDate IS NULL)
        FROM client ORDER BY identifier
        """
      ) {
        ClientAuthorization(
          client: $0[0], addOnly: AuthorizationStatus(stored: $0[1]),
          readWrite: AuthorizationStatus(stored: $0[2]), usageDescription: $0[3], answered: $0[4],
          selectionCount: $0[5])
      }
    }
  }

  /// What counts for a client; ``AuthorizationStatus/notDetermined`` for one that never asked.
  ///
  /// - Throws: ``PhotoLibraryError/changeNotSupported(_:)`` unless this is the owner.
  public func authorizationStatus(
    of client: String, for level: AccessLevel
  ) throws(PhotoLibraryError) -> AuthorizationStatus {
    try checkOwner()
    try Self.checkIdentifier(client)
    return try snapshots.now().read { (database) throws(DatabaseError) in
      try Access(Client(identifier: client), in: database).status(for: level)
    }
  }

  /// The local identifiers of the assets that a client with limited access sees, oldest first;
  /// none of other clients.
  ///
  /// - Throws: ``PhotoLibraryError/changeNotSupported(_:)`` unless this is the owner.
  public func limitedSelection(of client: String) throws(PhotoLibraryError) -> [String] {
    try checkOwner()
    return try snapshots.now().selection(of: client)
  }

  /// Decides what a client may do, whether or not it asked.
  ///
  /// - Parameters:
  ///   - status: What counts from now on. ``AuthorizationStatus/notDetermined`` has the user asked
  ///     again; ``AuthorizationStatus/limited`` is for ``AccessLevel/readWrite`` only, and lets the
  ///     client see what was selected for it already. Any other status forgets the selection.
  ///   - level: Of what.
  ///   - client: What names the client.
  /// - Throws: ``PhotoLibraryError/changeNotSupported(_:)`` unless this is the owner, and for adding
  ///   that is limited.
  public func setAccess(
    _ status: AuthorizationStatus, level: AccessLevel, for client: String
  ) async throws(PhotoLibraryError) {
    var consent = ConsentChange()
    consent.set(level, status)
    try await decideAsOwner(consent, for: client)
  }

  /// Lets a client see some assets and no others.
  ///
  /// - Parameters:
  ///   - client: What names the client.
  ///   - identifiers: The assets' local identifiers; may be empty.
  /// - Throws: ``PhotoLibraryError/identifierNotFound(_:)`` for an asset that is not there; nothing is
  ///   changed then. ``PhotoLibraryError/changeNotSupported(_:)`` unless this is the owner.
  public func limitAccess(
    of client: String, to identifiers: [String]
  ) async throws(PhotoLibraryError) {
    var consent = ConsentChange()
    consent.set(.readWrite, .limited)
    consent.selection = identifiers
    try await decideAsOwner(consent, for: client)
  }

  /// Denies a client everything; it is not to ask again.
  ///
  /// - Throws: ``PhotoLibraryError/identifierNotFound(_:)`` for a client of which nothing was ever
  ///   said, ``PhotoLibraryError/changeNotSupported(_:)`` unless this is the owner.
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
