/// What turns one list of distinct identifiers into another, in PhotoKit's index frames; see
/// ``FetchResultChangeDetails`` for the order of the steps.
///
/// The moves are as few as can be: everything outside a longest run of survivors that keep their
/// order. Takes time in proportion to the lists' lengths, and to n log n for what moved.
struct OrderedDifferences: Sendable, Hashable {
  /// Positions before.
  var removed: [Int] = []
  /// Positions before, once the removed ones are out and the earlier inserted ones in.
  var inserted: [Int] = []
  /// Positions after.
  var changed: [Int] = []
  /// Successive steps on what removing and inserting left.
  var moves: [FetchResultMove] = []

  /// How many objects differ.
  var count: Int { removed.count + inserted.count + changed.count + moves.count }

  /// Compares two lists.
  ///
  /// - Parameter changed: Objects that changed; those that are new or gone do not count.
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

/// The part of two lists between what they have in common at both ends.
private struct Middle {
  var removed: [Int] = []
  var inserted: [Int] = []
  var moves: [FetchResultMove] = []
  /// Positions after of what was not there before.
  var new: [Int] = []

  init<Identifier: Hashable>(
    _ before: ArraySlice<Identifier>, _ after: ArraySlice<Identifier>, offset: Int
  ) {
    var places: [Identifier: Int] = [:]
    places.reserveCapacity(after.count)
    for index in after.indices { places[after[index]] = index - after.startIndex }
    precondition(places.count == after.count, "an object is in a fetch result twice")
    // Where each survivor goes, in the order in which they were.
    var survivors: [Int] = []
    survivors.reserveCapacity(before.count)
    var isNew = [Bool](repeating: true, count: after.count)
    for index in before.indices {
      if let place = places[before[index]] {
        survivors.append(place)
        isNew[place] = false
      } else {
        removed.append(index)
      }
    }
    var stays = isNew
    for place in longestAscendingRun(of: survivors) { stays[place] = true }
    new = isNew.indices.filter { isNew[$0] }.map { $0 + offset }
    arrange(survivors, isNew, stays, offset)
  }

  /// Lays all out in a row in which everything that moves has two slots: where it is, and where it
  /// goes, right behind what comes before it in the end.
  private mutating func arrange(
    _ survivors: [Int], _ isNew: [Bool], _ stays: [Bool], _ offset: Int
  ) {
    let movers = stays.indices.filter { !stays[$0] }
    let slotCount = isNew.count + movers.count
    var occupied = [Bool](repeating: false, count: slotCount)
    var origin = [Int](repeating: 0, count: stays.count)
    var target = [Int](repeating: 0, count: stays.count)
    var (slot, place, position) = (0, 0, 0)
    // Everything from `place` on that is new or moves there.
    func follow(_ middle: inout Middle) {
      while place < stays.count, isNew[place] || !stays[place] {
        if isNew[place] {
          occupied[slot] = true
          middle.inserted.append(position + offset)
          position += 1
        } else {
          target[place] = slot
        }
        slot += 1
        place += 1
      }
    }
    follow(&self)
    for survivor in survivors {
      origin[survivor] = slot
      occupied[slot] = true
      slot += 1
      position += 1
      guard stays[survivor] else { continue }
      place = survivor + 1
      follow(&self)
    }
    guard !movers.isEmpty else { return }
    var tally = RunningSums(occupied)
    for mover in movers {
      tally.add(-1, at: origin[mover])
      moves.append(
        FetchResultMove(
          from: tally.sum(before: origin[mover]) + offset,
          to: tally.sum(before: target[mover]) + offset))
      tally.add(1, at: target[mover])
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

/// Counts that change, and their sums up to anywhere, in logarithmic time (Fenwick 1994).
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
