import FoundationEssentials

/// A named look, such as noir: a list of adjustments with a title and a summary.
///
/// ```swift
/// var curve = Adjustments.ToneCurve()
/// curve.all = Adjustments.ToneCurve.Curve([.init(0, 0.05), .init(1, 0.95)])
/// let soft = try Filter(
///   name: "soft", title: "Soft", summary: "Lowers the contrast.", steps: [curve])
/// var edit = EditStack()
/// try edit.setFilter(soft.applied(intensity: 0.5))
/// ```
///
/// As JSON: `{"name":"noir","version":1,"title":"Noir","summary":"…","steps":[…]}`, where each step
/// is an adjustment as an edit stores it. Steps act in the order listed, on sRGB-encoded values.
public struct Filter: Sendable, Hashable, Identifiable {
  /// The name on the command line: lower case letters, digits and hyphens.
  public let name: String
  /// The same as ``name``.
  public var id: String { name }
  /// The revision of the look, from 1. A filter whose pixels change gets the next number.
  public let version: Int
  /// The name for people.
  public let title: String
  /// One sentence on what the look does.
  public let summary: String
  /// The adjustments, in the order in which they act.
  public let steps: FilterSteps

  /// Makes a filter of adjustments.
  ///
  /// - Parameters:
  ///   - name: Lower case letters, digits and hyphens, at most 100.
  ///   - version: The revision of the look, from 1.
  ///   - title: The name for people.
  ///   - summary: One sentence on what the look does.
  ///   - steps: The adjustments in the order in which they act.
  /// - Throws: ``AdjustmentError`` when the name is not allowed or a parameter is out of range.
  public init(
    name: String, version: Int = 1, title: String, summary: String, steps: [any Adjustment]
  ) throws(AdjustmentError) {
    guard Self.isValidName(name) else { throw Self.misnamed }
    self.name = name
    self.version = max(version, 1)
    self.title = title
    self.summary = summary
    self.steps = try FilterSteps(of: steps)
  }

  /// Reads a filter's JSON.
  ///
  /// - Throws: ``AdjustmentError`` when the text is not JSON, a field is missing, or a step is
  ///   unknown.
  public init(json bytes: some Collection<UInt8>) throws(AdjustmentError) {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: bytes)
    } catch {
      throw .notJSON(error)
    }
    guard let name = json["name"]?.string, Self.isValidName(name) else {
      throw Self.misnamed
    }
    guard let version = json["version"]?.integer, version >= 1 else {
      throw .malformed("it has no version")
    }
    guard let title = json["title"]?.string, let summary = json["summary"]?.string,
      !title.isEmpty
    else {
      throw .malformed("it has no title or summary")
    }
    guard let elements = json["steps"]?.elements else { throw .malformed("it has no steps") }
    let steps = try FilterSteps(elements.map(\.compact))
    if let unknown = steps.entries.withSteps.first(where: { $0.adjustment == nil }) {
      throw .malformed("\(unknown.id) version \(unknown.version) is not known to this version")
    }
    self.name = name
    self.version = version
    self.title = title
    self.summary = summary
    self.steps = steps
  }

  /// The filter as JSON that ``init(json:)`` reads.
  public var json: JSONValue {
    .object([
      .init("name", .string(name)), .init("version", .number(Double(version))),
      .init("title", .string(title)), .init("summary", .string(summary)),
      .init("steps", steps.json),
    ])
  }

  /// The filter at a strength, as an edit stores it.
  ///
  /// - Parameter intensity: 0 leaves the picture as it is, 1 is the whole look.
  public func applied(intensity: Double = 1) -> AppliedFilter {
    var applied = AppliedFilter()
    applied.name = name
    applied.title = title
    applied.filterVersion = version
    applied.intensity = intensity
    applied.steps = steps
    return applied
  }

  private static let misnamed = AdjustmentError.malformed(
    "its name must be lower case letters, digits and hyphens")

  /// Whether a filter may have the name: lower case letters, digits and hyphens, at most 100.
  public static func isValidName(_ name: String) -> Bool {
    (1...100).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
      }
  }
}

