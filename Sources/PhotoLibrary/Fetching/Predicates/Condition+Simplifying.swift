extension Condition {
  /// The same condition with `NOT` only on single comparisons, what always or never holds folded
  /// away, and no list in a list of its kind.
  ///
  /// That is the form in which indexes and kept counts can be recognized.
  var simplified: Condition { simplified(negated: false) }

  private func simplified(negated: Bool) -> Condition {
    switch self {
    case .not(let part): return part.simplified(negated: !negated)
    case .all(let parts), .any(let parts):
      let meansAll = if case .all = self { !negated } else { negated }
      return Self.joined(parts.map { $0.simplified(negated: negated) }, all: meansAll)
    case .compare(let term, let relation, let operand):
      if let known = constant(term, relation, operand) {
        return known != negated ? .always : .never
      }
      if term.key.kind == .truth, case .value(.truth(let truth)) = operand, relation == .equal {
        return .compare(term, .equal, .value(.truth(truth != negated)))
      }
      if let mask = term.mask, mask.nonzeroBitCount == 1, negated, relation == .equal,
        case .value(.integer(let bits)) = operand, bits & ~mask == 0
      {
        return .compare(term, .equal, .value(.integer(mask ^ bits)))
      }
      if case .key(let other) = operand, term.mask == nil, [.less, .atMost].contains(relation) {
        return Condition.compare(Term(key: other), relation.mirrored, .key(term.key))
          .simplified(negated: negated)
      }
      guard negated else { return self }
      if let opposite = relation.opposite, !term.key.isOptional, !operand.isOptional {
        return .compare(term, opposite, operand)
      }
      return .not(self)
    case .isNil(let key) where !key.isOptional: return negated ? .always : .never
    case .among(_, let values) where values.isEmpty: return negated ? .always : .never
    case .isNil, .among, .text: return negated ? .not(self) : self
    }
  }

  private static func joined(_ parts: [Condition], all: Bool) -> Condition {
    var kept: [Condition] = []
    for part in parts {
      switch part {
      case .all(let inner) where all: kept += inner
      case .any(let inner) where !all: kept += inner
      case .any(let inner) where inner.isEmpty: return .never
      case .all(let inner) where inner.isEmpty: return .always
      default: kept.append(part)
      }
    }
    return kept.count == 1 ? kept[0] : all ? .all(kept) : .any(kept)
  }

  /// What a comparison with a key that is the same for all photos comes to.
  private func constant(_ term: Term, _ relation: Relation, _ operand: Operand) -> Bool? {
    guard term.key.isConstant, case .value(let value) = operand else {
      return nil
    }
    var own: Double = term.key == .mediaType ? Double(AssetMediaType.image.rawValue) : 0
    if let mask = term.mask { own = Double(Int64(own) & mask) }
    let other: Double
    switch value {
    case .integer(let number): other = Double(number)
    case .real(let number): other = number
    default: return nil
    }
    return relation.holds(own, other)
  }
}

extension Condition.Operand {
  var isOptional: Bool { if case .key(let key) = self { key.isOptional } else { false } }
}

extension Condition.Relation {
  func holds<Value: Comparable>(_ first: Value, _ second: Value) -> Bool {
    switch self {
    case .equal: first == second
    case .less: first < second
    case .atMost: first <= second
    case .greater: first > second
    case .atLeast: first >= second
    }
  }
}
