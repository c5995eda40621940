/// What a client of a library may see and do at one moment.
struct Access: Sendable, Hashable {
  /// Which assets show.
  enum Visibility: Sendable, Hashable {
    /// All of them.
    case all
    /// Those that were selected for a client, and no albums.
    case selected(String)
    /// None.
    case none
  }

  let client: Client
  /// What the user said of adding alone.
  private let addOnly: AuthorizationStatus
  private let readWrite: AuthorizationStatus

  /// What the user said, of which nothing counts for the owner.
  init(
    _ client: Client, addOnly: AuthorizationStatus = .notDetermined,
    readWrite: AuthorizationStatus = .notDetermined
  ) {
    (self.client, self.addOnly, self.readWrite) = (client, addOnly, readWrite)
  }

  /// What stands in a catalog.
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

  /// What stands in an export.
  init(_ client: Client, _ entries: [ExportEntry]) {
    let found = entries.lazy.compactMap(\.client).first { $0.identifier == client.identifier }
    self.init(
      client, addOnly: AuthorizationStatus(stored: found?.addOnly ?? 0),
      readWrite: AuthorizationStatus(stored: found?.readWrite ?? 0))
  }

  /// What counts for a level: who may see and change photos may also add some.
  func status(for level: AccessLevel) -> AuthorizationStatus {
    if client.isOwner { return .authorized }
    switch level {
    case .addOnly: return readWrite.isGranted ? .authorized : addOnly
    case .readWrite: return readWrite
    }
  }

  /// Which assets show.
  var visibility: Visibility {
    switch status(for: .readWrite) {
    case .authorized: .all
    case .limited: .selected(client.identifier)
    case .notDetermined, .restricted, .denied: .none
    }
  }

  /// The condition, over the table `asset`, of those that show.
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

  /// Throws when the user did not allow it; limited access will do.
  func check(_ level: AccessLevel) throws(PhotoLibraryError) {
    if let refusal = refusal(of: level) { throw refusal }
  }

  /// Throws unless the whole library may be seen and changed.
  func checkWhole() throws(PhotoLibraryError) {
    try check(.readWrite)
    if visibility != .all { throw .accessUserDenied }
  }

  /// Why a level is not open to the client; `nil` when it is.
  func refusal(of level: AccessLevel) -> PhotoLibraryError? {
    status(for: level).refusal(of: client)
  }
}

extension AuthorizationStatus {
  /// What it throws for a client; `nil` when anything was allowed.
  func refusal(of client: Client) -> PhotoLibraryError? {
    switch self {
    case .authorized, .limited: nil
    case .notDetermined: .accessNotDetermined(client: client.identifier)
    case .restricted: .accessRestricted
    case .denied: .accessUserDenied
    }
  }

  /// A status from a catalog; one that only a newer program knows allows nothing.
  init(stored number: Int) { self = AuthorizationStatus(rawValue: number) ?? .restricted }
}

extension PhotoLibrary {
  /// What this client may see and do now; nothing when the catalog cannot be read.
  var access: Access {
    if client.isOwner { return Access(client) }
    return (try? snapshots.now().access) ?? Access(client)
  }
}
