import FoundationEssentials
import PhotoEditing

extension ChangeWriter {
  func arrangeAlbum(_ step: ContainerStep) throws(PhotoLibraryError) {
    guard let identifier = step.container else { return }
    let album = try collectionRow(identifier, isList: false)
    let arrangement = try step.arrangement.map {
      (identifier) throws(PhotoLibraryError) in try assetRow(identifier)
    }
    if case .add(let assets) = arrangement, step.anchor == nil {
      try append(assets, to: album)
    } else if step.anchor == nil, try AlbumPlaces(album, self).carryOut(arrangement) {
      // Done where it was asked for; the rest of the album stays as it is.
    } else {
      try rearrange(album, step, arrangement)
    }
    note(.album, identifier, .updated)
  }

  /// Adds at the end without looking at the whole album.
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
    _ album: Int64, _ step: ContainerStep, _ arrangement: Arrangement<Int64>
  ) throws(PhotoLibraryError) {
    let members = try rows(
      """
      SELECT asset, position, hidden = 0 AND trashedDate IS NULL FROM member
      JOIN asset ON asset.id = member.asset WHERE album = ? ORDER BY position
      """, album
    ) { (asset: $0[0] as Int64, position: $0[1] as Int64, isVisible: $0[2] as Bool) }
    let list = members.map(\.asset)
    let anchored = step.anchor.map { views[step.request] ?? Array($0) }
    let view = anchored ?? members.filter(\.isVisible).map(\.asset)
    let after = try applied(arrangement, to: view, in: "asset")
    // What the view does not show may be in the album all the same.
    let unseen = Set(list).subtracting(view)
    if let twice = after.first(where: unseen.contains) {
      throw try alreadyThere(twice, in: "asset")
    }
    if anchored != nil { views[step.request] = after }
    let result = rearranged(list, seen: view, as: after)
    let old = Dictionary(uniqueKeysWithValues: members.map { ($0.asset, $0.position) })
    let positions = spaced(result, keeping: old)
    let new = Dictionary(uniqueKeysWithValues: zip(result, positions))
    for (asset, position) in old where new[asset] != position {
      try run("DELETE FROM member WHERE album = ? AND position = ?", album, position)
    }
    for (asset, position) in zip(result, positions) where old[asset] != position {
      try run(
        "INSERT INTO member (album, position, asset) VALUES (?, ?, ?)", album, position, asset)
    }
  }

  /// A rearranged list; what refuses it is told by identifiers.
  func applied(
    _ arrangement: Arrangement<Int64>, to list: [Int64], in table: String
  ) throws(PhotoLibraryError) -> [Int64] {
    do { return try arrangement.applied(to: list) } catch { throw try told(error, in: table) }
  }

  /// What refuses an arrangement, by identifiers.
  func told(
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
    let known = rows.indices.filter { old[rows[$0]] != nil }
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
