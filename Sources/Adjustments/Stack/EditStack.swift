import FoundationEssentials

/// A photo's edit: its adjustments, which the pipeline applies in its own order.
///
/// This is what Safelight's own ``AdjustmentData`` holds, as JSON:
/// `{"adjustments":[{"id":"tone-curve","version":1,…},…]}`. Parameters are stored resolved, so an
/// edit renders the same when a shipped filter has changed since. Unknown adjustments and fields
/// are kept byte for byte.
public struct EditStack: Sendable, Hashable {
  /// Safelight's own format of adjustment data.
  public static let formatIdentifier = "org.safelight.edit"
  /// The revision of that format that this version writes. Any `1.x` can be read; a reader of
  /// `1.x` keeps what a later `1.y` added.
  public static let formatVersion = "1.0"

  /// The adjustments as they are stored.
  public private(set) var entries: [StackEntry]

  private var storedVersion = EditStack.formatVersion
  private var otherMembers: [JSONValue.Member] = []
  /// The document that was read, given back as it was while nothing changes.
  private var source: JSONValue?

  /// An edit that changes nothing.
  public init() {
    entries = []
  }

  /// An edit of some adjustments of this version.
  ///
  /// - Throws: ``AdjustmentError/parameter(id:name:range:problem:)`` for a value out of range.
  public init(_ adjustments: [any Adjustment]) throws(AdjustmentError) {
    entries = []
    for adjustment in adjustments { entries.append(try StackEntry(adjustment)) }
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
  /// - Throws: ``AdjustmentError`` when the data is of another format, is not JSON or a known
  ///   parameter is out of range.
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
    entries = []
    for element in elements { entries.append(try StackEntry(json: element)) }
    storedVersion = data.formatVersion
    otherMembers = document.members?.filter { $0.key != "adjustments" } ?? []
    source = document
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

  /// Whether nothing would be lost without the edit: it has no adjustment, and nothing beside them
  /// that a newer version stored.
  public var holdsNothing: Bool { entries.isEmpty && otherMembers.isEmpty }

  /// The entries in the order in which the pipeline applies them.
  public var inPipelineOrder: [StackEntry] {
    // Several filters keep the order in which they were applied.
    entries.enumerated().sorted {
      let left = AdjustmentRegistry.position(of: $0.element.id)
      let right = AdjustmentRegistry.position(of: $1.element.id)
      return (left, $0.offset) < (right, $1.offset)
    }.map(\.element)
  }

  /// The entries that this version cannot render.
  public var unknownEntries: [StackEntry] {
    entries.withSteps.filter { $0.adjustment == nil }
  }

  /// The filters in the order in which they were applied.
  public var filters: [AppliedFilter] { entries.compactMap { $0.adjustment as? AppliedFilter } }

  /// Makes `filter` the photo's filter: it takes the place of all filters that are there.
  ///
  /// - Throws: ``AdjustmentError/parameter(id:name:range:problem:)`` for an intensity out of range.
  public mutating func setFilter(_ filter: AppliedFilter) throws(AdjustmentError) {
    let entry = try StackEntry(filter)
    // The same filter again is the same edit, to the byte, also when it was stored with spaces
    // or fields that this version would not write.
    let current = entries.filter { $0.id == AppliedFilter.id }
    if current.count == 1, current[0].adjustment as? AppliedFilter == filter { return }
    entries.removeAll { $0.id == AppliedFilter.id }
    append(entry)
  }

  /// Puts `filter` on top of the filters that are there.
  ///
  /// - Throws: ``AdjustmentError/parameter(id:name:range:problem:)`` for an intensity out of range.
  public mutating func addFilter(_ filter: AppliedFilter) throws(AdjustmentError) {
    append(try StackEntry(filter))
  }

  private mutating func append(_ entry: StackEntry) {
    replaceEntries(entries + [entry])
  }

  /// Stores other entries. The same ones again leave the stored document as it is, to the byte.
  mutating func replaceEntries(_ new: [StackEntry]) {
    guard new != entries else { return }
    entries = new
    source = nil
  }
}
