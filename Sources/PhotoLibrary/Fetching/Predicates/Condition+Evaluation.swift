import FoundationEssentials

/// An object whose values for keys are at hand.
protocol FetchSubject {
  func value(of key: FetchKey) -> FetchValue
}

extension Condition {
  /// Whether it holds for an object, without a database.
  func holds(for subject: some FetchSubject) -> Bool {
    switch self {
    case .all(let parts): parts.allSatisfy { $0.holds(for: subject) }
    case .any(let parts): parts.contains { $0.holds(for: subject) }
    case .not(let part): !part.holds(for: subject)
    case .compare(let term, let relation, let operand):
      Self.holds(term.value(of: subject), relation, operand.value(of: subject))
    case .isNil(let key): subject.value(of: key) == .null
    case .among(let key, let values):
      values.contains { Self.holds(subject.value(of: key), .equal, $0) }
    case .text(let key, let match):
      if case .text(let text) = subject.value(of: key) { match.matches(text) } else { false }
    }
  }

  private static func holds(
    _ first: FetchValue, _ relation: Relation, _ second: FetchValue
  ) -> Bool {
    first.ordered(with: second).map { relation.holds($0, 0) } ?? false
  }
}

extension FetchValue {
  /// Below, at or above 0 as it comes before, with or after another; `nil` when one is missing.
  func ordered(with other: FetchValue) -> Int? {
    func ordered<Value: Comparable>(_ first: Value, _ second: Value) -> Int {
      first < second ? -1 : first == second ? 0 : 1
    }
    return switch (self, other) {
    case (.text(let first), .text(let second)):
      // By bytes, as SQLite does, so that the order is the same everywhere.
      first.utf8.elementsEqual(second.utf8)
        ? 0 : first.utf8.lexicographicallyPrecedes(second.utf8) ? -1 : 1
    case (.integer(let first), .integer(let second)): ordered(first, second)
    default:
      if let first = number, let second = other.number { ordered(first, second) } else { nil }
    }
  }

  private var number: Double? {
    switch self {
    case .truth(let truth): truth ? 1 : 0
    case .integer(let number): Double(number)
    case .real(let number): number
    case .date(let date): date.timeIntervalSince1970
    case .null, .text, .list: nil
    }
  }
}

extension Condition.Term {
  fileprivate func value(of subject: some FetchSubject) -> FetchValue {
    let value = subject.value(of: key)
    guard let mask, case .integer(let number) = value else { return value }
    return .integer(number & mask)
  }
}

extension Condition.Operand {
  fileprivate func value(of subject: some FetchSubject) -> FetchValue {
    switch self {
    case .value(let value): value
    case .key(let key): subject.value(of: key)
    }
  }
}
