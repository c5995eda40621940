/// A key that assets are sorted by.
package struct AssetSort: Sendable, Hashable {
  package let key: FetchKey
  package let ascending: Bool

  package init(_ key: FetchKey, ascending: Bool = true) {
    (self.key, self.ascending) = (key, ascending)
  }
}

/// The assets that a client may see.
package enum AssetVisibility: Sendable, Hashable {
  /// All of them.
  case all
  /// The assets that were selected for this client, and no albums.
  case selected(String)
  /// None.
  case none
}

/// The assets to fetch, and their order.
package struct AssetQuery: Sendable, Hashable {
  /// Where the assets are searched.
  package enum Scope: Sendable, Hashable {
    case library
    case identifiers([String])
    /// The row of a user's album.
    case album(Int64)
  }

  package var scope = Scope.library
  /// The simplified condition.
  package var condition: Condition
  package var sort: [AssetSort]
  package var includesHidden: Bool
  /// The largest number of assets; 0 sets no limit.
  package var limit: Int
  package var visibility: AssetVisibility

  /// - Parameters:
  ///   - condition: The condition, in any form.
  ///   - sort: The order. When it is empty, assets come as their cameras' clocks say, and the assets of an album
  ///     in its order.
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
      if case .album = scope {} else { self.sort = [AssetSort(.localDate)] }
    }
  }

  /// The conditions that must all hold.
  package var conjuncts: [Condition] {
    if case .all(let parts) = condition { parts } else { [condition] }
  }

  /// Whether the query finds nothing in any library.
  package var isEmpty: Bool { condition == .never || visibility == .none }

  /// The condition after `WHERE`.
  package func filter(including others: [SQLText] = []) -> SQLText {
    var parts = [SQLText("asset.trashedDate IS NULL")]
    if !includesHidden { parts.append(SQLText("asset.hidden = 0")) }
    parts += others
    for part in conjuncts where part != .always { parts += ([part] + part.implied).map(\.sql) }
    return .joined(parts, by: "AND")
  }

  /// The terms after `ORDER BY`. The row is the last, so that no two assets are equal.
  var order: String {
    var seen: Set<FetchKey> = []
    // A constant does not sort, and SQLite would read a number as the number of a column.
    let sorting = sort.filter { $0.key.constant == nil && seen.insert($0.key).inserted }
    var terms = sorting.map { "\($0.key.order) \($0.ascending ? "ASC" : "DESC")" }
    if sort.isEmpty { terms.append("member.position") }
    // The same direction as the key before it, so that one index sorts by both.
    terms.append("asset.id \(sort.last?.ascending ?? true ? "ASC" : "DESC")")
    return terms.joined(separator: ", ")
  }
}

extension AssetQuery {
  /// The largest number of cameras that take the place of a search.
  private static let mostCameras = 500

  /// The same query, in which each search for a part of a camera's name is replaced by the names of the
  /// cameras that match. There are few cameras, and an index finds the photos of each.
  func namingCameras(in database: Database) throws(DatabaseError) -> AssetQuery {
    guard condition.searchesCameras else { return self }
    var query = self
    query.condition = try condition.replacingCameraSearches { (match) throws(DatabaseError) in
      // Cameras that only have photos in the trash are left out.
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
      // No camera matches. SQLite uses an index for this condition, but none for one that never holds.
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
    leaves.contains { if case .text(.camera, _) = $0 { true } else { false } }
  }

  /// - Parameter replacement: Makes another condition of a search; `nil` keeps the search.
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
