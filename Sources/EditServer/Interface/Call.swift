import Foundation
import PhotoEditing

/// A request with what its address says, ready for the code that answers it.
struct Call: Sendable {
  let request: HTTPRequest
  /// The parts of the address that stand for something, by name.
  let parameters: [String: String]
  /// What the body is as JSON, where that was read before; see ``readingBody()``.
  private var json: Result<JSONValue, any Error>?

  init(request: HTTPRequest, parameters: [String: String]) {
    (self.request, self.parameters) = (request, parameters)
  }

  /// The call with its body as JSON, which takes seconds for one of megabytes.
  func readingBody() -> Call {
    var call = self
    call.json = Result { try JSONValue(parsing: request.body) }
    return call
  }

  /// A part of the address.
  func parameter(_ name: String) -> String { parameters[name] ?? "" }

  /// A value behind the question mark; an empty one counts as none.
  func text(_ name: String, atMost count: Int = 10_000) throws(ServerError) -> String? {
    guard let text = request.query[name], !text.isEmpty else { return nil }
    guard text.utf8.count <= count else {
      throw .badRequest(
        "“\(name)” has \(text.utf8.count) bytes as UTF-8; at most \(count) are taken.")
    }
    return text
  }

  /// Whether there is a value behind the question mark.
  func has(_ name: String) throws(ServerError) -> Bool { try text(name) != nil }

  func integer(_ name: String, in range: ClosedRange<Int>) throws(ServerError) -> Int? {
    guard let text = try text(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .badRequest(
        "“\(name)” is no whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  func number(_ name: String, in range: ClosedRange<Double>) throws(ServerError) -> Double? {
    guard let text = try text(name) else { return nil }
    guard let number = Double(text), range.contains(number) else {
      throw .badRequest("“\(name)” is no number from \(range.lowerBound) to \(range.upperBound).")
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

  func choice(_ name: String, of words: [String]) throws(ServerError) -> String? {
    guard let text = try text(name) else { return nil }
    guard words.contains(text) else {
      throw .badRequest("“\(name)” is none of \(words.joined(separator: ", ")).")
    }
    return text
  }

  /// The body as an object with no other members than these; no body is an object without members.
  func body(_ names: [String]) throws(ServerError) -> JSONBody {
    if request.body.isEmpty { return JSONBody(.object([])) }
    let type = request["content-type"]?.prefix { $0 != ";" }.lowercased()
    guard type == "application/json" else {
      throw .notJSON("its Content-Type is not application/json.")
    }
    switch json ?? readingBody().json {
    case .success(let json)?: return try JSONBody(checking: json, names)
    case .failure(let error)?: throw .badRequest("The body is not JSON: \(error).")
    case nil: throw .badRequest("The body is not JSON.")
    }
  }
}

/// An object of JSON that a client sent.
struct JSONBody: Sendable {
  let json: JSONValue

  init(_ json: JSONValue) { self.json = json }

  /// - Throws: ``ServerError/badRequest(_:)`` when it is no object, or has members of other names.
  init(checking json: JSONValue, _ names: [String]) throws(ServerError) {
    guard let members = json.members else { throw .badRequest("The body is no object.") }
    if let other = members.first(where: { !names.contains($0.key) }) {
      throw .badRequest(
        "There is no “\(other.key.prefix(50))” here; "
          + (names.isEmpty ? "nothing is taken." : "there are \(names.joined(separator: ", ")).")
      )
    }
    self.json = json
  }

  private func value(_ name: String) -> JSONValue? {
    guard let value = json[name], value != .null else { return nil }
    return value
  }

  func has(_ name: String) -> Bool { value(name) != nil }

  func text(_ name: String, atMost count: Int = 10_000) throws(ServerError) -> String? {
    guard let value = value(name) else { return nil }
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

  func integer(_ name: String, in range: ClosedRange<Int>) throws(ServerError) -> Int? {
    guard let value = value(name) else { return nil }
    guard let number = value.integer, range.contains(number) else {
      throw .badRequest(
        "“\(name)” is no whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  func truth(_ name: String) throws(ServerError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard case .bool(let truth) = value.content else {
      throw .badRequest("“\(name)” is neither true nor false.")
    }
    return truth
  }

  func list(_ name: String, atMost count: Int) throws(ServerError) -> [JSONValue]? {
    guard let value = value(name) else { return nil }
    guard let elements = value.elements, elements.count <= count else {
      throw .badRequest("“\(name)” is no list of at most \(count).")
    }
    return elements
  }

  func texts(_ name: String, atMost count: Int = 100_000) throws(ServerError) -> [String]? {
    guard let elements = try list(name, atMost: count) else { return nil }
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
