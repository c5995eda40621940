/// How a fetch result changed, as removals, insertions and moves that make the new list from the old.
///
/// Apply them in this order, each to the list that the one before left: remove ``removedIndexes``
/// (positions in the old list, all at once), insert ``insertedIndexes`` (smallest first), then make
/// each of ``moves``, first to last. ``changedIndexes`` are positions in the new list.
///
/// ```swift
/// guard let details = change.changeDetails(for: photos) else { return }
/// photos = details.fetchResultAfterChanges
/// ```
public struct FetchResultChangeDetails<Result: Sendable>: Sendable {
  /// The result that the details were asked for.
  public let fetchResultBeforeChanges: Result
  /// The same fetch, made again; available with and without indexes.
  public let fetchResultAfterChanges: Result
  /// The differences; `nil` when the whole new list has to be shown.
  let differences: OrderedDifferences?

  init(from before: Result, to after: Result, _ differences: OrderedDifferences?) {
    fetchResultBeforeChanges = before
    fetchResultAfterChanges = after
    self.differences = differences
  }

  /// Whether the indexes are known. `false` when the fetch did not ask for them, or when more than
  /// ``FetchResultChangeDetails/largestChange`` objects differ: then show the whole new result.
  public var hasIncrementalChanges: Bool { differences != nil }
  /// The positions in the old result of the removed objects, ascending; `nil` without incremental
  /// changes.
  public var removedIndexes: [Int]? { differences?.removed }
  /// The positions of the new objects, ascending. Each counts in the old list without the removed
  /// objects and with the new objects before it; these are the final positions unless objects moved
  /// too. `nil` without incremental changes.
  public var insertedIndexes: [Int]? { differences?.inserted }
  /// The positions in the **new** result of objects that were in the old result and changed,
  /// ascending; `nil` without incremental changes.
  public var changedIndexes: [Int]? { differences?.changed }
  /// Whether objects moved.
  public var hasMoves: Bool { !moves.isEmpty }
  /// The moves, as few as possible. Each takes the object at `from` out of the list that the moves
  /// before it left, and inserts it at `to` of the list without it.
  public var moves: [FetchResultMove] { differences?.moves ?? [] }

  /// Calls `body` for each of ``moves``, first to last, with its two positions.
  public func enumerateMoves(_ body: (_ from: Int, _ to: Int) throws -> Void) rethrows {
    for move in moves { try body(move.from, move.to) }
  }

  /// The largest number of removed, inserted, moved and changed objects together for which there are
  /// indexes: 50,000.
  public static var largestChange: Int { 50_000 }
}

/// The move of one object from one position to another.
public struct FetchResultMove: Sendable, Hashable {
  /// The object's position in the list that the moves before this one left.
  public let from: Int
  /// The object's position after the move.
  public let to: Int
}

extension FetchResultChangeDetails where Result: Sequence, Result.Element: PhotoLibraryObject {
  /// Compares two lists of the program's own, without asking the library.
  ///
  /// - Parameters:
  ///   - before: The old list.
  ///   - after: The new list.
  ///   - changed: The objects whose values changed.
  /// - Returns: Details, without incremental changes when a list has an object twice.
  public static func diff(
    from before: Result, to after: Result, changed: some Sequence<Result.Element>
  ) -> FetchResultChangeDetails {
    let (old, new) = (before.map(\.localIdentifier), after.map(\.localIdentifier))
    guard Set(old).count == old.count, Set(new).count == new.count else {
      return FetchResultChangeDetails(from: before, to: after, nil)
    }
    let differences = OrderedDifferences(
      from: old, to: new, changed: Set(changed.lazy.map(\.localIdentifier)))
    return FetchResultChangeDetails(
      from: before, to: after, differences.count > largestChange ? nil : differences)
  }
}

/// The differences between two lists of distinct identifiers, with PhotoKit's meaning of the indexes;
/// ``FetchResultChangeDetails`` says in which order they apply.
///
/// The moves are as few as possible: every kept object moves except those of a longest run that keeps
/// its order. Takes time in proportion to the lists' lengths, and n log n for the moves.
struct OrderedDifferences: Sendable, Hashable {
  /// Positions in the old list.
  var removed: [Int] = []
  /// Positions in the old list without the removed objects and with the new objects before each.
  var inserted: [Int] = []
  /// Positions in the new list.
  var changed: [Int] = []
  /// Applied one after the other to the list that removing and inserting left.
  var moves: [FetchResultMove] = []

  /// How many objects differ.
  var count: Int { removed.count + inserted.count + changed.count + moves.count }

  /// Compares two lists.
  ///
  /// - Parameter changed: Objects that changed; new and removed objects among them do not count.
  init<Identifier: Hashable>(
    from before: some Sequence<Identifier>, to after: some Sequence<Identifier>,
    changed: Set<Identifier>
  ) {
    let (before, after) = (Array(before), Array(after))
    let shorter = min(before.count, after.count)
    var start = 0
    while start < shorter, before[start] == after[start] { start += 1 }
    var end = 0
    while end < shorter - start, before[before.count - 1 - end] == after[after.count - 1 - end] {
      end += 1
    }
    let middle = Middle(
      before[start..<(before.count - end)], after[start..<(after.count - end)], offset: start)
    removed = middle.removed
    inserted = middle.inserted
    moves = middle.moves
    if !changed.isEmpty {
      let new = Set(middle.new)
      self.changed = after.indices.filter { changed.contains(after[$0]) && !new.contains($0) }
    }
  }
}

