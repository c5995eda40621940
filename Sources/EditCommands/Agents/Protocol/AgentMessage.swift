/// A message of JSON-RPC 2.0 that a client sent.
enum AgentMessage: Equatable {
  /// It wants an answer with this identifier, a text or a number.
  case request(id: JSONValue, method: String, parameters: JSONValue)
  /// It wants no answer.
  case notification(method: String, parameters: JSONValue)
  /// An answer. This side never asks, so it is passed over.
  case answer

  /// Reads a message.
  ///
  /// - Throws: ``AgentMessageError/invalidRequest(_:id:)``.
  init(_ json: JSONValue) throws(AgentMessageError) {
    guard json.members != nil else { throw .invalidRequest("A message is an object.") }
    let id = json["id"].flatMap(Self.identifier)
    guard json["jsonrpc"]?.string == "2.0" else {
      throw .invalidRequest("“jsonrpc” must be \"2.0\".", id: id)
    }
    guard let method = json["method"] else {
      guard json["result"] != nil || json["error"] != nil else {
        throw .invalidRequest("A message has a “method”.", id: id)
      }
      self = .answer
      return
    }
    guard let name = method.string else {
      throw .invalidRequest("“method” must be a text.", id: id)
    }
    let parameters = json["params"] ?? .object([] as [JSONValue.Member])
    guard parameters.members != nil else {
      throw .invalidRequest("“params” must be an object.", id: id)
    }
    guard json["id"] != nil else {
      self = .notification(method: name, parameters: parameters)
      return
    }
    guard let id else {
      throw .invalidRequest("“id” must be a text of at most 1,000 bytes or a number.")
    }
    self = .request(id: id, method: name, parameters: parameters)
  }

  /// An identifier of a request or of progress: a text or a number; `nil` for anything else.
  static func identifier(_ json: JSONValue) -> JSONValue? {
    guard json.string != nil || json.number != nil else { return nil }
    return json.text.utf8.count <= 1000 ? json : nil
  }
}

/// Why a message got no result. `id` is the request's, where that could be read.
enum AgentMessageError: Error, Equatable {
  /// The line is no JSON.
  case notJSON(String)
  /// The JSON is no request.
  case invalidRequest(String, id: JSONValue? = nil)
  /// There is no such method.
  case unknownMethod(String, id: JSONValue)
  /// The method cannot be called so.
  case invalidParameters(String, id: JSONValue)
  /// So much is under way that this request is not taken.
  case busy(id: JSONValue)

  private var code: Int {
    // Source: JSON-RPC 2.0, section 5.1; -32000 to -32099 are for the server's own errors.
    switch self {
    case .notJSON: -32700
    case .invalidRequest: -32600
    case .unknownMethod: -32601
    case .invalidParameters: -32602
    case .busy: -32000
    }
  }

  private var message: String {
    switch self {
    case .notJSON(let reason): "The line is not JSON: \(reason)."
    case .invalidRequest(let reason, _), .invalidParameters(let reason, _): reason
    case .unknownMethod(let method, _):
      "There is no method “\(method.prefix(100))”: this server has initialize, ping, tools/list and tools/call."
    case .busy: "Too many calls are waiting. Wait for some of their results."
    }
  }

  private var id: JSONValue {
    switch self {
    case .notJSON: .null
    case .invalidRequest(_, let id): id ?? .null
    case .unknownMethod(_, let id), .invalidParameters(_, let id), .busy(let id): id
    }
  }

  /// The answer that says so.
  var answer: JSONValue {
    .object([
      "jsonrpc": "2.0", "id": id, "error": JSONValue.object(["code": code, "message": message]),
    ])
  }
}
