extension AssetQuery {
  /// How many cameras are named in place of what is searched in their names.
  private static let mostCameras = 500

  /// The same query with cameras named where a part of their names is searched: they are few, and
  /// photos of a camera are found by an index.
  func namingCameras(in database: Database) throws(DatabaseError) -> AssetQuery {
    guard condition.searchesCameras else { return self }
    var query = self
    query.condition = try condition.replacingCameraSearches { (match) throws(DatabaseError) in
      // Photos in the trash are of no camera here, and are not fetched either.
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
      // None: said so that an index finds nothing, as SQLite uses none for what never holds.
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
