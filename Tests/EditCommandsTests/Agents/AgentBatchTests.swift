import Foundation
import PhotoEditing
import Synchronization
import Testing

@testable import SafelightEditCommands

/// Tools that change many photos.
@Suite struct AgentBatchTests {
  private static let edit = #""edit":{"filter":"noir"}"#

  private func token(_ result: ToolResult) throws -> String {
    try #require(result.json["dryRunToken"]?.string, "\(result.text)")
  }

  @Test func aBatchIsPlannedFirstAndThenTheSameAsTheCommand() async throws {
    let agent = try Agent(["orientation/6.jpg", "orientation/1.jpg", "bad/text.jpg"])
    try agent.folder.add("orientation/6.jpg", as: "other/6.jpg")
    let before = agent.files
    let photos = #""photos":["6.jpg","1.jpg","text.jpg","6.jpg"]"#
    let plan = try await agent.call("run_batch", "{\(photos),\(Self.edit)}")
    #expect(agent.files == before)
    #expect(plan.json["dryRun"]?.text == "true")
    #expect(plan.json["total"]?.integer == 3)
    #expect(plan.json["counts"]?.text == #"{"edited":2,"failed":1}"#)
    #expect(plan.changed == [])
    let token = try token(plan)

    for other in [
      #"{"photos":["6.jpg"],\#(Self.edit),"dryRunToken":"\#(token)"}"#,
      #"{\#(photos),"edit":{"filter":"fade"},"dryRunToken":"\#(token)"}"#,
      #"{\#(photos),\#(Self.edit),"dryRunToken":"nonsense"}"#,
    ] {
      #expect(try await agent.call("run_batch", other).code == "no-such-plan")
    }
    #expect(agent.files == before)

    let done = try await agent.call(
      "run_batch", #"{"dryRunToken":"\#(token)",\#(Self.edit),\#(photos)}"#)
    #expect(done.json["counts"]?.text == #"{"edited":2,"failed":1}"#)
    #expect(done.json["photos"]?.elements?.first?["error"]?["code"]?.string == "not-a-picture")
    #expect(done.changed == ["+1.jpg.aae", "+1_edited.jpg", "+6.jpg.aae", "+6_edited.jpg"])
    _ = await agent.folder.edit("apply", "noir", "@/other/6.jpg")
    #expect(agent.files["6_edited.jpg"] == agent.folder.data("other/6_edited.jpg"))
    // A plan is carried out once.
    #expect(
      try await agent.call("run_batch", #"{"dryRunToken":"\#(token)",\#(Self.edit),\#(photos)}"#)
        .code
        == "no-such-plan")
  }

  @Test func aPhotoThatChangedSinceThePlanIsLeftAlone() async throws {
    let agent = try Agent(["orientation/6.jpg", "orientation/1.jpg"])
    let plan = try await agent.call("run_batch", #"{"folder":"@/photos",\#(Self.edit)}"#)
    _ = await agent.folder.edit("apply", "fade", "@/photos/1.jpg")
    try agent.folder.add("orientation/3.jpg", as: "photos/3.jpg")
    let done = try await agent.call(
      "run_batch", #"{"folder":"@/photos",\#(Self.edit),"dryRunToken":"\#(try token(plan))"}"#)
    #expect(done.json["counts"]?.text == #"{"edited":1,"failed":2}"#)
    #expect(done.changed == ["+6.jpg.aae", "+6_edited.jpg"])
    let errors = done.json["photos"]?.elements?.prefix(2).map { $0["error"]?["code"]?.string }
    #expect(errors == ["input-outdated", "input-outdated"])
    #expect(agent.names.contains("3.jpg.aae") == false)
  }

  @Test func aBatchIsUndoneByABatch() async throws {
    let agent = try Agent(["orientation/6.jpg", "orientation/1.jpg"])
    for arguments in [Self.edit, #""do":"undo""#, #""do":"redo""#] {
      let plan = try await agent.call("run_batch", #"{"folder":"@/photos",\#(arguments)}"#)
      let done = try await agent.call(
        "run_batch", #"{"folder":"@/photos",\#(arguments),"dryRunToken":"\#(try token(plan))"}"#)
      #expect(done.json["counts"]?.text == #"{"edited":2}"#, "\(arguments): \(done.text)")
    }
    let edit = try await PhotoEditor().edit(
      of: Photo(path: FilePath(agent.folder.path + "/photos/1.jpg")))
    #expect(edit.summary == "noir")
  }

  @Test func anEditIsCopiedToOthers() async throws {
    let agent = try Agent(["orientation/6.jpg", "orientation/1.jpg", "orientation/3.jpg"])
    _ = try await agent.call(
      "commit_edit",
      #"{"photo":"6.jpg","edit":{"filter":"fade","values":{"exposure":0.5},"crop":{"aspect":"1:1"}}}"#
    )
    let call = #""from":"6.jpg","photos":["1.jpg","3.jpg"]"#
    let plan = try await agent.call("sync_edit", "{\(call)}")
    let done = try await agent.call("sync_edit", #"{\#(call),"dryRunToken":"\#(try token(plan))"}"#)
    #expect(done.json["counts"]?.text == #"{"edited":2}"#, "\(done.text)")
    let history = try await agent.call("see_photo", #"{"photo":"3.jpg","picture":false}"#)
    #expect(history.json["edit"]?["values"]?.text == #"{"exposure":0.5}"#)
    #expect(
      try await agent.call("sync_edit", #"{"from":"3.jpg","photos":["1.jpg"],"only":["crop"]}"#)
        .isFailure == false)
    try agent.folder.add("orientation/5.jpg", as: "photos/5.jpg")
    let nothing = try await agent.call("sync_edit", #"{"from":"5.jpg","photos":["1.jpg"]}"#)
    #expect(nothing.code == "nothing-to-copy")
  }

  /// The plan is of the edit that it was made with.
  @Test func anEditThatChangedSinceThePlanIsNotCopied() async throws {
    let agent = try Agent(["orientation/6.jpg", "orientation/1.jpg"])
    _ = try await agent.call(
      "commit_edit", #"{"photo":"6.jpg","edit":{"values":{"exposure":0.2}}}"#)
    let call = #""from":"6.jpg","photos":["1.jpg"]"#
    let plan = try await agent.call("sync_edit", "{\(call)}")
    _ = try await agent.call("commit_edit", #"{"photo":"6.jpg","edit":{"filter":"noir"}}"#)
    let done = try await agent.call("sync_edit", #"{\#(call),"dryRunToken":"\#(try token(plan))"}"#)
    #expect(done.code == "input-outdated", "\(done.text)")
    #expect(done.changed.isEmpty)
  }

  @Test func aCancelledBatchKeepsWhatIsDoneAndChangesNoMore() async throws {
    let agent = try Agent([])
    for number in 1...12 {
      try agent.folder.add("orientation/6.jpg", as: "photos/\(number).jpg")
    }
    let arguments = #"{"folder":"@/photos",\#(Self.edit)}"#
    let token = try token(try await agent.call("run_batch", arguments))
    let tool = try #require(agent.session.tool(named: "run_batch"))
    let json = try JSONValue(
      parsing: #"{"folder":"\#(agent.folder.path)/photos",\#(Self.edit),"dryRunToken":"\#(token)"}"#
        .utf8)
    let running = Mutex<Task<ToolResult, Never>?>(nil)
    let task = Task {
      await agent.session.call(tool, json) { done, _, _ in
        if done == 3 { running.withLock { $0?.cancel() } }
      }
    }
    running.withLock { $0 = task }
    let result = await task.value
    // The task may have been over before it could be cancelled; else nothing is half done.
    let renders = agent.names.count { $0.hasSuffix("_edited.jpg") }
    #expect(agent.names.count { $0.hasSuffix(".aae") } == renders)
    #expect(agent.names.allSatisfy { !$0.hasPrefix(".") })
    if result.isFailure {
      #expect(result.code == "cancelled")
      #expect((3..<12).contains(renders))
    } else {
      #expect(renders == 12)
    }
  }
}
