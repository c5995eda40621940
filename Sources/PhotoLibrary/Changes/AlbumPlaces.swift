/// Rearranges an album where it is asked for, without looking at the rest of it.
///
/// Positions count what is seen. What is not seen stands behind something that is, and goes where that
/// goes; of what is taken out it stays behind.
struct AlbumPlaces {
  /// How much is rearranged so at most; more is done at once, by the whole list.
  private static let most = 200
  private static let gap: Int64 = 65536

  private let album: Int64
  private let writer: ChangeWriter

  init(_ album: Int64, _ writer: ChangeWriter) { (self.album, self.writer) = (album, writer) }

  /// Does what an arrangement asks for.
  ///
  /// - Returns: `false` when it is for the whole list to do; nothing was done then.
  /// - Throws: ``PhotoLibraryError`` when the arrangement is refused.
  func carryOut(_ arrangement: Arrangement<Int64>) throws(PhotoLibraryError) -> Bool {
    switch arrangement {
    case .move(let positions, let target) where positions.count <= Self.most:
      return try move(positions, to: target)
    case .insert(let assets, let positions) where assets.count <= Self.most:
      return try insert(assets, at: positions)
    case .removeAt(let positions) where positions.count <= Self.most:
      try remove(at: positions)
      return true
    default: return false
    }
  }

  private func remove(at positions: [Int]) throws(PhotoLibraryError) {
    try check(positions)
    var places: [Int64] = []
    for position in positions { places.append(try place(position)) }
    for place in places { try delete(place) }
  }

  private func move(_ positions: [Int], to target: Int) throws(PhotoLibraryError) -> Bool {
    try check(positions)
    let left = try count() - positions.count
    guard (0...left).contains(target) else {
      throw try refused(.noSuchPosition(target, count: left))
    }
    var moved: [(asset: Int64, position: Int64)] = []
    for position in positions {
      moved += try block(at: try place(position))
      guard moved.count <= 5 * Self.most else { return false }
    }
    for member in moved { try delete(member.position) }
    try put(moved.map(\.asset), before: target < left ? try place(target) : nil)
    return true
  }

  private func insert(_ assets: [Int64], at positions: [Int]) throws(PhotoLibraryError) -> Bool {
    guard assets.count == positions.count else {
      throw try refused(.countMismatch(items: assets.count, positions: positions.count))
    }
    var seen: Set<Int64> = []
    for asset in assets {
      let isMember = try isMember(asset)
      if isMember || !seen.insert(asset).inserted { throw try refused(.alreadyThere(asset)) }
    }
    // Hidden ones are counted like others until all are in.
    if assets.count > 1 {
      for asset in assets {
        let isVisible = try self.isVisible(asset)
        guard isVisible else { return false }
      }
    }
    let before = try count()
    var next = 0
    for (number, (asset, position)) in zip(assets, positions).enumerated() {
      let count = before + number
      guard position >= next else {
        throw try refused(
          position < 0 ? .noSuchPosition(position, count: before) : .positionsNotAscending)
      }
      guard position <= count else {
        throw try refused(.noSuchPosition(position, count: count))
      }
      next = position + 1
      try put([asset], before: position < count ? try place(position) : nil)
    }
    return true
  }

  private func check(_ positions: [Int]) throws(PhotoLibraryError) {
    let count = try count()
    var next = 0
    for position in positions {
      guard (0..<count).contains(position) else {
        throw try refused(.noSuchPosition(position, count: count))
      }
      guard position >= next else { throw try refused(.positionsNotAscending) }
      next = position + 1
    }
  }

  private func refused(
    _ refusal: Arrangement<Int64>.Refusal
  ) throws(PhotoLibraryError) -> PhotoLibraryError {
    try writer.told(refusal, in: "asset")
  }

  /// How many members are seen.
  private func count() throws(PhotoLibraryError) -> Int {
    try writer.rows("SELECT visible FROM albumTally WHERE album = ?", album) { $0[0] as Int }.first
      ?? 0
  }

  private func isMember(_ asset: Int64) throws(PhotoLibraryError) -> Bool {
    try !writer.rows("SELECT 1 FROM member WHERE asset = ? AND album = ?", asset, album) { _ in true
    }
    .isEmpty
  }

  private func isVisible(_ asset: Int64) throws(PhotoLibraryError) -> Bool {
    try !writer.rows("SELECT 1 FROM asset WHERE id = ? AND asset.hidden = 0", asset) { _ in true }
      .isEmpty
  }

  /// Where the n-th that is seen stands; gone to from whichever end is nearer.
  private func place(_ number: Int) throws(PhotoLibraryError) -> Int64 {
    let behind = try count() - 1 - number
    let (order, offset) = number <= behind ? ("ASC", number) : ("DESC", behind)
    let found = try writer.rows(
      """
      SELECT position FROM member INDEXED BY memberVisible WHERE album = ? AND visible = 1
      ORDER BY position \(order) LIMIT 1 OFFSET ?
      """, album, offset
    ) { $0[0] as Int64 }
    guard let place = found.first else {
      throw .catalog(writer.path, detail: "an album's members are not as many as were counted")
    }
    return place
  }

  /// What is seen at a place, and what is not and stands behind it.
  private func block(
    at place: Int64
  ) throws(PhotoLibraryError) -> [(asset: Int64, position: Int64)] {
    try writer.rows(
      """
      SELECT asset, position FROM member WHERE album = ?1 AND position >= ?2 AND position < coalesce(
        (SELECT min(position) FROM member INDEXED BY memberVisible
          WHERE album = ?1 AND visible = 1 AND position > ?2), 9223372036854775807)
      ORDER BY position LIMIT ?3
      """, album, place, 5 * Self.most + 1
    ) { ($0[0], $0[1]) }
  }

  private func delete(_ position: Int64) throws(PhotoLibraryError) {
    try writer.run("DELETE FROM member WHERE album = ? AND position = ?", album, position)
  }

  /// Puts assets behind everything that stands before a place; `nil` is the end.
  private func put(_ assets: [Int64], before next: Int64?) throws(PhotoLibraryError) {
    let last = try writer.rows(
      "SELECT max(position) FROM member WHERE album = ? AND position < ?", album,
      next ?? Int64.max
    ) { $0[0] as Int64? }
    let previous = last.first ?? nil
    // Where there is no room between two neighbors, more and more of those behind move on.
    var width = 0
    while true {
      let behind = try writer.rows(
        "SELECT asset, position FROM member WHERE album = ? AND position > ? ORDER BY 2 LIMIT ?",
        album, previous ?? Int64.min, width + 1
      ) { (asset: $0[0] as Int64, position: $0[1] as Int64) }
      let moved = behind.prefix(width)
      let places = Int64(assets.count + moved.count)
      let end = behind.count > width ? behind[width].position : nil
      let start = previous ?? end.map { $0 - Self.gap * (places + 1) } ?? 0
      let step = end.map { ($0 - start) / (places + 1) } ?? Self.gap
      if step >= 1 {
        for member in moved { try delete(member.position) }
        for (number, asset) in (assets + moved.map(\.asset)).enumerated() {
          try writer.run(
            "INSERT INTO member (album, position, asset) VALUES (?, ?, ?)", album,
            start + step * Int64(number + 1), asset)
        }
        return
      }
      width = max(64, width * 8)
    }
  }
}
