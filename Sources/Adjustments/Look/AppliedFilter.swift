/// A filter of an edit: its steps as they were when the filter was applied, and its intensity.
///
/// The result is `input + intensity × (filtered − input)` in sRGB-encoded values.
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
  public var isNeutral: Bool {
    intensity == 0 || steps.entries.allSatisfy { $0.adjustment?.isNeutral ?? false }
  }
}
