import SafelightCatalog
import Synchronization

/// The assets of a query in a snapshot, read page by page on demand.
///
/// The first pages are read with an offset, so that they cost the same however long the result is. For later
/// pages, the row numbers of the whole result are read once, 8 bytes for each asset. Only the pages that were
/// used last are kept in memory.
final class FetchedAssets: Sendable {
  /// The number of first pages that are read with an offset.
  private static let pagesByOffset = 4
  /// The number of pages in memory.
  private static let pagesKept = 16

  let snapshot: Snapshot
  let query: AssetQuery
  private let state = Mutex(State())

  private struct State {
    var plan: QueryPlan?
    var count: Int?
    /// The smallest number that a counter may say. An empty result costs no time to count, so that 0 is not believed.
    var least = 1
    var rows: ContiguousArray<Int64>?
    var pages: [Int: (assets: ContiguousArray<Asset>, used: Int)] = [:]
    var uses = 0
    /// The first error of a call that could not throw it.
    var failure: PhotoLibraryError?
  }

  init(_ query: AssetQuery, in snapshot: Snapshot) {
    self.query = query
    self.snapshot = snapshot
  }

  /// The number of assets.
  func count() throws(PhotoLibraryError) -> Int {
    try state.withLock { (state) throws(PhotoLibraryError) in
      if let count = state.count { return count }
      let plan = try self.plan(&state)
      let kept = try keptCount(of: plan)
      let count: Int =
        if let kept, kept >= state.least { kept } else {
          try snapshot.read { database in
            try database.rows(
              "SELECT count(*) FROM (\(plan.uncounted.text) LIMIT ?)",
              plan.uncounted.values + [.integer(plan.limit)]
            ) { $0[0] as Int }.first ?? 0
          }
        }
      state.count = count
      return count
    }
  }

  /// The number of assets by the catalog's counters; `nil` when none gives it, or only a senseless number.
  private func keptCount(of plan: QueryPlan) throws(PhotoLibraryError) -> Int? {
    guard let counter = plan.counter else { return nil }
    return try snapshot.read { database in
      let all = try database.rows(counter.text, counter.values) { $0[0] as Int }.first ?? 0
      // The counters of a damaged catalog may have any values. An asset takes more than 64 bytes.
      let most: Int =
        try database.value(
          "SELECT page_count * page_size / 64 FROM pragma_page_count, pragma_page_size") ?? 0
      guard all >= 0, all <= most else { return nil }
      return plan.limit < 0 ? all : min(all, Int(plan.limit))
    }
  }

  /// All row numbers, in order.
  func rows() throws(PhotoLibraryError) -> ContiguousArray<Int64> {
    try state.withLock { (state) throws(PhotoLibraryError) in try rows(&state) }
  }

  /// A page of assets; a page after the last one is empty.
  func page(_ number: Int) throws(PhotoLibraryError) -> ContiguousArray<Asset> {
    try state.withLock { (state) throws(PhotoLibraryError) in
      state.uses += 1
      if let page = state.pages[number] {
        state.pages[number]?.used = state.uses
        return page.assets
      }
      let page = try read(number, &state)
      if state.pages.count >= Self.pagesKept,
        let oldest = state.pages.min(by: { $0.value.used < $1.value.used })
      {
        state.pages[oldest.key] = nil
      }
      state.pages[number] = (page, state.uses)
      return page
    }
  }

  /// Why something could not be read by a call that does not throw; `nil` when all of them succeeded.
  var failure: PhotoLibraryError? { state.withLock(\.failure) }

  /// Reads for a caller who cannot throw, and keeps the first error for ``failure``.
  private func kept<Value>(_ read: () throws(PhotoLibraryError) -> Value) -> Value? {
    do throws(PhotoLibraryError) { return try read() } catch {
      state.withLock { $0.failure = $0.failure ?? error }
      return nil
    }
  }

  /// The number of assets; when the catalog can no longer be read, the number that was read.
  var countKept: Int {
    if let count = kept({ () throws(PhotoLibraryError) in try self.count() }) { return count }
    return state.withLock { state in
      let count = state.count ?? Self.assetsRead(state)
      state.count = count
      return count
    }
  }

  /// A page of assets. When the catalog can no longer be read, each asset is ``Asset/unreadable``, and so are
  /// assets that a damaged catalog counts and does not have.
  func pageKept(_ number: Int) -> ContiguousArray<Asset> {
    let page = kept { () throws(PhotoLibraryError) in try self.page(number) } ?? []
    let size = QueryPlan.pageSize
    let rest = state.withLock { $0.count ?? 0 } - number * size
    let missing = min(size, rest) - page.count
    // Appending copies every asset of the page.
    return missing > 0 ? page + ContiguousArray(repeating: .unreadable, count: missing) : page
  }

  /// All row numbers, in order; none when the catalog can no longer be read.
  var rowsKept: ContiguousArray<Int64> {
    kept { () throws(PhotoLibraryError) in try rows() } ?? []
  }

  /// Counts the assets for which another condition holds too; 0 when the catalog can no longer be read.
  func countKept(of condition: Condition) -> Int {
    kept { () throws(PhotoLibraryError) in try count(of: condition) } ?? 0
  }

