/// What one edit has differently from another.
public enum EditChange: Sendable, Hashable {
  /// An adjustment or a filter that the other does not have.
  case added(StackEntry)
  /// An adjustment or a filter that only the other has.
  case removed(StackEntry)
  /// The same adjustment, or the same filter, set in another way.
  case changed(from: StackEntry, to: StackEntry)

  /// The adjustment's id.
  public var id: String {
    switch self {
    case .added(let entry), .removed(let entry), .changed(_, let entry): entry.id
    }
  }
}

extension EditStack {
  /// What the edit changed in an earlier one, in pipeline order; what was removed stands last.
  ///
  /// Adjustments are the same when they have the same id, filters when they have the same name too;
  /// of several, the first is compared with the first.
  public func changes(since earlier: EditStack) -> [EditChange] {
    var rest = earlier.inPipelineOrder
    var changes: [EditChange] = []
    for entry in inPipelineOrder {
      guard let index = rest.firstIndex(where: { $0.isSame(as: entry) }) else {
        changes.append(.added(entry))
        continue
      }
      let before = rest.remove(at: index)
      if before != entry { changes.append(.changed(from: before, to: entry)) }
    }
    return changes + rest.map(EditChange.removed)
  }
}

extension StackEntry {
  /// Whether it is the other one, perhaps set in another way.
  fileprivate func isSame(as other: StackEntry) -> Bool {
    guard id == other.id else { return false }
    guard let filter = adjustment as? AppliedFilter,
      let earlier = other.adjustment as? AppliedFilter
    else { return true }
    return filter.name == earlier.name
  }
}
