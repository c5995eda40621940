/// Chooses the index that a query's rows come from, and the index that counts them.
///
/// Either an index finds the rows, and they are sorted: this costs one read for each row found. Or SQLite
/// reads all assets in order until a page is full: this costs page × all ÷ found reads. Both cost the same
/// when found = √(page × all), so the rows are counted up to that bound.
struct QueryPlanner {
  typealias Source = QueryPlan.Source
  typealias Membership = QueryPlan.Membership

  private let query: AssetQuery
  private let database: Database
  /// The largest number of rows that are found first, and then sorted.
  private let bound: Int64
  /// The indexes that could find the rows, the best first.
  private let drivers: [AssetDriver]
  /// The index that finds rows in their order; `nil` when none does.
  private let ordered: AssetIndex?
  /// The index that has all assets in the query's order; `nil` when there is none.
  private let walked: AssetIndex?

  init(_ query: AssetQuery, in database: Database) throws(DatabaseError) {
    (self.query, self.database) = (query, database)
    let kept: Int64 = try database.value("SELECT visible + hidden FROM tally") ?? 0
    // The counters of a damaged catalog may have any values.
    let all = Double(min(max(0, kept), 1 << 40))
    bound = Int64((all * Double(QueryPlan.pageSize)).squareRoot())
    let order = query.sort.first?.key
    drivers = AssetDriver.all(for: query)
    ordered = drivers.first { $0.order == order && $0.index.isPartial }?.index
    walked = order.flatMap { AssetIndex.walks[$0] }
  }

  func sources() throws(DatabaseError) -> (rows: Source, counted: Source) {
    if let found = identifiers { return (found, found) }
    if let set = Membership(query) { return try members(of: set) }
    if let found = try names() { return (found, found) }
    if let found = try few() { return (found, found) }
    let counted = Source(driver: drivers.first?.index ?? AssetIndex.walks[.creationDate])
    if let ordered { return (Source(driver: ordered), counted) }
    if let found = try alternatives() { return (found, found) }
    return (Source(driver: walked ?? drivers.first?.index, where: try start()), counted)
  }

  /// The assets with the identifiers that the query asks for.
  private var identifiers: Source? {
    guard let identifiers = query.identifiers else { return nil }
    return Source(
      joined: SQLText("json_each(?) AS wanted", [SQLText.list(identifiers.map { .text($0) })]),
      on: "asset.identifier = wanted.value", within: Membership(query))
  }

  /// The photos with parts of names that few photos have.
  private func names() throws(DatabaseError) -> Source? {
    try NameSearch(query, in: database, atMost: bound).map { Source(wanted: $0.candidates) }
  }

  /// The rows that an index finds when they are few, or when it finds exactly them in their order.
  private func few() throws(DatabaseError) -> Source? {
    if let ordered, drivers.count == 1 { return Source(driver: ordered) }
    for driver in drivers where driver.index != walked {
      if try isShort(driver) { return Source(driver: driver.index) }
    }
    return nil
  }

  /// An entry of an index costs a quarter of a row of the table.
  private func isShort(_ driver: AssetDriver) throws(DatabaseError) -> Bool {
    guard driver.index.has(query.condition.keys) else {
      return try database.isFew(driver.select("1"), atMost: bound)
    }
    guard try database.isFew(driver.select("1"), atMost: 4 * bound) else { return false }
    if driver.index.has(Set(query.sort.map(\.key))) { return true }
    let found = Source(driver: driver.index).select(query, ordered: false)
    return try database.isFew(found, atMost: bound)
  }

  /// The few rows of a condition with `OR`, from an index for each part.
  private func alternatives() throws(DatabaseError) -> Source? {
    for union in AssetDriver.unions(for: query) {
      let found = SQLText.union(union.map { $0.select("1") }, by: "UNION ALL")
      guard try database.isFew(found, atMost: bound) else { continue }
      return Source(wanted: .union(union.map { $0.select("asset.id AS id") }, by: "UNION"))
    }
    return nil
  }

  // MARK: Sets

