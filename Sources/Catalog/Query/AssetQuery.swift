/// What assets are sorted by.
package struct AssetSort: Sendable, Hashable {
  package let key: FetchKey
  package let ascending: Bool

  package init(_ key: FetchKey, ascending: Bool = true) {
    (self.key, self.ascending) = (key, ascending)
  }
}

/// Which assets somebody may see.
package enum AssetVisibility: Sendable, Hashable {
  /// All of them.
  case all
  /// Those that were selected for a client, and no albums.
  case selected(String)
  /// None.
  case none
}

/// Which assets are fetched, and in which order.
package struct AssetQuery: Sendable, Hashable {
  /// Where assets are looked for.
  package enum Scope: Sendable, Hashable {
    case library
    case identifiers([String])
    /// An album of the user's: its row.
    case album(Int64)
  }

  package var scope = Scope.library
  /// What must hold, simplified.
  package var condition: Condition
  package var sort: [AssetSort]
  package var includesHidden: Bool
  /// The most assets; 0 sets no limit.
  package var limit: Int
  package var visibility: AssetVisibility

  /// - Parameters:
  ///   - condition: What must hold, in any form.
  ///   - sort: The order; for an empty list assets come by creation date, those of albums in the album's
  ///     order.
  package init(
    _ scope: Scope = .library, where condition: Condition = .always, sort: [AssetSort] = [],
    includesHidden: Bool = false, limit: Int = 0, visibility: AssetVisibility
  ) {
    self.scope = scope
    self.condition = condition.simplified
    self.sort = sort
    self.includesHidden = includesHidden
    self.limit = limit
    self.visibility = visibility
    if sort.isEmpty {
      if case .album = scope {} else { self.sort = [AssetSort(.creationDate)] }
    }
  }

  /// The conditions that must all hold.
  package var conjuncts: [Condition] {
    if case .all(let parts) = condition { parts } else { [condition] }
  }

  /// Whether nothing can be found, whatever the library holds.
  package var isEmpty: Bool { condition == .never || visibility == .none }

  /// The part after `WHERE`, whichever tables it is asked of.
  package func filter(including others: [SQLText] = []) -> SQLText {
    var parts = [SQLText("asset.trashedDate IS NULL")]
    if !includesHidden { parts.append(SQLText("asset.hidden = 0")) }
    parts += others
    for part in conjuncts where part != .always { parts += ([part] + part.implied).map(\.sql) }
    return .joined(parts, by: "AND")
  }

  /// The part after `ORDER BY`. The row is the last key, so that no two assets are equal.
  var order: String {
    var seen: Set<FetchKey> = []
    // A constant sorts nothing, and SQLite takes a number for the number of a column.
    let sorting = sort.filter { $0.key.constant == nil && seen.insert($0.key).inserted }
    var terms = sorting.map { "\($0.key.order) \($0.ascending ? "ASC" : "DESC")" }
    if sort.isEmpty { terms.append("member.position") }
    // In the direction of the key before, so that one index sorts by both.
    terms.append("asset.id \(sort.last?.ascending ?? true ? "ASC" : "DESC")")
    return terms.joined(separator: ", ")
  }
}

extension AssetQuery {
  /// How many cameras may be named instead of a search in their names.
  private static let mostCameras = 500

  /// The same query with the names of cameras in place of searches for a part of a name. There are few
  /// cameras, and an index finds the photos of each.
  func namingCameras(in database: Database) throws(DatabaseError) -> AssetQuery {
    guard condition.searchesCameras else { return self }
    var query = self
    query.condition = try condition.replacingCameraSearches { (match) throws(DatabaseError) in
      // Photos in the trash do not count here, and are not fetched either.
      let cameras = try database.rows(
        """
        SELECT camera FROM cameraTally
        WHERE textMatches(camera, ?, ?, ?, ?) AND visible + hidden > 0 LIMIT ?
        """,
        [
          match.place.rawValue, match.pattern, match.ignoresCase, match.ignoresAccents,
          Self.mostCameras + 1,
        ]
      ) { $0[0] as String }
      guard cameras.count <= Self.mostCameras else { return nil }
      // No camera has such a name. SQLite uses no index for a condition that never holds, but does for this.
      if cameras.isEmpty { return .among(.camera, [.null]) }
      return cameras.count == 1
        ? .compare(.init(key: .camera), .equal, .value(.text(cameras[0])))
        : .among(.camera, cameras.map { .text($0) })
    }.simplified
    return query
  }
}

extension Condition {
  fileprivate var searchesCameras: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.contains(where: \.searchesCameras)
    case .not(let part): part.searchesCameras
    case .text(let key, _): key == .camera
    case .compare, .isNil, .among: false
    }
  }

  /// - Parameter replacement: What a search becomes; `nil` leaves it.
  fileprivate func replacingCameraSearches(
    by replacement: (TextMatch) throws(DatabaseError) -> Condition?
  ) throws(DatabaseError) -> Condition {
    func replaced(_ parts: [Condition]) throws(DatabaseError) -> [Condition] {
      var result: [Condition] = []
      for part in parts { result.append(try part.replacingCameraSearches(by: replacement)) }
      return result
    }
    switch self {
    case .all(let parts): return .all(try replaced(parts))
    case .any(let parts): return .any(try replaced(parts))
    case .not(let part): return .not(try part.replacingCameraSearches(by: replacement))
    case .text(.camera, let match): return try replacement(match) ?? self
    case .text, .compare, .isNil, .among: return self
    }
  }
}
