import Foundation
import PhotoEditing

/// A request with what its address says, ready for the code that answers it.
struct Call: Sendable {
  let request: HTTPRequest
  /// The parts of the address that stand for something, by name.
  let parameters: [String: String]
  /// What the request may have.
  let row: InterfaceRow
  /// What the body is as JSON, where that was read before; see ``readingBody()``.
  private var json: Result<JSONValue, any Error>?

  init(request: HTTPRequest, parameters: [String: String], row: InterfaceRow) {
    (self.request, self.parameters, self.row) = (request, parameters, row)
  }

  /// The call with its body as JSON, which takes seconds for one of megabytes.
  func readingBody() -> Call {
    var call = self
    call.json = Result { try JSONValue(parsing: request.body) }
    return call
  }

  /// A part of the address.
  func parameter(_ name: String) -> String { parameters[name] ?? "" }

  /// The schema of a value behind the question mark.
  private func schema(_ name: String) -> JSONValue? { row.query.first { $0.key == name }?.value }

  /// A value behind the question mark; an empty one counts as none.
  ///
  /// - Parameter count: Most bytes; `nil` is what the table says.
  func text(_ name: String, atMost count: Int? = nil) throws(ServerError) -> String? {
    guard let text = request.query[name], !text.isEmpty else { return nil }
    let most = count ?? schema(name)?["maxLength"]?.integer ?? JSONBody.mostBytes
    guard text.utf8.count <= most else {
      throw .badRequest(
        "“\(name)” has \(text.utf8.count) bytes as UTF-8; at most \(most) are taken.")
    }
    return text
  }

  /// Whether there is a value behind the question mark.
  func has(_ name: String) throws(ServerError) -> Bool { try text(name) != nil }

  /// A whole number, or the one that counts without it.
  func integer(_ name: String) throws(ServerError) -> Int? {
    let schema = schema(name)
    guard let text = try text(name) else { return schema?["default"]?.integer }
    return try JSONBody.number(Int(text), name, schema)
  }

  /// A whole number; 0 without one that counts.
  func count(_ name: String) throws(ServerError) -> Int { try integer(name) ?? 0 }

  /// A share from 0 to 1; 1 without one.
  func share(_ name: String) throws(ServerError) -> Double {
    guard let text = try text(name) else { return 1 }
    guard let number = Double(text), (0...1).contains(number) else {
      throw .badRequest("“\(name)” is no number from 0.0 to 1.0.")
    }
    return number
  }

  func truth(_ name: String) throws(ServerError) -> Bool? {
    switch try text(name) {
    case nil: nil
    case "true": true
    case "false": false
    default: throw .badRequest("“\(name)” is neither true nor false.")
    }
  }

  /// One of several words.
  func choice(_ name: String) throws(ServerError) -> String? {
    guard let text = try text(name) else { return nil }
    let words = (schema(name)?["enum"]?.elements ?? []).compactMap(\.string)
    guard words.contains(text) else {
      throw .badRequest("“\(name)” is none of \(words.joined(separator: ", ")).")
    }
    return text
  }

  /// The body as an object with no other members than it may have; no body is an object without members.
  func body() throws(ServerError) -> JSONBody {
    if request.body.isEmpty { return try JSONBody(.object([]), row.body) }
    let type = request["content-type"]?.prefix { $0 != ";" }.lowercased()
    guard type == "application/json" else {
      throw .notJSON("its Content-Type is not application/json.")
    }
    switch json ?? readingBody().json {
    case .success(let json)?: return try JSONBody(json, row.body)
    case .failure(let error)?: throw .badRequest("The body is not JSON: \(error).")
    case nil: throw .badRequest("The body is not JSON.")
    }
  }
}

/// An object of JSON that a client sent.
struct JSONBody: Sendable {
  /// Most bytes of a text, and most elements of a list, where nothing else is said.
  static let mostBytes = 10_000, mostElements = 100_000

  let json: JSONValue
  /// The members that there may be, with their schemas.
  private let fields: [JSONValue.Member]

