// Adding asks for less than anything else: a change set that only makes assets is open to who may add.
extension Access {
  /// Why a change set is not open to the client; `nil` when it is.
  ///
  /// Asked twice: before files are looked at, and by the transaction that writes, since what the user
  /// allowed may have been taken back meanwhile.
  func refusal(
    of steps: [ChangeStep], in database: Database
  ) throws(DatabaseError) -> PhotoLibraryError? {
    if client.isOwner { return nil }
    var created: Set<String> = []
    for case .createAsset(let identifier) in steps { created.insert(identifier) }
    if !created.isEmpty, let refusal = refusal(of: .addOnly) { return refusal }
    for step in steps where !step.isPart(of: created) {
      if let refusal = refusal(of: .readWrite) { return refusal }
      if case .selected = visibility {
        let others = step.assets.filter { !created.contains($0) }
        // Albums, and a trash with photos of others, are not what was selected.
        guard !step.needsWholeLibrary else { return .accessUserDenied }
        for asset in others where try !shows(asset, in: database) {
          return .identifierNotFound(asset)
        }
      }
    }
    return nil
  }

  /// Lets a client with limited access see what it made itself.
  func select(createdBy steps: [ChangeStep], in database: Database) throws(DatabaseError) {
    guard case .selected(let client) = visibility else { return }
    for case .createAsset(let identifier) in steps {
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

extension ChangeStep {
  /// Whether it is about nothing but assets that the same change set makes.
  fileprivate func isPart(of created: Set<String>) -> Bool {
    switch self {
    case .createAsset: true
    case .addResource(let identifier, _), .asset(let identifier, _): created.contains(identifier)
    case .trash, .restore, .emptyTrash, .createCollection, .rename, .arrange, .deleteCollections:
      false
    }
  }

  /// The assets that it changes.
  fileprivate var assets: [String] {
    switch self {
    case .createAsset(let identifier), .addResource(let identifier, _), .asset(let identifier, _):
      [identifier]
    case .trash(let identifiers), .restore(let identifiers): identifiers
    case .emptyTrash, .createCollection, .rename, .arrange, .deleteCollections: []
    }
  }

  /// Whether it is about more than some assets.
  fileprivate var needsWholeLibrary: Bool {
    switch self {
    case .emptyTrash, .createCollection, .rename, .arrange, .deleteCollections: true
    case .createAsset, .addResource, .asset, .trash, .restore: false
    }
  }
}
