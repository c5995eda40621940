import FoundationEssentials
import SafelightAdjustments
import SafelightFiles
import SafelightFormats

// What the parameters of operations can be, besides numbers, words and choices.

/// A filter: its name until somebody says what the name means.
package enum FilterName: ParameterValue {
  case named(String)
  case filter(Filter)

  var name: String {
    switch self {
    case .named(let name): name
    case .filter(let filter): filter.name
    }
  }

  package static var kind: String { "a filter's name" }
  package static var typeName: String { "filter" }
  package static var hasRange: Bool { false }

  package init?(json: JSONValue) {
    if let name = json.string {
      self = .named(name)
    } else if let filter = try? Filter(json: json.text.utf8) {
      self = .filter(filter)
    } else {
      return nil
    }
  }

  package var json: JSONValue {
    switch self {
    case .named(let name): .string(name)
    case .filter(let filter): filter.json
    }
  }

  package func problem(in range: ClosedRange<Double>) -> ParameterProblem? {
    name.isEmpty ? .invalid("is empty") : nil
  }

  package init?(argument: String, unit: ParameterUnit) { self = .named(argument) }

  package var argument: String { name }
}

/// A value that JSON has as the text that people type.
package protocol TextValue: ParameterValue {}

extension TextValue {
  package static var hasRange: Bool { false }

  package init?(json: JSONValue) {
    guard let text = json.string else { return nil }
    self.init(argument: text, unit: .none)
  }

  package var json: JSONValue { .string(argument) }
  package func problem(in range: ClosedRange<Double>) -> ParameterProblem? { nil }
}

/// A photo or a sidecar by its name, undecodable bytes as in `FilePath.init(argument:)`.
package struct FileName: TextValue {
  package let path: FilePath

  package init(path: FilePath) { self.path = path }

  package static var kind: String { "the name of a file" }
  package static var typeName: String { "file" }

  package func problem(in range: ClosedRange<Double>) -> ParameterProblem? {
    path.isEmpty ? .invalid("is empty") : nil
  }

  package init?(argument: String, unit: ParameterUnit) { path = FilePath(argument: argument) }

  package var argument: String { path.argument }
}

/// A list of words; on the command line with commas between them.
package struct WordList: ParameterValue {
  package var words: [String] = []

  package init() {}

  package static var kind: String { "a list of texts" }
  package static var typeName: String { "list" }
  package static var hasRange: Bool { false }
  package static var schema: JSONValue {
    .object([
      .init("type", .string("array")), .init("items", .object([.init("type", .string("string"))])),
    ])
  }

  package init?(json: JSONValue) {
    guard let elements = json.elements else { return nil }
    words = elements.compactMap(\.string)
    if words.count != elements.count { return nil }
  }

  package var json: JSONValue { .array(words.map { .string($0) }) }
  package func problem(in range: ClosedRange<Double>) -> ParameterProblem? { nil }

  package init?(argument: String, unit: ParameterUnit) {
    words = argument.split(separator: ",", omittingEmptySubsequences: false).map { word in
      String(word.drop { $0 == " " })
    }
  }

  package var argument: String { words.joined(separator: ",") }
}

/// The paths of adjustments.
package struct AdjustmentNames: ParameterValue {
  package let paths: [AdjustmentPath]

  package static var kind: String { "a list of adjustments" }
  package static var typeName: String { "adjustment-ids" }
  package static var hasRange: Bool { false }
  package static var schema: JSONValue { WordList.schema }

  private init(_ list: WordList) { paths = list.words.map { AdjustmentPath($0) } }

  /// Paths in the order of their names.
  init(_ paths: Set<AdjustmentPath>) { self.paths = paths.sorted { "\($0)" < "\($1)" } }

  package init?(json: JSONValue) {
    guard let list = WordList(json: json) else { return nil }
    self.init(list)
  }

  package var json: JSONValue { .array(paths.map { .string($0.description) }) }

  package func problem(in range: ClosedRange<Double>) -> ParameterProblem? {
    let known = AdjustmentDescription.all.map(\.id)
    if paths.isEmpty { return .invalid("names no adjustment") }
    // No surface offers layers yet, so a name with a slash is unknown.
    return paths.map(\.description).first { !known.contains($0) }.map { name in
      .unusable("There is no adjustment called “\(name.prefix(50))”.", name: name, among: known)
    }
  }

  package init?(argument: String, unit: ParameterUnit) {
    guard let list = WordList(argument: argument, unit: unit) else { return nil }
    self.init(list)
  }

  package var argument: String { paths.map(\.description).joined(separator: ",") }
}

