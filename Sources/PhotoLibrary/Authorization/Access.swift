import SafelightCatalog

/// What a client of a library may see and do at one moment.
struct Access: Sendable, Hashable {
  /// Which assets the client sees.
  typealias Visibility = AssetVisibility

  let client: Client
  /// What the user decided about adding alone.
  private let addOnly: AuthorizationStatus
  private let readWrite: AuthorizationStatus

  /// Access by what the user decided; the owner may do everything.
  init(
    _ client: Client, addOnly: AuthorizationStatus = .notDetermined,
    readWrite: AuthorizationStatus = .notDetermined
  ) {
    (self.client, self.addOnly, self.readWrite) = (client, addOnly, readWrite)
  }

  /// Access as a catalog stores it.
  init(_ client: Client, in database: Database) throws(DatabaseError) {
    guard !client.isOwner else {
      self.init(client)
      return
    }
    let found = try database.rows(
      "SELECT addOnly, readWrite FROM client WHERE identifier = ?", [client.identifier]
    ) { (addOnly: $0[0] as Int, readWrite: $0[1] as Int) }
    self.init(
      client, addOnly: AuthorizationStatus(stored: found.first?.addOnly ?? 0),
      readWrite: AuthorizationStatus(stored: found.first?.readWrite ?? 0))
  }

  /// Access as an export stores it.
  init(_ client: Client, _ entries: [ExportEntry]) {
    let found = entries.lazy.compactMap(\.client).first { $0.identifier == client.identifier }
    self.init(
      client, addOnly: AuthorizationStatus(stored: found?.addOnly ?? 0),
      readWrite: AuthorizationStatus(stored: found?.readWrite ?? 0))
  }

  /// The status of a level: a client that may see and change photos may also add photos.
  func status(for level: AccessLevel) -> AuthorizationStatus {
    if client.isOwner { return .authorized }
    switch level {
    case .addOnly: return readWrite.isGranted ? .authorized : addOnly
    case .readWrite: return readWrite
    }
  }

  /// Which assets the client sees.
  var visibility: Visibility {
    switch status(for: .readWrite) {
    case .authorized: .all
    case .limited: .selected(client.identifier)
    case .notDetermined, .restricted, .denied: .none
    }
  }

  /// The condition, over the table `asset`, of the assets that the client sees.
  var visibleAssets: SQLText {
    switch visibility {
    case .all: SQLText("1")
    case .none: SQLText("0")
    case .selected(let client):
      SQLText(
        "asset.id IN (SELECT selected.asset FROM selected WHERE selected.client = ?)",
        [.text(client)])
    }
  }

  /// Throws when the user did not allow a level; limited access is enough.
  func check(_ level: AccessLevel) throws(PhotoLibraryError) {
    if let refusal = refusal(of: level) { throw refusal }
  }

  /// Throws unless the client may see and change the whole library.
  func checkWhole() throws(PhotoLibraryError) {
    try check(.readWrite)
    if visibility != .all { throw .accessUserDenied }
  }

  /// Why a level is closed to the client; `nil` when it is open.
  func refusal(of level: AccessLevel) -> PhotoLibraryError? {
    status(for: level).refusal(of: client)
  }
}

// A change set that only creates assets needs permission to add, and no more.
extension Access {
  /// Why a change set is not allowed to the client; `nil` when it is allowed.
  ///
  /// Checked before any file is read, and again in the transaction that writes, because the owner may
  /// have withdrawn the permission meanwhile.
  func refusal(
    of requests: [RequestedChange], in database: Database
  ) throws(DatabaseError) -> PhotoLibraryError? {
    if client.isOwner { return nil }
    var created: Set<String> = []
    for case .createAsset(let identifier) in requests { created.insert(identifier) }
    if !created.isEmpty, let refusal = refusal(of: .addOnly) { return refusal }
    for request in requests where !request.isPart(of: created) {
      if let refusal = refusal(of: .readWrite) { return refusal }
      if case .selected = visibility {
        // Albums, and a trash that may hold other photos, were not selected.
        guard let assets = request.assets else { return .accessUserDenied }
        let others = assets.filter { !created.contains($0) }
        for asset in others where try !shows(asset, in: database) {
          return .identifierNotFound(asset)
        }
      }
    }
    return nil
  }

  /// The level that a change set needs.
  static func level(for requests: [RequestedChange]) -> AccessLevel {
    var created: Set<String> = []
    for case .createAsset(let identifier) in requests { created.insert(identifier) }
    return requests.allSatisfy { $0.isPart(of: created) } ? .addOnly : .readWrite
  }

