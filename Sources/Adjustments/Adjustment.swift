/// One parameterized step of an edit, such as a tone curve.
///
/// An adjustment is intent, not arithmetic: how it becomes pixels stands in `Rendering`. A new one
/// is a value file here, a render file there, a test, and a line in ``AdjustmentRegistry``.
public protocol Adjustment: Sendable, Hashable {
  /// The stable name in edits and on the command line, such as `tone-curve`.
  static var id: String { get }
  /// The revision of the parameters and of their meaning, from 1. A change that alters the pixels
  /// of a stored edit takes the next number, and `upgrade(_:from:)` a case.
  static var version: Int { get }
  /// The part of an edit that it belongs to.
  static var group: AdjustmentGroup { get }
  /// One sentence on what it does to a picture.
  static var summary: String { get }
  /// Every parameter, in the order in which JSON has them.
  static var parameters: [Parameter<Self>] { get }

  /// The neutral adjustment, which changes no pixel.
  init()
  /// Whether the adjustment changes no pixel; unless an adjustment says otherwise, when every
  /// parameter has its neutral value.
  var isNeutral: Bool { get }

  /// Rewrites the stored fields of `version` as those of `version + 1`.
  ///
  /// Called once for each version between; never edited after release.
  static func upgrade(_ fields: inout [JSONValue.Member], from version: Int)
}

extension Adjustment {
  /// Version 1 has nothing before it.
  public static func upgrade(_ fields: inout [JSONValue.Member], from version: Int) {}

  public var isNeutral: Bool { self == Self() }

  /// Checks every parameter against its table.
  ///
  /// - Throws: ``AdjustmentError/parameter(id:name:range:problem:)`` for the first that is wrong.
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
  /// The text is not JSON; nothing of it was used.
  case notJSON(JSONError)
  /// The JSON is not shaped like an edit or a filter; the text says what is missing.
  case malformed(String)
  /// A parameter has a value that its adjustment does not allow.
  case parameter(id: String, name: String, range: ClosedRange<Double>, problem: ParameterProblem)
  /// The edit has this adjustment from a newer version, which this one cannot change; use that one.
  case newerVersion(id: String, version: Int)
  /// No adjustment of this version has the id or the parameter.
  case unknownParameter(String)

  /// What happened, in one sentence.
  public var description: String {
    switch self {
    case .notJSON, .malformed: "The edit cannot be read: \(reason)."
    case .newerVersion(let id, let version):
      "The edit has \(id) version \(version), which needs a newer Safelight."
    case .unknownParameter(let name): "There is no adjustment or parameter called “\(name)”."
    case .parameter(let id, let name, let range, .outOfRange(let value)):
      """
      The \(name) of \(id) is \(JSONValue.number(value).text), outside \
      \(JSONValue.number(range.lowerBound).text) to \(JSONValue.number(range.upperBound).text).
      """
    case .parameter(let id, let name, _, .wrongKind(let expected)):
      "The \(name) of \(id) must be \(expected)."
    case .parameter(let id, let name, _, .invalid(let reason)): "The \(name) of \(id) \(reason)."
    }
  }

  /// What happened, as the end of a sentence about an edit or a filter.
  package var reason: String {
    switch self {
    case .notJSON(let error): "it is not JSON, \(error)"
    case .malformed(let detail): detail
    default: String(description.prefix(1).lowercased() + description.dropFirst().dropLast())
    }
  }
}
