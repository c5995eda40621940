/// Counts assets by the counters that the catalog keeps.
enum KeptCount {
  /// Reads the number of a query's assets; `nil` when no counter gives it.
  static func text(for query: AssetQuery) -> SQLText? {
    guard query.visibility == .all else { return nil }
    switch query.scope {
    case .identifiers: return nil
    case .album(let album):
      guard query.condition == .always, !query.includesHidden else { return nil }
      return SQLText(
        "SELECT coalesce(max(visible), 0) FROM albumTally WHERE album = ?", [.integer(album)])
    case .library where query.includesHidden:
      switch query.condition {
      case .always: return SQLText("SELECT visible + hidden FROM tally")
      case AssetKind.hidden.condition: return SQLText("SELECT hidden FROM tally")
      default: return cameras(query.condition, "visible + hidden")
      }
    case .library:
      return visible(query.condition) ?? either(query) ?? DayRange(query)?.text
    }
  }

  /// The number of visible assets for which a condition holds: that a kind has, or a camera, or a camera among the
  /// favorites or the edited photos.
  private static func visible(_ condition: Condition) -> SQLText? {
    if let kind = AssetKind.allCases.first(where: { $0 != .hidden && $0.condition == condition }) {
      return SQLText("SELECT \(kind) FROM tally")
    }
    if case .all(let parts) = condition, parts.count == 2 {
      let kind = [AssetKind.favorites, .edited].first { parts.contains($0.condition) }
      return kind.flatMap { kind in parts.compactMap { cameras($0, "\(kind)") }.first }
    }
    return cameras(condition, "\(AssetKind.visible)")
  }

  private static func cameras(_ condition: Condition, _ columns: String) -> SQLText? {
    let named: SQLText
    switch condition {
    case .compare(let term, .equal, .value(let camera)) where term.key == .camera:
      named = SQLText("camera = ?", [camera])
    case .among(.camera, let cameras):
      named = SQLText("camera IN (SELECT value FROM json_each(?))", [SQLText.list(cameras)])
    default: return nil
    }
    return SQLText(
      "SELECT coalesce(sum(\(columns)), 0) FROM cameraTally WHERE \(named.text)", named.values)
  }

  /// The number of assets for which at least one of two conditions holds: |A| + |B| − |A ∧ B|.
  private static func either(_ query: AssetQuery) -> SQLText? {
    guard case .any(let parts) = query.condition, parts.count == 2,
      let first = visible(parts[0]), let second = visible(parts[1]),
      let both = visible(.all(parts)) ?? found(by: parts, in: query)
    else { return nil }
    return SQLText(
      "SELECT (\(first.text)) + (\(second.text)) - (\(both.text))",
      first.values + second.values + both.values)
  }

  /// The number of assets for which some conditions hold, counted in the first index that has all columns that such
  /// conditions use.
  private static func found(by parts: [Condition], in query: AssetQuery) -> SQLText? {
    var query = query
    query.condition = .all(parts)
    let usable = AssetDriver.all(for: query).map(\.index)
    let indexes = [AssetKind.favorites, .edited].compactMap(\.index)
    return indexes.first(where: usable.contains).map { index in
      let rows = QueryPlan.Source(driver: index).select(query, ordered: false)
      return SQLText("SELECT count(*) FROM (\(rows.text))", rows.values)
    }
  }
}

/// Counts the assets of a query that only asks for a range of dates. The catalog has a counter for each whole
/// day of the cameras' clocks.
struct DayRange {
  private static let secondsOfDay = 86_400.0

  /// The conditions for assets near the first day and near the last day. Each has only its own bound, because
  /// SQLite might search by the other.
  private let lower: SQLText
  private let upper: SQLText
  /// All assets of the days between these two are in the range.
  private var first: Int64?
  private var last: Int64?

  /// `nil` for other queries, for less than two whole days, and for days before 1970.
  init?(_ query: AssetQuery) {
    guard let key = query.condition.keys.first, query.condition.keys.count == 1,
      key == .creationDate || key == .localDate
    else { return nil }
    // On the camera's clock an instant may be on the day before or after.
    let margin: Int64 = key == .localDate ? 0 : 1
    for part in query.conjuncts {
      guard case .compare(_, let relation, .value(let date)) = part, relation != .equal,
        let seconds = Double(date), (2 * Self.secondsOfDay..<1e12).contains(seconds)
      else { return nil }
      let day = Int64(seconds / Self.secondsOfDay)
      if relation == .greater || relation == .atLeast {
        first = max(first ?? .min, day + margin)
      } else {
        last = min(last ?? .max, day - margin)
      }
    }
    if let first, let last, first >= last { return nil }
    func filter(by relations: [Condition.Relation], or limit: Condition?) -> SQLText {
      var query = query
      let own = query.conjuncts.filter { part in
        guard case .compare(_, let relation, _) = part else { return false }
        return relations.contains(relation)
      }
      query.condition = .all(own + [limit].compactMap(\.self))
      return query.filter()
    }
    func date(_ relation: Condition.Relation, _ day: Int64) -> Condition {
      .compare(
        .init(key: .localDate), relation, .value(.real(Double(day) * Self.secondsOfDay)))
    }
    lower = filter(by: [.greater, .atLeast], or: first.map { date(.less, $0 + 1) })
    upper = filter(by: [.less, .atMost], or: last.map { date(.atLeast, $0) })
  }

  /// Adds the counters of the days between, and the assets of the other days that are in the range.
  var text: SQLText {
    var text = SQLText(
      "SELECT (SELECT coalesce(sum(visible), 0) FROM dayTally WHERE day > ? AND day < ?)",
      [.integer(first ?? .min), .integer(last ?? .max)])
    for part in [first == nil ? nil : lower, last == nil ? nil : upper].compactMap(\.self) {
      text += SQLText(
        " + (SELECT count(*) FROM asset INDEXED BY assetByCreation WHERE \(part.text))",
        part.values)
    }
    return text
  }
}
