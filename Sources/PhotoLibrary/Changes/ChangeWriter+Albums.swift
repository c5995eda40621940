import FoundationEssentials
import SafelightFiles

extension ChangeWriter {
  /// Changes the order of an album's assets.
  func arrangeAlbum(_ request: ContainerArrangement) throws(PhotoLibraryError) {
    guard let identifier = request.container else { return }
    let album = try collectionRow(identifier, isList: false)
    let arrangement = try request.arrangement.map {
      (identifier) throws(PhotoLibraryError) in try assetRow(identifier)
    }
    if case .add(let assets) = arrangement, request.anchor == nil {
      try append(assets, to: album)
    } else if request.anchor == nil, try AlbumPlaces(album, self).arrange(arrangement) {
      // Only a few places changed; the rest of the album stays as it is.
    } else {
      try rearrange(album, by: arrangement, request)
    }
    note(.album, identifier, was: .updated)
  }

  /// Adds assets at the end without reading the whole album.
  private func append(_ assets: [Int64], to album: Int64) throws(PhotoLibraryError) {
    for asset in assets {
      let members = try rows("SELECT 1 FROM member WHERE asset = ? AND album = ?", asset, album) {
        _ in true
      }
      if !members.isEmpty { throw try alreadyThere(asset, in: "asset") }
      try run(
        """
        INSERT INTO member (album, position, asset)
        VALUES (?1, (SELECT coalesce(max(position), 0) + 65536 FROM member WHERE album = ?1), ?2)
        """, album, asset)
    }
  }

  private func rearrange(
    _ album: Int64, by arrangement: Arrangement<Int64>, _ request: ContainerArrangement
  ) throws(PhotoLibraryError) {
    let members = try rows(
      """
      SELECT asset, position, hidden = 0 AND trashedDate IS NULL FROM member
      JOIN asset ON asset.id = member.asset WHERE album = ? ORDER BY position
      """, album
    ) { (asset: $0[0] as Int64, position: $0[1] as Int64, isVisible: $0[2] as Bool) }
    let list = members.map(\.asset)
    let anchored = request.anchor.map { views[request.request] ?? Array($0) }
    let view = anchored ?? members.filter(\.isVisible).map(\.asset)
    let after = try applied(arrangement, to: view, in: "asset")
    // An asset that the view does not show may be in the album.
    let unseen = Set(list).subtracting(view)
    if let twice = after.first(where: unseen.contains) {
      throw try alreadyThere(twice, in: "asset")
    }
    if anchored != nil { views[request.request] = after }
    let result = rearranged(list, seen: view, as: after)
    // A damaged catalog may have an asset twice.
    let old = Dictionary(members.map { ($0.asset, $0.position) }) { first, _ in first }
    let positions = spaced(result, keeping: old)
    let new = Dictionary(zip(result, positions)) { first, _ in first }
    for (asset, position) in old where new[asset] != position {
      try run("DELETE FROM member WHERE album = ? AND position = ?", album, position)
    }
    for (asset, position) in zip(result, positions) where old[asset] != position {
      try run(
        "INSERT INTO member (album, position, asset) VALUES (?, ?, ?)", album, position, asset)
    }
  }

  /// A rearranged list; an error names objects by their identifiers.
  func applied(
    _ arrangement: Arrangement<Int64>, to list: [Int64], in table: String
  ) throws(PhotoLibraryError) -> [Int64] {
    do { return try arrangement.applied(to: list) } catch {
      throw try libraryError(error, in: table)
    }
  }

  /// The error for a refused arrangement, which names objects by their identifiers.
  func libraryError(
    _ refusal: Arrangement<Int64>.Refusal, in table: String
  ) throws(PhotoLibraryError) -> PhotoLibraryError {
    switch refusal {
    case .alreadyThere(let row): try alreadyThere(row, in: table)
    case .countMismatch(let items, let positions):
      .operationInterrupted("\(items) objects cannot go to \(positions) positions.")
    case .noSuchPosition(let position, let count):
      .operationInterrupted("There is no position \(position) among \(count) objects.")
    case .positionsNotAscending:
      .operationInterrupted("The positions are not in ascending order.")
    }
  }

  private func alreadyThere(
    _ row: Int64, in table: String
  ) throws(PhotoLibraryError) -> PhotoLibraryError {
    let identifiers = try rows("SELECT identifier FROM \(table) WHERE id = ?", row) {
      $0[0] as String
    }
    return .operationInterrupted("\(identifiers.first ?? "An object") would be there twice.")
  }