  /// The members of a small set are sorted. In a large one, all assets are passed in order, or those that an index
  /// finds.
  private func members(of set: Membership) throws(DatabaseError) -> (rows: Source, counted: Source)
  {
    let members = SQLText("SELECT 1 FROM \(set.table) WHERE \(set.condition)", [set.value])
    let joined = Source(
      joined: SQLText(set.table), on: "asset.id = \(set.table).asset",
      where: SQLText(set.condition, [set.value]))
    let driver = try shortest(than: members)
    let counted = driver.map { Source(driver: $0.index, within: set) } ?? joined
    if try database.isFew(members, atMost: bound) { return (joined, joined) }
    if let ordered { return (Source(driver: ordered, within: set), counted) }
    if let driver, try database.isFew(driver.select("1"), atMost: 2 * bound) {
      return (counted, counted)
    }
    return (walked.map { Source(driver: $0, within: set) } ?? joined, counted)
  }

  /// Members of a set are counted up to this number.
  private static let mostMembers: Int64 = 100_000

  /// The first partial index that finds less than half as many assets as a set has.
  private func shortest(than members: SQLText) throws(DatabaseError) -> AssetDriver? {
    let partial = drivers.filter(\.index.isPartial)
    guard !partial.isEmpty else { return nil }
    let half = try database.count(members, upTo: Self.mostMembers) / 2
    for driver in partial where try database.isFew(driver.select("1"), atMost: half) {
      return driver
    }
    return nil
  }

  // MARK: Where to begin

  /// With more exceptions than this the whole index is read.
  private static let mostExceptions = 4096

  /// The condition that skips the beginning of the index by modification or addition, for a query that asks
  /// for assets created after some date; `nil` when nothing can be skipped.
  ///
  /// A photo is modified and added after it was taken. This allows two days of clock and time-zone error. The
  /// index `assetAhead` has the exceptions.
  private func start() throws(DatabaseError) -> SQLText? {
    guard let key = query.sort.first?.key, key == .modificationDate || key == .addedDate,
      let created = query.firstCreation
    else { return nil }
    let exceptions = try database.rows(
      """
      SELECT count(*), min(date) FROM (SELECT \(key.sql) AS date
        FROM asset INDEXED BY assetAhead WHERE asset.trashedDate IS NULL
        AND (asset.modificationDate < asset.creationDate - 172800
          OR asset.addedDate < asset.creationDate - 172800)
        AND asset.creationDate >= ? LIMIT ?)
      """, [.real(created), .integer(Int64(Self.mostExceptions))] as [DatabaseValue]
    ) { (count: $0[0] as Int, first: $0[1] as Double?) }
    guard let exceptions = exceptions.first, exceptions.count < Self.mostExceptions else {
      return nil
    }
    let first = min(created - 172_800, exceptions.first ?? .infinity)
    return SQLText("\(key.sql) >= ?", [.real(first)])
  }
}

extension AssetQuery {
  /// The identifiers that the query asks for; `nil` when it has no such condition.
  fileprivate var identifiers: [String]? {
    var wanted: [String]?
    if case .identifiers(let identifiers) = scope { wanted = identifiers }
    for part in conjuncts where wanted == nil {
      switch part {
      case .compare(let term, .equal, .value(.text(let text)))
      where term.key == .localIdentifier:
        wanted = [text]
      case .among(.localIdentifier, let values):
        wanted = values.compactMap { if case .text(let text) = $0 { text } else { nil } }
      default: break
      }
    }
    var seen: Set<String> = []
    return wanted?.filter { seen.insert($0).inserted }
  }

  /// The date before which none of the assets was created; `nil` when they may be of any age.
  fileprivate var firstCreation: Double? {
    conjuncts.flatMap { [$0] + $0.implied }.compactMap { part -> Double? in
      guard case .compare(let term, let relation, .value(let date)) = part,
        term.key == .creationDate, [.greater, .atLeast, .equal].contains(relation)
      else { return nil }
      return Double(date)
    }.max()
  }
}

extension Database {
  /// The number of rows that a query selects, counted no further than a limit.
  func count(_ query: SQLText, upTo limit: Int64) throws(DatabaseError) -> Int64 {
    let found = try rows(
      "SELECT count(*) FROM (\(query.text) LIMIT ?)", query.values + [.integer(limit)]
    ) { $0[0] as Int64 }
    return found.first ?? 0
  }

  /// Whether a query selects no more rows than a bound.
  func isFew(_ query: SQLText, atMost bound: Int64) throws(DatabaseError) -> Bool {
    try count(query, upTo: bound + 1) <= bound
  }
}
