/// Which parts of an edit are copied to other photos.
public enum EditCopying: Sendable, Hashable {
  /// Everything except geometry, which belongs to the content of one photo.
  case allButGeometry
  /// Everything.
  case all
  /// Only the adjustments with these ids; `filter` stands for all filters.
  case only(Set<String>)

  /// Whether an entry is copied. An adjustment that this version does not know does not count as
  /// geometry.
  func includes(_ entry: StackEntry) -> Bool {
    switch self {
    case .all: true
    case .allButGeometry: !entry.isGeometry
    case .only(let ids): ids.contains(entry.id)
    }
  }
}

extension StackEntry {
  /// Whether the entry moves pixels, as a crop does, rather than changing them.
  public var isGeometry: Bool { adjustment.map { type(of: $0).group == .geometry } ?? false }
}

extension EditStack {
  /// Makes a part of the edit equal to that part of another photo's edit. Adjustments that the
  /// other edit does not have are removed; fields of newer versions are copied too.
  ///
  /// - Throws: ``AdjustmentError/newerVersion(id:version:)`` when either edit has an adjustment
  ///   there that this version does not know; the stack is not changed then.
  public mutating func copy(
    _ part: EditCopying = .allButGeometry, from source: EditStack
  ) throws(AdjustmentError) {
    let new = source.entries.filter(part.includes)
    let old = entries.filter(part.includes)
    if let newer = (new + old).withSteps.first(where: { $0.adjustment == nil }) {
      throw .newerVersion(id: newer.id, version: newer.version)
    }
    guard new != old else { return }
    replaceEntries(entries.filter { !part.includes($0) } + new)
  }
}
