/// How a fetch result changed, as steps that turn the old list into the new one.
///
/// Do them in this order, each on what the one before left: take out ``removedIndexes`` (positions in
/// the old list, all at once), put in ``insertedIndexes`` (from the smallest on), then make each of
/// ``moves`` in turn. ``changedIndexes`` are positions in the new list and belong to no step.
///
/// ```swift
/// guard let details = change.changeDetails(for: photos) else { return }
/// photos = details.fetchResultAfterChanges
/// ```
public struct FetchResultChangeDetails<Result: Sendable>: Sendable {
  /// The result that the details were asked for.
  public let fetchResultBeforeChanges: Result
  /// The same fetch, done anew; there whether or not the indexes are.
  public let fetchResultAfterChanges: Result
  /// The steps; `nil` when the lists have to be compared as a whole.
  let differences: OrderedDifferences?

  init(from before: Result, to after: Result, _ differences: OrderedDifferences?) {
    fetchResultBeforeChanges = before
    fetchResultAfterChanges = after
    self.differences = differences
  }

  /// Whether the indexes are known. `false` when the fetch did not want them, or when more than
  /// ``FetchResultChangeDetails/largestChange`` objects differ: show the new result from scratch.
  public var hasIncrementalChanges: Bool { differences != nil }
  /// The positions in the old result of objects that are gone, ascending; `nil` without incremental
  /// changes.
  public var removedIndexes: [Int]? { differences?.removed }
  /// The positions of new objects, ascending, in the old list once the removed ones are out of it and
  /// those before it are in; their final positions unless objects moved as well. `nil` without
  /// incremental changes.
  public var insertedIndexes: [Int]? { differences?.inserted }
  /// The positions in the **new** result of objects that were there before and changed, ascending;
  /// `nil` without incremental changes.
  public var changedIndexes: [Int]? { differences?.changed }
  /// Whether objects changed places with others that stayed.
  public var hasMoves: Bool { !moves.isEmpty }
  /// The moves, as few as possible: each takes the object at `from` out of the list that the moves
  /// before it left, and puts it in at `to` of the list without it.
  public var moves: [FetchResultMove] { differences?.moves ?? [] }

  /// Calls `body` for each of ``moves``, first to last, with its two positions.
  public func enumerateMoves(_ body: (_ from: Int, _ to: Int) throws -> Void) rethrows {
    for move in moves { try body(move.from, move.to) }
  }

  /// Most objects that may be removed, inserted, moved and changed together before the indexes are
  /// left out: 50,000.
  public static var largestChange: Int { 50_000 }
}

/// One object's way from one position to another.
public struct FetchResultMove: Sendable, Hashable {
  /// Its position in the list that the moves before this one left.
  public let from: Int
  /// Its position once it is taken out and put in again.
  public let to: Int
}

extension FetchResultChangeDetails where Result: Sequence, Result.Element: PhotoLibraryObject {
  /// Compares two results that you hold yourself, without asking the library.
  ///
  /// - Parameters:
  ///   - before: The old list; no object may be in it twice.
  ///   - after: The new list, likewise.
  ///   - changed: The objects whose values changed.
  public static func diff(
    from before: Result, to after: Result, changed: some Sequence<Result.Element>
  ) -> FetchResultChangeDetails {
    let differences = OrderedDifferences(
      from: before.map(\.localIdentifier), to: after.map(\.localIdentifier),
      changed: Set(changed.lazy.map(\.localIdentifier)))
    return FetchResultChangeDetails(
      from: before, to: after, differences.count > largestChange ? nil : differences)
  }
}