/// Parameters of adjustments with their values, by the names of their options.
package struct AdjustmentValues: ParameterValue {
  package var settings: [ParameterSetting] = []
  /// What is wrong with the first value that cannot be set.
  private var wrong: ParameterProblem?

  /// Most values of one operation.
  private static let most = 200

  package init(_ settings: [ParameterSetting] = []) { self.settings = settings }

  package static var kind: String { "an object of values by option name" }
  package static var typeName: String { "values" }
  package static var hasRange: Bool { false }
  package static var schema: JSONValue {
    .object([
      .init("type", .string("object")),
      .init(
        "additionalProperties",
        .object([
          .init(
            "type",
            .array([.string("number"), .string("string"), .string("boolean"), .string("array")]))
        ])),
    ])
  }

  package init?(json: JSONValue) {
    guard let members = json.members, members.count <= Self.most else { return nil }
    for member in members {
      guard let parameter = ParameterDescription.option(member.key) else {
        wrong = .unusable(
          "There is no adjustment “\(member.key.prefix(100))”.", name: member.key,
          among: AdjustmentDescription.all.flatMap(\.parameters).compactMap(\.option))
        return
      }
      do throws(AdjustmentError) {
        settings.append(try ParameterSetting(parameter, json: member.value))
      } catch {
        wrong = .unusable(
          Self.sentence(member, parameter, error), name: member.key, among: [])
        return
      }
    }
  }

  /// What a parameter takes, for a value that it does not take.
  private static func sentence(
    _ given: JSONValue.Member, _ parameter: ParameterDescription, _ error: AdjustmentError
  ) -> String {
    let limits = parameter.limits
    var wish = "takes \(limits)"
    if case .parameter(_, _, _, let problem) = error {
      switch problem {
      case .wrongKind(let expected): wish = "takes \(expected) (\(limits))"
      case .invalid(let reason): wish = "\(reason) (\(limits))"
      case .outOfRange, .unusable: break
      }
    }
    return "“\(given.key)” \(wish), not \(given.value.shortened)."
  }

  package var json: JSONValue {
    .object(
      settings.map { setting in
        .init(setting.parameter.option ?? setting.parameter.name, setting.value)
      })
  }

  package func problem(in range: ClosedRange<Double>) -> ParameterProblem? { wrong }

  package static func == (one: AdjustmentValues, other: AdjustmentValues) -> Bool {
    one.settings == other.settings
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(settings) }
}

/// An edit as a list of adjustments.
///
/// Without “version”, an adjustment may have only the fields of the present version. With “version” it may come from a
/// record, and fields that are not known are kept.
package struct GivenEdit: ParameterValue {
  package var stack = EditStack()
  /// Why the list cannot be used.
  private var wrong: ParameterProblem?

  package init(_ stack: EditStack = EditStack()) { self.stack = stack }

  package static var kind: String { "a list of adjustments" }
  package static var typeName: String { "adjustments" }
  package static var hasRange: Bool { false }
  package static var schema: JSONValue {
    .object([
      .init("type", .string("array")), .init("items", .object([.init("type", .string("object"))])),
      .init("maxItems", .number(Double(EditStack.mostAdjustments))),
    ])
  }

  package init?(json: JSONValue) {
    guard let elements = json.elements, elements.count <= EditStack.mostAdjustments,
      elements.allSatisfy({ $0.members != nil })
    else { return nil }
    var entries: [JSONValue] = []
    for element in elements {
      let (entry, problem) = Self.withVersion(element.compact)
      if let problem {
        wrong = problem
        return
      }
      if !Self.changesNothing(entry) { entries.append(entry) }
    }
    let ids = entries.compactMap { $0["id"]?.string }
      .filter { $0 != AppliedFilter.id && $0 != Layer.id }
    if let twice = ids.first(where: { id in ids.count { $0 == id } > 1 }) {
      wrong = .invalid("has “\(twice.prefix(50))” twice")
      return
    }
    let document = JSONValue.object([.init("adjustments", .array(entries))])
    do throws(AdjustmentError) {
      stack = try EditStack(
        AdjustmentData(
          formatIdentifier: EditStack.formatIdentifier, formatVersion: EditStack.formatVersion,
          data: Data(document.text.utf8))
      ).rewritten
      try stack.checkSize()
    } catch {
      wrong = .invalid("cannot be used: \(error.reason)")
      return
    }
    if let unknown = stack.unknownEntries.first {
      wrong = .invalid(
        "needs a newer Safelight for “\(unknown.id.prefix(50))” of version \(unknown.version)")
    }
  }

  package var json: JSONValue { .array(stack.entries.map(\.json)) }

  package func problem(in range: ClosedRange<Double>) -> ParameterProblem? { wrong }

  /// An adjustment with its version, or what is wrong with one that is not known, and with one without a version that
  /// has a field that is not known.
  private static func withVersion(_ element: JSONValue) -> (JSONValue, ParameterProblem?) {
    guard let members = element.members, let id = element["id"]?.string else {
      return (element, nil)
    }
    guard let known = AdjustmentDescription.named(id) ?? .stored(id) else {
      return (
        element,
        .unusable(
          "There is no adjustment “\(id.prefix(50))”.", name: id,
          among: AdjustmentDescription.all.map(\.id))
      )
    }
    guard element["version"] == nil else { return (element, nil) }
    let entry = JSONValue.object(members + [.init("version", .number(Double(known.version)))])
    guard let field = (try? StackEntry(json: entry))?.unknownFields.first else {
      return (entry, nil)
    }
    return (
      entry,
      .unusable(
        "The adjustment “\(id)” has no field “\(field.prefix(50))”.", name: field,
        among: known.parameters.map(\.name))
    )
  }

  /// Whether an adjustment has only neutral values. An edit has no such adjustments.
  private static func changesNothing(_ json: JSONValue) -> Bool {
    guard let entry = try? StackEntry(json: json), let adjustment = entry.adjustment else {
      return false
    }
    return adjustment.isNeutral && entry.unknownFields.isEmpty && entry.layer == nil
  }

  package static func == (one: GivenEdit, other: GivenEdit) -> Bool { one.stack == other.stack }

  package func hash(into hasher: inout Hasher) { hasher.combine(stack) }
}
