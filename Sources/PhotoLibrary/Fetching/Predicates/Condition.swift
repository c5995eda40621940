/// What must hold for an object to be fetched: the tree that typed predicates and texts both become.
///
/// Two-valued: a comparison with a missing value is false, but `!=` is true then, and `NOT` turns
/// whatever stands under it.
indirect enum Condition: Sendable, Hashable {
  /// All hold; true when there is none.
  case all([Condition])
  /// At least one holds; false when there is none.
  case any([Condition])
  case not(Condition)
  case compare(Term, Relation, Operand)
  case isNil(FetchKey)
  case among(FetchKey, [FetchValue])
  case text(FetchKey, TextMatch)

  /// The left side of a comparison.
  struct Term: Sendable, Hashable {
    let key: FetchKey
    /// The bits that are looked at; `nil` looks at the whole value.
    var mask: Int64?
  }

  /// The right side of a comparison; values are of the key's kind and never null.
  enum Operand: Sendable, Hashable {
    case value(FetchValue)
    case key(FetchKey)
  }

  /// How two sides are compared; `!=` is written as a negated `==`.
  enum Relation: String, Sendable, Hashable {
    case equal = "="
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="

    /// The relation that holds exactly when this one does not.
    var opposite: Relation? {
      switch self {
      case .equal: nil
      case .less: .atLeast
      case .atMost: .greater
      case .greater: .atMost
      case .atLeast: .less
      }
    }

    /// The relation with its sides exchanged.
    var mirrored: Relation {
      switch self {
      case .equal: .equal
      case .less: .greater
      case .atMost: .atLeast
      case .greater: .less
      case .atLeast: .atMost
      }
    }
  }

  static let always = Condition.all([])
  static let never = Condition.any([])

  /// How many comparisons and connectives it has.
  var size: Int {
    switch self {
    case .all(let parts), .any(let parts): parts.reduce(1) { $0 + $1.size }
    case .not(let part): 1 + part.size
    default: 1
    }
  }

  /// All keys that it asks for.
  var keys: Set<FetchKey> {
    switch self {
    case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.keys) }
    case .not(let part): part.keys
    case .compare(let term, _, .key(let other)): [term.key, other]
    case .compare(let term, _, .value): [term.key]
    case .isNil(let key), .among(let key, _), .text(let key, _): [key]
    }
  }
}
