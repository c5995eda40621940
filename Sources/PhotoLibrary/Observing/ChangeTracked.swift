/// A list of objects as it was in one snapshot, that can be fetched again from a later one.
protocol ChangeTracked: Sendable {
  /// Where it was read from; `nil` when nothing might be seen.
  var snapshot: Snapshot? { get }
  /// Whether it lists assets, rather than albums and lists of albums.
  var listsAssets: Bool { get }
  /// Whether the indexes of changes are wanted; they take reading all rows.
  var wantsIncrementalChangeDetails: Bool { get }
  /// The rows' keys, in order.
  func rows() throws(PhotoLibraryError) -> ContiguousArray<Int64>
  /// The same fetch from another snapshot.
  func refetched(in snapshot: Snapshot) throws(PhotoLibraryError) -> Self
}
