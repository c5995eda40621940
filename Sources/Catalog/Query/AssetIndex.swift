/// An index of the table `asset`, and the conditions that it can find assets by.
struct AssetIndex: Sendable, Hashable {
  let name: String
  /// The key that the entries are sorted by. In an index that is searched for one value, the key that the
  /// entries of this value are sorted by.
  let order: FetchKey?
  /// The condition of a partial index. A query must repeat it, or SQLite does not use the index.
  var premise = ""

  /// Whether the index has only some of the assets.
  var isPartial: Bool { !premise.isEmpty }

  /// Whether the index also has the columns that conditions often use.
  var isCovering: Bool { name == "assetFavorite" || name == "assetEdited" }

  /// Whether the index has the values of all these keys, so that SQLite reads no row.
  func has(_ keys: Set<FetchKey>) -> Bool {
    let own: Set<FetchKey> =
      switch name {
      case "assetFavorite", "assetEdited":
        [
          .favorite, .hasAdjustments, .adjustmentFormatIdentifier, .mediaSubtypes, .pixelWidth,
          .pixelHeight, .camera,
        ]
      case "assetByPlace": [.latitude, .longitude]
      case "assetByCamera": [.camera]
      case "assetByRating": [.rating]
      case "assetByKeywords": [.keywords]
      default: []
      }
    return !own.isEmpty && keys.isSubset(of: own.union([.creationDate, .localDate, .hidden]))
  }

  /// The index that has all assets in the order of a key; `nil` when the assets must be sorted.
  static func sorted(by key: FetchKey) -> AssetIndex? {
    switch key {
    case .localDate: AssetIndex(name: "assetByClock", order: key)
    case .creationDate: AssetIndex(name: "assetByCreation", order: key)
    case .modificationDate: AssetIndex(name: "assetByModification", order: key)
    case .addedDate: AssetIndex(name: "assetByAddition", order: key)
    case .filename: AssetIndex(name: "assetByName", order: key)
    default: nil
    }
  }

  /// The index that finds the assets for which a condition holds; `nil` when there is none.
  static func finding(_ condition: Condition) -> AssetIndex? {
    if let index = AssetKind.including(condition)?.index { return index }
    switch condition {
    case .compare(let term, .equal, .value) where term.key == .camera:
      return AssetIndex(
        name: "assetByCamera", order: .localDate, premise: "asset.camera IS NOT NULL")
    case .among(.camera, _), .text(.camera, _):
      return AssetIndex(name: "assetByCamera", order: nil, premise: "asset.camera IS NOT NULL")
    case .compare(let term, _, .value) where term.key == .latitude:
      return AssetIndex(name: "assetByPlace", order: nil, premise: "asset.latitude IS NOT NULL")
    case .compare(let term, _, .value) where term.key == .rating:
      return AssetIndex(name: "assetByRating", order: nil, premise: "asset.rating IS NOT NULL")
    case .text(.keywords, _):
      return AssetIndex(name: "assetByKeywords", order: nil, premise: "asset.keywords IS NOT NULL")
    case .compare(let term, _, .value): return sorted(by: term.key)
    case .text(.filename, let match) where match.isPrefix: return sorted(by: .filename)
    // SQLite reads this whole index, but it is much shorter than the table.
    case .text(.filename, _): return AssetIndex(name: "assetByName", order: nil)
    default: return nil
    }
  }
}

/// An index, and the conditions of a query that it finds assets by.
struct AssetDriver: Sendable, Hashable {
  let index: AssetIndex
  var conditions: [Condition]

  /// The indexes that could find a query's assets, the best first. Partial indexes come before others because
  /// they are never longer, and covering indexes before all others.
  static func all(for query: AssetQuery) -> [AssetDriver] {
    var drivers: [AssetDriver] = []
    for part in query.conjuncts {
      guard let index = AssetIndex.finding(part) else { continue }
      if let place = drivers.firstIndex(where: { $0.index == index }) {
        drivers[place].conditions += [part] + part.implied
      } else {
        drivers.append(AssetDriver(index: index, conditions: [part] + part.implied))
      }
    }
    if let place = drivers.firstIndex(where: { $0.index.name == "assetByPlace" }) {
      drivers[place].conditions += query.conjuncts.filter { $0.keys == [.longitude] }
    }
    let partial = drivers.filter(\.index.isPartial)
    return partial.filter(\.index.isCovering) + partial.filter { !$0.index.isCovering }
      + drivers.filter { !$0.index.isPartial }
  }

  /// Indexes that together find the assets of a condition with `OR`, one index for each part.
  static func unions(for query: AssetQuery) -> [[AssetDriver]] {
    query.conjuncts.compactMap { part -> [AssetDriver]? in
      guard case .any(let parts) = part, (2...20).contains(parts.count) else { return nil }
      let drivers = parts.compactMap { part in
        AssetIndex.finding(part).map { AssetDriver(index: $0, conditions: [part] + part.implied) }
      }
      return drivers.count == parts.count ? drivers : nil
    }
  }

  /// Selects the assets that the index finds, without the query's other conditions.
  func select(_ columns: String) -> SQLText {
    var text = SQLText("SELECT \(columns) FROM asset INDEXED BY \(index.name) WHERE ")
    var parts = [SQLText("asset.trashedDate IS NULL")]
    if index.isPartial { parts.append(SQLText(index.premise)) }
    text += .joined(parts + conditions.map(\.sql), by: "AND")
    return text
  }
}
