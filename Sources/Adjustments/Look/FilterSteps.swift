/// The adjustments of a filter, in the order in which they act.
///
/// A step may be a filter itself, so that a photo's edit with a filter in it can become a filter.
public struct FilterSteps: ParameterValue {
  /// How many lists of steps may stand inside each other, the outermost included.
  public static let deepest = 4

  /// The steps; unknown ones are kept.
  public let entries: [StackEntry]
  /// How many lists of steps stand inside each other; 1 without a filter among the steps.
  let depth: Int

  /// No steps.
  public init() {
    entries = []
    depth = 1
  }

  init(_ elements: [JSONValue]) throws(AdjustmentError) {
    var entries: [StackEntry] = []
    for element in elements { entries.append(try StackEntry(json: element)) }
    try self.init(entries)
  }

  init(_ entries: [StackEntry]) throws(AdjustmentError) {
    let inner = entries.compactMap { ($0.adjustment as? AppliedFilter)?.steps.depth }.max() ?? 0
    guard inner < Self.deepest else {
      throw .malformed("filters stand in filters more than \(Self.deepest) deep")
    }
    self.entries = entries
    depth = inner + 1
  }

  public static var kind: String { "a list of valid adjustments" }
  public static var typeName: String { "steps" }
  public static var hasRange: Bool { false }

  public init?(json: JSONValue) {
    guard let elements = json.elements, let steps = try? FilterSteps(elements) else { return nil }
    self = steps
  }

  public var json: JSONValue { .array(entries.map(\.json)) }

  public func problem(in range: ClosedRange<Double>) -> ParameterProblem? { nil }
}

extension Sequence<StackEntry> {
  /// The entries, and those in the filters among them.
  public var withSteps: [StackEntry] {
    flatMap { entry -> [StackEntry] in
      [entry] + ((entry.adjustment as? AppliedFilter)?.steps.entries.withSteps ?? [])
    }
  }
}
