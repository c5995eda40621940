/// A list of objects as it was in one snapshot, that can be fetched again from a later one.
protocol ChangeTracked: Sendable {
  /// Where it was read from.
  var snapshot: Snapshot { get }
  /// What kind of objects it lists.
  var trackedKind: Catalogue.ChangedObject.Kind { get }
  /// Whether the indexes of changes are wanted; they take reading all rows.
  var wantsIncrementalChangeDetails: Bool { get }
  /// The rows' keys, in order.
  var rows: ContiguousArray<Int64> { get throws(PhotoLibraryError) }
  /// The same fetch from another snapshot.
  func refetched(in snapshot: Snapshot) -> Self
}
