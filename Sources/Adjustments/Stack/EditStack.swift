import FoundationEssentials

/// A photo's edit: its own adjustments and its layers, of which filters are one kind. They act in the order of
/// ``AdjustmentRegistry``.
///
/// ```swift
/// var edit = EditStack()
/// try edit.set("exposure", to: "0.5")
/// try edit.adjust(Adjustments.Vignette.self) { $0.amount = -40 }
/// try edit.setFilter(noir.applied(intensity: 0.8))
/// ```
///
/// Safelight's own ``AdjustmentData`` holds an edit as JSON:
/// `{"adjustments":[{"id":"tone-curve","version":1,…},…]}`. A filter is stored with its steps, so
/// an edit renders the same after a shipped filter has changed. Unknown adjustments and fields are
/// kept byte for byte.
public struct EditStack: Sendable, Hashable {
  /// Safelight's own format of adjustment data.
  public static let formatIdentifier = "org.safelight.edit"
  /// The revision of that format that this version writes. Any `1.x` can be read, and what a later
  /// `1.y` added is kept.
  public static let formatVersion = "1.0"

  /// The adjustments as they are stored.
  public private(set) var entries: [StackEntry]

  private var storedVersion = EditStack.formatVersion
  private var otherMembers: [JSONValue.Member] = []
  /// The document that was read. It is written back as it was until something changes.
  private var source: JSONValue?

  /// An edit that changes nothing.
  public init() {
    entries = []
  }

  /// An edit of some adjustments of this version.
  ///
  /// - Throws: ``AdjustmentError/parameter(id:name:range:problem:)`` for a value out of range.
  public init(_ adjustments: [any Adjustment]) throws(AdjustmentError) {
    entries = try FilterSteps(of: adjustments).entries
  }

  /// Whether ``init(_:)-(AdjustmentData)`` can read the data, by identifier and version.
  public static func canHandle(_ data: AdjustmentData) -> Bool {
    guard data.formatIdentifier == formatIdentifier,
      let version = FormatVersion(data.formatVersion), let own = FormatVersion(formatVersion)
    else { return false }
    return version.major == own.major
  }

  /// Reads a stored edit.
  ///
  /// - Throws: ``AdjustmentError`` when the data has another format, is not JSON, or has a known
  ///   parameter out of range.
  public init(_ data: AdjustmentData) throws(AdjustmentError) {
    guard Self.canHandle(data) else {
      throw .malformed("\(data.formatIdentifier) \(data.formatVersion) is another format")
    }
    let document: JSONValue
    do {
      document = try JSONValue(parsing: data.data)
    } catch {
      throw .notJSON(error)
    }
    guard let elements = document["adjustments"]?.elements else {
      throw .malformed("it has no list of adjustments")
    }
    guard elements.count <= Self.mostAdjustments else {
      throw .tooManyAdjustments(elements.count, limit: Self.mostAdjustments)
    }
    entries = []
    for element in elements { entries.append(try StackEntry(json: element)) }
    try checkSize()
    storedVersion = data.formatVersion
    otherMembers = document.members?.filter { $0.key != "adjustments" } ?? []
    source = document
  }

  /// The most adjustments of an edit, those of its layers and their masks counted: far more than anybody uses. Each
  /// costs memory and time, and a record may come from anybody.
  public static let mostAdjustments = 500
  /// The most lookup tables of an edit. The largest takes 36 MB.
  public static let mostLookupTables = 16

  /// Throws when the edit has more adjustments or lookup tables than one may have.
  package func checkSize() throws(AdjustmentError) {
    let all = entries.withSteps
    if all.count > Self.mostAdjustments {
      throw .tooManyAdjustments(all.count, limit: Self.mostAdjustments)
    }
    let tables = all.count { $0.id == ColorLookup.id }
    if tables > Self.mostLookupTables {
      throw .tooManyLookupTables(tables, limit: Self.mostLookupTables)
    }
  }

  /// The edit as adjustment data, ready to be committed.
  public var adjustmentData: AdjustmentData {
    let document =
      source
      ?? .object([JSONValue.Member("adjustments", .array(entries.map(\.json)))] + otherMembers)
    return AdjustmentData(
      formatIdentifier: Self.formatIdentifier, formatVersion: storedVersion,
      data: Data(document.text.utf8))
  }

  /// Whether there is no adjustment at all.
  public var isEmpty: Bool { entries.isEmpty }

  /// Whether nothing would be lost without the edit: it has no adjustments, and no data of a newer
  /// version.
  package var holdsNothing: Bool { entries.isEmpty && otherMembers.isEmpty }

  /// The entries in the order in which the pipeline applies them.
  public var inPipelineOrder: [StackEntry] { entries.inPipelineOrder }

  /// The entries that this version cannot render.
  public var unknownEntries: [StackEntry] {
    entries.withSteps.filter { $0.adjustment == nil }
  }

  /// The filters in the order in which the user applied them.
  public var filters: [AppliedFilter] { entries.compactMap { $0.adjustment as? AppliedFilter } }