/// The middle of two lists, between their common beginning and their common end.
private struct Middle {
  var removed: [Int] = []
  var inserted: [Int] = []
  var moves: [FetchResultMove] = []
  /// Positions in the new list of the new objects.
  var new: [Int] = []

  init<Identifier: Hashable>(
    _ before: ArraySlice<Identifier>, _ after: ArraySlice<Identifier>, offset: Int
  ) {
    var places: [Identifier: Int] = [:]
    places.reserveCapacity(after.count)
    for index in after.indices { places[after[index]] = index - after.startIndex }
    guard places.count == after.count, Set(before).count == before.count else {
      // A damaged catalog may have an object twice. Everything is then taken out and put in again.
      (removed, inserted, new) = (Array(before.indices), Array(after.indices), Array(after.indices))
      return
    }
    // The new position of each kept object, in the old order.
    var kept: [Int] = []
    kept.reserveCapacity(before.count)
    var roles = [Role](repeating: .new, count: after.count)
    for index in before.indices {
      if let place = places[before[index]] {
        kept.append(place)
        roles[place] = .moves
      } else {
        removed.append(index)
      }
    }
    for place in longestAscendingRun(of: kept) { roles[place] = .stays }
    new = roles.indices.filter { roles[$0] == .new }.map { $0 + offset }
    let row = Self.row(of: kept, roles)
    insert(row, roles, offset: offset)
    move(row, roles, offset: offset)
  }

  /// What becomes of an object of the new list.
  private enum Role { case new, stays, moves }

  /// A slot in the row of objects, for the object with a place in the new list.
  private struct Slot {
    let place: Int
    /// Whether the slot is empty until the object moves there.
    var isTarget = false
  }

  /// All objects after removals and insertions, in their order, and the slots to which some of them move.
  ///
  /// The kept objects have the old order. New objects, and the targets of moves, come right behind the object that
  /// stays before them in the new list. So once all have moved, the objects have the new order.
  private static func row(of kept: [Int], _ roles: [Role]) -> [Slot] {
    var row: [Slot] = []
    row.reserveCapacity(roles.count)
    func appendFollowers(from start: Int) {
      for place in roles[start...].indices {
        if roles[place] == .stays { break }
        row.append(Slot(place: place, isTarget: roles[place] == .moves))
      }
    }
    appendFollowers(from: 0)
    for place in kept {
      row.append(Slot(place: place))
      if roles[place] == .stays { appendFollowers(from: place + 1) }
    }
    return row
  }

  private mutating func insert(_ row: [Slot], _ roles: [Role], offset: Int) {
    let objects = row.filter { !$0.isTarget }
    inserted = objects.indices.filter { roles[objects[$0].place] == .new }.map { $0 + offset }
  }

  /// Moves the objects in their new order, each behind those that are in place before it. A position is the number of
  /// objects in the slots before.
  private mutating func move(_ row: [Slot], _ roles: [Role], offset: Int) {
    let movers = roles.indices.filter { roles[$0] == .moves }
    guard !movers.isEmpty else { return }
    var origin = [Int](repeating: 0, count: roles.count)
    var target = origin
    for (index, slot) in row.enumerated() {
      if slot.isTarget { target[slot.place] = index } else { origin[slot.place] = index }
    }
    var objects = RunningSums(row.map { !$0.isTarget })
    for mover in movers {
      objects.add(-1, at: origin[mover])
      let from = objects.sum(before: origin[mover])
      let to = objects.sum(before: target[mover])
      objects.add(1, at: target[mover])
      moves.append(FetchResultMove(from: from + offset, to: to + offset))
    }
  }
}

/// A longest subsequence that ascends, by patience sorting (Schensted 1961).
func longestAscendingRun(of numbers: [Int]) -> [Int] {
  // For each length, the index of the smallest number that ends a run of it.
  var ends: [Int] = []
  var previous = [Int](repeating: -1, count: numbers.count)
  for index in numbers.indices {
    var (low, high) = (0, ends.count)
    if let last = ends.last, numbers[last] < numbers[index] { low = high }
    while low < high {
      let middle = (low + high) / 2
      if numbers[ends[middle]] < numbers[index] { low = middle + 1 } else { high = middle }
    }
    if low > 0 { previous[index] = ends[low - 1] }
    if low == ends.count { ends.append(index) } else { ends[low] = index }
  }
  var run: [Int] = []
  var index = ends.last ?? -1
  while index >= 0 {
    run.append(numbers[index])
    index = previous[index]
  }
  return run.reversed()
}

/// Counts that change, and the sum of the first counts in logarithmic time (Fenwick 1994).
private struct RunningSums {
  private var sums: [Int]

  init(_ occupied: [Bool]) {
    sums = [0] + occupied.map { $0 ? 1 : 0 }
    for index in 1..<max(1, sums.count) {
      let parent = index + (index & -index)
      if parent < sums.count { sums[parent] += sums[index] }
    }
  }

  mutating func add(_ count: Int, at slot: Int) {
    var index = slot + 1
    while index < sums.count {
      sums[index] += count
      index += index & -index
    }
  }

  func sum(before slot: Int) -> Int {
    var (index, sum) = (slot, 0)
    while index > 0 {
      sum += sums[index]
      index -= index & -index
    }
    return sum
  }
}
