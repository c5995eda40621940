/// Which assets are wanted, in which order.
struct AssetQuery: Sendable, Hashable {
  /// Where assets are looked for.
  enum Scope: Sendable, Hashable {
    case library
    case identifiers([String])
    /// An album of the user's: its row.
    case album(Int64)
  }

  var scope = Scope.library
  /// What must hold, simplified.
  var condition: Condition
  var sort: [FetchSortDescriptor]
  var includesHidden: Bool
  /// The most assets; 0 sets no limit.
  var limit: Int
  var visibility: Access.Visibility

  init(
    _ scope: Scope = .library, _ options: FetchOptions?, also condition: Condition = .always,
    visibility: Access.Visibility
  ) {
    let options = options ?? FetchOptions()
    self.scope = scope
    let wanted = options.predicate?.condition ?? .always
    self.condition = Condition.all([wanted, condition]).simplified
    sort = options.sortDescriptors
    includesHidden = options.includeHiddenAssets
    limit = options.fetchLimit
    self.visibility = visibility
    if sort.isEmpty {
      if case .album = scope {} else { sort = [FetchSortDescriptor(.creationDate)] }
    }
  }

  /// The conditions that must all hold.
  var conjuncts: [Condition] {
    if case .all(let parts) = condition { parts } else { [condition] }
  }

  /// Whether nothing can be found, whatever the library holds.
  var isEmpty: Bool { condition == .never || visibility == .none }

  /// The part after `WHERE`, whichever tables it is asked of.
  func filter(including others: [SQLText] = []) -> SQLText {
    var parts = [SQLText("asset.trashedDate IS NULL")]
    if !includesHidden { parts.append(SQLText("asset.hidden = 0")) }
    parts += others
    parts += conjuncts.filter { $0 != .always }.map(\.sql)
    return .joined(parts, by: "AND")
  }

  /// The part after `ORDER BY`: always total, as rows are its last key.
  var order: String {
    var seen: Set<FetchKey> = []
    // What all photos have alike sorts nothing, and a number would name a column.
    let telling = sort.filter { !$0.key.isConstant && seen.insert($0.key).inserted }
    var terms = telling.map {
      "\($0.key.orderColumn) \($0.ascending ? "ASC" : "DESC")"
    }
    if sort.isEmpty { terms.append("member.position") }
    // In the direction of the key before it, so that one index gives both.
    terms.append("asset.id \(sort.last?.ascending ?? true ? "ASC" : "DESC")")
    return terms.joined(separator: ", ")
  }
}