  /// Lets a client with limited access see the assets that it created.
  func select(createdBy requests: [RequestedChange], in database: Database) throws(DatabaseError) {
    guard case .selected(let client) = visibility else { return }
    for case .createAsset(let identifier) in requests {
      try database.run(
        "INSERT OR IGNORE INTO selected SELECT ?, id FROM asset WHERE identifier = ?", client,
        identifier)
    }
  }

  /// Whether the client may see an asset, in the trash or not.
  func shows(_ asset: String, in database: Database) throws(DatabaseError) -> Bool {
    guard case .selected(let client) = visibility else { return visibility == .all }
    let found: Int? = try database.value(
      """
      SELECT 1 FROM selected WHERE client = ?
        AND asset = (SELECT id FROM asset WHERE identifier = ?)
      """, client, asset)
    return found != nil
  }
}

extension RequestedChange {
  /// Whether the change is only about assets that the same change set creates.
  fileprivate func isPart(of created: Set<String>) -> Bool {
    switch self {
    case .createAsset: true
    case .addResource(let identifier, _), .asset(let identifier, _): created.contains(identifier)
    case .trash, .restore, .emptyTrash, .createCollection, .rename, .arrange, .deleteCollections:
      false
    }
  }

  /// The assets that the change is about; `nil` when it is about more than single assets.
  fileprivate var assets: [String]? {
    switch self {
    case .createAsset(let identifier), .addResource(let identifier, _), .asset(let identifier, _):
      [identifier]
    case .trash(let identifiers), .restore(let identifiers): identifiers
    case .emptyTrash, .createCollection, .rename, .arrange, .deleteCollections: nil
    }
  }
}

// The part of the history that a client may see.
extension Access {
  /// Whether the client sees objects of a kind at all.
  func shows(_ kind: Catalog.ChangedObject.Kind) -> Bool {
    switch visibility {
    case .all: kind != .client
    case .selected: kind == .asset
    case .none: false
    }
  }

  /// Whether one of some change sets changed what this client may see and do.
  func isChanged(
    by tokens: ClosedRange<Int64>, in database: Database
  ) throws(DatabaseError) -> Bool {
    if client.isOwner { return false }
    let found: Int? = try database.value(
      """
      SELECT 1 FROM changedObject WHERE token BETWEEN ? AND ? AND kind = ? AND identifier = ?
      """, tokens.lowerBound, tokens.upperBound, Catalog.ChangedObject.Kind.client.rawValue,
      client.identifier)
    return found != nil
  }

  /// The condition, over the table `changedObject`, of the assets whose changes the client gets: the assets
  /// that it sees, and the assets that it saw until they left the library.
  var reportedAssets: SQLText {
    guard case .selected(let client) = visibility else { return visibleAssets }
    return SQLText(
      """
      EXISTS (SELECT 1 FROM asset CROSS JOIN selected ON selected.asset = asset.id
          AND selected.client = ?1
        WHERE asset.identifier = changedObject.identifier)
      OR EXISTS (SELECT 1 FROM departed
          CROSS JOIN json_each(departed.state, '$.departed.clients') AS saw ON saw.value = ?1
        WHERE departed.identifier = changedObject.identifier)
      """, [.text(client)])
  }
}

extension Snapshot {
  /// Whether the client may see and change an asset, in the trash or not.
  func lets(changing asset: String) throws(PhotoLibraryError) -> Bool {
    try access.check(.readWrite)
    return try read { database in try access.shows(asset, in: database) }
  }
}

extension PhotoLibrary {
  /// Throws unless this client may make a change set.
  func check(_ requests: [RequestedChange]) throws(PhotoLibraryError) {
    guard !client.isOwner else { return }
    let snapshot = try snapshots.now()
    let refusal = try snapshot.read { database in
      try snapshot.access.refusal(of: requests, in: database)
    }
    if let refusal { throw refusal }
  }

  /// Throws unless this client may see an asset; the owner may have hidden a fetched asset from it.
  ///
  /// - Throws: ``PhotoLibraryError``, such as ``PhotoLibraryError/accessUserDenied``, or
  ///   ``PhotoLibraryError/identifierNotFound(_:)`` for an asset that was not selected.
  func checkVisibility(of identifier: String) throws(PhotoLibraryError) {
    guard !client.isOwner else { return }
    let snapshot = try snapshots.now()
    do { try snapshot.access.check(.readWrite) } catch {
      if case .accessNotDetermined = error { askOnce(for: .readWrite) }
      throw error
    }
    let isVisible = try snapshot.read { database in
      try snapshot.access.shows(identifier, in: database)
    }
    if !isVisible { throw .identifierNotFound(identifier) }
  }
}
