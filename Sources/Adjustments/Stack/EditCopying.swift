/// Which parts of an edit are copied to other photos.
public enum EditCopying: Sendable, Hashable {
  /// Everything except geometry, which belongs to the content of one photo.
  case allButGeometry
  /// Everything.
  case all
  /// Only the adjustments at these paths; `filter` stands for all filters.
  case only(Set<AdjustmentPath>)

  /// Whether an entry is copied. An adjustment that this version does not know does not count as
  /// geometry.
  ///
  /// - Parameter layer: The layer that the entry stands in; `nil` for the photo itself.
  func includes(_ entry: StackEntry, in layer: String? = nil) -> Bool {
    switch self {
    case .all: true
    case .allButGeometry: !entry.isGeometry
    case .only(let paths): paths.contains(AdjustmentPath(entry.id, in: layer))
    }
  }

  /// The layers of which only parts are copied.
  fileprivate var layers: Set<String> {
    if case .only(let paths) = self { Set(paths.compactMap(\.layer)) } else { [] }
  }
}

extension StackEntry {
  /// Whether the entry moves pixels, as a crop does, rather than changing them, or trims the photo's video, which belongs
  /// to the content of one photo as well.
  public var isGeometry: Bool {
    adjustment.map { [.geometry, .video].contains(type(of: $0).group) } ?? false
  }
}

extension EditStack {
  /// Makes a part of the edit equal to that part of another photo's edit. Adjustments that the
  /// other edit does not have are removed; fields of newer versions are copied too. A layer of which only adjustments are
  /// copied keeps the others, and comes with its opacity and its mask where there is none of its name.
  ///
  /// Masks come to the same part of the photo, also where one photo is turned and the other is not.
  ///
  /// - Throws: ``AdjustmentError/newerVersion(id:version:)`` when either edit has an adjustment
  ///   there that this version does not know; the stack is not changed then.
  public mutating func copy(
    _ part: EditCopying = .allButGeometry, from source: EditStack
  ) throws(AdjustmentError) {
    var new = source.entries.filter { part.includes($0) }
    let old = entries.filter { part.includes($0) }
    if let newer = (new + old).withSteps.first(where: { $0.adjustment == nil }) {
      throw .newerVersion(id: newer.id, version: newer.version)
    }
    let kept = entries.filter { !part.includes($0) }
    if new.withSteps.contains(where: { $0.layer?.mask != nil }) {
      var result = self
      result.replaceEntries(kept + new)
      if let move = try result.move(from: source) { new = try new.following(move) }
    }
    var changed = self
    if new != old { changed.replaceEntries(kept + new) }
    for name in part.layers.sorted() { try changed.copy(part, from: source, in: name) }
    self = changed
  }

  /// Copies a part of a layer.
  private mutating func copy(
    _ part: EditCopying, from source: EditStack, in name: String
  ) throws(AdjustmentError) {
    let path = AdjustmentPath("", in: name)
    var new = (try? source.entries(around: path))?.filter { part.includes($0, in: name) } ?? []
    let move = try move(from: source)
    if let move { new = try new.following(move) }
    if !layers.contains(where: { $0.name == name }) {
      guard !new.isEmpty, var entry = source.entries.first(where: { $0.layer?.name == name }),
        var layer = entry.layer
      else { return }
      if let move { layer.mask = try layer.mask?.following(move) }
      layer.steps = FilterSteps()
      entry = try entry.changed(layer: layer)
      replaceEntries(entries + [entry])
    }
    let present = try entries(around: path)
    let old = present.filter { part.includes($0, in: name) }
    if let newer = (new + old).withSteps.first(where: { $0.adjustment == nil }) {
      throw .newerVersion(id: newer.id, version: newer.version)
    }
    guard new != old else { return }
    // What is there stays in its place; the order of its adjustments is a part of a filter's look.
    var all: [StackEntry] = []
    for entry in present {
      guard part.includes(entry, in: name) else {
        all.append(entry)
        continue
      }
      if let index = new.firstIndex(where: { $0.id == entry.id }) {
        all.append(new.remove(at: index))
      }
    }
    for entry in new { all.insertInPipelineOrder(entry) }
    try replaceEntries(around: path, all)
  }
}