/// The adjustments of a filter or of another layer, in the order in which they act.
///
/// A step may be a layer, so that an edit with a filter can become a filter.
public struct FilterSteps: ParameterValue {
  /// The most lists of steps inside each other, including the outermost list.
  public static let deepest = 4

  /// The steps; unknown steps are kept.
  public let entries: [StackEntry]
  /// The number of lists of steps inside each other; 1 when no step is a filter.
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

  init(of adjustments: [any Adjustment]) throws(AdjustmentError) {
    var entries: [StackEntry] = []
    for adjustment in adjustments { entries.append(try StackEntry(adjustment)) }
    try self.init(entries)
  }

  init(_ entries: [StackEntry]) throws(AdjustmentError) {
    let inner = entries.compactMap { $0.layer?.steps.depth }.max() ?? 0
    guard inner < Self.deepest else {
      throw .malformed("filters are nested more than \(Self.deepest) deep")
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

extension Filter {
  /// Makes a filter of an edit, without the geometry, which belongs to one photo.
  ///
  /// The steps are the adjustments and filters of the edit in pipeline order, so the filter gives
  /// the same pixels as the edit.
  ///
  /// - Parameters:
  ///   - name: Lower case letters, digits and hyphens.
  ///   - version: The revision of the look, from 1.
  ///   - title: The name for people.
  ///   - summary: One sentence on what the look does.
  ///   - edit: The edit.
  /// - Throws: ``AdjustmentError/malformed(_:)`` when the name is not allowed, the edit has only
  ///   geometry, or filters are nested too deeply; ``AdjustmentError/newerVersion(id:version:)``.
  public init(
    name: String, version: Int = 1, title: String, summary: String, from edit: EditStack
  ) throws(AdjustmentError) {
    let entries = edit.inPipelineOrder.filter { !$0.isGeometry }
    if let newer = entries.withSteps.first(where: { $0.adjustment == nil }) {
      throw .newerVersion(id: newer.id, version: newer.version)
    }
    guard !entries.isEmpty else { throw .malformed("it has no adjustment that a filter can hold") }
    let steps = try FilterSteps(entries)
    let json = JSONValue.object([
      .init("name", .string(name)), .init("version", .number(Double(version))),
      .init("title", .string(title)), .init("summary", .string(summary)),
      .init("steps", steps.json),
    ])
    try self.init(json: json.text.utf8)
  }
}

/// A filter of an edit: its steps as they were when the filter was applied, and its intensity.
///
/// It is a `Layer` without a mask, whose opacity is the intensity, and has the form in which edits store filters.
public struct AppliedFilter: Adjustment {
  public static let id = "filter"
  public static let version = 1
  public static let group = AdjustmentGroup.look
  public static let summary = "Gives the picture a named look."
  public static let parameters: [Parameter<Self>] = [
    Parameter(\.name, "name", option: .none, required: true, summary: "The filter's name."),
    Parameter(
      \.title, "title", option: .none, required: true, summary: "The filter's name for people."),
    Parameter(
      \.filterVersion, "filterVersion", range: 1...1_000_000, option: .none, required: true,
      summary: "The revision of the filter that was applied."),
    Parameter(
      \.intensity, "intensity", unit: .share, option: .none,
      summary: "How strong the look is; 0 changes nothing."),
    Parameter(
      \.steps, "steps", option: .none, required: true, summary: "The filter's adjustments."),
  ]

  /// The filter's name, such as `noir`.
  public var name = "none"
  /// The filter's name for people.
  public var title = "None"
  /// The revision of the filter when it was applied.
  public var filterVersion = 1
  /// Strength: 0 leaves the picture as it is, 1 is the whole look.
  public var intensity = 1.0
  /// The adjustments of the filter, so that the edit does not depend on the filter's file.
  public var steps = FilterSteps()

  /// No filter: without steps it changes nothing.
  public init() {}

  /// Whether the filter has no strength, or no step that changes anything.
  public var isNeutral: Bool { layer.isNeutral }

  /// The filter as a layer.
  package var layer: Layer {
    var layer = Layer()
    (layer.name, layer.opacity, layer.steps) = (name, intensity, steps)
    return layer
  }
}
