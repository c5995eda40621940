import FoundationEssentials

/// A named look, such as noir: a list of adjustments with a title and a sentence.
///
/// As JSON: `{"name":"noir","version":1,"title":"Noir","summary":"…","steps":[…]}`, where each
/// step is an adjustment as an edit stores it. Steps act in the order listed, on sRGB-encoded
/// values.
public struct Filter: Sendable, Hashable {
  /// The name on the command line: lower case letters, digits and hyphens.
  public let name: String
  /// The revision of the look, from 1. Any change to its pixels takes the next number.
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
  ///   - steps: The adjustments, first to act first.
  /// - Throws: ``AdjustmentError`` when the name is none, or a parameter is out of range.
  public init(
    name: String, version: Int = 1, title: String, summary: String, steps: [any Adjustment]
  ) throws(AdjustmentError) {
    guard Self.isValidName(name) else { throw Self.misnamed }
    var entries: [StackEntry] = []
    for step in steps { entries.append(try StackEntry(step)) }
    self.name = name
    self.version = max(version, 1)
    self.title = title
    self.summary = summary
    self.steps = try FilterSteps(entries)
  }

  /// Reads a filter's JSON.
  ///
  /// - Throws: ``AdjustmentError`` when it is not JSON, a field is missing, or a step is unknown.
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
