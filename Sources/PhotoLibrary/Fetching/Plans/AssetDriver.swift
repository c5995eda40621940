/// An index that finds what some of a query's conditions ask for.
struct AssetDriver: Sendable, Hashable {
  let index: AssetIndex
  var conditions: [Condition]

  /// The indexes that could find a query's assets; those of some of the assets first, as they are
  /// never longer than others, and of these the ones that know most else.
  static func all(for query: AssetQuery) -> [AssetDriver] {
    var drivers: [AssetDriver] = []
    for part in query.conjuncts {
      guard let index = AssetIndex.finding(part) else { continue }
      if let place = drivers.firstIndex(where: { $0.index == index }) {
        drivers[place].conditions.append(part)
      } else {
        drivers.append(AssetDriver(index: index, conditions: [part]))
      }
    }
    if let place = drivers.firstIndex(where: { $0.index.name == "assetByPlace" }) {
      drivers[place].conditions += query.conjuncts.filter { $0.keys == [.longitude] }
    }
    let partial = drivers.filter(\.index.isPartial)
    return partial.filter(\.index.isCovering) + partial.filter { !$0.index.isCovering }
      + drivers.filter { !$0.index.isPartial }
  }

  /// Indexes that together find what a condition with `OR` asks for, one for each of its parts.
  static func unions(for query: AssetQuery) -> [[AssetDriver]] {
    query.conjuncts.compactMap { part -> [AssetDriver]? in
      guard case .any(let parts) = part, (2...20).contains(parts.count) else { return nil }
      let drivers = parts.compactMap { part in
        AssetIndex.finding(part).map { AssetDriver(index: $0, conditions: [part]) }
      }
      return drivers.count == parts.count ? drivers : nil
    }
  }

  /// What it finds, whatever else the query asks for.
  func select(_ columns: String) -> SQLText {
    var text = SQLText("SELECT \(columns) FROM asset INDEXED BY \(index.name) WHERE ")
    var parts = [SQLText("asset.trashedDate IS NULL")]
    if index.isPartial { parts.append(SQLText(index.premise)) }
    text += .joined(parts + conditions.map(\.sql), by: "AND")
    return text
  }
}

extension AssetPlan {
  /// How many exceptions are looked at before all of an index is passed instead.
  private static let mostExceptions = 4096

  /// Where an index has to be entered, when it is by a date that seldom comes before the creation and
  /// only what was created late is wanted; `nil` when anywhere.
  ///
  /// Photos are changed and taken in after they were taken, by two days at most that clocks and time
  /// zones are wrong by. The index `assetAhead` has those for which that does not hold.
  static func start(
    of index: AssetIndex, _ query: AssetQuery, in database: Database
  ) throws(DatabaseError) -> SQLText? {
    guard let key = index.order, key == .modificationDate || key == .addedDate else { return nil }
    let bounds = query.conjuncts.compactMap { part -> Double? in
      guard case .compare(let term, let relation, .value(.date(let date))) = part,
        term.key == .creationDate, [.greater, .atLeast, .equal].contains(relation)
      else { return nil }
      return date.timeIntervalSince1970
    }
    guard let created = bounds.max() else { return nil }
    let exceptions = try database.rows(
      """
      SELECT count(*), min(date) FROM (SELECT asset.\(key.rawValue) AS date
        FROM asset INDEXED BY assetAhead WHERE asset.trashedDate IS NULL
        AND (asset.modificationDate < asset.creationDate - 172800
          OR asset.addedDate < asset.creationDate - 172800)
        AND asset.creationDate >= ? LIMIT ?)
      """, [.real(created), .integer(Int64(mostExceptions))] as [DatabaseValue]
    ) { (count: $0[0] as Int, first: $0[1] as Double?) }
    guard exceptions[0].count < mostExceptions else { return nil }
    let first = min(created - 172_800, exceptions[0].first ?? .infinity)
    return SQLText("\(key.column) >= ?", [.real(first)])
  }
}
