import SafelightAdjustments
import SafelightFormats
import SafelightRendering

/// Which parameters of an operation or of an output go together.
public enum ParameterRule: Sendable, Hashable {
  /// Exactly one of these is given.
  case one([String])
  /// At least one of these is given.
  case some([String])
  /// At most one of these is given.
  case atMostOne([String])
  /// The first is given only with one of the others.
  case goesWith(String, [String])
}

/// Why something is no operation on a photo's edit, or no description of an output.
public enum OperationError: Error, Hashable {
  /// It is no JSON object with the text `operation`.
  case notAnOperation
  /// It is no JSON object that asks something of an edit.
  case notAnEdit
  /// It is no JSON object that describes an output.
  case notAnOutput
  /// There is no operation of this name.
  case unknownOperation(String)
  /// The operation has no parameter of this name.
  case unknownParameter(String, of: String)
  /// The operation needs one of these parameters.
  case missing([String], of: String)
  /// Only one of these parameters can be given.
  case together([String], of: String)
  /// A parameter is given without one that it goes with.
  case without(String, [String], of: String)
  /// A parameter cannot have a value.
  case parameter(String, of: String, range: ClosedRange<Double>?, problem: ParameterProblem)
  /// Parameters contradict each other, as the sentence says.
  case contradiction(String, of: String)
  /// The operation says nothing to do.
  case nothingToDo(String)
  /// The operation is a step of its own and cannot be one of several.
  case notInAStep(String)

  /// What happened, in one sentence.
  ///
  /// - Parameter name: Gives the name of a parameter as it is given, such as `--aspect`.
  package func description(naming name: (String) -> String) -> String {
    func list(_ names: [String], _ word: String) -> String {
      let first = names.dropLast().map(name).joined(separator: ", ")
      return [first, name(names.last ?? "")].filter { !$0.isEmpty }.joined(separator: " \(word) ")
    }
    switch self {
    case .notAnOperation: return "An operation is an object with “operation” and its parameters."
    case .notAnEdit:
      return "An edit is an object such as {\"filter\": \"noir\", \"values\": {\"exposure\": 0.5}}."
    case .notAnOutput: return "An output is an object with its parameters."
    case .unknownOperation(let operation):
      return "There is no operation “\(operation.prefix(50))”."
    case .unknownParameter(let parameter, EditRequest.id):
      return "An edit has no “\(parameter.prefix(50))”."
    case .unknownParameter(let parameter, RenderOutput.id):
      return "An output has no “\(parameter.prefix(50))”."
    case .unknownParameter(let parameter, let operation):
      return "The operation \(operation) has no “\(parameter.prefix(50))”."
    case .contradiction(let sentence, _): return sentence
    case .missing(let names, let operation):
      return names.count == 1
        ? "The operation \(operation) needs \(list(names, "or"))."
        : "Give one of \(list(names, "and"))."
    case .together(let names, _): return "Give only one of \(list(names, "and"))."
    case .without(let parameter, let names, _):
      return "\(name(parameter)) goes with \(list(names, "or")); leave it out."
    case .parameter(let parameter, _, let range, let problem):
      switch problem {
      case .wrongKind(let expected): return "\(name(parameter)) must be \(expected)."
      case .outOfRange(let number):
        let (from, to) = (range?.lowerBound ?? 0, range?.upperBound ?? 0)
        return
          "\(name(parameter)) takes \(from.argument) to \(to.argument), not \(number.argument)."
      case .invalid(let reason): return "\(name(parameter)) \(reason)."
      case .unusable(let sentence, _, _): return sentence
      }
    case .nothingToDo: return "There is nothing to set."
    case .notInAStep(let operation):
      return "The operation \(operation) is a step of its own, and no part of one."
    }
  }

  /// The name that is not known, with the names that there are; `nil` for other problems.
  package var unknownName: (name: String, among: [String])? {
    switch self {
    case .unknownOperation(let name): (name, EditOperation.all.map(\.name))
    case .unknownParameter(let name, EditRequest.id): (name, EditRequest.members.map(\.name))
    case .unknownParameter(let name, let operation):
      (
        name,
        (EditOperation.action(named: operation)?.parameterDescriptions
          ?? RenderOutput.parameterDescriptions).map(\.name)
      )
    case .parameter(_, _, _, .unusable(_, let name, let names)) where !names.isEmpty: (name, names)
    default: nil
    }
  }
}

