extension AssetPlan {
  /// Where the rows of a plan come from.
  struct Source {
    /// The index that is gone through; `nil` leaves it to SQLite.
    private var driver: AssetIndex?
    /// A table that comes before the assets, and how they are found from it.
    private var joined: SQLText?
    private var link = ""
    private var filter: [SQLText] = []
    /// A set that each asset is looked for in.
    private var set: Membership?

    init(driver: AssetIndex?, within set: Membership? = nil, where filter: SQLText? = nil) {
      (self.driver, self.set) = (driver, set)
      self.filter = filter.map { [$0] } ?? []
    }

    init(joined: SQLText, on link: String, where filter: SQLText? = nil) {
      self.joined = joined
      self.link = link
      self.filter = filter.map { [$0] } ?? []
    }

    func select(_ query: AssetQuery, ordered: Bool) -> SQLText {
      var text = SQLText("SELECT asset.id FROM ")
      if let joined {
        // A cross join is done in the order in which it is written.
        text += joined
        text += " CROSS JOIN asset ON \(link)"
      } else {
        text += "asset"
        if let driver { text += " INDEXED BY \(driver.name)" }
        if let set { text += set.join }
      }
      var others = filter
      if let driver, driver.isPartial { others.append(SQLText(driver.premise)) }
      text += " WHERE "
      text += query.filter(including: others)
      if ordered { text += " ORDER BY \(query.order)" }
      return text
    }
  }

  /// A set of assets that stands in a table of its own: an album, or what a client may see.
  struct Membership {
    let table: String
    let condition: String
    let value: DatabaseValue

    /// Goes on from an asset to its place in the set, if it has one.
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