  /// Ascending positions for rows: as many as possible keep the ones they have.
  func spaced(_ rows: [Int64], keeping old: [Int64: Int64]) -> [Int64] {
    let gap: Int64 = 65536
    let known = rows.indices.filter { old[rows[$0]].map(AlbumPlaces.sane.contains) ?? false }
    let ranks = known.map { Int(old[rows[$0]] ?? 0) }
    let run = Set(longestAscendingRun(of: ranks))
    var positions = [Int64?](repeating: nil, count: rows.count)
    for (index, rank) in zip(known, ranks) where run.contains(rank) {
      positions[index] = Int64(rank)
    }
    let kept = positions.indices.filter { positions[$0] != nil }
    var start = 0
    var last: Int64?
    for end in kept + [rows.count] {
      let count = Int64(end - start)
      let next = end < rows.count ? positions[end] : nil
      let (from, step): (Int64, Int64) =
        switch (last, next) {
        case (nil, nil): (0, gap)
        case (let last?, nil): (last, gap)
        case (nil, let next?): (next - gap * (count + 1), gap)
        case (let last?, let next?): (last, (next - last) / (count + 1))
        }
      if count > 0, step < 1 {
        // No room between two neighbors: everything gets new positions.
        return rows.indices.map { Int64($0 + 1) * gap }
      }
      for index in start..<end { positions[index] = from + step * Int64(index - start + 1) }
      last = next
      start = end + 1
    }
    return positions.map { $0 ?? 0 }
  }
}

/// Rearranges a few places of an album, without reading the rest.
///
/// Positions count visible members. A hidden member keeps its place behind the visible member before
/// it, and moves with that member. When that member is removed, the hidden member stays.
struct AlbumPlaces {
  /// The largest number of members that are moved this way; more are faster with the whole list.
  private static let limit = 200
  /// The distance between the positions of neighbors that are added one after the other.
  private static let gap: Int64 = 65536
  /// Positions that are farther out come from a damaged catalog, and sums with them could overflow.
  static let sane: Range<Int64> = -(1 << 48)..<(1 << 48)

  private let album: Int64
  private let writer: ChangeWriter

  init(_ album: Int64, _ writer: ChangeWriter) { (self.album, self.writer) = (album, writer) }

  /// Makes an arrangement.
  ///
  /// - Returns: `false` when the whole list has to be rearranged; then nothing was done.
  /// - Throws: ``PhotoLibraryError`` when the arrangement is not possible.
  func arrange(_ arrangement: Arrangement<Int64>) throws(PhotoLibraryError) -> Bool {
    let ends = try writer.rows(
      """
      SELECT (SELECT min(position) FROM member WHERE album = ?1),
        (SELECT max(position) FROM member WHERE album = ?1)
      """, album
    ) { [$0[0] as Int64?, $0[1] as Int64?] }
    guard ends.joined().allSatisfy({ $0.map(Self.sane.contains) ?? true }) else { return false }
    switch arrangement {
    case .move(let positions, let target) where positions.count <= Self.limit:
      return try move(positions, to: target)
    case .insert(let assets, let positions) where assets.count <= Self.limit:
      return try insert(assets, at: positions)
    case .removeAt(let positions) where positions.count <= Self.limit:
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
      guard moved.count <= 5 * Self.limit else { return false }
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
    // Hidden members count like visible ones until all are inserted.
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
    try writer.libraryError(refusal, in: "asset")
  }

  /// The number of visible members.
  private func count() throws(PhotoLibraryError) -> Int {
    let kept = try writer.rows("SELECT visible FROM albumTally WHERE album = ?", album) {
      $0[0] as Int
    }
    // The counters of a damaged catalog may have any values, and sums with them could overflow.
    return min(max(0, kept.first ?? 0), 1 << 48)
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

  /// The place of the n-th visible member; searched from the nearer end.
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
      throw .catalog(writer.path, detail: "an album has fewer members than its count says")
    }
    return place
  }

  /// The visible member at a place, and the hidden members behind it.
  private func block(
    at place: Int64
  ) throws(PhotoLibraryError) -> [(asset: Int64, position: Int64)] {
    try writer.rows(
      """
      SELECT asset, position FROM member WHERE album = ?1 AND position >= ?2 AND position < coalesce(
        (SELECT min(position) FROM member INDEXED BY memberVisible
          WHERE album = ?1 AND visible = 1 AND position > ?2), 9223372036854775807)
      ORDER BY position LIMIT ?3
      """, album, place, 5 * Self.limit + 1
    ) { ($0[0], $0[1]) }
  }

  private func delete(_ position: Int64) throws(PhotoLibraryError) {
    try writer.run("DELETE FROM member WHERE album = ? AND position = ?", album, position)
  }

  /// Inserts assets before a place; `nil` is the end.
  private func put(_ assets: [Int64], before next: Int64?) throws(PhotoLibraryError) {
    let last = try writer.rows(
      "SELECT max(position) FROM member WHERE album = ? AND position < ?", album,
      next ?? Int64.max
    ) { $0[0] as Int64? }
    let previous = last.first ?? nil
    // Without room between two neighbors, more and more of the members behind get new positions.
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
