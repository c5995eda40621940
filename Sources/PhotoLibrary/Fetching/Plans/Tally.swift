/// The numbers of photos that the catalogue keeps, so that they need not be counted.
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
      if query.includesHidden {
        switch query.condition {
        case .always: return SQLText("SELECT visible + hidden FROM tally")
        case hidden.condition: return SQLText("SELECT hidden FROM tally")
        default: return nil
        }
      }
      let tally = allCases.first { $0 != .hidden && $0.condition == query.condition }
      return tally.map { SQLText("SELECT \($0.rawValue) FROM tally") } ?? DayRange(query)?.text
    }
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
