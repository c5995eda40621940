/// A change of an ordered list of distinct items.
enum Arrangement<Item: Hashable & Sendable>: Sendable {
  case add([Item])
  /// Each at the position that it will have, in ascending order.
  case insert([Item], at: [Int])
  case remove([Item])
  case removeAt([Int])
  case replace(at: [Int], with: [Item])
  /// Removes the items, then inserts them together at a position of the remaining list.
  case move(at: [Int], to: Int)

  /// Why the list cannot be changed this way.
  enum Refusal: Error, Equatable {
    case alreadyThere(Item)
    case countMismatch(items: Int, positions: Int)
    case noSuchPosition(Int, count: Int)
    case positionsNotAscending
  }

  /// The changed list.
  func applied(to list: [Item]) throws(Refusal) -> [Item] {
    switch self {
    case .add(let items):
      try Self.refuseDuplicates(items, in: Set(list))
      return list + items
    case .insert(let items, let positions):
      try Self.check(items, positions)
      try Self.refuseDuplicates(items, in: Set(list))
      return try Self.inserted(items, at: positions, into: list)
    case .remove(let items):
      let gone = Set(items)
      return list.filter { !gone.contains($0) }
    case .removeAt(let positions):
      return try Self.removed(positions, from: list).left
    case .replace(let positions, let items):
      try Self.check(items, positions)
      let left = try Self.removed(positions, from: list).left
      try Self.refuseDuplicates(items, in: Set(left))
      var list = list
      for (position, item) in zip(positions, items) { list[position] = item }
      return list
    case .move(let positions, let target):
      var (left, taken) = try Self.removed(positions, from: list)
      guard (0...left.count).contains(target) else {
        throw .noSuchPosition(target, count: left.count)
      }
      left.insert(contentsOf: taken, at: target)
      return left
    }
  }

  /// The same change of other items.
  func map<Other, Failure: Error>(
    _ transform: (Item) throws(Failure) -> Other
  ) throws(Failure) -> Arrangement<Other> {
    func mapped(_ items: [Item]) throws(Failure) -> [Other] {
      var others: [Other] = []
      others.reserveCapacity(items.count)
      for item in items { others.append(try transform(item)) }
      return others
    }
    switch self {
    case .add(let items): return .add(try mapped(items))
    case .insert(let items, let positions): return .insert(try mapped(items), at: positions)
    case .remove(let items): return .remove(try mapped(items))
    case .removeAt(let positions): return .removeAt(positions)
    case .replace(let positions, let items):
      return .replace(at: positions, with: try mapped(items))
    case .move(let positions, let target): return .move(at: positions, to: target)
    }
  }

  private static func check(_ items: [Item], _ positions: [Int]) throws(Refusal) {
    guard items.count == positions.count else {
      throw .countMismatch(items: items.count, positions: positions.count)
    }
  }

  private static func refuseDuplicates(_ items: [Item], in list: Set<Item>) throws(Refusal) {
    var seen = list
    for item in items where !seen.insert(item).inserted { throw .alreadyThere(item) }
  }

  private static func inserted(
    _ items: [Item], at positions: [Int], into list: [Item]
  ) throws(Refusal) -> [Item] {
    var result: [Item] = []
    result.reserveCapacity(list.count + items.count)
    var rest = list[...]
    for (item, position) in zip(items, positions) {
      guard position >= result.count else {
        throw position < 0
          ? .noSuchPosition(position, count: list.count) : .positionsNotAscending
      }
      let between = position - result.count
      guard between <= rest.count else {
        throw .noSuchPosition(position, count: result.count + rest.count)
      }
      result += rest.prefix(between)
      rest = rest.dropFirst(between)
      result.append(item)
    }
    return result + rest
  }

  private static func removed(
    _ positions: [Int], from list: [Item]
  ) throws(Refusal) -> (left: [Item], taken: [Item]) {
    var (left, taken): ([Item], [Item]) = ([], [])
    left.reserveCapacity(list.count)
    var next = 0
    for position in positions {
      guard list.indices.contains(position) else {
        throw .noSuchPosition(position, count: list.count)
      }
      guard position >= next else { throw .positionsNotAscending }
      left += list[next..<position]
      taken.append(list[position])
      next = position + 1
    }
    return (left + list[next...], taken)
  }
}

/// The whole list after its visible part was rearranged.
///
/// A hidden item keeps its place behind the item before it. Items that the list lost meanwhile stay
/// lost.
/// - Parameters:
///   - list: The whole list as it is.
///   - before: The visible part, perhaps from an earlier time.
///   - after: The visible part rearranged.
func rearranged(_ list: [Int64], seen before: [Int64], as after: [Int64]) -> [Int64] {
  if list == before { return after }
  let (seen, kept, present) = (Set(before), Set(after), Set(list))
  var head: [Int64] = []
  var followers: [Int64: [Int64]] = [:]
  var leader: Int64?
  for row in list {
    if kept.contains(row) {
      leader = row
    } else if !seen.contains(row) {
      if let leader { followers[leader, default: []].append(row) } else { head.append(row) }
    }
  }
  var result = head
  for row in after where present.contains(row) || !seen.contains(row) {
    result.append(row)
    result += followers[row] ?? []
  }
  return result
}
