/// Which parts of an edit are copied to other photos.
public enum EditCopying: Sendable, Hashable {
  /// Everything but geometry, which belongs to what is in the one photo.
  case allButGeometry
  /// Everything.
  case all
  /// The adjustments of these ids and no others; `filter` stands for all filters.
  case only(Set<String>)

  /// Whether an entry belongs to the part. What this version does not know does not count as
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
  /// Makes a part of the edit the same as another photo's: what the other does not have goes.
  ///
  /// Fields of newer versions are copied along.
  /// - Throws: ``AdjustmentError/newerVersion(id:version:)`` when either edit has an adjustment
  ///   there that this version does not know; the stack is as it was then.
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

extension Filter {
  /// Makes a filter of an edit. Its geometry is left out, since it belongs to the one photo.
  ///
  /// The steps are the edit's in pipeline order, filters with their intensity among them, so the
  /// filter gives the pixels that the edit gives.
  ///
  /// - Parameters:
  ///   - name: Lower case letters, digits and hyphens.
  ///   - version: The revision of the look, from 1.
  ///   - title: The name for people.
  ///   - summary: One sentence on what the look does.
  ///   - edit: The edit.
  /// - Throws: ``AdjustmentError/malformed(_:)`` when the name is not allowed, nothing but geometry
  ///   is there, or filters stand in filters too deep; ``AdjustmentError/newerVersion(id:version:)``.
  public init(
    name: String, version: Int = 1, title: String, summary: String, from edit: EditStack
  ) throws(AdjustmentError) {
    let entries = edit.inPipelineOrder.filter { !$0.isGeometry }
    if let newer = entries.withSteps.first(where: { $0.adjustment == nil }) {
      throw .newerVersion(id: newer.id, version: newer.version)
    }
    guard !entries.isEmpty else { throw .malformed("it has nothing that a filter can hold") }
    let steps = try FilterSteps(entries)
    let json = JSONValue.object([
      .init("name", .string(name)), .init("version", .number(Double(version))),
      .init("title", .string(title)), .init("summary", .string(summary)),
      .init("steps", steps.json),
    ])
    try self.init(json: json.text.utf8)
  }
}