  /// The number of assets in the pages from the first one on that were read.
  private static func assetsRead(_ state: State) -> Int {
    var count = 0
    var number = 0
    while let page = state.pages[number] {
      count += page.assets.count
      number += 1
    }
    return count
  }

  /// Counts the assets for which another condition holds too.
  func count(of condition: Condition) throws(PhotoLibraryError) -> Int {
    if query.limit == 0 {
      var narrower = query
      narrower.condition = Condition.all([query.condition, condition]).simplified
      return try FetchedAssets(narrower, in: snapshot).count()
    }
    return try state.withLock { (state) throws(PhotoLibraryError) in
      let plan = try self.plan(&state)
      return try snapshot.read { database in
        let (rows, filter) = (plan.rows, condition.sql)
        return try database.rows(
          """
          SELECT count(*) FROM asset WHERE asset.id IN (\(rows.text) LIMIT ?) AND (\(filter.text))
          """, rows.values + [.integer(plan.limit)] + filter.values
        ) { $0[0] as Int }.first ?? 0
      }
    }
  }

  private func plan(_ state: inout State) throws(PhotoLibraryError) -> QueryPlan {
    if let plan = state.plan { return plan }
    let query = query
    let plan = try snapshot.read { database in
      try QueryPlan(query, in: database)
    }
    state.plan = plan
    return plan
  }

  private func rows(_ state: inout State) throws(PhotoLibraryError) -> ContiguousArray<Int64> {
    if let rows = state.rows { return rows }
    let plan = try plan(&state)
    let rows = try snapshot.read { database in
      try database.rows(
        "\(plan.rows.text) LIMIT ?", plan.rows.values + [.integer(plan.limit)]
      ) { $0[0] as Int64 }
    }
    try check(rows.count, of: plan, state)
    let kept = ContiguousArray(rows)
    state.rows = kept
    note(kept.count, &state)
    return kept
  }

  /// Throws when an index has other assets than the table: SQLite does not notice it when a part of an index is
  /// an old one, or another one.
  ///
  /// - Parameter found: The number of assets that were found. When the counters, or another index, gave the same
  ///   number, nothing else is read.
  private func check(
    _ found: Int, of plan: QueryPlan, _ state: State
  ) throws(PhotoLibraryError) {
    var promised = state.count
    if promised == nil { promised = try keptCount(of: plan) }
    guard let promised, promised != found else { return }
    let counted = try snapshot.read { database in
      try database.rows("SELECT count(*) FROM (\(plan.unindexed.text))", plan.unindexed.values) {
        $0[0] as Int
      }.first ?? 0
    }
    // Otherwise only the counters are wrong, which `verify` says.
    if query.limit == 0 ? counted != found : min(counted, query.limit) != found {
      let damage = DatabaseError.damaged(
        "a fetch finds \(found) photos, and the table has \(counted)")
      snapshot.note(damage)
      throw PhotoLibraryError(damage, snapshot.path)
    }
  }

  private func read(
    _ number: Int, _ state: inout State
  ) throws(PhotoLibraryError) -> ContiguousArray<Asset> {
    let size = QueryPlan.pageSize
    let start = number * size
    if number >= Self.pagesByOffset || state.rows != nil {
      let rows = try rows(&state)
      guard start < rows.count else { return [] }
      let page = rows[start..<min(start + size, rows.count)]
      return try snapshot.read { database in
        try Asset.rows(page, in: database)
      }
    }
    let plan = try plan(&state)
    // One row more shows whether this is the last page.
    let most = plan.limit < 0 ? size + 1 : max(0, min(size + 1, Int(plan.limit) - start))
    let (page, found) = try snapshot.read { database in
      let rows = try database.rows(
        "\(plan.rows.text) LIMIT ? OFFSET ?",
        plan.rows.values + [.integer(Int64(most)), .integer(Int64(start))]
      ) { $0[0] as Int64 }
      return (try Asset.rows(rows.prefix(size), in: database), rows.count)
    }
    if found <= size, number == 0 || found > 0 {
      try check(start + found, of: plan, state)
      note(start + found, &state)
      return page
    }
    if found > 0 { state.least = max(state.least, start + found) }
    // The counters promise fewer assets than there are, or assets on a page after the last one.
    if let count = state.count, found > 0 ? count < start + found : count > start {
      _ = try rows(&state)
    }
    return page
  }

  /// Notes how many assets there are. A count that a program knows already stays, since indexes depend on it; that it
  /// is wrong is a failure.
  private func note(_ found: Int, _ state: inout State) {
    let known = state.count ?? found
    state.count = known
    guard known != found, state.failure == nil else { return }
    let damage = DatabaseError.damaged(
      "its counters promise \(known) photos, and there are \(found)")
    state.failure = PhotoLibraryError(damage, snapshot.path)
  }
}

extension Asset {
  /// Reads the assets in these rows, in this order.
  static func rows(
    _ rows: some Collection<Int64>, in database: Database
  ) throws(DatabaseError) -> ContiguousArray<Asset> {
    // SQLite makes a cross join from left to right, so the result has the order of the list.
    ContiguousArray(
      try database.rows(
        """
        SELECT \(columns) FROM json_each(?) AS wanted
        CROSS JOIN asset ON asset.id = wanted.value CROSS JOIN folder ON folder.id = asset.folder
        """, [SQLText.list(rows.map { .integer($0) })]
      ) { Asset(row: $0) })
  }
}
