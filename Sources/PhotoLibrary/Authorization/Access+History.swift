// What of the history of changes a client is told.
extension Access {
  /// Whether objects of a kind show at all.
  func shows(_ kind: Catalog.ChangedObject.Kind) -> Bool {
    switch visibility {
    case .all: kind != .client
    case .selected: kind == .asset
    case .none: false
    }
  }

  /// Whether a change set was about what this client may see and do.
  func isChanged(by token: Int64, in database: Database) throws(DatabaseError) -> Bool {
    if client.isOwner { return false }
    let found: Int? = try database.value(
      "SELECT 1 FROM changedObject WHERE token = ? AND kind = ? AND identifier = ?", token,
      Catalog.ChangedObject.Kind.client.rawValue, client.identifier)
    return found != nil
  }

  /// The condition, over the table `changedObject`, of the assets that the client may hear of: those
  /// that it sees, and those that it saw until they left the library.
  var audibleAssets: SQLText {
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
