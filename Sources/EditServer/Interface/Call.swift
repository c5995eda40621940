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

  func number(_ name: String, in range: ClosedRange<Double>) throws(ServerError) -> Double? {
    guard let value = value(name) else { return nil }
    guard let number = value.number, range.contains(number) else {
      throw .badRequest("“\(name)” is no number from \(range.lowerBound) to \(range.upperBound).")
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

  /// An edit as a list of adjustments.
  ///
  /// Without “version”, an adjustment may have only the fields of the present version. With “version” it may come from a
  /// record, and fields that are not known are kept.
  func stack(_ name: String = "adjustments") throws(ServerError) -> EditStack? {
    guard let elements = try list(name, atMost: EditStack.mostAdjustments) else { return nil }
    var entries: [JSONValue] = []
    for element in elements {
      let entry = try Self.withVersion(element)
      if !Self.changesNothing(entry) { entries.append(entry) }
    }
    let document = JSONValue.object([.init("adjustments", .array(entries))])
    let data = AdjustmentData(
      formatIdentifier: EditStack.formatIdentifier, formatVersion: EditStack.formatVersion,
      data: Data(document.text.utf8))
    do {
      let stack = try EditStack(data).rewritten
      if let unknown = stack.unknownEntries.first {
        throw ServerError.badRequest(
          "The adjustment “\(unknown.id.prefix(50))” of version \(unknown.version) needs a newer Safelight."
        )
      }
      return stack
    } catch let error as ServerError {
      throw error
    } catch {
      throw .badRequest("The adjustments cannot be used: \(error).")
    }
  }

  /// An adjustment with its version.
  ///
  /// - Throws: ``ServerError/unknownName(_:name:among:)`` for an adjustment that is not known, and for one without a
  ///   version that has a field that is not known.
  private static func withVersion(_ element: JSONValue) throws(ServerError) -> JSONValue {
    guard let members = element.members, let id = element["id"]?.string else { return element }
    guard let known = AdjustmentDescription.named(id) else { throw .unknownAdjustment(id) }
    guard element["version"] == nil else { return element }
    let entry = JSONValue.object(members + [.init("version", .number(Double(known.version)))])
    if let field = (try? StackEntry(json: entry))?.unknownFields.first {
      throw .unknownName(
        "The adjustment “\(id)” has no field “\(field.prefix(50))”.", name: field,
        among: known.parameters.map(\.name))
    }
    return entry
  }

  /// Whether an adjustment has only neutral values. An edit has no such adjustments.
  private static func changesNothing(_ json: JSONValue) -> Bool {
    guard let entry = try? StackEntry(json: json), let adjustment = entry.adjustment else {
      return false
    }
    return adjustment.isNeutral && entry.unknownFields.isEmpty && !(adjustment is AppliedFilter)
  }

  /// Parameters by their options.
  func settings(_ name: String = "values") throws(ServerError) -> [ParameterSetting]? {
    guard let value = value(name) else { return nil }
    guard let members = value.members, members.count <= 200 else {
      throw .badRequest("“\(name)” is no object.")
    }
    var settings: [ParameterSetting] = []
    for member in members {
      guard let parameter = ParameterDescription.option(member.key) else {
        let known = AdjustmentDescription.all.flatMap(\.parameters).compactMap(\.option)
        throw .unknownName(
          "There is no parameter “\(member.key.prefix(50))”.", name: member.key, among: known)
      }
      do {
        settings.append(try ParameterSetting(parameter, json: member.value))
      } catch {
        throw .badRequest("“\(member.key)” cannot be \(member.value.text.prefix(50)): \(error).")
      }
    }
    return settings
  }
}
