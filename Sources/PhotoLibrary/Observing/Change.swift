import FoundationEssentials

/// One change set, as observers are told of it.
///
/// It holds the library as it was right after the change set, which costs a little disk space while
/// somebody writes: do not keep changes for long. When other processes change the library faster
/// than it is looked at, several change sets share one such state, the newest; the first of them then
/// has the details of all, and asking the others about what it returned gives `nil`.
///
/// A client is told what it may see, and nothing of the rest. When the user allows it more or less
/// than before, that is a change set too: what is no longer to be seen is gone then.
public struct Change: Sendable {
  /// The change set's place in the persistent history.
  public let changeToken: PersistentChangeToken
  /// When it was made.
  public let date: Date

  let snapshot: Snapshot

  /// What the change set did to an asset; `nil` when it did nothing to it.
  ///
  /// - Parameter asset: The asset as it was fetched before.
  public func changeDetails(for asset: Asset) -> ObjectChangeDetails<Asset>? {
    let visible = snapshot.access.visibleAssets
    return details(for: asset, .asset) { (database) throws(DatabaseError) in
      try database.rows(
        "SELECT \(Asset.columns) FROM \(Asset.source) WHERE asset.identifier = ? "
          + "AND trashedDate IS NULL AND (\(visible.text))",
        [.text(asset.localIdentifier)] + visible.values, Asset.init(row:)
      ).first
    }
  }

  /// What the change set did to an album; `nil` when it did nothing to it.
  ///
  /// Albums that fill themselves have no details; look at those of their assets.
  public func changeDetails(
    for collection: AssetCollection
  ) -> ObjectChangeDetails<AssetCollection>? {
    details(for: collection, .album) { (database) throws(DatabaseError) in
      try AssetCollection.albums(
        where: "identifier = ?", .text(collection.localIdentifier), in: database
      ).first
    }
  }

  /// What the change set did to a list of albums; `nil` when it did nothing to it.
  public func changeDetails(for list: CollectionList) -> ObjectChangeDetails<CollectionList>? {
    details(for: list, .list) { (database) throws(DatabaseError) in
      let found = try UserCollection.all(
        where: "identifier = ?", .text(list.localIdentifier), in: database)
      return found.lazy.compactMap { if case .list(let list) = $0 { list } else { nil } }.first
    }
  }

  private func details<Object: PhotoLibraryObject>(
    for object: Object, _ kind: Catalog.ChangedObject.Kind,
    after: (Database) throws(DatabaseError) -> Object?
  ) -> ObjectChangeDetails<Object>? {
    let access = snapshot.access
    let found = try? snapshot.read {
      (database) throws(DatabaseError) -> ObjectChangeDetails<Object>? in
      let changed = try database.rows(
        """
        SELECT contentChanged, how FROM changedObject
        WHERE token = ? AND kind = ? AND identifier = ?
        """,
        [
          .integer(changeToken.number), .integer(Int64(kind.rawValue)),
          .text(object.localIdentifier),
        ] as [DatabaseValue]
      ) { (content: $0[0] as Bool, how: $0[1] as Int) }.first
      let later = access.shows(kind) ? try after(database) : nil
      var isTold = changed != nil
      if later == nil, access.visibility != .all {
        // What is there but not for this client is gone for it at the moment when that was said.
        let isDeleted = changed?.how == Catalog.ChangedObject.How.deleted.rawValue
        isTold =
          try access.isChanged(by: changeToken.number, in: database)
          || (isDeleted && access.shows(kind))
      }
      guard isTold else { return nil }
      return ObjectChangeDetails(
        objectBeforeChanges: object, objectAfterChanges: later,
        assetContentChanged: changed?.content ?? false)
    }
    return found ?? nil
  }
}

extension Change {
  /// How a list of objects changed; `nil` when it stayed as it was, or cannot be fetched any more.
  ///
  /// Compares with the state that the list was read from, however many change sets ago.
  func details<Result: ChangeTracked>(for before: Result) -> FetchResultChangeDetails<Result>? {
    if let earlier = before.snapshot, earlier.token >= snapshot.token { return nil }
    guard let after = try? before.refetched(in: snapshot) else { return nil }
    do {
      let (old, new) = (try before.rows(), try after.rows())
      let changed = try rowsChanged(since: before)
      guard before.wantsIncrementalChangeDetails else {
        if old == new, changed.isDisjoint(with: new) { return nil }
        return FetchResultChangeDetails(from: before, to: after, nil)
      }
      let differences = OrderedDifferences(from: old, to: new, changed: changed)
      if differences.count == 0 { return nil }
      let isTooMuch = differences.count > FetchResultChangeDetails<Result>.largestChange
      return FetchResultChangeDetails(from: before, to: after, isTooMuch ? nil : differences)
    } catch {
      // What cannot be compared is to be shown anew.
      return FetchResultChangeDetails(from: before, to: after, nil)
    }
  }

  private func rowsChanged(
    since before: some ChangeTracked
  ) throws(PhotoLibraryError) -> Set<Int64> {
    // What could not be seen has not changed but comes into being.
    guard let token = before.snapshot?.token else { return [] }
    let table = before.listsAssets ? "asset" : "collection"
    let rows = try snapshot.read { (database) throws(DatabaseError) in
      try database.rows(
        """
        SELECT DISTINCT \(table).id FROM changedObject
        JOIN \(table) ON \(table).identifier = changedObject.identifier
        WHERE token > ? AND \(before.listsAssets ? "kind = 0" : "kind IN (1, 2)")
        """, [token]
      ) { $0[0] as Int64 }
    }
    return Set(rows)
  }
}
