/// The numbers of photos that the catalog keeps, so that they need not be counted.
enum Tally: String, CaseIterable, Sendable {
  case visible, hidden, favorites, edited, panoramas, screenshots, livePhotos, depthEffect
  case portraits, landscapes

  /// The photos that it counts; hidden ones are left out unless it counts just those.
  var condition: Condition {
    switch self {
    case .visible: .always
    case .hidden: .truth(.hidden)
    case .favorites: .truth(.favorite)
    case .edited: .truth(.hasAdjustments)
    case .panoramas: .subtype(.photoPanorama)
    case .screenshots: .subtype(.photoScreenshot)
    case .livePhotos: .subtype(.photoLive)
    case .depthEffect: .subtype(.photoDepthEffect)
    case .portraits: .compare(.init(key: .pixelHeight), .greater, .key(.pixelWidth))
    case .landscapes: .compare(.init(key: .pixelWidth), .greater, .key(.pixelHeight))
    }
  }

  /// Reads the number of a query's assets; `nil` when it is not kept.
  static func text(for query: AssetQuery) -> SQLText? {
    guard query.visibility == .all else { return nil }
    switch query.scope {
    case .identifiers: return nil
    case .album(let album):
      guard query.condition == .always, !query.includesHidden else { return nil }
      return SQLText(
        "SELECT coalesce(max(visible), 0) FROM albumTally WHERE album = ?", [.integer(album)])
    case .library:
      let columns = query.includesHidden ? "visible + hidden" : "visible"
      if let cameras = cameras(query.condition, columns) { return cameras }
      if query.includesHidden {
        switch query.condition {
        case .always: return SQLText("SELECT visible + hidden FROM tally")
        case hidden.condition: return SQLText("SELECT hidden FROM tally")
        default: return nil
        }
      }
      return visible(query.condition) ?? ofCamera(query.conjuncts) ?? either(query)
        ?? DayRange(query)?.text
    }
  }

  private static func visible(_ condition: Condition) -> SQLText? {
    let tally = allCases.first { $0 != .hidden && $0.condition == condition }
    return tally.map { SQLText("SELECT \($0.rawValue) FROM tally") }
  }

  private static func cameras(_ condition: Condition, _ columns: String) -> SQLText? {
    let named: SQLText
    switch condition {
    case .compare(let term, .equal, .value(let camera)) where term.key == .camera:
      named = SQLText("camera = ?", [camera.databaseValue])
    case .among(.camera, let cameras):
      named = SQLText("camera IN (SELECT value FROM json_each(?))", [SQLText.list(cameras)])
    default: return nil
    }
    return SQLText(
      "SELECT coalesce(sum(\(columns)), 0) FROM cameraTally WHERE \(named.text)", named.values)
  }

  /// Favorites, or edited photos, of cameras.
  private static func ofCamera(_ parts: [Condition]) -> SQLText? {
    guard parts.count == 2,
      let tally = [favorites, edited].first(where: { parts.contains($0.condition) })
    else { return nil }
    return parts.compactMap { cameras($0, tally.rawValue) }.first
  }

  /// Those for which one of two things holds are those of each without those of both, which the
  /// shorter of two indexes has.
  private static func either(_ query: AssetQuery) -> SQLText? {
    guard case .any(let parts) = query.condition, parts.count == 2,
      let first = visible(parts[0]) ?? cameras(parts[0], "visible"),
      let second = visible(parts[1]) ?? cameras(parts[1], "visible")
    else { return nil }
    var both = query
    both.condition = .all(parts)
    // Only these have everything in them that may be asked for.
    if let shared = ofCamera(parts) {
      return SQLText(
        "SELECT (\(first.text)) + (\(second.text)) - (\(shared.text))",
        first.values + second.values + shared.values)
    }
    let drivers = AssetDriver.all(for: both).map(\.index)
    guard
      let index = drivers.first(where: { $0.name == "assetFavorite" })
        ?? drivers.first(where: { $0.name == "assetEdited" })
    else { return nil }
    let shared = AssetPlan.Source(driver: index).select(both, ordered: false)
    return SQLText(
      """
      SELECT (\(first.text)) + (\(second.text)) - (SELECT count(*) FROM (\(shared.text)))
      """, first.values + second.values + shared.values)
  }
}

extension Condition {
  /// Whether a key of truth values is true.
  static func truth(_ key: FetchKey) -> Condition {
    .compare(Term(key: key), .equal, .value(.truth(true)))
  }

  /// Whether a photo is of some kinds.
  static func subtype(_ subtype: AssetMediaSubtype) -> Condition {
    let bits = Int64(subtype.rawValue)
    return .compare(Term(key: .mediaSubtypes, mask: bits), .equal, .value(.integer(bits)))
  }
}
