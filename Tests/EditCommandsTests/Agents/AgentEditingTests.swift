import Foundation
import PhotoEditing
import SafelightFiles
import Testing

@testable import SafelightEditCommands

/// Tools that change photos, compared with the commands of the same meaning.
@Suite struct AgentEditingTests {
  /// Several operations are one step; `ConformanceTests` have each alone.
  @Test func aCommitIsTheSameAsTheCommands() async throws {
    let edit =
      #"{"filter":"fade","values":{"exposure":-0.3},"rotate":"270","crop":{"size":"20x20"}}"#
    let agent = try Agent(["orientation/6.jpg"])
    try agent.folder.add("orientation/6.jpg", as: "other/6.jpg")
    let tried = try await agent.call("try_edit", #"{"photo":"6.jpg","edit":\#(edit)}"#)
    #expect(!tried.isFailure, "\(tried.text)")
    #expect(agent.names == ["6.jpg"])

    let result = try await agent.call("commit_edit", #"{"photo":"6.jpg","edit":\#(edit)}"#)
    #expect(result.json["status"]?.string == "edited", "\(result.text)")
    #expect(result.changed == ["+6.jpg.aae", "+6_edited.jpg"])
    for command in ["apply fade", "adjust --exposure -0.3", "rotate 270", "crop --size 20x20"] {
      let end = await agent.folder.edit(command.words + ["@/other/6.jpg"])
      #expect(end.code == 0, "\(end.messages)")
    }
    // The same bytes, metadata included.
    #expect(agent.files["6_edited.jpg"] == agent.folder.data("other/6_edited.jpg"))
    let photo = Photo(path: FilePath(agent.folder.path + "/photos/6.jpg"))
    let other = Photo(path: FilePath(agent.folder.path + "/other/6.jpg"))
    let editor = PhotoEditor()
    let edits = (try await editor.edit(of: photo), try await editor.edit(of: other))
    #expect(edits.0.inPipelineOrder == edits.1.inPipelineOrder)
    #expect(try await editor.history(of: photo).present == 1)
    // What was tried is what was committed.
    for member in ["summary", "values", "filters", "adjustments"] {
      #expect(tried.json[member] == result.json[member], "\(member)")
    }
    let again = try await agent.call("commit_edit", #"{"photo":"6.jpg","edit":\#(edit)}"#)
    #expect(again.json["status"]?.string == "unchanged")
    #expect(again.changed == [])
  }

  @Test func aWholeStackTakesThePlaceOfThePresentOne() async throws {
    let agent = try Agent(["orientation/6.jpg", "orientation/1.jpg"])
    let edit = #"{"filter":"noir","values":{"exposure":0.5}}"#
    let first = try await agent.call("commit_edit", #"{"photo":"6.jpg","edit":\#(edit)}"#)
    let stack = try #require(first.json["adjustments"])
    _ = try await agent.call("commit_edit", #"{"photo":"1.jpg","edit":{"values":{"contrast":9}}}"#)
    let second = try await agent.call(
      "commit_edit", #"{"photo":"1.jpg","edit":{"adjustments":\#(stack.text)}}"#)
    #expect(second.json["adjustments"] == stack)
    #expect(second.changed == ["~1.jpg.aae", "~1_edited.jpg"])
    let broken = try await agent.call(
      "commit_edit",
      #"{"photo":"1.jpg","edit":{"adjustments":[{"id":"exposure","version":1,"amount":99}]}}"#)
    #expect(broken.code == "invalid-arguments")
  }

  @Test(arguments: [
    #"{}"#, #"{"values":{}}"#, #"{"values":{"exposur":1}}"#, #"{"values":{"exposure":99}}"#,
    #"{"values":{"exposure":"much"}}"#, #"{"values":{"exposure":[1]}}"#,
    #"{"values":{"tone-curve":[[0,0]]}}"#, #"{"values":{"exposure":null}}"#,
    #"{"filter":"nois"}"#, #"{"filter":""}"#, #"{"filter":"none.cube"}"#, #"{"intensity":0.5}"#,
    #"{"filter":"noir","intensity":7}"#, #"{"filter":7}"#, #"{"crop":{}}"#,
    #"{"crop":{"rect":[0.5,0,0.7,1]}}"#, #"{"crop":{"rect":[0,0,1]}}"#,
    #"{"crop":{"size":"9999999x2"}}"#, #"{"crop":{"size":"99999999999999999999x2"}}"#,
    #"{"crop":{"aspect":"wide"}}"#, #"{"crop":{"none":true,"aspect":"1:1"}}"#,
    #"{"straighten":60}"#, #"{"straighten":1e300}"#, #"{"rotate":"45"}"#, #"{"rotate":91}"#,
    #"{"flip":"--help"}"#, #"{"auto":true}"#, #"{"auto":{"strength":2}}"#, #"{"noise":1}"#,
    #"{"adjustments":[7]}"#, #"{"adjustments":[{"id":"x"}]}"#, #"[]"#, #""noir""#,
    #"{"filter":"--intensity=0.1"}"#,
  ])
  func anEditThatCannotBeMadeIsExplained(edit: String) async throws {
    let agent = try Agent()
    let before = agent.files
    for tool in ["try_edit", "commit_edit"] {
      let result = try await agent.call(tool, #"{"photo":"6.jpg","edit":\#(edit)}"#)
      #expect(result.isFailure, "\(tool) \(edit): \(result.text)")
      let error = try #require(result.json["error"])
      #expect(ErrorExplanation.advice(for: error["code"]?.string ?? "") != nil)
      #expect(error["message"]?.string?.last.map { ".?".contains($0) } == true)
      #expect(!result.text.contains(" --"), "A model does not know options.")
      #expect(error["hint"] != nil)
      #expect(!result.text.contains("CommandError"))
    }
    #expect(agent.files == before)
  }

  @Test func anEditByAnotherProgramMeanwhileIsAConflict() async throws {
    let agent = try Agent()
    let seen = try await agent.call("see_photo", #"{"photo":"6.jpg"}"#)
    let revision = try #require(seen.json["revision"]?.string)
    _ = await agent.folder.edit("apply", "noir", "@/photos/6.jpg")
    let between = agent.files
    for (tool, more) in [
      ("commit_edit", #","edit":{"filter":"mono"}"#), ("undo_edit", ""), ("revert_photo", ""),
      ("save_version", #","name":"a""#),
      ("commit_edit", #","edit":{"filter":"mono"},"dryRun":true"#),
    ] {
      let result = try await agent.call(
        tool, #"{"photo":"6.jpg","revision":"\#(revision)"\#(more)}"#)
      #expect(result.code == "input-outdated", "\(tool): \(result.text)")
    }
    #expect(agent.files == between)
    let now = try await agent.call("see_photo", #"{"photo":"6.jpg","picture":false}"#)
    let present = try #require(now.json["revision"]?.string)
    let commit = try await agent.call(
      "commit_edit", #"{"photo":"6.jpg","revision":"\#(present)","edit":{"filter":"mono"}}"#)
    #expect(commit.json["status"]?.string == "edited")
    // The revision of the result is good for the next change.
    let next = try #require(commit.json["revision"]?.string)
    let undo = try await agent.call("undo_edit", #"{"photo":"6.jpg","revision":"\#(next)"}"#)
    #expect(undo.json["summary"]?.string == "noir")
  }

  @Test func aDryRunSaysWhatWouldBe() async throws {
    let agent = try Agent()
    let before = agent.files
    let result = try await agent.call(
      "commit_edit", #"{"photo":"6.jpg","edit":{"filter":"noir"},"dryRun":true}"#)
    #expect(result.json["dryRun"]?.text == "true")
    #expect(result.json["summary"]?.string == "noir")
    #expect(result.changed == [])
    #expect(agent.files == before)
  }

  @Test func theHistoryIsListed() async throws {
    let agent = try Agent()
    for edit in [#"{"filter":"noir"}"#, #"{"values":{"exposure":1}}"#] {
      _ = try await agent.call("commit_edit", #"{"photo":"6.jpg","edit":\#(edit)}"#)
    }
    let undo = try await agent.call("undo_edit", #"{"photo":"6.jpg"}"#)
    #expect(undo.json["step"]?.integer == 1 && undo.json["summary"]?.string == "noir")
    let history = try await agent.call("list_history", #"{"photo":"6.jpg"}"#)
    #expect(history.json["present"]?.integer == 1)
    #expect(history.json["steps"]?.elements?.count == 3)
    #expect(
      try await agent.call("go_to_step", #"{"photo":"6.jpg","step":9}"#).code == "no-such-step")
  }

  @Test func versionsAreSavedUsedAndRemoved() async throws {
    let agent = try Agent()
    _ = try await agent.call("commit_edit", #"{"photo":"6.jpg","edit":{"filter":"noir"}}"#)
    let save = try await agent.call("save_version", #"{"photo":"6.jpg","name":"dark"}"#)
    #expect(save.changed == ["+6_edited-dark.jpg", "~6.jpg.aae"])
    _ = try await agent.call("commit_edit", #"{"photo":"6.jpg","edit":{"filter":"fade"}}"#)
    let list = try await agent.call("list_versions", #"{"photo":"6.jpg"}"#)
    #expect(list.json["versions"]?.elements?.map { $0["name"]?.string } == ["dark"])
    let shown = try await agent.call("see_photo", #"{"photo":"6.jpg","version":"dark"}"#)
    #expect(shown.json["shown"]?.string == "dark")
    #expect(shown.pictures.count == 1)
    let both = try await agent.call("compare_photo", #"{"photo":"6.jpg","beforeVersion":"dark"}"#)
    #expect(both.json["before"]?["summary"]?.string == "noir")
    #expect(both.json["after"]?["summary"]?.string == "fade")
    let use = try await agent.call("use_version", #"{"photo":"6.jpg","name":"dark"}"#)
    #expect(use.json["summary"]?.string == "noir")
    let remove = try await agent.call("remove_version", #"{"photo":"6.jpg","name":"dark"}"#)
    #expect(remove.changed == ["-6_edited-dark.jpg", "~6.jpg.aae"])
    for name in ["dark", "--replace", "a b", ""] {
      #expect(
        try await agent.call("use_version", #"{"photo":"6.jpg","name":"\#(name)"}"#).isFailure)
    }
  }

  @Test func aRevertThatDropsAHistoryMustBeConfirmed() async throws {
    let agent = try Agent()
    _ = try await agent.call("commit_edit", #"{"photo":"6.jpg","edit":{"filter":"noir"}}"#)
    let single = try await agent.call("revert_photo", #"{"photo":"6.jpg"}"#)
    #expect(single.changed == ["-6.jpg.aae", "-6_edited.jpg"])
    for filter in ["noir", "fade"] {
      _ = try await agent.call("commit_edit", #"{"photo":"6.jpg","edit":{"filter":"\#(filter)"}}"#)
    }
    let before = agent.files
    let asked = try await agent.call("revert_photo", #"{"photo":"6.jpg"}"#)
    #expect(asked.code == "not-confirmed")
    #expect(agent.files == before)
    let revert = try await agent.call("revert_photo", #"{"photo":"6.jpg","confirm":true}"#)
    #expect(revert.json["status"]?.string == "reverted")
    #expect(agent.names == ["6.jpg"])
  }

  @Test func anExportKeepsToTheOutputRule() async throws {
    let agent = try Agent(["orientation/6.jpg", "orientation/1.jpg"])
    _ = try await agent.call("commit_edit", #"{"photo":"6.jpg","edit":{"filter":"noir"}}"#)
    let small = try await agent.call(
      "export_render", #"{"photo":"6.jpg","output":"small.png","longestSide":16}"#)
    #expect(small.changed == ["+small.png"], "\(small.text)")
    #expect(
      try await agent.call("export_render", #"{"photo":"6.jpg","output":"small.png"}"#).code
        == "destination-taken")
    let again = try await agent.call(
      "export_render", #"{"photo":"6.jpg","output":"small.png","overwrite":true}"#)
    #expect(again.changed == ["~small.png"])
    for name in ["1.jpg", "6.jpg", "6.jpg.aae", "6_edited.jpg", "x.aae"] {
      let result = try await agent.call(
        "export_render", #"{"photo":"6.jpg","output":"\#(name)","format":"jpeg","overwrite":true}"#)
      #expect(result.code == "destination-taken", "\(name): \(result.text)")
    }
    // What is no picture is no earlier export, whatever its name.
    for name in ["notes.jpg", "db.sqlite", "Makefile"] {
      try agent.folder.put("all: it", as: "photos/" + name)
      let result = try await agent.call(
        "export_render", #"{"photo":"6.jpg","output":"\#(name)","format":"jpeg","overwrite":true}"#)
      #expect(result.code == "destination-taken", "\(name): \(result.text)")
    }
    try FileManager.default.createDirectory(
      atPath: agent.folder.path + "/photos/to", withIntermediateDirectories: false)
    let folder = try await agent.call("export_render", #"{"photo":"6.jpg","output":"to"}"#)
    #expect(folder.changed == ["+6.jpg"])
    // A link in the folder does not lead the export out of it.
    #expect(symlink("/tmp/never", agent.folder.path + "/photos/to/1.jpg") == 0)
    #expect(
      try await agent.call("export_render", #"{"photo":"1.jpg","output":"to","overwrite":true}"#)
        .code
        == "outside-folders")
  }

  @Test func rendersAndSidecarsAreNoPhotosToEdit() async throws {
    let agent = try Agent()
    _ = try await agent.call("commit_edit", #"{"photo":"6.jpg","edit":{"filter":"noir"}}"#)
    let before = agent.files
    for name in ["6_edited.jpg", "6.jpg.aae"] {
      for (tool, more) in [
        ("commit_edit", #","edit":{"filter":"mono"}"#), ("revert_photo", ""), ("see_photo", ""),
      ] {
        #expect(
          try await agent.call(tool, #"{"photo":"\#(name)"\#(more)}"#).code == "invalid-arguments")
      }
    }
    #expect(agent.files == before)
  }
}
