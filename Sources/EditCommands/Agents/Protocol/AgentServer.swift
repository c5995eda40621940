/// Answers one client that speaks the Model Context Protocol.
///
/// Calls of tools are done one after the other, in the order in which they came. Everything else is answered at once,
/// while a call is under way too.
///
/// Source: the protocol's revisions 2024-11-05, 2025-03-26 and 2025-06-18.
actor AgentServer {
  /// The revisions of the protocol that it speaks, the oldest first.
  static let revisions = ["2024-11-05", "2025-03-26", "2025-06-18"]
  /// Most bytes of a message. An edit may hold curves and filters, but pictures only go the other way.
  static let largestMessage = 4 << 20
  /// Most calls that wait or are under way.
  private static let mostCalls = 32
  /// Most messages that came in one array.
  private static let mostTogether = 100

  private let session: AgentSession
  private let send: @Sendable (String) -> Void
  /// The revision that the client agreed to; `nil` before it said hello.
  private var revision: String?
  private var calls: [JSONValue: Task<Void, Never>] = [:]
  /// The call that came last.
  private var last: Task<Void, Never>?
  private var cancelled: Set<JSONValue> = []
  /// Answers to messages that came in one array, and how many of them are still to come.
  private var groups: [Int: (answers: [JSONValue], missing: Int)] = [:]
  private var groupCount = 0

  /// - Parameter send: Takes one line; called by one thread at a time.
  init(_ session: AgentSession, send: @escaping @Sendable (String) -> Void) {
    self.session = session
    self.send = send
  }

  /// Takes a line; `nil` is one that was longer than ``largestMessage``.
  func receive(_ line: [UInt8]?) {
    guard let bytes = line else {
      let reason = "The message is longer than \(Self.largestMessage) bytes."
      return deliver(AgentMessageError.invalidRequest(reason).answer)
    }
    if bytes.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { return }
    let json: JSONValue
    do {
      json = try JSONValue(parsing: bytes)
    } catch {
      return deliver(AgentMessageError.notJSON(error.description).answer)
    }
    guard let messages = json.elements else { return take(json, of: nil) }
    // Only this revision has arrays of messages.
    guard revision == "2025-03-26", (1...Self.mostTogether).contains(messages.count) else {
      let reason = "Send one message to a line, not an array."
      return deliver(AgentMessageError.invalidRequest(reason).answer)
    }
    groupCount += 1
    groups[groupCount] = ([], messages.count)
    for message in messages { take(message, of: groupCount) }
  }

  /// Waits until all calls are answered.
  func finish() async { while let last, !calls.isEmpty { await last.value } }

  /// Rolls back what is under way; nothing more is answered.
  func cancel() {
    for id in calls.keys { cancel(id) }
  }

  // MARK: - Messages

  private func take(_ json: JSONValue, of group: Int?) {
    do throws(AgentMessageError) {
      switch try AgentMessage(json) {
      case .answer: deliver(nil, to: group)
      case .notification(let method, let parameters):
        if method == "notifications/cancelled", let id = parameters["requestId"] { cancel(id) }
        deliver(nil, to: group)
      case .request(let id, "tools/call", let parameters):
        try checkHello(id)
        try call(id, parameters, of: group)
      case .request(let id, let method, let parameters):
        deliver(
          Self.answer(to: id, try result(of: method, parameters, id)), to: group)
      }
    } catch {
      deliver(error.answer, to: group)
    }
  }

  private func result(
    of method: String, _ parameters: JSONValue, _ id: JSONValue
  ) throws(AgentMessageError) -> JSONValue {
    switch method {
    case "ping": return .object([] as [JSONValue.Member])
    case "initialize": return try hello(parameters, id)
    case "tools/list":
      try checkHello(id)
      if parameters["cursor"] != nil {
        throw .invalidParameters("The list of tools has one page; leave “cursor” out.", id: id)
      }
      let tools = session.tools.map { $0.description(in: revision) }
      return .object(["tools": tools])
    default: throw .unknownMethod(method, id: id)
    }
  }

  private func hello(
    _ parameters: JSONValue, _ id: JSONValue
  ) throws(AgentMessageError) -> JSONValue {
    guard let asked = parameters["protocolVersion"]?.string else {
      throw .invalidParameters("“protocolVersion” must be a text.", id: id)
    }
    guard revision == nil else {
      throw .invalidRequest("The client has sent “initialize” before.", id: id)
    }
    let agreed = Self.revisions.contains(asked) ? asked : Self.revisions[Self.revisions.count - 1]
    revision = agreed
    return .object([
      "protocolVersion": agreed,
      "capabilities": JSONValue.object(["tools": JSONValue.object(["listChanged": false])]),
      "serverInfo": JSONValue.object([
        "name": "safelight", "title": "Safelight", "version": Version.number,
      ]),
      "instructions": session.instructions,
    ])
  }

  private func checkHello(_ id: JSONValue) throws(AgentMessageError) {
    if revision == nil { throw .invalidRequest("Send “initialize” first.", id: id) }
  }

  // MARK: - Calls

  private func call(
    _ id: JSONValue, _ parameters: JSONValue, of group: Int?
  ) throws(AgentMessageError) {
    guard let name = parameters["name"]?.string else {
      throw .invalidParameters("“name” must be the name of a tool.", id: id)
    }
    guard let tool = session.tool(named: name) else {
      throw .invalidParameters(session.unknownTool(name), id: id)
    }
    let arguments = parameters["arguments"] ?? .object([] as [JSONValue.Member])
    guard arguments.members != nil else {
      throw .invalidParameters("“arguments” must be an object.", id: id)
    }
    guard calls[id] == nil else {
      throw .invalidRequest("A call with this “id” is under way.", id: id)
    }
    guard calls.count < Self.mostCalls else { throw .busy(id: id) }
    let progress = progress(for: parameters["_meta"]?["progressToken"])
    let previous = last
    let task = Task {
      await previous?.value
      let result =
        Task.isCancelled ? nil : await session.call(tool, arguments, progress: progress)
      ended(id, result?.json(in: revision), of: group)
    }
    calls[id] = task
    last = task
  }

  private func ended(_ id: JSONValue, _ result: JSONValue?, of group: Int?) {
    calls[id] = nil
    // Whoever cancels a call does not want its answer.
    let isCancelled = cancelled.remove(id) != nil
    deliver(isCancelled ? nil : result.map { Self.answer(to: id, $0) }, to: group)
  }

  private func cancel(_ id: JSONValue) {
    guard let call = calls[id] else { return }
    cancelled.insert(id)
    call.cancel()
  }

  /// Tells the client of progress, when it gave a token for that.
  private func progress(for token: JSONValue?) -> ToolCall.Progress? {
    guard let token = token.flatMap(AgentMessage.identifier) else { return nil }
    let saysMore = revision != Self.revisions[0]
    return { [self] done, total, text in
      await tell(
        .object([
          "progressToken": token, "progress": done, "total": total,
          "message": saysMore ? text : nil,
        ]))
    }
  }

  private func tell(_ progress: JSONValue) {
    send(
      JSONValue.object([
        "jsonrpc": "2.0", "method": "notifications/progress", "params": progress,
      ]).text)
  }

  // MARK: - Answers

  private static func answer(to id: JSONValue, _ result: JSONValue) -> JSONValue {
    .object(["jsonrpc": "2.0", "id": id, "result": result])
  }

  /// Sends an answer, or keeps it until all answers of its group are there. A `nil` is no answer.
  private func deliver(_ answer: JSONValue?, to group: Int? = nil) {
    guard let group else {
      if let answer { send(answer.text) }
      return
    }
    guard var kept = groups[group] else { return }
    kept.missing -= 1
    if let answer { kept.answers.append(answer) }
    groups[group] = kept.missing == 0 ? nil : kept
    if kept.missing == 0, !kept.answers.isEmpty { send(JSONValue.array(kept.answers).text) }
  }
}
