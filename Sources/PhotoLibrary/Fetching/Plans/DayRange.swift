import FoundationEssentials

/// Creation dates that are all a query asks for: whole days are counted by what is kept of them.
struct DayRange {
  private static let secondsOfDay = 86_400.0

  /// What is asked of the first day's photos, and of the last one's: each by its own bound alone, as
  /// SQLite might take the other one to go by.
  private let lower: SQLText
  private let upper: SQLText
  private var first: Int64?
  private var last: Int64?

  /// - Returns: `nil` for queries for anything else, for less than two days, and for days before 1970.
  init?(_ query: AssetQuery) {
    for part in query.conjuncts {
      guard case .compare(let term, let relation, .value(.date(let date))) = part,
        term.key == .creationDate, relation != .equal,
        (0..<1e12).contains(date.timeIntervalSince1970)
      else { return nil }
      let day = Int64(date.timeIntervalSince1970 / Self.secondsOfDay)
      if relation == .greater || relation == .atLeast {
        first = max(first ?? day, day)
      } else {
        last = min(last ?? day, day)
      }
    }
    if let first, let last, first >= last { return nil }
    func filter(by relations: [Condition.Relation]) -> SQLText {
      var query = query
      query.condition = .all(
        query.conjuncts.filter { part in
          guard case .compare(_, let relation, _) = part else { return false }
          return relations.contains(relation)
        })
      return query.filter()
    }
    lower = filter(by: [.greater, .atLeast])
    upper = filter(by: [.less, .atMost])
  }

  /// The days between, and what of the first and the last one is in the range.
  var text: SQLText {
    var text = SQLText(
      "SELECT (SELECT coalesce(sum(visible), 0) FROM dayTally WHERE day > ? AND day < ?)",
      [.integer(first ?? .min), .integer(last ?? .max)])
    if let first { text += part(lower, "<", first + 1) }
    if let last { text += part(upper, ">=", last) }
    return text
  }

  private func part(_ conditions: SQLText, _ sign: String, _ day: Int64) -> SQLText {
    SQLText(
      """
       + (SELECT count(*) FROM asset INDEXED BY assetByCreation
      WHERE \(conditions.text) AND asset.creationDate \(sign) ?)
      """, conditions.values + [.real(Double(day) * Self.secondsOfDay)])
  }
}
