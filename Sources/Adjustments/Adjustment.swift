// The API of this module has JSON values, so importing this module is enough to use them.
@_exported import struct SafelightFormats.JSONError
@_exported import struct SafelightFormats.JSONValue

/// One part of an edit with its parameters, such as a tone curve.
///
/// ```swift
/// var exposure = Adjustments.Exposure()
/// exposure.amount = 0.5
/// var edit = EditStack()
/// try edit.adjust(Adjustments.Exposure.self) { $0 = exposure }
/// for parameter in AdjustmentDescription(Adjustments.Exposure.self).parameters {
///   print(parameter.name, parameter.summary)
/// }
/// ```
///
/// An adjustment holds parameters; `Rendering` has the arithmetic. A new adjustment needs a file here
/// with its parameters, a file in `Rendering` that says how it is rendered, a test, and two lines in
/// AdjustmentRegistry.swift: its place in the pipeline and its name in ``Adjustments``. The file here
/// has this form:
///
/// ```swift
/// public struct Fade: Adjustment {
///   public static let id = "fade", version = 1
///   public static let group = AdjustmentGroup.effects
///   public static let summary = "Lifts the blacks, as on faded film."
///   public static let parameters: [Parameter<Self>] = [
///     Parameter(
///       \.amount, "amount", range: 0...100, unit: .percent, summary: "How faded the picture is.")
///   ]
///   public var amount = 0.0
///   public init() {}
/// }
/// ```
public protocol Adjustment: Parameterized {
  /// The revision of the parameters and of their meaning, from 1. A change that alters the pixels
  /// of a stored edit takes the next number. `upgrade(_:from:)` gets a case where the fields change;
  /// where the arithmetic changes, rendering keeps the earlier one for entries that were stored
  /// with it.
  static var version: Int { get }
  /// The group of the adjustment.
  static var group: AdjustmentGroup { get }
  /// One sentence on what the adjustment does to a picture.
  static var summary: String { get }

  /// Whether the adjustment changes no pixel; by default, whether every parameter has its neutral
  /// value.
  var isNeutral: Bool { get }

  /// Rewrites the stored fields of `version` as those of `version + 1`.
  ///
  /// Called once for each version from the stored one on. An upgrade never changes after its
  /// release.
  static func upgrade(_ fields: inout [JSONValue.Member], from version: Int)
}

extension Adjustment {
  /// Does nothing, because version 1 has no earlier version.
  public static func upgrade(_ fields: inout [JSONValue.Member], from version: Int) {}

  /// Whether every parameter has its neutral value.
  public var isNeutral: Bool { self == Self() }

  /// The id for the parameter `amount`; for other parameters the id and the name: `--sharpen`,
  /// `--sharpen-radius`.
  public static func option(named parameter: String) -> String {
    parameter == "amount" ? id : id + "-" + hyphenated(parameter)
  }

  /// Checks the value of every parameter.
  ///
  /// - Throws: ``AdjustmentError/parameter(id:name:range:problem:)`` for the first wrong parameter.
  public func validate() throws(AdjustmentError) {
    for parameter in Self.parameters {
      if let problem = parameter.check(self) {
        throw .parameter(
          id: Self.id, name: parameter.name, range: parameter.range, problem: problem)
      }
    }
  }
}

/// Why stored adjustments cannot be used.
public enum AdjustmentError: Error, Hashable, CustomStringConvertible {
  /// The text is not JSON.
  case notJSON(JSONError)
  /// The JSON is not shaped like an edit or a filter; the text says what is missing.
  case malformed(String)
  /// A parameter has a value that its adjustment does not allow.
  case parameter(id: String, name: String, range: ClosedRange<Double>, problem: ParameterProblem)
  /// The edit has this adjustment from a newer version of Safelight, which this version cannot
  /// change.
  case newerVersion(id: String, version: Int)
  /// The edit has too many adjustments. Those inside its filters count too.
  case tooManyAdjustments(Int, limit: Int)
  /// The edit has too many lookup tables. Those inside its filters count too.
  case tooManyLookupTables(Int, limit: Int)
  /// No adjustment of this version has the id or the parameter.
  case unknownParameter(String)

  /// What happened, in one sentence.
  public var description: String {
    switch self {
    case .notJSON, .malformed: "The edit cannot be read: \(reason)."
    case .newerVersion(let id, let version):
      "The edit has \(id) version \(version), which needs a newer Safelight."
    case .tooManyAdjustments(let count, let limit):
      "The edit has \(count) adjustments with those of its filters; it may have \(limit)."
    case .tooManyLookupTables(let count, let limit):
      "The edit has \(count) lookup tables with those of its filters; it may have \(limit)."
    case .unknownParameter(let name): "There is no adjustment or parameter called “\(name)”."
    case .parameter(let id, let name, let range, .outOfRange(let value)):
      """
      The \(name) of \(id) is \(JSONValue.number(value).text), outside \
      \(JSONValue.number(range.lowerBound).text) to \(JSONValue.number(range.upperBound).text).
      """
    case .parameter(let id, let name, _, .wrongKind(let expected)):
      "The \(name) of \(id) must be \(expected)."
    case .parameter(let id, let name, _, .invalid(let reason)): "The \(name) of \(id) \(reason)."
    case .parameter(_, _, _, .unusable(let sentence, _, _)): sentence
    }
  }

  /// What happened, as the end of a sentence.
  package var reason: String {
    switch self {
    case .notJSON(let error): "it is not JSON, \(error)"
    case .malformed(let detail): detail
    default: String(description.prefix(1).lowercased() + description.dropFirst().dropLast())
    }
  }
}

/// A group of adjustments, for help and user interfaces.
public enum AdjustmentGroup: String, Sendable, Hashable, CaseIterable {
  /// The brightness of tones.
  case light
  /// Hues and the strength of colors.
  case color
  /// A whole look at once, such as a filter.
  case look
  /// Sharpness, local contrast and noise.
  case detail
  /// Effects over the whole picture, such as a vignette.
  case effects
  /// Where pixels are: crop, turn and perspective.
  case geometry
  /// What is played of the photo's video.
  case video

  /// The group's name for people.
  public var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