  /// Makes `filter` the photo's only filter; it replaces all filters of the edit.
  ///
  /// - Throws: ``AdjustmentError/parameter(id:name:range:problem:)`` for an intensity out of range.
  public mutating func setFilter(_ filter: AppliedFilter) throws(AdjustmentError) {
    let entry = try StackEntry(filter)
    // The same filter again must not change a byte of the edit, also when the edit was stored with
    // spaces or fields that this version would not write.
    let current = entries.filter { $0.id == AppliedFilter.id }
    if current.count == 1, current[0].adjustment as? AppliedFilter == filter { return }
    entries.removeAll { $0.id == AppliedFilter.id }
    append(entry)
  }

  /// Adds `filter` after the filters of the edit.
  ///
  /// - Throws: ``AdjustmentError/parameter(id:name:range:problem:)`` for an intensity out of range.
  public mutating func addFilter(_ filter: AppliedFilter) throws(AdjustmentError) {
    append(try StackEntry(filter))
  }

  private mutating func append(_ entry: StackEntry) {
    replaceEntries(entries + [entry])
  }

  /// Stores other entries. Equal entries keep every byte of the stored document.
  mutating func replaceEntries(_ new: [StackEntry]) {
    guard new != entries else { return }
    entries = new
    source = nil
  }
}

extension EditStack {
  /// The edit as this version writes it, whoever wrote it: programs print the same numbers with other digits. Entries of
  /// other versions stay as they are.
  package var rewritten: EditStack {
    var stack = self
    stack.replaceEntries(entries.map(\.rewritten))
    return stack
  }

  /// The photo's own adjustment of a type, outside its layers, or that of a layer; a neutral one when there is none.
  ///
  /// - Throws: ``AdjustmentError/newerVersion(id:version:)`` when a newer version stored it,
  ///   ``AdjustmentError/unknownParameter(_:)`` when there is no such layer.
  public func adjustment<Value: Adjustment>(
    _ type: Value.Type = Value.self, in layer: String? = nil
  ) throws(AdjustmentError) -> Value {
    for entry in try entries(around: AdjustmentPath(Value.id, in: layer)) where entry.id == Value.id
    {
      guard let adjustment = entry.adjustment as? Value else {
        throw .newerVersion(id: entry.id, version: entry.version)
      }
      return adjustment
    }
    return Value()
  }

  /// The entries among which a path's entry has its place.
  func entries(around path: AdjustmentPath) throws(AdjustmentError) -> [StackEntry] {
    guard let name = path.layer else { return entries }
    guard let layer = layers.first(where: { $0.name == name }) else {
      throw .unknownParameter(path.description)
    }
    return layer.steps.entries
  }

  /// Stores other entries around a path's entry.
  mutating func replaceEntries(
    around path: AdjustmentPath, _ new: [StackEntry]
  ) throws(AdjustmentError) {
    guard let name = path.layer else { return replaceEntries(new) }
    guard let index = entries.firstIndex(where: { $0.layer?.name == name }),
      var layer = entries[index].layer
    else { throw .unknownParameter(path.description) }
    layer.steps = try FilterSteps(new)
    var all = entries
    all[index] = try all[index].changed(layer: layer)
    replaceEntries(all)
  }

  /// Changes the photo's own adjustment of a type, or that of a layer. Its other parameters, its place and fields of
  /// newer versions are kept. An adjustment that is neutral afterwards is removed.
  ///
  /// When an edit has several adjustments of the type, the changed one replaces all of them.
  ///
  /// - Parameters:
  ///   - type: Any adjustment except layers and ``AppliedFilter``, which have methods of their own.
  ///   - layer: The name of a layer; `nil` for the photo's own adjustment.
  ///   - change: Changes the values, which begin as the present or the neutral values.
  /// - Throws: ``AdjustmentError/parameter(id:name:range:problem:)`` for a value that is not
  ///   allowed, ``AdjustmentError/newerVersion(id:version:)``, ``AdjustmentError/unknownParameter(_:)`` when there is no
  ///   such layer, and what `change` throws. The stack is not changed then.
  public mutating func adjust<Value: Adjustment>(
    _ type: Value.Type, in layer: String? = nil,
    _ change: (inout Value) throws(AdjustmentError) -> Void
  ) throws(AdjustmentError) {
    guard ![AppliedFilter.id, Layer.id].contains(type.id) else { throw .unknownParameter(type.id) }
    let path = AdjustmentPath(type.id, in: layer)
    try checkVersions(of: path)
    let before = try adjustment(type, in: layer)
    var after = before
    try change(&after)
    try after.validate()

    var others = try entries(around: path)
    guard let index = others.firstIndex(where: { $0.id == type.id }) else {
      guard !after.isNeutral else { return }
      // Adjustments of a layer act in the order in which they stand.
      let new = try StackEntry(after)
      if layer == nil { others.append(new) } else { others.insertInPipelineOrder(new) }
      return try replaceEntries(around: path, others)
    }
    let entry = others[index]
    let place = others[..<index].count { $0.id != type.id }
    others.removeAll { $0.id == type.id }
    // Fields of a newer version may have an effect even when all known fields are neutral.
    if !after.isNeutral || !entry.unknownFields.isEmpty {
      others.insert(after == before ? entry : try entry.changed(to: after), at: place)
    }
    try replaceEntries(around: path, others)
  }

