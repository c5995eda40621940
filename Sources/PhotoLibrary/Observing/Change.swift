import FoundationEssentials
import SafelightCatalog

/// One change set, for observers.
///
/// A change holds the library as it was right after the change set. This costs a little disk space
/// while somebody writes: do not keep changes for long. When other processes change the library very
/// fast, several change sets share the newest state. The first of these changes then has the details
/// of all of them, and the others return `nil` for the result that the first one gave.
///
/// A client only gets changes of objects that it may see. When the owner changes what the client may see,
/// that is a change set too; the objects that the client may no longer see are then deleted for it.
///
/// ```swift
/// for await change in library.changes {
///   guard let details = change.changeDetails(for: photos) else { continue }
///   photos = details.fetchResultAfterChanges
/// }
/// ```
public struct Change: Sendable {
  /// The change set's place in the persistent history.
  public let changeToken: PersistentChangeToken
  /// When the change set was made.
  public let date: Date

  let snapshot: Snapshot

  /// What the change set did to an asset; `nil` when it did not change the asset.
  ///
  /// - Parameter asset: The asset as it was fetched before.
  public func changeDetails(for asset: Asset) -> ObjectChangeDetails<Asset>? {
    let visible = snapshot.access.visibleAssets
    return details(for: asset, .asset) { (database) throws(DatabaseError) in
      try database.rows(
        "SELECT \(Asset.columns) FROM \(Asset.source) WHERE asset.identifier = ? "
          + "AND trashedDate IS NULL AND (\(visible.text))",
        [.text(asset.localIdentifier)] + visible.values, element: Asset.init(row:)
      ).first
    }
  }

  /// What the change set did to an album; `nil` when it did not change the album.
  ///
  /// Smart albums have no details; ask for the details of their assets.
  public func changeDetails(
    for collection: AssetCollection
  ) -> ObjectChangeDetails<AssetCollection>? {
    details(for: collection, .album) { (database) throws(DatabaseError) in
      try AssetCollection.albums(
        where: "identifier = ?", .text(collection.localIdentifier), in: database
      ).first
    }
  }

  /// What the change set did to a list of albums; `nil` when it did not change the list.
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
      var isReported = changed != nil
      if later == nil, access.visibility != .all {
        // An object that exists but is hidden from this client is deleted for it by the change set
        // that hid it.
        let isDeleted = changed?.how == Catalog.ChangedObject.How.deleted.rawValue
        isReported =
          try access.isChanged(by: changeToken.number, in: database)
          || (isDeleted && access.shows(kind))
      }
      guard isReported else { return nil }
      return ObjectChangeDetails(
        objectBeforeChanges: object, objectAfterChanges: later,
        assetContentChanged: changed?.content ?? false)
    }
    return found ?? nil
  }
}

/// What a change set did to one object.
///
/// ```swift
/// if let details = change.changeDetails(for: asset) {
///   if let asset = details.objectAfterChanges { show(asset) } else { close() }
/// }
/// ```
public struct ObjectChangeDetails<Object: PhotoLibraryObject>: Sendable {
  /// The object that the details were asked for.
  public let objectBeforeChanges: Object
  /// The object after the change set; `nil` when the object was deleted.
  public let objectAfterChanges: Object?
  /// Whether the picture changed: the edit, or the original's file.
  public let assetContentChanged: Bool

  /// Whether the object was put into the trash or deleted.
  public var objectWasDeleted: Bool { objectAfterChanges == nil }
}

/// A list of objects that was read from one snapshot and can be fetched again from a later one.
protocol ChangeTracked: Sendable {
  /// The snapshot that the list was read from; `nil` when the client might see nothing.
  var snapshot: Snapshot? { get }
  /// Whether the list has assets, and not albums or lists of albums.
  var listsAssets: Bool { get }
  /// Whether the program wants the indexes of changes, which need all rows.
  var wantsIncrementalChangeDetails: Bool { get }
  /// The objects' rows in the catalog, in order.
  func rows() throws(PhotoLibraryError) -> ContiguousArray<Int64>
  /// The same fetch from another snapshot.
  func refetched(in snapshot: Snapshot) throws(PhotoLibraryError) -> Self
}

extension FetchResult: ChangeTracked {}

extension Change {
  /// How a fetch result changed; `nil` when it did not change, or cannot be fetched any more.
  ///
  /// Compares with the state that the result was read from, however many change sets ago.
  public func changeDetails<Object>(
    for result: FetchResult<Object>
  ) -> FetchResultChangeDetails<FetchResult<Object>>? {
    details(for: result)
  }

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
      // When the lists cannot be compared, the program has to show the whole new list.
      return FetchResultChangeDetails(from: before, to: after, nil)
    }
  }

  private func rowsChanged(
    since before: some ChangeTracked
  ) throws(PhotoLibraryError) -> Set<Int64> {
    // An object that was hidden before is inserted, not changed.
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