extension OperationError: CustomStringConvertible {
  /// What happened, in one sentence.
  public var description: String { description { "“\($0)”" } }
}

extension EditOperation {
  /// Reads an operation, such as `{"operation": "crop", "aspect": "16:9"}`.
  ///
  /// Names of filters and files in it get their meaning when it is performed.
  ///
  /// - Throws: ``OperationError``.
  public init(json: JSONValue) throws(OperationError) {
    guard let members = json.members, let name = json[Self.key]?.string else {
      throw .notAnOperation
    }
    try self.init(name, members.filter { $0.key != Self.key })
  }

  /// An operation of a name with its parameters. A text stands for what people type; `null` for a parameter that is not
  /// given.
  ///
  /// - Throws: ``OperationError``.
  public init(_ name: String, _ members: [JSONValue.Member] = []) throws(OperationError) {
    guard let type = Self.action(named: name) else { throw .unknownOperation(name) }
    func make<Action: EditAction>(_ type: Action.Type) throws(OperationError) -> EditOperation {
      EditOperation(try Action(reading: members))
    }
    self = try make(type)
  }

  /// The operation as JSON, which ``init(json:)`` reads.
  public var json: JSONValue { .object([.init(Self.key, .string(name))] + action.members) }

  private static let key = "operation"
}

extension EditOperation: Codable {
  /// Reads an operation's JSON.
  public init(from decoder: any Decoder) throws {
    try self.init(json: JSONValue(from: decoder))
  }

  /// Writes the operation's JSON.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

/// What is read from JSON and from the words that people type: an operation, or the description of an output.
package protocol ReadParameters: Parameterized {
  /// Which parameters go together.
  static var rules: [ParameterRule] { get }
  /// Throws when what is given says nothing to do, or contradicts itself.
  func check() throws(OperationError)
}

extension ReadParameters {
  package static var rules: [ParameterRule] { [] }
  package func check() {}

  /// Reads parameters. A text stands for what people type; `null` for a parameter that is not given.
  ///
  /// - Parameter checks: Whether to ask ``check()``, too; a caller that learns more first asks later.
  package init(
    reading members: [JSONValue.Member], checking checks: Bool = true
  ) throws(OperationError) {
    self.init()
    let given = members.filter { $0.value != .null }
    for member in given {
      if member.value.string?.utf8.contains(0) == true {
        throw .parameter(
          member.key, of: Self.id, range: nil,
          problem: .invalid("has a NUL in it, which no name can have"))
      }
      guard let parameter = Self.parameterDescriptions.first(where: { $0.name == member.key })
      else { throw .unknownParameter(member.key, of: Self.id) }
      // The word “no” is a text and no flag.
      if parameter.typeName == Bool.typeName, Bool(json: member.value) == nil {
        throw .parameter(
          member.key, of: Self.id, range: nil, problem: .wrongKind(expected: Bool.kind))
      }
      if let problem = set(member.key, to: member.value) {
        throw .parameter(member.key, of: Self.id, range: parameter.range, problem: problem)
      }
    }
    // A flag that is false is one that is not given.
    try Self.check(Set(given.filter { $0.value != .bool(false) }.map(\.key)))
    if checks { try check() }
  }

  /// Throws when parameters that were given do not go together, or one is missing.
  private static func check(_ given: Set<String>) throws(OperationError) {
    for parameter in parameterDescriptions
    where parameter.isRequired && !given.contains(parameter.name) {
      throw .missing([parameter.name], of: id)
    }
    for rule in rules {
      switch rule {
      case .one(let names), .some(let names):
        let present = names.filter(given.contains)
        if present.isEmpty { throw .missing(names, of: id) }
        if case .one = rule, present.count > 1 { throw .together(names, of: id) }
      case .atMostOne(let names):
        let present = names.filter(given.contains)
        if present.count > 1 { throw .together(present, of: id) }
      case .goesWith(let name, let others):
        if given.contains(name), !others.contains(where: given.contains) {
          throw .without(name, others, of: id)
        }
      }
    }
  }
}
