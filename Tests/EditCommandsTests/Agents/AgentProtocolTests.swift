import Foundation
import Glibc
import PhotoEditing
import SafelightArguments
import SafelightTestSupport
import Synchronization
import Testing

@testable import SafelightEditCommands

/// JSON-RPC and the protocol around the tools.
@Suite struct AgentProtocolTests {
  @Test(arguments: [
    ("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"),
    ("2031-01-01", "2025-06-18"), ("", "2025-06-18"),
  ])
  func aRevisionIsAgreedOn(asked: String, agreed: String) async throws {
    let hello = try await Agent([]).begin(asked)
    #expect(hello["protocolVersion"]?.string == agreed)
    #expect(hello["capabilities"]?["tools"]?["listChanged"]?.text == "false")
    #expect(hello["serverInfo"]?["version"]?.string == Version.number)
    #expect(hello["instructions"]?.string?.contains("/photos") == true)
  }

  @Test func aPingIsAnsweredBeforeHello() async throws {
    let agent = try Agent([])
    let answers = try await agent.send(
      #"{"jsonrpc":"2.0","id":"a","method":"ping"}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list_filters"}}"#)
    #expect(answers[0].text == #"{"jsonrpc":"2.0","id":"a","result":{}}"#)
    #expect(answers.dropFirst().map { $0["error"]?["code"]?.integer } == [-32600, -32600])
  }

  @Test(arguments: [
    (#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, -32601),
    (#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}"#, -32601),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_all"}}"#, -32602),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}"#, -32602),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32602),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_filters","arguments":[]}}"#,
      -32602
    ),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}"#, -32602),
    (#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#, -32602),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#,
      -32600
    ),
    (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, -32600),
    (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
    (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1}"#, -32600), ("7", -32600), ("[]", -32600),
    (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600), ("{", -32700), ("nonsense", -32700),
    (#"{"jsonrpc":"2.0","id":1e999,"method":"ping"}"#, -32700), ("\u{0}\u{1}", -32700),
  ])
  func whatCannotBeDoneIsAnErrorOfJSONRPC(message: String, code: Int) async throws {
    let agent = try Agent([])
    _ = try await agent.begin()
    let answers = try await agent.send(message)
    try #require(answers.count == 1)
    #expect(answers[0]["jsonrpc"]?.string == "2.0")
    #expect(answers[0]["error"]?["code"]?.integer == code)
    #expect(answers[0]["error"]?["message"]?.string?.isEmpty == false)
    #expect(answers[0]["id"] != nil)
  }

  @Test(arguments: [
    #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#,
    #"{"jsonrpc":"2.0","method":"whatever"}"#, #"{"jsonrpc":"2.0","id":4,"result":{}}"#, "", "  \r",
  ])
  func whatWantsNoAnswerGetsNone(message: String) async throws {
    let agent = try Agent([])
    _ = try await agent.begin()
    await #expect(try agent.send(message) == [])
  }

  @Test func messagesInAnArrayAreAnsweredInOneWhereTheRevisionHasThat() async throws {
    let agent = try Agent([])
    _ = try await agent.begin("2025-03-26")
    let answers = try await agent.send(
      #"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},7,"#
        + #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_filters"}}]"#,
      #"[{"jsonrpc":"2.0","method":"x"}]"#)
    try #require(answers.count == 1)
    let ids = try #require(answers[0].elements).map { $0["id"]?.text }
    #expect(Set(ids) == ["1", "null", "2"])
  }

  @Test func aTooLongMessageIsRefusedAndTheNextIsRead() async throws {
    let (reading, writing) = try connectedSockets()
    writeWhole("0123456789\n01234567890\nabc\n\nlast", to: writing)
    close(writing)
    var lines: [String?] = []
    for await line in LineReader.lines(of: reading, longest: 10, until: WakeUp()) {
      lines.append(line.map { String(decoding: $0, as: UTF8.self) })
    }
    #expect(lines == ["0123456789", nil, "abc", "", "last"])
    close(reading)
    let agent = try Agent([])
    await agent.server.receive(nil)
    let answers = try await agent.send(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
    #expect(answers.map { $0["error"]?["code"]?.integer } == [-32600, nil])
  }

  @Test(arguments: AgentServer.revisions)
  func eachRevisionGetsTheMembersThatItHas(revision: String) async throws {
    let agent = try Agent()
    _ = try await agent.begin(revision)
    let answers = try await agent.send(
      #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_photos"}}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"see_photo","arguments":{"photo":"../a.jpg"}}}"#
    )
    let tools = try #require(answers[0]["result"]?["tools"]?.elements)
    #expect(tools.count == agent.session.tools.count)
    let isNew = revision == "2025-06-18"
    for tool in tools {
      #expect((tool["outputSchema"] != nil) == isNew)
      #expect((tool["annotations"] != nil) == (revision != "2024-11-05"))
      #expect(tool["inputSchema"]?["type"]?.string == "object")
    }
    let result = try #require(answers[1]["result"])
    #expect((result["structuredContent"] != nil) == isNew)
    #expect(result["isError"]?.text == "false")
    let texts = try #require(result["content"]?.elements)
    let structured = try JSONValue(parsing: try #require(texts[1]["text"]?.string).utf8)
    #expect(structured["photos"]?.elements?.count == 1)
    if isNew { #expect(result["structuredContent"] == structured) }

    // Clients hold structured content against the schema, which an error does not fulfill.
    let failed = try #require(answers[2]["result"])
    #expect(failed["isError"]?.text == "true")
    #expect(failed["structuredContent"] == nil)
    let error = try JSONValue(
      parsing: try #require(failed["content"]?.elements?[1]["text"]?.string).utf8)
    #expect(error["error"]?["code"]?.string == "outside-folders")
  }

  @Test func everyToolSaysWhatItDoesAndWhetherItWrites() async throws {
    let tools = try Agent([]).session.tools
    #expect(Set(tools.map(\.name)).count == tools.count)
    for tool in tools {
      #expect(tool.name.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil)
      #expect(
        tool.isChanging != tool.summary.contains(/(?i)writes\s+nothing\.|without writing/),
        "\(tool.name)")
      #expect(tool.summary.utf8.count < 1100, "\(tool.name) is long.")
      for argument in tool.arguments {
        #expect(argument.summary.hasSuffix(".") || argument.summary.hasSuffix("}"))
      }
    }
  }

  @Test func progressIsToldToWhoAskedForIt() async throws {
    let agent = try Agent(["orientation/6.jpg", "orientation/1.jpg"])
    _ = try await agent.begin()
    let call =
      #""method":"tools/call","params":{"name":"run_batch","arguments":"#
      + #"{"folder":"\#(agent.folder.path)/photos","edit":{"filter":"noir"}}"#
    let answers = try await agent.send(
      #"{"jsonrpc":"2.0","id":1,"# + call + #","_meta":{"progressToken":"p"}}}"#)
    try #require(answers.count == 3)
    #expect(answers.dropLast().allSatisfy { $0["method"]?.string == "notifications/progress" })
    #expect(answers.dropLast().map { $0["params"]?["progress"]?.integer } == [1, 2])
    #expect(answers[0]["params"]?["progressToken"]?.string == "p")
    #expect(answers[0]["params"]?["total"]?.integer == 2)
    await #expect(try agent.send(#"{"jsonrpc":"2.0","id":2,"# + call + "}}").count == 1)
  }

  /// A call that waits behind another one is cancelled before it begins.
  @Test func aCancelledCallIsNotAnsweredAndDoesNothing() async throws {
    let agent = try Agent()
    _ = try await agent.begin("2025-03-26")
    func call(_ id: Int, _ tool: String, _ more: String) -> String {
      #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","#
        + #""arguments":{"photo":"6.jpg"\#(more)}}}"#
    }
    // In one array they are taken before any of them begins.
    let messages = [
      call(1, "see_photo", ""), call(2, "commit_edit", #","edit":{"filter":"noir"}"#),
      call(2, "see_photo", ""),
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"ping"}"#,
    ]
    let array = try await agent.send("[" + messages.joined(separator: ",") + "]")
    let answers = try #require(array.first?.elements)
    // The second call of the same identifier is refused at once, and the ping overtakes the calls.
    #expect(answers.map { $0["id"]?.integer } == [2, 3, 1])
    #expect(answers[0]["error"]?["code"]?.integer == -32600)
    #expect(agent.names == ["6.jpg"])
  }

  @Test func noMoreCallsAreTakenThanCanWait() async throws {
    let agent = try Agent([])
    _ = try await agent.begin()
    for id in 1...40 {
      await agent.server.receive(
        Array(
          #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"list_filters"}}"#
            .utf8))
    }
    let answers = try await agent.send()
    #expect(answers.count == 40)
    #expect(answers.contains { $0["result"] != nil })
    #expect(answers.compactMap { $0["error"]?["code"]?.integer }.allSatisfy { $0 == -32000 })
  }

  /// Mutated messages get an answer that is JSON, or none; nothing is written outside of what the tools do.
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func mutatedMessagesDoNoHarm(seed: UInt64) async throws {
    let agent = try Agent(["orientation/6.jpg"], isReadOnly: true)
    let before = agent.files
    let messages = [
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list_photos","arguments":{"limit":5}}}"#,
      #"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"commit_edit","arguments":"#
        + #"{"photo":"6.jpg","edit":{"filter":"noir","values":{"exposure":0.5,"tone-curve":[[0,0],[1,1]]},"#
        + #""crop":{"rect":[0,0,0.5,0.5]}}},"_meta":{"progressToken":1}}}"#,
      #"[{"jsonrpc":"2.0","id":5,"method":"ping"},{"jsonrpc":"2.0","method":"x"}]"#,
    ].map { Array($0.utf8) }
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<Rounds.count(300, long: 5000) {
      var bytes = messages.randomElement(using: &generator)!
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        case 2:
          bytes.insert(
            contentsOf: Array("9e99,{[\"\\u".utf8).shuffled(using: &generator), at: place)
        default: bytes += bytes[place...].prefix(40)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
        await agent.server.receive(line.count > 500 ? nil : Array(line))
      }
    }
    for answer in try await agent.send(#"{"jsonrpc":"2.0","id":"last","method":"ping"}"#) {
      #expect(answer.elements != nil || answer["jsonrpc"]?.string == "2.0")
    }
    #expect(agent.files == before, "seed \(seed)")
  }
}
