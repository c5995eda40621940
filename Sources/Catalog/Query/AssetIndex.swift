/// An index of the table `asset`. From the list of them come both the tables' indexes and the plans of queries.
struct AssetIndex: Sendable, Hashable {
  let name: String
  /// The condition of a partial index. A query must repeat it, or SQLite does not use the index.
  let premise: String
  /// Whether the index also has the columns that conditions often use.
  let isCovering: Bool
  /// What the index is made of, in SQL.
  private let terms: [String]
  /// The keys that conditions may use without SQLite reading a row; empty when such conditions are too rare to look.
  private let keys: Set<FetchKey>

  /// Whether the index has only some of the assets.
  var isPartial: Bool { !premise.isEmpty }

  /// Whether the index has the values of all these keys, so that SQLite reads no row.
  func has(_ wanted: Set<FetchKey>) -> Bool {
    !keys.isEmpty && wanted.isSubset(of: keys.union([.creationDate, .localDate, .hidden]))
  }

  /// An index of all assets in the order of a key, with columns that conditions often use, so that an asset that does
  /// not match costs no read of its row.
  private init(_ name: String, by term: String, having columns: [AssetColumn]) {
    (self.name, premise, isCovering, keys) = (name, "", false, [])
    terms = [term, "id"] + columns.map(\.name)
  }

  /// An index of some assets by the cameras' clocks.
  ///
  /// - Parameters:
  ///   - first: The columns that it is sorted by before the clock.
  ///   - columns: More columns that conditions use.
  private init(
    _ name: String, by first: [AssetColumn] = [], having columns: [AssetColumn] = [],
    where condition: Condition
  ) {
    (self.name, premise, isCovering) = (name, condition.sql.text, !columns.isEmpty)
    terms =
      first.map(\.name) + [Self.clock, "id", "hidden", "creationDate", "timeZoneOffset"]
      + columns.map(\.name)
    let own = (first + columns).map { FetchKey.column($0) }
    let isEditKnown = columns.contains(.adjustmentFormat)
    keys =
      own.isEmpty
      ? [] : condition.keys.union(own).union(isEditKnown ? [.hasAdjustments] : [])
  }

  private static let clock = "creationDate + coalesce(timeZoneOffset, 0)"
  private static let sizes: [AssetColumn] = [.mediaSubtypes, .pixelWidth, .pixelHeight]

  /// The indexes that have all assets in the order of a key. Without one, the assets must be sorted.
  static let walks: [FetchKey: AssetIndex] = [
    .localDate: AssetIndex(
      "assetByClock", by: clock,
      having: [.hidden, .favorite, .modificationDate] + sizes
        + [.adjustmentFormat, .creationDate, .timeZoneOffset]),
    .creationDate: AssetIndex(
      "assetByCreation", by: "creationDate",
      having: [
        .hidden, .favorite, .modificationDate, .mediaSubtypes, .adjustmentFormat, .timeZoneOffset,
      ]),
    .modificationDate: AssetIndex(
      "assetByModification", by: "modificationDate",
      having: [.hidden, .favorite, .creationDate, .mediaSubtypes, .adjustmentFormat]),
    .addedDate: AssetIndex(
      "assetByAddition", by: "addedDate",
      having: [.hidden, .favorite, .creationDate, .mediaSubtypes, .adjustmentFormat]),
    .filename: AssetIndex("assetByName", by: "name", having: [.hidden, .creationDate]),
  ]

  /// The indexes of kinds of assets.
  static let ofKinds: [AssetKind: AssetIndex] = {
    let more: [AssetKind: [AssetColumn]] = [
      .favorites: [.adjustmentFormat] + sizes + [.camera],
      .edited: [.favorite] + sizes + [.camera, .adjustmentFormat],
    ]
    let names: [AssetKind: String] = [
      .hidden: "assetHidden", .favorites: "assetFavorite", .edited: "assetEdited",
      .panoramas: "assetPanorama", .screenshots: "assetScreenshot", .livePhotos: "assetLive",
      .depthEffect: "assetDepth", .portraits: "assetUpright",
    ]
    var indexes: [AssetKind: AssetIndex] = [:]
    for (kind, name) in names {
      indexes[kind] = AssetIndex(name, having: more[kind] ?? [], where: kind.condition)
    }
    return indexes
  }()