  /// Sets parameters of the photo's own adjustments, or of those of a layer; ``adjust(_:in:_:)`` says what is kept. Of
  /// two settings of one parameter, the last counts.
  ///
  /// - Throws: As ``adjust(_:in:_:)``; ``AdjustmentError/unknownParameter(_:)`` for a setting of an
  ///   adjustment that this version does not have. The stack is not changed then.
  public mutating func set(
    _ settings: [ParameterSetting], in layer: String? = nil
  ) throws(AdjustmentError) {
    var changed = self
    var ids: [String] = []
    for setting in settings where !ids.contains(setting.parameter.adjustment) {
      ids.append(setting.parameter.adjustment)
    }
    for id in ids {
      guard let type = AdjustmentRegistry.type(id: id) else { throw .unknownParameter(id) }
      try changed.set(settings.filter { $0.parameter.adjustment == id }, on: type, in: layer)
    }
    self = changed
  }

  /// Sets one parameter to a value as people type it.
  ///
  /// - Parameters:
  ///   - option: The parameter's option without dashes, such as `saturation`; in a layer as a path, `sky/saturation`.
  ///   - text: The value, such as `0.5` or `20%`.
  /// - Throws: As ``set(_:in:)``; ``AdjustmentError/unknownParameter(_:)`` when no parameter has the
  ///   option.
  public mutating func set(_ option: String, to text: String) throws(AdjustmentError) {
    let path = AdjustmentPath(option)
    guard let parameter = ParameterDescription.option(path.id) else {
      throw .unknownParameter(option)
    }
    try set([ParameterSetting(parameter, argument: text)], in: path.layer)
  }

  /// Removes the adjustment at a path, or with `filter` the photo's filters.
  ///
  /// - Throws: ``AdjustmentError/newerVersion(id:version:)``, ``AdjustmentError/unknownParameter(_:)`` when there is no
  ///   such layer; nothing is removed then.
  public mutating func remove(_ path: AdjustmentPath) throws(AdjustmentError) {
    try checkVersions(of: path)
    let others = try entries(around: path)
    guard
      AdjustmentRegistry.type(id: path.id) != nil || others.contains(where: { $0.id == path.id })
    else { throw .unknownParameter(path.description) }
    try replaceEntries(around: path, others.filter { $0.id != path.id })
  }

  /// Removes the photo's own adjustments. Its layers and the adjustments of newer versions are
  /// kept.
  public mutating func removeAdjustments() {
    replaceEntries(entries.filter { $0.layer != nil || $0.adjustment == nil })
  }

  /// Removes adjustments of newer versions, and filters with such steps, by the ids of these adjustments.
  package mutating func removeNewer(_ ids: Set<String>) {
    replaceEntries(
      entries.filter { entry in
        ![entry].withSteps.contains { $0.adjustment == nil && ids.contains($0.id) }
      })
  }

  private mutating func set<Value: Adjustment>(
    _ settings: [ParameterSetting], on type: Value.Type, in layer: String?
  ) throws(AdjustmentError) {
    try adjust(type, in: layer) { value throws(AdjustmentError) in
      for setting in settings {
        let name = setting.parameter.name
        guard let parameter = Value.parameters.first(where: { $0.name == name }) else {
          throw .unknownParameter(name)
        }
        if let problem = parameter.set(setting.value, on: &value) {
          throw .parameter(id: Value.id, name: name, range: parameter.range, problem: problem)
        }
      }
    }
  }

  private func checkVersions(of path: AdjustmentPath) throws(AdjustmentError) {
    let entries = try entries(around: path)
    if let newer = entries.first(where: { $0.id == path.id && $0.adjustment == nil }) {
      throw .newerVersion(id: path.id, version: newer.version)
    }
  }
}

extension [StackEntry] {
  /// The entries in the order in which the pipeline applies them.
  fileprivate var inPipelineOrder: [StackEntry] {
    // Several layers keep the order in which the user made them.
    enumerated().sorted {
      let left = AdjustmentRegistry.position(of: $0.element.id)
      let right = AdjustmentRegistry.position(of: $1.element.id)
      return (left, $0.offset) < (right, $1.offset)
    }.map(\.element)
  }

  /// Puts an entry before the first one that the pipeline applies later.
  mutating func insertInPipelineOrder(_ entry: StackEntry) {
    let position = AdjustmentRegistry.position(of: entry.id)
    insert(
      entry, at: firstIndex { AdjustmentRegistry.position(of: $0.id) > position } ?? endIndex)
  }
}

extension EditStack {
  /// The edit with its adjustments in the order of these ids. An adjustment whose id is not among them is left out.
  package func ordered(_ ids: [String]) -> EditStack {
    var stack = self
    var rest = Set(ids)
    stack.replaceEntries(
      ids.filter { rest.remove($0) != nil }.flatMap { id in entries.filter { $0.id == id } })
    return stack
  }
}