  /// - Throws: ``ServerError/badRequest(_:)`` when it is no object, or has members of other names.
  init(_ json: JSONValue, _ fields: [JSONValue.Member]) throws(ServerError) {
    guard let members = json.members else { throw .badRequest("The body is no object.") }
    let names = fields.map(\.key)
    if let other = members.first(where: { !names.contains($0.key) }) {
      throw .badRequest(
        "There is no “\(other.key.prefix(50))” here; "
          + (names.isEmpty ? "nothing is taken." : "there are \(names.joined(separator: ", ")).")
      )
    }
    (self.json, self.fields) = (json, fields)
  }

  private func schema(_ name: String) -> JSONValue? { fields.first { $0.key == name }?.value }

  /// A whole number within the limits of its schema.
  static func number(
    _ number: Int?, _ name: String, _ schema: JSONValue?
  ) throws(ServerError) -> Int {
    let least = schema?["minimum"]?.integer ?? 0
    let most = schema?["maximum"]?.integer ?? 1_000_000_000_000_000
    guard let number, (least...most).contains(number) else {
      throw .badRequest("“\(name)” is no whole number from \(least) to \(most).")
    }
    return number
  }

  private func value(_ name: String) -> JSONValue? {
    guard let value = json[name], value != .null else { return nil }
    return value
  }

  func has(_ name: String) -> Bool { value(name) != nil }

  func text(_ name: String, atMost count: Int? = nil) throws(ServerError) -> String? {
    guard let value = value(name) else { return nil }
    let count = count ?? schema(name)?["maxLength"]?.integer ?? Self.mostBytes
    guard let text = value.string, text.utf8.count <= count, !text.utf8.contains(0) else {
      throw .badRequest("“\(name)” is no text of at most \(count) bytes.")
    }
    return text
  }

  func requiredText(_ name: String) throws(ServerError) -> String {
    guard let text = try text(name), !text.isEmpty else {
      throw .badRequest("“\(name)” is missing.")
    }
    return text
  }

  /// A whole number, or the one that counts without it.
  func integer(_ name: String) throws(ServerError) -> Int? {
    let schema = schema(name)
    guard let value = value(name) else { return schema?["default"]?.integer }
    return try Self.number(value.integer, name, schema)
  }

  /// A whole number; 0 without one that counts.
  func count(_ name: String) throws(ServerError) -> Int { try integer(name) ?? 0 }

  func truth(_ name: String) throws(ServerError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard case .bool(let truth) = value.content else {
      throw .badRequest("“\(name)” is neither true nor false.")
    }
    return truth
  }

  func list(_ name: String) throws(ServerError) -> [JSONValue]? {
    guard let value = value(name) else { return nil }
    let count = schema(name)?["maxItems"]?.integer ?? Self.mostElements
    guard let elements = value.elements, elements.count <= count else {
      throw .badRequest("“\(name)” is no list of at most \(count).")
    }
    return elements
  }

  func texts(_ name: String) throws(ServerError) -> [String]? {
    guard let elements = try list(name) else { return nil }
    let texts = elements.compactMap(\.string)
    guard texts.count == elements.count else { throw .badRequest("“\(name)” is no list of texts.") }
    return texts
  }

  /// The ids of photos, at least one.
  func photos() throws(ServerError) -> [String] {
    guard let ids = try texts("photos"), !ids.isEmpty else {
      throw .badRequest("“photos” is missing.")
    }
    return ids
  }

  /// An edit as a list of adjustments; see `GivenEdit`.
  func stack(_ name: String = "adjustments") throws(ServerError) -> EditStack? {
    guard let value = value(name) else { return nil }
    guard let edit = GivenEdit(json: value) else {
      throw .badRequest(
        "“\(name)” must be \(GivenEdit.kind) of at most \(EditStack.mostAdjustments).")
    }
    if let problem = edit.problem(in: 0...1) {
      throw ServerError(.parameter(name, of: EditActions.Replace.id, range: nil, problem: problem))
    }
    return edit.stack
  }
}