  fileprivate static let byCamera = AssetIndex(
    "assetByCamera", by: [.camera], where: .not(.isNil(.camera)))
  fileprivate static let byPlace = AssetIndex(
    "assetByPlace", by: [.latitude, .longitude], where: .not(.isNil(.latitude)))
  fileprivate static let byRating = AssetIndex(
    "assetByRating", by: [.rating], where: .not(.isNil(.rating)))
  fileprivate static let byKeywords = AssetIndex(
    "assetByKeywords", by: [.keywords], where: .not(.isNil(.keywords)))

  /// Makes the indexes.
  static let schema: String = {
    let all =
      FetchKey.allCases.compactMap { walks[$0] } + AssetKind.allCases.compactMap { ofKinds[$0] }
      + [byCamera, byPlace, byRating, byKeywords]
    let made = all.map { index in
      let premise = index.isPartial ? " AND " + index.premise.replacing("asset.", with: "") : ""
      return """
        CREATE INDEX \(index.name) ON asset (\(index.terms.joined(separator: ", ")))
          WHERE trashedDate IS NULL\(premise);
        """
    }
    return made.joined(separator: "\n") + """

      -- Photos that were changed or added long before they were taken, because of wrong clocks.
      CREATE INDEX assetAhead ON asset (creationDate, modificationDate, addedDate)
        WHERE trashedDate IS NULL AND (modificationDate < creationDate - 172800
          OR addedDate < creationDate - 172800);
      CREATE INDEX assetTrashed ON asset (trashedDate) WHERE trashedDate IS NOT NULL;
      -- A moved file is searched by its inode, and then by its picture.
      CREATE INDEX assetByInode ON asset (inode, size);
      CREATE INDEX assetByPicture ON asset (pictureFingerprint);
      """
  }()
}

/// An index, and the conditions of a query that it finds assets by.
struct AssetDriver: Sendable, Hashable {
  let index: AssetIndex
  /// The key that the assets which it finds are sorted by; `nil` when they come in parts, each sorted by itself.
  var order: FetchKey?
  var conditions: [Condition]

  /// `nil` when no index finds the assets for which a condition holds.
  init?(finding condition: Condition) {
    guard let (index, order) = AssetIndex.finding(condition) else { return nil }
    (self.index, self.order) = (index, order)
    conditions = [condition] + condition.implied
  }

  /// The indexes that could find a query's assets, the best first. Partial indexes come before others because
  /// they are never longer, and covering indexes before all others.
  static func all(for query: AssetQuery) -> [AssetDriver] {
    var drivers: [AssetDriver] = []
    for found in query.conjuncts.compactMap(AssetDriver.init(finding:)) {
      if let place = drivers.firstIndex(where: { $0.index == found.index }) {
        drivers[place].conditions += found.conditions
        drivers[place].order = drivers[place].order ?? found.order
      } else {
        drivers.append(found)
      }
    }
    if let place = drivers.firstIndex(where: { $0.index == AssetIndex.byPlace }) {
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
      let drivers = parts.compactMap(AssetDriver.init(finding:))
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

extension AssetIndex {
  /// The index that finds the assets for which a condition holds, and the key that these are sorted by.
  fileprivate static func finding(_ condition: Condition) -> (AssetIndex, order: FetchKey?)? {
    if let index = AssetKind.including(condition)?.index { return (index, .localDate) }
    switch condition {
    case .compare(let term, .equal, .value) where term.key == .camera: return (byCamera, .localDate)
    case .among(.camera, _), .text(.camera, _): return (byCamera, nil)
    case .compare(let term, _, .value) where term.key == .latitude: return (byPlace, nil)
    case .compare(let term, _, .value) where term.key == .rating: return (byRating, nil)
    case .text(.keywords, _): return (byKeywords, nil)
    case .compare(let term, _, .value): return walks[term.key].map { ($0, term.key) }
    // SQLite reads this whole index to find a part of a name, but it is much shorter than the table.
    case .text(.filename, let match):
      return walks[.filename].map { ($0, match.isPrefix ? .filename : nil) }
    default: return nil
    }
  }
}
