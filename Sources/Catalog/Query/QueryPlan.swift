/// The SQL that finds and counts the assets of a query.
package struct QueryPlan: Sendable, Hashable {
  /// Selects the rows in their order.
  package let rows: SQLText
  /// Selects the same rows in any order, from the index that counts them fastest.
  package let uncounted: SQLText
  /// Selects the same rows from the table alone, to find out whether an index is damaged.
  package let unindexed: SQLText
  /// The largest number of rows; -1 sets no limit.
  package let limit: Int64
  /// Reads the number of rows from the catalog's counters; `nil` when the rows must be counted.
  package let tally: SQLText?

  /// The largest number of rows in a page.
  package static let pageSize = 256

  package init(_ query: AssetQuery, in database: Database) throws(DatabaseError) {
    limit = query.limit == 0 ? -1 : Int64(query.limit)
    let query = try query.namingCameras(in: database)
    tally = KeptCount.text(for: query)
    let (source, counted) = try Self.sources(query, in: database)
    rows = source.select(query, ordered: true)
    uncounted = counted.select(query, ordered: false)
    unindexed = Source(whole: Membership(query), of: query).select(query, ordered: false)
  }

  /// Chooses the index that the rows come from, and the index that counts them.
  ///
  /// Either an index finds the rows, and they are sorted: this costs one read for each row found. Or SQLite
  /// reads all assets in order until a page is full: this costs page × all ÷ found reads. Both cost the same
  /// when found = √(page × all), so the rows are counted up to that bound.
  private static func sources(
    _ query: AssetQuery, in database: Database
  ) throws(DatabaseError) -> (rows: Source, counted: Source) {
    if let identifiers = identifiers(query) {
      let source = Source(
        joined: SQLText("json_each(?) AS wanted", [SQLText.list(identifiers.map { .text($0) })]),
        on: "asset.identifier = wanted.value", within: Membership(query))
      return (source, source)
    }
    let kept: Int64 = try database.value("SELECT visible + hidden FROM tally") ?? 0
    // The counters of a damaged catalog may have any values.
    let all = Double(min(max(0, kept), 1 << 40))
    let bound = Int64((all * Double(pageSize)).squareRoot())
    func isFew(_ text: SQLText, atMost bound: Int64) throws(DatabaseError) -> Bool {
      let found = try database.rows(
        "SELECT count(*) FROM (\(text.text) LIMIT ?)", text.values + [.integer(bound + 1)]
      ) { $0[0] as Int64 }
      return found.first ?? 0 <= bound
    }
    // An entry of an index costs a quarter of a row of the table.
    func isShort(_ driver: AssetDriver) throws(DatabaseError) -> Bool {
      guard driver.index.has(query.condition.keys) else {
        return try isFew(driver.select("1"), atMost: bound)
      }
      guard try isFew(driver.select("1"), atMost: 4 * bound) else { return false }
      if driver.index.has(Set(query.sort.map(\.key))) { return true }
      let found = Source(driver: driver.index).select(query, ordered: false)
      return try isFew(found, atMost: bound)
    }
    let order = query.sort.first?.key
    let walked = order.flatMap { AssetIndex.walks[$0] }
    let start = try Self.start(of: order, query, in: database)
    let drivers = AssetDriver.all(for: query)
    if let set = Membership(query) {
      let joined = Source(
        joined: SQLText(set.table), on: "asset.id = \(set.table).asset",
        where: SQLText(set.condition, [set.value]))
      let members = SQLText("SELECT 1 FROM \(set.table) WHERE \(set.condition)", [set.value])
      let driver = try shortest(drivers, shorterThan: members, in: database)
      let counted = driver.map { Source(driver: $0.index, within: set) } ?? joined
      if try isFew(members, atMost: bound) { return (joined, joined) }
      if let ordered = drivers.first(where: { $0.order == order && $0.index.isPartial }) {
        return (Source(driver: ordered.index, within: set), counted)
      }
      if let driver, try isFew(driver.select("1"), atMost: 2 * bound) { return (counted, counted) }
      return (walked.map { Source(driver: $0, within: set) } ?? joined, counted)
    }
    if let found = try NameSearch(query, in: database, atMost: bound) {
      let source = Source(joined: found.table, on: "asset.id = wanted.id")
      return (source, source)
    }
    let ordered = drivers.first { $0.order == order && $0.index.isPartial }
    if let ordered, drivers.count == 1 {
      let source = Source(driver: ordered.index)
      return (source, source)
    }
    for driver in drivers where driver.index != walked {
      if try isShort(driver) {
        let source = Source(driver: driver.index)
        return (source, source)
      }
    }
    let counted = Source(driver: drivers.first?.index ?? AssetIndex.walks[.creationDate])
    if let ordered { return (Source(driver: ordered.index), counted) }
    for union in AssetDriver.unions(for: query) {
      if try isFew(.union(union.map { $0.select("1") }, by: "UNION ALL"), atMost: bound) {
        var found = SQLText("(")
        found += .union(union.map { $0.select("asset.id AS id") }, by: "UNION")
        found += ") AS wanted"
        let source = Source(joined: found, on: "asset.id = wanted.id")
        return (source, source)
      }
    }
    return (Source(driver: walked ?? drivers.first?.index, where: start), counted)
  }

  /// The first partial index that finds less than half as many assets as the set has.
  private static func shortest(
    _ drivers: [AssetDriver], shorterThan members: SQLText, in database: Database
  ) throws(DatabaseError) -> AssetDriver? {
    guard drivers.contains(where: \.index.isPartial) else { return nil }
    func count(_ text: SQLText, limit: Int64) throws(DatabaseError) -> Int64 {
      try database.rows(
        "SELECT count(*) FROM (\(text.text) LIMIT ?)", text.values + [.integer(limit)]
      ) { $0[0] as Int64 }.first ?? 0
    }
    let half = try count(members, limit: mostMembers) / 2
    for driver in drivers where driver.index.isPartial {
      if try count(driver.select("1"), limit: half + 1) <= half { return driver }
    }
    return nil
  }

  /// Members of a set are counted up to this number.
  private static let mostMembers: Int64 = 100_000

  /// The identifiers that a query asks for; `nil` when the query has no such condition.
  private static func identifiers(_ query: AssetQuery) -> [String]? {
    var wanted: [String]?
    if case .identifiers(let identifiers) = query.scope { wanted = identifiers }
    for part in query.conjuncts where wanted == nil {
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

  /// With more exceptions than this the whole index is read.
  private static let mostExceptions = 4096

  /// The condition that skips the beginning of the index by modification or addition, for a query that asks
  /// for assets created after some date; `nil` when nothing can be skipped.
  ///
  /// A photo is modified and added after it was taken. This allows two days of clock and time-zone error. The
  /// index `assetAhead` has the exceptions.
  private static func start(
    of key: FetchKey?, _ query: AssetQuery, in database: Database
  ) throws(DatabaseError) -> SQLText? {
    guard let key, key == .modificationDate || key == .addedDate else { return nil }
    let dates = query.conjuncts.flatMap { [$0] + $0.implied }
    let bounds = dates.compactMap { part -> Double? in
      guard case .compare(let term, let relation, .value(let date)) = part,
        term.key == .creationDate, [.greater, .atLeast, .equal].contains(relation)
      else { return nil }
      return Double(date)
    }
    guard let created = bounds.max() else { return nil }
    let exceptions = try database.rows(
      """
      SELECT count(*), min(date) FROM (SELECT \(key.sql) AS date
        FROM asset INDEXED BY assetAhead WHERE asset.trashedDate IS NULL
        AND (asset.modificationDate < asset.creationDate - 172800
          OR asset.addedDate < asset.creationDate - 172800)
        AND asset.creationDate >= ? LIMIT ?)
      """, [.real(created), .integer(Int64(mostExceptions))] as [DatabaseValue]
    ) { (count: $0[0] as Int, first: $0[1] as Double?) }
    guard let exceptions = exceptions.first, exceptions.count < mostExceptions else { return nil }
    let first = min(created - 172_800, exceptions.first ?? .infinity)
    return SQLText("\(key.sql) >= ?", [.real(first)])
  }
}

extension QueryPlan {
  /// Where the rows of a plan come from.
  struct Source {
    /// The index that SQLite reads; `nil` leaves the choice to SQLite.
    private var driver: AssetIndex?
    /// A table that is read before the assets, and the condition that joins it with them.
    private var joined: SQLText?
    private var link = ""
    private var isIndexed = true
    private var filter: [SQLText] = []
    /// The set that must contain each asset.
    private var set: Membership?

    init(driver: AssetIndex?, within set: Membership? = nil, where filter: SQLText? = nil) {
      (self.driver, self.set) = (driver, set)
      self.filter = filter.map { [$0] } ?? []
    }

    init(
      joined: SQLText, on link: String, within set: Membership? = nil, where filter: SQLText? = nil
    ) {
      (self.joined, self.link, self.set) = (joined, link, set)
      self.filter = filter.map { [$0] } ?? []
    }

    /// The whole table without any index, with an asset's place in a set tested for each asset.
    init(whole set: Membership?, of query: AssetQuery) {
      isIndexed = false
      filter = [set?.test].compactMap(\.self)
      if case .identifiers(let identifiers) = query.scope {
        filter.append(
          SQLText(
            "asset.identifier IN (SELECT value FROM json_each(?))",
            [SQLText.list(identifiers.map { .text($0) })]))
      }
    }

    func select(_ query: AssetQuery, ordered: Bool) -> SQLText {
      var text = SQLText("SELECT asset.id FROM ")
      if let joined {
        // SQLite makes a cross join from left to right.
        text += joined
        text += " CROSS JOIN asset ON \(link)"
      } else {
        text += "asset"
        if let driver { text += " INDEXED BY \(driver.name)" }
        if !isIndexed { text += " NOT INDEXED" }
      }
      if let set { text += set.join }
      var others = filter
      if let driver, driver.isPartial { others.append(SQLText(driver.premise)) }
      text += " WHERE "
      text += query.filter(including: others)
      if ordered { text += " ORDER BY \(query.order)" }
      return text
    }
  }

  /// A set of assets with a table of its own: an album, or the selection of a client.
  struct Membership {
    let table: String
    let condition: String
    let value: DatabaseValue

    /// Joins each asset with its place in the set.
    var join: SQLText {
      SQLText(" CROSS JOIN \(table) ON \(table).asset = asset.id AND \(condition)", [value])
    }

    /// Whether an asset is in the set.
    var test: SQLText {
      SQLText(
        "EXISTS (SELECT 1 FROM \(table) WHERE \(table).asset = asset.id AND \(condition))", [value])
    }

    init?(_ query: AssetQuery) {
      if case .album(let album) = query.scope {
        (table, condition, value) = ("member", "member.album = ?", .integer(album))
      } else if case .selected(let client) = query.visibility {
        (table, condition, value) = ("selected", "selected.client = ?", .text(client))
      } else {
        return nil
      }
    }
  }
}

/// Finds photos by parts of their names, in the index of the names' three-letter pieces.
///
/// The index finds candidates, whose names the query must still compare.
struct NameSearch: Sendable, Hashable {
  /// The largest number of pieces to search.
  private static let mostPieces = 24

  /// The expression for `MATCH`.
  private let match: String

  /// `nil` when the query searches no text of three letters or more, or when there are more candidates than
  /// the bound.
  init?(
    _ query: AssetQuery, in database: Database, atMost bound: Int64
  ) throws(DatabaseError) {
    let pieces = Self.pieces(of: query)
    guard !pieces.isEmpty else { return nil }
    // Pieces that many names have, such as those of “.jpg”, take more time than they save.
    var rare: [String] = []
    for piece in pieces
    where try Self.isFew(Self.quoted(piece), in: database, atMost: bound) {
      rare.append(piece)
    }
    match = (rare.isEmpty ? pieces : rare).map(Self.quoted).joined(separator: " AND ")
    if rare.isEmpty, pieces.count == 1 { return nil }
    if rare.isEmpty, try !Self.isFew(match, in: database, atMost: bound) { return nil }
  }

  /// The candidates' rows, as a table called `wanted`.
  var table: SQLText {
    SQLText("(SELECT rowid AS id FROM nameIndex WHERE nameIndex MATCH ?) AS wanted", [.text(match)])
  }

  private static func pieces(of query: AssetQuery) -> [String] {
    var pieces: [String] = []
    var seen: Set<String> = []
    for case .text(.filename, let match) in query.conjuncts where !match.isPrefix {
      for text in match.necessary {
        let letters = Array(text.unicodeScalars)
        // A search of the index would end at a NUL, which no name has.
        guard letters.count >= 3, !letters.contains("\0") else { continue }
        for start in 0...(letters.count - 3) {
          let piece = String(String.UnicodeScalarView(letters[start..<start + 3]))
          if seen.insert(piece).inserted { pieces.append(piece) }
        }
      }
    }
    return Array(pieces.prefix(mostPieces))
  }

  private static func quoted(_ piece: String) -> String {
    var quoted = "\""
    for scalar in piece.unicodeScalars {
      quoted.unicodeScalars.append(scalar)
      if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + "\""
  }

  private static func isFew(
    _ match: String, in database: Database, atMost bound: Int64
  ) throws(DatabaseError) -> Bool {
    let count: Int64? = try database.value(
      "SELECT count(*) FROM (SELECT 1 FROM nameIndex WHERE nameIndex MATCH ? LIMIT ?)", match,
      bound + 1)
    return count ?? 0 <= bound
  }
}
