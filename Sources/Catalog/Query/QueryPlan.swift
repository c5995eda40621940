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
  package let counter: SQLText?

  /// The largest number of rows in a page.
  package static let pageSize = 256

  package init(_ query: AssetQuery, in database: Database) throws(DatabaseError) {
    limit = query.limit == 0 ? -1 : Int64(query.limit)
    let query = try query.namingCameras(in: database)
    counter = KeptCount.text(for: query)
    let (source, counted) = try QueryPlanner(query, in: database).sources()
    rows = source.select(query, ordered: true)
    uncounted = counted.select(query, ordered: false)
    unindexed = Source(whole: Membership(query), of: query).select(query, ordered: false)
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

    /// The assets whose rows a query selects as `id`.
    init(wanted: SQLText) {
      var table = SQLText("(")
      table += wanted
      table += ") AS wanted"
      self.init(joined: table, on: "asset.id = wanted.id")
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
