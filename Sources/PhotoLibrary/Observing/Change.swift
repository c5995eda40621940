import Dispatch
import FoundationEssentials
import SafelightCatalog
import Synchronization

/// A change of a library: one change set, or several when the program was slow to take them.
///
/// Details compare a state that the program has with the state right after the change, or with a later one.
/// While an observer is called, that is the state right after the change. Otherwise it is the state when the
/// change is first asked, which is kept for ten seconds at most. The change after one whose details came from a
/// later state returns `nil` for the result that those details gave. So a program may keep changes as long as
/// it likes.
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
  /// The place in the persistent history after the last change set of the change.
  public let changeToken: PersistentChangeToken
  /// When the last change set was made.
  public let date: Date

  /// The number of the first change set.
  let first: Int64
  let state: ChangeState

  /// The numbers of the change sets.
  private var tokens: ClosedRange<Int64> { first...max(first, changeToken.number) }

  /// What the change did to an asset; `nil` when it did not change the asset.
  ///
  /// - Parameter asset: The asset as it was fetched before.
  public func changeDetails(for asset: Asset) -> ObjectChangeDetails<Asset>? {
    details(for: asset, .asset) { database, access in
      let visible = access.visibleAssets
      return try database.rows(
        "SELECT \(Asset.columns) FROM \(Asset.source) WHERE asset.identifier = ? "
          + "AND trashedDate IS NULL AND (\(visible.text))",
        [.text(asset.localIdentifier)] + visible.values, element: Asset.init(row:)
      ).first
    }
  }

  /// What the change did to an album; `nil` when it did not change the album.
  ///
  /// Smart albums have no details; ask for the details of their assets.
  public func changeDetails(
    for collection: AssetCollection
  ) -> ObjectChangeDetails<AssetCollection>? {
    details(for: collection, .album) { database, _ in
      try AssetCollection.albums(
        where: "identifier = ?", .text(collection.localIdentifier), in: database
      ).first
    }
  }

  /// What the change did to a list of albums; `nil` when it did not change the list.
  public func changeDetails(for list: CollectionList) -> ObjectChangeDetails<CollectionList>? {
    details(for: list, .list) { database, _ in
      let found = try UserCollection.all(
        where: "identifier = ?", .text(list.localIdentifier), in: database)
      return found.lazy.compactMap { $0 as? CollectionList }.first
    }
  }

  private func details<Object: PhotoLibraryObject>(
    for object: Object, _ kind: Catalog.ChangedObject.Kind,
    after: (Database, Access) throws -> Object?
  ) -> ObjectChangeDetails<Object>? {
    guard let snapshot = try? state.snapshot(), object.belongs(to: snapshot.path) else {
      return nil
    }
    let access = snapshot.access
    let found = try? snapshot.read {
      (database) -> ObjectChangeDetails<Object>? in
      let changed = try database.rows(
        """
        SELECT contentChanged, how FROM changedObject
        WHERE token BETWEEN ? AND ? AND kind = ? AND identifier = ? ORDER BY token
        """,
        [
          .integer(tokens.lowerBound), .integer(tokens.upperBound),
          .integer(Int64(kind.rawValue)), .text(object.localIdentifier),
        ] as [DatabaseValue]
      ) { (content: $0[0] as Bool, how: $0[1] as Int) }
      let later = access.shows(kind) ? try after(database, access) : nil
      var isReported = !changed.isEmpty
      if later == nil, access.visibility != .all {
        // An object that exists but is hidden from this client is deleted for it by the change set
        // that hid it.
        let isDeleted = changed.last?.how == Catalog.ChangedObject.How.deleted.rawValue
        isReported =
          try access.isChanged(by: tokens, in: database)
          || (isDeleted && access.shows(kind))
      }
      guard isReported else { return nil }
      return ObjectChangeDetails(
        objectBeforeChanges: object, objectAfterChanges: later,
        assetContentChanged: changed.contains(where: \.content))
    }
    return found ?? nil
  }
}

/// The state of a library that the details of a change come from.
final class ChangeState: Sendable {
  private let states: ChangeStates
  private struct Holder: Sendable { weak var snapshot: Snapshot? }
  private let holder: Mutex<Holder>

  /// - Parameter snapshot: The state, which somebody else keeps while observers are called; `nil` for the
  ///   state at the time of the first question.
  init(_ snapshot: Snapshot?, in states: ChangeStates) {
    self.states = states
    holder = Mutex(Holder(snapshot: snapshot))
  }

  /// The state; a later state when the first is no longer kept.
  func snapshot() throws(PhotoLibraryError) -> Snapshot {
    try holder.withLock { (holder) throws(PhotoLibraryError) in
      if let snapshot = holder.snapshot { return snapshot }
      let present = try states.snapshots.now()
      holder.snapshot = present
      states.keep(present)
      return present
    }
  }
}

/// Keeps the states that changes were last asked about.
///
/// A state costs open files, and the catalog's log cannot shrink meanwhile. So there are few, for a short
/// time, however many changes a program keeps.
final class ChangeStates: Sendable {
  /// The largest number of states.
  static let limit = 8
  private static let time = DispatchTimeInterval.seconds(10)

  let snapshots: Snapshots
  private let kept = Mutex<[Snapshot]>([])

  init(_ snapshots: Snapshots) { self.snapshots = snapshots }

  /// The number of states.
  var count: Int { kept.withLock(\.count) }

  /// Keeps a state in place of the oldest.
  func keep(_ snapshot: Snapshot) {
    // The oldest state is released outside of the lock.
    let released = kept.withLock { kept -> [Snapshot] in
      if kept.last === snapshot { return [] }
      kept.append(snapshot)
      guard kept.count > Self.limit else { return [] }
      return [kept.removeFirst()]
    }
    withExtendedLifetime(released) {}
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.time) {
      [weak self, weak snapshot] in
      guard let self, let snapshot else { return }
      kept.withLock { kept in kept.removeAll { $0 === snapshot } }
    }
  }
}

/// What a change did to one object.
///
/// ```swift
/// if let details = change.changeDetails(for: asset) {
///   if let asset = details.objectAfterChanges { show(asset) } else { close() }
/// }
/// ```
public struct ObjectChangeDetails<Object: PhotoLibraryObject>: Sendable {
  /// The object that the details were asked for.
  public let objectBeforeChanges: Object
  /// The object after the change; `nil` when the object was deleted.
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
  /// Compares with the state that the result was read from, however many change sets ago. `nil` for a result
  /// of another library.
  public func changeDetails<Object>(
    for result: FetchResult<Object>
  ) -> FetchResultChangeDetails<FetchResult<Object>>? {
    details(for: result)
  }

  func details<Result: ChangeTracked>(for before: Result) -> FetchResultChangeDetails<Result>? {
    guard let snapshot = try? state.snapshot() else { return nil }
    if let earlier = before.snapshot,
      earlier.path != snapshot.path || earlier.token >= snapshot.token
    {
      return nil
    }
    guard let after = try? before.refetched(in: snapshot) else { return nil }
    do {
      let (old, new) = (try before.rows(), try after.rows())
      let changed = try Self.rowsChanged(since: before, in: snapshot)
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

  private static func rowsChanged(
    since before: some ChangeTracked, in snapshot: Snapshot
  ) throws(PhotoLibraryError) -> Set<Int64> {
    // An object that was hidden before is inserted, not changed.
    guard let token = before.snapshot?.token else { return [] }
    let table = before.listsAssets ? "asset" : "collection"
    let rows = try snapshot.read { database in
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
