import FoundationEssentials

/// Creation dates that are all a query asks for: whole days are counted by what is kept of them.
struct DayRange {
  private static let secondsOfDay = 86_400.0

  private let conditions: SQLText
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
    conditions = query.filter()
  }

  /// The days between, and what of the first and the last one is in the range.
  var text: SQLText {
    var text = SQLText(
      "SELECT (SELECT coalesce(sum(visible), 0) FROM dayTally WHERE day > ? AND day < ?)",
      [.integer(first ?? .min), .integer(last ?? .max)])
    if let first { text += part("<", first + 1) }
    if let last { text += part(">=", last) }
    return text
  }

  private func part(_ sign: String, _ day: Int64) -> SQLText {
    SQLText(
      """
       + (SELECT count(*) FROM asset INDEXED BY assetByCreation
      WHERE \(conditions.text) AND asset.creationDate \(sign) ?)
      """, conditions.values + [.real(Double(day) * Self.secondsOfDay)])
  }
}
